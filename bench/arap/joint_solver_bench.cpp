// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// What fitting joints costs beside weights, with 80 exemplars: the tables, system and factor, and
// one iteration, with clustered and with exact rotations. The same for the weight solver is in
// weight_solver_bench.cpp.
#include <benchmark/benchmark.h>

#include "arap/solver_problem.h"

namespace sinew {
namespace {

constexpr int kVertices = 43'000;

const bench::SolverProblem& biped() {
  static const bench::SolverProblem prepared = bench::solver_problem("biped", kVertices);
  return prepared;
}

JointProblem problem() {
  const bench::SolverProblem& prepared = biped();
  return make_joint_problem(prepared.problem, prepared.joints, prepared.poses, prepared.frame);
}

JointSolverOptions solver_options(RotationMode rotations) {
  JointSolverOptions options;
  options.rotations = rotations;
  return options;
}

void set_up(benchmark::State& state, RotationMode rotations) {
  const JointProblem made = problem();
  for (auto _ : state)
    benchmark::DoNotOptimize(JointSolver::create(made, solver_options(rotations)));
  state.counters["vertices"] = static_cast<double>(made.skin.positions.size());
  state.counters["joints"] = static_cast<double>(made.joints.joints.size());
}

void iterate(benchmark::State& state, RotationMode rotations) {
  auto solver = JointSolver::create(problem(), solver_options(rotations));
  for (auto _ : state) solver->step();
}

void once(benchmark::internal::Benchmark* bench) {
  bench->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
}
void some(benchmark::internal::Benchmark* bench) {
  bench->Iterations(5)->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(set_up, joints_clustered, RotationMode::clustered)->Apply(once);
BENCHMARK_CAPTURE(iterate, joints_clustered, RotationMode::clustered)->Apply(some);
BENCHMARK_CAPTURE(set_up, joints_exact, RotationMode::exact)->Apply(once);
BENCHMARK_CAPTURE(iterate, joints_exact, RotationMode::exact)->Apply(some);

}  // namespace
}  // namespace sinew
