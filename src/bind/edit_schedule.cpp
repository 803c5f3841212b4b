// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/edit_schedule.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "bind/kept_weights.h"
#include "sinew/arap/planned_edits.h"

namespace sinew {
namespace {

bool is_before_start(const PlannedEdit& edit) {
  return edit.kind == EditKind::connect_wires && edit.after == 0;
}

/// Vertices, or wires.
std::size_t size_of(const WeightEdit& edit) {
  return std::visit(
      [](const auto& each) -> std::size_t {
        if constexpr (requires { each.wires; })
          return each.wires.size();
        else
          return each.vertices.size();
      },
      edit);
}

/// The error of an edit, with its place in the list.
Error placed(Error error, std::size_t edit) {
  error.place = error.place.empty() ? fmt::format("edits[{}]", edit)
                                    : fmt::format("edits[{}].{}", edit, error.place);
  return error;
}

/// An error of the solver about the edits that were due, with their places in the list instead.
Error placed_as_planned(Error error, std::span<const std::size_t> planned) {
  constexpr std::string_view kPrefix = "edits[";
  if (!error.place.starts_with(kPrefix)) return error;
  std::size_t due = 0;
  const char* first = error.place.data() + kPrefix.size();
  const auto [end, wrong] = std::from_chars(first, error.place.data() + error.place.size(), due);
  if (wrong != std::errc() || due >= planned.size()) return error;
  error.place = fmt::format("{}{}{}", kPrefix, planned[due],
                            error.place.substr(static_cast<std::size_t>(end - error.place.data())));
  return error;
}

/// Which of the vertices that a choice allows, of the character, may change.
std::vector<VertexIndex> that_may_change(const VertexChoice& choice, const WeldedMesh& welded,
                                         const std::vector<bool>& may_change_welded) {
  std::vector<VertexIndex> vertices;
  const auto add = [&](VertexIndex v) {
    // What does not exist is for others to refuse.
    if (v >= welded.welded.size() || may_change_welded[welded.welded[v]]) vertices.push_back(v);
  };
  if (choice.vertices)
    for (const VertexIndex v : *choice.vertices) add(v);
  else
    for (VertexIndex v = 0; v < welded.welded.size(); ++v) add(v);
  return vertices;
}

/// The edit as far as places go: weights that it may choose by come later.
PlannedEdit by_place_alone(PlannedEdit edit) {
  edit.where.weighed.reset();
  edit.to.weighed.reset();
  return edit;
}

/// Wires as pairs of vertices of the character, without those between two that stay.
Result<std::vector<Edge>> wires_that_count(const PlannedEdit& edit, const PreparedMesh& prepared,
                                           const std::vector<bool>& may_change_welded) {
  const WeldedMesh& welded = prepared.welded;
  SINEW_TRY(const std::vector<WeightEdit> meant, edits_of(edit, {prepared}));
  std::vector<Edge> pairs;
  for (const WeightEdit& each : meant)
    for (const auto& [a, b] : std::get<ConnectWires>(each).wires)
      if (may_change_welded[a] || may_change_welded[b])
        pairs.push_back(
            {welded.copies[welded.copies_begin[a]], welded.copies[welded.copies_begin[b]]});
  return pairs;
}

}  // namespace

Status check_edited_bones(const BindOptions& options, std::span<const BoneRole> roles,
                          const Skeleton& skeleton) {
  const std::vector<PlannedEdit>& edits = options.edits;
  const std::vector<bool> is_locked = locked_bones(roles.size(), options);
  for (std::size_t e = 0; e < edits.size(); ++e)
    for (const int bone : edits[e].bones) {
      if (bone < 0 || bone >= static_cast<int>(roles.size()))
        return placed({ErrorCode::bad_argument, "bone", fmt::format("there is no bone {}", bone)},
                      e);
      if (is_locked[static_cast<std::size_t>(bone)]) {
        const bool by_name = std::ranges::find(options.lock, bone) != options.lock.end();
        return placed({ErrorCode::bad_argument, "bone",
                       fmt::format("{} is locked ({})", skeleton.bone(bone).name,
                                   by_name ? "--lock" : "--only")},
                      e);
      }
      if (!roles[static_cast<std::size_t>(bone)].deforms)
        return placed(
            {ErrorCode::bad_argument, "bone",
             fmt::format("'{}' does not deform; --bones binds to it", skeleton.bone(bone).name)},
            e);
    }
  return {};
}

Result<std::vector<PlannedEdit>> edits_that_count(std::span<const PlannedEdit> edits,
                                                  const PreparedMesh& prepared,
                                                  const std::vector<bool>& may_change_welded) {
  std::vector<PlannedEdit> counting(edits.begin(), edits.end());
  if (std::ranges::find(may_change_welded, false) == may_change_welded.end()) return counting;
  for (std::size_t e = 0; e < counting.size(); ++e) {
    PlannedEdit& edit = counting[e];
    const bool is_wires = edit.kind == EditKind::connect_wires;
    bool is_any_left = true;
    if (!is_wires) {
      edit.where.vertices = that_may_change(edit.where, prepared.welded, may_change_welded);
      const Result<std::vector<WeightEdit>> left = edits_of(by_place_alone(edit), {prepared});
      if (!left.ok()) return placed(left.error(), e);
      is_any_left = !left->empty() || edit.bones.empty();
    } else if (!edit.where.weighed && !edit.to.weighed) {
      Result<std::vector<Edge>> pairs = wires_that_count(edit, prepared, may_change_welded);
      if (!pairs.ok()) return placed(std::move(pairs).error(), e);
      edit.pairs = *std::move(pairs);
      is_any_left = !edit.pairs.empty();
    }
    if (!is_any_left)
      return placed({ErrorCode::bad_argument, is_wires ? "wires" : "where",
                     "chooses no vertex that may change (--vertices)"},
                    e);
  }
  return counting;
}

Result<std::vector<Edge>> wires_before_start(std::span<const PlannedEdit> edits,
                                             const PreparedMesh& prepared) {
  std::vector<Edge> wires;
  for (std::size_t e = 0; e < edits.size(); ++e) {
    if (!is_before_start(edits[e])) continue;
    Result<std::vector<WeightEdit>> meant = edits_of(edits[e], {prepared});
    if (!meant.ok()) return placed(std::move(meant).error(), e);
    for (const WeightEdit& edit : *meant)
      for (const Edge& wire : std::get<ConnectWires>(edit).wires) wires.push_back(wire);
  }
  return wires;
}

EditSchedule::EditSchedule(std::span<const PlannedEdit> edits, const PreparedMesh& prepared)
    : edits_(edits), prepared_(prepared) {
  for (std::size_t e = 0; e < edits.size(); ++e) {
    if (!is_before_start(edits[e])) {
      order_.push_back(e);
      continue;
    }
    made_.push_back({edits[e].kind, edits[e].bones, 0, 0});
    if (const auto meant = edits_of(edits[e], {prepared}); meant.ok())
      made_.back().vertices = size_of(meant->front());
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return edits[a].after < edits[b].after; });
}

Status EditSchedule::make_due(WeightSolver& solver) {
  const auto step_of = [&](std::size_t at) {
    return static_cast<std::size_t>(std::max(0, edits_[order_[at]].after));
  };
  if (!has_more()) return {};
  const std::size_t now =
      solver.converged() ? std::max(solver.steps().size(), step_of(next_)) : solver.steps().size();
  std::vector<WeightEdit> due;
  std::vector<std::size_t> planned;  // beside due
  for (; has_more() && step_of(next_) <= now; ++next_) {
    const std::size_t e = order_[next_];
    Result<std::vector<WeightEdit>> meant =
        edits_of(edits_[e], {prepared_, &solver.problem().maps, &solver.weights()});
    if (!meant.ok()) return placed(std::move(meant).error(), e);
    made_.push_back({edits_[e].kind, edits_[e].bones, solver.steps().size(), 0});
    for (WeightEdit& edit : *meant) {
      made_.back().vertices += size_of(edit);
      due.push_back(std::move(edit));
      planned.push_back(e);
    }
  }
  if (due.empty()) return {};
  if (auto made = solver.edit(due); !made.ok())
    return placed_as_planned(std::move(made).error(), planned);
  return {};
}

}  // namespace sinew
