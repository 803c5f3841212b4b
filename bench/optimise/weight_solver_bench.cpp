// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// What an optimised bind costs from heat on, with 80 exemplars: initialisation, and one iteration
// with clustered and with exact rotations. The literal sums of the paper are timed in the same run,
// one iteration of them, as the baseline.
#include <chrono>
#include <map>
#include <string>

#include <benchmark/benchmark.h>

#include "characters/characters.h"
#include "sinew/exemplars/exemplars.h"
#include "sinew/model/leaf_tails.h"
#include "sinew/pipeline/bind.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/sparsify.h"
#include "support/literal_araplbs.h"

namespace sinew {
namespace {

struct Prepared {
  WeightProblem problem;
  std::vector<WeightConstraint> constraints;
  double initialisation_s = 0;  // heat to constraints
  std::size_t bones = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A generated character as bind meets it before it solves.
Prepared prepare(const std::string& name, int vertices) {
  ExampleOptions options;
  options.vertices = vertices;
  Character character = make_example(name, options)->character;
  character.weights = SkinWeights(character.mesh.vertex_count(), character.skeleton.bone_count());
  const std::vector<BoneRole> roles = decide_deforming_bones(character);
  const EffectiveHierarchy hierarchy = find_effective_hierarchy(character, roles);
  const Skeleton skeleton =
      guess_leaf_tails(effective_skeleton(character.skeleton, roles, hierarchy), character.mesh,
                       character.weights)
          .skeleton;
  const PreparedMesh mesh = prepare_mesh(character.mesh);
  const BoneCells cells = find_bone_cells(mesh, BoneSegments(skeleton, mesh.frame));

  Prepared prepared;
  const auto start = std::chrono::steady_clock::now();
  const SkinWeights heat =
      heat_weights(mesh, cells, std::vector<bool>(mesh.parts.count(), true))->weights;
  const InfluenceMaps maps =
      widen_steep_edges(sparsify(heat, mesh.graph, skeleton), mesh.graph, BindOptions().steep_edge);
  ConstrainedProblem constrained = constrain_as_paper(
      make_weight_problem(mesh, maps, sample_exemplars(character.skeleton, roles, hierarchy)),
      cells, {});
  prepared.problem = std::move(constrained.problem);
  prepared.constraints = std::move(constrained.constraints);
  prepared.initialisation_s = seconds_since(start);
  prepared.bones = character.skeleton.bone_count();
  return prepared;
}

const Prepared& prepared_once(const std::string& name, int vertices) {
  static std::map<std::pair<std::string, int>, Prepared> all;
  const auto [entry, is_new] = all.try_emplace({name, vertices});
  if (is_new) entry->second = prepare(name, vertices);
  return entry->second;
}

WeightSolverOptions solver_options(RotationMode rotations) {
  WeightSolverOptions options;
  options.rotations = rotations;
  return options;
}

void describe(benchmark::State& state, const Prepared& prepared) {
  state.counters["vertices"] = static_cast<double>(prepared.problem.positions.size());
  state.counters["bones"] = static_cast<double>(prepared.bones);
}

/// Tables and the first factor; what comes before, from heat on, is a counter.
void initialise(benchmark::State& state, const std::string& name, RotationMode rotations) {
  const Prepared& prepared = prepared_once(name, static_cast<int>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        WeightSolver::create(prepared.problem, prepared.constraints, solver_options(rotations)));
  describe(state, prepared);
  state.counters["heat_to_constraints_s"] = prepared.initialisation_s;
}

void iterate(benchmark::State& state, const std::string& name, RotationMode rotations) {
  const Prepared& prepared = prepared_once(name, static_cast<int>(state.range(0)));
  auto solver =
      WeightSolver::create(prepared.problem, prepared.constraints, solver_options(rotations));
  for (auto _ : state)
    if (!solver->step().ok()) state.SkipWithError("the step failed");
  describe(state, prepared);
}

/// Rotations and right-hand side by the paper's own loops, without solving for the weights.
void iterate_literally(benchmark::State& state, const std::string& name) {
  const Prepared& prepared = prepared_once(name, static_cast<int>(state.range(0)));
  const std::vector<std::size_t> first(prepared.problem.positions.size(), 0);
  const test::LiteralAraplbs literal(prepared.problem, first);
  for (auto _ : state) {
    const auto rotations = literal.rotations(prepared.problem.maps.weights);
    benchmark::DoNotOptimize(literal.linear(rotations));
  }
  describe(state, prepared);
}

void once(benchmark::internal::Benchmark* bench) {
  bench->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
}
void some(benchmark::internal::Benchmark* bench) {
  bench->Iterations(5)->Unit(benchmark::kMillisecond)->UseRealTime();
}

#define SINEW_BENCH_SOLVER(NAME, VERTICES)                                        \
  BENCHMARK_CAPTURE(initialise, NAME##_clustered, #NAME, RotationMode::clustered) \
      ->Arg(VERTICES)                                                             \
      ->Apply(once);                                                              \
  BENCHMARK_CAPTURE(iterate, NAME##_clustered, #NAME, RotationMode::clustered)    \
      ->Arg(VERTICES)                                                             \
      ->Apply(some);                                                              \
  BENCHMARK_CAPTURE(initialise, NAME##_exact, #NAME, RotationMode::exact)         \
      ->Arg(VERTICES)                                                             \
      ->Apply(once);                                                              \
  BENCHMARK_CAPTURE(iterate, NAME##_exact, #NAME, RotationMode::exact)            \
      ->Arg(VERTICES)                                                             \
      ->Apply(some);                                                              \
  BENCHMARK_CAPTURE(iterate_literally, NAME, #NAME)->Arg(VERTICES)->Apply(once)

SINEW_BENCH_SOLVER(tentacle, 6'000);
SINEW_BENCH_SOLVER(quadruped, 14'000);
SINEW_BENCH_SOLVER(biped, 43'000);

}  // namespace
}  // namespace sinew
