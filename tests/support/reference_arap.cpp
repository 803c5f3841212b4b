// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/reference_arap.h"

#include <algorithm>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace sinew::test {
namespace {

bool has_corner(const Triangle& triangle, std::size_t vertex) {
  return std::find(triangle.begin(), triangle.end(), vertex) != triangle.end();
}

double area_at_edge(const Mesh& mesh, std::size_t i, std::size_t k) {
  double area = 0;
  for (const Triangle& t : mesh.triangles()) {
    if (!has_corner(t, i) || !has_corner(t, k)) continue;
    const Vec3 a = mesh.positions()[t[1]] - mesh.positions()[t[0]];
    const Vec3 b = mesh.positions()[t[2]] - mesh.positions()[t[0]];
    area += a.cross(b).norm() / 2;
  }
  return area;
}

}  // namespace

std::vector<Vec3> reference_blend(const Mesh& mesh, const SkinWeights& weights,
                                  std::span<const Affine3> transforms) {
  std::vector<Vec3> blended;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    Vec3 sum = Vec3::Zero();
    for (const Influence& influence : weights.row(v))
      sum += influence.weight * (transforms[influence.bone] * mesh.positions()[v]);
    blended.push_back(sum);
  }
  return blended;
}

double reference_arap(const Mesh& mesh, const SkinWeights& weights,
                      std::span<const Affine3> transforms) {
  const std::vector<Vec3> deformed = reference_blend(mesh, weights, transforms);
  const std::vector<Vec3>& rest = mesh.positions();
  double energy = 0, normaliser = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (std::size_t k = 0; k < rest.size(); ++k)
      if (k != i)
        covariance += area_at_edge(mesh, i, k) * (deformed[k] - deformed[i]) *
                      (rest[k] - rest[i]).transpose();
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance,
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d flip = Eigen::Matrix3d::Identity();
    flip(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant();
    const Eigen::Matrix3d rotation = svd.matrixU() * flip * svd.matrixV().transpose();
    for (std::size_t k = 0; k < rest.size(); ++k) {
      if (k == i) continue;
      const double area = area_at_edge(mesh, i, k);
      energy += area * (deformed[k] - deformed[i] - rotation * (rest[k] - rest[i])).squaredNorm();
      normaliser += area * (rest[k] - rest[i]).squaredNorm();
    }
  }
  return energy / normaliser;
}

}  // namespace sinew::test
