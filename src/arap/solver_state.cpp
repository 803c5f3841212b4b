// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/solver_state.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr double kSameOnBothSides = 1e-12;  // weights that differ by rounding
constexpr double kLeftRel = 1e-4;  // of what weights leave before a step: what floats may leave
constexpr double kRoundingRel = 1e-12;  // of the right-hand side: rounding alone may leave this
constexpr int kMostRounds = 6;          // that may bring it there ...
constexpr double kSlowestRound = 0.5;   // ... each by this much at the least
/// Of the paper's stiffness: what is held more firmly leaves floats no digits for what is beside
/// it.
constexpr double kStiffestInFloats = 0.01;

}  // namespace

WeightSolver::State::State(WeightProblem given, const WeightSolverOptions& chosen)
    : problem(std::move(given)),
      options(chosen),
      mode(chosen.rotations),
      system(problem, terms()),
      factor(chosen.cholesky),
      weights(problem.maps.weights) {}

Status WeightSolver::State::initialise(const Progress& progress,
                                       const std::vector<RotationTables>* tables_before) {
  system.add_constraints(problem.maps, held.constraints, 1);
  system.set_flat(problem, held.flat);
  SINEW_CHECK(progress.checkpoint("clusters", 0.3));
  if (problem.mirror) problem.mirror = fitting_mirror(std::move(*problem.mirror), problem.maps);
  if (options.cholesky.precision == CholeskyPrecision::automatic &&
      std::ranges::any_of(held.constraints, [&](const WeightConstraint& each) {
        return each.stiffness > kStiffestInFloats * paper_stiffness(problem, each.vertex);
      }))
    factor.refuse_floats();
  SINEW_CHECK(progress.checkpoint("factor", 0.35));
  // The factor keeps one thread busy for as long as others take for clusters and tables.
  Status factored;
  parallel_for(
      2,
      [&](std::size_t task) {
        if (task == 0) {
          if (problem.mirror) factor.set_mirror(MirrorReduction(problem, system.unknowns()));
          factored = order_and_factor();
          return;
        }
        if (clusterings.empty())
          clusterings = make_clusterings(
              problem, {mode, options.clusterings, options.clusters, options.seed});
        tables = tables_before != nullptr
                     ? rotation_tables(problem, clusterings, *tables_before)
                     : rotation_tables(problem, clusterings, options.rotation_precision);
      },
      1);
  return factored;
}

Status WeightSolver::State::order_and_factor() {
  if (factor.vertex_order().empty()) {
    SINEW_TRY(std::vector<int> order,
              vertex_elimination_order(problem,
                                       options.harmonic > 0 ? Coupling::harmonic : Coupling::edges,
                                       options.keeps_bones ? Ordered::unknown : Ordered::all));
    factor.set_order(std::move(order));
  }
  return factor.make(system);
}

WeightSolver::State::Fitted WeightSolver::State::fit(
    const std::vector<double>& weights_to_fit) const {
  Fitted fitted{std::vector<double>(weights_to_fit.size(), 0), 0};
  fitted.stretch_energy = RotationTables::add_linear(tables, problem, weights_to_fit, fitted.beta);
  return fitted;
}

WeightSolver::State::Energies WeightSolver::State::energies(const Fitted& fitted) {
  const double scale = system.rest_energy() > 0 ? 1 / system.rest_energy() : 1;
  const WeightSystem::FixedEnergy& fixed = fixed_energy();  // known from the end of the last step
  const double taken =
      WeightSystem::taken_by_rotations(weights, fitted.beta) - fitted.stretch_energy;
  return {scale * (fixed.all - taken), std::max(0.0, scale * (fixed.arap - taken))};
}

Status WeightSolver::State::change_factor(std::span<const WeightConstraint> changed, double sign) {
  if (changed.empty() || !factor.exists() || factor.is_released()) return {};
  if (factor.prefers_change(changed.size())) {
    const SparseMatrix columns = system.columns(problem.maps, changed);
    const Status status = sign > 0 ? factor.update(columns) : factor.downdate(columns);
    if (status.ok() || factor.is_sound()) return status;
  }
  return factor.make(system);
}

void WeightSolver::State::hold(std::span<const WeightConstraint> added, ConstraintOrigin origin) {
  held.constraints.insert(held.constraints.end(), added.begin(), added.end());
  held.origins.insert(held.origins.end(), added.size(), origin);
  ++revisions;
}

Status WeightSolver::State::hold_at_once(std::span<const WeightConstraint> added,
                                         ConstraintOrigin origin) {
  hold(added, origin);
  system.add_constraints(problem.maps, added, 1);
  if (!added.empty()) evaluated = {};
  return change_factor(added, 1);
}

Status WeightSolver::State::solve(const std::vector<double>& beta, double reach) {
  Eigen::VectorXd right = system.right_hand_side(problem.maps, beta);
  const std::optional<MirrorReduction>& mirror = factor.mirror();
  if (mirror) {
    const Eigen::VectorXd now = system.unknowns().reduce(problem.maps, weights);
    const Eigen::VectorXd same = mirror->expand(mirror->reduce(now));
    if (!((same - now).cwiseAbs().maxCoeff() < kSameOnBothSides)) set(same);
  }
  // Not the solution itself but what is still missing is asked of the factor, so that digits that
  // it has not got are digits of the difference.
  const auto left_of = [&]() -> Eigen::VectorXd {
    const Eigen::VectorXd left = right - product().all;
    return mirror ? mirror->residual(left) : left;
  };
  // What is reached is the solution for another right-hand side.
  if (reach != 1) right += (reach - 1) * (right - product().all);
  Eigen::VectorXd left = left_of();
  const double enough =
      std::max(kLeftRel * left.cwiseAbs().maxCoeff(), kRoundingRel * right.cwiseAbs().maxCoeff());
  for (int round = 0;; ++round) {
    const Eigen::VectorXd missing = factor.solve(left);
    const Eigen::VectorXd now = system.unknowns().reduce(problem.maps, weights);
    const Eigen::VectorXd solved =
        mirror ? mirror->expand(mirror->reduce(now) + missing) : now + missing;
    const bool is_full = factor.is_in_doubles();
    if (!solved.allFinite()) {
      if (is_full)
        return Error{ErrorCode::bad_argument, "problem", "the system of weights has no solution"};
      SINEW_CHECK(factor.make_in_doubles(system));
      continue;
    }
    set(solved);
    if (is_full) return {};
    const double before = left.cwiseAbs().maxCoeff();
    left = left_of();
    const double after = left.cwiseAbs().maxCoeff();
    if (after <= enough) return {};
    if (round + 1 == kMostRounds || !(after < kSlowestRound * before)) {
      if (!(after < before)) {  // that led away from it
        set(now);
        left = left_of();
      }
      SINEW_CHECK(factor.make_in_doubles(system));
    }
  }
}

void WeightSolver::State::set(const Eigen::VectorXd& solved) {
  weights = system.unknowns().expand(problem.maps, solved);
  if (factor.mirror()) copy_to_images(*problem.mirror, problem.maps, weights);
  evaluated = {};
}

}  // namespace sinew
