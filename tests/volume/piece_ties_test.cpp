// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/piece_ties.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <set>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/volume/element_matrices.h"
#include "sinew/volume/voxel_grid.h"
#include "support/checked.h"
#include "support/made_elements.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

/// A block of cubes, those of one group alone, away from where the body is.
std::vector<PlacedCube> block_at(const std::array<int, 3>& at, const std::array<int, 3>& size,
                                 int group) {
  std::vector<PlacedCube> cubes = block_of_places(size[0], size[1], size[2], group);
  for (PlacedCube& cube : cubes)
    for (std::size_t axis = 0; axis < 3; ++axis) cube.place[axis] += at[axis];
  return cubes;
}

Elements blocks(const std::vector<std::vector<PlacedCube>>& all, double edge = 0.1) {
  std::vector<PlacedCube> cubes;
  for (const auto& block : all) cubes.insert(cubes.end(), block.begin(), block.end());
  return placed_cubes(cubes, edge, {-0.37, 0.21, 0.13});
}

/// A bone along the corners of the first elements of a piece, or of several pieces.
std::vector<int> held_by_bones(const Elements& elements, const std::set<int>& pieces_with_bones) {
  std::vector<int> bone_of_point(elements.points.size(), -1);
  const std::vector<int> pieces = pieces_of(elements);
  for (const int piece : pieces_with_bones) {
    const auto first = std::ranges::find(pieces, piece) - pieces.begin();
    bone_of_point[elements.corners_of(static_cast<std::size_t>(first))[0]] = piece;
  }
  return bone_of_point;
}

/// The free points that an element refers to.
std::vector<int> free_points(const Elements& elements, const std::vector<int>& bone_of_point) {
  std::set<int> free;
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const ElementPoint corner : elements.corners_of(e))
      if (bone_of_point[corner] < 0) free.insert(static_cast<int>(corner));
  return {free.begin(), free.end()};
}

SparseMatrix block_of(const SparseMatrix& matrix, const std::vector<int>& rows) {
  std::vector<int> at(static_cast<std::size_t>(matrix.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    at[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < matrix.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
      if (at[static_cast<std::size_t>(entry.row())] >= 0 &&
          at[static_cast<std::size_t>(column)] >= 0)
        entries.emplace_back(at[static_cast<std::size_t>(entry.row())],
                             at[static_cast<std::size_t>(column)], entry.value());
  const auto size = static_cast<int>(rows.size());
  SparseMatrix block(size, size);
  block.setFromTriplets(entries.begin(), entries.end());
  return block;
}

/// The points that entries of a matrix connect to a fixed one.
std::vector<bool> points_that_are_held(const SparseMatrix& matrix,
                                       const std::vector<int>& bone_of_point) {
  std::vector<bool> is_held;
  std::vector<int> next;
  for (std::size_t p = 0; p < bone_of_point.size(); ++p) {
    is_held.push_back(bone_of_point[p] >= 0);
    if (is_held.back()) next.push_back(static_cast<int>(p));
  }
  while (!next.empty()) {
    const int column = next.back();
    next.pop_back();
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
      if (const auto row = static_cast<std::size_t>(entry.row()); !is_held[row]) {
        is_held[row] = true;
        next.push_back(static_cast<int>(row));
      }
  }
  return is_held;
}

/// The smallest pivot over the largest; 0 where the matrix is not positive definite.
double pivot_ratio(const SparseMatrix& matrix) {
  const Result<SparseCholesky> factor = SparseCholesky::factor(matrix);
  return factor.ok() ? factor->pivot_ratio() : 0;
}

/// Of the free block, with the ties and without.
void expect_regular(const Elements& elements, const std::vector<int>& bone_of_point,
                    bool regular_without = false) {
  const std::vector<int> free = free_points(elements, bone_of_point);
  if (free.empty()) return;
  const PieceTies ties = tie_pieces(elements, bone_of_point);
  for (const CubeEnergy energy : {CubeEnergy::trilinear, CubeEnergy::edges, CubeEnergy::pairs}) {
    const SparseMatrix stiffness = stiffness_of(elements, energy);
    if (!regular_without) {
      EXPECT_LT(pivot_ratio(block_of(stiffness, free)), 1e-13);
    }
    const SparseMatrix tied = block_of(stiffness_with(stiffness, ties.springs), free);
    EXPECT_GT(pivot_ratio(tied), 1e-7);
    const SparseMatrix whole = stiffness_with(stiffness, ties.springs);
    const std::vector<bool> is_held = points_that_are_held(whole, bone_of_point);
    for (const int point : free) EXPECT_TRUE(is_held[static_cast<std::size_t>(point)]) << point;
    // Where bones hold everything at one, everything is one.
    Eigen::VectorXd held = Eigen::VectorXd::Zero(whole.rows());
    for (std::size_t p = 0; p < bone_of_point.size(); ++p)
      if (bone_of_point[p] >= 0) held[static_cast<Eigen::Index>(p)] = 1;
    const Eigen::VectorXd pull = whole * held;
    Eigen::VectorXd right(static_cast<Eigen::Index>(free.size()));
    for (std::size_t i = 0; i < free.size(); ++i)
      right[static_cast<Eigen::Index>(i)] = -pull[free[i]];
    const Eigen::MatrixXd values = checked(SparseCholesky::factor(tied)).solve(right);
    EXPECT_LT((values.array() - 1).abs().maxCoeff(), 1e-8);
  }
}

struct Scene {
  Elements elements;
  std::vector<int> bone_of_point;
};

/// A body; a coat that floats before it; a button on the coat, a speck far away, a piece in the
/// body's own place, and a second body with a bone.
Scene dressed_blocks() {
  const Elements elements =
      blocks({block_at({0, 3, 4}, {2, 2, 1}, 1),   // the button, before what it sits on
              block_at({0, 0, 0}, {4, 9, 2}, 2),   // the body
              block_at({0, 1, 3}, {4, 7, 1}, 3),   // the coat
              block_at({30, 2, 0}, {1, 1, 1}, 4),  // the speck
              block_at({1, 2, 0}, {1, 2, 1}, 5),   // the piece in the body
              block_at({6, 0, 0}, {2, 4, 2}, 6)});
  return {elements, held_by_bones(elements, {1, 5})};
}

TEST(PieceTies, EveryPieceIsHeldAndNoPivotIsZero) {
  const auto [elements, bones] = dressed_blocks();
  expect_regular(elements, bones);
}

TEST(PieceTies, PiecesSitOnWhatIsNearestAndHeldBeforeThem) {
  const auto [elements, bones] = dressed_blocks();
  const PieceTies ties = tie_pieces(elements, bones);
  ASSERT_EQ(ties.ties.size(), 4u);
  const std::array<std::array<int, 2>, 4> expected{{{4, 1}, {2, 1}, {0, 2}, {3, 5}}};
  std::set<int> tied;
  for (const PieceTie& tie : ties.ties) {
    const auto found = std::ranges::find(expected, tie.piece, [](const auto& e) { return e[0]; });
    ASSERT_NE(found, expected.end());
    EXPECT_EQ(tie.host, (*found)[1]) << tie.piece;
    EXPECT_TRUE(tie.host == 1 || tie.host == 5 || tied.contains(tie.host));
    tied.insert(tie.piece);
    const double gap = tie.piece == 4 ? 0 : tie.piece == 2 ? 0.1 : tie.piece == 0 ? 0 : 2.2;
    EXPECT_NEAR(tie.gap, gap, 1e-9) << tie.piece;
    EXPECT_EQ(tie.is_distant, tie.gap > 0.05) << tie.piece;
  }
}

TEST(PieceTies, WhatIsBeyondContactIsTiedAllTheSameAndTold) {
  const auto [elements, bones] = dressed_blocks();
  for (const double contact_rel : {0.0, 0.02, 0.2, 3.0})
    for (const PieceTie& tie : tie_pieces(elements, bones, {contact_rel}).ties) {
      const double diagonal = 0.1 * std::sqrt(64.0 + 81.0 + 4.0);  // of both bodies
      EXPECT_EQ(tie.is_distant, tie.gap > contact_rel * diagonal);
      EXPECT_GE(tie.end, tie.begin + 8);
    }
}

TEST(PieceTies, CoatIsHeldWhereverItIsAboutAsNear) {
  const auto [elements, bones] = dressed_blocks();
  const PieceTies ties = tie_pieces(elements, bones);
  const auto coat = std::ranges::find(ties.ties, 2, &PieceTie::piece);
  std::set<ElementPoint> held;
  for (std::size_t s = coat->begin; s < coat->end; ++s) held.insert(ties.springs[s].point);
  std::size_t near = 0;
  for (std::size_t p = 0; p < elements.points.size(); ++p) {
    const Vec3 at = (elements.points[p] - Vec3(-0.37, 0.21, 0.13)) / 0.1;
    const bool is_of_coat = std::abs(at.z() - 3) < 0.1;  // its side towards the body
    near += is_of_coat && held.contains(static_cast<ElementPoint>(p)) ? 1 : 0;
  }
  EXPECT_EQ(near, 5u * 8u);
}

TEST(PieceTies, BothEndsOfATieAreNotInOnePlane) {
  const auto [elements, bones] = dressed_blocks();
  const PieceTies ties = tie_pieces(elements, bones);
  std::size_t next = 0;
  for (const PieceTie& tie : ties.ties) {
    EXPECT_EQ(tie.begin, next);
    next = tie.end;
    for (const auto end : {&PointSpring::point, &PointSpring::other}) {
      Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
      const Vec3 first = elements.points[ties.springs[tie.begin].*end];
      for (std::size_t s = tie.begin; s < tie.end; ++s) {
        const Vec3 away = elements.points[ties.springs[s].*end] - first;
        spread += away * away.transpose();
        EXPECT_EQ(ties.springs[s].stiffness, 0.1);
      }
      EXPECT_GT(spread.determinant(), 1e-9);
    }
  }
  EXPECT_EQ(next, ties.springs.size());
}

TEST(PieceTies, NothingIsTiedWhereBonesHoldEveryPieceOrNone) {
  const Elements elements = dressed_blocks().elements;
  EXPECT_TRUE(tie_pieces(elements, held_by_bones(elements, {0, 1, 2, 3, 4, 5})).springs.empty());
  EXPECT_TRUE(tie_pieces(elements, held_by_bones(elements, {})).ties.empty());
  EXPECT_TRUE(tie_pieces(Elements(), {}).ties.empty());
  expect_regular(elements, held_by_bones(elements, {0, 1, 2, 3, 4, 5}), true);
}

TEST(PieceTies, OneBoneHoldsEverything) {
  const Elements elements = dressed_blocks().elements;
  for (const int piece : {0, 2, 3, 4}) expect_regular(elements, held_by_bones(elements, {piece}));
}

TEST(PieceTies, TetrahedraAreTiedAsCubesAre) {
  Elements elements = uneven_tetrahedra();
  const Elements other = elements;
  const auto offset = static_cast<ElementPoint>(elements.points.size());
  for (const Vec3& point : other.points) elements.points.push_back(point + Vec3(0.7, 0.05, 0.1));
  for (Tetrahedron tetrahedron : other.tetrahedra) {
    for (ElementPoint& corner : tetrahedron) corner += offset;
    elements.tetrahedra.push_back(tetrahedron);
  }
  elements.points.push_back({0, 0, 0});  // that nothing refers to
  const std::vector<int> bones = held_by_bones(elements, {1});
  expect_regular(elements, bones);
  for (const PointSpring& spring : tie_pieces(elements, bones).springs) {
    EXPECT_LT(spring.point, offset);
    EXPECT_GE(spring.other, offset);
    EXPECT_LT(spring.other, 2 * offset);
  }
}

TEST(PieceTies, CubesAreTiedToTetrahedra) {
  Elements elements = block_of_cubes(2, 2, 2, 0.1);
  const Elements tetrahedra = uneven_tetrahedra();
  const auto offset = static_cast<ElementPoint>(elements.points.size());
  for (const Vec3& point : tetrahedra.points) elements.points.push_back(point + Vec3(1, 0, 0));
  for (Tetrahedron tetrahedron : tetrahedra.tetrahedra) {
    for (ElementPoint& corner : tetrahedron) corner += offset;
    elements.tetrahedra.push_back(tetrahedron);
  }
  for (const int piece : {0, 1}) expect_regular(elements, held_by_bones(elements, {piece}));
}

/// Cubes all over the place, each a piece.
Elements crowd(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(0, 1);
  Elements elements;
  elements.cell_size = 0.02;
  for (int piece = 0; piece < count; ++piece) {
    const double x = draw(random), y = draw(random), z = draw(random);
    Hexahedron cube{};
    for (unsigned k = 0; k < 8; ++k) {
      cube[k] = static_cast<ElementPoint>(elements.points.size());
      elements.points.push_back(Vec3(x, y, z) + 0.02 * Vec3(k & 1u, k >> 1 & 1u, k >> 2));
    }
    elements.hexahedra.push_back(cube);
  }
  return elements;
}

TEST(PieceTies, AreThoseOfALiteralSearch) {
  const Elements elements = crowd(60, 1);
  const std::vector<int> bones = held_by_bones(elements, {7, 30});
  std::set<int> held{7, 30};
  const auto gap = [&](int a, int b) {
    double least = std::numeric_limits<double>::infinity();
    for (const ElementPoint p : elements.hexahedra[static_cast<std::size_t>(a)])
      for (const ElementPoint q : elements.hexahedra[static_cast<std::size_t>(b)])
        least = std::min(least, (elements.points[p] - elements.points[q]).norm());
    return least;
  };
  const PieceTies ties = tie_pieces(elements, bones);
  ASSERT_EQ(ties.ties.size(), 58u);
  for (const PieceTie& tie : ties.ties) {
    std::tuple<double, int, int> nearest{std::numeric_limits<double>::infinity(), -1, -1};
    for (int piece = 0; piece < 60; ++piece)
      for (const int host : held)
        if (!held.contains(piece)) nearest = std::min(nearest, {gap(piece, host), piece, host});
    EXPECT_EQ(tie.piece, std::get<1>(nearest));
    EXPECT_EQ(tie.host, std::get<2>(nearest));
    EXPECT_NEAR(tie.gap, std::get<0>(nearest), 1e-12);
    held.insert(tie.piece);
  }
  expect_regular(elements, bones);
}

TEST(PieceTies, ThousandsOfPiecesAreAllTied) {
  const Elements elements = crowd(3000, 2);
  EXPECT_EQ(tie_pieces(elements, held_by_bones(elements, {0})).ties.size(), 2999u);
}

TEST(PieceTies, MirrorUnitAndThreadsDoNotMatter) {
  const Elements elements = crowd(80, 3);
  const std::vector<int> bones = held_by_bones(elements, {3});
  const auto ends = [](const PieceTies& ties) {
    std::vector<std::pair<ElementPoint, ElementPoint>> all;
    for (const PointSpring& spring : ties.springs) all.emplace_back(spring.point, spring.other);
    return all;
  };
  const auto expected = ends(tie_pieces(elements, bones));
  for (const double unit : {1e-3, 1e3}) {
    Elements other = elements;
    other.cell_size *= unit;
    for (Vec3& point : other.points) point = unit * (point + Vec3(0.3, -0.7, 0.2));
    EXPECT_EQ(ends(tie_pieces(other, bones)), expected) << unit;
  }
  Elements mirrored = elements;
  for (Vec3& point : mirrored.points) point.x() = -point.x();
  EXPECT_EQ(ends(tie_pieces(mirrored, bones)), expected);
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    EXPECT_EQ(ends(tie_pieces(elements, bones)), expected);
  }
}

TEST(PieceTies, SpringsAddWhatTheyPullWith) {
  const auto [elements, bones] = dressed_blocks();
  const PieceTies ties = tie_pieces(elements, bones);
  const SparseMatrix stiffness = stiffness_of(elements);
  const SparseMatrix tied = stiffness_with(stiffness, ties.springs);
  EXPECT_EQ((tied - SparseMatrix(tied.transpose())).norm(), 0);
  const Eigen::VectorXd values =
      Eigen::VectorXd::LinSpaced(tied.rows(), -1, 2).array().sin().matrix();
  double energy = values.dot(stiffness * values);
  for (const PointSpring& spring : ties.springs)
    energy += spring.stiffness * std::pow(values[spring.point] - values[spring.other], 2);
  EXPECT_NEAR(values.dot(tied * values), energy, 1e-12 * energy);
  EXPECT_EQ((stiffness_with(stiffness, {}) - stiffness).norm(), 0);
}

TEST(PieceTies, InteriorsOfAllKindsOfMeshesAreHeld) {
  for (const auto& [name, mesh] : mesh_zoo()) {
    SCOPED_TRACE(name);
    VoxelGridOptions options;
    options.cells = 600;
    const Result<VoxelGrid> grid = make_voxel_grid(mesh, options);
    if (!grid.ok()) continue;
    const std::vector<int> bones = held_by_bones(grid->elements, {0});
    expect_regular(grid->elements, bones, grid->report.pieces == 1);
  }
}

}  // namespace
}  // namespace sinew::test
