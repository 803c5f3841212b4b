// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/interior_weights.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/parallel.h"
#include "sinew/volume/element_matrices.h"
#include "sinew/volume/piece_ties.h"

namespace sinew {
namespace {

/// Cells of a level, of those of the level after it: edges are about 1.6 times as long.
constexpr int kCoarser = 4;
/// Cells: a level with so few is solved by active sets, which take time that grows with the square
/// of them.
constexpr int kFirstLevel = 4'000;
/// A weight below this is the smooth end of what is elsewhere: it moves nothing that is seen.
constexpr double kLeastWeight = 1e-4;

/// The interior at one resolution, with bones in it.
struct Level {
  VoxelGrid grid;
  BoneAttachment bones;
};

std::vector<Segment> all_segments(const BoneSegments& bones) {
  std::vector<Segment> all;
  for (const int bone : bones.bones()) std::ranges::copy(bones.of(bone), std::back_inserter(all));
  return all;
}

/// Levels from fine to coarse, and what they have in common.
class Levels {
 public:
  Levels(const PreparedMesh& prepared, const BoneSegments& bones, const InteriorOptions& options)
      : prepared_(prepared),
        segments_(all_segments(bones)),
        bone_count_(bones.bone_count()),
        options_(options) {}

  /// Coarser ones as long as every bone has a point of its own there.
  Status make(const Progress& progress) {
    SINEW_TRY(Level finest, level_of(options_.cells, progress.within(0, 0.7)));
    handle_of_bone_.assign(bone_count_, -1);
    for (std::size_t bone = 0; bone < bone_count_; ++bone)
      if (finest.bones.points[bone] > 0) {
        handle_of_bone_[bone] = static_cast<int>(bone_of_handle_.size());
        bone_of_handle_.push_back(static_cast<int>(bone));
      }
    levels_.push_back(std::move(finest));
    int cells = options_.cells;
    for (double left = 0.3; !bone_of_handle_.empty() && cells > kFirstLevel; left /= 2) {
      cells /= kCoarser;
      SINEW_TRY(Level coarser, level_of(cells, progress.within(1 - left, 1 - left / 2)));
      const bool has_all = std::ranges::all_of(bone_of_handle_, [&](int bone) {
        return coarser.bones.points[static_cast<std::size_t>(bone)] > 0;
      });
      if (!has_all) break;
      levels_.push_back(std::move(coarser));
    }
    return {};
  }

  [[nodiscard]] const Level& finest() const { return levels_.front(); }
  [[nodiscard]] const std::vector<int>& bone_of_handle() const { return bone_of_handle_; }

  /// What is solved, from coarse to fine; tells of the ties of the finest.
  [[nodiscard]] std::vector<BiharmonicLevel> problem(InteriorReport& report) const {
    std::vector<BiharmonicLevel> levels;
    for (std::size_t l = levels_.size(); l-- > 0;) {
      const Elements& elements = levels_[l].grid.elements;
      BiharmonicLevel& level = levels.emplace_back();
      std::vector<int> bone_of_point = levels_[l].bones.bone_of_point;
      for (int& bone : bone_of_point) {
        level.handle.push_back(bone < 0 ? -1 : handle_of_bone_[static_cast<std::size_t>(bone)]);
        if (level.handle.back() < 0) bone = -1;
      }
      const PieceTies ties = tie_pieces(elements, bone_of_point);
      level.stiffness = stiffness_with(stiffness_of(elements), ties.springs);
      level.mass = lumped_mass(elements);
      if (l + 1 < levels_.size())
        level.from_coarser = embed_grid(levels_[l + 1].grid, levels_[l].grid);
      report.tied_pieces = ties.ties.size();
      report.distant_pieces =
          static_cast<std::size_t>(std::ranges::count_if(ties.ties, &PieceTie::is_distant));
    }
    return levels;
  }

 private:
  [[nodiscard]] Result<Level> level_of(int cells, const Progress& progress) const {
    VoxelGridOptions options;
    options.cells = cells;
    SINEW_TRY(VoxelGrid grid, make_voxel_grid(prepared_.mesh, options, progress));
    BoneAttachment bones =
        attach_bones(grid, prepared_.surface, segments_, bone_count_, options_.radius);
    return Level{std::move(grid), std::move(bones)};
  }

  const PreparedMesh& prepared_;
  std::vector<Segment> segments_;
  std::size_t bone_count_;
  const InteriorOptions& options_;
  std::vector<int> handle_of_bone_, bone_of_handle_;
  std::vector<Level> levels_;  // from fine to coarse
};

/// Weights of handles as rows of bones, one for each point.
std::vector<std::vector<Influence>> rows_of_points(
    const std::vector<Eigen::SparseVector<double>>& of_handle,
    const std::vector<int>& bone_of_handle, std::size_t point_count) {
  std::vector<std::vector<Influence>> rows(point_count);
  for (std::size_t h = 0; h < of_handle.size(); ++h)
    for (Eigen::SparseVector<double>::InnerIterator entry(of_handle[h]); entry; ++entry)
      rows[static_cast<std::size_t>(entry.index())].push_back(
          {static_cast<std::uint32_t>(bone_of_handle[h]), entry.value()});
  return rows;
}

/// What the corners around a point weigh there, of one but for what is left out; nothing where no
/// weight reaches it.
std::vector<Influence> row_at(const Embedding& embedding, std::size_t point,
                              const std::vector<std::vector<Influence>>& rows) {
  std::vector<Influence> row;
  const std::span<const ElementPoint> corners = embedding.corners_of(point);
  const std::span<const double> coefficients = embedding.coefficients_of(point);
  for (std::size_t c = 0; c < corners.size(); ++c)
    for (const Influence& each : rows[corners[c]])
      if (coefficients[c] > 0) row.push_back({each.bone, coefficients[c] * each.weight});
  add_up_repeated(row);
  double sum = 0;
  for (const Influence& each : row) sum += each.weight;
  if (sum < kLeastWeight) return {};
  for (Influence& each : row) each.weight /= sum;
  std::erase_if(row, [](const Influence& each) { return each.weight < kLeastWeight; });
  return row;
}

}  // namespace

Result<InteriorWeights> interior_weights(const PreparedMesh& prepared, const BoneSegments& bones,
                                         const BoneCells& cells, const InteriorOptions& options,
                                         const Progress& progress) {
  if (!(options.radius.share >= 0) || !std::isfinite(options.radius.share))
    return Error{ErrorCode::bad_argument, "bone_radius", "it must be a number from 0 on"};
  InteriorWeights result;
  InteriorReport& report = result.report;
  Levels levels(prepared, bones, options);
  SINEW_CHECK(levels.make(progress.within(0, 0.3)));
  const Level& finest = levels.finest();
  report.cells = finest.grid.elements.size();
  report.points = finest.grid.elements.points.size();
  report.cell_size_rel = finest.grid.elements.cell_size;
  report.pieces = finest.grid.report.pieces;
  report.helped_bones = finest.bones.helped;
  report.outside_bones = finest.bones.outside;
  report.unresolved_bones = finest.bones.unresolved;
  std::vector<std::vector<Influence>> of_points(report.points);
  if (!levels.bone_of_handle().empty()) {
    SINEW_TRY(BoundedBiharmonicWeights solved,
              bounded_biharmonic_weights(levels.problem(report), levels.bone_of_handle().size(), {},
                                         progress.within(0.3, 1)));
    of_points = rows_of_points(solved.of_handle, levels.bone_of_handle(), report.points);
    report.solve = std::move(solved.report);
  }
  std::vector<std::vector<Influence>> rows(prepared.mesh.vertex_count());
  parallel_for(rows.size(),
               [&](std::size_t v) { rows[v] = row_at(finest.grid.embedding, v, of_points); });
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (!rows[v].empty()) continue;
    rows[v].assign(cells.owners.row(v).begin(), cells.owners.row(v).end());
    ++report.vertices_by_nearest;
  }
  result.weights = SkinWeights::from_rows(bones.bone_count(), rows);
  return result;
}

}  // namespace sinew
