// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "optimise/stretch_tables.h"
#include "sinew/optimise/weight_problem.h"

namespace sinew {

/// The local step for one clustering of the vertices, and what it tells the weights.
///
/// With e_ik = v_k − v_i and c a cluster, the covariance in exemplar x is Σ_j M_j(x) P_cj, where
///   P_cj = Σ_{i∈c} Σ_k a_ik (w_kj h_k − w_ij h_i) e_ikᵀ = Σ_k w_kj h_k t_kcᵀ
/// and t_kc, which weights do not change, is one vector for every vertex k and every cluster that k
/// or a neighbour of k is in. After the rotations, Q_cj = Σ_x M_j(x)ᵀ R_c(x), and the energy's part
/// that is linear in a weight is −2 w_kj β_kj with β_kj = Σ_c h_kᵀ Q_cj t_kc.
///
/// A spine is several motions n, which each vertex mixes by fixed coefficients φ_n(u_k): there
/// is a P and a Q for each of them, with w_kj φ_n(u_k) for w_kj, and β_kj is the sum of φ_n(u_k) β.
class RotationTables {
 public:
  using PerMotion = Eigen::Matrix<double, 4, 3>;

  /// `exemplars` are those that rotate by this clustering; `cluster` has one index per vertex.
  RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                 std::vector<std::size_t> exemplars);

  /// After the bones or edges of some vertices have changed, given in ascending order with, where
  /// it was edges, their neighbours: to the bit the tables of the problem as it is now. Clusters
  /// that none of the vertices pulls on are moved, not computed.
  void revise(const WeightProblem& problem, const std::vector<int>& cluster,
              std::span<const VertexIndex> changed);

  /// Finds the best rotation of every cluster in every exemplar ([araplbs] section 4.1), where
  /// spines stretch what is as rigid as desired, and adds β of those, beside maps.bones. Returns
  /// what stretch adds to the energy beside: Σ tr(RᵀR S) − tr(S), see StretchTables.
  double add_linear(const WeightProblem& problem, const std::vector<double>& weights,
                    std::vector<double>& linear) const;

  /// P of every cluster, one after the other, at these weights.
  [[nodiscard]] std::vector<PerMotion> products(const WeightProblem& problem,
                                                const std::vector<double>& weights) const;
  /// For joints: fits one of the exemplars of this clustering and adds Σ_c R_c p_cm to the entry of
  /// each motion m, p being the last row of P. Returns what the energy has of rotations: the
  /// stretch energy less twice Σ⟨R_c, C_c⟩.
  double add_pulls(const WeightProblem& problem, const std::vector<double>& weights,
                   std::span<const PerMotion> products, std::size_t exemplar,
                   std::span<Vec3> of_motions) const;
  /// After spines have moved.
  void revise_stretch(const WeightProblem& problem, const std::vector<int>& cluster);

  [[nodiscard]] std::size_t cluster_count() const { return first_entry_.size() - 1; }
  /// Of the given weights, for checks: Σ_j M_j(x) P_cj.
  [[nodiscard]] Eigen::Matrix3d covariance(const WeightProblem& problem,
                                           const std::vector<double>& weights, std::size_t cluster,
                                           std::size_t exemplar) const;
  /// What that covariance is fitted by.
  [[nodiscard]] StretchTables::Fit fit(const WeightProblem& problem,
                                       const std::vector<double>& weights, std::size_t cluster,
                                       std::size_t exemplar,
                                       const Eigen::Matrix3d& covariance) const;

 private:
  RotationTables() = default;
  /// One vertex's pull on one cluster.
  struct Pull {
    int cluster = 0;
    VertexIndex vertex = 0;
    Vec3 pull = Vec3::Zero();
  };
  struct Entry {
    VertexIndex vertex = 0;
    std::size_t first_slot = 0;  // of slots_: one per bone of the vertex
    Vec3 pull = Vec3::Zero();    // t_kc
  };

  static std::vector<Pull> pulls_of(const WeightProblem& problem, const std::vector<int>& cluster,
                                    std::size_t vertex);
  /// Adds a cluster after the last one, from its pulls by ascending vertex.
  void append_cluster(const WeightProblem& problem, std::span<const Pull> pulls,
                      std::vector<std::uint32_t>& place_of_bone);
  /// Has each spine among the motions after `begin`, which are bones yet, replaced by its own.
  void expand_spines(const WeightProblem& problem, std::size_t begin);
  /// Adds a cluster after the last one, as it is in other tables.
  void append_cluster(const RotationTables& other, std::size_t cluster);
  /// Which entries each vertex has.
  void index_vertices(std::size_t vertex_count);

  /// P of one cluster, beside its motions.
  void fill(const WeightProblem& problem, const std::vector<double>& weights, std::size_t cluster,
            std::vector<PerMotion>& per_motion) const;
  struct Turned {
    std::vector<PerMotion> motions;      // Q, beside motions_
    std::vector<double> stretch_energy;  // of each cluster
  };
  [[nodiscard]] Turned turn(const WeightProblem& problem, const std::vector<double>& weights) const;
  /// The spine that a place in maps.bones is of, or null.
  [[nodiscard]] const ProblemSpine* spine_at(const WeightProblem& problem,
                                             std::size_t weight) const {
    if (spine_of_.empty()) return nullptr;
    const int spine = spine_of_[problem.maps.bones[weight]];
    return spine < 0 ? nullptr : &problem.spines[static_cast<std::size_t>(spine)];
  }

  std::vector<std::size_t> exemplars_;
  std::vector<Entry> entries_;                // grouped by cluster
  std::vector<std::size_t> first_entry_{0};   // clusters + 1
  std::vector<std::uint32_t> slots_;          // places in the cluster's row of motions; of a spine
                                              // its first
  std::vector<std::size_t> first_motion_{0};  // clusters + 1
  std::vector<std::uint32_t> motions_;        // grouped by cluster, by ascending bone
  std::vector<std::size_t> first_of_vertex_;  // vertices + 1
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_vertex_;  // cluster, entry
  std::vector<int> spine_of_;  // of each bone; empty without spines
  StretchTables stretch_;
};

}  // namespace sinew
