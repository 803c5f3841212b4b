// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "arap/solver_reviser.h"
#include "sinew/edit/weight_edits.h"

namespace sinew {

/// All that edits can change, so that one can be prepared beside a solver and put into it at once,
/// and taken out again in the same way.
struct EditedParts {
  std::map<VertexIndex, SolverRevision::Row>
      rows;                 // of vertices with other bones than in the solver
  std::vector<Edge> wires;  // all that edits have added
  HeldConstraints held;     // all; those of painted weights by a revision
  using Weight = std::pair<std::uint32_t, std::uint32_t>;  // vertex, bone
  /// Of painted weights: the given constraints that had to give way.
  std::map<Weight, std::vector<WeightConstraint>> gave_way;
};

/// Edits worked out beside a solver, which does not notice.
class EditDraft {
 public:
  /// What is read of a solver; it must outlive this.
  struct Solver {
    const WeightProblem& problem;
    const MeshGraph& graph;              // without the wires of edits
    const std::vector<double>& weights;  // beside problem.maps.bones
    bool has_fading_ends;
  };
  EditDraft(const Solver& solver, EditedParts parts);

  /// Places in errors begin with this.
  Status apply(const WeightEdit& edit, const std::string& place);

  [[nodiscard]] std::size_t changed() const { return changed_; }
  [[nodiscard]] std::size_t passed_over() const { return passed_over_; }
  /// The edited parts; fading ends have moved with the influences.
  [[nodiscard]] EditedParts finish() &&;

 private:
  Status apply_one(const AddInfluence& edit, const std::string& place);
  Status apply_one(const RemoveInfluence& edit, const std::string& place);
  Status apply_one(const ConnectWires& edit, const std::string& place);
  Status apply_one(const SetWeights& edit, const std::string& place);
  Status apply_one(const FlattenWeights& edit, const std::string& place);
  Status apply_one(const ClearWeights& edit, const std::string& place);
  Status apply_one(const ReleaseAttachments& edit, const std::string& place);

  /// The vertices of an edit, each once and ascending.
  Result<std::vector<VertexIndex>> checked(std::uint32_t bone,
                                           const std::vector<VertexIndex>& vertices,
                                           const std::string& place) const;
  [[nodiscard]] std::span<const std::uint32_t> bones_of(std::size_t vertex) const;
  [[nodiscard]] std::span<const double> start_of(std::size_t vertex) const;
  [[nodiscard]] bool has(std::size_t vertex, std::uint32_t bone) const;
  SolverRevision::Row& row_to_change(VertexIndex vertex);
  void add_bone(VertexIndex vertex, std::uint32_t bone);
  void remove_bone(VertexIndex vertex, std::uint32_t bone);
  template <class Unwanted>
  void erase_constraints(const Unwanted& unwanted);
  void add_constraint(const WeightConstraint& constraint, ConstraintOrigin origin);
  void count(bool is_changed) { ++(is_changed ? changed_ : passed_over_); }
  /// Constraints towards zero around the vertices whose bones have changed, as neumann_constraints
  /// would set them.
  void move_fading_ends();
  [[nodiscard]] bool ends_at(std::size_t vertex, std::uint32_t bone) const;

  Solver solver_;
  EditedParts parts_;
  std::size_t changed_ = 0;
  std::size_t passed_over_ = 0;
};

}  // namespace sinew
