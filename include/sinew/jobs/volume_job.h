// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/jobs/job_input.h"
#include "sinew/jobs/outputs.h"
#include "sinew/rig/effective_hierarchy.h"
#include "sinew/weights/interior_weights.h"

namespace sinew {

enum class VolumeElements {
  tetrahedra,  // a body-centred lattice, volume/tet_lattice.h
  cubes,       // the cells themselves
};
[[nodiscard]] std::string_view to_string(VolumeElements elements);

enum class VolumeWeights {
  none,
  bbw,  // bounded biharmonic weights, solved in the interior
};
[[nodiscard]] std::string_view to_string(VolumeWeights weights);

struct VolumeJobOptions {
  VolumeElements elements = VolumeElements::tetrahedra;  // what most programs take
  /// Without a choice bbw, where the format holds weights and the character has bones.
  std::optional<VolumeWeights> weights;
  InteriorOptions interior;
  HierarchyChoice hierarchy = HierarchyChoice::effective;
  OutputOptions output = {};  // .vtu or .mesh; without a path, the text of a .vtu in memory
};

/// What is written of one character.
struct FilledCharacter {
  std::string name;
  std::filesystem::path path;  // of its file; empty where it stays in memory
  std::size_t cells = 0, points = 0, elements = 0;
  std::size_t pieces = 0;
  double cell_size = 0;      // the edge of a cell, in model units
  double cell_size_rel = 0;  // the same, of the diagonal
  double volume = 0;         // of all elements, in cubed model units
  VolumeWeights weights = VolumeWeights::none;
  std::vector<std::string> fields;   // of the points that are weights, one per bone; unique
  std::size_t unreached_points = 0;  // where all weights are 0
  std::size_t bytes = 0;             // that its file is long
};

struct VolumeJobResult {
  LoadedInput input;
  VolumeElements elements = VolumeElements::tetrahedra;
  InteriorOptions interior;
  std::vector<FilledCharacter> characters;
  std::vector<FileNotices> notices;
  JobOutputs outputs;
};

/// Fills the characters of a file and writes their insides for programs that look at volumes, one
/// file for each: OUT.vtu, or of several characters OUT.0.vtu, OUT.1.vtu and so on, in their order.
/// Of levels of detail the finest is filled.
/// A .vtu has, at its points, a field of weights for each bone that has any, of rows scaled to one,
/// and `bone_holds`, the index of the bone that holds the point or -1; with weights also
/// `bone_leads`, the bone of the largest. Its cells have `kind` (0 on the surface, 1 inside, 2
/// enclosed; of tetrahedra between two cells the lesser), `piece` and `bone_holds`, the bone that
/// holds most of its points. A .mesh has tetrahedra alone; its references are that bone plus one.
/// Writes nothing: write_outputs does. Errors, beside those of the input: "output", "elements",
/// "weights", "cells", "bone_radius".
[[nodiscard]] JobResult<VolumeJobResult> run_volume_job(const JobInput& input,
                                                        const VolumeJobOptions& options = {},
                                                        const Progress& progress = {});

/// The report of docs/command-line.md, but for what is known once files are written.
[[nodiscard]] Json to_json(const VolumeJobResult& result);

}  // namespace sinew
