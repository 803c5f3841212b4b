// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/float_fits.h"

#include <limits>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "math/nearest_rotation.h"
#include "math/random.h"

namespace sinew {
namespace {

using PerMotion = Eigen::Matrix<double, 4, 3>;
using Motion = Eigen::Matrix<double, 3, 4>;

constexpr double kAgree = 3e-5;  // of one exemplar, where covariances hardly define rotations

/// One cluster: motions by exemplar, of which it has some, and their products.
struct Cluster {
  std::vector<std::vector<Motion>> motions;  // of each exemplar
  std::vector<std::uint32_t> chosen;
  std::vector<PerMotion> products;
};

/// Bones that turn and move at random, and products as edges around a point make them.
Cluster random_cluster(Random& random, std::size_t exemplars, std::size_t chosen) {
  constexpr std::size_t kAllMotions = 9;
  Cluster cluster;
  cluster.motions.resize(exemplars);
  for (std::vector<Motion>& of_exemplar : cluster.motions)
    for (std::size_t m = 0; m < kAllMotions; ++m) {
      Motion motion;
      motion.leftCols<3>() =
          Eigen::Quaterniond(2 + random.normal(), random.normal(), random.normal(), random.normal())
              .normalized()
              .toRotationMatrix();
      motion.col(3) = 0.1 * Eigen::Vector3d(random.normal(), random.normal(), random.normal());
      of_exemplar.push_back(motion);
    }
  for (std::size_t m = 0; m < chosen; ++m) {
    cluster.chosen.push_back(static_cast<std::uint32_t>((2 * m + 1) % kAllMotions));
    PerMotion product = PerMotion::Zero();
    for (int edge = 0; edge < 6; ++edge) {
      const Eigen::Vector3d e(random.normal(), random.normal(), 0.3 * random.normal());
      const Eigen::Vector4d h(e.x(), e.y(), e.z(), 0.2 * random.normal());
      product += random.uniform() * h * e.transpose();
    }
    cluster.products.push_back(product);
  }
  return cluster;
}

/// Q by its definition, in doubles.
std::vector<PerMotion> expected(const Cluster& cluster) {
  std::vector<PerMotion> turned(cluster.chosen.size(), PerMotion::Zero());
  for (const std::vector<Motion>& motions : cluster.motions) {
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (std::size_t m = 0; m < cluster.chosen.size(); ++m)
      covariance += motions[cluster.chosen[m]] * cluster.products[m];
    const Eigen::Matrix3d rotation = nearest_rotation(covariance);
    for (std::size_t m = 0; m < cluster.chosen.size(); ++m)
      turned[m] += motions[cluster.chosen[m]].transpose() * rotation;
  }
  return turned;
}

using Turn = void (*)(const float_fits::Motions&, double*, std::vector<float>&);

std::vector<PerMotion> found(const Cluster& cluster, Turn turn) {
  using float_fits::kLanes;
  const std::size_t all = cluster.motions.front().size();
  const std::size_t groups = (cluster.motions.size() + kLanes - 1) / kLanes;
  std::vector<float_fits::MotionLanes> lanes(groups * all);
  for (std::size_t x = 0; x < cluster.motions.size(); ++x)
    for (std::size_t m = 0; m < all; ++m)
      for (int e = 0; e < 12; ++e)
        lanes[x / kLanes * all + m].entries[e][x % kLanes] =
            static_cast<float>(cluster.motions[x][m](e / 4, e % 4));
  std::vector<PerMotion> products = cluster.products;
  // As a larger cluster may have left it.
  std::vector<float> scratch(5000, std::numeric_limits<float>::quiet_NaN());
  turn({.lanes = lanes.data(),
        .motion_count = all,
        .groups = groups,
        .chosen = cluster.chosen.data(),
        .size = cluster.chosen.size()},
       products.data()->data(), scratch);
  return products;
}

void expect_agreement(const Cluster& cluster, const char* what) {
  const std::vector<PerMotion> right = expected(cluster);
  for (const Turn turn : {float_fits::turn, float_fits::turn_baseline}) {
    const std::vector<PerMotion> turned = found(cluster, turn);
    for (std::size_t m = 0; m < right.size(); ++m)
      EXPECT_LT((turned[m] - right[m]).norm(), kAgree * static_cast<double>(cluster.motions.size()))
          << what << ", motion " << m << " of " << right.size() << ", " << cluster.motions.size()
          << " exemplars";
  }
}

TEST(FloatFits, AreThoseOfDoublesForAnyNumberOfExemplars) {
  Random random(1);
  for (std::size_t exemplars = 1; exemplars <= 41; ++exemplars)
    for (const std::size_t chosen : {1u, 2u, 5u, 9u})
      expect_agreement(random_cluster(random, exemplars, chosen), "random");
}

TEST(FloatFits, DoNotDependOnTheScaleOfTheMesh) {
  Random random(2);
  for (const double scale : {1e-24, 1e-12, 1.0, 1e12}) {
    Cluster cluster = random_cluster(random, 19, 4);
    for (PerMotion& product : cluster.products) product *= scale;
    expect_agreement(cluster, "scaled");
  }
}

TEST(FloatFits, LeaveWhatFloatsCannotTellToDoubles) {
  // Edges that all but lie on one line: what turns about it is a matter of the last digits.
  Random random(3);
  for (const double thickness : {1e-2, 2e-3}) {
    Cluster cluster = random_cluster(random, 24, 1);
    const Eigen::Vector4d along(1, 0, 0, 0);
    cluster.products.front() = along * along.head<3>().transpose();
    cluster.products.front()(1, 1) = thickness;
    expect_agreement(cluster, "thin");
  }
}

TEST(FloatFits, AreRotationsWhereNothingIsToBeFitted) {
  Random random(4);
  Cluster cluster = random_cluster(random, 11, 3);
  for (PerMotion& product : cluster.products) product.setZero();
  expect_agreement(cluster, "no edges");
}

}  // namespace
}  // namespace sinew
