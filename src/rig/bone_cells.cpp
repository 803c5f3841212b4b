// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/bone_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/parallel.h"
#include "math/segment.h"
#include "rig/near_segments.h"

namespace sinew {
namespace {

/// Bones whose distances from a vertex differ by less than this share it: evenly when they are
/// equally near, and less and less up to the limit. Of the diagonal; above what the rounding of
/// float positions can do, below what parts one finger from the next.
constexpr double kSharedCellRel = 2.5e-3;

constexpr double kOnePlaceRel = 1e-6;  // of the diagonal

/// Two children at one place make one spoke, as do a breast and a neck that start together.
bool go_different_ways(std::span<const Segment> segments) {
  return std::ranges::any_of(segments, [&](const Segment& each) {
    return (each.tail - segments.front().tail).norm() > kOnePlaceRel;
  });
}

}  // namespace

BoneSegments::BoneSegments(const Skeleton& skeleton, const UnitFrame& frame)
    : begin_(skeleton.bone_count() + 1, 0),
      length_(skeleton.bone_count(), 0),
      is_fork_(skeleton.bone_count(), false) {
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone) {
    const auto index = static_cast<std::size_t>(bone);
    begin_[index] = segments_.size();
    if (!skeleton.bone(bone).deforms.value_or(true)) continue;
    for (Segment segment : skeleton.segments()) {
      if (segment.bone != bone) continue;
      segment.head = frame.from_model(segment.head);
      segment.tail = frame.from_model(segment.tail);
      length_[index] = std::max(length_[index], (segment.tail - segment.head).norm());
      segments_.push_back(segment);
    }
    is_fork_[index] = go_different_ways(std::span(segments_).subspan(begin_[index]));
    if (segments_.size() > begin_[index]) bones_.push_back(bone);
  }
  begin_.back() = segments_.size();
}

BoneSegments::Nearest BoneSegments::closest(const Vec3& point, int bone) const {
  std::vector<Nearest> nearest;
  closest_of_each(point, bone, nearest);
  return *std::min_element(nearest.begin(), nearest.end(), [](const Nearest& a, const Nearest& b) {
    return a.distance < b.distance;
  });
}

void BoneSegments::closest_of_each(const Vec3& point, int bone,
                                   std::vector<Nearest>& nearest) const {
  nearest.clear();
  const auto index = static_cast<std::size_t>(bone);
  for (std::size_t s = begin_[index]; s < begin_[index + 1]; ++s) {
    const Vec3& head = segments_[s].head;
    const Vec3& tail = segments_[s].tail;
    const double along = closest_on_segment(point, head, tail);
    const Vec3 candidate = head + along * (tail - head);
    nearest.push_back({(candidate - point).norm(), candidate, along});
  }
}

BoneCells find_bone_cells(const PreparedMesh& prepared, const BoneSegments& bones,
                          const CellOptions& options) {
  const std::vector<Vec3>& positions = prepared.mesh.positions();
  const std::size_t count = positions.size();
  BoneCells cells;
  cells.distance.resize(count);
  cells.nearest.resize(count);
  cells.visibility.resize(count);
  std::vector<std::vector<Influence>> shares(count);

  const NearSegments near(bones, options.fork_distance);

  parallel_for_chunks(count, kDefaultGrain / 4, [&](ChunkRange range) {
    NearSegments::Squares squares;
    std::vector<std::size_t> near_ones;  // in bones.bones(): those that may own or share a vertex
    std::vector<std::vector<BoneSegments::Nearest>> nearest(bones.bones().size());
    for (std::size_t v = range.begin; v != range.end; ++v) {
      near.find(positions[v], squares);
      double nearest2 = std::numeric_limits<double>::infinity();
      for (const double square : squares.of_bones) nearest2 = std::min(nearest2, square);
      const double most = std::sqrt(nearest2) + kSharedCellRel + NearSegments::kSlack;
      near_ones.clear();
      for (std::size_t b = 0; b < squares.of_bones.size(); ++b)
        if (squares.of_bones[b] <= most * most) near_ones.push_back(b);
      double least = std::numeric_limits<double>::infinity();
      for (const std::size_t b : near_ones) {
        bones.closest_of_each(positions[v], bones.bones()[b], nearest[b]);
        const double counts = bones.is_fork(bones.bones()[b]) ? options.fork_distance : 1;
        for (BoneSegments::Nearest& each : nearest[b]) {
          const double distance = each.distance;
          each.distance *= counts;
          if (each.distance >= least) continue;
          least = each.distance;
          cells.distance[v] = distance;
          cells.nearest[v] = bones.bones()[b];
        }
      }
      double all = 0;
      for (const std::size_t b : near_ones) {
        // A bone's own segments share as bones do, but for no more than the best of them.
        double largest = 0;
        double sum = 0;
        double seen = 0;
        for (const auto& [distance, point, along] : nearest[b]) {
          const double farther = (distance - least) / kSharedCellRel;
          if (farther >= 1) continue;
          const double share = (1 - farther) / (1 + farther);
          largest = std::max(largest, share);
          sum += share;
          seen += share * (options.sight == CellOptions::Sight::assumed
                               ? 1
                               : prepared.surface.visibility(static_cast<VertexIndex>(v), point));
        }
        if (largest <= 0) continue;
        shares[v].push_back({static_cast<std::uint32_t>(bones.bones()[b]), largest});
        cells.visibility[v] += largest * seen / sum;
        all += largest;
      }
      cells.visibility[v] /= all;
    }
  });

  cells.owners = SkinWeights::from_rows(bones.bone_count(), shares);
  return cells;
}

}  // namespace sinew
