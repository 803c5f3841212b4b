// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/element_matrices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/made_elements.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::block_of_cubes;
using test::field_with_gradient;
using test::uneven_tetrahedra;

constexpr std::array kEnergies{CubeEnergy::trilinear, CubeEnergy::edges, CubeEnergy::pairs};

Eigen::MatrixXd dense(const Elements& elements, CubeEnergy energy = CubeEnergy::trilinear) {
  return Eigen::MatrixXd(stiffness_of(elements, energy));
}

double total_volume(const Elements& elements) {
  double sum = 0;
  for (std::size_t e = 0; e < elements.size(); ++e) sum += volume_of(elements, e);
  return sum;
}

/// Cubes and tetrahedra that share points: a pyramid of two stands on a block.
Elements cubes_and_tetrahedra() {
  Elements elements = block_of_cubes(2, 2, 1, 0.5);
  const auto apex = static_cast<ElementPoint>(elements.points.size());
  const Hexahedron& base = elements.hexahedra[3];
  elements.points.emplace_back(0.6, 0.9, 1.1);
  elements.tetrahedra = {{base[4], base[5], base[7], apex}, {base[4], base[7], base[6], apex}};
  return elements;
}

struct NamedElements {
  std::string name;
  Elements elements;
};

std::vector<NamedElements> many_elements() {
  const std::vector<test::PlacedCube> bent{{{0, 0, 0}}, {{1, 0, 0}},    {{1, 1, 0}},
                                           {{1, 1, 1}}, {{1, 1, 1}, 1}, {{3, 3, 3}}};
  return {{"a cube", block_of_cubes(1, 1, 1, 1)},
          {"a block", block_of_cubes(3, 2, 4, 0.3)},
          {"cubes around a bend", test::placed_cubes(bent, 2, Vec3(4, -3, 7))},
          {"tetrahedra", uneven_tetrahedra()},
          {"both", cubes_and_tetrahedra()}};
}

/// Eigenvalues of a unit cube, each over that of a linear field: constants, linear fields, the
/// three products of two coordinates, and the product of all.
std::array<double, 8> relative_eigenvalues(CubeEnergy energy) {
  const auto stiffness = unit_cube_stiffness(energy);
  const std::array<unsigned, 8> mode{0, 1, 2, 4, 3, 5, 6, 7};  // bits: along which axes it turns
  std::array<double, 8> values{};
  for (std::size_t m = 0; m < 8; ++m) {
    Eigen::Matrix<double, 8, 1> signs;
    for (unsigned k = 0; k < 8; ++k) signs[k] = std::popcount(k & mode[m]) % 2 == 0 ? 1 : -1;
    values[m] = 2 * signs.dot(stiffness * signs) / 8;
    EXPECT_LT((stiffness * signs - values[m] / 2 * signs).norm(), 1e-14) << "an eigenvector";
  }
  return values;
}

void expect_eigenvalues(CubeEnergy energy, const std::array<double, 8>& expected) {
  const auto values = relative_eigenvalues(energy);
  for (std::size_t m = 0; m < 8; ++m) EXPECT_NEAR(values[m], expected[m], 1e-14) << m;
}

TEST(ElementMatrices, TrilinearCubeIsSofterThanLinearAgainstProductsOfCoordinates) {
  const double third = 1.0 / 3;
  expect_eigenvalues(CubeEnergy::trilinear, {0, 1, 1, 1, 2 * third, 2 * third, 2 * third, third});
}

TEST(ElementMatrices, CubeOfTwelveSpringsIsTwoAndThreeTimesAsStiffAgainstProducts) {
  expect_eigenvalues(CubeEnergy::edges, {0, 1, 1, 1, 2, 2, 2, 3});
}

TEST(ElementMatrices, CubeOfAllPairsIsAsStiffAgainstEverything) {
  expect_eigenvalues(CubeEnergy::pairs, {0, 1, 1, 1, 1, 1, 1, 1});
}

TEST(ElementMatrices, ConstantsHaveNoEnergyAndNothingElseOnAPieceHas) {
  for (const auto& [name, elements] : many_elements())
    for (const CubeEnergy energy : kEnergies) {
      const Eigen::MatrixXd stiffness = dense(elements, energy);
      const double scale = stiffness.diagonal().maxCoeff();
      EXPECT_LT(stiffness.rowwise().sum().cwiseAbs().maxCoeff(), 1e-13 * scale) << name;
      const Eigen::VectorXd eigenvalues =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness).eigenvalues();
      const std::vector<int> pieces = pieces_of(elements);
      const auto piece_count = *std::ranges::max_element(pieces) + 1;
      EXPECT_GT(eigenvalues[0], -1e-12 * scale) << name;
      EXPECT_LT(eigenvalues[piece_count - 1], 1e-12 * scale) << name;
      EXPECT_GT(eigenvalues[piece_count], 1e-4 * scale) << name;
    }
}

TEST(ElementMatrices, LinearFieldHasTheEnergyOfItsGradient) {
  const Vec3 gradient(3, -2, 0.5);
  for (const auto& [name, elements] : many_elements())
    for (const CubeEnergy energy : kEnergies) {
      const Eigen::VectorXd field = field_with_gradient(elements, gradient);
      const double expected = gradient.squaredNorm() * total_volume(elements);
      EXPECT_NEAR(field.dot(stiffness_of(elements, energy) * field), expected, 1e-11 * expected)
          << name;
    }
}

TEST(ElementMatrices, LinearFieldIsInBalanceAtInnerPoints) {
  for (const Elements& elements : {block_of_cubes(3, 4, 3, 0.2), uneven_tetrahedra()})
    for (const CubeEnergy energy : kEnergies) {
      const SparseMatrix stiffness = stiffness_of(elements, energy);
      const Eigen::VectorXd forces = stiffness * field_with_gradient(elements, Vec3(3, -2, 0.5));
      const Box box = bounding_box(elements.points);
      int inner = 0;
      for (std::size_t p = 0; p < elements.points.size(); ++p) {
        const Vec3& at = elements.points[p];
        if ((at - box.min()).minCoeff() < 1e-6 || (box.max() - at).minCoeff() < 1e-6) continue;
        ++inner;
        EXPECT_NEAR(forces[static_cast<Eigen::Index>(p)], 0, 1e-13);
      }
      EXPECT_GE(inner, 7);
    }
}

TEST(ElementMatrices, StiffnessTimesCoordinatesIsTheIntegratedGradients) {
  for (const auto& [name, elements] : many_elements())
    for (const CubeEnergy energy : kEnergies) {
      Eigen::MatrixXd expected =
          Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(elements.points.size()), 3);
      for (std::size_t e = 0; e < elements.size(); ++e) {
        std::array<Vec3, 8> gradient;
        integrated_gradients(elements, e, gradient);
        const auto corners = elements.corners_of(e);
        for (std::size_t c = 0; c < corners.size(); ++c)
          expected.row(corners[c]) += gradient[c].transpose();
      }
      const SparseMatrix stiffness = stiffness_of(elements, energy);
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::VectorXd coordinate = field_with_gradient(elements, Vec3::Unit(axis));
        EXPECT_LT((stiffness * coordinate - expected.col(axis)).norm(), 1e-11) << name;
      }
    }
}

TEST(ElementMatrices, IntegratedGradientsGiveTheDeformationOfEveryElement) {
  Eigen::Matrix3d deformation;
  deformation << 1.2, 0.3, -0.4, 0.1, 0.7, 0.2, -0.6, 0.5, 1.1;
  for (const auto& [name, elements] : many_elements())
    for (std::size_t e = 0; e < elements.size(); ++e) {
      std::array<Vec3, 8> gradient;
      integrated_gradients(elements, e, gradient);
      Vec3 sum = Vec3::Zero();
      Eigen::Matrix3d mean = Eigen::Matrix3d::Zero();
      const auto corners = elements.corners_of(e);
      for (std::size_t c = 0; c < corners.size(); ++c) {
        sum += gradient[c];
        mean += deformation * elements.points[corners[c]] * gradient[c].transpose();
      }
      const double volume = volume_of(elements, e);
      EXPECT_LT(sum.norm(), 1e-15 * elements.cell_size * elements.cell_size) << name;
      EXPECT_LT((mean - volume * deformation).norm(), 1e-12 * (1 + volume)) << name;
    }
}

TEST(ElementMatrices, BothTrianglesAreEqualToTheBit) {
  for (const auto& [name, elements] : many_elements())
    for (const CubeEnergy energy : kEnergies) {
      const Eigen::MatrixXd stiffness = dense(elements, energy);
      EXPECT_TRUE(stiffness == stiffness.transpose()) << name;
    }
}

TEST(ElementMatrices, EntriesStandInTheOrderOfTheirRows) {
  for (const auto& [name, elements] : many_elements()) {
    const SparseMatrix stiffness = stiffness_of(elements);
    EXPECT_TRUE(stiffness.isCompressed());
    for (Eigen::Index column = 0; column < stiffness.cols(); ++column) {
      Eigen::Index last = -1;
      for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry) {
        EXPECT_GT(entry.row(), last) << name;
        last = entry.row();
      }
    }
  }
}

// B Bᵀ, one column of B for each spring, as [elasticity] writes it.
Eigen::MatrixXd literal_springs(const Elements& elements, bool all_pairs) {
  const auto count = static_cast<Eigen::Index>(elements.points.size());
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(count, count);
  for (const Hexahedron& cube : elements.hexahedra) {
    std::vector<std::pair<ElementPoint, ElementPoint>> springs;
    for (const ElementPoint a : cube)
      for (const ElementPoint b : cube) {
        const double distance = (elements.points[a] - elements.points[b]).norm();
        if (a < b && (all_pairs || distance < 1.1 * elements.cell_size)) springs.emplace_back(a, b);
      }
    EXPECT_EQ(springs.size(), all_pairs ? 28u : 12u);
    Eigen::MatrixXd incidence =
        Eigen::MatrixXd::Zero(count, static_cast<Eigen::Index>(springs.size()));
    for (std::size_t s = 0; s < springs.size(); ++s) {
      incidence(springs[s].first, static_cast<Eigen::Index>(s)) = 1;
      incidence(springs[s].second, static_cast<Eigen::Index>(s)) = -1;
    }
    stiffness += elements.cell_size / (all_pairs ? 16 : 4) * incidence * incidence.transpose();
  }
  return stiffness;
}

TEST(ElementMatrices, SpringsAreThoseOfTheLiteralForm) {
  const Elements elements = block_of_cubes(2, 2, 2, 0.3);
  EXPECT_LT((dense(elements, CubeEnergy::edges) - literal_springs(elements, false)).norm(), 1e-13);
  EXPECT_LT((dense(elements, CubeEnergy::pairs) - literal_springs(elements, true)).norm(), 1e-13);
}

/// The gradients of the eight shape functions of a unit cube at a point in it, one in each column.
Eigen::Matrix<double, 3, 8> trilinear_gradients(const Vec3& at) {
  Eigen::Matrix<double, 3, 8> gradients;
  for (int k = 0; k < 8; ++k) {
    const Vec3 is_far(k & 1, k >> 1 & 1, k >> 2);
    const Vec3 value =
        is_far.cwiseProduct(at) + (Vec3::Ones() - is_far).cwiseProduct(Vec3::Ones() - at);
    const Vec3 slope = 2 * is_far - Vec3::Ones();
    gradients.col(k) = Vec3(slope.x() * value.y() * value.z(), value.x() * slope.y() * value.z(),
                            value.x() * value.y() * slope.z());
  }
  return gradients;
}

TEST(ElementMatrices, TrilinearCubeIsTheIntegralOfProductsOfGradients) {
  // Gauss's rule of three points on each axis is exact far beyond what is integrated here.
  const std::array<double, 3> place{0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
  const std::array<double, 3> weight{5.0 / 18, 8.0 / 18, 5.0 / 18};
  Eigen::Matrix<double, 8, 8> by_quadrature = Eigen::Matrix<double, 8, 8>::Zero();
  for (std::size_t x = 0; x < 3; ++x)
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t z = 0; z < 3; ++z) {
        const auto gradients = trilinear_gradients({place[x], place[y], place[z]});
        by_quadrature += weight[x] * weight[y] * weight[z] * gradients.transpose() * gradients;
      }
  EXPECT_LT((unit_cube_stiffness(CubeEnergy::trilinear) - by_quadrature).norm(), 1e-14);
  EXPECT_LT((dense(block_of_cubes(1, 1, 1, 0.3)) - 0.3 * by_quadrature).norm(), 1e-14);
}

TEST(ElementMatrices, TetrahedraAreTheProductsOfTheGradientsOfBarycentricCoordinates) {
  const Elements elements = uneven_tetrahedra();
  const auto count = static_cast<Eigen::Index>(elements.points.size());
  Eigen::MatrixXd literal = Eigen::MatrixXd::Zero(count, count);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto corners = elements.corners_of(e);
    Eigen::Matrix4d points;  // barycentric coordinates are what its inverse makes of (x, y, z, 1)
    for (int c = 0; c < 4; ++c)
      points.col(c) << elements.points[corners[static_cast<std::size_t>(c)]], 1;
    const Eigen::Matrix<double, 4, 3> gradients = points.inverse().leftCols<3>();
    const Eigen::Matrix4d products =
        std::abs(points.determinant()) / 6 * gradients * gradients.transpose();
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k)
        literal(corners[static_cast<std::size_t>(i)], corners[static_cast<std::size_t>(k)]) +=
            products(i, k);
  }
  EXPECT_LT((dense(elements) - literal).norm(), 1e-12 * literal.norm());
}

TEST(ElementMatrices, OrderOfElementsChangesNothingButRounding) {
  for (auto [name, elements] : many_elements()) {
    const Eigen::MatrixXd stiffness = dense(elements);
    const std::vector<double> mass = lumped_mass(elements);
    std::ranges::reverse(elements.hexahedra);
    std::ranges::reverse(elements.tetrahedra);
    EXPECT_LT((dense(elements) - stiffness).norm(), 1e-14 * stiffness.norm()) << name;
    const std::vector<double> other_mass = lumped_mass(elements);
    for (std::size_t p = 0; p < mass.size(); ++p)
      EXPECT_NEAR(mass[p], other_mass[p], 1e-14 * mass[p]) << name;
  }
}

TEST(ElementMatrices, OrderOfPointsPermutesTheStiffness) {
  const Elements elements = cubes_and_tetrahedra();
  const std::size_t count = elements.points.size();
  std::vector<ElementPoint> other(count);
  std::iota(other.begin(), other.end(), 0u);
  std::ranges::rotate(other, other.begin() + 5);
  std::ranges::reverse(other.begin(), other.begin() + 8);
  Elements moved = elements;
  for (std::size_t p = 0; p < count; ++p) moved.points[other[p]] = elements.points[p];
  for (Hexahedron& cube : moved.hexahedra)
    for (ElementPoint& corner : cube) corner = other[corner];
  for (Tetrahedron& tetrahedron : moved.tetrahedra)
    for (ElementPoint& corner : tetrahedron) corner = other[corner];
  const Eigen::MatrixXd stiffness = dense(elements), of_moved = dense(moved);
  for (Eigen::Index i = 0; i < stiffness.rows(); ++i)
    for (Eigen::Index k = 0; k < stiffness.cols(); ++k)
      EXPECT_EQ(stiffness(i, k),
                of_moved(other[static_cast<std::size_t>(i)], other[static_cast<std::size_t>(k)]));
}

TEST(ElementMatrices, NumberOfThreadsChangesNoBit) {
  const Elements elements = block_of_cubes(20, 20, 20, 0.1);  // several chunks of points
  const auto with_threads = [&](int threads) {
    const ThreadLimit limit(threads);
    return stiffness_of(elements);
  };
  const SparseMatrix one = with_threads(1), two = with_threads(2);
  ASSERT_EQ(one.nonZeros(), two.nonZeros());
  const auto of_one = std::span(one.valuePtr(), static_cast<std::size_t>(one.nonZeros()));
  const auto of_two = std::span(two.valuePtr(), static_cast<std::size_t>(two.nonZeros()));
  EXPECT_TRUE(std::ranges::equal(of_one, of_two));
}

TEST(ElementMatrices, StiffnessGrowsWithTheUnitAndMassWithItsCube) {
  for (const double unit : {1e-3, 1e3})
    for (const auto& [name, elements] : many_elements()) {
      Elements scaled = elements;
      scaled.cell_size *= unit;
      for (Vec3& point : scaled.points) point *= unit;
      const Eigen::MatrixXd stiffness = dense(elements);
      EXPECT_LT((dense(scaled) / unit - stiffness).norm(), 1e-12 * stiffness.norm()) << name;
      const std::vector<double> mass = lumped_mass(elements), of_scaled = lumped_mass(scaled);
      for (std::size_t p = 0; p < mass.size(); ++p)
        EXPECT_NEAR(of_scaled[p] / (unit * unit * unit), mass[p], 1e-12 * mass[p]) << name;
    }
}

TEST(ElementMatrices, MassIsTheVolumeSharedEquallyAmongCorners) {
  for (const auto& [name, elements] : many_elements()) {
    const std::vector<double> mass = lumped_mass(elements);
    const double volume = total_volume(elements);
    EXPECT_NEAR(std::reduce(mass.begin(), mass.end()), volume, 1e-12 * volume) << name;
    EXPECT_GT(*std::ranges::min_element(mass), 0) << name;
  }
  const std::vector<double> of_cubes = lumped_mass(block_of_cubes(2, 2, 2, 2));
  EXPECT_DOUBLE_EQ(of_cubes.front(), 1);
  EXPECT_DOUBLE_EQ(*std::ranges::max_element(of_cubes), 8);
}

TEST(ElementMatrices, PointsThatNothingRefersToHaveNoEntriesAndNoMass) {
  Elements elements = cubes_and_tetrahedra();
  const SparseMatrix without = stiffness_of(elements);
  elements.points.emplace_back(1, 2, 3);
  elements.points.emplace_back(4, 5, 6);
  const SparseMatrix with = stiffness_of(elements);
  EXPECT_EQ(with.cols(), without.cols() + 2);
  EXPECT_EQ(with.nonZeros(), without.nonZeros());
  EXPECT_EQ(with.rightCols(2).nonZeros(), 0);
  EXPECT_EQ(lumped_mass(elements).back(), 0);
}

TEST(ElementMatrices, NothingHasNoStiffness) {
  EXPECT_EQ(stiffness_of({}).size(), 0);
  EXPECT_TRUE(lumped_mass({}).empty());
}

TEST(ElementMatrices, CubesThatOnlyTouchFeelNothingOfEachOther) {
  const std::vector<test::PlacedCube> touching{{{0, 0, 0}, 0}, {{1, 0, 0}, 1}};
  const Eigen::MatrixXd stiffness = dense(test::placed_cubes(touching, 1));
  EXPECT_EQ((stiffness.topRightCorner<8, 8>().norm()), 0);
  EXPECT_LT((stiffness.topLeftCorner<8, 8>() - unit_cube_stiffness(CubeEnergy::trilinear)).norm(),
            1e-15);
}

TEST(ElementMatrices, TetrahedraThatAFileTurnedOverAreAsStiff) {
  MeshData data = test::tetrahedral_data();
  const Eigen::MatrixXd stiffness = dense(elements_of(test::make_mesh(data)));
  for (std::size_t t = 0; t < data.tetrahedra.size(); t += 2)
    std::swap(data.tetrahedra[t][1], data.tetrahedra[t][2]);
  const Eigen::MatrixXd of_turned = dense(elements_of(test::make_mesh(data)));
  EXPECT_LT((of_turned - stiffness).norm(), 1e-13 * stiffness.norm());
}

}  // namespace
}  // namespace sinew
