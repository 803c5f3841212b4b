// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/arap/weight_problem.h"
#include "sinew/arap/weight_solver.h"
#include "sinew/core/result.h"
#include "sinew/poses/joint_motions.h"

namespace sinew {

/// Where joints should be so that a mesh deforms as rigidly as possible, its weights given.
struct JointProblem {
  WeightProblem skin;            // the weights are those of its maps; its mirror is not looked at
  SkeletonJoints joints;         // lengths and places in the frame of `skin`
  JointRelation relation;        // what exemplars do when joints move
  std::vector<Vec3> moved = {};  // per joint: how far it is from where it was given; empty: there
};

/// `exemplars` are those that the skin was made of; `joints` is in model space, and so are they.
[[nodiscard]] JointProblem make_joint_problem(WeightProblem skin, SkeletonJoints joints,
                                              std::span<const SampledPose> exemplars,
                                              const UnitFrame& frame);

struct JointSolverOptions {
  /// What holds joints where they were given ([araplbs] section 4.4.2): each pays for its whole way
  /// d by s dᵀ (ε1 I + ε2 Σ b bᵀ / (|b| l)) d, b being the bones at the joint and l their mean
  /// length. The paper states no numbers. Here s is what the energy itself charges a joint, a third
  /// of the trace of its block of A_J: it grows with exemplars, area and size as the energy does,
  /// and is as small at a finger as the finger's share. So ε1 and ε2 have no unit, and are the part
  /// of a displacement that is lost to caution: with ε1 = 1e-3, a thousandth.
  double epsilon1 = 1e-3;  // keeps what nothing else determines, such as a hinge along its axis
  double epsilon2 = 0.2;   // along bones weights can make up for a joint, and it would wander
  double max_displacement_rel = 0.5;  // of the shortest bone at the joint; a joint is not a guess
  std::vector<bool> locked = {};      // per bone: its head stays; empty: none
  std::vector<double> material = {};  // per bone: ε1 at its head is so many times larger; empty: 1
  enum class Joints {
    free,
    fixed,  // all stay; only components of the skeleton move against each other
  };
  Joints joints = Joints::free;
  /// Joints and their images are to be images of each other, those in the plane within it: they go
  /// there to begin with and move as one. Bones without an image are free, and so are joints that
  /// may not go as far as to where they would be images. Vertices do not matter.
  std::optional<Mirror> mirror = {};
  RotationMode rotations = RotationMode::exact;  // these four as in WeightSolverOptions
  double clusterings = 10;                       // the paper's
  int clusters = 1000;
  std::uint64_t seed = 1;
  int max_iterations = 60;
  double tolerance_rel = 1e-3;  // of the shortest bone there: a step that moves no joint farther is
                                // the last; not of the energy, in which fingers vanish
};

/// Alternates between the rotations that fit the mesh best and the joints that fit the rotations
/// best ([araplbs] section 4.4). The system is small and dense, and depends on exemplars only by
/// their rotations, which stay: it is made and factorised once. Translations of components that
/// nothing connects are found on the way, one per exemplar (δC of the paper).
///
/// Without spines no step raises the energy, whatever is locked or limited.
class JointSolver {
 public:
  /// Fails with bad_argument when the problem or the options are wrong.
  [[nodiscard]] static Result<JointSolver> create(JointProblem problem,
                                                  const JointSolverOptions& options = {});
  ~JointSolver();
  JointSolver(JointSolver&&) noexcept;
  JointSolver& operator=(JointSolver&&) noexcept;

  /// Rotations, then joints, then exemplars with the joints where they are now.
  void step();
  [[nodiscard]] bool converged() const;

  /// As it is now: its exemplars and spines have moved with the joints.
  [[nodiscard]] const JointProblem& problem() const;
  /// Per bone, in the frame of problem().skin, from where joints were given.
  [[nodiscard]] std::vector<Vec3> displacements() const;
  /// With the rotations that fit best and what holds joints, relative to X Σ a|e|².
  [[nodiscard]] double energy() const;
  /// The same without what holds joints: comparable with WeightSolver::arap.
  [[nodiscard]] double arap() const;
  /// After each step, as energy().
  [[nodiscard]] const std::vector<double>& energies() const;
  /// arap() were these joints put back by this part of their way from where they were given. All
  /// stays as it is.
  [[nodiscard]] double arap_without(std::span<const int> joints, double part = 1);

 private:
  struct State;
  explicit JointSolver(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The options of joints, with vertices that turn together as they do while weights are solved.
[[nodiscard]] JointSolverOptions turning_as(const WeightSolverOptions& weights,
                                            JointSolverOptions joints);

/// Whether there is more than one component with bones that deform.
[[nodiscard]] bool is_in_pieces(const SkeletonJoints& joints);

/// Moves the components of a skeleton in several pieces against each other in each exemplar, so
/// that the mesh distorts least at the weights of its maps: nothing else says where they are when
/// they turn ([araplbs] Figure 12). Joints stay. `joints` and `exemplars` are in model
/// space.
[[nodiscard]] Status place_components(WeightProblem& skin, const SkeletonJoints& joints,
                                      std::span<const SampledPose> exemplars,
                                      const UnitFrame& frame, const WeightSolverOptions& rotations);

}  // namespace sinew
