// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// What an optimised bind costs from heat on, with 80 exemplars: initialisation, and one iteration
// with clustered and with exact rotations. The literal sums of the paper are timed in the same run,
// one iteration of them, as the baseline.
#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <benchmark/benchmark.h>

#include "arap/solver_problem.h"
#include "sinew/bind/bind.h"
#include "support/literal_araplbs.h"

namespace sinew {
namespace {

using Prepared = bench::SolverProblem;

const Prepared& prepared_once(const std::string& name, int vertices,
                              const std::string& spine = "") {
  static std::map<std::tuple<std::string, int, std::string>, Prepared> all;
  const auto [entry, is_new] = all.try_emplace({name, vertices, spine});
  if (is_new) entry->second = bench::solver_problem(name, vertices, spine);
  return entry->second;
}

WeightSolverOptions solver_options(const Prepared& prepared, RotationMode rotations) {
  WeightSolverOptions options = bench::usual_solver(prepared);
  options.rotations = rotations;
  return options;
}

void describe(benchmark::State& state, const Prepared& prepared) {
  state.counters["vertices"] = static_cast<double>(prepared.problem.positions.size());
  state.counters["bones"] = static_cast<double>(prepared.bones);
}

/// Tables and the first factor; what comes before, from heat on, is a counter.
void initialise(benchmark::State& state, const std::string& name, RotationMode rotations,
                const std::string& spine = "") {
  const Prepared& prepared = prepared_once(name, static_cast<int>(state.range(0)), spine);
  for (auto _ : state)
    benchmark::DoNotOptimize(WeightSolver::create(prepared.problem, prepared.constraints,
                                                  solver_options(prepared, rotations)));
  describe(state, prepared);
  state.counters["heat_to_constraints_s"] = prepared.initialisation_s;
}

/// The mean of the steps of a whole run, and as a counter the median of those that only step.
void iterate(benchmark::State& state, const std::string& name, RotationMode rotations,
             const std::string& spine = "") {
  const Prepared& prepared = prepared_once(name, static_cast<int>(state.range(0)), spine);
  auto solver = WeightSolver::create(prepared.problem, prepared.constraints,
                                     solver_options(prepared, rotations));
  std::vector<double> plain_ms;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    if (!solver->step().ok()) {
      state.SkipWithError("the step failed");
      break;
    }
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    if (solver->steps().back().constraints == 0) plain_ms.push_back(taken.count());
  }
  describe(state, prepared);
  // Where weights went below zero, constraints are added to the factor too.
  std::ranges::sort(plain_ms);
  if (!plain_ms.empty()) state.counters["plain_ms"] = plain_ms[plain_ms.size() / 2];
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
  bench->Iterations(10)->Unit(benchmark::kMillisecond)->UseRealTime();
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

// The same body with one parametrised bone.
BENCHMARK_CAPTURE(initialise, biped_spine_clustered, "biped", RotationMode::clustered, "Spine")
    ->Arg(43'000)
    ->Apply(once);
BENCHMARK_CAPTURE(iterate, biped_spine_clustered, "biped", RotationMode::clustered, "Spine")
    ->Arg(43'000)
    ->Apply(some);

}  // namespace
}  // namespace sinew
