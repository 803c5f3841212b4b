// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/math/nearest_rotation.h"

#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace sinew {
namespace {

// The unit quaternion of the best rotation is the eigenvector of the largest eigenvalue of a
// symmetric, traceless 4x4 matrix N made from C (B. Horn, Closed-form solution of absolute
// orientation using unit quaternions, J. Opt. Soc. Am. A 4(4), 1987). With |C| = 1 its
// characteristic polynomial is λ⁴ − 2λ² − 8 det(C) λ + det(N), and its slope at the largest root is
// the product of the distances to the other three: how well the eigenvector is defined.

/// Slope below which the eigenvector has lost too many digits, and the singular values decide.
constexpr double kMinSlope = 1e-4;
/// Slope above which the first eigenvector is accurate to 1e-12 without a second look.
constexpr double kGoodSlope = 0.1;
/// The largest root is at most the sum of the singular values, √3 for |C| = 1. From above, Newton's
/// method falls onto it without a detour; twenty steps are far more than a well-defined root needs.
constexpr double kRootBound = 1.7320508075688773;
constexpr int kMaxSteps = 20;
constexpr double kStepTolerance = 1e-15;

/// A symmetric matrix by its upper triangle.
struct Symmetric4 {
  double m00, m01, m02, m03, m11, m12, m13, m22, m23, m33;
};

Symmetric4 quaternion_matrix(const Eigen::Matrix3d& c) {
  return {c(0, 0) + c(1, 1) + c(2, 2), c(2, 1) - c(1, 2),           c(0, 2) - c(2, 0),
          c(1, 0) - c(0, 1),           c(0, 0) - c(1, 1) - c(2, 2), c(0, 1) + c(1, 0),
          c(0, 2) + c(2, 0),           c(1, 1) - c(0, 0) - c(2, 2), c(1, 2) + c(2, 1),
          c(2, 2) - c(0, 0) - c(1, 1)};
}

/// The 2x2 minors of the upper and of the lower two rows, by which all larger ones are made.
struct Minors {
  explicit Minors(const Symmetric4& m)
      : u01(m.m00 * m.m11 - m.m01 * m.m01),
        u02(m.m00 * m.m12 - m.m01 * m.m02),
        u03(m.m00 * m.m13 - m.m01 * m.m03),
        u12(m.m01 * m.m12 - m.m11 * m.m02),
        u13(m.m01 * m.m13 - m.m11 * m.m03),
        u23(m.m02 * m.m13 - m.m12 * m.m03),
        l01(m.m02 * m.m13 - m.m03 * m.m12),
        l02(m.m02 * m.m23 - m.m03 * m.m22),
        l03(m.m02 * m.m33 - m.m03 * m.m23),
        l12(m.m12 * m.m23 - m.m13 * m.m22),
        l13(m.m12 * m.m33 - m.m13 * m.m23),
        l23(m.m22 * m.m33 - m.m23 * m.m23) {}

  [[nodiscard]] double determinant() const {
    return u01 * l23 - u02 * l13 + u03 * l12 + u12 * l03 - u13 * l02 + u23 * l01;
  }

  double u01, u02, u03, u12, u13, u23;
  double l01, l02, l03, l12, l13, l23;
};

/// The eigenvector (w, x, y, z) of an eigenvalue: every column of the adjugate of N − λ is a
/// multiple of it, and the longest has the most digits.
Eigen::Vector4d eigenvector(const Symmetric4& n, double eigenvalue) {
  Symmetric4 m = n;
  m.m00 -= eigenvalue;
  m.m11 -= eigenvalue;
  m.m22 -= eigenvalue;
  m.m33 -= eigenvalue;
  const Minors k(m);
  const double a00 = m.m11 * k.l23 - m.m12 * k.l13 + m.m13 * k.l12;
  const double a01 = -m.m01 * k.l23 + m.m02 * k.l13 - m.m03 * k.l12;
  const double a02 = m.m13 * k.u23 - m.m23 * k.u13 + m.m33 * k.u12;
  const double a03 = -m.m12 * k.u23 + m.m22 * k.u13 - m.m23 * k.u12;
  const double a11 = m.m00 * k.l23 - m.m02 * k.l03 + m.m03 * k.l02;
  const double a12 = -m.m03 * k.u23 + m.m23 * k.u03 - m.m33 * k.u02;
  const double a13 = m.m02 * k.u23 - m.m22 * k.u03 + m.m23 * k.u02;
  const double a22 = m.m03 * k.u13 - m.m13 * k.u03 + m.m33 * k.u01;
  const double a23 = -m.m02 * k.u13 + m.m12 * k.u03 - m.m23 * k.u01;
  const double a33 = m.m02 * k.u12 - m.m12 * k.u02 + m.m22 * k.u01;
  const Eigen::Vector4d squares(std::abs(a00), std::abs(a11), std::abs(a22), std::abs(a33));
  Eigen::Index longest = 0;
  squares.maxCoeff(&longest);
  switch (longest) {
    case 0:
      return Eigen::Vector4d(a00, a01, a02, a03).normalized();
    case 1:
      return Eigen::Vector4d(a01, a11, a12, a13).normalized();
    case 2:
      return Eigen::Vector4d(a02, a12, a22, a23).normalized();
    default:
      return Eigen::Vector4d(a03, a13, a23, a33).normalized();
  }
}

double rayleigh_quotient(const Symmetric4& n, const Eigen::Vector4d& q) {
  return n.m00 * q[0] * q[0] + n.m11 * q[1] * q[1] + n.m22 * q[2] * q[2] + n.m33 * q[3] * q[3] +
         2 * (n.m01 * q[0] * q[1] + n.m02 * q[0] * q[2] + n.m03 * q[0] * q[3] +
              n.m12 * q[1] * q[2] + n.m13 * q[1] * q[3] + n.m23 * q[2] * q[3]);
}

Eigen::Matrix3d by_singular_values(const Eigen::Matrix3d& c) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(c, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) = -u.col(2);
  return u * svd.matrixV().transpose();
}

}  // namespace

Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& covariance) {
  const double largest = covariance.cwiseAbs().maxCoeff();
  if (!covariance.allFinite() || !(largest > 0)) return Eigen::Matrix3d::Identity();
  Eigen::Matrix3d c = covariance / largest;  // first, since squares of tiny numbers vanish
  c /= c.norm();
  const Symmetric4 n = quaternion_matrix(c);
  const double c1 = -8 * c.determinant();
  const double c0 = Minors(n).determinant();

  double root = kRootBound;
  double slope = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double square = root * root;
    slope = 4 * root * (square - 1) + c1;
    if (slope < kMinSlope) return by_singular_values(c);
    const double change = ((square - 2) * square + c1 * root + c0) / slope;
    root -= change;
    if (std::abs(change) < kStepTolerance) break;
  }
  Eigen::Vector4d q = eigenvector(n, root);
  if (slope < kGoodSlope) q = eigenvector(n, rayleigh_quotient(n, q));
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

}  // namespace sinew
