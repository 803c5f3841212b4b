// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/arap/weight_constraints.h"
#include "sinew/arap/weight_problem.h"
#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// Which vertices turn together in the local step.
enum class RotationMode {
  exact,      // every vertex by itself
  clustered,  // [araplbs] section 5: the same result nearly, at a fraction of the cost
};
[[nodiscard]] std::string_view to_string(RotationMode mode);
[[nodiscard]] std::optional<RotationMode> rotation_mode_from(std::string_view name);

/// Of the local step. Spines are always fitted in full.
enum class RotationPrecision {
  full,    // doubles
  floats,  // rotations are off by about 1e-6, by 1e-5 where edges hardly define them, in a third of
           // the time; wants positions about as large as the mesh, as prepare_mesh makes them
};

struct WeightSolverOptions {
  RotationMode rotations = RotationMode::exact;
  RotationPrecision rotation_precision = RotationPrecision::full;
  double clusterings = 2;   // each exemplar turns by one of them; more gain nothing
                            // (docs/decisions/effort.md). The last one of 1.3 has 0.3 times as
                            // many exemplars as the first
  int clusters = 1000;      // of each clustering, unless WeightProblem::turning says; the paper has
                            // 1000 to 5000
  int max_iterations = 40;  // the paper's results took 10 to 40
  double tolerance_rel = 1e-3;  // of the distortion: a step that changes it by less is the last
  double regulariser = 1e-6;    // ρ: where bones move alike at a vertex, weights stay as they were
  enum class Positivity { off, constrain };
  Positivity positivity = Positivity::constrain;  // [araplbs] section 4.3, once steps gain little
  enum class Filter { off, laplacian };
  Filter filter = Filter::off;  // [araplbs] section 5, after each step; it costs obedience
  double harmonic = 0;          // δ of [araplbs] Eq. 13; wants WeightProblem::laplacian
  double smoothing = 0;  // τ, of the diagonal: weights are to serve bones that are off by this much
                         // at random too, and so change more gently; costs no time
                         // (docs/decisions/solver.md)
  std::uint64_t seed = 1;    // of the clusterings
  bool keeps_bones = false;  // vertices with one bone will never get more: the others alone are
                             // put in order for the factor
  CholeskyOptions cholesky = {.precision =
                                  CholeskyPrecision::automatic};  // docs/decisions/factor.md
};

/// What one iteration did to the energy of Eq. 8 with its constraints, relative to X Σ a|e|². Each
/// half step lowers it; positivity and the filter may raise it again. With spines, rotations are as
/// rigid as desired: how far a vertex should stretch follows from its weights, so that nothing
/// promises a lower energy after rotations, but no step was seen to end higher than the one before.
struct StepEnergy {
  double arap_before = 0;  // as arap, of the weights it started from
  double after_rotations = 0;
  double after_weights = 0;
  double after_filter = 0;      // as after_weights without a filter
  double arap = 0;              // after_filter without constraints, regulariser and smoothing
  std::size_t constraints = 0;  // added for positivity at the end
};

struct StepOptions {
  /// How far weights go, of the way to those that fit the rotations best. Rotations follow them, so
  /// that a little more than 1 saves steps; the energy falls by 1 − (1 − reach)² of what it could.
  double reach = 1;  // above 0, below 2
  /// Energies take a tenth of a step. Without them it is not in steps(), converged() does not know
  /// of it, and nothing is held for positivity.
  bool is_measured = true;
};

/// Alternates between the rotations that fit the weights best and the weights that fit the
/// rotations best ([araplbs] sections 4.1 and 4.2). Factorises once; constraints that come and go
/// change the factor. Weights sum to one, but may be negative: finish_weights mends that. Bones may
/// be spines (WeightProblem::spines), mixed freely with rigid ones; all that can be done with a
/// solver can be done with those.
class WeightSolver {
 public:
  /// Fails with bad_argument when the problem or the options are wrong, and with too_large.
  [[nodiscard]] static Result<WeightSolver> create(WeightProblem problem,
                                                   std::vector<WeightConstraint> constraints,
                                                   const WeightSolverOptions& options = {},
                                                   const Progress& progress = {});
  /// The same problem among other bones, from other weights: constraints on what is still there,
  /// other options, and the clusters of this one where rotations are of the same mode.
  [[nodiscard]] Result<WeightSolver> restricted_to(InfluenceMaps maps,
                                                   const WeightSolverOptions& options,
                                                   const Progress& progress = {}) const;
  ~WeightSolver();
  WeightSolver(WeightSolver&&) noexcept;
  WeightSolver& operator=(WeightSolver&&) noexcept;

  /// One local and one global step.
  [[nodiscard]] Status step(const StepOptions& options = {});
  /// Whether the last step gained too little to go on, or there were enough. Steps before the
  /// problem was last revised do not count.
  [[nodiscard]] bool converged() const;

  [[nodiscard]] const WeightProblem& problem() const;
  /// Beside problem().maps.bones.
  [[nodiscard]] const std::vector<double>& weights() const;
  [[nodiscard]] std::span<const StepEnergy> steps() const;
  /// Of the current weights with the rotations that fit them best, relative to X Σ a|e|². It keeps
  /// what it found: not from two threads at once.
  [[nodiscard]] double arap() const;
  /// The same of other weights, beside problem().maps.bones.
  [[nodiscard]] double arap_of(const std::vector<double>& weights) const;
  /// Gives the memory of the factor back; the next step makes another.
  void release_factor() const;
  /// Weights beside weights() of which none is below zero, and which move each vertex as nearly as
  /// those do.
  [[nodiscard]] std::vector<double> nearest_nonnegative() const;
  [[nodiscard]] const WeightSolverOptions& options() const;
  [[nodiscard]] RotationMode rotation_mode() const;
  [[nodiscard]] Eigen::Index unknown_count() const;

  /// Constraints take effect in the next step. A constraint is taken away by its equal.
  [[nodiscard]] const std::vector<WeightConstraint>& constraints() const;
  [[nodiscard]] Status add_constraints(std::span<const WeightConstraint> added);
  [[nodiscard]] Status remove_constraints(std::span<const WeightConstraint> removed);

  /// Goes on from other weights, beside problem().maps.bones, whose rows sum to one.
  [[nodiscard]] Status set_weights(std::vector<double> weights);

 private:
  struct State;
  friend class SolverReviser;  // src/arap: for rooms above, which revise problems in mid-run
  explicit WeightSolver(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew
