// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/spine_motions.h"

#include <cmath>
#include <numbers>

namespace sinew {

double spine_node(std::size_t n) {
  const double angle =
      std::numbers::pi * static_cast<double>(n) / static_cast<double>(kSpineNodes - 1);
  if (n + 1 == kSpineNodes) return 1;
  return (1 - std::cos(angle)) / 2;
}

/// Barycentric form; at these nodes its weights are ±1, and half of that at the ends
/// (J.-P. Berrut, L. N. Trefethen: Barycentric Lagrange interpolation, SIAM Review 46(3), 2004).
SpineCoefficients spine_coefficients(double u) {
  SpineCoefficients coefficients{};
  double sum = 0;
  for (std::size_t n = 0; n < kSpineNodes; ++n) {
    const double distance = u - spine_node(n);
    if (distance == 0) {
      coefficients.fill(0);
      coefficients[n] = 1;
      return coefficients;
    }
    const double size = n == 0 || n + 1 == kSpineNodes ? 0.5 : 1;
    coefficients[n] = (n % 2 == 0 ? size : -size) / distance;
    sum += coefficients[n];
  }
  for (double& coefficient : coefficients) coefficient /= sum;
  return coefficients;
}

}  // namespace sinew
