// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/distance.h"

#include <algorithm>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr double kOnePlaceRel = 1e-6;  // of the diagonal; heads nearer than that are one joint
constexpr std::size_t kAttachedAtJoint = 3;    // bones: those that meet there
constexpr std::size_t kAttachedElsewhere = 2;  // bones: its own and the next

/// Each bone, its parent, its children, and the siblings that start at the same joint, of those
/// that have segments.
std::vector<std::vector<int>> bones_that_meet(const Skeleton& skeleton, const BoneSegments& bones,
                                              double one_place) {
  std::vector<std::vector<int>> meeting(skeleton.bone_count());
  std::vector<bool> has_segments(skeleton.bone_count(), false);
  for (const int bone : bones.bones()) has_segments[static_cast<std::size_t>(bone)] = true;
  for (const int bone : bones.bones()) {
    std::vector<int>& list = meeting[static_cast<std::size_t>(bone)];
    list.push_back(bone);
    const auto add = [&](int other) {
      if (other != bone && has_segments[static_cast<std::size_t>(other)]) list.push_back(other);
    };
    const int parent = skeleton.bone(bone).parent;
    if (parent >= 0) {
      add(parent);
      for (const int sibling : skeleton.children(parent))
        if ((skeleton.bone(sibling).head() - skeleton.bone(bone).head()).norm() <= one_place)
          add(sibling);
    }
    for (const int child : skeleton.children(bone)) add(child);
  }
  return meeting;
}

struct JointRegion {
  Vec3 joint = Vec3::Zero();  // unit frame
  double radius = 0;
};

/// The regions around both ends of each bone.
std::vector<std::vector<JointRegion>> joint_regions(const Skeleton& skeleton,
                                                    const BoneSegments& bones,
                                                    const UnitFrame& frame, double radius_rel) {
  std::vector<std::vector<JointRegion>> regions(skeleton.bone_count());
  for (const int bone : bones.bones()) {
    const int parent = skeleton.bone(bone).parent;
    if (parent < 0) continue;
    const double shorter = std::min(bones.length(bone), bones.length(parent));
    const JointRegion region{frame.from_model(skeleton.bone(bone).head()), radius_rel * shorter};
    regions[static_cast<std::size_t>(bone)].push_back(region);
    regions[static_cast<std::size_t>(parent)].push_back(region);
  }
  return regions;
}

}  // namespace

SkinWeights distance_weights(const PreparedMesh& prepared, const Skeleton& skeleton,
                             const BoneSegments& bones, const BoneCells& cells,
                             const DistanceOptions& options) {
  const std::vector<Vec3>& positions = prepared.mesh.positions();
  const auto meeting = bones_that_meet(skeleton, bones, kOnePlaceRel * prepared.frame.diagonal);
  const auto regions = joint_regions(skeleton, bones, prepared.frame, options.joint_region_rel);

  std::vector<std::vector<Influence>> rows(positions.size());
  parallel_for(positions.size(), [&](std::size_t v) {
    const auto nearest = static_cast<std::size_t>(cells.nearest[v]);
    const bool is_at_joint = std::any_of(
        regions[nearest].begin(), regions[nearest].end(),
        [&](const JointRegion& r) { return (positions[v] - r.joint).norm() < r.radius; });
    std::vector<std::pair<double, int>> attached;  // distance, bone
    for (const int bone : meeting[nearest]) {
      const double distance = bones.closest(positions[v], bone).distance;
      attached.emplace_back(std::max(distance, options.least_distance_rel), bone);
    }
    std::sort(attached.begin(), attached.end());
    attached.resize(std::min(attached.size(), is_at_joint ? kAttachedAtJoint : kAttachedElsewhere));
    for (const auto& [distance, bone] : attached) {
      const double relative = attached.front().first / distance;  // the scale cancels in Eq. 2
      const double squared = relative * relative;
      rows[v].push_back({static_cast<std::uint32_t>(bone), squared * squared});
    }
  });

  return SkinWeights::from_rows(skeleton.bone_count(), rows);
}

}  // namespace sinew
