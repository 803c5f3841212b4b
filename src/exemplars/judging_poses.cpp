// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/exemplars/judging_poses.h"

#include <cassert>
#include <numbers>

#include "model/forest.h"
#include "sinew/core/parallel.h"
#include "sinew/math/random.h"
#include "sinew/model/clip_frames.h"

namespace sinew {
namespace {

/// Of the skeleton's extent: children whose directions cancel out to less give a bone no axis.
constexpr double kNoAxisRel = 1e-9;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Where each bone points: to its children on the whole, else as its parent does, else up.
std::vector<Vec3> bone_axes(const Skeleton& skeleton, const std::vector<int>& parent,
                            const std::vector<int>& order) {
  Box box;
  for (const Bone& bone : skeleton.bones()) box.extend(bone.head());
  const double no_axis = box.isEmpty() ? 0 : kNoAxisRel * box.diagonal().norm();
  std::vector<Vec3> axes(skeleton.bone_count(), Vec3::Zero());
  for (std::size_t c = 0; c < parent.size(); ++c)
    if (parent[c] >= 0)
      axes[static_cast<std::size_t>(parent[c])] +=
          skeleton.bones()[c].head() - skeleton.bone(parent[c]).head();
  for (const int j : order) {
    const auto i = static_cast<std::size_t>(j);
    if (axes[i].norm() > no_axis)
      axes[i].normalize();
    else
      axes[i] = parent[i] < 0 ? Vec3::UnitY() : axes[static_cast<std::size_t>(parent[i])];
  }
  return axes;
}

/// A random direction, evenly over the circle around the axis.
Vec3 orthogonal_direction(Random& random, const Vec3& axis) {
  while (true) {
    const double x = random.normal(), y = random.normal(), z = random.normal();
    const Vec3 any(x, y, z);
    const Vec3 across = any - axis * axis.dot(any);
    if (across.squaredNorm() > 0) return across.normalized();
  }
}

}  // namespace

std::vector<JudgingPose> random_poses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                      const EffectiveHierarchy& hierarchy,
                                      const RandomPoseOptions& options) {
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  const std::vector<int>& parent = hierarchy.parent;
  const std::vector<int> order =
      *parents_first(parent, ErrorCode::bad_skin, "bones");  // an effective hierarchy has no cycles
  const std::vector<Vec3> axes = bone_axes(skeleton, parent, order);
  Random random(options.seed);
  std::vector<JudgingPose> poses;
  for (int p = 0; p < options.count; ++p) {
    JudgingPose pose;
    pose.transforms.assign(skeleton.bone_count(), Affine3::Identity());
    for (const int j : order) {
      const auto i = static_cast<std::size_t>(j);
      // Bones that stay still draw their numbers too: others turn alike whoever deforms.
      const Vec3 roll_axis = orthogonal_direction(random, axes[i]);
      const double roll_deg = random.uniform(-options.roll_max_deg, options.roll_max_deg);
      const double twist_deg = random.uniform(-options.twist_max_deg, options.twist_max_deg);
      if (parent[i] < 0) continue;
      const Affine3& carrier = pose.transforms[static_cast<std::size_t>(parent[i])];
      if (!roles[i].deforms) {
        pose.transforms[i] = carrier;
        continue;
      }
      const Vec3 head = skeleton.bone(j).head();
      Affine3 turn;
      turn.linear() = (Eigen::AngleAxisd(radians(roll_deg), roll_axis) *
                       Eigen::AngleAxisd(radians(twist_deg), axes[i]))
                          .toRotationMatrix();
      turn.translation() = head - turn.linear() * head;
      pose.transforms[i] = carrier * turn;
    }
    poses.push_back(std::move(pose));
  }
  return poses;
}

std::vector<JudgingPose> clip_poses(const Character& character, int frames) {
  const std::vector<ClipFrame> moments = spread_clip_frames(character.clips, frames);
  std::vector<JudgingPose> poses(moments.size());
  parallel_for(
      moments.size(),
      [&](std::size_t f) {
        const Clip& clip = character.clips[static_cast<std::size_t>(moments[f].clip)];
        poses[f].transforms =
            character.skinning_transforms(sample_clip(character.nodes, clip, moments[f].time_s));
        poses[f].clip = moments[f].clip;
        poses[f].time_s = moments[f].time_s;
      },
      1);
  return poses;
}

}  // namespace sinew
