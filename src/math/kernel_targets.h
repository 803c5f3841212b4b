// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <type_traits>

// Inner loops exist once in source and twice in the binary, for any processor and for AVX2, some a
// third time for AVX-512: docs/decisions/speed.md. Those that do without FMA give the same bits
// on both.

#if defined(__x86_64__) && defined(__GNUC__)
#define SINEW_HAS_AVX2_DOUBLES
#include <immintrin.h>
#endif

namespace sinew {

[[nodiscard]] inline bool has_avx2() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
#else
  return false;
#endif
}

[[nodiscard]] inline bool has_fma() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  static const bool has = __builtin_cpu_supports("fma");
  return has && has_avx2();
#else
  return false;
#endif
}

[[nodiscard]] inline bool has_avx512() {
#ifdef SINEW_HAS_AVX2_DOUBLES
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  return has && has_fma();
#else
  return false;
#endif
}

}  // namespace sinew
