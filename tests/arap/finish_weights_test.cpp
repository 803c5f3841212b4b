// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/finish_weights.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/core/threads.h"
#include "sinew/weights/cap_influences.h"
#include "support/literal_araplbs.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::LiteralAraplbs;
using test::made_problem;
using test::made_solver;
using test::MadeProblem;
using test::plain_solver;
using test::random_problem;
using test::solve;

WeightSolver solved(const MadeProblem& made, const WeightSolverOptions& options = {}) {
  WeightSolver solver = made_solver(made.problem, made.constraints, options);
  solve(solver);
  return solver;
}

/// A problem whose solution is full of negative weights, with five bones on many vertices.
WeightSolver unruly(std::uint64_t seed) {
  WeightSolverOptions options = plain_solver();
  options.max_iterations = 6;
  WeightSolver solver =
      made_solver(random_problem(test::make_mesh(test::limb_data()),
                                 {.bones = 6, .most_influences = 6, .seed = seed}),
                  {}, options);
  solve(solver);
  return solver;
}

FinishedWeights finished(const WeightSolver& solver, const FinishOptions& options = {}) {
  Result<FinishedWeights> result = finish_weights(solver, options);
  if (!result.ok()) throw std::runtime_error(result.error().to_string());
  return *std::move(result);
}

void expect_deliverable(const FinishedWeights& found, const WeightSolver& solver, int cap,
                        const std::string& name) {
  ASSERT_EQ(found.weights.vertex_count(), solver.problem().positions.size()) << name;
  EXPECT_EQ(found.weights.unweighted_count(), 0u) << name;
  EXPECT_LE(found.weights.max_influences(), static_cast<std::size_t>(cap)) << name;
  for (std::size_t i = 0; i < found.weights.vertex_count(); ++i) {
    double sum = 0;
    for (const auto& [bone, weight] : found.weights.row(i)) {
      EXPECT_GT(weight, 0) << name << ", vertex " << i;
      EXPECT_TRUE(std::ranges::binary_search(solver.problem().maps.bones_of(i), bone)) << name;
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-15 * 4) << name << ", vertex " << i;
  }
  EXPECT_TRUE(std::isfinite(found.arap_after)) << name;
}

/// Weights beside the maps' bones, with zeros where there are none.
std::vector<double> beside(const InfluenceMaps& maps, const SkinWeights& weights) {
  std::vector<double> result(maps.bones.size(), 0);
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
      for (const Influence& influence : weights.row(i))
        if (influence.bone == maps.bones[b]) result[b] = influence.weight;
  return result;
}

double literal_arap(const WeightProblem& problem, const std::vector<double>& weights) {
  const LiteralAraplbs literal(problem, test::strongest_places(problem.maps));
  return literal.energy(weights, literal.rotations(weights)) / literal.rest_energy();
}

TEST(FinishWeights, EveryCharacterOfTheZooIsDeliverableUnderAnyCap) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const WeightSolver solver = solved(made_problem(test::limb_character(zoo.mesh.data())));
    for (const int cap : {1, 2, 4}) {
      FinishOptions options;
      options.max_influences = cap;
      expect_deliverable(finished(solver, options), solver, cap, zoo.name);
    }
  }
}

TEST(FinishWeights, UnrulyWeightsAreDeliverableUnderAnyCap) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const WeightSolver solver = unruly(seed);
    ASSERT_LT(*std::ranges::min_element(solver.weights()), -0.01) << "there is something to mend";
    std::size_t dropped_before = std::numeric_limits<std::size_t>::max();
    for (const int cap : {1, 2, 4, 8}) {
      FinishOptions options;
      options.max_influences = cap;
      const FinishedWeights found = finished(solver, options);
      expect_deliverable(found, solver, cap, "unruly");
      EXPECT_LE(found.dropped, dropped_before) << "a higher cap drops less";
      dropped_before = found.dropped;
    }
    EXPECT_EQ(dropped_before, 0u) << "no vertex has eight bones";
  }
}

TEST(FinishWeights, CapOfOneLeavesWeightsOfOne) {
  const WeightSolver solver = unruly(4);
  FinishOptions options;
  options.max_influences = 1;
  const FinishedWeights found = finished(solver, options);
  for (std::size_t i = 0; i < found.weights.vertex_count(); ++i) {
    ASSERT_EQ(found.weights.row(i).size(), 1u);
    EXPECT_EQ(found.weights.row(i)[0].weight, 1);
  }
}

TEST(FinishWeights, ReportedEnergyIsThatOfTheWeights) {
  for (const Character& character : {test::chain_character(), test::tetrahedral_cube()}) {
    const WeightSolver solver = solved(made_problem(character));
    for (const int cap : {1, 2, 4}) {
      FinishOptions options;
      options.max_influences = cap;
      const FinishedWeights found = finished(solver, options);
      EXPECT_NEAR(found.arap_after,
                  literal_arap(solver.problem(), beside(solver.problem().maps, found.weights)),
                  1e-9);
    }
  }
}

TEST(FinishWeights, SolvingUnderTheCapBeatsCuttingAndScaling) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const WeightSolver solver = unruly(seed);
    FinishOptions options;
    options.max_influences = 2;
    const InfluenceMaps& maps = solver.problem().maps;
    std::vector<std::vector<Influence>> rows(maps.vertex_count());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
        if (solver.weights()[b] > 0) rows[i].push_back({maps.bones[b], solver.weights()[b]});
    const SkinWeights cut = cap_influences(SkinWeights::from_rows(maps.bone_count, rows), 2);
    EXPECT_LT(finished(solver, options).arap_after, solver.arap_of(beside(maps, cut)));
  }
}

TEST(FinishWeights, SameBitsForOneAndTwoThreads) {
  const MadeProblem made =
      made_problem(test::limb_character(test::limb_data({32, 60, 0.2, 2})), 20);
  std::vector<FinishedWeights> found;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    WeightSolverOptions options;
    options.max_iterations = 4;
    options.rotations = RotationMode::clustered;
    found.push_back(finished(solved(made, options)));
  }
  EXPECT_EQ(found[0].weights, found[1].weights);
  EXPECT_EQ(found[0].arap_after, found[1].arap_after);
}

TEST(FinishWeights, CapBelowOneIsRefused) {
  FinishOptions options;
  options.max_influences = 0;
  const auto result = finish_weights(unruly(1), options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(result.error().place, "max_influences");
}

/// How many patches of each bone weigh more than `least`, on vertices of one part each.
std::vector<std::size_t> patches(const WeightProblem& problem, const SkinWeights& weights,
                                 const std::vector<int>& parts, double least) {
  std::vector<std::size_t> count(weights.bone_count(), 0);
  for (std::uint32_t bone = 0; bone < weights.bone_count(); ++bone) {
    std::vector<bool> is_open(weights.vertex_count(), false);
    for (std::size_t v = 0; v < is_open.size(); ++v)
      for (const Influence& influence : weights.row(v))
        is_open[v] = is_open[v] || (influence.bone == bone && influence.weight > least);
    std::vector<std::size_t> stack;
    for (std::size_t start = 0; start < is_open.size(); ++start) {
      if (!is_open[start]) continue;
      ++count[bone];
      is_open[start] = false;
      stack.assign(1, start);
      while (!stack.empty()) {
        const std::size_t v = stack.back();
        stack.pop_back();
        for (const VertexIndex k : problem.graph.neighbours_of(v)) {
          if (!is_open[k] || parts[k] != parts[v]) continue;
          is_open[k] = false;
          stack.push_back(k);
        }
      }
    }
  }
  return count;
}

/// A chain whose topmost bone also has a third of the lowest ring, far from all the rest of it.
WeightSolver with_a_stray_patch(double weight = 0.2) {
  MadeProblem made = made_problem(test::chain_character());
  constexpr std::uint32_t kTop = 3;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> added;
  for (std::uint32_t v = 0; v < 16; ++v) added.emplace_back(v, kTop);
  made.problem.maps = with_more_bones(made.problem.maps, added);
  for (std::uint32_t v = 0; v < 16; ++v)
    made.constraints.push_back({v, kTop, weight, 10 * paper_stiffness(made.problem, v)});
  return solved(made);
}

TEST(FinishWeights, OfABonesPatchesOnAPartOnlyTheMainOneStays) {
  const WeightSolver solver = with_a_stray_patch();
  const WeightProblem& problem = solver.problem();
  FinishOptions options;
  const std::vector<int> one_part(problem.positions.size(), 0);
  ASSERT_EQ(patches(problem, finished(solver, options).weights, one_part, 0.05)[3], 2u)
      << "without parts all stay";

  options.parts = one_part;
  const FinishedWeights found = finished(solver, options);
  expect_deliverable(found, solver, options.max_influences, "stray");
  for (const std::size_t count : patches(problem, found.weights, one_part, 0.05))
    EXPECT_EQ(count, 1u);
  const InfluenceMaps& maps = problem.maps;
  for (std::size_t v = 0; v < maps.vertex_count(); ++v) {
    const auto row = std::span(solver.weights()).subspan(maps.begin[v], maps.bones_of(v).size());
    const std::uint32_t strongest =
        maps.bones_of(v)[static_cast<std::size_t>(std::ranges::max_element(row) - row.begin())];
    EXPECT_TRUE(std::ranges::any_of(found.weights.row(v), [&](const Influence& influence) {
      return influence.bone == strongest;
    })) << v;
  }
}

struct StrayLimits {  // of a vertex
  double most = 0.25;
  double most_on_body = 0.5;
};

/// What find_strays does, bone by bone and part by part.
std::vector<bool> literal_strays(const WeightProblem& problem, const std::vector<double>& weights,
                                 const std::vector<int>& parts, const StrayLimits& limits = {}) {
  constexpr double kCounts = 0.05;    // weights above
  constexpr double kAsHeavy = 0.999;  // of the heaviest patch
  constexpr double kAsLarge = 0.999;  // of the largest part
  const InfluenceMaps& maps = problem.maps;
  std::vector<bool> is_apart(weights.size(), false);
  for (std::uint32_t bone = 0; bone < maps.bone_count; ++bone) {
    std::map<int, std::vector<std::pair<double, std::vector<std::size_t>>>> patches;  // of parts
    std::set<std::size_t> seen;
    for (std::size_t start = 0; start < maps.vertex_count(); ++start) {
      const auto place = maps.find(start, bone);
      if (!place || !(weights[*place] > kCounts) || !seen.insert(start).second) continue;
      auto& [mass, places] = patches[parts[start]].emplace_back();
      std::vector<std::size_t> stack{start};
      while (!stack.empty()) {
        const std::size_t v = stack.back();
        stack.pop_back();
        places.push_back(*maps.find(v, bone));
        mass += weights[places.back()] * problem.graph.vertex_measure[v];
        for (const VertexIndex k : problem.graph.neighbours_of(v)) {
          const auto there = maps.find(k, bone);
          if (there && weights[*there] > kCounts && parts[k] == parts[v] && seen.insert(k).second)
            stack.push_back(k);
        }
      }
    }
    for (const auto& [part, of_part] : patches) {
      const double most =
          std::ranges::max(of_part, {}, [](const auto& each) { return each.first; }).first;
      for (const auto& [mass, places] : of_part)
        for (const std::size_t place : places) is_apart[place] = mass < kAsHeavy * most;
    }
  }
  std::map<int, double> measure;
  for (std::size_t v = 0; v < maps.vertex_count(); ++v)
    measure[parts[v]] += parts[v] < 0 ? 0 : problem.graph.vertex_measure[v];
  const double largest = std::ranges::max(std::views::values(measure));
  std::vector<bool> strays(weights.size(), false);
  for (std::size_t v = 0; v < maps.vertex_count(); ++v) {
    const double most = measure[parts[v]] >= kAsLarge * largest ? limits.most_on_body : limits.most;
    std::size_t strongest = maps.begin[v];
    for (std::size_t b = maps.begin[v]; b < maps.begin[v + 1]; ++b)
      if (weights[b] > weights[strongest]) strongest = b;
    double stray = 0;
    for (std::size_t b = maps.begin[v]; b < maps.begin[v + 1]; ++b)
      if (b != strongest && is_apart[b]) stray += weights[b];
    for (std::size_t b = maps.begin[v]; b < maps.begin[v + 1]; ++b)
      strays[b] = b != strongest && is_apart[b] && !(stray > most);
  }
  return strays;
}

TEST(FinishWeights, StraysAreThoseThatASearchForEachBoneFinds) {
  // Vertices of a large tube in no order, so that patches run across all chunks of them.
  MeshData data = test::limb_data({60, 60, 0.2, 2});
  std::vector<VertexIndex> renamed(data.positions.size());
  std::iota(renamed.begin(), renamed.end(), 0U);
  Random random(8);
  for (std::size_t v = renamed.size(); v > 1; --v)
    std::swap(renamed[v - 1],
              renamed[static_cast<std::size_t>(random.uniform(0, static_cast<double>(v)))]);
  MeshData shuffled = data;
  for (std::size_t v = 0; v < renamed.size(); ++v)
    shuffled.positions[renamed[v]] = data.positions[v];
  for (Triangle& triangle : shuffled.triangles)
    for (VertexIndex& corner : triangle) corner = renamed[corner];
  WeightProblem problem = test::random_problem(test::make_mesh(shuffled));
  ASSERT_GT(problem.positions.size(), 3000u);
  std::vector<double> weights(problem.maps.bones.size());
  std::vector<int> parts(problem.positions.size());
  for (std::size_t v = 0; v < problem.positions.size(); ++v) {
    const Vec3& at = problem.positions[v];
    parts[v] = at.y() > 0.15 ? 1 : at.y() > 0.1 ? -1 : 0;
    for (std::size_t b = problem.maps.begin[v]; b < problem.maps.begin[v + 1]; ++b)
      weights[b] = std::max(0.0, 0.15 + 0.15 * std::sin(40 * at.y() + 2 * problem.maps.bones[b]) +
                                     0.1 * std::sin(3000 * at.x() * at.z()));
  }
  const std::vector<bool> expected = literal_strays(problem, weights, parts);
  const std::vector<bool> unlimited = literal_strays(problem, weights, parts, {1e9, 1e9});
  std::map<int, std::size_t> going;
  std::map<int, std::size_t> staying;  // since too much would go
  for (std::size_t v = 0; v < parts.size(); ++v)
    for (std::size_t b = problem.maps.begin[v]; b < problem.maps.begin[v + 1]; ++b) {
      going[parts[v]] += expected[b];
      staying[parts[v]] += unlimited[b] && !expected[b];
    }
  for (const int part : {0, 1}) {
    EXPECT_GT(going[part], 20u) << part;
    EXPECT_GT(staying[part], 20u) << part;
  }
  EXPECT_EQ(find_strays(problem, weights, parts), expected);
  const ThreadLimit limit(1);
  EXPECT_EQ(find_strays(problem, weights, parts), expected);
}

TEST(FinishWeights, PatchesThatCarryMuchOfTheirVerticesStayButOnTheBody) {
  const WeightSolver solver = with_a_stray_patch(0.4);
  const WeightProblem& problem = solver.problem();
  const std::vector<int> one_part(problem.positions.size(), 0);
  const auto patches_of_top = [&](const std::vector<int>& parts) {
    FinishOptions options;
    options.parts = parts;
    return patches(problem, finished(solver, options).weights, one_part, 0.05)[3];
  };
  EXPECT_EQ(patches_of_top(one_part), 1u) << "more holds it all around";
  std::vector<int> parts = one_part;
  const Box box = bounding_box(problem.positions);
  for (std::size_t v = 0; v < parts.size(); ++v) {
    const double height = (problem.positions[v].y() - box.min().y()) / box.sizes().y();
    parts[v] = std::abs(height - 0.5) < 0.4 ? 0 : 1;  // as if its ends were something else
  }
  EXPECT_EQ(patches_of_top(parts), 2u) << "to take them off would tear";
}

TEST(FinishWeights, MoreRoundsEndLower) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const WeightSolver solver = unruly(seed);
    double last = finished(solver).arap_after;
    for (const int rounds : {4, 6, 12}) {
      FinishOptions options;
      options.rounds = options.least_rounds = rounds;
      const double arap = finished(solver, options).arap_after;
      EXPECT_LT(arap, rounds <= 6 ? last : last * (1 + 1e-3)) << seed << ": " << rounds;
      last = arap;
    }
  }
}

TEST(FinishWeights, ExactRotationsEndLowerAndAreMeasuredAsTheSolverMeasures) {
  WeightSolverOptions clustered = plain_solver(RotationMode::clustered);
  clustered.clusters = 12;
  const WeightSolver solver = solved(made_problem(test::chain_character()), clustered);
  FinishOptions options;
  options.rounds = options.least_rounds = 6;
  const FinishedWeights as_solved = finished(solver, options);
  options.rotations = RotationMode::exact;
  const FinishedWeights exact = finished(solver, options);
  const InfluenceMaps& maps = solver.problem().maps;
  const auto arap_of = [&](const FinishedWeights& found) {
    return literal_arap(solver.problem(), beside(maps, found.weights));
  };
  EXPECT_LT(arap_of(exact), 0.999 * arap_of(as_solved));
  EXPECT_DOUBLE_EQ(exact.arap_after, solver.arap_of(beside(maps, exact.weights)));
  EXPECT_GT(exact.arap_after, arap_of(exact)) << "clusters cannot turn as well";
  options.rotations = RotationMode::clustered;
  EXPECT_EQ(finished(solver, options).weights, as_solved.weights);
}

TEST(FinishWeights, PatchesOnOtherPartsAreNotStrays) {
  const WeightSolver solver = with_a_stray_patch();
  FinishOptions options;
  for (const Vec3& position : solver.problem().positions)
    options.parts.push_back(position.y() < 0 ? 0 : 1);  // as if it were cut in the middle
  EXPECT_EQ(patches(solver.problem(), finished(solver, options).weights, options.parts, 0.05)[3],
            2u);
}

TEST(FinishWeights, PartsForSomeVerticesAloneAreRefused) {
  FinishOptions options;
  options.parts = {0, 0, 0};
  const auto result = finish_weights(unruly(1), options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().place, "parts");
}

/// The mean over all weights of how far they are from the mean of their neighbours'.
double roughness(const WeightProblem& problem, const SkinWeights& weights) {
  const std::vector<double> dense = beside(problem.maps, weights);
  double sum = 0;
  for (std::size_t i = 0; i < problem.maps.vertex_count(); ++i)
    for (std::size_t b = problem.maps.begin[i]; b < problem.maps.begin[i + 1]; ++b) {
      double mean = 0;
      for (const VertexIndex k : problem.graph.neighbours_of(i))
        if (const auto there = problem.maps.find(k, problem.maps.bones[b])) mean += dense[*there];
      sum += std::abs(dense[b] - mean / static_cast<double>(problem.graph.neighbours_of(i).size()));
    }
  return sum / static_cast<double>(problem.maps.bones.size());
}

TEST(FinishWeights, KinksAreEvenedOutWhereEdgesAreShortAndNowhereElse) {
  const WeightSolver solver = solved(made_problem(test::limb_character(test::limb_data())));
  FinishOptions options;
  options.max_influences = 2;
  const FinishedWeights plain = finished(solver, options);
  double longest = 0;
  double shortest = 1;
  for (std::size_t i = 0; i < solver.problem().positions.size(); ++i)
    for (const VertexIndex k : solver.problem().graph.neighbours_of(i)) {
      const double length = (solver.problem().positions[i] - solver.problem().positions[k]).norm();
      longest = std::max(longest, length);
      shortest = std::min(shortest, length);
    }
  options.even_out_below = shortest / 2;
  EXPECT_EQ(finished(solver, options).weights, plain.weights);
  options.even_out_below = 4 * longest;
  const FinishedWeights even = finished(solver, options);
  expect_deliverable(even, solver, options.max_influences, "evened out");
  EXPECT_LT(roughness(solver.problem(), even.weights),
            0.8 * roughness(solver.problem(), plain.weights));
}

TEST(FinishWeights, CanBeStoppedAtEveryStage) {
  const WeightSolver solver = unruly(1);
  std::vector<std::string> stages;
  ASSERT_TRUE(finish_weights(solver, {}, Progress([&](std::string_view stage, double) {
                               if (stages.empty() || stages.back() != stage)
                                 stages.emplace_back(stage);
                             }))
                  .ok());
  ASSERT_EQ(stages, (std::vector<std::string>{"tables", "clusters", "factor", "finish"}));
  for (const std::string& wanted : stages) {
    std::atomic<bool> cancel = false;
    const auto result = finish_weights(
        solver, {},
        Progress([&](std::string_view stage, double) { cancel = cancel || stage == wanted; },
                 &cancel));
    ASSERT_FALSE(result.ok()) << wanted;
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  }
}

}  // namespace
}  // namespace sinew
