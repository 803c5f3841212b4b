// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "arap/weight_system.h"
#include "math/random.h"
#include "sinew/arap/weight_solver.h"
#include "support/literal_araplbs.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

/// Σ a_ik |w_k − w_i|² over directed edges and all bones, as it is written.
double literal_roughness(const WeightProblem& problem, const std::vector<double>& weights) {
  const auto weight = [&](std::size_t vertex, std::uint32_t bone) {
    const std::optional<std::size_t> found = problem.maps.find(vertex, bone);
    return found ? weights[*found] : 0;
  };
  double sum = 0;
  for (std::size_t i = 0; i < problem.graph.vertex_count(); ++i)
    for (std::size_t e = problem.graph.begin[i]; e < problem.graph.begin[i + 1]; ++e)
      for (std::uint32_t bone = 0; bone < problem.maps.bone_count; ++bone) {
        const double step = weight(problem.graph.neighbours[e], bone) - weight(i, bone);
        sum += problem.graph.edge_measure[e] * step * step;
      }
  return sum;
}

/// Rows that sum to one, negative weights among them.
std::vector<double> any_weights(const InfluenceMaps& maps, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> weights(maps.bones.size());
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    double rest = 1;
    for (std::size_t b = maps.begin[i]; b + 1 < maps.begin[i + 1]; ++b) {
      weights[b] = random.uniform(-0.3, 0.8);
      rest -= weights[b];
    }
    weights[maps.begin[i + 1] - 1] = rest;
  }
  return weights;
}

WeightSolverOptions smoothed(double smoothing) {
  WeightSolverOptions options = plain_solver();
  options.smoothing = smoothing;
  return options;
}

TEST(Smoothing, AddsWhatTheWeightsDifferFromEdgeToEdge) {
  constexpr double kTau = 0.07;
  for (const auto& [name, problem] : random_problems()) {
    const WeightSystem plain(problem, {.regulariser = 1e-6});
    const WeightSystem smooth(problem, {.regulariser = 1e-6, .smoothing = kTau});
    const std::vector<double> beta = any_weights(problem.maps, 9);  // any rotations' will do
    for (const std::uint64_t seed : {1, 2}) {
      const std::vector<double> weights = any_weights(problem.maps, seed);
      const double expected = static_cast<double>(problem.exemplars.size()) * kTau * kTau *
                              literal_roughness(problem, weights);
      const double without = plain.energy(problem.maps, weights, beta);
      EXPECT_NEAR(smooth.energy(problem.maps, weights, beta) - without, expected,
                  1e-9 * (std::abs(without) + expected))
          << name;
    }
  }
}

TEST(Smoothing, IsNoPartOfTheDistortion) {
  for (const auto& [name, problem] : random_problems()) {
    const WeightSolver plain = made_solver(problem, {}, smoothed(0));
    const WeightSolver smooth = made_solver(problem, {}, smoothed(0.1));
    const LiteralAraplbs literal(problem, strongest_places(problem.maps));
    const std::vector<double> weights = any_weights(problem.maps, 3);
    EXPECT_NEAR(smooth.arap_of(weights), plain.arap_of(weights),
                1e-9 * (1 + plain.arap_of(weights)))
        << name;
    EXPECT_NEAR(smooth.arap_of(weights),
                literal.energy(weights, literal.rotations(weights)) / literal.rest_energy(),
                1e-8 * (1 + plain.arap_of(weights)))
        << name;
  }
}

TEST(Smoothing, IsWhatBonesThatAreOffAtRandomCostOnAverage) {
  // Every exemplar, many times: each time with one bone displaced.
  constexpr double kTau = 0.05;
  const MadeProblem made = made_problem(chain_character(), 4);
  WeightProblem jittered = made.problem;
  jittered.exemplars.clear();
  const std::size_t bones = made.problem.maps.bone_count;
  for (const std::vector<Affine3>& exemplar : made.problem.exemplars)
    for (std::size_t moved = 0; moved < bones; ++moved)
      for (const double sign : {-1.0, 1.0}) {
        jittered.exemplars.push_back(exemplar);
        // Of every `bones` exemplars one displaces this bone, so it does so by more.
        jittered.exemplars.back()[moved].pretranslate(
            Vec3(sign * kTau * std::sqrt(static_cast<double>(bones)), 0, 0));
      }
  const WeightSystem smooth(made.problem, {.smoothing = kTau});
  const WeightSystem literal(jittered, {});
  const std::vector<double> none(made.problem.maps.bones.size(), 0);
  const double copies = 2 * static_cast<double>(bones);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<double> weights = any_weights(made.problem.maps, seed);
    const double expected = literal.energy(made.problem.maps, weights, none) / copies;
    EXPECT_NEAR(smooth.energy(made.problem.maps, weights, none), expected, 1e-9 * expected);
  }
}

TEST(Smoothing, MoreOfItLeavesLessDifferenceFromEdgeToEdge) {
  // Of a minimum of f + τ² g, g falls as τ grows.
  std::vector<NamedProblem> problems = random_problems();
  problems.push_back({"chain", made_problem(chain_character()).problem});
  for (const auto& [name, problem] : problems) {
    double before = std::numeric_limits<double>::infinity();
    for (const double smoothing : {0.0, 0.02, 0.1, 0.5}) {
      WeightSolver solver = made_solver(problem, {}, smoothed(smoothing));
      ASSERT_TRUE(solver.step().ok());
      const double roughness = literal_roughness(problem, solver.weights());
      EXPECT_LE(roughness, before * (1 + 1e-9)) << name << ", " << smoothing;
      before = roughness;
    }
  }
}

TEST(Smoothing, EnergyNeverRises) {
  for (const auto& [name, problem] : random_problems()) {
    WeightSolver solver = made_solver(problem, {}, smoothed(0.05));
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < 8; ++step) {
      ASSERT_TRUE(solver.step().ok());
      for (const double energy :
           {solver.steps().back().after_rotations, solver.steps().back().after_weights}) {
        EXPECT_LE(energy, before + 1e-10) << name << ", step " << step;
        before = energy;
      }
    }
  }
}

TEST(Smoothing, OfNothingIsNone) {
  const MadeProblem made = made_problem(chain_character());
  WeightSolver plain = made_solver(made.problem, made.constraints, plain_solver());
  WeightSolver zero = made_solver(made.problem, made.constraints, smoothed(0));
  solve(plain);
  solve(zero);
  EXPECT_EQ(plain.weights(), zero.weights());
}

TEST(Smoothing, BelowNothingIsRefused) {
  const auto refused =
      WeightSolver::create(made_problem(chain_character()).problem, {}, smoothed(-0.01));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace sinew::test
