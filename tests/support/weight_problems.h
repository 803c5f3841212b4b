// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/arap/weight_constraints.h"
#include "sinew/arap/weight_problem.h"
#include "sinew/arap/weight_solver.h"
#include "sinew/model/character.h"

namespace sinew::test {

/// What bind makes of a character before it solves.
struct MadeProblem {
  WeightProblem problem;  // with its Laplacian
  BoneCells cells;
  std::vector<WeightConstraint> constraints;  // attach and Neumann
};
[[nodiscard]] MadeProblem made_problem(const Character& character, int exemplars = 12);

struct RandomProblemOptions {
  std::size_t bones = 5;
  std::size_t most_influences = 4;  // of a vertex, which has at least one
  int exemplars = 6;
  std::uint64_t seed = 1;
};
/// Any bones anywhere, moved anyhow: nothing in it is smooth, small or zero by luck.
[[nodiscard]] WeightProblem random_problem(const Mesh& mesh,
                                           const RandomProblemOptions& options = {});

struct NamedProblem {
  std::string name;
  WeightProblem problem;
};
/// A random problem on every mesh of the zoo, and on a cube of tetrahedra with two bones.
[[nodiscard]] std::vector<NamedProblem> random_problems();

/// A block of tetrahedra that a lower and an upper bone share.
[[nodiscard]] Character tetrahedral_cube();

/// A limb on a chain of four bones.
[[nodiscard]] Character chain_character();

/// Fails the test that calls it when the solver cannot be made.
[[nodiscard]] WeightSolver made_solver(WeightProblem problem,
                                       std::vector<WeightConstraint> constraints = {},
                                       const WeightSolverOptions& options = {});
/// Steps until it has converged.
void solve(WeightSolver& solver);

/// Neither filter nor positivity: what can be proved is proved of this.
[[nodiscard]] WeightSolverOptions plain_solver(RotationMode rotations = RotationMode::exact);

/// A clustering that is connected nowhere: vertex i is in cluster (i · 7 + shift) mod count.
[[nodiscard]] std::vector<int> scattered_clusters(std::size_t vertices, int count, int shift);

/// The places of the bases that the solver chooses.
[[nodiscard]] std::vector<std::size_t> strongest_places(const InfluenceMaps& maps);

/// The weights of one step as dense algebra has them: regulariser, constraints, rotations of the
/// starting weights and all.
[[nodiscard]] std::vector<double> dense_step(const WeightProblem& problem,
                                             const std::vector<WeightConstraint>& constraints,
                                             double regulariser,
                                             const std::vector<FlatConstraint>& flat = {});

[[nodiscard]] double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace sinew::test
