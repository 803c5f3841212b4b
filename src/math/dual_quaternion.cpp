// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/dual_quaternion.h"

#include <Eigen/SVD>

namespace sinew {

RigidAndStretch split_stretch(const Affine3& map) {
  const Eigen::Matrix3d linear = map.linear();
  RigidAndStretch parts;
  parts.translation = map.translation();
  const Eigen::Matrix3d gram = linear.transpose() * linear;
  if ((gram - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kRigidTolerance &&
      linear.determinant() > 0) {
    parts.rotation = Quat(linear).normalized();
    return parts;
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d rotation = svd.matrixU() * svd.matrixV().transpose();
  Eigen::Matrix3d stretch =
      svd.matrixV() * svd.singularValues().asDiagonal() * svd.matrixV().transpose();
  if (rotation.determinant() < 0) {
    rotation = -rotation;
    stretch = -stretch;
  }
  parts.rotation = Quat(rotation).normalized();
  parts.stretch = stretch;
  parts.rigid = false;
  return parts;
}

DualQuat DualQuat::from_rigid(const Quat& rotation, const Vec3& translation) {
  DualQuat q;
  q.real = rotation;
  q.dual.coeffs() =
      0.5 * (Quat(0, translation.x(), translation.y(), translation.z()) * rotation).coeffs();
  return q;
}

}  // namespace sinew
