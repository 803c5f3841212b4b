// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "sinew/optimise/weight_problem.h"

namespace sinew {

/// The local step for one clustering of the vertices, and what it tells the weights.
///
/// With e_ik = v_k − v_i and c a cluster, the covariance in exemplar x is Σ_j M_j(x) P_cj, where
///   P_cj = Σ_{i∈c} Σ_k a_ik (w_kj h_k − w_ij h_i) e_ikᵀ = Σ_k w_kj h_k t_kcᵀ
/// and t_kc, which weights do not change, is one vector for every vertex k and every cluster that k
/// or a neighbour of k is in. After the rotations, Q_cj = Σ_x M_j(x)ᵀ R_c(x), and the energy's part
/// that is linear in a weight is −2 w_kj β_kj with β_kj = Σ_c h_kᵀ Q_cj t_kc.
class RotationTables {
 public:
  using PerBone = Eigen::Matrix<double, 4, 3>;

  /// `exemplars` are those that rotate by this clustering; `cluster` has one index per vertex.
  RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                 std::vector<std::size_t> exemplars);

  /// After the bones or edges of some vertices have changed, given in ascending order with, where
  /// it was edges, their neighbours: to the bit the tables of the problem as it is now. Clusters
  /// that none of the vertices pulls on are moved, not computed.
  void revise(const WeightProblem& problem, const std::vector<int>& cluster,
              std::span<const VertexIndex> changed);

  /// Finds the best rotation of every cluster in every exemplar ([araplbs] section 4.1), and adds
  /// β of those, beside maps.bones.
  void add_linear(const WeightProblem& problem, const std::vector<double>& weights,
                  std::vector<double>& linear) const;

  [[nodiscard]] std::size_t cluster_count() const { return first_entry_.size() - 1; }
  /// Of the given weights, for checks: Σ_j M_j(x) P_cj.
  [[nodiscard]] Eigen::Matrix3d covariance(const WeightProblem& problem,
                                           const std::vector<double>& weights, std::size_t cluster,
                                           std::size_t exemplar) const;

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
  /// Adds a cluster after the last one, as it is in other tables.
  void append_cluster(const RotationTables& other, std::size_t cluster);
  /// Which entries each vertex has.
  void index_vertices(std::size_t vertex_count);

  /// P of one cluster, beside its bones.
  void fill(const WeightProblem& problem, const std::vector<double>& weights, std::size_t cluster,
            std::vector<PerBone>& per_bone) const;
  /// Q, beside bones_.
  [[nodiscard]] std::vector<PerBone> turn(const WeightProblem& problem,
                                          const std::vector<double>& weights) const;

  std::vector<std::size_t> exemplars_;
  std::vector<Entry> entries_;                // grouped by cluster
  std::vector<std::size_t> first_entry_{0};   // clusters + 1
  std::vector<std::uint32_t> slots_;          // places in the cluster's row of bones
  std::vector<std::size_t> first_bone_{0};    // clusters + 1
  std::vector<std::uint32_t> bones_;          // grouped by cluster, ascending
  std::vector<std::size_t> first_of_vertex_;  // vertices + 1
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_vertex_;  // cluster, entry
};

}  // namespace sinew
