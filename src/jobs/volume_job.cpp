// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/volume_job.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "jobs/finest_character.h"
#include "jobs/interior_file.h"
#include "jobs/interior_options.h"
#include "sinew/bind/boned_mesh.h"

namespace sinew {
namespace {

enum class Format { vtu, medit };

Result<Format> format_of(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  if (path.empty() || extension == ".vtu") return Format::vtu;
  if (extension == ".mesh") return Format::medit;
  return Error{ErrorCode::bad_argument, "",
               fmt::format("{}: only .vtu and .mesh are written", path.string())};
}

JobStatus check_contents(Format format, const VolumeJobOptions& options) {
  if (format == Format::vtu) return {};
  if (options.elements == VolumeElements::cubes)
    return error_of_option("elements", "a .mesh takes tetrahedra; cubes go into a .vtu");
  if (options.weights == VolumeWeights::bbw)
    return error_of_option("weights", "a .mesh has no place for weights; they go into a .vtu");
  return {};
}

/// One file for each character.
std::filesystem::path path_of_character(const std::filesystem::path& path, std::size_t character,
                                        std::size_t count) {
  if (path.empty() || count == 1) return path;
  return path.parent_path() /
         fmt::format("{}.{}{}", path.stem().string(), character, path.extension().string());
}

class VolumeWork {
 public:
  VolumeWork(const VolumeJobOptions& options, const Progress& progress)
      : options_(options), progress_(progress) {}

  JobResult<VolumeJobResult> run(const JobInput& input) {
    SINEW_TRY(format_, of_option("output", format_of(options_.output.path)));
    SINEW_CHECK(check_contents(format_, options_));
    SINEW_TRY(result_.input, load_input(input, progress_.within(0, 0.1)));
    const std::size_t count = result_.input.characters.size();
    for (std::size_t c = 0; c < count; ++c)
      paths_.push_back(path_of_character(options_.output.path, c, count));
    SINEW_CHECK(check_places());
    if (options_.weights == VolumeWeights::bbw) SINEW_CHECK(require_skeletons(result_.input));
    for (std::size_t c = 0; c < count; ++c) {
      const double begin = 0.1 + 0.9 * static_cast<double>(c) / static_cast<double>(count);
      const double end = 0.1 + 0.9 * static_cast<double>(c + 1) / static_cast<double>(count);
      SINEW_CHECK(fill(c, progress_.within(begin, end)));
    }
    result_.elements = options_.elements;
    result_.interior = options_.interior;
    result_.notices = all_notices(result_.input);
    result_.outputs.options = options_.output;
    result_.outputs.files_read = result_.input.files;
    return std::move(result_);
  }

 private:
  [[nodiscard]] JobStatus check_places() const {
    for (const std::filesystem::path& path : paths_) {
      if (path.empty()) continue;
      SINEW_CHECK(refuse_impossible_place("output", path));
      SINEW_CHECK(refuse_overwriting(path, options_.output, result_.input.files));
    }
    return {};
  }

  [[nodiscard]] bool is_weighted(const BonedMesh& boned) const {
    if (format_ == Format::medit || boned.segments.bones().empty()) return false;
    return options_.weights.value_or(VolumeWeights::bbw) == VolumeWeights::bbw;
  }

  JobStatus fill(std::size_t c, const Progress& progress) {
    const std::filesystem::path& file = result_.input.path;
    const Character character = finest_character(result_.input, c);
    SINEW_TRY(const BonedMesh boned, in_file(file, prepare_boned_mesh(character, options_.hierarchy,
                                                                      progress.within(0, 0.2))));
    FilledCharacter filled;
    filled.name = character.name;
    filled.path = paths_[c];
    SolvedInterior solved;
    if (is_weighted(boned)) {
      filled.weights = VolumeWeights::bbw;
      SINEW_TRY(solved,
                of_interior(file, solve_interior(boned.mesh, boned.segments, options_.interior,
                                                 progress.within(0.2, 0.9))));
    } else {
      SINEW_TRY(solved.interior,
                of_interior(file, make_interior(boned.mesh, boned.segments, options_.interior,
                                                progress.within(0.2, 0.9))));
    }
    SINEW_CHECK(progress.checkpoint("making the file", 0.9));
    describe(boned, solved, filled);
    result_.characters.push_back(std::move(filled));
    return {};
  }

  void describe(const BonedMesh& boned, const SolvedInterior& solved, FilledCharacter& filled) {
    const InteriorContents contents =
        contents_of(solved.interior, options_.elements, boned.mesh.frame);
    filled.cells = solved.interior.grid.elements.size();
    filled.points = contents.elements.points.size();
    filled.elements = contents.elements.size();
    filled.pieces = static_cast<std::size_t>(contents.piece_count);
    filled.cell_size = contents.elements.cell_size;
    filled.cell_size_rel = solved.interior.grid.elements.cell_size;
    for (std::size_t e = 0; e < contents.elements.size(); ++e)
      filled.volume += volume_of(contents.elements, e);
    JobFile file{filled.path, {}};
    if (format_ == Format::medit) {
      file.text = write_medit(medit_of(contents));
    } else {
      std::vector<std::vector<Influence>> rows;
      if (filled.weights == VolumeWeights::bbw) {
        rows = rows_at(contents.from_grid, solved.of_points);
        filled.unreached_points = static_cast<std::size_t>(
            std::ranges::count_if(rows, [](const auto& row) { return row.empty(); }));
      }
      const UnstructuredGrid grid = grid_of(contents, boned.skeleton, rows);
      for (const GridField& field : grid.point_fields)
        if (std::holds_alternative<std::vector<float>>(field.values))
          filled.fields.push_back(field.name);
      file.text = write_vtu(grid);
    }
    filled.bytes = file.text.size();
    result_.outputs.main_files.push_back(std::move(file));
  }

  const VolumeJobOptions& options_;
  const Progress& progress_;
  Format format_ = Format::vtu;
  std::vector<std::filesystem::path> paths_;  // of each character
  VolumeJobResult result_;
};

}  // namespace

std::string_view to_string(VolumeElements elements) {
  return elements == VolumeElements::cubes ? "cubes" : "tetrahedra";
}

std::string_view to_string(VolumeWeights weights) {
  return weights == VolumeWeights::bbw ? "bbw" : "none";
}

JobResult<VolumeJobResult> run_volume_job(const JobInput& input, const VolumeJobOptions& options,
                                          const Progress& progress) {
  return VolumeWork(options, progress).run(input);
}

Json to_json(const VolumeJobResult& result) {
  Json report = {{"input", result.input.path.string()},
                 {"format", result.input.format},
                 {"elements", to_string(result.elements)},
                 {"cells", result.interior.cells},
                 {"bone_radius", to_json(result.interior.radius)}};
  Json& characters = report["characters"] = Json::array();
  for (const FilledCharacter& each : result.characters)
    characters.push_back({{"name", each.name},
                          {"file", each.path.string()},
                          {"cells", each.cells},
                          {"points", each.points},
                          {"elements", each.elements},
                          {"pieces", each.pieces},
                          {"cell_edge", each.cell_size},
                          {"cell_size", each.cell_size_rel},
                          {"volume", each.volume},
                          {"weights", to_string(each.weights)},
                          {"fields", each.fields},
                          {"unreached_points", each.unreached_points},
                          {"bytes", each.bytes}});
  report["notices"] = to_json(result.notices);
  return report;
}

}  // namespace sinew
