// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/matrix_kernels.h"

#include <algorithm>
#include <cmath>

#include "math/kernel_targets.h"

// Vectors that are wider than the processor's registers are passed to nobody: all is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace sinew::matrix_kernels {
namespace {

constexpr std::size_t kLanes = 4;
constexpr std::size_t kTileRows = 3 * kLanes;  // twelve accumulators fill the registers of AVX2
constexpr std::size_t kTileColumns = 4;
/// Of a tile's rows and columns, what stays in the first cache.
constexpr std::size_t kDepthAtATime = 256;
/// Rows whose packed entries stay in the second cache.
constexpr std::size_t kRowsAtATime = 20 * kTileRows;
/// Rows of a solve that are held in registers.
constexpr std::size_t kSolvedRows = 4 * kLanes;

// With FMA, which is worth a factor of two here: unlike the other kernels in doubles, the two sets
// differ by rounding.
#define SINEW_KERNEL_BODY "math/matrix_kernel_body.inc"
#define SINEW_KERNEL_AVX2 "avx2,fma"
#include "math/kernel_variants.inc"

#ifdef SINEW_HAS_AVX2_DOUBLES
bool has_fma() {
  static const bool has = __builtin_cpu_supports("fma");
  return has && has_avx2();
}
#endif

}  // namespace

const KernelSet& kernels() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_fma()) return avx2::kKernels;
#endif
  return baseline::kKernels;
}

const KernelSet& baseline_kernels() { return baseline::kKernels; }

}  // namespace sinew::matrix_kernels
