// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "exemplars/turning_bones.h"

#include <algorithm>
#include <cassert>
#include <numbers>

#include "model/forest.h"

namespace sinew {
namespace {

/// Of the skeleton's extent: children whose directions cancel out to less give a bone no axis.
constexpr double kNoAxisRel = 1e-9;

/// Sets the stream of bends apart from that of turns.
constexpr std::uint64_t kBendStream = 0x62656E6473;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

std::vector<int> order_of(const EffectiveHierarchy& hierarchy) {
  // An effective hierarchy has no cycles.
  return *parents_first(hierarchy.parent, ErrorCode::bad_skin, "bones");
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

/// A random direction, evenly over the sphere.
Vec3 any_direction(Random& random) {
  while (true) {
    const double x = random.normal(), y = random.normal(), z = random.normal();
    const Vec3 any(x, y, z);
    if (any.squaredNorm() > 0) return any.normalized();
  }
}

SpineMotion draw_bend(const BoneTurns& bone, Random& random) {
  SpineMotion motion;
  const Vec3 any = any_direction(random);
  motion.axis = bone.bend_axis.value_or(any);
  motion.angle_rad = radians(random.uniform(bone.bend_deg.min, bone.bend_deg.max));
  motion.stretch = random.uniform(bone.stretch.min, bone.stretch.max);
  return bone.spine ? motion : SpineMotion{};
}

}  // namespace

std::vector<Vec3> bone_axes(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                            AxisFrom from) {
  const std::vector<int>& parent = hierarchy.parent;
  assert(parent.size() == skeleton.bone_count());
  Box box;
  for (const Bone& bone : skeleton.bones()) box.extend(bone.head());
  const double no_axis = box.isEmpty() ? 0 : kNoAxisRel * box.diagonal().norm();
  std::vector<Vec3> axes(skeleton.bone_count(), Vec3::Zero());
  for (std::size_t c = 0; c < parent.size(); ++c)
    if (parent[c] >= 0 && !skeleton.bones()[c].part_of)
      axes[static_cast<std::size_t>(parent[c])] +=
          skeleton.bones()[c].head() - skeleton.bone(parent[c]).head();
  if (from == AxisFrom::tail_or_children) {
    for (std::size_t j = 0; j < axes.size(); ++j)
      if (const Bone& bone = skeleton.bones()[j];
          bone.tail && (*bone.tail - bone.head()).norm() > no_axis)
        axes[j] = *bone.tail - bone.head();
  }
  for (const int j : order_of(hierarchy)) {
    const auto i = static_cast<std::size_t>(j);
    if (axes[i].norm() > no_axis)
      axes[i].normalize();
    else
      axes[i] = parent[i] < 0 ? Vec3::UnitY() : axes[static_cast<std::size_t>(parent[i])];
  }
  return axes;
}

std::optional<double> row_place(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                                std::size_t bone) {
  const Bone& joint = skeleton.bones()[bone];
  if (!joint.part_of || joint.parent < 0 || hierarchy.parent[bone] != joint.parent)
    return std::nullopt;
  return joint.part_of->u;
}

std::vector<SampledPose> draw_poses(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                                    std::span<const BoneTurns> bones, int count, Random random) {
  const std::vector<int>& parent = hierarchy.parent;
  assert(parent.size() == skeleton.bone_count() && bones.size() == parent.size());
  const std::vector<int> order = order_of(hierarchy);
  const bool any_bends =
      std::ranges::any_of(bones, [](const BoneTurns& bone) { return bone.spine.has_value(); });
  Random copy = random;
  Random bends(copy.next() ^ kBendStream);
  std::vector<SampledPose> poses;
  for (int p = 0; p < count; ++p) {
    SampledPose pose;
    pose.transforms.assign(skeleton.bone_count(), Affine3::Identity());
    std::vector<SpineMotion> motions(skeleton.bone_count());
    for (const int j : order) {
      const auto i = static_cast<std::size_t>(j);
      const BoneTurns& bone = bones[i];
      if (bone.row_u) {
        const auto above = static_cast<std::size_t>(parent[i]);
        pose.transforms[i] = bones[above].spine ? spine_transform(bones[above].spine->rest,
                                                                  motions[above], *bone.row_u)
                                                : pose.transforms[above];
        motions[i].base = pose.transforms[i];
        continue;
      }
      const Vec3 across = orthogonal_direction(random, bone.axis);
      const double roll_deg = random.uniform(bone.roll_deg.min, bone.roll_deg.max);
      const double twist_deg = random.uniform(bone.twist_deg.min, bone.twist_deg.max);
      if (any_bends) motions[i] = draw_bend(bone, bends);
      if (parent[i] >= 0) {
        const auto above = static_cast<std::size_t>(parent[i]);
        pose.transforms[i] = carried_by(bones[above].spine, motions[above]);
      }
      if (bone.turns) {
        const Vec3 head = skeleton.bone(j).head();
        Affine3 turn;
        turn.linear() =
            (Eigen::AngleAxisd(radians(roll_deg), bone.roll_axis ? *bone.roll_axis : across) *
             Eigen::AngleAxisd(radians(twist_deg), bone.axis))
                .toRotationMatrix();
        turn.translation() = head - turn.linear() * head;
        pose.transforms[i] = pose.transforms[i] * turn;
      }
      motions[i].base = pose.transforms[i];
    }
    if (any_bends) pose.spines = std::move(motions);
    poses.push_back(std::move(pose));
  }
  return poses;
}

}  // namespace sinew
