// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "arap/clusterings.h"
#include "arap/rotation_tables.h"
#include "arap/solver_reviser.h"
#include "arap/weight_factor.h"
#include "arap/weight_system.h"
#include "sinew/arap/weight_solver.h"

namespace sinew {

struct WeightSolver::State {
  WeightProblem problem;
  WeightSolverOptions options;
  RotationMode mode;
  WeightSystem system;
  HeldConstraints held;
  std::vector<Clustering> clusterings;
  std::vector<RotationTables> tables;  // of each clustering
  WeightFactor factor;
  std::vector<double> weights;
  /// Of these weights in this system, once somebody has asked; nothing after either has changed.
  struct Evaluated {
    std::optional<WeightSystem::Product> product;
    std::optional<WeightSystem::FixedEnergy> energy;
  };
  Evaluated evaluated;
  std::vector<StepEnergy> steps;
  std::size_t first_that_counts = 0;  // of steps: those before it had another energy
  std::size_t steps_made = 0;         // measured or not
  std::size_t revisions = 0;          // of constraints or of the problem
  /// What tables, system and factor do not know of revisions yet.
  struct Behind {
    std::vector<VertexIndex> touched;  // whose bones or edges have changed; ascending
    bool edges_change = false;
    std::vector<WeightConstraint> constraints;  // that the system has
    std::vector<FlatConstraint> flat;           // that the system has
  };
  std::optional<Behind> behind;

  State(WeightProblem given, const WeightSolverOptions& chosen);
  /// Makes all that is made from the problem. Tables may be there already, of the same edges,
  /// clusters and exemplars with other bones.
  Status initialise(const Progress& progress,
                    const std::vector<RotationTables>* tables_before = nullptr);
  Status order_and_factor();

  /// The local step, as the energy sees it.
  struct Fitted {
    std::vector<double> beta;   // of the rotations that fit weights best; beside maps.bones
    double stretch_energy = 0;  // beside the energy of rotations, where spines stretch
  };
  [[nodiscard]] Fitted fit(const std::vector<double>& weights_to_fit) const;
  /// Of the weights as they are, relative to X Σ a|e|².
  struct Energies {
    double all = 0;
    double arap = 0;  // without regulariser, smoothing, constraints and the harmonic term
  };
  [[nodiscard]] Energies energies(const Fitted& fitted);
  [[nodiscard]] const WeightSystem::Product& product() {
    if (!evaluated.product) evaluated.product = system.product(problem.maps, weights);
    return *evaluated.product;
  }
  [[nodiscard]] const WeightSystem::FixedEnergy& fixed_energy() {
    if (!evaluated.energy) evaluated.energy = system.fixed_energy(problem, weights, product());
    return *evaluated.energy;
  }
  /// The global step: the weights that fit β best, or as far towards them, or beyond.
  Status solve(const std::vector<double>& beta, double reach);
  void set(const Eigen::VectorXd& solved);
  [[nodiscard]] WeightTerms terms() const {
    return {options.regulariser, options.harmonic, options.smoothing};
  }

  void hold(std::span<const WeightConstraint> added, ConstraintOrigin origin);
  /// The same in system and factor, which know of all else.
  Status hold_at_once(std::span<const WeightConstraint> added, ConstraintOrigin origin);
  /// The system has changed by these constraints already.
  Status change_factor(std::span<const WeightConstraint> changed, double sign);

  /// As SolverReviser has it, as all that follows.
  std::vector<VertexIndex> revise(SolverRevision revision, RevisionCost& cost);
  /// Does what revisions have left to do. A failure, of the factor alone, leaves all but that done.
  Status catch_up(RevisionCost& cost);
  Status catch_up() {
    RevisionCost ignored;
    return catch_up(ignored);
  }
  /// Tables and system alone; nothing where only constraints are behind.
  void catch_up_rows(RevisionCost& cost);
  void catch_up_rows() {
    RevisionCost ignored;
    catch_up_rows(ignored);
  }
  Status catch_up_constraints(RevisionCost& cost);
};

}  // namespace sinew
