// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace sinew {

/// What a deformer reads and fills: x y z packed, one triple per vertex. The caller owns all of it.
/// Outputs must not overlap inputs. Normals are deformed when both their spans are given; all spans
/// that are not empty have the same length.
struct DeformSpans {
  std::span<const float> positions;  // model space, bind pose
  std::span<const float> normals;    // unit, model space, bind pose
  std::span<float> out_positions;
  std::span<float> out_normals;
};

/// The instruction set that a deformer runs with. All give the same result to float rounding.
enum class DeformKernel {
  fastest,   // the best that this processor has
  baseline,  // what every processor of the architecture has
  avx2,      // with FMA: x86-64 since 2013; AVX-512 was tried and gains 3%
};
[[nodiscard]] bool is_available(DeformKernel kernel);

/// How to run, not what to compute: no choice here changes the result by more than float rounding,
/// and the number of threads does not change a bit of it.
struct DeformOptions {
  enum class Threads { many, one };
  Threads threads =
      Threads::many;  // one: the calling thread only, for callers that are parallel themselves
  DeformKernel kernel =
      DeformKernel::fastest;  // another only to measure or to test; must be available
};

}  // namespace sinew
