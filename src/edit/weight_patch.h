// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "arap/weight_system.h"
#include "edit/patch_problem.h"
#include "sinew/edit/edit_session.h"

namespace sinew {

/// Solves for the weights of some vertices of a problem, all others held. Its steps are steps of
/// the whole problem in some of its unknowns, so that they never raise its energy either.
class WeightPatch {
 public:
  /// `free` ascends; `vertex_order` is one in which all vertices can be eliminated. Fails as a
  /// factorisation does.
  [[nodiscard]] static Result<WeightPatch> create(const WholeProblem& whole,
                                                  std::span<const VertexIndex> free,
                                                  std::span<const int> vertex_order,
                                                  const WeightTerms& terms, NearStep& report);

  /// Of the whole problem, but for a constant.
  struct Energies {
    double after_rotations = 0;
    double after_weights = 0;
  };
  /// One local and one global step, from and to weights of the whole problem, which must still have
  /// the same bones. Fails, the weights as they were, when there is no solution.
  [[nodiscard]] Result<Energies> step(const InfluenceMaps& whole_maps, std::vector<double>& weights,
                                      NearStep& report) const;

 private:
  WeightPatch(PatchProblem patch, const WeightTerms& terms);
  [[nodiscard]] Status factorise(std::span<const int> vertex_order);

  PatchProblem patch_;
  std::vector<RotationTables> tables_;
  WeightSystem system_;
  SparseMatrix coupling_;                 // held × free unknowns
  std::optional<SparseCholesky> factor_;  // nothing where nothing is unknown
};

}  // namespace sinew
