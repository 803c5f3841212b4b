// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/deform/linear_blend.h"

#include <cassert>
#include <cmath>

#include "deform/kernels.h"

namespace sinew {
namespace {

// A normal matrix this close to A, in any entry, may be replaced by it: what float matrices from
// files leave of a rotation. It turns a normal by less than a thousandth of a degree.
constexpr double kSameMatrixTolerance = 1e-5;

BoneMatrix to_bone_matrix(const Eigen::Matrix3d& linear, const Vec3& translation) {
  BoneMatrix matrix{};
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) matrix.columns[c][r] = static_cast<float>(linear(r, c));
  for (int r = 0; r < 3; ++r) matrix.columns[3][r] = static_cast<float>(translation[r]);
  return matrix;
}

// A⁻ᵀ up to a positive factor, chosen so that a rotation with a uniform stretch gives the rotation.
Eigen::Matrix3d normal_matrix(const Eigen::Matrix3d& linear) {
  Eigen::Matrix3d cofactors;
  cofactors.col(0) = linear.col(1).cross(linear.col(2));
  cofactors.col(1) = linear.col(2).cross(linear.col(0));
  cofactors.col(2) = linear.col(0).cross(linear.col(1));
  const double norm = cofactors.norm();
  const double sign = linear.col(0).dot(cofactors.col(0)) < 0 ? -1 : 1;
  return norm > 0 ? Eigen::Matrix3d(cofactors * (sign * std::sqrt(3.0) / norm)) : cofactors;
}

}  // namespace

void BoneMatrices::set(std::span<const Affine3> bones) {
  matrices_.clear();
  normal_matrices_.clear();
  double worst_difference = 0;
  for (const Affine3& bone : bones) {
    const Eigen::Matrix3d linear = bone.linear();
    const Eigen::Matrix3d normal = normal_matrix(linear);
    matrices_.push_back(to_bone_matrix(linear, bone.translation()));
    normal_matrices_.push_back(to_bone_matrix(normal, Vec3::Zero()));
    worst_difference = std::max(worst_difference, (normal - linear).cwiseAbs().maxCoeff());
  }
  const BoneMatrix identity = to_bone_matrix(Eigen::Matrix3d::Identity(), Vec3::Zero());
  matrices_.push_back(identity);
  normal_matrices_.push_back(identity);
  if (worst_difference <= kSameMatrixTolerance) normal_matrices_.clear();
}

void linear_blend(const PackedInfluences& influences, const BoneMatrices& bones,
                  const DeformSpans& spans, const DeformOptions& options) {
  assert(bones.bone_count() == influences.bone_count());
  if (influences.vertex_count() == 0) return;
  deform_kernels::Job job;
  job.influences = &influences;
  job.matrices = bones.matrices().data();
  if (!bones.normal_matrices().empty()) job.normal_matrices = bones.normal_matrices().data();
  deform_kernels::run(deform_kernels::select(options.kernel).linear, job, spans, options);
}

}  // namespace sinew
