// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/arap/weight_solver.h"
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
[[nodiscard]] std::vector<WeightSolverOptions> exact_and_clustered();

/// Fails the test that calls it when a step fails.
void step(WeightSolver& solver, int count);

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

  explicit Snapshot(const WeightSolver& solver)
      : maps(solver.problem().maps),
        edge_measure(solver.problem().graph.edge_measure),
        constraints(solver.constraints()),
        flat(solver.flat_constraints()),
        weights(solver.weights()) {}
};

void expect_same(const WeightSolver& solver, const Snapshot& before, const std::string& name);

}  // namespace sinew::test
