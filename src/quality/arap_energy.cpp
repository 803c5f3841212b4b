// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "quality/arap_energy.h"

#include "core/parallel.h"
#include "math/nearest_rotation.h"

namespace sinew {

void blend_positions(std::span<const Vec3> rest, const SkinWeights& weights,
                     std::span<const Affine3> transforms, std::span<Vec3> deformed) {
  parallel_for(rest.size(), [&](std::size_t v) {
    Vec3 sum = Vec3::Zero();
    for (const auto& [bone, weight] : weights.row(v)) sum += weight * (transforms[bone] * rest[v]);
    deformed[v] = sum;
  });
}

std::vector<double> rest_energy(const MeshGraph& graph, std::span<const Vec3> rest) {
  std::vector<double> energy(rest.size(), 0);
  parallel_for(rest.size(), [&](std::size_t i) {
    const std::span<const VertexIndex> neighbours = graph.neighbours_of(i);
    const std::span<const double> measures = graph.edge_measures_of(i);
    for (std::size_t n = 0; n < neighbours.size(); ++n)
      energy[i] += measures[n] * (rest[neighbours[n]] - rest[i]).squaredNorm();
  });
  return energy;
}

void arap_energy(const MeshGraph& graph, std::span<const Vec3> rest, std::span<const Vec3> deformed,
                 std::span<double> energy, std::span<const unsigned char> is_rigid) {
  parallel_for(rest.size(), [&](std::size_t i) {
    const std::span<const VertexIndex> neighbours = graph.neighbours_of(i);
    const std::span<const double> measures = graph.edge_measures_of(i);
    energy[i] = 0;
    if (neighbours.empty() || (!is_rigid.empty() && is_rigid[i] != 0)) return;
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const VertexIndex k = neighbours[n];
      covariance.noalias() +=
          (measures[n] * (deformed[k] - deformed[i])) * (rest[k] - rest[i]).transpose();
    }
    const Eigen::Matrix3d rotation = nearest_rotation(covariance);
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const VertexIndex k = neighbours[n];
      energy[i] +=
          measures[n] * (deformed[k] - deformed[i] - rotation * (rest[k] - rest[i])).squaredNorm();
    }
  });
}

}  // namespace sinew
