// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/bone_anchors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/parallel.h"
#include "geometry/patches.h"
#include "rig/near_segments.h"

namespace sinew {
namespace {

/// Bones whose patches one thread finds with the same marks: marks are as many as vertices.
constexpr std::size_t kBonesAtATime = 16;
/// Beyond the last vertex that counts, so that it counts for something.
constexpr double kReachFactor = 1.2;
constexpr double kLeastReach = 0.01;  // of the bone's length

/// A vertex that is nearest to a bone.
struct Candidate {
  VertexIndex vertex = 0;
  double off_middle = 0;  // from the bone's middle, of its length: 0 to a half
  double doubt = 0;       // the distance from the bone over that from the next one
};

/// Bones up to so many times as far as the nearest one are about as near, for a vertex that sees
/// them and not the nearest.
constexpr double kAboutAsNear = 1.5;
constexpr double kSeen = 0.75;
/// A bone keeps what it is hidden from where that is more than this part of what it is nearest to.
constexpr double kMostHidden = 0.4;

constexpr double kGivenOffMiddle = 0.5;  // of a vertex that is nearer to another bone

/// A spine is many small bones, each with a middle of its own: skin follows it all along, but for
/// this part of its length at either end, where joints have to bend.
constexpr double kSpineEnd = 0.1;

/// How far from its middle a place on a bone is, of its length; on a spine, from the nearest end of
/// all that leads, in the same measure: a half at its ends.
double off_middle_of(double along, BoneKind kind) {
  const double from_centre = std::abs(along - 0.5);
  if (kind != BoneKind::spine) return from_centre;
  return 0.5 * std::max(0.0, from_centre - (0.5 - kSpineEnd)) / kSpineEnd;
}

/// What each vertex is nearest to.
struct NearestBone {
  int bone = -1;
  double distance = std::numeric_limits<double>::infinity();
  double off_middle = 0;
  double next_distance = std::numeric_limits<double>::infinity();  // of the next bone
  Vec3 place = Vec3::Zero();                                       // on it
  bool is_hidden = false;  // from the vertex, which sees another bone about as near

  [[nodiscard]] double doubt() const { return next_distance > 0 ? distance / next_distance : 1; }
};

/// The nearest place of one bone; a fork's spokes count as farther.
NearestBone nearest_place(const BoneSegments& bones, const Skeleton& skeleton, int bone,
                          const Vec3& point, double fork_distance,
                          std::vector<BoneSegments::Nearest>& scratch) {
  NearestBone nearest;
  nearest.bone = bone;
  bones.closest_of_each(point, bone, scratch);
  for (const BoneSegments::Nearest& each : scratch) {
    const double distance = each.distance * (bones.is_fork(bone) ? fork_distance : 1);
    if (distance >= nearest.distance) continue;
    nearest.distance = distance;
    nearest.off_middle = off_middle_of(each.along, skeleton.bone(bone).kind);
    nearest.place = each.point;
  }
  return nearest;
}

/// Whether a vertex does not see the nearest of these places, but another one about as near: the
/// side of a chest is nearest to the arm, through the air.
bool is_hidden(const SurfaceQueries& surface, VertexIndex v, const NearestBone& nearest,
               std::span<const NearestBone> places) {
  const auto sees = [&](const NearestBone& bone) {
    return surface.visibility(v, bone.place) > kSeen;
  };
  if (nearest.bone < 0 || sees(nearest)) return false;
  return std::ranges::any_of(places, [&](const NearestBone& other) {
    return other.bone != nearest.bone && other.distance <= kAboutAsNear * nearest.distance &&
           sees(other);
  });
}

/// The square of the distance up to which bones count: the two nearest, and all about as near.
/// Infinite squares are of bones that do not.
double largest_square_that_counts(std::span<const double> squares) {
  double least = std::numeric_limits<double>::infinity();
  double second = least;
  for (const double square : squares) {
    second = std::min(second, std::max(least, square));
    least = std::min(least, square);
  }
  const double farthest = std::max(kAboutAsNear * std::sqrt(least), std::sqrt(second));
  return std::min(std::numeric_limits<double>::max(), std::pow(farthest + NearSegments::kSlack, 2));
}

/// The nearest of all bones; where parts are said to serve some, of these, on these parts alone,
/// beside what is known of the others.
void find_nearest(const PreparedMesh& prepared, const Skeleton& skeleton, const BoneSegments& bones,
                  const std::vector<bool>& is_free, std::span<const int> rigid_parts,
                  double fork_distance, const std::map<int, std::set<int>>& served,
                  std::vector<NearestBone>& nearest) {
  const NearSegments near(bones, fork_distance);
  parallel_for_chunks(nearest.size(), kDefaultGrain / 4, [&](ChunkRange range) {
    NearSegments::Squares squares;
    std::vector<BoneSegments::Nearest> scratch;
    std::vector<NearestBone> places;
    for (std::size_t v = range.begin; v != range.end; ++v) {
      if (!(prepared.graph.vertex_measure[v] > 0)) continue;
      const int part = prepared.parts.of_vertex[v];
      const int held = part >= 0 && part < std::ssize(rigid_parts)
                           ? rigid_parts[static_cast<std::size_t>(part)]
                           : -1;
      if (held >= 0)
        nearest[v] = nearest_place(bones, skeleton, held, prepared.mesh.positions()[v],
                                   fork_distance, scratch);
      if (held >= 0 || !is_free[v]) continue;
      const auto of_part = served.find(part);
      if (!served.empty() && of_part == served.end()) continue;
      nearest[v] = {};
      near.find(prepared.mesh.positions()[v], squares);
      if (of_part != served.end())
        for (std::size_t b = 0; b < squares.of_bones.size(); ++b)
          if (!of_part->second.contains(bones.bones()[b]))
            squares.of_bones[b] = std::numeric_limits<double>::infinity();
      const double largest = largest_square_that_counts(squares.of_bones);
      places.clear();
      for (std::size_t b = 0; b < squares.of_bones.size(); ++b) {
        if (!(squares.of_bones[b] <= largest)) continue;
        const int bone = bones.bones()[b];
        const NearestBone place = nearest_place(bones, skeleton, bone, prepared.mesh.positions()[v],
                                                fork_distance, scratch);
        const double next =
            std::min(std::max(place.distance, nearest[v].distance), nearest[v].next_distance);
        if (place.distance < nearest[v].distance) nearest[v] = place;
        nearest[v].next_distance = next;
        places.push_back(place);
      }
      nearest[v].is_hidden =
          is_hidden(prepared.surface, static_cast<VertexIndex>(v), nearest[v], places);
    }
  });
}

/// The bones that each part serves, for parts that a bone of another one only passes by: its parent
/// and children are not among those that the part is nearest to, but are with the other.
std::map<int, std::set<int>> find_served(const PreparedMesh& prepared, const Skeleton& skeleton,
                                         const BoneSegments& bones,
                                         const std::vector<NearestBone>& nearest) {
  std::map<int, std::set<int>> near;  // of each part
  for (std::size_t v = 0; v < nearest.size(); ++v)
    if (nearest[v].bone >= 0) near[prepared.parts.of_vertex[v]].insert(nearest[v].bone);
  const auto hangs_on = [&](int bone) {
    do bone = skeleton.bone(bone).parent;
    while (bone >= 0 && !std::ranges::binary_search(bones.bones(), bone));
    return bone;
  };
  const auto has_kin = [&](const std::set<int>& of_part, int bone) {
    const int parent = hangs_on(bone);
    return std::ranges::any_of(of_part, [&](int other) {
      return other == parent || hangs_on(other) == bone ||
             (other != bone && parent >= 0 && hangs_on(other) == parent);
    });
  };
  std::map<int, std::set<int>> served;
  for (const auto& [part, of_part] : near) {
    std::set<int> staying = of_part;
    std::erase_if(staying, [&](int bone) {
      if (has_kin(of_part, bone)) return false;
      return std::ranges::any_of(near, [&](const auto& other) {
        return other.first != part && other.second.contains(bone) && has_kin(other.second, bone);
      });
    });
    if (staying.size() < of_part.size() && !staying.empty()) served[part] = std::move(staying);
  }
  return served;
}

/// Of a bone's candidates on each part, those of the patch with the largest measure.
std::vector<Candidate> largest_patches(const PreparedMesh& prepared, PatchFinder& finder,
                                       const std::vector<Candidate>& candidates) {
  std::vector<VertexIndex> members;
  for (const Candidate& each : candidates) members.push_back(each.vertex);
  struct Largest {
    double measure = 0;
    std::vector<VertexIndex> vertices;
  };
  std::map<int, Largest> largest;  // of each part
  for (std::vector<VertexIndex>& patch : finder.find(members)) {
    double measure = 0;
    for (const VertexIndex v : patch) measure += prepared.graph.vertex_measure[v];
    const auto [entry, is_new] =
        largest.try_emplace(prepared.parts.of_vertex[patch.front()], Largest{});
    if (is_new || measure > entry->second.measure) entry->second = {measure, std::move(patch)};
  }
  for (auto& [part, kept] : largest) std::ranges::sort(kept.vertices);
  std::vector<Candidate> kept;
  for (const Candidate& each : candidates)
    if (std::ranges::binary_search(largest.at(prepared.parts.of_vertex[each.vertex]).vertices,
                                   each.vertex))
      kept.push_back(each);
  return kept;
}

/// Takes from a bone what is nearest to it but does not see it. A few vertices say little, as on
/// coarse meshes, and a bone that is hidden from most of its skin lies beside it.
void drop_hidden(const PreparedMesh& prepared, const std::vector<NearestBone>& nearest,
                 const AnchorOptions& options, std::vector<Candidate>& candidates) {
  double all = 0;
  double hidden = 0;
  std::size_t count = 0;
  for (const Candidate& each : candidates) {
    const double measure = prepared.graph.vertex_measure[each.vertex];
    all += measure;
    if (!nearest[each.vertex].is_hidden) continue;
    hidden += measure;
    ++count;
  }
  if (count >= options.least_vertices && hidden <= kMostHidden * all)
    std::erase_if(candidates,
                  [&](const Candidate& each) { return nearest[each.vertex].is_hidden; });
}

/// How far from the middle anchors reach, of the bone's length. `candidates` ascend by it.
double reach_of(const PreparedMesh& prepared, const std::vector<Candidate>& candidates,
                const AnchorOptions& options) {
  double all = 0;
  for (const Candidate& each : candidates) all += prepared.graph.vertex_measure[each.vertex];
  double sum = 0;
  for (const Candidate& each : candidates) {
    sum += prepared.graph.vertex_measure[each.vertex];
    if (sum >= options.least_share * all)
      return std::max(options.middle / 2, kReachFactor * each.off_middle + kLeastReach);
  }
  return options.middle / 2;
}

/// Whether no bone that leads vertices hangs on it.
bool is_leaf(const Skeleton& skeleton, const BoneSegments& bones, int bone) {
  return std::ranges::none_of(skeleton.children(bone), [&](int child) {
    return std::ranges::binary_search(bones.bones(), child);
  });
}

/// Gives each bone with few candidates those for which it is nearly the nearest, nearest first.
void give_to_those_with_few(const PreparedMesh& prepared, const Skeleton& skeleton,
                            const BoneSegments& bones, const std::vector<bool>& is_free,
                            const std::vector<NearestBone>& nearest,
                            const std::map<int, std::set<int>>& served,
                            const AnchorOptions& options,
                            std::vector<std::vector<Candidate>>& candidates) {
  struct Claim {
    double distance = 0;  // of that to the nearest bone
    VertexIndex vertex = 0;
    std::size_t bone = 0;
  };
  std::vector<std::vector<Claim>> of_bones(bones.bones().size());
  parallel_for(
      of_bones.size(),
      [&](std::size_t b) {
        const int bone = bones.bones()[b];
        if (candidates[static_cast<std::size_t>(bone)].size() >= options.least_vertices) return;
        std::vector<BoneSegments::Nearest> scratch;
        for (std::size_t v = 0; v < nearest.size(); ++v) {
          if (nearest[v].bone < 0 || nearest[v].bone == bone || !is_free[v]) continue;
          const auto of_part = served.find(prepared.parts.of_vertex[v]);
          if (of_part != served.end() && !of_part->second.contains(bone)) continue;  // it passes by
          const double distance = nearest_place(bones, skeleton, bone, prepared.mesh.positions()[v],
                                                options.fork_distance, scratch)
                                      .distance;
          if (distance <= options.nearly_nearest * nearest[v].distance)
            of_bones[b].push_back({nearest[v].distance > 0 ? distance / nearest[v].distance : 1,
                                   static_cast<VertexIndex>(v), static_cast<std::size_t>(bone)});
        }
      },
      1);
  std::vector<Claim> claims;
  for (const std::vector<Claim>& of_bone : of_bones)
    claims.insert(claims.end(), of_bone.begin(), of_bone.end());
  std::ranges::stable_sort(claims, {}, &Claim::distance);
  std::vector<bool> is_given(nearest.size(), false);
  for (const Claim& claim : claims) {
    std::vector<Candidate>& owner =
        candidates[static_cast<std::size_t>(nearest[claim.vertex].bone)];
    if (is_given[claim.vertex] || candidates[claim.bone].size() >= options.least_vertices) continue;
    std::erase_if(owner, [&](const Candidate& each) { return each.vertex == claim.vertex; });
    candidates[claim.bone].push_back({claim.vertex, kGivenOffMiddle});
    is_given[claim.vertex] = true;
  }
}

/// The anchors of a bone among its candidates, which it sorts.
std::vector<Anchor> anchors_among(const PreparedMesh& prepared, const std::vector<bool>& is_free,
                                  std::uint32_t bone, double least_sure,
                                  const AnchorOptions& options,
                                  std::vector<Candidate>& candidates) {
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.off_middle < b.off_middle; });
  const double reach = reach_of(prepared, candidates, options);
  std::vector<Anchor> anchors;
  for (const Candidate& each : candidates) {
    if (each.off_middle >= reach || !is_free[each.vertex]) continue;
    const double share = (reach - each.off_middle) / (reach - candidates.front().off_middle);
    const bool is_middle = each.off_middle <= options.middle / 2;
    const double sure = is_middle ? 1 : std::max(1 - each.doubt, least_sure);
    anchors.push_back({each.vertex, bone, share * sure});
  }
  return anchors;
}

}  // namespace

BoneAnchors find_bone_anchors(const PreparedMesh& prepared, const Skeleton& skeleton,
                              const BoneSegments& bones, const std::vector<bool>& is_free,
                              std::span<const int> rigid_parts, const AnchorOptions& options) {
  std::vector<NearestBone> nearest(prepared.mesh.vertex_count());
  find_nearest(prepared, skeleton, bones, is_free, rigid_parts, options.fork_distance, {}, nearest);
  BoneAnchors found;
  found.served = find_served(prepared, skeleton, bones, nearest);
  if (!found.served.empty())
    find_nearest(prepared, skeleton, bones, is_free, rigid_parts, options.fork_distance,
                 found.served, nearest);
  std::vector<std::vector<Candidate>> candidates(bones.bone_count());
  for (std::size_t v = 0; v < nearest.size(); ++v)
    if (nearest[v].bone >= 0)
      candidates[static_cast<std::size_t>(nearest[v].bone)].push_back(
          {static_cast<VertexIndex>(v), nearest[v].off_middle, nearest[v].doubt()});
  parallel_for_chunks(candidates.size(), kBonesAtATime, [&](ChunkRange range) {
    PatchFinder finder(prepared.graph);
    for (std::size_t bone = range.begin; bone != range.end; ++bone) {
      std::vector<Candidate>& of_bone = candidates[bone];
      drop_hidden(prepared, nearest, options, of_bone);
      std::vector<Candidate> largest = largest_patches(prepared, finder, of_bone);
      if (largest.size() >= options.least_vertices) of_bone = std::move(largest);
    }
  });

  give_to_those_with_few(prepared, skeleton, bones, is_free, nearest, found.served, options,
                         candidates);

  std::vector<std::vector<Anchor>> anchors(candidates.size());
  parallel_for(
      candidates.size(),
      [&](std::size_t bone) {
        const double least_sure = is_leaf(skeleton, bones, static_cast<int>(bone))
                                      ? options.least_sure_leaf
                                      : options.least_sure;
        anchors[bone] = anchors_among(prepared, is_free, static_cast<std::uint32_t>(bone),
                                      least_sure, options, candidates[bone]);
      },
      1);
  for (const std::vector<Anchor>& of_bone : anchors)
    found.anchors.insert(found.anchors.end(), of_bone.begin(), of_bone.end());
  return found;
}

}  // namespace sinew
