// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <Eigen/Core>

#include "sinew/optimise/weight_problem.h"

namespace sinew {

/// What a cluster is fitted by where bones stretch: as rigid as desired, [araplbs] sections 4.1
/// and 5. With covariance U Σ Vᵀ and ϑ_k the columns of V it is R = U diag(σ) Vᵀ, where
///   σ_k = Σ_{i∈c} Σ_j Λ_i w_ij |J_ij ϑ_k| / Σ_{i∈c} Λ_i
/// since weights sum to one. Rigid bones have |Jϑ| = 1, so that only spines are looked at.
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
    Eigen::Matrix3d transform;  // R; to the bit nearest_rotation where all σ are one
    double energy = 0;          // tr(RᵀR S_c) − tr(S_c) with S_c = Σ_{i∈c} Σ_k a_ik e eᵀ
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
  std::vector<Eigen::Matrix3d> moments_;  // S_c
};

}  // namespace sinew
