// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/interior_weights.h"

#include <algorithm>
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

/// Levels from fine to coarse, and what they have in common.
class Levels {
 public:
  Levels(const PreparedMesh& prepared, const BoneSegments& bones, const InteriorOptions& options)
      : prepared_(prepared), bones_(bones), options_(options) {}

  /// Coarser ones as long as every bone has a point of its own there.
  Status make(const Progress& progress) {
    SINEW_TRY(Interior finest, level_of(options_.cells, progress.within(0, 0.7)));
    handle_of_bone_.assign(bones_.bone_count(), -1);
    for (std::size_t bone = 0; bone < handle_of_bone_.size(); ++bone)
      if (finest.bones.points[bone] > 0) {
        handle_of_bone_[bone] = static_cast<int>(bone_of_handle_.size());
        bone_of_handle_.push_back(static_cast<int>(bone));
      }
    levels_.push_back(std::move(finest));
    int cells = options_.cells;
    for (double left = 0.3; !bone_of_handle_.empty() && cells > kFirstLevel; left /= 2) {
      cells /= kCoarser;
      SINEW_TRY(Interior coarser, level_of(cells, progress.within(1 - left, 1 - left / 2)));
      const bool has_all = std::ranges::all_of(bone_of_handle_, [&](int bone) {
        return coarser.bones.points[static_cast<std::size_t>(bone)] > 0;
      });
      if (!has_all) break;
      levels_.push_back(std::move(coarser));
    }
    return {};
  }

  [[nodiscard]] const Interior& finest() const { return levels_.front(); }
  [[nodiscard]] Interior take_finest() { return std::move(levels_.front()); }
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
  [[nodiscard]] Result<Interior> level_of(int cells, const Progress& progress) const {
    return make_interior(prepared_, bones_, {cells, options_.radius}, progress);
  }

  const PreparedMesh& prepared_;
  const BoneSegments& bones_;
  const InteriorOptions& options_;
  std::vector<int> handle_of_bone_, bone_of_handle_;
  std::vector<Interior> levels_;  // from fine to coarse
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
                              std::span<const std::vector<Influence>> rows) {
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

Result<SolvedInterior> solve_interior(const PreparedMesh& prepared, const BoneSegments& bones,
                                      const InteriorOptions& options, const Progress& progress) {
  SolvedInterior result;
  InteriorReport& report = result.report;
  Levels levels(prepared, bones, options);
  SINEW_CHECK(levels.make(progress.within(0, 0.3)));
  const Interior& finest = levels.finest();
  report.cells = finest.grid.elements.size();
  report.points = finest.grid.elements.points.size();
  report.cell_size_rel = finest.grid.elements.cell_size;
  report.pieces = finest.grid.report.pieces;
  report.helped_bones = finest.bones.helped;
  report.outside_bones = finest.bones.outside;
  report.unresolved_bones = finest.bones.unresolved;
  result.of_points.resize(report.points);
  if (!levels.bone_of_handle().empty()) {
    SINEW_TRY(BoundedBiharmonicWeights solved,
              bounded_biharmonic_weights(levels.problem(report), levels.bone_of_handle().size(), {},
                                         progress.within(0.3, 1)));
    result.of_points = rows_of_points(solved.of_handle, levels.bone_of_handle(), report.points);
    report.solve = std::move(solved.report);
  }
  result.interior = levels.take_finest();
  return result;
}

std::vector<std::vector<Influence>> rows_at(const Embedding& embedding,
                                            std::span<const std::vector<Influence>> of_points) {
  std::vector<std::vector<Influence>> rows(embedding.size());
  parallel_for(rows.size(), [&](std::size_t p) { rows[p] = row_at(embedding, p, of_points); });
  return rows;
}

Result<InteriorWeights> interior_weights(const PreparedMesh& prepared, const BoneSegments& bones,
                                         const BoneCells& cells, const InteriorOptions& options,
                                         const Progress& progress) {
  SINEW_TRY(SolvedInterior solved, solve_interior(prepared, bones, options, progress));
  InteriorWeights result;
  result.report = std::move(solved.report);
  std::vector<std::vector<Influence>> rows =
      rows_at(solved.interior.grid.embedding, solved.of_points);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (!rows[v].empty()) continue;
    rows[v].assign(cells.owners.row(v).begin(), cells.owners.row(v).end());
    ++result.report.vertices_by_nearest;
  }
  result.weights = SkinWeights::from_rows(bones.bone_count(), rows);
  return result;
}

}  // namespace sinew
