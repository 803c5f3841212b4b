// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/exemplars.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "core/parallel.h"
#include "math/affine.h"
#include "math/nearest_rotation.h"
#include "math/swing_twist.h"
#include "model/spine_rows.h"
#include "poses/turning_bones.h"
#include "rig/main_root.h"

namespace sinew {
namespace {

/// Turns a seed into that of a stream of its own: weights must not be judged on their exemplars.
constexpr std::uint64_t kExemplarStream = 0x6578656D706C6172;

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kHalfTurnDeg = 180;
/// Swings stray from a hinge by less than this, or by less than this part of the largest.
constexpr double kHingeStrayDeg = 5;
constexpr double kHingeStrayRel = 0.2;
/// Past this swing the twist is noise.
constexpr double kTwistUnknownDeg = 175;

/// A roll axis from bone space to model space; nothing for a bone that is scaled to nothing.
std::optional<Vec3> in_model_space(const std::optional<Vec3>& bone_axis, const Affine3& rest) {
  if (!bone_axis || !is_invertible(rest)) return std::nullopt;
  return (rest.linear() * *bone_axis).normalized();
}

struct Turns {
  std::vector<Vec3> swings_deg;
  std::vector<double> twists_deg;
};

/// What a bone does relative to its parent, over all poses.
Turns turns_seen(std::span<const SampledPose> poses, std::size_t bone, std::size_t parent,
                 const std::optional<SpineSegment>& parent_spine, const Vec3& axis) {
  Turns turns;
  for (const SampledPose& pose : poses) {
    const Affine3& own = pose.transforms[bone];
    const Affine3 carrier =
        parent_spine ? carried_by(parent_spine, pose.spines[parent]) : pose.transforms[parent];
    if (!is_invertible(own) || !is_invertible(carrier)) continue;
    const Quat turn(nearest_rotation(carrier.linear().inverse() * own.linear()));
    const SwingTwist parts = swing_twist(turn, axis);
    turns.swings_deg.push_back(kDegrees * parts.swing_rad);
    if (turns.swings_deg.back().norm() < kTwistUnknownDeg)
      turns.twists_deg.push_back(kDegrees * parts.twist_rad);
  }
  return turns;
}

Range range_of(std::span<const double> values) {
  if (values.empty()) return {};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, *most};
}

Range widened(const Range& seen, const ClipLimitsOptions& options) {
  const double width = seen.max - seen.min;
  const double more = std::max(options.widen_share * width / 2 + options.widen_deg,
                               (options.least_width_deg - width) / 2);
  return {std::max(seen.min - more, -kHalfTurnDeg), std::min(seen.max + more, kHalfTurnDeg)};
}

/// The axis that all swings are about, pointing so that the largest is positive.
std::optional<Vec3> hinge_of(std::span<const Vec3> swings_deg) {
  Eigen::Matrix3d scatter = Eigen::Matrix3d::Zero();
  Vec3 largest = Vec3::Zero();
  for (const Vec3& swing : swings_deg) {
    scatter += swing * swing.transpose();
    if (swing.squaredNorm() > largest.squaredNorm()) largest = swing;
  }
  if (largest.norm() < kHingeStrayDeg) return std::nullopt;
  Vec3 axis = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(scatter).eigenvectors().col(2);
  if (axis.dot(largest) < 0) axis = -axis;
  const double allowed = std::max(kHingeStrayDeg, kHingeStrayRel * largest.norm());
  for (const Vec3& swing : swings_deg)
    if ((swing - axis * axis.dot(swing)).norm() > allowed) return std::nullopt;
  return axis;
}

BoneLimits limits_of(const Turns& turns, const Bone& bone, const ClipLimitsOptions& options) {
  BoneLimits limits = bone.limits;
  limits.twist_deg = widened(range_of(turns.twists_deg), options);
  std::vector<double> rolls;
  const std::optional<Vec3> hinge =
      is_invertible(bone.rest) ? hinge_of(turns.swings_deg) : std::nullopt;
  for (const Vec3& swing : turns.swings_deg)
    rolls.push_back(hinge ? hinge->dot(swing) : swing.norm());
  if (hinge) {
    limits.roll_axis = (bone.rest.linear().inverse() * *hinge).normalized();
    limits.roll_deg = widened(range_of(rolls), options);
  } else {
    const double most = range_of(rolls).max;
    limits.roll_deg = widened({-most, most}, options);
  }
  return limits;
}

/// How far a spine bends and stretches over all poses; where nothing drives it, as far as it was.
void take_bend_limits(std::span<const SampledPose> poses, std::size_t bone, BoneKind kind,
                      const ClipLimitsOptions& options, BoneLimits& limits) {
  std::vector<double> bends_deg, stretches;
  for (const SampledPose& pose : poses) {
    bends_deg.push_back(kDegrees * pose.spines[bone].angle_rad);
    stretches.push_back(pose.spines[bone].stretch);
  }
  const Range bends = range_of(bends_deg);
  const double most = std::max(-bends.min, bends.max);
  // A spine's axis is random in exemplars: both ways are one.
  limits.bend_deg = widened(kind == BoneKind::stretch_twist ? bends : Range{-most, most}, options);
  limits.stretch = range_of(stretches);
}

/// Moves every pose so that its joints are on average where they are in the bind pose: the energy
/// does not see it, and sums over poses keep their digits.
void take_back(const Skeleton& skeleton, std::vector<Exemplar>& exemplars) {
  const std::vector<Bone>& bones = skeleton.bones();
  if (bones.empty()) return;
  for (Exemplar& exemplar : exemplars) {
    Vec3 travel = Vec3::Zero();
    for (std::size_t j = 0; j < bones.size(); ++j)
      travel += exemplar.transforms[j] * bones[j].head() - bones[j].head();
    travel /= static_cast<double>(bones.size());
    for (Affine3& transform : exemplar.transforms) transform.translation() -= travel;
    for (SpineMotion& spine : exemplar.spines) spine.base.translation() -= travel;
  }
}

}  // namespace

std::vector<Exemplar> sample_exemplars(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                       const EffectiveHierarchy& hierarchy,
                                       const ExemplarOptions& options) {
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  assert(options.limits.empty() || options.limits.size() == roles.size());
  const std::vector<Vec3> axes = bone_axes(skeleton, hierarchy, AxisFrom::tail_or_children);
  const int main_root = find_main_root(hierarchy.parent, roles);
  const Skeleton bending = with_rows_as_spines(skeleton);
  const std::vector<std::optional<SpineSegment>> segments =
      spine_segments(bending, hierarchy.parent);
  std::vector<BoneTurns> bones(skeleton.bone_count());
  for (std::size_t j = 0; j < bones.size(); ++j) {
    const Bone& bone = bending.bones()[j];
    const BoneLimits& limits = options.limits.empty() ? bone.limits : options.limits[j];
    bones[j].turns = roles[j].deforms && static_cast<int>(j) != main_root;
    bones[j].axis = axes[j];
    bones[j].roll_deg = limits.roll_deg;
    bones[j].twist_deg = limits.twist_deg;
    bones[j].roll_axis = in_model_space(limits.roll_axis, bone.rest);
    bones[j].row_u = row_place(skeleton, hierarchy, j);
    if (!roles[j].deforms || !segments[j]) continue;
    const SpineRest& rest = segments[j]->rest;
    bones[j].spine = segments[j];
    bones[j].bend_deg = limits.bend_deg;
    bones[j].stretch = limits.stretch;
    if (bone.kind == BoneKind::stretch_twist)
      bones[j].bend_axis = (rest.tail - rest.head).normalized();
  }
  const auto draw =
      options.draw == ExemplarOptions::Draw::balanced ? draw_balanced_poses : draw_poses;
  std::vector<Exemplar> exemplars =
      draw(skeleton, hierarchy, bones, options.count, Random(options.seed ^ kExemplarStream));
  // The solver knows the bones that rows stand for as rigid ones, and their joints as others.
  if (!has_spines(skeleton))
    for (Exemplar& exemplar : exemplars) exemplar.spines.clear();
  return exemplars;
}

std::vector<BoneLimits> limits_from_clips(const Character& character,
                                          const std::vector<BoneRole>& roles,
                                          const EffectiveHierarchy& hierarchy,
                                          const ClipLimitsOptions& options) {
  const Skeleton& skeleton = character.skeleton;
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  std::vector<BoneLimits> limits;
  for (const Bone& bone : skeleton.bones()) limits.push_back(bone.limits);
  std::vector<SampledPose> poses =
      clip_poses(character, options.frames_per_clip * static_cast<int>(character.clips.size()));
  if (poses.empty()) return limits;
  bend_spines(character, poses, hierarchy.parent);
  const std::vector<std::optional<SpineSegment>> segments =
      spine_segments(skeleton, hierarchy.parent);
  const std::vector<Vec3> axes = bone_axes(skeleton, hierarchy, AxisFrom::tail_or_children);
  parallel_for(
      limits.size(),
      [&](std::size_t j) {
        // In exemplars controls do not move by themselves: what they do here is their bones' doing.
        int above = hierarchy.parent[j];
        while (above >= 0 && !roles[static_cast<std::size_t>(above)].deforms)
          above = hierarchy.parent[static_cast<std::size_t>(above)];
        if (!roles[j].deforms || limits[j] != BoneLimits{}) return;
        const Bone& bone = skeleton.bones()[j];
        if (above >= 0) {
          const auto a = static_cast<std::size_t>(above);
          limits[j] = limits_of(turns_seen(poses, j, a, segments[a], axes[j]), bone, options);
        }
        if (segments[j] && segments[j]->child >= 0)
          take_bend_limits(poses, j, bone.kind, options, limits[j]);
      },
      1);
  return limits;
}

std::vector<Exemplar> clip_exemplars(const Character& character, std::span<const int> clips,
                                     int frames) {
  std::vector<Exemplar> exemplars = clip_poses(character, clips, frames);
  bend_spines(character, exemplars);
  take_back(character.skeleton, exemplars);
  return exemplars;
}

std::vector<Exemplar> pose_exemplars(const Skeleton& skeleton, std::span<const Pose> poses) {
  std::vector<Exemplar> exemplars;
  for (const Pose& pose : poses) {
    PosedBones posed = pose_bones(skeleton, pose);
    exemplars.push_back({std::move(posed.transforms), std::move(posed.spines)});
  }
  take_back(skeleton, exemplars);
  return exemplars;
}

}  // namespace sinew
