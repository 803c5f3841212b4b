// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// Bounded biharmonic weights of real characters, from the prepared mesh to rows that sum to one:
// the grid, its levels, bones in them, the solve. script/bench --interior makes the tables of
// docs/performance.md from them. Without the characters there is the biped alone.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "characters/characters.h"
#include "core/parallel.h"
#include "sinew/bind/bind.h"
#include "sinew/formats/import.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/weights/interior_weights.h"
#include "stages/memory_peak.h"
#include "support/character_level.h"
#include "support/fingers.h"
#include "support/prepared_character.h"
#include "weights/literal_active_sets.h"

namespace sinew {
namespace {

std::filesystem::path models() {
  const char* folder = std::getenv("SINEW_MODELS");
  return folder != nullptr ? folder : "../shared/models";
}

Character read_character(const std::filesystem::path& path) {
  return std::move(
      test::checked(read_characters(test::checked(read_any(path)).document)).at(0).character);
}

struct Case {
  std::string_view name;
  std::string_view file;
  std::string_view skeleton;  // in a file of its own
  std::vector<int> cells;     // 0: the tetrahedra of the file
};

/// 40,000 points are about 32,500 cells of CesiumMan; 89,000 are 75,000 of the body.
const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"hand", "research/hand.mesh", "research/hand.tgf", {0}},
      {"CesiumMan", "khronos/CesiumMan.glb", "", {12'000, 32'500, 40'000, 200'000}},
      {"mh_male_body", "makehuman/mh_male_body.glb", "", {12'000, 40'000, 75'000, 200'000}},
      {"mh_male_dressed", "makehuman/mh_male_dressed.glb", "", {12'000, 40'000, 200'000}},
      {"King", "quaternius/modular_men_King.glb", "", {12'000, 40'000, 200'000}},
      {"Wasp", "quaternius/easy_enemies_Wasp.glb", "", {12'000, 40'000, 200'000}},
      {"Stegosaurus", "quaternius/dinosaurs_Stegosaurus.glb", "", {12'000, 40'000, 200'000}},
  };
  return all;
}

void interior(benchmark::State& state, const Case& of) {
  const Character character = read_character(models() / of.file);
  const test::PreparedCharacter made =
      of.skeleton.empty()
          ? test::prepared(character)
          : test::prepared(character.mesh, read_character(models() / of.skeleton).skeleton);
  const BoneCells cells = find_bone_cells(made.prepared, made.segments);
  InteriorOptions options;
  if (const auto wanted = static_cast<int>(state.range(0)); wanted > 0) {
    options.cells = wanted;
    options.filling = InteriorOptions::Filling::cubes;
  }
  const bench::MemoryPeak peak;
  InteriorReport report;
  for (auto _ : state)
    report = interior_weights(made.prepared, made.segments, cells, options)->report;
  state.counters["peak_mb"] = peak.grown_mb();
  state.counters["cells"] = static_cast<double>(report.cells);
  state.counters["points"] = static_cast<double>(report.points);
  state.counters["bones"] = static_cast<double>(made.segments.bones().size());
  state.counters["levels"] = static_cast<double>(report.solve.levels.size());
  state.counters["solve_s"] = 0;
  for (const auto& level : report.solve.levels) state.counters["solve_s"] += level.seconds;
  state.counters["residual"] = report.solve.levels.back().residual;
  state.counters["tied"] = static_cast<double>(report.tied_pieces);
}

/// The same man by active sets as they are written down, of few cells: how the time grows tells
/// what many would take.
void interior_literal(benchmark::State& state) {
  const test::CharacterLevel man = test::level_of(
      read_character(models() / "khronos/CesiumMan.glb"), static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const bench::LiteralActiveSets method(man.level);
    parallel_for(
        man.bones,
        [&](std::size_t h) { benchmark::DoNotOptimize(method.solve(static_cast<int>(h))); }, 1);
  }
  state.counters["cells"] = static_cast<double>(state.range(0));
  state.counters["points"] = static_cast<double>(man.level.handle.size());
  state.counters["bones"] = static_cast<double>(man.bones);
}

/// From the bytes of a file to weights under the cap.
void interior_read_and_bind(benchmark::State& state) {
  ExampleOptions example;
  example.vertices = static_cast<int>(state.range(0));
  Character biped = std::move(make_example("biped", example)->character);
  biped.weights = SkinWeights(biped.mesh.vertex_count(), biped.skeleton.bone_count());
  const Bytes file = *encode_glb(*make_document(biped));
  BindOptions options;
  options.method = BindMethod::bbw;
  for (auto _ : state) {
    const Character character =
        std::move(test::checked(read_characters(test::checked(parse_gltf(file, folder_loader({})))))
                      .at(0)
                      .character);
    benchmark::DoNotOptimize(bind(character, options));
  }
  state.counters["vertices"] = static_cast<double>(biped.mesh.vertex_count());
}

/// What branching cells do for fingers: figures alone, the time is that of both grids.
void interior_fingers(benchmark::State& state, std::string_view file) {
  const Character character = read_character(models() / file);
  const test::Fingers fingers = test::fingers_of(character);
  VoxelGridOptions options;
  options.cells = static_cast<int>(state.range(0));
  test::FingerContacts joined, split;
  for (auto _ : state) {
    options.touching = VoxelGridOptions::Touching::joined;
    joined =
        test::finger_contacts(test::checked(make_voxel_grid(character.mesh, options)), fingers);
    options.touching = VoxelGridOptions::Touching::split;
    split = test::finger_contacts(test::checked(make_voxel_grid(character.mesh, options)), fingers);
  }
  const auto count = [&](const char* name, std::size_t before, std::size_t after) {
    state.counters[std::string(name) + "_joined"] = static_cast<double>(before);
    state.counters[std::string(name) + "_split"] = static_cast<double>(after);
  };
  count("contacts", joined.contacts, split.contacts);
  count("cells_of_two", joined.cells_of_two, split.cells_of_two);
  count("tets_of_two", joined.tets_of_two, split.tets_of_two);
}

const bool kAreRegistered = [] {
  for (const Case& each : cases()) {
    if (!std::filesystem::exists(models() / each.file)) continue;
    for (const int cells : each.cells)
      benchmark::RegisterBenchmark(("interior/" + std::string(each.name)).c_str(), interior, each)
          ->Arg(cells)
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond)
          ->MeasureProcessCPUTime()
          ->UseRealTime();
  }
  if (std::filesystem::exists(models() / "khronos/CesiumMan.glb"))
    benchmark::RegisterBenchmark("interior_literal/CesiumMan", interior_literal)
        ->Arg(1'000)
        ->Arg(2'000)
        ->Arg(4'000)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  for (const auto& [name, file] :
       {std::pair("interior_fingers/mh_male_body", "makehuman/mh_male_body.glb"),
        std::pair("interior_fingers/generic-hand-left", "misc/generic-hand-left.glb")})
    if (std::filesystem::exists(models() / file))
      benchmark::RegisterBenchmark(name, interior_fingers, file)
          ->Arg(12'000)
          ->Arg(40'000)
          ->Arg(200'000)
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("interior_read_and_bind/biped", interior_read_and_bind)
      ->Arg(1'000'000)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace sinew
