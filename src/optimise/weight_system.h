// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "optimise/arap_system.h"
#include "sinew/optimise/weight_constraints.h"

namespace sinew {

/// What is minimised beside the energy, always: see WeightSolverOptions.
struct WeightTerms {
  double regulariser = 0;
  double harmonic = 0;
  double smoothing = 0;
};

/// The whole quadratic that the global step minimises: the energy at fixed rotations, the
/// regulariser, constraints and the harmonic term.
class WeightSystem {
 public:
  WeightSystem(const WeightProblem& problem, const WeightTerms& terms);

  [[nodiscard]] const WeightUnknowns& unknowns() const { return unknowns_; }
  [[nodiscard]] const SparseMatrix& matrix() const { return matrix_; }
  [[nodiscard]] double rest_energy() const { return arap_.rest_energy; }

  /// Adds stiffness · (w − target)² of a place in a vertex's row of bones; a negative stiffness
  /// takes it away.
  void add_term(std::size_t vertex, std::size_t place, double target, double stiffness);
  /// The terms of constraints, or with a sign of −1 the same taken away.
  void add_constraints(const InfluenceMaps& maps, std::span<const WeightConstraint> constraints,
                       double sign);
  /// √stiffness times what the term's weight is made of, for updates of a factor.
  [[nodiscard]] SparseMatrix columns(const InfluenceMaps& maps,
                                     std::span<const WeightConstraint> constraints) const;

  /// With β of the rotations, beside maps.bones.
  [[nodiscard]] Eigen::VectorXd right_hand_side(const InfluenceMaps& maps,
                                                const std::vector<double>& beta) const;
  /// All of it, at these weights and rotations.
  [[nodiscard]] double energy(const InfluenceMaps& maps, const std::vector<double>& weights,
                              const std::vector<double>& beta) const;
  /// Without regulariser, smoothing, constraints and the harmonic term.
  [[nodiscard]] double arap(const WeightProblem& problem, const std::vector<double>& weights,
                            const std::vector<double>& beta) const;

 private:
  void add_harmonic(const WeightProblem& problem, double harmonic);

  WeightUnknowns unknowns_;
  ArapSystem arap_;
  SparseMatrix matrix_;    // lower triangle
  Eigen::VectorXd pulls_;  // right-hand side of all but the energy
  double constant_ = 0;    // of all but the energy
  double smoothing_ = 0;
};

}  // namespace sinew
