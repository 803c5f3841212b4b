// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/model/driven_spines.h"
#include "sinew/model/skeleton.h"
#include "sinew/poses/sampled_pose.h"

namespace sinew {

/// A point where bones meet: the head of one or several.
struct Joint {
  Vec3 place = Vec3::Zero();  // the bind pose
  std::vector<Vec3> bones;    // those that deform and end or start here, from end to end
  double shortest = 0;        // of these; 0 without any
  bool deforms = false;       // a bone that deforms starts here
};

/// How a skeleton hangs together. Lengths are in its own space, whichever.
struct SkeletonJoints {
  std::vector<int> parent;     // per bone: what it hangs on; -1 for a root
  std::vector<int> order;      // every bone once, parents before children
  std::vector<int> joint;      // per bone: where its head is
  std::vector<int> end;        // per bone: of a spine, the joint at its far end; -1 where none is
  std::vector<int> component;  // per bone: what hangs together has the same
  std::vector<bool> deforms;   // per bone
  std::vector<std::optional<SpineSegment>> spines;  // per bone
  std::vector<Joint> joints;
  std::size_t component_count = 0;

  [[nodiscard]] std::size_t bone_count() const { return parent.size(); }
  /// What belongs to joints, one per bone.
  [[nodiscard]] std::vector<Vec3> per_bone(std::span<const Vec3> per_joint) const;
};

/// Bones that start at one place share a joint. A spine ends at the joint of a child that starts
/// where it ends. `hangs_on` as in model/driven_spines.h; a bone deforms unless it says otherwise.
[[nodiscard]] SkeletonJoints find_joints(const Skeleton& skeleton,
                                         std::span<const int> hangs_on = {});

/// The exemplar with joints displaced and all rotations, bends and stretches as they were:
/// translations change so that what was connected stays so ([araplbs] Eq. 10), and what was not, as
/// in a clip that moves joints apart, is as far apart as before. The paper solves equations for
/// this; here they are followed from the roots on. `joints` has one displacement per joint;
/// `components`, one for the root of each component, may be left empty: then roots keep their
/// translation.
[[nodiscard]] SampledPose with_joints_moved(SampledPose exemplar, const SkeletonJoints& skeleton,
                                            std::span<const Vec3> joints,
                                            std::span<const Vec3> components = {});

/// One way in which joints move what they carry: when the joint moves by δ, then in exemplar x all
/// of `motions` move by factors[x] δ.
struct JointEffect {
  int joint = -1;
  std::vector<int> motions;              // ascending
  std::vector<Eigen::Matrix3d> factors;  // per exemplar
};

/// [araplbs] Eq. 12 for many exemplars at once: δT = Σ effects + δC of the component. A motion is
/// a bone, or a point of a spine.
struct JointRelation {
  std::vector<JointEffect> effects;
  std::vector<int> component;  // per motion
};

/// A point of a spine as a motion of its own, which comes after those of the bones.
struct SpinePoint {
  int bone = -1;
  double u = 0;
};

/// What moving joints does to exemplars. Effects without any motion are left out, and so are
/// those of roots: only their components move them.
[[nodiscard]] JointRelation relate_joints(const SkeletonJoints& skeleton,
                                          std::span<const SampledPose> exemplars,
                                          std::span<const SpinePoint> points = {});

}  // namespace sinew
