// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/parallel.h"

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

void work_for(Microseconds time) {
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  while (Clock::now() < end) {
  }
}

/// A loop of a millisecond of work in all, after a gap in which one thread works: what the loop
/// takes by the clock, and below what nine of ten stay. Arguments: the gap in microseconds, and
/// whether threads stay awake in it.
void loop_after_gap(benchmark::State& state) {
  constexpr Microseconds kWork{1000};
  constexpr std::size_t kChunks = 24;
  const Microseconds gap(static_cast<double>(state.range(0)));
  std::optional<AwakeThreads> awake;
  if (state.range(1) != 0) awake.emplace();
  std::vector<double> times_us;
  for (auto each : state) {
    work_for(gap);
    const Clock::time_point start = Clock::now();
    parallel_for(
        kChunks, [&](std::size_t) { work_for(kWork / kChunks); }, 1);
    times_us.push_back(Microseconds(Clock::now() - start).count());
    state.SetIterationTime(times_us.back() * 1e-6);
  }
  std::ranges::sort(times_us);
  state.counters["median_us"] = times_us[times_us.size() / 2];
  state.counters["nine_in_ten_us"] = times_us[times_us.size() * 9 / 10];
}
BENCHMARK(loop_after_gap)
    ->ArgNames({"gap_us", "awake"})
    ->ArgsProduct({{0, 500, 1500, 5000}, {0, 1}})
    ->Iterations(200)
    ->UseManualTime();

}  // namespace
}  // namespace sinew
