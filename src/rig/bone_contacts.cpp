// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/bone_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "volume/piece_windings.h"

namespace sinew {
namespace {

using BonePair = std::array<int, 2>;  // ascending

BonePair pair_of(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// The first vertex of each bone that has any in a cell, and how many there are.
struct SkinOfBone {
  int bone = -1;
  VertexIndex vertex = 0;
  std::size_t count = 0;
};
using SkinInCell = std::vector<SkinOfBone>;

class ContactFinder {
 public:
  ContactFinder(const VoxelGrid& grid, const PreparedMesh& prepared, const Skeleton& skeleton,
                const BoneSegments& bones, std::span<const int> nearest,
                const BoneContactOptions& options)
      : grid_(grid),
        prepared_(prepared),
        skeleton_(skeleton),
        bones_(bones),
        far_(options.far_cells * grid.elements.cell_size),
        skin_(grid.elements.size()) {
    for (std::size_t v = 0; v < nearest.size(); ++v) {
      if (nearest[v] < 0) continue;
      SkinInCell& skin = skin_[grid.embedding.element[v]];
      const auto found = std::ranges::find(skin, nearest[v], &SkinOfBone::bone);
      if (found == skin.end())
        skin.push_back({nearest[v], static_cast<VertexIndex>(v), 1});
      else
        ++found->count;
    }
  }

  std::vector<BoneContact> find() {
    count_kept_apart();
    count_merged();
    std::vector<BoneContact> contacts;
    for (const auto& [pair, contact] : found_) contacts.push_back(contact);
    std::ranges::stable_sort(contacts, [](const BoneContact& a, const BoneContact& b) {
      return a.kept_apart + a.merged > b.kept_apart + b.merged;
    });
    return contacts;
  }

 private:
  BoneContact& contact_of(const BonePair& pair) {
    BoneContact& contact = found_[pair];
    contact.bone = pair[0];
    contact.other = pair[1];
    return contact;
  }

  void count_kept_apart() {
    for (std::size_t begin = 0, end = 0; begin < grid_.place.size(); begin = end) {
      while (end < grid_.place.size() && grid_.place[end] == grid_.place[begin]) ++end;
      if (end - begin < 2) continue;
      std::vector<int> bones;
      for (std::size_t cell = begin; cell < end; ++cell) bones.push_back(bone_of(cell));
      std::set<BonePair> here;
      for (std::size_t a = 0; a < bones.size(); ++a)
        for (std::size_t b = a + 1; b < bones.size(); ++b) here.insert(pair_of(bones[a], bones[b]));
      for (const BonePair& pair : here) ++contact_of(pair).kept_apart;
    }
  }

  void count_merged() {
    for (const SkinInCell& skin : skin_)
      for (std::size_t a = 0; a < skin.size(); ++a)
        for (std::size_t b = a + 1; b < skin.size(); ++b)
          if (are_far(skin[a], skin[b])) ++contact_of(pair_of(skin[a].bone, skin[b].bone)).merged;
  }

  /// That is nearest to most of the skin in a cell, or else to what fills it.
  [[nodiscard]] int bone_of(std::size_t cell) const {
    const SkinInCell& skin = skin_[cell];
    if (!skin.empty())
      return std::ranges::max_element(
                 skin, {}, [](const SkinOfBone& each) { return std::pair(each.count, -each.bone); })
          ->bone;
    const Vec3 middle = middle_of(cell);
    return *std::ranges::min_element(
        bones_.bones(), {}, [&](int bone) { return bones_.closest(middle, bone).distance; });
  }

  [[nodiscard]] Vec3 middle_of(std::size_t cell) const {
    Vec3 sum = Vec3::Zero();
    double count = 0;
    for (std::size_t piece = 0; piece < kPiecesPerCell; ++piece)
      if ((grid_.filled[cell] >> piece & 1) != 0) {
        sum += centre_of_piece(piece);
        ++count;
      }
    const Vec3 within = count > 0 ? Vec3(sum / count) : Vec3::Constant(0.5);
    const auto [x, y, z] = grid_.place[cell];
    return grid_.origin + grid_.elements.cell_size * (Vec3(x, y, z) + within);
  }

  [[nodiscard]] bool are_far(const SkinOfBone& a, const SkinOfBone& b) const {
    const double flesh = nearest_on_bone(a).distance + nearest_on_bone(b).distance;
    return along_bones(a, b) > far_ + flesh && !is_near_over_surface(a.vertex, b.vertex);
  }

  [[nodiscard]] BoneSegments::Nearest nearest_on_bone(const SkinOfBone& skin) const {
    return bones_.closest(prepared_.mesh.positions()[skin.vertex], skin.bone);
  }

  [[nodiscard]] Vec3 head_of(int bone) const {
    return prepared_.frame.from_model(skeleton_.bone(bone).head());
  }

  /// From the root down to the bone.
  [[nodiscard]] std::vector<int> line_to(int bone) const {
    std::vector<int> line;
    for (; bone >= 0; bone = skeleton_.bone(bone).parent) line.push_back(bone);
    std::ranges::reverse(line);
    return line;
  }

  /// Between the points of two bones that are nearest to their skin; straight across the bone that
  /// both hang on, and between roots.
  [[nodiscard]] double along_bones(const SkinOfBone& a, const SkinOfBone& b) const {
    const std::vector<int> line_a = line_to(a.bone), line_b = line_to(b.bone);
    std::size_t shared = 0;
    while (shared < std::min(line_a.size(), line_b.size()) && line_a[shared] == line_b[shared])
      ++shared;
    double length = 0;
    const auto end_of = [&](const SkinOfBone& skin, const std::vector<int>& line) {
      Vec3 at = nearest_on_bone(skin).point;
      for (std::size_t bone = line.size(); bone-- > shared;) {
        const Vec3 head = head_of(line[bone]);
        length += (head - at).norm();
        at = head;
      }
      return at;
    };
    const Vec3 from = end_of(a, line_a);
    const Vec3 to = end_of(b, line_b);
    return length + (to - from).norm();
  }

  /// Whether edges lead from one to the other by a way that is not far.
  [[nodiscard]] bool is_near_over_surface(VertexIndex from, VertexIndex to) const {
    const std::vector<Vec3>& positions = prepared_.mesh.positions();
    std::map<VertexIndex, double> way_to{{from, 0}};
    std::set<std::pair<double, VertexIndex>> open{{0, from}};  // the least way first
    while (!open.empty()) {
      const auto [way, vertex] = *open.begin();
      open.erase(open.begin());
      if (vertex == to) return true;
      for (const VertexIndex next : prepared_.graph.neighbours_of(vertex)) {
        const double longer = way + (positions[next] - positions[vertex]).norm();
        if (longer > far_) continue;
        const auto [known, is_new] = way_to.try_emplace(next, longer);
        if (!is_new && known->second <= longer) continue;
        open.erase({known->second, next});
        known->second = longer;
        open.insert({longer, next});
      }
    }
    return false;
  }

  const VoxelGrid& grid_;
  const PreparedMesh& prepared_;
  const Skeleton& skeleton_;
  const BoneSegments& bones_;
  double far_;
  std::vector<SkinInCell> skin_;  // of each cell
  std::map<BonePair, BoneContact> found_;
};

}  // namespace

std::vector<BoneContact> find_bone_contacts(const VoxelGrid& grid, const PreparedMesh& prepared,
                                            const Skeleton& skeleton, const BoneSegments& bones,
                                            std::span<const int> nearest,
                                            const BoneContactOptions& options) {
  if (bones.bones().empty()) return {};
  return ContactFinder(grid, prepared, skeleton, bones, nearest, options).find();
}

}  // namespace sinew
