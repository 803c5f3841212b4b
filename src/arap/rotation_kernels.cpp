// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/rotation_kernels.h"

#include "math/kernel_targets.h"

// Vectors that are wider than the processor's registers are passed to nobody: all is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace sinew::rotation_kernels {
namespace {

#define SINEW_KERNEL_LANES "math/lanes4.inc"
#define SINEW_KERNEL_BODY "arap/rotation_kernel_body.inc"
#define SINEW_KERNEL_AVX2 "avx2"
#include "math/kernel_variants.inc"

}  // namespace

const KernelSet& kernels() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_avx2()) return avx2::kKernels;
#endif
  return baseline::kKernels;
}

}  // namespace sinew::rotation_kernels
