// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "characters/characters.h"
#include "rig/leaf_tails.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/effective_hierarchy.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/sparsify.h"

namespace sinew {
namespace {

/// Heat weights of the biped, as a bind has them.
void sparsify_biped(benchmark::State& state) {
  ExampleOptions options;
  options.vertices = static_cast<int>(state.range(0));
  const Result<ExampleCharacter> made = make_example("biped", options);
  if (!made.ok()) {
    state.SkipWithError(made.error().to_string().c_str());
    return;
  }
  const Character& character = made->character;
  const std::vector<BoneRole> roles = decide_deforming_bones(character);
  const EffectiveHierarchy hierarchy = find_effective_hierarchy(character, roles);
  const Skeleton skeleton =
      guess_leaf_tails(effective_skeleton(character.skeleton, roles, hierarchy), character.mesh,
                       character.weights)
          .skeleton;
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneCells cells = find_bone_cells(prepared, BoneSegments(skeleton, prepared.frame));
  const Result<HeatWeights> heat =
      heat_weights(prepared, cells, std::vector<bool>(prepared.parts.count(), true));
  std::size_t kept = 0;
  for (auto _ : state) kept = sparsify(heat->weights, prepared.graph, skeleton).bones.size();
  const auto vertices = static_cast<double>(heat->weights.vertex_count());
  state.counters["vertices"] = vertices;
  state.counters["bones"] = static_cast<double>(skeleton.bone_count());
  state.counters["per_vertex_before"] =
      static_cast<double>(heat->weights.influence_count()) / vertices;
  state.counters["per_vertex_after"] = static_cast<double>(kept) / vertices;
}

BENCHMARK(sparsify_biped)
    ->Arg(5'000)
    ->Arg(43'000)
    ->Arg(170'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace sinew
