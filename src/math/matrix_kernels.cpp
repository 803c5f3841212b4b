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

/// Of a tile's rows and columns, what stays in the first cache.
constexpr std::size_t kDepthAtATime = 256;

// With FMA, which is worth a factor of two here: unlike the other kernels in doubles, the sets
// differ by rounding.
namespace doubles {
using Scalar = double;
#define SINEW_KERNEL_LANES "math/lanes4.inc"
#define SINEW_KERNEL_BODY "math/matrix_kernel_body.inc"
#define SINEW_KERNEL_AVX2 "avx2,fma"
#define SINEW_KERNEL_WIDE_LANES "math/wide_lanes.inc"
#include "math/kernel_variants.inc"
}  // namespace doubles

namespace floats {
using Scalar = float;
#define SINEW_KERNEL_LANES "math/float_lanes8.inc"
#define SINEW_KERNEL_BODY "math/matrix_kernel_body.inc"
#define SINEW_KERNEL_AVX2 "avx2,fma"
#define SINEW_KERNEL_WIDE_LANES "math/wide_lanes.inc"
#include "math/kernel_variants.inc"
}  // namespace floats

}  // namespace

template <>
const KernelSet<double>& kernels() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_avx512()) return doubles::avx512::kKernels;
#endif
  return narrow_kernels<double>();
}
template <>
const KernelSet<float>& kernels() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_avx512()) return floats::avx512::kKernels;
#endif
  return narrow_kernels<float>();
}

template <>
const KernelSet<double>& narrow_kernels() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_fma()) return doubles::avx2::kKernels;
#endif
  return doubles::baseline::kKernels;
}
template <>
const KernelSet<float>& narrow_kernels() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_fma()) return floats::avx2::kKernels;
#endif
  return floats::baseline::kKernels;
}

template <>
const KernelSet<double>& baseline_kernels() {
  return doubles::baseline::kKernels;
}
template <>
const KernelSet<float>& baseline_kernels() {
  return floats::baseline::kKernels;
}

}  // namespace sinew::matrix_kernels
