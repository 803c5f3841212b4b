// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimise/rotation_kernels.h"

#include "math/kernel_targets.h"

// Vectors that are wider than the processor's registers are passed to nobody: all is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace sinew::rotation_kernels {
namespace {

namespace baseline {
#define SINEW_KERNEL_ENTRY
#define SINEW_KERNEL [[maybe_unused]] __attribute__((always_inline)) inline
#include "math/lanes4.inc"
#include "optimise/rotation_kernel_body.inc"
#undef SINEW_KERNEL
#undef SINEW_KERNEL_ENTRY
}  // namespace baseline

#ifdef SINEW_HAS_AVX2_DOUBLES
namespace avx2 {
#define SINEW_KERNEL_ENTRY __attribute__((target("avx2")))
#define SINEW_KERNEL [[maybe_unused]] SINEW_KERNEL_ENTRY __attribute__((always_inline)) inline
#include "math/lanes4.inc"
#include "optimise/rotation_kernel_body.inc"
#undef SINEW_KERNEL
#undef SINEW_KERNEL_ENTRY
}  // namespace avx2
#endif

}  // namespace

const KernelSet& kernels() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_avx2()) return avx2::kKernels;
#endif
  return baseline::kKernels;
}

}  // namespace sinew::rotation_kernels
