// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// The local step of one cluster in floats: eight exemplars to a register instead of four, with FMA
// where the processor has it. A rotation is off by about 1e-6, and by some 1e-5 where the
// covariance hardly defines it; where floats would do worse than that with it, doubles find it.
namespace sinew::float_fits {

inline constexpr std::size_t kLanes = 8;

/// The 3×4 of one motion in as many exemplars as there are lanes: row by row, each entry's lanes
/// side by side; zero in lanes without an exemplar.
struct MotionLanes {
  alignas(32) float entries[12][kLanes];
};

/// The motions that move a cluster, in all exemplars.
struct Motions {
  const MotionLanes* lanes = nullptr;  // all motions in the first exemplars, then in the next
  std::size_t motion_count = 0;        // of all, of which the cluster has some
  std::size_t groups = 0;              // of kLanes exemplars
  const std::uint32_t* chosen = nullptr;
  std::size_t size = 0;  // of chosen
};

/// Puts Q_m = Σ_x M_m(x)ᵀ R(x) in place of the products P_m of each chosen motion, 4×3 and column
/// after column, with R(x) the rotation that fits Σ_m M_m(x) P_m best. `scratch` is kept from one
/// call to the next.
void turn(const Motions& motions, double* products, std::vector<float>& scratch);
/// The same as processors without AVX2 do it.
void turn_baseline(const Motions& motions, double* products, std::vector<float>& scratch);

}  // namespace sinew::float_fits
