// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/tet_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/volume/element_matrices.h"
#include "support/made_elements.h"

namespace sinew {
namespace {

using test::PlacedCube;

VoxelGrid grid_of(const std::vector<PlacedCube>& cubes, double edge = 0.5,
                  const Vec3& origin = Vec3::Zero()) {
  VoxelGrid grid;
  grid.elements = test::placed_cubes(cubes, edge, origin);
  grid.origin = origin;
  for (const PlacedCube& cube : cubes) grid.place.push_back(cube.place);
  grid.kind.assign(cubes.size(), CellKind::inside);
  grid.embedding.begin.push_back(0);
  return grid;
}

/// Embeds a point at these fractions of a cell's edges, as a grid does.
void embed_in_cell(VoxelGrid& grid, std::size_t cell, const Vec3& at) {
  for (unsigned k = 0; k < 8; ++k) {
    const Vec3 share(k & 1 ? at.x() : 1 - at.x(), k & 2 ? at.y() : 1 - at.y(),
                     k & 4 ? at.z() : 1 - at.z());
    grid.embedding.corner.push_back(grid.elements.hexahedra[cell][k]);
    grid.embedding.coefficient.push_back(share.prod());
  }
  grid.embedding.begin.push_back(grid.embedding.corner.size());
  grid.embedding.element.push_back(static_cast<std::uint32_t>(cell));
}

Vec3 scattered(double sample) {
  const auto fraction = [](double value) { return value - std::floor(value); };
  return {fraction(0.618 * sample + 0.1), fraction(0.755 * sample), fraction(0.57 * sample + 0.4)};
}

/// In every cell: corners, middles of edges and faces, the centre, points between them where it is
/// not clear which tetrahedron is nearest, and points anywhere.
void embed_many_points(VoxelGrid& grid) {
  constexpr std::array<double, 5> kSteps{0, 0.25, 0.5, 0.75, 1};
  for (std::size_t cell = 0; cell < grid.elements.size(); ++cell) {
    for (const double x : kSteps)
      for (const double y : kSteps)
        for (const double z : kSteps) embed_in_cell(grid, cell, {x, y, z});
    for (int sample = 0; sample < 200; ++sample)
      embed_in_cell(grid, cell, scattered(sample + 200.0 * static_cast<double>(cell)));
  }
}

/// Two cells at one place, each with a neighbour of its own.
VoxelGrid touching_grid() {
  return grid_of({{{0, 0, 0}, 0}, {{1, 0, 0}, 0}, {{1, 0, 0}, 1}, {{2, 0, 0}, 1}, {{1, 1, 0}, 1}});
}

/// A palm at place 0 and two fingers at place 1, both of which have the palm's whole face.
VoxelGrid branching_grid() {
  VoxelGrid grid = grid_of({{{0, 0, 0}, 0}, {{1, 0, 0}, 0}, {{1, 0, 0}, 1}, {{2, 0, 0}, 1}});
  for (const std::size_t near_corner : {0u, 2u, 4u, 6u})
    grid.elements.hexahedra[2][near_corner] = grid.elements.hexahedra[1][near_corner];
  return grid;
}

/// Two cells at one place that have the same face at the same end, and nothing on its other side.
VoxelGrid forked_grid() {
  VoxelGrid grid = grid_of({{{0, 0, 0}, 0}, {{0, 0, 0}, 1}});
  for (const std::size_t near_corner : {0u, 2u, 4u, 6u})
    grid.elements.hexahedra[1][near_corner] = grid.elements.hexahedra[0][near_corner];
  return grid;
}

struct NamedGrid {
  std::string name;
  VoxelGrid grid;
};

std::vector<NamedGrid> many_grids() {
  const std::vector<PlacedCube> bent{{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}},
                                     {{1, 1, 1}}, {{0, 1, 1}}, {{2, 2, 2}}};
  std::vector<NamedGrid> grids{{"one cell", grid_of({{{0, 0, 0}}})},
                               {"a block", grid_of(test::block_of_places(3, 2, 4), 0.3)},
                               {"a bend", grid_of(bent, 2, Vec3(40, -30, 70))},
                               {"cells that touch", touching_grid()},
                               {"a branch", branching_grid()},
                               {"a fork", forked_grid()}};
  for (NamedGrid& named : grids) embed_many_points(named.grid);
  return grids;
}

/// A field that tells one tetrahedron around a point from another.
Eigen::VectorXd curved_field(const Elements& elements, double turned_x) {
  Eigen::VectorXd field(static_cast<Eigen::Index>(elements.points.size()));
  for (std::size_t p = 0; p < elements.points.size(); ++p) {
    const Vec3& point = elements.points[p];
    field[static_cast<Eigen::Index>(p)] =
        std::sin(5 * turned_x * point.x()) * std::cos(7 * point.y() + 1) + std::sin(9 * point.z());
  }
  return field;
}

using Shape = std::array<std::array<double, 3>, 4>;

Shape shape_of(const Elements& elements, const Tetrahedron& tetrahedron, double turned_x) {
  Shape shape{};
  for (std::size_t c = 0; c < 4; ++c) {
    const Vec3& point = elements.points[tetrahedron[c]];
    shape[c] = {turned_x * point.x() + 0.0, point.y(), point.z()};  // no negative zero
  }
  std::ranges::sort(shape);
  return shape;
}

std::vector<Shape> shapes_of(const Elements& elements, double turned_x = 1) {
  std::vector<Shape> shapes;
  for (const Tetrahedron& tetrahedron : elements.tetrahedra)
    shapes.push_back(shape_of(elements, tetrahedron, turned_x));
  std::ranges::sort(shapes);
  return shapes;
}

std::map<std::array<ElementPoint, 3>, int> count_faces(const Elements& elements) {
  std::map<std::array<ElementPoint, 3>, int> count;
  for (const auto& [a, b, c, d] : elements.tetrahedra)
    for (std::array<ElementPoint, 3> face :
         {std::array{a, b, c}, std::array{a, b, d}, std::array{a, c, d}, std::array{b, c, d}}) {
      std::ranges::sort(face);
      ++count[face];
    }
  return count;
}

TEST(TetLattice, TetrahedraHavePositiveVolumeAndFillTheirCells) {
  for (const auto& [name, grid] : many_grids()) {
    const TetLattice lattice = make_tet_lattice(grid);
    ASSERT_EQ(lattice.cells.size(), lattice.elements.size()) << name;
    const double of_cell = volume_of(grid.elements, 0);
    std::vector<double> filled(grid.elements.size(), 0);
    for (std::size_t t = 0; t < lattice.elements.size(); ++t) {
      const double volume = volume_of(lattice.elements, t);
      const auto [near, far] = lattice.cells[t];
      EXPECT_NEAR(volume, of_cell / (near == far ? 24 : 12), 1e-11 * of_cell) << name;
      filled[near] += volume / 2;
      filled[far] += volume / 2;
    }
    for (const double volume : filled) EXPECT_NEAR(volume, of_cell, 1e-10 * of_cell) << name;
  }
}

TEST(TetLattice, EveryInnerFaceBelongsToTwoTetrahedraAndOuterOnesCoverTheCells) {
  for (const auto& [name, grid] : many_grids()) {
    const auto [elements, embedding, cells] = make_tet_lattice(grid);
    const std::size_t grid_points = grid.elements.points.size();
    double outer_area = 0;
    for (const auto& [face, count] : count_faces(elements)) {
      const bool lies_in_side =  // of a cell: the centre of that and an edge
          face[1] < grid_points && face[2] >= grid_points + grid.elements.size();
      if (!lies_in_side) {
        EXPECT_EQ(count, 2) << name;
        continue;
      }
      const Vec3& a = elements.points[face[0]];
      outer_area +=
          count * (elements.points[face[1]] - a).cross(elements.points[face[2]] - a).norm() / 2;
    }
    const auto in_one_cell =
        std::ranges::count_if(cells, [](const auto& pair) { return pair[0] == pair[1]; });
    const double of_face = grid.elements.cell_size * grid.elements.cell_size;
    EXPECT_NEAR(outer_area, of_face * static_cast<double>(in_one_cell) / 4, 1e-10 * outer_area)
        << name;
  }
}

TEST(TetLattice, PointsAreThoseOfTheGridThenCentresThenOuterFaces) {
  const VoxelGrid grid = grid_of(test::block_of_places(3, 2, 4), 0.5);
  const Elements elements = make_tet_lattice(grid).elements;
  const std::size_t corners = 4 * 3 * 5, cells = 3 * 2 * 4, outer = 2 * (3 * 2 + 3 * 4 + 2 * 4);
  ASSERT_EQ(elements.points.size(), corners + cells + outer);
  EXPECT_TRUE(std::equal(grid.elements.points.begin(), grid.elements.points.end(),
                         elements.points.begin()));
  EXPECT_EQ(elements.points[corners], Vec3(0.25, 0.25, 0.25));
  EXPECT_EQ(elements.cell_size, 0.5);
  std::vector<int> around(elements.points.size(), 0);
  for (const Tetrahedron& tetrahedron : elements.tetrahedra)
    for (const ElementPoint corner : tetrahedron) ++around[corner];
  EXPECT_GT(*std::ranges::min_element(around), 0) << "all of them are needed";
  EXPECT_EQ(*std::ranges::max_element(around), 24) << "as in any body-centred lattice";
}

TEST(TetLattice, OneCellIsCutIntoTwentyFour) {
  const TetLattice lattice = make_tet_lattice(grid_of({{{0, 0, 0}}}));
  EXPECT_EQ(lattice.elements.size(), 24u);
  EXPECT_EQ(lattice.elements.points.size(), 8u + 1 + 6);
}

TEST(TetLattice, InnerTetrahedraAreThoseOfABodyCentredLattice) {
  const TetLattice lattice = make_tet_lattice(grid_of(test::block_of_places(2, 2, 2), 1));
  for (std::size_t t = 0; t < lattice.elements.size(); ++t) {
    if (lattice.cells[t][0] == lattice.cells[t][1]) continue;
    const Tetrahedron& corners = lattice.elements.tetrahedra[t];
    std::vector<double> squares;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        squares.push_back(
            (lattice.elements.points[corners[a]] - lattice.elements.points[corners[b]])
                .squaredNorm());
    std::ranges::sort(squares);
    EXPECT_EQ(squares, (std::vector{0.75, 0.75, 0.75, 0.75, 1.0, 1.0}));
  }
}

TEST(TetLattice, CellsThatOnlyTouchShareNoPoint) {
  const VoxelGrid grid = touching_grid();
  const TetLattice lattice = make_tet_lattice(grid);
  const std::vector<int> pieces = pieces_of(lattice.elements);
  for (std::size_t t = 0; t < pieces.size(); ++t) {
    EXPECT_EQ(pieces[t], pieces_of(grid.elements)[lattice.cells[t][0]]);
    EXPECT_EQ(pieces[t], pieces_of(grid.elements)[lattice.cells[t][1]]);
  }
}

TEST(TetLattice, VerticesAtOnePlaceAreInThePartsThatTheGridHasThemIn) {
  VoxelGrid grid = touching_grid();
  embed_in_cell(grid, 1, {0.3, 0.4, 0.6});
  embed_in_cell(grid, 2, {0.3, 0.4, 0.6});
  const TetLattice lattice = make_tet_lattice(grid);
  const std::vector<int> pieces = pieces_of(lattice.elements);
  EXPECT_EQ(pieces[lattice.embedding.element[0]], 0);
  EXPECT_EQ(pieces[lattice.embedding.element[1]], 1);
}

TEST(TetLattice, CellsThatBranchHoldTogetherByTheirCommonFaceAlone) {
  const VoxelGrid grid = branching_grid();
  const TetLattice lattice = make_tet_lattice(grid);
  std::array<std::set<ElementPoint>, 3> points_of_cell;
  for (std::size_t t = 0; t < lattice.elements.size(); ++t)
    for (const std::uint32_t cell : lattice.cells[t])
      for (const ElementPoint corner : lattice.elements.tetrahedra[t])
        if (cell < 3) points_of_cell[cell].insert(corner);
  for (const auto& [one, other] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    std::vector<ElementPoint> shared;
    std::ranges::set_intersection(points_of_cell[static_cast<std::size_t>(one)],
                                  points_of_cell[static_cast<std::size_t>(other)],
                                  std::back_inserter(shared));
    ASSERT_EQ(shared.size(), 5u) << "the corners of the face and its centre";
    for (const ElementPoint point : shared)
      EXPECT_EQ(lattice.elements.points[point].x(), grid.elements.cell_size);
  }
}

TEST(TetLattice, VerticesLieWhereTheyAreInATetrahedronOfTheirCell) {
  for (const auto& [name, grid] : many_grids()) {
    const auto [elements, embedding, cells] = make_tet_lattice(grid);
    ASSERT_EQ(embedding.size(), grid.embedding.size()) << name;
    for (std::size_t v = 0; v < embedding.size(); ++v) {
      const std::uint32_t tetrahedron = embedding.element[v], cell = grid.embedding.element[v];
      EXPECT_TRUE(cells[tetrahedron][0] == cell || cells[tetrahedron][1] == cell) << name;
      EXPECT_TRUE(std::ranges::equal(embedding.corners_of(v), elements.corners_of(tetrahedron)));
      double sum = 0;
      Vec3 in_lattice = Vec3::Zero(), in_grid = Vec3::Zero();
      for (std::size_t c = 0; c < 4; ++c) {
        const double coefficient = embedding.coefficients_of(v)[c];
        EXPECT_GE(coefficient, 0) << name;
        sum += coefficient;
        in_lattice += coefficient * elements.points[embedding.corners_of(v)[c]];
      }
      for (std::size_t c = 0; c < 8; ++c)
        in_grid += grid.embedding.coefficients_of(v)[c] *
                   grid.elements.points[grid.embedding.corners_of(v)[c]];
      EXPECT_NEAR(sum, 1, 1e-15) << name;
      EXPECT_LT((in_lattice - in_grid).norm(), 1e-13 * (1 + in_grid.norm())) << name;
    }
  }
}

TEST(TetLattice, VertexAtACornerOfTheGridIsThatPoint) {
  for (auto [name, grid] : many_grids()) {
    const TetLattice lattice = make_tet_lattice(grid);
    for (std::size_t v = 0; v < lattice.embedding.size(); ++v) {
      const auto in_grid = grid.embedding.coefficients_of(v);
      const auto whole = std::ranges::find(in_grid, 1.0);
      if (whole == in_grid.end()) continue;
      const ElementPoint point =
          grid.embedding.corners_of(v)[static_cast<std::size_t>(whole - in_grid.begin())];
      const auto corners = lattice.embedding.corners_of(v);
      const auto found = std::ranges::find(corners, point);
      ASSERT_NE(found, corners.end()) << name;
      EXPECT_NEAR(
          lattice.embedding.coefficients_of(v)[static_cast<std::size_t>(found - corners.begin())],
          1, 1e-13)
          << name;
    }
  }
}

TEST(TetLattice, OfAMirroredGridIsMirrored) {
  const std::vector<PlacedCube> cubes{{{0, 0, 0}, 0}, {{1, 0, 0}, 0}, {{1, 1, 0}, 0},
                                      {{1, 1, 0}, 1}, {{1, 1, 2}, 1}, {{2, 1, 2}, 1}};
  std::vector<PlacedCube> mirrored = cubes;
  for (PlacedCube& cube : mirrored) cube.place[0] = -1 - cube.place[0];
  VoxelGrid grid = grid_of(cubes, 0.37), other = grid_of(mirrored, 0.37);
  for (std::size_t cell = 0; cell < cubes.size(); ++cell)
    for (int sample = 0; sample < 50; ++sample) {
      const Vec3 at = scattered(sample + 50.0 * static_cast<double>(cell));
      embed_in_cell(grid, cell, at);
      embed_in_cell(other, cell, {1 - at.x(), at.y(), at.z()});
    }
  const TetLattice lattice = make_tet_lattice(grid), of_other = make_tet_lattice(other);
  EXPECT_EQ(shapes_of(lattice.elements), shapes_of(of_other.elements, -1));
  const Eigen::MatrixXd values = at_embedded(lattice.embedding, curved_field(lattice.elements, 1));
  const Eigen::MatrixXd of_mirrored =
      at_embedded(of_other.embedding, curved_field(of_other.elements, -1));
  EXPECT_LT((values - of_mirrored).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(TetLattice, OrderOfCellsChangesNothing) {
  for (auto [name, grid] : many_grids()) {
    const std::vector<Shape> shapes = shapes_of(make_tet_lattice(grid).elements);
    grid.embedding = {};
    std::ranges::reverse(grid.elements.hexahedra);
    EXPECT_EQ(shapes_of(make_tet_lattice(grid).elements), shapes) << name;
  }
}

TEST(TetLattice, LinearFieldHasTheEnergyOfItsGradient) {
  const Vec3 gradient(3, -2, 0.5);
  for (const auto& [name, grid] : many_grids()) {
    const Elements elements = make_tet_lattice(grid).elements;
    const Eigen::VectorXd field = test::field_with_gradient(elements, gradient);
    const double volume = volume_of(grid.elements, 0) * static_cast<double>(grid.elements.size());
    const double expected = gradient.squaredNorm() * volume;
    EXPECT_NEAR(field.dot(stiffness_of(elements) * field), expected, 1e-9 * expected) << name;
  }
}

TEST(TetLattice, NumberOfThreadsChangesNoBit) {
  VoxelGrid grid = grid_of(test::block_of_places(4, 4, 4));
  embed_many_points(grid);
  const auto with_threads = [&](int threads) {
    const ThreadLimit limit(threads);
    return make_tet_lattice(grid);
  };
  const TetLattice one = with_threads(1), two = with_threads(2);
  EXPECT_EQ(one.elements.points, two.elements.points);
  EXPECT_EQ(one.elements.tetrahedra, two.elements.tetrahedra);
  EXPECT_EQ(one.embedding.element, two.embedding.element);
  EXPECT_EQ(one.embedding.coefficient, two.embedding.coefficient);
}

TEST(TetLattice, OfNoCellsIsEmpty) {
  const TetLattice lattice = make_tet_lattice({});
  EXPECT_EQ(lattice.elements.size(), 0u);
  EXPECT_EQ(lattice.embedding.size(), 0u);
}

TEST(TetLattice, EveryPointOfItIsAMeanOfPointsOfItsGrid) {
  for (const NamedGrid& named : many_grids()) {
    SCOPED_TRACE(named.name);
    const VoxelGrid& grid = named.grid;
    const TetLattice lattice = make_tet_lattice(grid);
    const Embedding embedding = embed_lattice(grid, lattice);
    ASSERT_EQ(embedding.size(), lattice.elements.points.size());
    std::set<ElementPoint> used;
    for (const Hexahedron& cell : grid.elements.hexahedra) used.insert(cell.begin(), cell.end());
    for (std::size_t p = 0; p < embedding.size(); ++p) {
      if (p < grid.elements.points.size() && !used.contains(static_cast<ElementPoint>(p))) continue;
      const auto corners = embedding.corners_of(p);
      const auto coefficients = embedding.coefficients_of(p);
      Vec3 place = Vec3::Zero();
      double sum = 0;
      for (std::size_t c = 0; c < corners.size(); ++c) {
        place += coefficients[c] * grid.elements.points[corners[c]];
        sum += coefficients[c];
        const auto& cell = grid.elements.hexahedra[embedding.element[p]];
        EXPECT_NE(std::ranges::find(cell, corners[c]), cell.end()) << "its own cell has them all";
      }
      EXPECT_NEAR((place - lattice.elements.points[p]).norm(), 0, 1e-12 * (1 + place.norm()));
      EXPECT_NEAR(sum, 1, 1e-15);
      const std::size_t points = grid.elements.points.size();
      const std::size_t expected = p < points ? 1 : p < points + grid.elements.size() ? 8 : 4;
      EXPECT_EQ(corners.size(), expected);
    }
  }
}

}  // namespace
}  // namespace sinew
