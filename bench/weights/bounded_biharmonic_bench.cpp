// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/parallel.h"
#include "sinew/weights/bounded_biharmonic.h"
#include "support/biharmonic_levels.h"
#include "weights/literal_active_sets.h"

namespace sinew {
namespace {

/// The research hand, where the models are; else one of cubes of about its size.
test::ResearchHand hand() {
  const char* folder = std::getenv("SINEW_MODELS");
  const std::filesystem::path models = folder != nullptr ? folder : "../shared/models";
  if (std::filesystem::exists(models / "research" / "hand.mesh"))
    return test::research_hand(models);
  return {test::cube_hand_levels(std::array{2}).front(), test::cube_hand(2).bones.size()};
}

void count(benchmark::State& state, const BoundedBiharmonicWeights& weights) {
  const BoundedBiharmonicReport::Level& last = weights.report.levels.back();
  state.counters["points"] = static_cast<double>(last.points);
  state.counters["handles"] = static_cast<double>(weights.of_handle.size());
  state.counters["energy"] = last.energy;
  state.counters["residual"] = last.residual;
  state.counters["unsettled"] = static_cast<double>(weights.report.unsettled_handles);
}

/// One level by active sets, with a tolerance of 10 to the power of minus the argument.
void bounded_biharmonic_hand(benchmark::State& state) {
  const test::ResearchHand problem = hand();
  const BoundedBiharmonicOptions options{.tolerance =
                                             std::pow(10.0, -static_cast<double>(state.range(0)))};
  BoundedBiharmonicWeights weights;
  for (auto _ : state)
    weights =
        *bounded_biharmonic_weights(std::span(&problem.level, 1), problem.bone_count, options);
  count(state, weights);
}

/// Without windows, tolerance and a start: what the one above is measured against.
void literal_active_sets_hand(benchmark::State& state) {
  const test::ResearchHand problem = hand();
  std::vector<double> energies(problem.bone_count);
  for (auto _ : state) {
    const bench::LiteralActiveSets method(problem.level);
    parallel_for(
        problem.bone_count,
        [&](std::size_t h) { energies[h] = method.energy(method.solve(static_cast<int>(h))); }, 1);
  }
  double energy = 0;
  for (const double of_handle : energies) energy += of_handle;
  state.counters["points"] = static_cast<double>(problem.level.handle.size());
  state.counters["handles"] = static_cast<double>(problem.bone_count);
  state.counters["energy"] = energy;
}

/// Three levels, 2,000 to 41,000 points, with as many steps on the finer ones.
void bounded_biharmonic_levels(benchmark::State& state) {
  const std::vector<BiharmonicLevel> levels = test::cube_hand_levels(std::array{1, 2, 3});
  const BoundedBiharmonicOptions options{.polish_steps = static_cast<int>(state.range(0))};
  BoundedBiharmonicWeights weights;
  for (auto _ : state)
    weights = *bounded_biharmonic_weights(levels, test::cube_hand(1).bones.size(), options);
  count(state, weights);
}

BENCHMARK(bounded_biharmonic_hand)
    ->DenseRange(3, 5)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(literal_active_sets_hand)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(bounded_biharmonic_levels)
    ->Arg(0)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace sinew
