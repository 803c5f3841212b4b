// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimise/stretch_tables.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sinew/math/nearest_rotation.h"

namespace sinew {

StretchTables::StretchTables(const WeightProblem& problem, const std::vector<int>& cluster,
                             std::size_t cluster_count) {
  const std::vector<int> spine_of = spine_of_bones(problem);
  if (spine_of.empty()) return;
  const InfluenceMaps& maps = problem.maps;
  std::vector<std::vector<VertexIndex>> members(cluster_count);
  moments_.assign(cluster_count, Eigen::Matrix3d::Zero());
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    const auto c = static_cast<std::size_t>(cluster[i]);
    members[c].push_back(static_cast<VertexIndex>(i));
    for (std::size_t e = problem.graph.begin[i]; e < problem.graph.begin[i + 1]; ++e) {
      const Vec3 edge = problem.positions[problem.graph.neighbours[e]] - problem.positions[i];
      moments_[c] += problem.graph.edge_measure[e] * edge * edge.transpose();
    }
  }
  first_.push_back(0);
  for (const std::vector<VertexIndex>& of_cluster : members) {
    double total = 0;
    for (const VertexIndex i : of_cluster) total += problem.graph.vertex_measure[i];
    for (const VertexIndex i : of_cluster)
      for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
        if (spine_of[maps.bones[b]] < 0) continue;
        const auto s = static_cast<std::size_t>(spine_of[maps.bones[b]]);
        const SpineBone& spine = problem.spines[s].attached;
        // Vertices that only wires hold have no measure: there all count alike.
        const double share = total > 0 ? problem.graph.vertex_measure[i] / total
                                       : 1 / static_cast<double>(of_cluster.size());
        attached_.push_back({b, s, share,
                             problem.positions[i] - spine.rest.head -
                                 spine.parameters[i] * (spine.rest.tail - spine.rest.head),
                             spine.gradients[i]});
      }
    first_.push_back(attached_.size());
  }
}

/// The Jacobian of a spine is R_s R(u) (I + q ∇uᵀ) with q = θ a × (v − e0 − u d) + (σ − 1) d: the
/// rotations before it do not change lengths. So |Jϑ|² = 1 + m (2 qᵀϑ + |q|² m) with m = ∇uᵀϑ.
StretchTables::Fit StretchTables::fit(const WeightProblem& problem,
                                      const std::vector<double>& weights, std::size_t cluster,
                                      std::size_t exemplar,
                                      const Eigen::Matrix3d& covariance) const {
  Fit result{nearest_rotation(covariance), 0};
  bool has_axes = false;
  Eigen::Matrix3d axes;        // V
  Vec3 excess = Vec3::Zero();  // σ − 1
  for (std::size_t n = first_[cluster]; n < first_[cluster + 1]; ++n) {
    const Attached& attached = attached_[n];
    const ProblemSpine& spine = problem.spines[attached.spine];
    const SpineMotion& motion = spine.motions[exemplar];
    const double share = attached.share * weights[attached.weight];
    if (share == 0 || (motion.angle_rad == 0 && motion.stretch == 1)) continue;
    if (!has_axes) {
      // U diag(σ) Vᵀ is R V diag(σ) Vᵀ, whatever sign the smallest singular value has.
      const Eigen::Matrix3d stretch = result.transform.transpose() * covariance;
      axes = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>((stretch + stretch.transpose()) / 2)
                 .eigenvectors();
      has_axes = true;
    }
    const SpineRest& rest = spine.attached.rest;
    const Vec3 q = motion.angle_rad * motion.axis.cross(attached.offset) +
                   (motion.stretch - 1) * (rest.tail - rest.head);
    const Vec3 along = axes.transpose() * attached.gradient;  // m
    const Vec3 grown =
        along.cwiseProduct(2 * (axes.transpose() * q) + q.squaredNorm() * along);  // |Jϑ|² − 1
    for (Eigen::Index k = 0; k < 3; ++k)
      excess[k] += share * grown[k] / (1 + std::sqrt(std::max(0.0, 1 + grown[k])));
  }
  if (excess.isZero(0)) return result;
  const Vec3 sigma = excess.array() + 1;
  const Eigen::Matrix3d& moment = moments_[cluster];
  for (Eigen::Index k = 0; k < 3; ++k)
    result.energy += (sigma[k] * sigma[k] - 1) * axes.col(k).dot(moment * axes.col(k));
  result.transform *= axes * sigma.asDiagonal() * axes.transpose();
  return result;
}

}  // namespace sinew
