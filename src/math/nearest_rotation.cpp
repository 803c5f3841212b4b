// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/nearest_rotation.h"

#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <Eigen/SVD>

#include "math/kernel_targets.h"

// Vectors that are wider than the processor's registers are passed to nobody: all is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace sinew {
namespace {

/// Slope below which the eigenvector has lost too many digits, and the singular values decide.
constexpr double kMinSlope = 1e-4;
/// Slope above which the first eigenvector is accurate to 1e-12 without a second look.
constexpr double kGoodSlope = 0.1;
/// The largest root is at most the sum of the singular values, √3 for |C| = 1.
constexpr double kLargestRoot = 1.7320508075688773;
constexpr int kMaxSteps = 20;  // far more than a well-defined root needs
/// A step this small leaves less than rounding for the next, which would be its square over the
/// smallest slope.
constexpr double kStepTolerance = 1e-11;
/// Of the covariance: what is smaller has no inverse.
constexpr double kLeastEntry = std::numeric_limits<double>::min();

using Scalar = double;
constexpr std::size_t kLanes = 4;
#define SINEW_KERNEL_LANES "math/lanes4.inc"
#define SINEW_KERNEL_BODY "math/nearest_rotation_body.inc"
#define SINEW_KERNEL_AVX2 "avx2"
#include "math/kernel_variants.inc"

template <std::size_t kBlocks>
unsigned nearest(const double* covariances, double* rotations, std::size_t stride) {
#ifdef SINEW_HAS_AVX2_DOUBLES
  if (has_avx2()) return avx2::nearest<kBlocks>(covariances, rotations, stride);
#endif
  return baseline::nearest<kBlocks>(covariances, rotations, stride);
}

Eigen::Matrix3d by_singular_values(Eigen::Matrix3d c) {
  c /= c.cwiseAbs().maxCoeff();  // first, since squares of tiny numbers vanish
  c /= c.norm();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(c, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) = -u.col(2);
  return u * svd.matrixV().transpose();
}

}  // namespace

Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& covariance) {
  double covariances[9 * kLanes] = {};
  double rotations[9 * kLanes];
  for (std::size_t e = 0; e < 9; ++e)
    covariances[e * kLanes] = covariance(static_cast<int>(e / 3), static_cast<int>(e % 3));
  if ((nearest<1>(covariances, rotations, kLanes) & 1U) != 0) return by_singular_values(covariance);
  Eigen::Matrix3d rotation;
  for (std::size_t e = 0; e < 9; ++e)
    rotation(static_cast<int>(e / 3), static_cast<int>(e % 3)) = rotations[e * kLanes];
  return rotation;
}

void nearest_rotations(const Lanes3x3& covariances, int count, Lanes3x3& rotations) {
  constexpr auto kStride = static_cast<std::size_t>(Lanes3x3::kCount);
  const unsigned unsure = count > Lanes3x3::kCount / 2
                              ? nearest<2>(covariances.entries[0], rotations.entries[0], kStride)
                              : nearest<1>(covariances.entries[0], rotations.entries[0], kStride);
  if (unsure == 0) return;
  for (int lane = 0; lane < count; ++lane)
    if ((unsure >> lane & 1U) != 0) rotations.set(lane, by_singular_values(covariances.at(lane)));
}

}  // namespace sinew
