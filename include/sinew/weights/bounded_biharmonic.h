// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/math/sparse_cholesky.h"
#include "sinew/volume/embedding.h"

namespace sinew {

/// An interior as bounded biharmonic weights see it: at one resolution.
struct BiharmonicLevel {
  SparseMatrix stiffness;    // volume/element_matrices.h, and ties between pieces; both triangles
  std::vector<double> mass;  // lumped, positive
  std::vector<int> handle;   // of each point: the handle that holds it, or -1 where it is free
  std::optional<Embedding> from_coarser;  // its points in the level before; none for the first
};

struct BoundedBiharmonicOptions {
  /// Of the first level: how far, at most, a weight is from where the bounds and the energy want
  /// it, in units of weight; finer levels, which are polished alone, are off by a hundred times
  /// that. 0 for as exact as doubles are: set most_rounds to 300 with it; it takes seven times as
  /// long.
  double tolerance = 1e-4;
  /// Of the first level: sets of bounds that are tried. 24 settle those of a hand; 2 come within
  /// 0.02% of the least energy in a third of the time, 0, polishing alone, within 0.1% in a fifth.
  int most_rounds = 40;
  int polish_steps = 100;  // on each finer level: within 0.03% of the least energy
};

struct BoundedBiharmonicReport {
  struct Level {
    std::size_t points = 0;
    double residual = 0;  // the largest |w - clip(w - (Q w) / diag Q)| over free points and handles
    double energy = 0;    // sum over handles of wᵀ Q w, Q scaled to a mean diagonal of one
    double seconds = 0;
  };
  std::vector<Level> levels;
  /// Of the first level, whose bounds did not settle: they are polished as on a finer level.
  std::size_t unsettled_handles = 0;
  std::size_t unreached_points = 0;  // of the last level, that no handle's weight reaches
};

struct BoundedBiharmonicWeights {
  /// Of each handle, at the points of the last level: in [0, 1], 1 at its own points and 0 at those
  /// of others, to the bit. Not normalised.
  std::vector<Eigen::SparseVector<double>> of_handle;
  BoundedBiharmonicReport report;
};

/// Smooth weights with local maxima at their handles alone, in practice: of all w with
/// 0 <= w <= 1 that are 1 on the handle's own points and 0 on those of others, the one of least
/// wᵀ Q w, Q = L M⁻¹ L. Levels go from coarse to fine: the first is solved by active sets, exactly
/// but for the tolerance, each further one starts from what the one before says and is polished by
/// projected steps near where that is noticeable. Every connected piece of a level needs a handle
/// on it, or ties to one that has; every handle a point on every level. Fails with bad_argument
/// where they have not, naming the handle or the point, for levels that do not fit each other, and
/// when cancelled. Handles are solved in parallel; the same bits for any number of threads.
/// Cost: on the first level of n points some ten factorisations for each handle, of the points that
/// it reaches, growing with n² or more.
/// On finer levels linear in the points that each handle reaches.
/// Follows A. Jacobson, I. Baran, J. Popović and O. Sorkine, "Bounded biharmonic weights for
/// real-time deformation", ACM Transactions on Graphics 30(4), 2011.
[[nodiscard]] Result<BoundedBiharmonicWeights> bounded_biharmonic_weights(
    std::span<const BiharmonicLevel> levels, std::size_t handle_count,
    const BoundedBiharmonicOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
