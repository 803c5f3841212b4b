// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/dual_quaternion_blend.h"

#include <cassert>

#include "deform/kernels.h"
#include "math/dual_quaternion.h"

namespace sinew {
namespace {

BoneDualQuaternion to_floats(const DualQuat& motion) {
  BoneDualQuaternion floats;
  for (int k = 0; k < 4; ++k) {
    floats.real[k] = static_cast<float>(motion.real.coeffs()[k]);
    floats.dual[k] = static_cast<float>(motion.dual.coeffs()[k]);
  }
  return floats;
}

}  // namespace

void BoneDualQuaternions::set(std::span<const Affine3> bones) {
  motions_.clear();
  stretch_maps_.clear();
  has_stretch_ = false;
  for (const Affine3& bone : bones) {
    const RigidAndStretch parts = split_stretch(bone);
    motions_.push_back(to_floats(DualQuat::from_rigid(parts.rotation, parts.translation)));
    Affine3 stretch = Affine3::Identity();
    stretch.linear() = parts.stretch;
    stretch_maps_.push_back(stretch);
    has_stretch_ = has_stretch_ || !parts.rigid;
  }
  motions_.push_back(to_floats(DualQuat{}));
  if (has_stretch_) stretches_.set(stretch_maps_);
}

void dual_quaternion_blend(const PackedInfluences& influences, const BoneDualQuaternions& bones,
                           const DeformSpans& spans, const DeformOptions& options) {
  assert(bones.bone_count() == influences.bone_count());
  if (influences.vertex_count() == 0) return;
  deform_kernels::Job job;
  job.influences = &influences;
  job.motions = bones.motions().data();
  if (bones.has_stretch()) {
    job.matrices = bones.stretches().matrices().data();
    if (!bones.stretches().normal_matrices().empty())
      job.normal_matrices = bones.stretches().normal_matrices().data();
  }
  deform_kernels::run(deform_kernels::select(options.kernel).dual_quaternion, job, spans, options);
}

}  // namespace sinew
