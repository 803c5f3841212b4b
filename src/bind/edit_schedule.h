// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/bind/bind.h"

namespace sinew {

/// Refuses edits of bones that nothing is bound to, and of those whose weights stay.
[[nodiscard]] Status check_edited_bones(const BindOptions& options, std::span<const BoneRole> roles,
                                        const Skeleton& skeleton);

/// The edits without vertices whose weights stay, and without wires between two of those. One that
/// nothing is left of is an error, unless it chooses by weights that are not there yet.
[[nodiscard]] Result<std::vector<PlannedEdit>> edits_that_count(
    std::span<const PlannedEdit> edits, const PreparedMesh& prepared,
    const std::vector<bool>& may_change_welded);

/// Wires that are there before the first step: they belong to the mesh, and the first weights know
/// them.
[[nodiscard]] Result<std::vector<Edge>> wires_before_start(std::span<const PlannedEdit> edits,
                                                           const PreparedMesh& prepared);

/// Makes the other edits, each when its step has come.
class EditSchedule {
 public:
  EditSchedule(std::span<const PlannedEdit> edits, const PreparedMesh& prepared);

  /// Whether some are still to come.
  [[nodiscard]] bool has_more() const { return next_ < order_.size(); }
  /// Makes those whose time has come, and, in a solver that has converged, those that come next.
  Status make_due(WeightSolver& solver);
  [[nodiscard]] std::vector<MadeEdit> take_made() { return std::move(made_); }

 private:
  std::span<const PlannedEdit> edits_;
  const PreparedMesh& prepared_;
  std::vector<std::size_t> order_;  // by step
  std::size_t next_ = 0;            // of order_
  std::vector<MadeEdit> made_;
};

}  // namespace sinew
