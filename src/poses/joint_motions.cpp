// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/joint_motions.h"

#include <algorithm>
#include <cassert>

#include "model/forest.h"
#include "sinew/model/mesh.h"

namespace sinew {
namespace {

/// Of the skeleton's extent: ends of bones that are nearer to each other are one joint.
constexpr double kSamePlaceRel = 1e-6;

double same_place(const Skeleton& skeleton) {
  Box box;
  for (const Bone& bone : skeleton.bones()) box.extend(bone.head());
  return box.isEmpty() ? 0 : kSamePlaceRel * box.diagonal().norm();
}

SpineMotion motion_of(const SampledPose& exemplar, std::size_t bone) {
  SpineMotion motion;
  if (!exemplar.spines.empty()) motion = exemplar.spines[bone];
  motion.base = exemplar.transforms[bone];
  return motion;
}

/// What the children of a bone hang on, but for its translation.
Eigen::Matrix3d carrier_turn(const SkeletonJoints& skeleton, const SampledPose& exemplar,
                             std::size_t bone) {
  if (!skeleton.spines[bone]) return exemplar.transforms[bone].linear();
  const SpineMotion motion = motion_of(exemplar, bone);
  return motion.base.linear() * Eigen::AngleAxisd(motion.angle_rad, motion.axis).toRotationMatrix();
}

/// R_s A(u) and R_s B(u).
SpineTranslation turned_translation(const SampledPose& exemplar, std::size_t bone, double u) {
  const SpineMotion motion = motion_of(exemplar, bone);
  const SpineTranslation local = spine_translation(motion, u);
  return {motion.base.linear() * local.of_head, motion.base.linear() * local.of_tail};
}

/// The bone that deforms and is nearest above, or -1.
int deforming_above(const SkeletonJoints& skeleton, std::size_t bone) {
  int above = skeleton.parent[bone];
  while (above >= 0 && !skeleton.deforms[static_cast<std::size_t>(above)])
    above = skeleton.parent[static_cast<std::size_t>(above)];
  return above;
}

void find_bones_at_joints(const Skeleton& skeleton, double near, SkeletonJoints& result) {
  std::vector<bool> has_child(result.bone_count(), false);
  const auto add = [&](int joint, const Vec3& bone) {
    Joint& at = result.joints[static_cast<std::size_t>(joint)];
    at.shortest = at.bones.empty() ? bone.norm() : std::min(at.shortest, bone.norm());
    at.bones.push_back(bone);
  };
  for (std::size_t j = 0; j < result.bone_count(); ++j) {
    const int above = deforming_above(result, j);
    if (above < 0 || !result.deforms[j]) continue;
    has_child[static_cast<std::size_t>(above)] = true;
    const Vec3 bone = skeleton.bones()[j].head() - skeleton.bone(above).head();
    if (bone.norm() <= near) continue;
    add(result.joint[static_cast<std::size_t>(above)], bone);
    add(result.joint[j], bone);
  }
  for (std::size_t j = 0; j < result.bone_count(); ++j) {
    const Bone& bone = skeleton.bones()[j];
    if (has_child[j] || !result.deforms[j] || !bone.tail) continue;
    const Vec3 along = *bone.tail - bone.head();
    if (along.norm() > near) add(result.joint[j], along);
  }
}

}  // namespace

std::vector<Vec3> SkeletonJoints::per_bone(std::span<const Vec3> per_joint) const {
  std::vector<Vec3> result;
  for (const int index : joint) result.push_back(per_joint[static_cast<std::size_t>(index)]);
  return result;
}

SkeletonJoints find_joints(const Skeleton& skeleton, std::span<const int> hangs_on) {
  SkeletonJoints result;
  for (const Bone& bone : skeleton.bones()) {
    result.parent.push_back(bone.parent);
    result.deforms.push_back(bone.deforms.value_or(true));
  }
  if (!hangs_on.empty()) result.parent.assign(hangs_on.begin(), hangs_on.end());
  assert(result.parent.size() == skeleton.bone_count());
  // Neither a skeleton nor an effective hierarchy has cycles.
  result.order = *parents_first(result.parent, ErrorCode::bad_skin, "bones");
  result.spines = spine_segments(skeleton, result.parent);

  const double near = same_place(skeleton);
  const auto joint_at = [&](const Vec3& place) {
    const auto found = std::ranges::find_if(
        result.joints, [&](const Joint& joint) { return (joint.place - place).norm() <= near; });
    return found == result.joints.end() ? -1 : static_cast<int>(found - result.joints.begin());
  };
  for (std::size_t j = 0; j < result.bone_count(); ++j) {
    const Vec3 head = skeleton.bones()[j].head();
    int joint = joint_at(head);
    if (joint < 0) {
      joint = static_cast<int>(result.joints.size());
      result.joints.push_back({head, {}, 0, false});
    }
    result.joint.push_back(joint);
    if (result.deforms[j]) result.joints[static_cast<std::size_t>(joint)].deforms = true;
  }
  result.end.assign(result.bone_count(), -1);
  for (std::size_t j = 0; j < result.bone_count(); ++j) {
    if (!result.spines[j]) continue;
    for (std::size_t c = 0; c < result.bone_count(); ++c)
      if (result.parent[c] == static_cast<int>(j) &&
          (skeleton.bones()[c].head() - result.spines[j]->rest.tail).norm() <= near) {
        result.end[j] = result.joint[c];
        break;
      }
  }
  result.component.assign(result.bone_count(), -1);
  for (const int j : result.order) {
    const auto i = static_cast<std::size_t>(j);
    result.component[i] = result.parent[i] < 0
                              ? static_cast<int>(result.component_count++)
                              : result.component[static_cast<std::size_t>(result.parent[i])];
  }
  find_bones_at_joints(skeleton, near, result);
  return result;
}

SampledPose with_joints_moved(SampledPose exemplar, const SkeletonJoints& skeleton,
                              std::span<const Vec3> joints, std::span<const Vec3> components) {
  assert(joints.size() == skeleton.joints.size());
  std::vector<Vec3> shifts(skeleton.bone_count(), Vec3::Zero());   // of a bone
  std::vector<Vec3> carried(skeleton.bone_count(), Vec3::Zero());  // of what hangs on it
  for (const int j : skeleton.order) {
    const auto i = static_cast<std::size_t>(j);
    const Vec3& head = joints[static_cast<std::size_t>(skeleton.joint[i])];
    if (skeleton.parent[i] >= 0) {
      const auto p = static_cast<std::size_t>(skeleton.parent[i]);
      shifts[i] = carried[p] +
                  (carrier_turn(skeleton, exemplar, p) - exemplar.transforms[i].linear()) * head;
    } else if (!components.empty()) {
      shifts[i] = components[static_cast<std::size_t>(skeleton.component[i])];
    }
    carried[i] = shifts[i];
    if (!skeleton.spines[i]) continue;
    const SpineTranslation end = turned_translation(exemplar, i, 1);
    carried[i] += end.of_head * head;
    if (skeleton.end[i] >= 0)
      carried[i] += end.of_tail * joints[static_cast<std::size_t>(skeleton.end[i])];
  }
  for (std::size_t j = 0; j < shifts.size(); ++j) {
    exemplar.transforms[j].translation() += shifts[j];
    if (!exemplar.spines.empty()) exemplar.spines[j].base = exemplar.transforms[j];
  }
  return exemplar;
}

JointRelation relate_joints(const SkeletonJoints& skeleton, std::span<const SampledPose> exemplars,
                            std::span<const SpinePoint> points) {
  const std::size_t bones = skeleton.bone_count();
  std::vector<std::vector<int>> motions_at(bones);  // of a bone, and of the points on it
  for (std::size_t j = 0; j < bones; ++j) motions_at[j].push_back(static_cast<int>(j));
  for (std::size_t p = 0; p < points.size(); ++p)
    motions_at[static_cast<std::size_t>(points[p].bone)].push_back(static_cast<int>(bones + p));
  std::vector<std::vector<int>> below(bones);  // motions of all that hangs on a bone
  for (auto j = skeleton.order.rbegin(); j != skeleton.order.rend(); ++j) {
    const auto i = static_cast<std::size_t>(*j);
    std::ranges::sort(below[i]);
    if (skeleton.parent[i] < 0) continue;
    std::vector<int>& above = below[static_cast<std::size_t>(skeleton.parent[i])];
    above.insert(above.end(), below[i].begin(), below[i].end());
    above.insert(above.end(), motions_at[i].begin(), motions_at[i].end());
  }

  JointRelation relation;
  relation.component = skeleton.component;
  for (const SpinePoint& point : points)
    relation.component.push_back(skeleton.component[static_cast<std::size_t>(point.bone)]);
  const auto add = [&](int joint, std::vector<int> motions, const auto& factor) {
    if (joint < 0 || motions.empty()) return;
    JointEffect& effect = relation.effects.emplace_back();
    effect.joint = joint;
    effect.motions = std::move(motions);
    std::ranges::sort(effect.motions);
    for (const SampledPose& exemplar : exemplars) effect.factors.push_back(factor(exemplar));
  };
  const auto add_point = [&](std::size_t bone, double u, const std::vector<int>& motions) {
    add(skeleton.joint[bone], motions,
        [&](const SampledPose& exemplar) { return turned_translation(exemplar, bone, u).of_head; });
    add(skeleton.end[bone], motions,
        [&](const SampledPose& exemplar) { return turned_translation(exemplar, bone, u).of_tail; });
  };
  for (const int j : skeleton.order) {
    const auto i = static_cast<std::size_t>(j);
    if (skeleton.parent[i] >= 0) {
      std::vector<int> motions = below[i];
      motions.insert(motions.end(), motions_at[i].begin(), motions_at[i].end());
      const auto p = static_cast<std::size_t>(skeleton.parent[i]);
      add(skeleton.joint[i], std::move(motions), [&](const SampledPose& exemplar) {
        return Eigen::Matrix3d(carrier_turn(skeleton, exemplar, p) -
                               exemplar.transforms[i].linear());
      });
    }
    if (skeleton.spines[i]) add_point(i, 1, below[i]);
  }
  for (std::size_t p = 0; p < points.size(); ++p)
    add_point(static_cast<std::size_t>(points[p].bone), points[p].u, {static_cast<int>(bones + p)});
  return relation;
}

}  // namespace sinew
