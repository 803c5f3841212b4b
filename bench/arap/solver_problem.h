// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/arap/joint_solver.h"
#include "sinew/arap/weight_solver.h"

namespace sinew::bench {

/// A generated character as bind meets it before it solves.
struct SolverProblem {
  WeightProblem problem;  // with its Laplacian, and the clusters that bind would have
  std::vector<WeightConstraint> constraints;
  RotationMode rotations = RotationMode::clustered;
  double initialisation_s = 0;  // heat to constraints
  std::size_t bones = 0;
  /// For joints, which move in the same exemplars.
  SkeletonJoints joints;
  std::vector<SampledPose> poses;
  UnitFrame frame;
};
/// With the name of a bone, that one bends at random as a spine. What hangs on it stays where it
/// is: good for times, not for weights.
[[nodiscard]] SolverProblem solver_problem(const std::string& name, int vertices,
                                           const std::string& spine = "");

/// As bind would solve it to the end, but for what depends on constraints.
[[nodiscard]] WeightSolverOptions usual_solver(const SolverProblem& prepared);

}  // namespace sinew::bench
