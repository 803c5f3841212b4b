// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "deform/kernels.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <cmath>

#define SINEW_KERNEL_ENTRY
#define SINEW_KERNEL __attribute__((always_inline)) inline

namespace sinew::deform_kernels::baseline {
namespace {

// Four lanes, one vertex in each row: SSE2, NEON, or whatever the compiler makes of four floats.
using V = float __attribute__((vector_size(16)));
using VBits = std::uint32_t __attribute__((vector_size(16)));

SINEW_KERNEL V load(const float* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof(V));
  return v;
}
SINEW_KERNEL V load_row(const float* xyz) { return load(xyz); }
SINEW_KERNEL V load_quarters(const float* const (&quarters)[1]) { return load(quarters[0]); }
SINEW_KERNEL void store_quarter(V row, int, float* xyz) { __builtin_memcpy(xyz, &row, sizeof(V)); }

SINEW_KERNEL V interleave_low(V a, V b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
SINEW_KERNEL V interleave_high(V a, V b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
SINEW_KERNEL V join_low(V a, V b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
SINEW_KERNEL V join_high(V a, V b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }
template <int kLane>
SINEW_KERNEL V spread_lane(V a) {
  return __builtin_shufflevector(a, a, kLane, kLane, kLane, kLane);
}

SINEW_KERNEL V sqrt_lanes(V a) {
#if defined(__SSE2__)
  return _mm_sqrt_ps(a);
#else
  return V{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}
SINEW_KERNEL V flip_signs(V a, V where_negative) {
  return reinterpret_cast<V>(reinterpret_cast<VBits>(a) ^
                             (reinterpret_cast<VBits>(where_negative) & 0x80000000u));
}
SINEW_KERNEL void split_motions(const V (&motions)[1][2], V& real, V& dual) {
  real = motions[0][0];
  dual = motions[0][1];
}

// One column of a matrix per register.
using M = V;
SINEW_KERNEL M load_matrix(const float* columns) {
  return load(static_cast<const float*>(__builtin_assume_aligned(columns, 16)));
}
SINEW_KERNEL void spread_components(const float* xyz, float w, M (&components)[4]) {
  const V p = load(xyz);
  components[0] = spread_lane<0>(p);
  components[1] = spread_lane<1>(p);
  components[2] = spread_lane<2>(p);
  components[3] = V{w, w, w, w};
}
SINEW_KERNEL V fold(const M (&sums)[1]) { return sums[0]; }

#include "deform/kernel_body.inc"

}  // namespace

const KernelSet kKernels = {linear, dual_quaternion};

}  // namespace sinew::deform_kernels::baseline
