// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "arap/float_fits.h"
#include "arap/rotation_kernels.h"
#include "arap/stretch_tables.h"
#include "sinew/arap/weight_problem.h"
#include "sinew/arap/weight_solver.h"

namespace sinew {

/// Of vertices that are in no cluster: they do not turn, but pull on the clusters of others.
inline constexpr int kNoCluster = -1;

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

  /// `exemplars` are those that rotate by this clustering; `cluster` has one index per vertex, or
  /// kNoCluster. Only add_linear may be in floats, and only where nothing bends.
  RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                 std::vector<std::size_t> exemplars,
                 RotationPrecision precision = RotationPrecision::full);

  /// Those of the same edges, clusters and exemplars with other bones.
  RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                 const RotationTables& before);

  /// After the bones or edges of some vertices have changed, given in ascending order with, where
  /// it was edges, their neighbours: to the bit the tables of the problem as it is now. Clusters
  /// that none of the vertices pulls on are moved, not computed.
  void revise(const WeightProblem& problem, const std::vector<int>& cluster,
              std::span<const VertexIndex> changed);

  /// Finds the best rotation of every cluster in every exemplar ([araplbs] section 4.1), where
  /// spines stretch what is as rigid as desired, and adds β of those, beside maps.bones. Returns
  /// what stretch adds to the energy beside: Σ tr(RᵀR S) − tr(S), see StretchTables.
  double add_linear(const WeightProblem& problem, const std::vector<double>& weights,
                    std::vector<double>& linear) const {
    return add_linear({this, 1}, problem, weights, linear);
  }
  /// The same of several clusterings.
  static double add_linear(std::span<const RotationTables> tables, const WeightProblem& problem,
                           const std::vector<double>& weights, std::vector<double>& linear);

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
  /// What the cost of a local step comes from.
  struct Size {
    std::size_t entries = 0;  // pulls of vertices on clusters
    std::size_t slots = 0;    // bones of those vertices
    std::size_t motions = 0;  // of all clusters
    std::size_t exemplars = 0;
  };
  [[nodiscard]] Size size() const {
    return {entries_.size(), slots_.size(), motions_.size(), exemplars_.size()};
  }
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
  using Entry = rotation_kernels::Entry;

  /// Which place each bone has among a cluster's motions; kept from one cluster to the next.
  struct BonePlaces {
    std::vector<std::uint32_t> place;
    std::vector<bool> is_met;
  };
  /// Adds those of a vertex at the end.
  static void add_pulls_of(const WeightProblem& problem, const std::vector<int>& cluster,
                           std::size_t vertex, std::vector<Pull>& pulls);
  /// Adds a cluster after the last one, from its pulls by ascending vertex.
  void append_cluster(const WeightProblem& problem, std::span<const Pull> pulls,
                      BonePlaces& places);
  /// Has each spine among the motions after `begin`, which are bones yet, replaced by its own.
  void expand_spines(const WeightProblem& problem, std::size_t begin);
  /// Adds a cluster after the last one, as it is in other tables.
  void append_cluster(const RotationTables& other, std::size_t cluster);
  /// Which clusters each vertex pulls on, and where its shares go.
  void index_vertices(const InfluenceMaps& maps);

  /// P of one cluster, beside its motions.
  void fill(const WeightProblem& problem, const std::vector<double>& weights, std::size_t cluster,
            std::vector<PerMotion>& per_motion) const;
  [[nodiscard]] rotation_kernels::Weighted weighted(const WeightProblem& problem,
                                                    const std::vector<double>& weights) const {
    return {problem.positions.data()->data(), problem.maps.begin.data(), weights.data(),
            entries_.data() + entries_.size()};
  }
  /// The motions in every exemplar of this clustering: as many exemplars at a time as there are
  /// lanes, all motions.
  template <class MotionLanes>
  [[nodiscard]] std::vector<MotionLanes> motion_lanes(const WeightProblem& problem) const;
  /// Puts what fits a cluster that may stretch into the lanes of `fits`; returns the energy.
  double fit_stretched(const WeightProblem& problem, const std::vector<double>& weights,
                       std::size_t cluster, std::span<const std::size_t> exemplars,
                       const Lanes3x3& covariances, Lanes3x3& fits) const;
  /// Adds β of this clustering, and returns what stretch adds to the energy. `shares` is scratch.
  double turn(const WeightProblem& problem, const std::vector<double>& weights,
              std::vector<double>& shares, std::vector<double>& linear) const;
  /// What the clusters that one bone alone moves get, once and for all: their weights are all one.
  /// Clusters that others have settled the same way are copied: those that are not touched.
  void settle(const WeightProblem& problem) { settle(problem, RotationTables(), {}); }
  void settle(const WeightProblem& problem, const RotationTables& others,
              const std::vector<bool>& is_touched);
  struct Scratch {
    std::vector<PerMotion> per_motion;
    std::vector<double> sums;
    std::vector<float> floats;
  };
  /// Puts Q of a cluster into the scratch, and returns what stretch adds to the energy.
  double fit_cluster(const WeightProblem& problem,
                     std::span<const rotation_kernels::MotionLanes> all_lanes,
                     const std::vector<double>& weights, std::size_t cluster,
                     Scratch& scratch) const;
  /// The same in floats, where nothing stretches.
  void fit_in_floats(const WeightProblem& problem,
                     std::span<const float_fits::MotionLanes> all_lanes,
                     const std::vector<double>& weights, std::size_t cluster,
                     Scratch& scratch) const;
  /// A cluster's shares of β.
  void add_shares(const WeightProblem& problem, const std::vector<double>& weights,
                  std::size_t cluster, std::span<const PerMotion> turned,
                  std::vector<double>& shares) const;
  /// The spine that a place in maps.bones is of, or null.
  [[nodiscard]] const ProblemSpine* spine_at(const WeightProblem& problem,
                                             std::size_t weight) const {
    if (spine_of_.empty()) return nullptr;
    const int spine = spine_of_[problem.maps.bones[weight]];
    return spine < 0 ? nullptr : &problem.spines[static_cast<std::size_t>(spine)];
  }

  RotationPrecision precision_ = RotationPrecision::full;
  std::vector<std::size_t> exemplars_;
  std::vector<Entry> entries_;                // grouped by cluster
  std::vector<std::size_t> first_entry_{0};   // clusters + 1
  std::vector<std::size_t> first_slot_{0};    // clusters + 1
  std::vector<std::uint32_t> slots_;          // of each entry in turn, for each bone of its vertex:
                                              // its place among the cluster's motions; of a spine
                                              // its first
  std::vector<std::size_t> first_motion_{0};  // clusters + 1
  std::vector<std::uint32_t> motions_;        // grouped by cluster, by ascending bone
  std::vector<std::size_t> first_of_vertex_;  // vertices + 1
  std::vector<std::uint32_t> of_vertex_;      // clusters, grouped by vertex
  std::vector<std::size_t> first_share_;      // vertices + 1
  std::vector<int> spine_of_;                 // of each bone; empty without spines
  std::vector<PerMotion> settled_;            // Q of clusters that never change
  std::vector<int> settled_of_;               // each cluster, or -1; empty with spines
  StretchTables stretch_;
};

}  // namespace sinew
