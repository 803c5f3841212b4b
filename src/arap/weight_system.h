// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "arap/arap_system.h"
#include "arap/weight_roughness.h"
#include "sinew/arap/weight_constraints.h"
#include "sinew/core/result.h"

namespace sinew {

/// Fails where a system would have more entries than the ints that index it can count.
[[nodiscard]] Status check_size(const WeightProblem& problem, bool is_harmonic = false);

/// What is minimised beside the energy, always: see WeightSolverOptions.
struct WeightTerms {
  double regulariser = 0;
  double harmonic = 0;
  double smoothing = 0;
  double least_measure = 0;  // that a vertex counts with in the regulariser; 0: this problem's own
};
/// A vertex without any measure would leave the matrix singular.
[[nodiscard]] double least_measure(const MeshGraph& graph);

/// The whole quadratic that the global step minimises: the energy at fixed rotations, the
/// regulariser, constraints and the harmonic term. Parts of it change when their vertices do.
class WeightSystem {
 public:
  WeightSystem(const WeightProblem& problem, const WeightTerms& terms);

  [[nodiscard]] const WeightUnknowns& unknowns() const { return unknowns_; }
  [[nodiscard]] const BonePairs& pairs() const { return pairs_; }
  [[nodiscard]] double rest_energy() const { return arap_.rest_energy; }
  /// What has to be factorised: all but the flat constraints, whose places are not those of the
  /// rest, and with them.
  [[nodiscard]] const SparseMatrix& matrix_without_flat() const { return matrix_; }
  [[nodiscard]] SparseMatrix matrix() const;
  [[nodiscard]] bool has_flat() const { return flat_columns_.cols() > 0; }

  /// The terms of constraints, or with a sign of −1 the same taken away.
  void add_constraints(const InfluenceMaps& maps, std::span<const WeightConstraint> constraints,
                       double sign);
  /// At these vertices, these constraints instead of all that are there; those of other vertices
  /// in the list are there already. To the bit as if there had never been others.
  void replace_constraints(const InfluenceMaps& maps, std::span<const VertexIndex> vertices,
                           std::span<const WeightConstraint> constraints);
  /// These flat constraints instead of all that are there.
  void set_flat(const WeightProblem& problem, std::span<const FlatConstraint> flat);

  /// √stiffness times what the term's weight is made of, for updates of a factor.
  [[nodiscard]] SparseMatrix columns(const InfluenceMaps& maps,
                                     std::span<const WeightConstraint> constraints) const;
  [[nodiscard]] SparseMatrix columns(const WeightProblem& problem,
                                     std::span<const FlatConstraint> flat) const;

  /// After the bones or edges of these vertices have changed: without constraints, of either kind.
  /// Entries of other vertices are moved; those of these and of their neighbours are computed. With
  /// a harmonic term, all of that is computed.
  void revise(const WeightProblem& problem, std::span<const VertexIndex> vertices);

  /// With β of the rotations, beside maps.bones.
  [[nodiscard]] Eigen::VectorXd right_hand_side(const InfluenceMaps& maps,
                                                const std::vector<double>& beta) const;
  struct Product {
    Eigen::VectorXd all;      // of the matrix, flat constraints too, and the unknowns
    Eigen::VectorXd between;  // without vertices' own blocks and flat constraints
  };
  [[nodiscard]] Product product(const InfluenceMaps& maps,
                                const std::vector<double>& weights) const;
  /// What energies have that no rotation changes, at these weights: all of it, and without
  /// regulariser, smoothing, constraints and the harmonic term. Rotations take 2 Σ w β from both.
  struct FixedEnergy {
    double all = 0;
    double arap = 0;
  };
  [[nodiscard]] FixedEnergy fixed_energy(const WeightProblem& problem,
                                         const std::vector<double>& weights,
                                         const Product& product) const;
  /// All of it, at these weights and rotations.
  [[nodiscard]] double energy(const InfluenceMaps& maps, const std::vector<double>& weights,
                              const std::vector<double>& beta) const {
    return with_smoothing(maps, weights, product(maps, weights)).all -
           taken_by_rotations(weights, beta);
  }
  /// Without regulariser, smoothing, constraints and the harmonic term.
  [[nodiscard]] double arap(const WeightProblem& problem, const std::vector<double>& weights,
                            const std::vector<double>& beta) const {
    return fixed_energy(problem, weights, product(problem.maps, weights)).arap -
           taken_by_rotations(weights, beta);
  }
  /// 2 Σ w β.
  [[nodiscard]] static double taken_by_rotations(const std::vector<double>& weights,
                                                 const std::vector<double>& beta);

 private:
  /// Δ_i(w_j) = factors · unknowns + constant.
  struct LaplacianRow {
    std::vector<std::pair<Eigen::Index, double>> factors;  // ascending
    double constant = 0;
  };
  [[nodiscard]] LaplacianRow laplacian_row(const WeightProblem& problem, std::size_t vertex,
                                           std::uint32_t bone) const;
  /// Stiffness · (w − target)² of a place in a vertex's row of bones; a negative stiffness takes it
  /// away. Returns what it adds to the constant.
  double add_term(std::size_t vertex, std::size_t place, double target, double stiffness);
  /// The energy, the regulariser and the harmonic term.
  void reset(const WeightProblem& problem);
  void add_harmonic(const WeightProblem& problem);
  /// The fixed energy, smoothing still in both parts.
  [[nodiscard]] FixedEnergy with_smoothing(const InfluenceMaps& maps,
                                           const std::vector<double>& weights,
                                           const Product& product) const;
  [[nodiscard]] Eigen::VectorXd product_between(const Eigen::VectorXd& x) const;
  /// xᵀ B x of vertices' own blocks.
  struct OfBlocks {
    double arap = 0;  // of the energy; without a harmonic term
    double all = 0;   // of matrix_
  };
  [[nodiscard]] OfBlocks quadratics_of_blocks(const Eigen::VectorXd& x) const;
  /// Vertices' own blocks of a lower triangle, one after the other.
  [[nodiscard]] Eigen::VectorXd blocks_of(const SparseMatrix& lower) const;
  /// The energy's matrix, which matrix_ was made of and is no more.
  void take_arap_back();
  [[nodiscard]] double* block_column(Eigen::Index unknown) {
    return matrix_.valuePtr() + matrix_.outerIndexPtr()[unknown];
  }

  WeightTerms terms_;
  WeightUnknowns unknowns_;
  BonePairs pairs_;
  mutable std::optional<WeightRoughness> roughness_;  // of the problem as it is, once it is asked
  ArapSystem arap_;              // its matrix only with a harmonic term; else that is the next two
  SparseMatrix matrix_;          // lower triangle; a vertex's block is on top of its columns
  Eigen::VectorXd arap_blocks_;  // those of arap_ where matrix_ has more, as free_blocks_
  Eigen::VectorXd pulls_;        // right-hand side of all but the energy and flat constraints
  double constant_ = 0;          // of all but the energy, constraints and flat constraints
  double constraint_constant_ = 0;  // of constraints
  Eigen::VectorXd free_blocks_;     // those of matrix_ without constraints, one after the other
  std::vector<std::size_t> block_begin_;  // vertices + 1
  std::vector<int> block_end_;            // of each unknown, where those of its vertex end
  Eigen::VectorXd free_pulls_;            // pulls_ without constraints
  SparseMatrix flat_columns_;             // unknowns × flat constraints, times √stiffness
  Eigen::VectorXd flat_constants_;        // times √stiffness
};

}  // namespace sinew
