// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/interior_weights.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

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
/// Points of tetrahedra: so many are solved by active sets, which a hand of 7,234 takes half a
/// second for; before more there are levels of cubes.
constexpr std::size_t kFirstPoints = 8'000;
/// A weight below this is the smooth end of what is elsewhere: it moves nothing that is seen.
constexpr double kLeastWeight = 1e-4;

/// The interior at one resolution, with bones in it.
struct Level {
  std::variant<VoxelGrid, OwnTetrahedra> interior;
  BoneAttachment bones;

  [[nodiscard]] const Elements& elements() const {
    return std::visit([](const auto& of) -> const Elements& { return of.elements; }, interior);
  }
  /// Of the vertices.
  [[nodiscard]] const Embedding& embedding() const {
    return std::visit([](const auto& of) -> const Embedding& { return of.embedding; }, interior);
  }
};

/// Where the points of a level lie in the one before it, which is of cubes.
Embedding embedded_in(const Level& coarser, const Level& finer) {
  const auto& cubes = std::get<VoxelGrid>(coarser.interior);
  if (const auto* fine = std::get_if<VoxelGrid>(&finer.interior)) return embed_grid(cubes, *fine);
  return embed_points(cubes, finer.elements().points);
}

/// Levels from fine to coarse, and what they have in common.
class Levels {
 public:
  Levels(const PreparedMesh& prepared, const BoneSegments& bones, const InteriorOptions& options)
      : prepared_(prepared), bones_(bones), options_(options) {}

  /// Coarser ones as long as every bone has a point of its own there.
  Status make(const Progress& progress) {
    SINEW_TRY(Level finest, finest_level(progress.within(0, 0.7)));
    handle_of_bone_.assign(bones_.bone_count(), -1);
    for (std::size_t bone = 0; bone < handle_of_bone_.size(); ++bone)
      if (finest.bones.points[bone] > 0) {
        handle_of_bone_[bone] = static_cast<int>(bone_of_handle_.size());
        bone_of_handle_.push_back(static_cast<int>(bone));
      }
    int cells = options_.cells;
    if (std::holds_alternative<OwnTetrahedra>(finest.interior)) {
      const std::size_t points = finest.elements().points.size();
      cells = points > kFirstPoints ? most_cells(points) : 0;
    }
    levels_.push_back(std::move(finest));
    for (double left = 0.3; !bone_of_handle_.empty() && cells > kFirstLevel; left /= 2) {
      cells /= kCoarser;
      SINEW_TRY(Level coarser, level_of_cubes(cells, progress.within(1 - left, 1 - left / 2)));
      const bool has_all = std::ranges::all_of(bone_of_handle_, [&](int bone) {
        return coarser.bones.points[static_cast<std::size_t>(bone)] > 0;
      });
      if (!has_all) break;
      levels_.push_back(std::move(coarser));
    }
    return {};
  }

  [[nodiscard]] const Level& finest() const { return levels_.front(); }
  [[nodiscard]] Level take_finest() { return std::move(levels_.front()); }
  [[nodiscard]] const std::vector<int>& bone_of_handle() const { return bone_of_handle_; }

  /// What is solved, from coarse to fine; tells of the ties of the finest.
  [[nodiscard]] std::vector<BiharmonicLevel> problem(InteriorReport& report) const {
    std::vector<BiharmonicLevel> levels;
    for (std::size_t l = levels_.size(); l-- > 0;) {
      const Elements& elements = levels_[l].elements();
      BiharmonicLevel& level = levels.emplace_back();
      std::vector<int> bone_of_point = levels_[l].bones.bone_of_point;
      for (int& bone : bone_of_point) {
        level.handle.push_back(bone < 0 ? -1 : handle_of_bone_[static_cast<std::size_t>(bone)]);
        if (level.handle.back() < 0) bone = -1;
      }
      const PieceTies ties = tie_pieces(elements, bone_of_point);
      level.stiffness = stiffness_with(stiffness_of(elements), ties.springs);
      level.mass = lumped_mass(elements);
      if (l + 1 < levels_.size()) level.from_coarser = embedded_in(levels_[l + 1], levels_[l]);
      report.tied_pieces = ties.ties.size();
      report.distant_pieces =
          static_cast<std::size_t>(std::ranges::count_if(ties.ties, &PieceTie::is_distant));
    }
    return levels;
  }

 private:
  /// Of which a level of cubes comes next; more make no level.
  [[nodiscard]] static int most_cells(std::size_t points) {
    constexpr std::size_t kMost = std::size_t{kCoarser} * VoxelGridOptions::kMostCells;
    return static_cast<int>(std::min(points, kMost));
  }

  [[nodiscard]] Result<Level> finest_level(const Progress& progress) const {
    std::optional<OwnTetrahedra> own = own_interior(prepared_, options_);
    if (!own) return level_of_cubes(options_.cells, progress);
    std::vector<Segment> segments = all_segments(bones_);
    BoneAttachment bones = attach_bones(own->elements, prepared_.surface, segments,
                                        bones_.bone_count(), options_.radius);
    return Level{std::move(*own), std::move(bones)};
  }

  [[nodiscard]] Result<Level> level_of_cubes(int cells, const Progress& progress) const {
    SINEW_TRY(Interior interior,
              make_interior(prepared_, bones_, {cells, options_.radius}, progress));
    return Level{std::move(interior.grid), std::move(interior.bones)};
  }

  const PreparedMesh& prepared_;
  const BoneSegments& bones_;
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

void describe(const Level& finest, InteriorReport& report) {
  const Elements& elements = finest.elements();
  report.cells = elements.size();
  report.points = elements.points.size();
  report.cell_size_rel = elements.cell_size;
  const std::vector<int> pieces = pieces_of(elements);
  report.pieces = pieces.empty() ? 0 : static_cast<std::size_t>(std::ranges::max(pieces)) + 1;
  if (const auto* own = std::get_if<OwnTetrahedra>(&finest.interior)) {
    report.kind = InteriorReport::Kind::tetrahedra;
    report.flat_tetrahedra = own->flat_tetrahedra;
    report.outside_vertices = own->outside_vertices;
  }
  report.helped_bones = finest.bones.helped;
  report.outside_bones = finest.bones.outside;
  report.unresolved_bones = finest.bones.unresolved;
}

}  // namespace

std::optional<OwnTetrahedra> own_interior(const PreparedMesh& prepared,
                                          const InteriorOptions& options) {
  if (options.filling == InteriorOptions::Filling::cubes) return std::nullopt;
  return own_tetrahedra(prepared.mesh);
}

namespace {

struct SolvedLevel {
  Level finest;
  std::vector<std::vector<Influence>> of_points;
  InteriorReport report;
};

Result<SolvedLevel> solve_levels(const PreparedMesh& prepared, const BoneSegments& bones,
                                 const InteriorOptions& options, const Progress& progress) {
  if (!(options.radius.share >= 0) || !std::isfinite(options.radius.share))
    return Error{ErrorCode::bad_argument, "bone_radius", "it must be a number from 0 on"};
  SolvedLevel result;
  InteriorReport& report = result.report;
  Levels levels(prepared, bones, options);
  SINEW_CHECK(levels.make(progress.within(0, 0.3)));
  describe(levels.finest(), report);
  result.of_points.resize(report.points);
  if (!levels.bone_of_handle().empty()) {
    SINEW_TRY(BoundedBiharmonicWeights solved,
              bounded_biharmonic_weights(levels.problem(report), levels.bone_of_handle().size(), {},
                                         progress.within(0.3, 1)));
    result.of_points = rows_of_points(solved.of_handle, levels.bone_of_handle(), report.points);
    report.solve = std::move(solved.report);
  }
  result.finest = levels.take_finest();
  return result;
}

}  // namespace

Result<SolvedInterior> solve_interior(const PreparedMesh& prepared, const BoneSegments& bones,
                                      const InteriorOptions& options, const Progress& progress) {
  InteriorOptions of_cubes = options;
  of_cubes.filling = InteriorOptions::Filling::cubes;
  SINEW_TRY(SolvedLevel solved, solve_levels(prepared, bones, of_cubes, progress));
  return SolvedInterior{
      {std::get<VoxelGrid>(std::move(solved.finest.interior)), std::move(solved.finest.bones)},
      std::move(solved.of_points),
      std::move(solved.report)};
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
  SINEW_TRY(SolvedLevel solved, solve_levels(prepared, bones, options, progress));
  InteriorWeights result;
  result.report = std::move(solved.report);
  std::vector<std::vector<Influence>> rows = rows_at(solved.finest.embedding(), solved.of_points);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (!rows[v].empty()) continue;
    rows[v].assign(cells.owners.row(v).begin(), cells.owners.row(v).end());
    ++result.report.vertices_by_nearest;
  }
  result.weights = SkinWeights::from_rows(bones.bone_count(), rows);
  return result;
}

}  // namespace sinew
