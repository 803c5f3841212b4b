// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/arap/weight_solver.h"
#include "sinew/edit/edit_session.h"
#include "support/weight_problems.h"

namespace sinew::test {

/// Edits of a limb on a chain of four bones, small enough for dense algebra.

/// What an edit and its undo may change of a weight.
constexpr double kSame = 1e-9;
/// A constraint that a downdate takes out of a factor costs the digits by which it was stiffer than
/// the regulariser.
constexpr double kSameAfterDowndate = 1e-7;

[[nodiscard]] const MadeProblem& chain();
[[nodiscard]] WeightSolver chain_solver(const WeightSolverOptions& options = plain_solver());
[[nodiscard]] EditSession chain_session(const WeightSolverOptions& options = plain_solver());
[[nodiscard]] std::vector<WeightSolverOptions> exact_and_clustered();

/// Fails the test that calls it when a step fails.
void step(WeightSolver& solver, int count);
void step(EditSession& session, int count);

/// Vertices with, or without, a bone.
[[nodiscard]] std::vector<VertexIndex> vertices_where(const InfluenceMaps& maps, std::uint32_t bone,
                                                      bool has_it);
[[nodiscard]] std::vector<VertexIndex> some(std::vector<VertexIndex> vertices, std::size_t first,
                                            std::size_t count);

/// One of each kind, and some of both sizes: changes of the factor, and new ones.
[[nodiscard]] std::vector<WeightEdit> all_edits();

[[nodiscard]] double weight_of(const WeightSolver& solver, VertexIndex vertex, std::uint32_t bone);

struct Snapshot {
  InfluenceMaps maps;
  std::vector<double> edge_measure;
  std::vector<WeightConstraint> constraints;
  std::vector<FlatConstraint> flat;
  std::vector<double> weights;

  explicit Snapshot(const EditSession& session)
      : maps(session.solver().problem().maps),
        edge_measure(session.solver().problem().graph.edge_measure),
        constraints(session.solver().constraints()),
        flat(session.flat_constraints()),
        weights(session.solver().weights()) {}
};

void expect_same(const EditSession& session, const Snapshot& before, const std::string& name);

}  // namespace sinew::test
