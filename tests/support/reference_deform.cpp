// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/reference_deform.h"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace sinew::test {
namespace {

Eigen::Matrix3d reference_normal_matrix(const Eigen::Matrix3d& linear) {
  const Eigen::Matrix3d inverse_transpose = linear.inverse().transpose();
  return inverse_transpose * (std::sqrt(3.0) / inverse_transpose.norm());
}

// Quaternions as x y z w, with the products written out.
using Quaternion = Eigen::Vector4d;
Quaternion multiply(const Quaternion& a, const Quaternion& b) {
  Quaternion product;
  product.head<3>() =
      a.w() * b.head<3>() + b.w() * a.head<3>() + Vec3(a.head<3>()).cross(Vec3(b.head<3>()));
  product.w() = a.w() * b.w() - a.head<3>().dot(b.head<3>());
  return product;
}
Quaternion conjugate(const Quaternion& q) { return {-q.x(), -q.y(), -q.z(), q.w()}; }
Quaternion pure(const Vec3& v) { return {v.x(), v.y(), v.z(), 0}; }

struct Split {
  Eigen::Matrix3d stretch;
  Quaternion real, dual;
};

// A = R S by the square root of AᵀA, in place of the library's singular value decomposition.
Split split(const Affine3& bone) {
  Eigen::Matrix3d linear = bone.linear();
  const double sign = linear.determinant() < 0 ? -1 : 1;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(linear.transpose() * linear);
  Split parts;
  parts.stretch = sign * eigen.operatorSqrt();
  const Quat rotation(Eigen::Matrix3d(linear * parts.stretch.inverse()));
  parts.real = rotation.coeffs().normalized();
  parts.dual = 0.5 * multiply(pure(bone.translation()), parts.real);
  return parts;
}

}  // namespace

ReferenceDeform reference_linear_blend(const SkinWeights& weights, std::span<const Affine3> bones,
                                       std::span<const Vec3> positions,
                                       std::span<const Vec3> normals) {
  ReferenceDeform result;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    Vec3 position = Vec3::Zero();
    for (const Influence& influence : weights.row(v))
      position += influence.weight * (bones[influence.bone] * positions[v]);
    result.positions.push_back(weights.row(v).empty() ? positions[v] : position);
    if (normals.empty()) continue;
    Vec3 normal = Vec3::Zero();
    for (const Influence& influence : weights.row(v))
      normal +=
          influence.weight * (reference_normal_matrix(bones[influence.bone].linear()) * normals[v]);
    result.normals.push_back(weights.row(v).empty() ? normals[v] : normal.normalized());
  }
  return result;
}

ReferenceDeform reference_dual_quaternion_blend(const SkinWeights& weights,
                                                std::span<const Affine3> bones,
                                                std::span<const Vec3> positions,
                                                std::span<const Vec3> normals) {
  std::vector<Split> splits;
  for (const Affine3& bone : bones) splits.push_back(split(bone));
  ReferenceDeform result;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const auto row = weights.row(v);
    if (row.empty()) {
      result.positions.push_back(positions[v]);
      if (!normals.empty()) result.normals.push_back(normals[v]);
      continue;
    }
    const Influence* strongest = &row[0];
    for (const Influence& influence : row)
      if (influence.weight > strongest->weight) strongest = &influence;

    Vec3 position = Vec3::Zero(), normal = Vec3::Zero();
    Quaternion real = Quaternion::Zero(), dual = Quaternion::Zero();
    for (const Influence& influence : row) {
      const Split& bone = splits[influence.bone];
      position += influence.weight * (bone.stretch * positions[v]);
      if (!normals.empty())
        normal += influence.weight * (reference_normal_matrix(bone.stretch) * normals[v]);
      const double sign = bone.real.dot(splits[strongest->bone].real) < 0 ? -1 : 1;
      real += sign * influence.weight * bone.real;
      dual += sign * influence.weight * bone.dual;
    }
    const double length = real.norm();
    real /= length;
    dual /= length;
    const Vec3 translation = 2 * multiply(dual, conjugate(real)).head<3>();
    const auto turned = [&](const Vec3& p) {
      return Vec3(multiply(multiply(real, pure(p)), conjugate(real)).head<3>());
    };
    result.positions.push_back(turned(position) + translation);
    if (!normals.empty()) result.normals.push_back(turned(normal).normalized());
  }
  return result;
}

}  // namespace sinew::test
