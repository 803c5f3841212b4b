// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/float_fits.h"

#include <limits>

#include "math/kernel_targets.h"
#include "math/nearest_rotation.h"

// Vectors that are wider than the processor's registers are passed to nobody: all is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace sinew::float_fits {
namespace {

constexpr std::size_t kPerMotion = 12;
/// Covariances of two groups are fitted side by side, since each step waits for a division.
constexpr std::size_t kStride = 2 * kLanes;

using Scalar = float;
/// As in nearest_rotation.cpp, for seven digits. Below the first, an eigenvector would have lost
/// two more.
constexpr float kMinSlope = 0.02F;
constexpr float kGoodSlope = 0.5F;
constexpr float kLargestRoot = 1.7320508F;
constexpr int kMaxSteps = 12;  // each halves what is missing at the least
/// The next step would be its square over the slope; where that counts, a second look mends it.
constexpr float kStepTolerance = 1e-4F;
constexpr float kLeastEntry = std::numeric_limits<float>::min();

/// Those lanes by doubles.
void fit_unsure(const float* covariances, unsigned unsure, float* rotations) {
  for (std::size_t lane = 0; lane < kStride; ++lane) {
    if ((unsure >> lane & 1U) == 0) continue;
    Eigen::Matrix3d covariance;
    for (int e = 0; e < 9; ++e)
      covariance(e / 3, e % 3) =
          static_cast<double>(covariances[static_cast<std::size_t>(e) * kStride + lane]);
    const Eigen::Matrix3d rotation = nearest_rotation(covariance);
    for (int e = 0; e < 9; ++e)
      rotations[static_cast<std::size_t>(e) * kStride + lane] =
          static_cast<float>(rotation(e / 3, e % 3));
  }
}

#define SINEW_KERNEL_LANES "math/float_lanes8.inc"
#define SINEW_KERNEL_BODY "arap/float_fit_body.inc"
#define SINEW_KERNEL_AVX2 "avx2,fma"
#include "math/kernel_variants.inc"

/// Room for P in floats and for the rotations of all exemplars.
float* room_in(std::vector<float>& scratch, const Motions& motions) {
  const std::size_t pairs = (motions.groups + 1) / 2;
  scratch.resize(kPerMotion * motions.size + 9 * kStride * pairs);
  return scratch.data();
}

}  // namespace

void turn(const Motions& motions, double* products, std::vector<float>& scratch) {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_fma()) return avx2::turn(motions, products, room_in(scratch, motions));
#endif
  turn_baseline(motions, products, scratch);
}

void turn_baseline(const Motions& motions, double* products, std::vector<float>& scratch) {
  baseline::turn(motions, products, room_in(scratch, motions));
}

}  // namespace sinew::float_fits
