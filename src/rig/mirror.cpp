// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/mirror.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>

#include "core/parallel.h"
#include "geometry/nearest_vertex.h"

namespace sinew {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

/// `word` at a place of the name, in any case.
bool has_at(std::string_view name, std::size_t at, std::string_view word) {
  if (at + word.size() > name.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower(name[at + i]) != word[i]) return false;
  return true;
}

/// Another word in the case of the one that it replaces.
std::string in_case_of(std::string_view old, std::string_view word) {
  std::string text(word);
  const bool all_upper = old.size() > 1 && is_upper(old[1]);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (all_upper || (i == 0 && is_upper(old[0])))
      text[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
  return text;
}

struct BoneImages {
  std::vector<int> of;
  std::size_t count = 0;  // deforming bones with an image
};

Vec3 reflected(Vec3 point, int axis, double offset) {
  point[axis] = 2 * offset - point[axis];
  return point;
}

/// A name without what exporters number bones by: b_LeftHand_011 and b_RightHand_08 are partners.
std::string without_numerals(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '_') letters += c;
  return letters;
}

/// The bones that each one's image may be, by name: those that are called like it on the other
/// side, numerals aside.
std::vector<std::vector<int>> find_partners(const Skeleton& skeleton) {
  std::map<std::string, std::vector<int>> by_name;
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone)
    by_name[without_numerals(skeleton.bone(bone).name)].push_back(bone);
  std::vector<std::vector<int>> partners(skeleton.bone_count());
  for (std::size_t bone = 0; bone < partners.size(); ++bone) {
    const std::string& name = skeleton.bones()[bone].name;
    const std::string image = mirrored_name(name);
    if (const auto found = by_name.find(without_numerals(image)); found != by_name.end())
      partners[bone] = found->second;
    // Who is called exactly so comes first, and wins where several are at one place.
    std::ranges::stable_partition(partners[bone],
                                  [&](int other) { return skeleton.bone(other).name == image; });
  }
  return partners;
}

/// Leaves out whose partner has another one.
void keep_mutual(std::vector<int>& partners) {
  for (std::size_t bone = 0; bone < partners.size(); ++bone) {
    const int partner = partners[bone];
    if (partner >= 0 && partners[static_cast<std::size_t>(partner)] != static_cast<int>(bone))
      partners[bone] = -1;
  }
}

/// Partners whose joints are images of each other; bones without a side are their own images if
/// they lie in the plane.
BoneImages find_bone_images(const Skeleton& skeleton, const UnitFrame& frame,
                            const std::vector<std::vector<int>>& partners, int axis, double offset,
                            double tolerance) {
  BoneImages images;
  images.of.assign(skeleton.bone_count(), -1);
  for (std::size_t bone = 0; bone < partners.size(); ++bone) {
    const Vec3 image = reflected(frame.from_model(skeleton.bones()[bone].head()), axis, offset);
    double nearest = tolerance;
    for (const int partner : partners[bone]) {
      const double distance = (frame.from_model(skeleton.bone(partner).head()) - image).norm();
      if (!(distance < nearest)) continue;
      nearest = distance;
      images.of[bone] = partner;
    }
  }
  keep_mutual(images.of);
  for (std::size_t bone = 0; bone < images.of.size(); ++bone)
    if (images.of[bone] >= 0 && skeleton.bone(static_cast<int>(bone)).deforms.value_or(true))
      ++images.count;
  return images;
}

/// Where the plane lies: half way between the joints of partners, as most of them say.
std::optional<double> plane_of(const Skeleton& skeleton, const UnitFrame& frame,
                               const std::vector<std::vector<int>>& partners, int axis) {
  std::vector<double> middles;
  for (std::size_t bone = 0; bone < partners.size(); ++bone) {
    const Bone& one = skeleton.bones()[bone];
    if (mirrored_name(one.name) == one.name) continue;
    for (const int partner : partners[bone])
      middles.push_back((frame.from_model(one.head())[axis] +
                         frame.from_model(skeleton.bone(partner).head())[axis]) /
                        2);
  }
  if (middles.empty()) return std::nullopt;
  std::nth_element(middles.begin(),
                   middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2),
                   middles.end());
  return middles[middles.size() / 2];
}

void find_vertex_images(const PreparedMesh& prepared, double tolerance, Mirror& mirror) {
  const std::vector<Vec3>& positions = prepared.mesh.positions();
  std::vector<VertexIndex> all(positions.size());
  std::iota(all.begin(), all.end(), VertexIndex{0});
  const NearestVertex nearest(positions, all);
  mirror.vertex.assign(positions.size(), -1);
  parallel_for(positions.size(), [&](std::size_t v) {
    if (const auto image = nearest.find(reflected(positions[v], mirror.axis, mirror.offset),
                                        tolerance, [](VertexIndex) { return true; }))
      mirror.vertex[v] = static_cast<int>(*image);
  });
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const int image = mirror.vertex[v];
    if (image >= 0 && mirror.vertex[static_cast<std::size_t>(image)] != static_cast<int>(v))
      mirror.vertex[v] = -1;
  }
  for (std::size_t v = 0; v < positions.size(); ++v) {  // one side of a pair may have been cleared
    const int image = mirror.vertex[v];
    if (image >= 0 && mirror.vertex[static_cast<std::size_t>(image)] != static_cast<int>(v))
      mirror.vertex[v] = -1;
  }
  mirror.vertices = static_cast<std::size_t>(
      std::ranges::count_if(mirror.vertex, [](int image) { return image >= 0; }));
  const std::vector<double>& measure = prepared.graph.vertex_measure;
  double whole = 0;
  double mirrored = 0;
  for (std::size_t v = 0; v < measure.size(); ++v) {
    whole += measure[v];
    if (mirror.vertex[v] >= 0) mirrored += measure[v];
  }
  mirror.share = whole > 0 ? mirrored / whole : 0;
}

}  // namespace

std::string_view to_string(MirrorChoice choice) {
  constexpr std::array<std::string_view, 3> names{"auto", "x", "off"};
  return names[static_cast<std::size_t>(choice)];
}

std::optional<MirrorChoice> mirror_choice_from(std::string_view name) {
  for (const MirrorChoice choice : {MirrorChoice::automatic, MirrorChoice::x, MirrorChoice::off})
    if (name == to_string(choice)) return choice;
  return std::nullopt;
}

std::string mirrored_name(std::string_view name) {
  struct Sides {
    std::string_view one;
    std::string_view other;
  };
  constexpr std::array<Sides, 2> kWords{{{"left", "right"}, {"right", "left"}}};
  for (std::size_t at = 0; at < name.size(); ++at)
    for (const Sides& sides : kWords) {
      if (!has_at(name, at, sides.one)) continue;
      // Not within a word, such as "bright" or "cleft": before it comes no letter of its own case.
      if (at > 0 && is_letter(name[at - 1]) && !(is_upper(name[at]) && !is_upper(name[at - 1])))
        continue;
      const std::string_view old = name.substr(at, sides.one.size());
      return std::string(name.substr(0, at)) + in_case_of(old, sides.other) +
             std::string(name.substr(at + old.size()));
    }
  constexpr std::array<Sides, 2> kLetters{{{"l", "r"}, {"r", "l"}}};
  for (std::size_t at = name.size(); at-- > 0;) {  // arm.L.001: the last that stands alone
    for (const Sides& sides : kLetters) {
      if (!has_at(name, at, sides.one)) continue;
      if (at > 0 && is_letter(name[at - 1])) continue;
      if (at + 1 < name.size() && is_letter(name[at + 1])) continue;
      return std::string(name.substr(0, at)) + in_case_of(name.substr(at, 1), sides.other) +
             std::string(name.substr(at + 1));
    }
  }
  return std::string(name);
}

std::vector<int> bones_of_mirrored_names(const Skeleton& skeleton) {
  const std::vector<std::vector<int>> candidates = find_partners(skeleton);
  std::vector<int> partners(candidates.size(), -1);
  for (std::size_t bone = 0; bone < partners.size(); ++bone) {
    const std::string& name = skeleton.bones()[bone].name;
    const std::string image = mirrored_name(name);
    if (image == name || candidates[bone].empty()) continue;
    const int first = candidates[bone].front();
    if (skeleton.bone(first).name == image || candidates[bone].size() == 1) partners[bone] = first;
  }
  keep_mutual(partners);
  return partners;
}

std::optional<Mirror> find_mirror(const PreparedMesh& prepared, const Skeleton& skeleton,
                                  const MirrorOptions& options) {
  if (options.choice == MirrorChoice::off) return std::nullopt;
  const auto deforming = static_cast<double>(std::ranges::count_if(
      skeleton.bones(), [](const Bone& bone) { return bone.deforms.value_or(true); }));
  const bool is_asked = options.choice == MirrorChoice::x;
  const std::vector<std::vector<int>> partners = find_partners(skeleton);
  std::optional<Mirror> best;
  std::size_t most = 0;
  for (int axis = 0; axis < (is_asked ? 1 : 3); ++axis) {
    const std::optional<double> offset = plane_of(skeleton, prepared.frame, partners, axis);
    if (!offset) return std::nullopt;
    BoneImages images =
        find_bone_images(skeleton, prepared.frame, partners, axis, *offset, options.joint_rel);
    if (images.count <= most ||
        (!is_asked && static_cast<double>(images.count) < options.least_bones * deforming))
      continue;
    most = images.count;
    best.emplace();
    best->axis = axis;
    best->offset = *offset;
    best->bone = std::move(images.of);
  }
  if (!best) return std::nullopt;
  find_vertex_images(prepared, options.vertex_rel, *best);
  if (options.least_share == 0) return best;
  if (best->vertices == 0 || (!is_asked && best->share < options.least_share)) return std::nullopt;
  return best;
}

}  // namespace sinew
