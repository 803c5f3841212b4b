// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/tet_lattice.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <span>
#include <utility>

#include "core/parallel.h"

namespace sinew {
namespace {

/// A face of a cell across `axis`. Two axes lie in it: the first is the one that follows in the
/// cycle x, y, z, the second the one after that. Its corner k is at the far end of the first where
/// k & 1, and of the second where k & 2, so that cells that share a face list its corners alike.
constexpr std::size_t first_in_face(std::size_t axis) { return (axis + 1) % 3; }
constexpr std::size_t second_in_face(std::size_t axis) { return (axis + 2) % 3; }

/// The edges of a face, as pairs of its corners: where the first axis ends, near and far, then
/// where the second does. Seen from the far end of the face's axis all of them run
/// counterclockwise, and a tetrahedron of a near apex, a far apex and an edge has positive volume.
constexpr std::array<std::array<std::size_t, 2>, 4> kEdges{{{2, 0}, {1, 3}, {0, 1}, {3, 2}}};

/// One face as one cell has it.
struct CellFace {
  std::array<ElementPoint, 4> corners{};
  std::uint32_t cell = 0;
  std::uint32_t side = 0;  // twice its axis, and one more at the far end of the cell

  [[nodiscard]] bool is_far() const { return (side & 1) != 0; }
  /// By the points first: a face that cells share stands together.
  auto operator<=>(const CellFace&) const = default;
};

CellFace face_of(const Hexahedron& corners, std::uint32_t cell, std::uint32_t side) {
  const std::size_t axis = side / 2;
  CellFace face{{}, cell, side};
  for (std::size_t k = 0; k < 4; ++k)
    face.corners[k] = corners[(side & 1) << axis | (k & 1) << first_in_face(axis) |
                              (k >> 1) << second_in_face(axis)];
  return face;
}

std::vector<CellFace> sorted_faces(const std::vector<Hexahedron>& cells) {
  std::vector<CellFace> faces;
  faces.reserve(6 * cells.size());
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell)
    for (std::uint32_t side = 0; side < 6; ++side)
      faces.push_back(face_of(cells[cell], cell, side));
  std::ranges::sort(faces);
  return faces;
}

class LatticeMaker {
 public:
  explicit LatticeMaker(const VoxelGrid& grid)
      : grid_(grid),
        first_centre_(grid.elements.points.size()),
        tetrahedra_behind_(grid.elements.hexahedra.size()) {}

  [[nodiscard]] TetLattice lattice() {
    place_centres();
    const std::vector<CellFace> faces = sorted_faces(grid_.elements.hexahedra);
    for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
      while (end < faces.size() && faces[end].corners == faces[begin].corners) ++end;
      cut(std::span(faces).subspan(begin, end - begin));
    }
    embed();
    return std::move(lattice_);
  }

 private:
  /// Means of opposite corners: of a mirrored grid they are mirrored to the bit.
  void place_centres() {
    Elements& elements = lattice_.elements;
    elements.cell_size = grid_.elements.cell_size;
    elements.points = grid_.elements.points;
    elements.points.reserve(first_centre_ + grid_.elements.hexahedra.size());
    for (const Hexahedron& cell : grid_.elements.hexahedra) add_middle(cell[0], cell[7]);
  }

  ElementPoint add_middle(ElementPoint a, ElementPoint b) {
    std::vector<Vec3>& points = lattice_.elements.points;
    points.emplace_back((points[a] + points[b]) / 2);
    return static_cast<ElementPoint>(points.size() - 1);
  }

  [[nodiscard]] ElementPoint centre_of(std::uint32_t cell) const {
    return static_cast<ElementPoint>(first_centre_ + cell);
  }

  /// What all cells have that share one face.
  void cut(std::span<const CellFace> shared) {
    if (shared.size() == 2 && shared[0].is_far() != shared[1].is_far()) {
      const bool in_order = shared[0].is_far();
      const CellFace& near = in_order ? shared[0] : shared[1];
      const CellFace& far = in_order ? shared[1] : shared[0];
      tetrahedra_behind_[near.cell][near.side] = tetrahedra_behind_[far.cell][far.side] =
          add_around(near.corners, {centre_of(near.cell), centre_of(far.cell)},
                     {near.cell, far.cell});
      return;
    }
    const ElementPoint middle = add_middle(shared[0].corners[0], shared[0].corners[3]);
    for (const CellFace& face : shared) {
      std::array<ElementPoint, 2> apexes{centre_of(face.cell), middle};
      if (!face.is_far()) std::swap(apexes[0], apexes[1]);
      tetrahedra_behind_[face.cell][face.side] =
          add_around(face.corners, apexes, {face.cell, face.cell});
    }
  }

  /// Four tetrahedra, in the order of kEdges; the index of the first.
  std::uint32_t add_around(const std::array<ElementPoint, 4>& corners,
                           const std::array<ElementPoint, 2>& near_and_far,
                           const std::array<std::uint32_t, 2>& cells) {
    auto& tetrahedra = lattice_.elements.tetrahedra;
    const auto first = static_cast<std::uint32_t>(tetrahedra.size());
    for (const auto& [from, to] : kEdges) {
      tetrahedra.push_back({near_and_far[0], near_and_far[1], corners[from], corners[to]});
      lattice_.cells.push_back(cells);
    }
    return first;
  }

  void embed() {
    Embedding& embedding = lattice_.embedding;
    const std::size_t count = grid_.embedding.size();
    embedding.element.resize(count);
    embedding.corner.resize(4 * count);
    embedding.coefficient.resize(4 * count);
    for (std::size_t p = 0; p <= count; ++p) embedding.begin.push_back(4 * p);
    parallel_for(count, [&](std::size_t p) { embed(p); });
  }

  /// From the centre of the cell that the grid has the point in, in edges: within half of one.
  [[nodiscard]] Vec3 offset_in_cell(std::size_t point) const {
    const Vec3& centre = lattice_.elements.points[centre_of(grid_.embedding.element[point])];
    const auto corners = grid_.embedding.corners_of(point);
    const auto coefficients = grid_.embedding.coefficients_of(point);
    Vec3 offset = Vec3::Zero();
    for (std::size_t c = 0; c < corners.size(); ++c)
      offset += coefficients[c] * (grid_.elements.points[corners[c]] - centre);
    return (offset / grid_.elements.cell_size).cwiseMax(-0.5).cwiseMin(0.5);
  }

  /// The point lies behind the face that it is farthest out towards, and there next to the edge
  /// that it is farthest out towards. With o how far out it is to the face, e to the edge and a
  /// along the edge, |a| ≤ e ≤ o ≤ ½, the ends of the edge have e ± a. Where a cell is behind the
  /// face, its centre has o − e and the own centre 1 − o − e; where none is, the face's centre is
  /// twice as near and has twice as much, 2 (o − e), and the own centre 1 − 2 o.
  void embed(std::size_t point) {
    const Vec3 offset = offset_in_cell(point);
    const auto out = [&](std::size_t axis) {
      return std::abs(offset[static_cast<Eigen::Index>(axis)]);
    };
    const auto is_far = [&](std::size_t axis) {
      return offset[static_cast<Eigen::Index>(axis)] > 0 ? 1u : 0u;
    };
    const std::size_t axis = out(0) >= std::max(out(1), out(2)) ? 0 : out(1) >= out(2) ? 1 : 2;
    const std::size_t first = first_in_face(axis), second = second_in_face(axis);
    const bool at_first = out(first) >= out(second);
    const std::size_t towards = at_first ? first : second, along = at_first ? second : first;

    const auto side = static_cast<std::uint32_t>(2 * axis + is_far(axis));
    const std::size_t edge = (at_first ? 0u : 2u) + is_far(towards);
    const std::uint32_t tetrahedron =
        tetrahedra_behind_[grid_.embedding.element[point]][side] + static_cast<std::uint32_t>(edge);
    const auto [near_cell, far_cell] = lattice_.cells[tetrahedron];
    const bool is_outer = near_cell == far_cell;

    std::array<double, 4> coefficients{};
    const std::size_t own = is_far(axis) != 0 ? 0 : 1;
    coefficients[own] = is_outer ? 1 - 2 * out(axis) : 1 - out(axis) - out(towards);
    coefficients[1 - own] = (is_outer ? 2 : 1) * (out(axis) - out(towards));
    const bool runs_back = (kEdges[edge][0] >> (at_first ? 1 : 0) & 1) != 0;
    const double from_middle = offset[static_cast<Eigen::Index>(along)];
    coefficients[runs_back ? 2 : 3] = out(towards) + from_middle;
    coefficients[runs_back ? 3 : 2] = out(towards) - from_middle;

    Embedding& embedding = lattice_.embedding;
    const auto begin = static_cast<std::ptrdiff_t>(4 * point);
    embedding.element[point] = tetrahedron;
    std::ranges::copy(coefficients, embedding.coefficient.begin() + begin);
    std::ranges::copy(lattice_.elements.tetrahedra[tetrahedron], embedding.corner.begin() + begin);
  }

  const VoxelGrid& grid_;
  std::size_t first_centre_;
  std::vector<std::array<std::uint32_t, 6>> tetrahedra_behind_;  // of each cell: the first of 4
  TetLattice lattice_;
};

}  // namespace

TetLattice make_tet_lattice(const VoxelGrid& grid) { return LatticeMaker(grid).lattice(); }

Embedding embed_lattice(const VoxelGrid& grid, const TetLattice& lattice) {
  const std::size_t corners = grid.elements.points.size(), cells = grid.elements.hexahedra.size();
  const std::size_t count = lattice.elements.points.size();
  std::vector<std::uint32_t> cell_of(count, 0);
  for (std::uint32_t cell = 0; cell < cells; ++cell)
    for (const ElementPoint corner : grid.elements.hexahedra[cell]) cell_of[corner] = cell;
  std::vector<std::vector<ElementPoint>> around_face(count - corners - cells);
  for (std::size_t t = 0; t < lattice.cells.size(); ++t) {
    const Tetrahedron& tetrahedron = lattice.elements.tetrahedra[t];
    for (const ElementPoint apex : {tetrahedron[0], tetrahedron[1]}) {
      if (apex < corners + cells) continue;
      cell_of[apex] = lattice.cells[t][0];
      std::vector<ElementPoint>& face = around_face[apex - corners - cells];
      for (const ElementPoint end : {tetrahedron[2], tetrahedron[3]})
        if (std::ranges::find(face, end) == face.end()) face.push_back(end);
    }
  }
  Embedding embedding;
  const auto add_mean = [&](std::size_t point, std::span<const ElementPoint> of) {
    embedding.begin.push_back(embedding.corner.size());
    embedding.element.push_back(cell_of[point]);
    embedding.corner.insert(embedding.corner.end(), of.begin(), of.end());
    embedding.coefficient.insert(embedding.coefficient.end(), of.size(),
                                 1 / static_cast<double>(of.size()));
  };
  for (ElementPoint p = 0; p < corners; ++p) add_mean(p, std::span(&p, 1));
  for (std::size_t cell = 0; cell < cells; ++cell) {
    cell_of[corners + cell] = static_cast<std::uint32_t>(cell);
    add_mean(corners + cell, grid.elements.hexahedra[cell]);
  }
  for (std::size_t f = 0; f < around_face.size(); ++f) {
    std::ranges::sort(around_face[f]);
    add_mean(corners + cells + f, around_face[f]);
  }
  embedding.begin.push_back(embedding.corner.size());
  return embedding;
}

}  // namespace sinew
