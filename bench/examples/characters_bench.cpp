// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <string>

#include <benchmark/benchmark.h>

#include "characters/characters.h"

namespace sinew {
namespace {

void make_character(benchmark::State& state, std::string_view name) {
  ExampleOptions options;
  options.vertices = static_cast<int>(state.range(0));
  std::size_t vertices = 0;
  for (auto _ : state) {
    const auto example = make_example(name, options);
    if (!example.ok()) {
      state.SkipWithError(example.error().to_string().c_str());
      return;
    }
    vertices = example->character.mesh.vertex_count();
  }
  state.counters["vertices"] = static_cast<double>(vertices);
}

const int kRegistered = [] {
  for (const ExampleInfo& info : example_characters())
    benchmark::RegisterBenchmark(("make_example/" + std::string(info.name)).c_str(), make_character,
                                 info.name)
        ->Arg(2'000)
        ->Arg(40'000)
        ->Arg(1'000'000)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->UseRealTime();
  return 0;
}();

}  // namespace
}  // namespace sinew
