// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/edit/edit_session.h"

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

/// A solver with the edits that are to be made between its steps, each when its time has come.
class EditSchedule {
 public:
  EditSchedule(std::span<const PlannedEdit> edits, const PreparedMesh& prepared,
               WeightSolver solver);

  [[nodiscard]] WeightSolver& solver() { return session_ ? session_->solver() : *unedited_; }
  /// Whether some are still to come.
  [[nodiscard]] bool has_more() const { return next_ < order_.size(); }
  /// Makes those whose time has come, and, where the solver has converged, those that come next.
  Status make_due();
  [[nodiscard]] std::vector<MadeEdit> take_made() { return std::move(made_); }
  /// Of those that were made, in the history of steps.
  [[nodiscard]] std::vector<EditMark> marks() const;

 private:
  std::span<const PlannedEdit> edits_;
  const PreparedMesh& prepared_;
  std::vector<std::size_t> order_;        // by step
  std::size_t next_ = 0;                  // of order_
  std::optional<WeightSolver> unedited_;  // where there is nothing to come
  std::optional<EditSession> session_;    // where there is
  std::vector<MadeEdit> made_;
};

}  // namespace sinew
