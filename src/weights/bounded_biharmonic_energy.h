// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/weights/bounded_biharmonic.h"

namespace sinew {

/// Between two looks at whether to stop: bounds the memory of what is dense, and keeps all threads
/// busy.
inline constexpr std::size_t kHandlesAtATime = 32;

/// The energy of a level: wᵀ Q w with Q = s L M⁻¹ L, and s such that the mean of Q's diagonal is
/// one. L is symmetric, so that a column of it is a row too.
struct BiharmonicEnergy {
  SparseMatrix stiffness;            // L
  std::vector<double> inverse_mass;  // s M⁻¹
  std::vector<double> diagonal;      // of Q; one for points that nothing holds on to

  [[nodiscard]] static BiharmonicEnergy of(const BiharmonicLevel& level);

  [[nodiscard]] std::size_t size() const { return inverse_mass.size(); }
  [[nodiscard]] std::span<const int> neighbours_of(std::size_t point) const;
  [[nodiscard]] std::span<const double> entries_of(std::size_t point) const;  // beside neighbours
};

/// Q itself.
[[nodiscard]] SparseMatrix matrix_of(const BiharmonicEnergy& energy);

/// The largest eigenvalue of D⁻¹ Q, D its diagonal, or a few per cent more: about 2 on cubes, 4 on
/// tetrahedra.
[[nodiscard]] double largest_eigenvalue(const BiharmonicEnergy& energy);

/// What a weight costs, and how far it is from where the energy and the bounds want it.
struct BiharmonicMeasure {
  double energy = 0;
  double residual = 0;
};
[[nodiscard]] BiharmonicMeasure measure(const BiharmonicEnergy& energy,
                                        std::span<const int> handle_of_point,
                                        const Eigen::SparseVector<double>& weight);

}  // namespace sinew
