// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "sinew/arap/weight_problem.h"

namespace sinew::test {

/// [araplbs] sections 4.1 and 4.2 as they are printed: loops over exemplars, vertices and edges,
/// one small product at a time. Slow and obvious; what the solver's tables are checked against and
/// timed against. Nothing is shared with the solver but the problem. Spines move every vertex by
/// the transform at its own parameter, and "rotations" are as rigid as desired.
///
/// Symbols are the paper's: B(i) the bones of vertex i, b_i^0 the one that affinity eliminates,
/// φ_i^j where bone b_i^j alone would carry v_i, Φ_ik·w + φ_ik the deformed edge ē_ik. Λ_i λ_ik
/// come as one number, the graph's.
class LiteralAraplbs {
 public:
  /// Of each exemplar, of each vertex.
  using Rotations = std::vector<std::vector<Eigen::Matrix3d>>;

  /// How what spines stretch is fitted.
  enum class StretchRule {
    tensor,  // by the mean of √(JᵀJ), and then the best rotation: the solver's
    paper,   // along singular vectors ϑ of the covariance, by the mean of |Jϑ|
  };

  /// `eliminated` is the place of b_i^0 in each B(i); the paper always takes the first. The problem
  /// must outlive this.
  LiteralAraplbs(const WeightProblem& problem, std::vector<std::size_t> eliminated,
                 StretchRule rule = StretchRule::tensor);

  [[nodiscard]] Eigen::Index unknown_count() const { return first_.back(); }
  /// 𝐰 of Eq. 7, and back.
  [[nodiscard]] Eigen::VectorXd unknowns(const std::vector<double>& weights) const;
  [[nodiscard]] std::vector<double> weights(const Eigen::VectorXd& unknowns) const;

  /// w_ij as factors · 𝐰 + constant; nothing of both where j is not in B(i).
  struct WeightRow {
    Eigen::VectorXd factors;
    double constant = 0;
  };
  [[nodiscard]] WeightRow row(std::size_t vertex, std::uint32_t bone) const;

  /// 𝐀 = Σ_ex 𝐀(ex), both triangles.
  [[nodiscard]] Eigen::SparseMatrix<double> quadratic() const;
  /// 𝐁 = Σ_ex 𝐁(ex).
  [[nodiscard]] Eigen::VectorXd linear(const Rotations& rotations) const;

  /// Σ_{i ∈ vertices} Λ_i Σ_k λ_ik ē_ik e_ikᵀ in one exemplar: of a vertex, or of a cluster.
  [[nodiscard]] Eigen::Matrix3d covariance(const std::vector<double>& weights, std::size_t exemplar,
                                           std::span<const std::size_t> vertices) const;
  /// What that is fitted by: a rotation where nothing stretches.
  [[nodiscard]] Eigen::Matrix3d as_rigid_as_desired(const std::vector<double>& weights,
                                                    std::size_t exemplar,
                                                    std::span<const std::size_t> vertices) const;
  /// The best rotation of every vertex in every exemplar.
  [[nodiscard]] Rotations rotations(const std::vector<double>& weights) const;
  /// The same with one rotation per cluster: cluster_of[x][i] is the cluster of vertex i in
  /// exemplar x.
  [[nodiscard]] Rotations rotations(const std::vector<double>& weights,
                                    const std::vector<std::vector<int>>& cluster_of) const;

  /// Eq. 5, summed over the exemplars.
  [[nodiscard]] double energy(const std::vector<double>& weights, const Rotations& rotations) const;
  /// X Σ a |e|²: the same of a mesh that collapses to a point.
  [[nodiscard]] double rest_energy() const;

 private:
  /// φ_i^j for the j-th bone of B(i).
  [[nodiscard]] Vec3 phi(std::size_t exemplar, std::size_t vertex, std::size_t place) const;
  /// The spine that a bone is, or null.
  [[nodiscard]] const ProblemSpine* spine(std::uint32_t bone) const;
  /// J of the j-th bone of B(i), but for a rotation after it.
  [[nodiscard]] Eigen::Matrix3d jacobian(std::size_t exemplar, std::size_t vertex,
                                         std::size_t place) const;
  /// Σ Λ_i w_ij value(J_ij) / Σ Λ_i w_ij.
  template <class Value>
  [[nodiscard]] auto mean_over_bones(const std::vector<double>& weights, std::size_t exemplar,
                                     std::span<const std::size_t> vertices,
                                     const Value& value) const;
  /// v̄_i, by linear blending.
  [[nodiscard]] Vec3 blended(const std::vector<double>& weights, std::size_t exemplar,
                             std::size_t vertex) const;
  /// Calls visit(i, k, Λ_i λ_ik) for every directed edge.
  template <class Visit>
  void for_each_edge(const Visit& visit) const;
  /// The columns of Φ_ik that are not zero, and which unknowns they belong to.
  struct EdgeBlock {
    std::vector<Eigen::Index> unknowns;
    std::vector<Vec3> columns;
    Vec3 constant = Vec3::Zero();  // φ_ik
  };
  [[nodiscard]] EdgeBlock edge_block(std::size_t exemplar, std::size_t i, std::size_t k) const;

  const WeightProblem& problem_;
  std::vector<std::size_t> eliminated_;
  StretchRule rule_;
  std::vector<Eigen::Index> first_;  // unknown of each vertex; vertices + 1
};

/// The rotation nearest to a covariance by singular values, det = +1 ([SA07]).
[[nodiscard]] Eigen::Matrix3d rotation_by_svd(const Eigen::Matrix3d& covariance);

/// How well defined that rotation is: (σ₂ + σ₃ sign det) / σ₁; 0 where several are equally good.
[[nodiscard]] double rotation_certainty(const Eigen::Matrix3d& covariance);

}  // namespace sinew::test
