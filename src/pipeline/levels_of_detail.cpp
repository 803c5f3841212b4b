// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/pipeline/levels_of_detail.h"

#include <algorithm>

#include "pipeline/optimise_weights.h"
#include "pipeline/round_for_delivery.h"
#include "pipeline/stopwatch.h"
#include "sinew/weights/cap_influences.h"
#include "sinew/weights/transfer.h"

namespace sinew {
namespace {

std::vector<MeshPart> parts_at(const Character& character, std::span<const int> indices) {
  std::vector<MeshPart> parts;
  for (const int index : indices) parts.push_back(character.parts[static_cast<std::size_t>(index)]);
  return parts;
}

/// Rows per vertex of the character, filled part by part.
class Rows {
 public:
  explicit Rows(const Character& character)
      : character_(character), rows_(character.mesh.vertex_count()) {}

  /// `weights` has the rows of these parts, one part after the other.
  void put(std::span<const int> parts, const SkinWeights& weights) {
    std::size_t from = 0;
    for (const MeshPart& part : parts_at(character_, parts))
      for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
        const std::span<const Influence> row = weights.row(from++);
        rows_[v].assign(row.begin(), row.end());
      }
  }
  [[nodiscard]] SkinWeights weights() const {
    return SkinWeights::from_rows(character_.skeleton.bone_count(), rows_);
  }

 private:
  const Character& character_;
  std::vector<std::vector<Influence>> rows_;
};

/// The finest level of a group, for others to take their weights from.
struct FinestLevel {
  FinestLevel(const Character& character, std::span<const int> parts)
      : mesh(with_parts(character, parts).mesh), frame(UnitFrame::of(mesh)) {}

  [[nodiscard]] SurfaceQueries queries() const {
    MeshData data = mesh.data();
    for (Vec3& position : data.positions) position = frame.from_model(position);
    return SurfaceQueries(*Mesh::create(std::move(data)));
  }

  Mesh mesh;  // model space
  UnitFrame frame;
};

}  // namespace

std::vector<int> finest_parts(const Character& character, std::span<const DetailGroup> groups) {
  std::vector<bool> is_coarse(character.parts.size(), false);
  for (const DetailGroup& group : groups)
    for (std::size_t level = 1; level < group.levels.size(); ++level)
      for (const int part : group.levels[level]) is_coarse[static_cast<std::size_t>(part)] = true;
  std::vector<int> finest;
  for (std::size_t p = 0; p < is_coarse.size(); ++p)
    if (!is_coarse[p]) finest.push_back(static_cast<int>(p));
  return finest;
}

Result<Bound> bind_levels(const Character& character, std::span<const DetailGroup> groups,
                          const BindOptions& options, const Progress& progress) {
  if (groups.empty()) return bind(character, options, progress);
  if (!options.edits.empty())
    return Error{ErrorCode::bad_argument, "edits",
                 "are of the whole character, not of its finest level of detail alone"};
  const std::vector<int> finest = finest_parts(character, groups);
  BindOptions of_finest = options;
  of_finest.may_change.clear();
  if (!options.may_change.empty())
    for (const MeshPart& part : parts_at(character, finest))
      of_finest.may_change.insert(
          of_finest.may_change.end(),
          options.may_change.begin() + static_cast<std::ptrdiff_t>(part.first_vertex),
          options.may_change.begin() +
              static_cast<std::ptrdiff_t>(part.first_vertex + part.vertex_count));
  SINEW_TRY(Bound bound, bind(with_parts(character, finest), of_finest, progress.within(0, 0.9)));
  Stopwatch watch;
  BindReport& report = bound.report;
  std::vector<Rows> rows(report.budgets.size(), Rows(character));
  rows.front().put(finest, bound.weights);
  for (std::size_t b = 1; b < rows.size(); ++b) rows[b].put(finest, bound.further[b - 1]);
  std::vector<SkinWeights> fine;
  for (const Rows& each : rows) fine.push_back(each.weights());

  std::vector<Exemplar> exemplars;
  if (options.format != WeightFormat::f32)
    exemplars = draw_exemplars(character, report.roles, report.hierarchy, options.exemplars);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<std::vector<int>>& levels = groups[g].levels;
    const FinestLevel source(character, levels.front());
    const SurfaceQueries surface = source.queries();
    for (std::size_t level = 1; level < levels.size(); ++level) {
      SINEW_CHECK(progress.checkpoint(
          "levels of detail",
          0.9 + 0.1 * static_cast<double>(g) / static_cast<double>(groups.size())));
      const PreparedMesh prepared = prepare_mesh(with_parts(character, levels[level]).mesh);
      std::vector<Vec3> points = prepared.welded.mesh.positions();
      for (Vec3& point : points) point = source.frame.from_model(point);
      const std::vector<SurfacePoint> closest = closest_points(surface, points);
      const std::vector<std::vector<Affine3>> poses = poses_in_frame(exemplars, prepared.frame);
      for (std::size_t b = 0; b < rows.size(); ++b) {
        SkinWeights weights = cap_influences(
            weights_at(surface, rows_of_parts(fine[b], parts_at(character, levels.front())),
                       closest),
            report.budgets[b].max_influences);
        if (options.format != WeightFormat::f32)
          if (auto rounded = round_for_delivery(weights, prepared, poses, options.format, progress);
              !rounded.ok())
            return std::move(rounded).error();
        rows[b].put(levels[level], spread_to_copies(prepared.welded, weights));
      }
      double farthest = 0;
      for (const SurfacePoint& point : closest) farthest = std::max(farthest, point.distance);
      for (const int part : levels[level])
        report.coarse.push_back(
            {part, static_cast<int>(level), character.parts[static_cast<std::size_t>(part)].name,
             character.parts[static_cast<std::size_t>(levels.front().front())].name, farthest});
    }
  }
  bound.weights = rows.front().weights();
  for (std::size_t b = 1; b < rows.size(); ++b) bound.further[b - 1] = rows[b].weights();
  watch.lap("levels of detail", report.times);
  return bound;
}

}  // namespace sinew
