// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// The segments of each bone, virtual ones included ([araplbs] section 3.1, figure 4b), in the unit
/// frame. Bones that do not deform have none.
class BoneSegments {
 public:
  BoneSegments(const Skeleton& skeleton, const UnitFrame& frame);

  struct Nearest {
    double distance = 0;
    Vec3 point = Vec3::Zero();
    double along = 0;  // from the segment's head, 0, to its tail, 1
  };
  /// The closest point of a bone's segments; the bone must have some.
  [[nodiscard]] Nearest closest(const Vec3& point, int bone) const;

  /// The closest point of each of its segments, in their order.
  void closest_of_each(const Vec3& point, int bone, std::vector<Nearest>& nearest) const;

  [[nodiscard]] const std::vector<int>& bones() const { return bones_; }  // with segments
  [[nodiscard]] std::span<const Segment> of(int bone) const {
    const auto index = static_cast<std::size_t>(bone);
    return std::span(segments_).subspan(begin_[index], begin_[index + 1] - begin_[index]);
  }
  [[nodiscard]] double length(int bone) const { return length_[static_cast<std::size_t>(bone)]; }
  [[nodiscard]] std::size_t bone_count() const { return length_.size(); }
  /// Whether it has segments that go different ways: spokes to its children.
  [[nodiscard]] bool is_fork(int bone) const { return is_fork_[static_cast<std::size_t>(bone)]; }

 private:
  std::vector<Segment> segments_;   // grouped by bone
  std::vector<std::size_t> begin_;  // bones + 1
  std::vector<int> bones_;
  std::vector<double> length_;  // of the longest segment
  std::vector<bool> is_fork_;
};

/// Which bone each vertex is nearest to, and whether it sees it.
struct BoneCells {
  SkinWeights owners;  // χ: the nearest bone of every vertex; about equally near ones share it
  std::vector<double> distance;    // to the nearest bone, unit frame
  std::vector<int> nearest;        // the nearest bone, the first of equals
  std::vector<double> visibility;  // the share of its owners that it sees: nothing hides them
};

struct CellOptions {
  double fork_distance = 1;  // how many times as far the spokes of a fork count: they join bones
                             // rather than lie in flesh, and take the skin of those beside them
  enum class Sight {
    rays,     // what is between a vertex and its bone hides it
    assumed,  // every vertex counts as seeing its bone
  };
  Sight sight = Sight::rays;
};

/// Needs at least one bone with segments. Cost: O(vertices × segments), and a ray for each
/// segment that shares a vertex.
[[nodiscard]] BoneCells find_bone_cells(const PreparedMesh& prepared, const BoneSegments& bones,
                                        const CellOptions& options = {});

}  // namespace sinew
