// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/levels_of_detail.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "bind/bind_poses.h"
#include "bind/kept_weights.h"
#include "bind/polish.h"
#include "bind/prepared_bind.h"
#include "bind/round_for_delivery.h"
#include "bind/spine_stage.h"
#include "bind/stopwatch.h"
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

/// A coarser level of a group, and what of its weights stays.
struct LevelToFill {
  std::vector<int> parts;
  std::size_t group = 0;
  int level = 0;
  Character character;
  PreparedMesh prepared;
  BindOptions options;
  KeptWeights stored;
};

/// All of them. Fails before anything is solved where they cannot keep what they have to.
Result<std::vector<LevelToFill>> levels_to_fill(const Character& character,
                                                std::span<const DetailGroup> groups,
                                                const BindOptions& options) {
  std::vector<LevelToFill> to_fill;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t level = 1; level < groups[g].levels.size(); ++level) {
      const std::vector<int>& parts = groups[g].levels[level];
      Character coarse = with_parts(character, parts);
      PreparedMesh prepared = prepare_mesh(coarse.mesh);
      SINEW_TRY(BindOptions own, options_for_parts(options, character, parts));
      if (coarse.weights.influence_count() == 0) {  // it is new: there is nothing to keep
        own.init = BindInit::fresh;
        own.lock.clear();
        own.only.clear();
        own.may_change.clear();
        own.mix = 1;
      }
      SINEW_TRY(Keeping keeping, find_kept_weights(coarse, prepared.welded, own));
      to_fill.push_back({parts, g, static_cast<int>(level), std::move(coarse), std::move(prepared),
                         std::move(own), std::move(keeping.stored)});
    }
  return to_fill;
}

/// What a level's weights are rounded by.
struct LevelRounding {
  std::vector<std::vector<Affine3>> poses;
  std::optional<Mirror> mirror;
};

LevelRounding rounding_of(const LevelToFill& level, std::span<const Exemplar> exemplars,
                          const Bound& bound) {
  LevelRounding rounding;
  rounding.poses = poses_in_frame(exemplars, level.prepared.frame);
  if (level.options.format == WeightFormat::f32 || !bound.report.solve ||
      !bound.report.solve->mirror_axis)
    return rounding;
  rounding.mirror = chosen_mirror(level.prepared, bound.skeleton, level.options.mirror);
  return rounding;
}

/// What a level gets for the weights that it took: those beside its old ones, rounded. Old ones of
/// which the finest level came back as they were do so here too.
Result<SkinWeights> weights_of_level(const LevelToFill& level, SkinWeights taken,
                                     const BudgetReport& budget, const LevelRounding& rounding,
                                     Bound& bound, const Progress& progress) {
  const WeightFormat format = level.options.format;
  const PutBeside how{*plan_old_weights(level.options), budget.max_influences,
                      level.options.exemplars.seed};
  Polished polished;
  const bool is_improved = how.plan.use == OldWeightsPlan::Use::improved;
  if (is_improved && budget.polish && budget.polish->blend == 0) {
    polished.weights = old_within_cap(level.stored, taken, budget.max_influences);
  } else {
    SINEW_TRY(polished, put_beside_old(level.character, bound.report.roles, bound.report.hierarchy,
                                       level.stored, std::move(taken), how, progress));
  }
  if (format == WeightFormat::f32) return polished.weights;
  if (auto rounded = round_stored_for_delivery(polished.weights, level.prepared, rounding.poses,
                                               format, rounding.mirror, progress);
      !rounded.ok())
    return std::move(rounded).error();
  const auto is_told = [](const Notice& notice) { return notice.code == kKeptWeightsRounded; };
  if (std::ranges::none_of(bound.notices, is_told))
    notice_rounded(count_not_kept(level.stored, polished.weights), format, bound.notices);
  return polished.weights;
}

/// Where a coarser level may change, not nothing may.
void tell_what_may_change(std::span<const LevelToFill> levels, Bound& bound) {
  const bool may_any = std::ranges::any_of(levels, [&](const LevelToFill& level) {
    return why_nothing_may_change(level.stored, bound.report.roles, bound.skeleton, level.options)
        .empty();
  });
  if (may_any)
    std::erase_if(bound.notices,
                  [](const Notice& notice) { return notice.code == kNothingMayChange; });
}

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

Result<BindOptions> options_for_parts(const BindOptions& options, const Character& character,
                                      std::span<const int> parts) {
  SINEW_CHECK(check_bones(character, options));
  SINEW_CHECK(check_keeping(character, options));
  SINEW_CHECK(check_spine_parameters(character, options));
  const std::vector<MeshPart> chosen = parts_at(character, parts);
  const auto cut = [&](auto& values) {
    auto of_all = std::exchange(values, {});
    if (of_all.empty()) return;
    for (const MeshPart& part : chosen) {
      const auto first = of_all.begin() + static_cast<std::ptrdiff_t>(part.first_vertex);
      values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(part.vertex_count));
    }
  };
  BindOptions result = options;
  cut(result.may_change);
  for (SpineRequest& request : result.spines) cut(request.painted);
  for (SpineBone& spine : result.own_spines) {
    cut(spine.parameters);
    cut(spine.gradients);
  }
  return result;
}

Result<Bound> bind_levels(const Character& character, std::span<const DetailGroup> groups,
                          const BindOptions& options, const Progress& progress) {
  if (groups.empty()) return bind(character, options, progress);
  if (!options.edits.empty())
    return Error{ErrorCode::bad_argument, "edits",
                 "are of the whole character, not of its finest level of detail alone"};
  const std::vector<int> finest = finest_parts(character, groups);
  SINEW_TRY(const BindOptions of_finest, options_for_parts(options, character, finest));
  SINEW_TRY(std::vector<LevelToFill> to_fill, levels_to_fill(character, groups, options));
  SINEW_TRY(Bound bound, bind(with_parts(character, finest), of_finest, progress.within(0, 0.9)));
  for (SpineRequest& request : bound.spines)
    for (const SpineRequest& asked : options.spines)
      if (asked.bone == request.bone) request.painted = asked.painted;
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
  std::optional<FinestLevel> source;
  std::optional<SurfaceQueries> surface;
  for (std::size_t l = 0; l < to_fill.size(); ++l) {
    const LevelToFill& level = to_fill[l];
    const std::vector<int>& source_parts = groups[level.group].levels.front();
    SINEW_CHECK(progress.checkpoint(
        "levels of detail",
        0.9 + 0.1 * static_cast<double>(l) / static_cast<double>(to_fill.size())));
    if (l == 0 || level.group != to_fill[l - 1].group) {
      source.emplace(character, source_parts);
      surface.emplace(source->queries());
    }
    std::vector<Vec3> points = level.prepared.welded.mesh.positions();
    for (Vec3& point : points) point = source->frame.from_model(point);
    const std::vector<SurfacePoint> closest = closest_points(*surface, points);
    const LevelRounding rounding = rounding_of(level, exemplars, bound);
    bool has_changed = false;
    for (std::size_t b = 0; b < rows.size(); ++b) {
      const SkinWeights taken = cap_influences(
          weights_at(*surface, rows_of_parts(fine[b], parts_at(character, source_parts)), closest),
          report.budgets[b].max_influences);
      SINEW_TRY(const SkinWeights weights,
                weights_of_level(level, spread_to_copies(level.prepared.welded, taken),
                                 report.budgets[b], rounding, bound, progress));
      if (b == 0) has_changed = weights != level.character.weights;
      rows[b].put(level.parts, weights);
    }
    double farthest = 0;
    for (const SurfacePoint& point : closest) farthest = std::max(farthest, point.distance);
    for (const int part : level.parts)
      report.coarse.push_back(
          {part, level.level, has_changed, character.parts[static_cast<std::size_t>(part)].name,
           character.parts[static_cast<std::size_t>(source_parts.front())].name, farthest});
  }
  tell_what_may_change(to_fill, bound);
  bound.weights = rows.front().weights();
  for (std::size_t b = 1; b < rows.size(); ++b) bound.further[b - 1] = rows[b].weights();
  watch.lap("levels of detail", report.times);
  return bound;
}

}  // namespace sinew
