// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "characters/characters.h"
#include "sinew/bind/bind.h"
#include "sinew/quality/weight_judge.h"

namespace sinew {
namespace {

/// The biped without its weights, as a user brings a character.
Result<Character> biped(benchmark::State& state) {
  ExampleOptions options;
  options.vertices = static_cast<int>(state.range(0));
  SINEW_TRY(ExampleCharacter made, make_example("biped", options));
  Character& character = made.character;
  character.weights = SkinWeights(character.mesh.vertex_count(), character.skeleton.bone_count());
  return std::move(character);
}

/// Every stage's share of the time is a counter of its own, in seconds.
void bind_biped(benchmark::State& state, BindMethod method) {
  const Result<Character> character = biped(state);
  BindOptions options;
  options.method = method;
  for (auto _ : state) {
    const Result<Bound> bound =
        character.ok() ? bind(*character, options) : Result<Bound>(character.error());
    if (!bound.ok()) {
      state.SkipWithError(bound.error().to_string().c_str());
      return;
    }
    for (const StageTime& time : bound->report.times)
      state.counters[time.stage] +=
          benchmark::Counter(time.seconds, benchmark::Counter::kAvgIterations);
  }
  state.counters["vertices"] = static_cast<double>(character->mesh.vertex_count());
}

/// One judgement of weights over 48 poses, preparation left out.
void judge_biped(benchmark::State& state) {
  const Result<Character> character = biped(state);
  if (!character.ok()) {
    state.SkipWithError(character.error().to_string().c_str());
    return;
  }
  const Result<Bound> bound = bind(*character);
  const WeightJudge judge(*character, bound->report.roles);
  for (auto _ : state) benchmark::DoNotOptimize(judge.judge(bound->weights));
  state.counters["vertices"] = static_cast<double>(character->mesh.vertex_count());
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int vertices : {5'000, 43'000, 170'000}) bench->Arg(vertices);
  bench->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(bind_biped, araplbs, BindMethod::araplbs)->Apply(sizes);
BENCHMARK_CAPTURE(bind_biped, heat, BindMethod::heat)->Apply(sizes);
BENCHMARK_CAPTURE(bind_biped, distance, BindMethod::distance)->Apply(sizes);
BENCHMARK(judge_biped)->Apply(sizes);

}  // namespace
}  // namespace sinew
