// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "weights/bounded_biharmonic_energy.h"

namespace sinew {

struct ProjectedSteps {
  int count = 0;
  double largest_eigenvalue = 0;  // as the function of this name has it
};

/// A weight of less energy: accelerated steps down its gradient, each clipped to [0, 1]. They stay
/// in a window, the points where the weight is noticeable and those near them; beyond it becomes
/// zero. Where it comes to the rim of its window there are more steps in a wider one. `own` are the
/// points of the handle, ascending, at least one; theirs are ones, those of other handles zeros.
/// Follows A. Beck and M. Teboulle, "A fast iterative shrinkage-thresholding algorithm for linear
/// inverse problems", SIAM Journal on Imaging Sciences 2(1), 2009; restarts follow B. O'Donoghue
/// and E. Candès, "Adaptive restart for accelerated gradient schemes", Foundations of Computational
/// Mathematics 15(3), 2015.
[[nodiscard]] Eigen::SparseVector<double> projected_steps(const BiharmonicEnergy& energy,
                                                          std::span<const int> handle_of_point,
                                                          std::span<const int> own,
                                                          const Eigen::SparseVector<double>& start,
                                                          const ProjectedSteps& steps);

}  // namespace sinew
