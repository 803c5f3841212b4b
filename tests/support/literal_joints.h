// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <Eigen/Core>

#include "sinew/arap/joint_solver.h"

namespace sinew::test {

/// [araplbs] section 4.4 as it is printed: joint and component constraints are written down as
/// equations and solved for δT of every bone (Eq. 12); ē_ik moves by δΩ_ik (δJ, δC), and A_J and
/// B_J are sums over exemplars and edges, δC being unknowns like any other. Nothing is shared with
/// the solver but the problem. Bones are rigid, and every vertex turns by itself.
struct LiteralJoints {
  std::size_t joints = 0;
  std::size_t components = 0;
  Eigen::MatrixXd quadratic;  // A_J without ε: of δJ, then of δC for one exemplar after the other
  Eigen::VectorXd linear;     // B_J, for the rotations that fit best
  double constant = 0;        // the energy as it is
};
[[nodiscard]] LiteralJoints literal_joints(const JointProblem& problem);

/// δT of all bones in one exemplar as Eq. 12 has it: 3 bones × 3 (joints + components).
[[nodiscard]] Eigen::MatrixXd literal_relation(const JointProblem& problem, std::size_t exemplar);

/// The energy with joints displaced from where they are, per joint, and every component where δC
/// (exemplar by exemplar, component by component) puts it; rotations are those given, or the best.
[[nodiscard]] std::vector<std::vector<Eigen::Matrix3d>> literal_rotations(
    const JointProblem& problem, const std::vector<std::vector<Affine3>>& exemplars);
[[nodiscard]] double literal_energy(const JointProblem& problem,
                                    const std::vector<std::vector<Affine3>>& exemplars,
                                    const std::vector<std::vector<Eigen::Matrix3d>>& rotations);

}  // namespace sinew::test
