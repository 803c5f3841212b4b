// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "pipeline/edit_schedule.h"

#include <algorithm>

#include <fmt/format.h>

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

}  // namespace

Status check_edited_bones(std::span<const PlannedEdit> edits, std::span<const BoneRole> roles,
                          const Skeleton& skeleton) {
  for (std::size_t e = 0; e < edits.size(); ++e)
    for (const int bone : edits[e].bones) {
      if (bone < 0 || bone >= static_cast<int>(roles.size()))
        return placed({ErrorCode::bad_argument, "bone", fmt::format("there is no bone {}", bone)},
                      e);
      if (!roles[static_cast<std::size_t>(bone)].deforms)
        return placed(
            {ErrorCode::bad_argument, "bone",
             fmt::format("'{}' does not deform; --bones binds to it", skeleton.bone(bone).name)},
            e);
    }
  return {};
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
  for (; has_more() && step_of(next_) <= now; ++next_) {
    const std::size_t e = order_[next_];
    Result<std::vector<WeightEdit>> meant =
        edits_of(edits_[e], {prepared_, &solver.problem().maps, &solver.weights()});
    if (!meant.ok()) return placed(std::move(meant).error(), e);
    made_.push_back({edits_[e].kind, edits_[e].bones, solver.steps().size(), 0});
    for (WeightEdit& edit : *meant) {
      made_.back().vertices += size_of(edit);
      due.push_back(std::move(edit));
    }
  }
  if (due.empty()) return {};
  SINEW_CHECK(solver.edit(due));
  return {};
}

}  // namespace sinew
