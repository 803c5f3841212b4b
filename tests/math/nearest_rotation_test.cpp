// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/nearest_rotation.h"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew::test {
namespace {

using Eigen::Matrix3d;

Matrix3d random_matrix(Random& random) {
  Matrix3d matrix;
  for (int i = 0; i < 9; ++i) matrix(i) = random.normal();
  return matrix;
}

Matrix3d random_rotation(Random& random) {
  return Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
      .normalized()
      .toRotationMatrix();
}

/// The definition, by singular values.
Matrix3d reference(const Matrix3d& c) {
  const Eigen::JacobiSVD<Matrix3d> svd(c, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Matrix3d sign = Matrix3d::Identity();
  sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  return svd.matrixU() * sign * svd.matrixV().transpose();
}

void expect_rotation(const Matrix3d& r) {
  EXPECT_LT((r.transpose() * r - Matrix3d::Identity()).norm(), 1e-14);
  EXPECT_GT(r.determinant(), 0.5);
}

TEST(NearestRotation, OfARotationIsItself) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3d r = random_rotation(random);
    EXPECT_LT((nearest_rotation(std::pow(10.0, random.uniform(-150, 150)) * r) - r).norm(), 1e-13);
  }
  EXPECT_LT((nearest_rotation(Matrix3d::Identity()) - Matrix3d::Identity()).norm(), 1e-15);
}

TEST(NearestRotation, AgreesWithSingularValuesOnAnyMatrix) {
  Random random(2);
  int reflections = 0;
  for (int i = 0; i < 20000; ++i) {
    const Matrix3d c = random_matrix(random);
    const Eigen::Vector3d s = c.jacobiSvd().singularValues();
    const bool reflects = c.determinant() < 0;
    reflections += reflects;
    const double gap = (s[1] + (reflects ? -s[2] : s[2])) / s[0];
    const Matrix3d r = nearest_rotation(c);
    expect_rotation(r);
    EXPECT_LT((r - reference(c)).norm(), 1e-13 / gap + 1e-13) << "gap " << gap;
  }
  EXPECT_GT(reflections, 9000);
}

TEST(NearestRotation, KeepsItsDigitsOnFlatAndThinNeighbourhoods) {
  Random random(3);
  for (const double second : {1.0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-8}) {
    for (int i = 0; i < 500; ++i) {
      const Eigen::Vector3d s(1, second, random.uniform() * 1e-3 * second);
      const Matrix3d v = random_rotation(random);
      const Matrix3d expected = random_rotation(random);
      const Matrix3d c = expected * v * s.asDiagonal() * v.transpose();
      EXPECT_LT((nearest_rotation(c) - expected).norm(), 2e-15 / second + 1e-12) << second;
    }
  }
}

TEST(NearestRotation, IsTheBestWhereItIsNotTheOnlyOne) {
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Matrix3d u = random_rotation(random), v = random_rotation(random);
    for (const Eigen::Vector3d& s :
         {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 1, -1), Eigen::Vector3d(1, 0.3, -0.3),
          Eigen::Vector3d(1, 1e-9, -1e-9), Eigen::Vector3d(1, 1e-5, 0)}) {
      const Matrix3d c = u * s.asDiagonal() * v.transpose();
      const Matrix3d r = nearest_rotation(c);
      expect_rotation(r);
      EXPECT_NEAR((r.transpose() * c).trace(), s.sum(), 1e-12);
    }
  }
}

TEST(NearestRotation, OfNothingIsTheIdentity) {
  EXPECT_EQ(nearest_rotation(Matrix3d::Zero()), Matrix3d::Identity());
  EXPECT_EQ(nearest_rotation(Matrix3d::Constant(std::numeric_limits<double>::quiet_NaN())),
            Matrix3d::Identity());
}

TEST(NearestRotation, OfNumbersWhoseSquaresVanishIsStillRight) {
  Random random(5);
  const Matrix3d r = random_rotation(random);
  EXPECT_LT((nearest_rotation(1e-300 * r) - r).norm(), 1e-13);
  EXPECT_LT((nearest_rotation(1e300 * r) - r).norm(), 1e-13);
}

/// Good, flat, thin, reflecting and hopeless ones.
std::vector<Matrix3d> mixed_matrices(Random& random, int count) {
  std::vector<Matrix3d> matrices;
  for (int i = 0; i < count; ++i) {
    Matrix3d c = random_matrix(random);
    if (i % 5 == 1) c.col(2).setZero();
    if (i % 5 == 2) c = c.col(0) * c.row(0);
    if (i % 5 == 3) c *= std::pow(10.0, random.uniform(-200, 200));
    if (i % 11 == 4) c.setZero();
    if (i % 13 == 5) c(1, 2) = std::numeric_limits<double>::infinity();
    matrices.push_back(c);
  }
  return matrices;
}

TEST(NearestRotations, AreTheSameBitsInEveryLaneWhateverIsBesideThem) {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Matrix3d> matrices = mixed_matrices(random, Lanes3x3::kCount);
    for (const int count : {1, 3, 4, 5, Lanes3x3::kCount}) {
      Lanes3x3 lanes = {};
      for (int lane = 0; lane < count; ++lane)
        lanes.set(lane, matrices[static_cast<std::size_t>(lane)]);
      Lanes3x3 found;
      nearest_rotations(lanes, count, found);
      for (int lane = 0; lane < count; ++lane)
        EXPECT_EQ(found.at(lane), nearest_rotation(matrices[static_cast<std::size_t>(lane)]))
            << "lane " << lane << " of " << count;
    }
  }
}

}  // namespace
}  // namespace sinew::test
