// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/block_product.h"

#include "math/kernel_targets.h"

// Vectors that are wider than the processor's registers are passed to nobody: all is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace sinew::block_product {
namespace {

constexpr std::size_t kLanes = 4;

#define SINEW_KERNEL_LANES "math/lanes4.inc"
#define SINEW_KERNEL_BODY "arap/block_product_body.inc"
#define SINEW_KERNEL_AVX2 "avx2"
#include "math/kernel_variants.inc"

}  // namespace

void add(const VertexColumns& vertex, const double* x, std::size_t base, double* sums) {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_avx2()) return avx2::add_vertex(vertex, x, base, sums);
#endif
  add_baseline(vertex, x, base, sums);
}

void add_baseline(const VertexColumns& vertex, const double* x, std::size_t base, double* sums) {
  baseline::add_vertex(vertex, x, base, sums);
}

}  // namespace sinew::block_product
