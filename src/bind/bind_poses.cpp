// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/bind_poses.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sinew/model/joint_displacements.h"

namespace sinew {

std::vector<Exemplar> draw_exemplars(const Character& character, const std::vector<BoneRole>& roles,
                                     const EffectiveHierarchy& hierarchy,
                                     const BindExemplars& options,
                                     std::span<const Vec3> displacements,
                                     ExemplarOptions::Draw draw) {
  ExemplarOptions random;
  random.draw = draw;
  random.count = options.count.value_or(BindExemplars::kUsual);
  random.seed = options.seed;
  if (options.limits == BindExemplars::Limits::clips)
    random.limits = limits_from_clips(character, roles, hierarchy);
  if (options.limits == BindExemplars::Limits::usual)
    for (const Bone& bone : character.skeleton.bones()) {
      BoneLimits& limits = random.limits.emplace_back(bone.limits);  // those of spines stay
      const BoneLimits usual;
      // A collar bone that turned like a thigh would move its joint for poses that nobody makes.
      const double own = std::max(std::abs(limits.roll_deg.min), std::abs(limits.roll_deg.max));
      const double most = std::min(own, usual.roll_deg.max);
      limits.roll_deg = {-most, most};
      limits.twist_deg = usual.twist_deg;
      limits.roll_axis = usual.roll_axis;
    }
  const Skeleton& given = character.skeleton;
  std::vector<Exemplar> exemplars =
      sample_exemplars(displacements.empty() ? given : with_joints_moved(given, displacements),
                       roles, hierarchy, random);
  std::vector<Exemplar> stated;
  if (!options.clips.empty())
    stated = clip_exemplars(character, options.clips, options.clip_frames);
  std::ranges::move(pose_exemplars(given, options.poses), std::back_inserter(stated));
  if (!displacements.empty() && !stated.empty()) {
    const SkeletonJoints joints = find_joints(with_roles(given, roles), hierarchy.parent);
    std::vector<Vec3> moved(joints.joints.size(), Vec3::Zero());
    for (std::size_t j = 0; j < displacements.size(); ++j)
      moved[static_cast<std::size_t>(joints.joint[j])] = displacements[j];
    for (Exemplar& exemplar : stated)
      exemplar = with_joints_moved(std::move(exemplar), joints, moved);
  }
  std::ranges::move(stated, std::back_inserter(exemplars));
  return exemplars;
}

DrawnPoses draw_planned(const Character& character, const PreparedBind& prepared,
                        const BindExemplars& options, const BindPlan& plan) {
  const bool is_rounded =
      plan.rounding->format != WeightFormat::f32 && !prepared.spines.bending.has_value();
  const int wanted = plan.poses->random;
  BindExemplars drawing = options;
  drawing.count = is_rounded ? std::max(wanted, plan.rounding->random_poses) : wanted;
  DrawnPoses drawn;
  drawn.to_solve = draw_exemplars(prepared.bending(character), prepared.roles, prepared.hierarchy,
                                  drawing, prepared.displacements);
  const auto without_last = [&](std::vector<Exemplar> poses, int random) {
    poses.erase(poses.begin() + random, poses.begin() + *drawing.count);
    return poses;
  };
  if (is_rounded) drawn.to_round = without_last(drawn.to_solve, plan.rounding->random_poses);
  drawn.to_solve = without_last(std::move(drawn.to_solve), wanted);
  return drawn;
}

std::vector<std::vector<Affine3>> poses_in_frame(std::span<const Exemplar> exemplars,
                                                 const UnitFrame& frame) {
  std::vector<std::vector<Affine3>> poses;
  for (const Exemplar& exemplar : exemplars) {
    std::vector<Affine3>& bones = poses.emplace_back();
    for (const Affine3& transform : exemplar.transforms)
      bones.push_back(frame.motion_from_model(transform));
  }
  return poses;
}

SkeletonJoints joints_of(const Character& character, const PreparedBind& prepared) {
  Skeleton skeleton = with_roles(prepared.bending(character).skeleton, prepared.roles);
  if (!prepared.displacements.empty())
    skeleton = with_joints_moved(skeleton, prepared.displacements);
  return find_joints(skeleton, prepared.hierarchy.parent);
}

}  // namespace sinew
