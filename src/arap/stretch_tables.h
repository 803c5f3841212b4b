// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <Eigen/Core>

#include "sinew/arap/weight_problem.h"

namespace sinew {

/// What a cluster is fitted by where bones stretch: as rigid as desired, after [araplbs] sections
/// 4.1 and 5. A bone with Jacobian J stretches the surroundings of a vertex by √(JᵀJ), a rigid one
/// by nothing. The stretch of a cluster is the mean of that over its vertices and their bones,
///   S = Σ_{i∈c} Σ_j Λ_i w_ij √(J_ijᵀJ_ij) / Σ_{i∈c} Λ_i
/// and what fits it is R S, with the rotation R that fits best.
///
/// The paper stretches along the singular vectors ϑ_k of the covariance instead, by the mean of
/// |J_ij ϑ_k|. Those are not the directions that bones stretch along, but depend on the triangles:
/// a tube that is only stretched then counts as distorted, and steps raise the energy:
/// docs/decisions/spines.md.
class StretchTables {
 public:
  /// Of a problem without spines: nothing stretches.
  StretchTables() = default;
  StretchTables(const WeightProblem& problem, const std::vector<int>& cluster,
                std::size_t cluster_count);

  /// Whether a vertex of the cluster has a spine among its bones.
  [[nodiscard]] bool may_stretch(std::size_t cluster) const {
    return !first_.empty() && first_[cluster] != first_[cluster + 1];
  }

  struct Fit {
    Eigen::Matrix3d transform;  // to the bit nearest_rotation where nothing stretches
    double energy = 0;  // tr((SᵀS − I) Σ_{i∈c} Σ_k a_ik e eᵀ): what its square has more than R's
  };
  /// In one exemplar, at these weights, beside maps.bones.
  [[nodiscard]] Fit fit(const WeightProblem& problem, const std::vector<double>& weights,
                        std::size_t cluster, std::size_t exemplar,
                        const Eigen::Matrix3d& covariance) const;

 private:
  /// A vertex of a cluster on a spine.
  struct Attached {
    std::size_t weight = 0;        // in maps.bones
    std::size_t spine = 0;         // in problem.spines
    double share = 0;              // Λ_i / Σ Λ of the cluster
    Vec3 offset = Vec3::Zero();    // v_i − e0 − u d
    Vec3 gradient = Vec3::Zero();  // ∇u
  };

  std::vector<std::size_t> first_;        // clusters + 1; empty without spines
  std::vector<Attached> attached_;        // grouped by cluster
  std::vector<Eigen::Matrix3d> moments_;  // Σ_{i∈c} Σ_k a_ik e eᵀ
};

}  // namespace sinew
