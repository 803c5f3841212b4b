// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "arap/arap_system.h"
#include "core/parallel.h"

namespace sinew {

/// Weights that are the same on both sides: unknowns x = S y + s, with so few y that a vertex and
/// its image, or the two sides of a vertex in the plane, cannot differ. What is minimised over x is
/// minimised over y by Sᵀ A S y = Sᵀ (b − A s).
class MirrorReduction {
 public:
  /// Vertices have images where fitting_mirror left them.
  MirrorReduction(const WeightProblem& problem, const WeightUnknowns& unknowns);

  [[nodiscard]] Eigen::Index count() const { return map_.cols(); }
  /// The y of a vertex; none for the second of a pair.
  [[nodiscard]] Eigen::Index first_of(std::size_t vertex) const { return first_[vertex]; }
  [[nodiscard]] Eigen::Index count_of(std::size_t vertex) const {
    return first_[vertex + 1] - first_[vertex];
  }

  /// Lower triangles.
  [[nodiscard]] SparseMatrix matrix(const SparseMatrix& lower) const;
  [[nodiscard]] SparseMatrix columns(const SparseMatrix& columns) const;
  /// Sᵀ r: what y has to mend of what x leaves of a right-hand side.
  [[nodiscard]] Eigen::VectorXd residual(const Eigen::VectorXd& full) const;
  /// S y + s, and the y of an x that is the same on both sides; of any other, that of one side.
  [[nodiscard]] Eigen::VectorXd expand(const Eigen::VectorXd& reduced) const;
  [[nodiscard]] Eigen::VectorXd reduce(const Eigen::VectorXd& full) const;

 private:
  struct Upper {
    std::vector<int> begin;  // of each unknown's column
    std::vector<int> rows;   // ascending
    std::vector<double> values;
  };
  /// Whose y vertices of a piece meet, not before their own.
  struct Met {
    std::vector<std::size_t> begin{0};  // of each vertex of the piece
    std::vector<int> vertices;          // ascending for each: itself comes first
    std::vector<int> height;            // for each: how many y that is
  };

  void find_owners(const Mirror& mirror, const WeightUnknowns& unknowns);
  [[nodiscard]] Upper upper_needed(const SparseMatrix& lower) const;
  template <class Use>
  void for_entries_of(std::size_t vertex, const SparseMatrix& lower, const Upper& upper,
                      const Use& use) const;
  [[nodiscard]] Met met_by(ChunkRange range, const SparseMatrix& lower, const Upper& upper) const;
  void fill_rows(std::size_t vertex, std::span<const int> met, int height,
                 std::vector<int>& offset_of, SparseMatrix& reduced) const;
  void fill_values(std::size_t vertex, const SparseMatrix& lower, const Upper& upper,
                   const std::vector<int>& offset_of, SparseMatrix& reduced) const;
  [[nodiscard]] bool is_of_image(std::size_t unknown) const {
    return unknown >= sources_[static_cast<std::size_t>(owner_[unknown])][0].end;
  }

  std::vector<Eigen::Index> first_;  // vertices + 1
  SparseMatrix map_;                 // S
  SparseMatrix map_rows_;            // Sᵀ: a column for each unknown of the whole
  Eigen::VectorXd constant_;         // s
  std::vector<Eigen::Index> own_;    // for each y, an x that is nothing else
  std::vector<int> alone_;           // of each x, the y that it moves with; -1 if it has others
  std::vector<int> owner_;           // of each x, the vertex that has the y it is made of
  std::vector<std::array<ChunkRange, 2>> sources_;  // x of each vertex, and of its image
};

}  // namespace sinew
