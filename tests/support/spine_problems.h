// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <numbers>
#include <vector>

#include "sinew/arap/weight_constraints.h"
#include "support/weight_problems.h"

namespace sinew::test {

struct RandomSpineOptions {
  std::size_t spines = 2;                       // the first bones of the problem
  double angle_max_rad = std::numbers::pi / 3;  // either way
  double stretch_min = 0.5;
  double stretch_max = 2;
  std::uint64_t seed = 1;
};
/// Makes bones of a problem spines that lie anywhere and bend about anything.
[[nodiscard]] WeightProblem with_random_spines(WeightProblem problem,
                                               const RandomSpineOptions& options = {});

/// The random problems, each with two spines or, where it has but two bones, one.
[[nodiscard]] std::vector<NamedProblem> random_spine_problems(
    const RandomSpineOptions& options = {});

/// Every vertex of a mesh on a segment: where it is nearest, and how that changes.
[[nodiscard]] SpineBone attached_to(int bone, const SpineRest& rest,
                                    std::span<const Vec3> positions);

/// A problem as bind would make it, and what holds its mesh to its bones.
struct HeldProblem {
  WeightProblem problem;
  std::vector<WeightConstraint> constraints;
};
/// A tube with rigid hips and chest, and between them a torso that bends by up to 60°.
[[nodiscard]] HeldProblem torso_problem(int exemplars = 24);
/// A tube with an arm that gets half to four times as long and twists by up to 60°, and a rigid
/// hand: [araplbs] Figure 6.
[[nodiscard]] HeldProblem stretchy_arm_problem(int exemplars = 24);

}  // namespace sinew::test
