// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "arap/clusterings.h"
#include "arap/weight_system.h"
#include "sinew/arap/revision_cost.h"
#include "sinew/arap/weight_solver.h"

namespace sinew {

enum class ConstraintOrigin : std::uint8_t {
  given,       // with the problem, or by add_constraints
  positivity,  // because the weight went below zero
  revision,    // by one
};

/// Whatever holds weights in a solver.
struct HeldConstraints {
  std::vector<WeightConstraint> constraints;
  std::vector<ConstraintOrigin> origins;  // beside constraints
  std::vector<FlatConstraint> flat;
};

/// What is put in place of parts of a solver, all at once.
struct SolverRevision {
  struct Row {
    std::vector<std::uint32_t> bones;
    std::vector<double> start;    // beside bones: what the problem starts from
    std::vector<double> weights;  // beside bones: what the solver has
  };
  std::map<VertexIndex, Row> rows;   // of vertices with other bones
  std::optional<MeshGraph> graph;    // of the same vertices, where edges change
  std::vector<VertexIndex> rewired;  // ends of edges that change
  HeldConstraints held;              // all, in place of all
};

/// A WeightSolver for rooms above, which change it in the midst of its work: only what belongs to
/// vertices that change is computed again. Between a revision and catch_up() the solver does by
/// itself what it needs: every function of its own is right at any time.
class SolverReviser {
 public:
  /// The solver must outlive it.
  explicit SolverReviser(WeightSolver& solver) : state_(*solver.state_) {}

  [[nodiscard]] const HeldConstraints& held() const;
  /// Cheap: tables, system and factor follow in catch_up(), or in the next step. Clusters stay.
  /// Returns the vertices where bones, edges or constraints have changed, ascending.
  std::vector<VertexIndex> revise(SolverRevision revision, RevisionCost& cost);
  /// Changes of constraints alone change the factor in place, or make it anew on the same places;
  /// others have it analysed too. Fails as a factorisation does, with all but the factor done.
  Status catch_up(RevisionCost& cost);
  /// What is minimised has become something else: steps up to now say nothing of convergence.
  void begin_anew();

  /// Steps, measured or not.
  [[nodiscard]] std::size_t steps_made() const;
  /// Goes up when constraints or the problem change, by whatever.
  [[nodiscard]] std::size_t revisions() const;

  /// For steps that others take, of some of the weights. Rows must go on to sum to one.
  [[nodiscard]] std::vector<double>& weights_to_change();
  [[nodiscard]] const std::vector<Clustering>& clusterings() const;
  [[nodiscard]] const std::vector<int>& vertex_order() const;
  [[nodiscard]] WeightTerms terms() const;
  /// X Σ a|e|² of the problem as it is.
  [[nodiscard]] double rest_energy() const;

 private:
  WeightSolver::State& state_;
};

}  // namespace sinew
