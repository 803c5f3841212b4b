// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "weights/bounded_biharmonic_energy.h"

namespace sinew {

struct ActiveSetOptions {
  double tolerance = 0;
  int most_rounds = 0;
  int steps_after = 0;            // projected steps for handles whose bounds did not settle
  double largest_eigenvalue = 0;  // as the function of this name has it
};

struct ActiveSetWeights {
  std::vector<Eigen::SparseVector<double>> of_handle;
  std::size_t unsettled_handles = 0;
};

/// The bounded biharmonic weights of one level. Each handle has its own sets of points at the lower
/// bound, at the upper one and between; in each round the points between are solved for, and the
/// sets are revised, until they stay. The first sets are those of some projected steps from the
/// solution without bounds. `own` has the points of each handle, ascending. Fails with bad_argument
/// when the energy has no digits left in doubles, and when cancelled.
/// Follows M. Hintermüller, K. Ito and K. Kunisch, "The primal-dual active set strategy as a
/// semismooth Newton method", SIAM Journal on Optimization 13(3), 2002.
[[nodiscard]] Result<ActiveSetWeights> weights_by_active_sets(const BiharmonicEnergy& energy,
                                                              std::span<const int> handle_of_point,
                                                              std::span<const std::vector<int>> own,
                                                              const ActiveSetOptions& options,
                                                              const Progress& progress);

}  // namespace sinew
