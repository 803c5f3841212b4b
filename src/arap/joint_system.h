// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "sinew/arap/weight_problem.h"
#include "sinew/poses/joint_motions.h"

namespace sinew {

/// H_ab = Σ_ik a_ik g_a g_bᵀ with g_b = w_kb h_k − w_ib h_i, 4×4, for the pairs of motions that
/// meet on an edge: all that the square of the energy's deformed edges knows of mesh and weights,
/// for then Σ_ik a_ik |ē_ik|² = Σ_ab ⟨M_a H_ab, M_b⟩. Exemplars do not enter.
class EdgeMoments {
 public:
  EdgeMoments(const WeightProblem& problem, const std::vector<double>& weights);

  /// Σ_ab ⟨M_a H_ab, M_b⟩.
  [[nodiscard]] double square(std::span<const Affine3> motions) const;
  /// Of each motion b, Σ_ik a_ik (w_kb − w_ib) ē_ik = Σ_a M_a H_ab (0, 0, 0, 1)ᵀ.
  void subtract_pulls(std::span<const Affine3> motions, std::span<Vec3> from) const;
  /// L_W: the last entry of each H_ab, Σ_ik a_ik (w_ka − w_ia)(w_kb − w_ib).
  [[nodiscard]] Eigen::MatrixXd laplacian() const;

 private:
  struct Pair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;  // not before a
    Eigen::Matrix4d moment = Eigen::Matrix4d::Zero();
  };
  std::size_t motion_count_ = 0;
  std::vector<Pair> pairs_;  // by a, then b
};

/// The energy as a quadratic in displacements of joints, rotations held:
/// δJᵀ A δJ − 2 Bᵀ δJ + constant, the translations δC of the components being the best for δJ.
///
/// With D_q(x) the factor of effect q, U its motions as a column of zeros and ones, S the same of
/// components, the motions move by δT(x) = Σ_q U_q ⊗ D_q(x) δJ_q + S δC(x). So A is, block by
/// block, Σ_qr (UᵀL̃U)_qr Σ_x D_q(x)ᵀ D_r(x), where L̃ = L − L S (SᵀLS)⁺ SᵀL is what is left of L_W
/// with the components where they are best: one small matrix for all exemplars.
class JointSystem {
 public:
  JointSystem(const JointRelation& relation, const Eigen::MatrixXd& laplacian,
              std::size_t joint_count, std::size_t component_count);

  [[nodiscard]] const Eigen::MatrixXd& quadratic() const { return quadratic_; }
  /// B, from b_m(x) = Σ_ik a_ik (w_km − w_im)(R_i e_ik − ē_ik) of each exemplar and motion.
  [[nodiscard]] Eigen::VectorXd linear(const std::vector<std::vector<Vec3>>& pulls) const;
  /// δT of every motion in one exemplar, δC being the best.
  [[nodiscard]] std::vector<Vec3> shifts(std::size_t exemplar, std::span<const Vec3> pulls,
                                         const Eigen::VectorXd& joints) const;

 private:
  /// SᵀL n or Sᵀn, per component.
  [[nodiscard]] Eigen::MatrixX3d by_component(const Eigen::MatrixX3d& motions) const;

  const JointRelation& relation_;
  Eigen::MatrixXd laplacian_;
  Eigen::MatrixXd components_inverse_;  // (SᵀLS)⁺
  Eigen::MatrixXd quadratic_;
};

}  // namespace sinew
