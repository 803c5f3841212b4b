// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "sinew/arap/joint_solver.h"

namespace sinew {

/// What is free of the displacements x of all joints: x = S y + s. Joints that are locked have no
/// unknowns; of a joint and its image one has, and one in the plane between left and right has two;
/// s is what makes them images of each other in the first place.
class JointUnknowns {
 public:
  JointUnknowns(const SkeletonJoints& skeleton, const JointSolverOptions& options);

  /// The unknowns of a joint and its image, and how far they may move it.
  struct Block {
    Eigen::Index first = 0;
    Eigen::Index count = 0;
    double radius = 0;
    double length = 0;  // of the shortest bone there
  };
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  /// S.
  [[nodiscard]] const Eigen::MatrixXd& spread() const { return spread_; }
  [[nodiscard]] Eigen::VectorXd expand(const Eigen::VectorXd& unknowns) const {
    return spread_ * unknowns + offset_;
  }
  /// The nearest to displacements that need not be possible.
  [[nodiscard]] Eigen::VectorXd reduce(const Eigen::VectorXd& displacements) const;

 private:
  std::vector<Block> blocks_;
  Eigen::MatrixXd spread_;
  Eigen::VectorXd offset_;  // s
};

/// The least of yᵀ A y − 2 cᵀ y with every block within its radius, for one A and many c.
class BoundedQuadratic {
 public:
  BoundedQuadratic(Eigen::MatrixXd matrix, std::vector<JointUnknowns::Block> blocks);

  /// Starts from `now`, which is within bounds, and is never worse. Where no bound holds, the exact
  /// solution; else blocks are solved in turn until they stay.
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& linear,
                                      const Eigen::VectorXd& now) const;

 private:
  [[nodiscard]] double value(const Eigen::VectorXd& linear, const Eigen::VectorXd& y) const {
    return y.dot(matrix_ * y) - 2 * linear.dot(y);
  }

  Eigen::MatrixXd matrix_;
  std::vector<JointUnknowns::Block> blocks_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  std::vector<Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>> of_blocks_;
};

}  // namespace sinew
