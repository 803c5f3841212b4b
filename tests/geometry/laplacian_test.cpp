// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/laplacian.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/geometry/weld.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::make_mesh;

Eigen::MatrixXd dense(const Mesh& mesh) { return Eigen::MatrixXd(make_laplacian(mesh)); }

Mesh turned_inside_out(const Mesh& mesh) {
  MeshData data = mesh.data();
  for (Triangle& triangle : data.triangles) std::swap(triangle[0], triangle[1]);
  return make_mesh(std::move(data));
}

TEST(Laplacian, ObeysTheMaximumPrincipleOnEveryMeshOfTheZoo) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const Mesh mesh = weld(zoo.mesh).mesh;
    const Eigen::MatrixXd laplacian = dense(mesh);
    const double scale = laplacian.diagonal().maxCoeff();
    EXPECT_TRUE(laplacian.allFinite()) << zoo.name;
    EXPECT_LT((laplacian - laplacian.transpose()).norm(), 1e-12 * scale) << zoo.name;
    EXPECT_LT(laplacian.rowwise().sum().cwiseAbs().maxCoeff(), 1e-9 * scale) << zoo.name;
    Eigen::MatrixXd off_diagonal = laplacian;
    off_diagonal.diagonal().setZero();
    EXPECT_LE(off_diagonal.maxCoeff(), 0) << zoo.name;
    for (const Triangle& triangle : mesh.triangles())
      EXPECT_GT(laplacian(triangle[0], triangle[0]), 0) << zoo.name;
  }
}

TEST(Laplacian, LinearFunctionsAreHarmonicInsideAFlatSheet) {
  MeshData data = test::sheet_data(6, 5, 2, 1);
  for (std::size_t v = 0; v < data.positions.size(); ++v)  // an uneven sheet, still flat
    data.positions[v].x() += 0.05 * std::sin(7.0 * static_cast<double>(v));
  const Eigen::MatrixXd laplacian = dense(make_mesh(data));
  Eigen::VectorXd linear(laplacian.rows());
  for (Eigen::Index v = 0; v < linear.size(); ++v)
    linear[v] = data.positions[static_cast<std::size_t>(v)].dot(Vec3(3, -2, 0));
  const Eigen::VectorXd result = laplacian * linear;
  for (int row = 1; row < 5; ++row)
    for (int column = 1; column < 6; ++column)
      EXPECT_NEAR(result[row * 7 + column], 0, 1e-3) << row << ' ' << column;
}

TEST(Laplacian, EquilateralTrianglesGiveHalfTheSumOfTheirCotangents) {
  const double height = std::sqrt(3) / 2;
  const Eigen::MatrixXd laplacian =
      dense(make_mesh({{{0, 0, 0}, {1, 0, 0}, {0.5, height, 0}, {0.5, -height, 0}},
                       {{0, 1, 2}, {1, 0, 3}},
                       {},
                       {}}));
  EXPECT_NEAR(laplacian(0, 1), -1 / std::sqrt(3), 1e-4) << "two cotangents of 60 degrees, halved";
  EXPECT_NEAR(laplacian(0, 2), -0.5 / std::sqrt(3), 1e-4);
}

TEST(Laplacian, HowAFlatKiteIsCutDoesNotMatter) {
  // The long diagonal is not Delaunay; the short one is.
  const std::vector<Vec3> kite{{-3, 0, 0}, {0, -1, 0}, {3, 0, 0}, {0, 1, 0}};
  const Eigen::MatrixXd by_long = dense(make_mesh({kite, {{0, 1, 2}, {0, 2, 3}}, {}, {}}));
  const Eigen::MatrixXd by_short = dense(make_mesh({kite, {{0, 1, 3}, {1, 2, 3}}, {}, {}}));
  EXPECT_LT((by_long - by_short).norm(), 1e-3 * by_short.norm());
  EXPECT_LT(by_long(1, 3), -0.1) << "the ends of the short diagonal conduct";
}

TEST(Laplacian, OrientationOfFacesDoesNotMatter) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const Mesh mesh = weld(zoo.mesh).mesh;
    const Eigen::MatrixXd laplacian = dense(mesh);
    EXPECT_LT((dense(turned_inside_out(mesh)) - laplacian).norm(), 1e-9 * laplacian.norm())
        << zoo.name;
  }
}

TEST(Laplacian, FaceThatIsThereTwiceConductsTwice) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0.4, 0.9, 0}};
  const Eigen::MatrixXd once = dense(make_mesh({corners, {{0, 1, 2}}, {}, {}}));
  const Eigen::MatrixXd twice = dense(make_mesh({corners, {{0, 1, 2}, {0, 2, 1}}, {}, {}}));
  EXPECT_LT((twice - 2 * once).norm(), 1e-9);
}

TEST(Laplacian, TetrahedraReproduceTheEnergyOfALinearFunction) {
  const MeshData data = test::tetrahedral_data();
  const Eigen::MatrixXd laplacian = dense(make_mesh(data));
  Eigen::VectorXd along_y(laplacian.rows());
  for (Eigen::Index v = 0; v < along_y.size(); ++v)
    along_y[v] = data.positions[static_cast<std::size_t>(v)].y();
  EXPECT_NEAR(along_y.dot(laplacian * along_y), 0.4 * 0.4 * 2, 1e-6) << "|grad|² times the volume";
}

}  // namespace
}  // namespace sinew
