// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "deform/kernels.h"

#ifdef SINEW_HAS_AVX_KERNELS
#include <immintrin.h>

#define SINEW_KERNEL_ENTRY __attribute__((target("avx2,fma")))
#define SINEW_KERNEL SINEW_KERNEL_ENTRY __attribute__((always_inline)) inline

namespace sinew::deform_kernels::avx2 {
namespace {

#include "deform/lanes8.inc"

// Two columns of a matrix per register.
using M = V;
SINEW_KERNEL M load_matrix(const float* columns) { return _mm256_load_ps(columns); }
SINEW_KERNEL void spread_components(const float* xyz, float w, M (&components)[2]) {
  const V4 p = _mm_blend_ps(load4(xyz), _mm_set1_ps(w), 8);
  components[0] = __builtin_shufflevector(p, p, 0, 0, 0, 0, 1, 1, 1, 1);
  components[1] = __builtin_shufflevector(p, p, 2, 2, 2, 2, 3, 3, 3, 3);
}
SINEW_KERNEL V fold(const M (&sums)[2]) { return add_halves(sums[0], sums[1]); }

#include "deform/kernel_body.inc"

}  // namespace

const KernelSet kKernels = {linear, dual_quaternion};

}  // namespace sinew::deform_kernels::avx2
#endif
