// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/stretch_tables.h"

#include <cmath>

#include <Eigen/Geometry>

#include "math/nearest_rotation.h"

namespace sinew {
namespace {

/// √(JᵀJ) for J = I + q gᵀ, which leaves n = g × q as it is. In the plane across n, the root of a
/// 2×2 matrix C is (C + √det C) / √(tr C + 2 √det C); tr C is at least 1, as across g nothing
/// shrinks.
Eigen::Matrix3d right_stretch(const Vec3& q, const Vec3& g) {
  const double along = g.dot(q);
  const double root_det = std::abs(1 + along);
  const double size = std::sqrt(2 + 2 * along + q.squaredNorm() * g.squaredNorm() + 2 * root_det);
  Eigen::Matrix3d root =
      g * q.transpose() + q * g.transpose() + q.squaredNorm() * g * g.transpose();
  root.diagonal().array() += 1 + root_det;
  root /= size;
  const Vec3 normal = g.cross(q);
  const double length2 = normal.squaredNorm();
  if (length2 > 0) root += (1 - (1 + root_det) / size) / length2 * normal * normal.transpose();
  return root;
}

}  // namespace

StretchTables::StretchTables(const WeightProblem& problem, const std::vector<int>& cluster,
                             std::size_t cluster_count) {
  const std::vector<int> spine_of = spine_of_bones(problem);
  if (spine_of.empty()) return;
  const InfluenceMaps& maps = problem.maps;
  std::vector<std::vector<VertexIndex>> members(cluster_count);
  moments_.assign(cluster_count, Eigen::Matrix3d::Zero());
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    if (cluster[i] < 0) continue;  // does not turn
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

/// The Jacobian of a spine is R_s R(u) (I + q ∇uᵀ) with q = θ a × (v − e0 − u d) + (σ − 1) d, and
/// the rotations before it stretch nothing.
StretchTables::Fit StretchTables::fit(const WeightProblem& problem,
                                      const std::vector<double>& weights, std::size_t cluster,
                                      std::size_t exemplar,
                                      const Eigen::Matrix3d& covariance) const {
  Eigen::Matrix3d stretch = Eigen::Matrix3d::Identity();
  bool is_rigid = true;
  for (std::size_t n = first_[cluster]; n < first_[cluster + 1]; ++n) {
    const Attached& attached = attached_[n];
    const ProblemSpine& spine = problem.spines[attached.spine];
    const SpineMotion& motion = spine.motions[exemplar];
    const double share = attached.share * weights[attached.weight];
    if (share == 0 || (motion.angle_rad == 0 && motion.stretch == 1)) continue;
    const SpineRest& rest = spine.attached.rest;
    const Vec3 q = motion.angle_rad * motion.axis.cross(attached.offset) +
                   (motion.stretch - 1) * (rest.tail - rest.head);
    stretch += share * (right_stretch(q, attached.gradient) - Eigen::Matrix3d::Identity());
    is_rigid = false;
  }
  if (is_rigid) return {nearest_rotation(covariance), 0};
  const Eigen::Matrix3d rotation = nearest_rotation(covariance * stretch);
  return {rotation * stretch,
          (stretch * stretch - Eigen::Matrix3d::Identity()).cwiseProduct(moments_[cluster]).sum()};
}

}  // namespace sinew
