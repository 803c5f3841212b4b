// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/polygonise.h"

#include <array>
#include <bit>
#include <cmath>

#include "core/parallel.h"

namespace sinew::sculpt {
namespace {

using Cell = Eigen::Array3i;

constexpr int kBlock = 4;  // cells along a block: small enough to follow the surface closely
constexpr int kBlockCells = kBlock * kBlock * kBlock;
constexpr int kSuperBlock = 4;  // blocks along a super-block, which is ruled out as a whole first

// A crossing this close to a lattice point is moved away from it: triangles keep an area.
constexpr double kMinEdgeFraction = 0.06;

// A block is ruled out when the distance at its centre exceeds its radius by this factor: the
// field's slope is near 1 but not bound by it, and the warp bends blocks a little.
constexpr double kBlockSafety = 1.25;

// Edges of the lattice that a cell owns: three along the axes from its lowest corner, three from
// its centre to the next centres, and eight from its centre to its corners.
constexpr int kCornerEdges = 0;
constexpr int kCentreEdges = 3;
constexpr int kDiagonalEdges = 6;
constexpr int kEdgesPerCell = 14;

struct LatticePoint {
  Cell cell;
  bool is_centre;
};

/// A tetrahedron: two neighbouring centres a, b and an edge p, q of the face between them.
/// Positively oriented.
struct Tetrahedron4 {
  std::array<LatticePoint, 4> corners;  // relative to the cell that owns it
};

Vec3 lattice_position(const LatticePoint& point) {
  return point.cell.cast<double>().matrix() + Vec3::Constant(point.is_centre ? 0.5 : 0.0);
}

std::array<Tetrahedron4, 12> make_tetrahedra() {
  std::array<Tetrahedron4, 12> result;
  std::size_t next = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int along = 1; along <= 2; ++along)
      for (int side = 0; side < 2; ++side) {
        const int edge_axis = (axis + along) % 3;
        const int other_axis = (axis + 3 - along) % 3;
        Cell next_cell = Cell::Zero();
        next_cell[axis] = 1;
        Cell low = next_cell;
        low[other_axis] = side;
        Cell high = low;
        high[edge_axis] = 1;
        Tetrahedron4 tet{{LatticePoint{Cell::Zero(), true}, LatticePoint{next_cell, true},
                          LatticePoint{low, false}, LatticePoint{high, false}}};
        Mat3 sides;
        for (int i = 0; i < 3; ++i)
          sides.col(i) = lattice_position(tet.corners[static_cast<std::size_t>(i + 1)]) -
                         lattice_position(tet.corners[0]);
        if (sides.determinant() < 0) std::swap(tet.corners[2], tet.corners[3]);
        result[next++] = tet;
      }
  return result;
}

/// The cell that owns an edge of a tetrahedron, relative to the tetrahedron's, and the edge's
/// number there.
struct EdgeKey {
  Cell cell;
  int edge;
};

EdgeKey edge_key(const LatticePoint& a, const LatticePoint& b) {
  if (a.is_centre != b.is_centre) {
    const LatticePoint& centre = a.is_centre ? a : b;
    const LatticePoint& corner = a.is_centre ? b : a;
    const Cell offset = corner.cell - centre.cell;
    return {centre.cell, kDiagonalEdges + offset.x() + 2 * offset.y() + 4 * offset.z()};
  }
  const Cell low = a.cell.min(b.cell);
  const Cell step = (a.cell - b.cell).abs();
  const int axis = step.x() == 1 ? 0 : step.y() == 1 ? 1 : 2;
  return {low, (a.is_centre ? kCentreEdges : kCornerEdges) + axis};
}

struct Block {
  Cell first_cell = Cell::Zero();
  std::array<double, kBlockCells> corner_values;
  std::array<double, kBlockCells> centre_values;
  std::array<std::uint16_t, kBlockCells> crossings;     // bit e: the surface crosses owned edge e
  std::array<std::uint32_t, kBlockCells> first_vertex;  // relative to the block's
  std::size_t block_vertex = 0;
  std::size_t vertex_count = 0;
  std::vector<Triangle> triangles;
};

int index_in_block(const Cell& cell) {
  return (cell.z() % kBlock * kBlock + cell.y() % kBlock) * kBlock + cell.x() % kBlock;
}

class Lattice {
 public:
  Lattice(const FieldCache& field, const Warp& warp, double spacing)
      : field_(field), warp_(warp), spacing_(spacing) {
    Box box = warp.lattice_bounds.isEmpty() ? field.body().bounds() : warp.lattice_bounds;
    box.min().array() -= 2 * spacing;
    box.max().array() += 2 * spacing;
    // Mirrored bodies get a lattice that is symmetric about x = 0 as well.
    if (field.body().mirrored) {
      const double half = std::ceil(box.max().x() / spacing) * spacing;
      box.min().x() = -half;
      box.max().x() = half;
    }
    origin_ = box.min();
    blocks_per_axis_ = (box.diagonal() / (spacing * kBlock)).array().ceil().cast<int>().max(1) + 1;
    find_blocks();
  }

  [[nodiscard]] Surface march();

 private:
  [[nodiscard]] Vec3 position(const LatticePoint& point) const {
    const Vec3 p = origin_ + spacing_ * lattice_position(point);
    return warp_.to_body ? warp_.to_body(p) : p;
  }

  [[nodiscard]] bool may_hold_surface(const Cell& first_cell, int cells) const {
    const Cell last = first_cell + cells;
    const Vec3 low = position({first_cell, false});
    const Vec3 high = position({last, false});
    const Vec3 centre = position({first_cell + cells / 2, false});
    double radius = std::max((low - centre).norm(), (high - centre).norm());
    for (int axis = 0; axis < 3; ++axis) {
      Cell corner = first_cell;
      corner[axis] = last[axis];
      radius = std::max(radius, (position({corner, false}) - centre).norm());
    }
    const double cube_diagonal = spacing_ * std::sqrt(3.0);
    return std::abs(field_.body().value(centre)) < kBlockSafety * radius + cube_diagonal;
  }

  [[nodiscard]] std::size_t block_slot(const Cell& block) const {
    return static_cast<std::size_t>(
        (static_cast<long>(block.z()) * blocks_per_axis_.y() + block.y()) * blocks_per_axis_.x() +
        block.x());
  }

  [[nodiscard]] const Block* block_of(const Cell& cell) const {
    const Cell block = cell / kBlock;
    if ((cell < 0).any() || (block >= blocks_per_axis_).any()) return nullptr;
    const int index = block_index_[block_slot(block)];
    return index < 0 ? nullptr : &blocks_[static_cast<std::size_t>(index)];
  }

  [[nodiscard]] double value(const LatticePoint& point) const {
    const Block* block = block_of(point.cell);
    if (block == nullptr) return kUnknown;
    const auto i = static_cast<std::size_t>(index_in_block(point.cell));
    return point.is_centre ? block->centre_values[i] : block->corner_values[i];
  }

  void find_blocks();
  void sample(Block& block) const;
  void find_crossings(Block& block) const;
  void place_vertices(const Block& block, std::vector<Vec3>& positions) const;
  void make_triangles(Block& block) const;
  [[nodiscard]] VertexIndex vertex_on(const EdgeKey& edge, const Cell& cell) const;

  static constexpr double kUnknown = 1e9;  // far from the surface: nothing crosses there

  const FieldCache& field_;
  const Warp& warp_;
  double spacing_;
  Vec3 origin_;
  Cell blocks_per_axis_;
  std::vector<int> block_index_;
  std::vector<Block> blocks_;
};

void Lattice::find_blocks() {
  const Cell supers = (blocks_per_axis_ + kSuperBlock - 1) / kSuperBlock;
  const auto super_count = static_cast<std::size_t>(supers.cast<long>().prod());
  std::vector<std::vector<Cell>> found(super_count);
  parallel_for(
      super_count,
      [&](std::size_t s) {
        const int i = static_cast<int>(s);
        const Cell first(
            Cell(i % supers.x(), i / supers.x() % supers.y(), i / supers.x() / supers.y()) *
            kSuperBlock);
        if (!may_hold_surface(first * kBlock, kSuperBlock * kBlock)) return;
        const Cell end = (first + kSuperBlock).min(blocks_per_axis_);
        for (int z = first.z(); z < end.z(); ++z)
          for (int y = first.y(); y < end.y(); ++y)
            for (int x = first.x(); x < end.x(); ++x)
              if (may_hold_surface(Cell(x, y, z) * kBlock, kBlock)) found[s].push_back({x, y, z});
      },
      16);
  block_index_.assign(static_cast<std::size_t>(blocks_per_axis_.cast<long>().prod()), -1);
  std::size_t count = 0;
  for (const auto& list : found) count += list.size();
  blocks_.resize(count);
  int next = 0;
  for (const auto& list : found)
    for (const Cell& block : list) {
      blocks_[static_cast<std::size_t>(next)].first_cell = block * kBlock;
      block_index_[block_slot(block)] = next++;
    }
}

template <class Body>
void for_cells(const Block& block, const Body& body) {
  for (int z = 0; z < kBlock; ++z)
    for (int y = 0; y < kBlock; ++y)
      for (int x = 0; x < kBlock; ++x) {
        const Cell cell = block.first_cell + Cell(x, y, z);
        body(cell, static_cast<std::size_t>(index_in_block(cell)));
      }
}

void Lattice::sample(Block& block) const {
  for_cells(block, [&](const Cell& cell, std::size_t i) {
    block.corner_values[i] = field_.value(position({cell, false}));
    block.centre_values[i] = field_.value(position({cell, true}));
  });
}

/// The far end of an owned edge of a cell.
LatticePoint edge_end(const Cell& cell, int edge) {
  if (edge >= kDiagonalEdges) {
    const int corner = edge - kDiagonalEdges;
    return {cell + Cell(corner & 1, corner >> 1 & 1, corner >> 2), false};
  }
  Cell end = cell;
  end[edge % 3] += 1;
  return {end, edge >= kCentreEdges};
}

void Lattice::find_crossings(Block& block) const {
  std::uint32_t count = 0;
  for_cells(block, [&](const Cell& cell, std::size_t i) {
    std::uint16_t mask = 0;
    for (int edge = 0; edge < kEdgesPerCell; ++edge) {
      const double start = edge < kCentreEdges ? block.corner_values[i] : block.centre_values[i];
      const double end = value(edge_end(cell, edge));
      if (end != kUnknown && (start < 0) != (end < 0))
        mask = static_cast<std::uint16_t>(mask | 1u << edge);
    }
    block.crossings[i] = mask;
    block.first_vertex[i] = count;
    count += static_cast<std::uint32_t>(std::popcount(mask));
  });
  block.vertex_count = count;
}

void Lattice::place_vertices(const Block& block, std::vector<Vec3>& positions) const {
  for_cells(block, [&](const Cell& cell, std::size_t i) {
    std::size_t next = block.block_vertex + block.first_vertex[i];
    for (int edge = 0; edge < kEdgesPerCell; ++edge) {
      if ((block.crossings[i] >> edge & 1) == 0) continue;
      const LatticePoint a{cell, edge >= kCentreEdges};
      const LatticePoint b = edge_end(cell, edge);
      const double start = value(a);
      const double end = value(b);
      const double t = std::clamp(start / (start - end), kMinEdgeFraction, 1 - kMinEdgeFraction);
      positions[next++] = (1 - t) * position(a) + t * position(b);
    }
  });
}

VertexIndex Lattice::vertex_on(const EdgeKey& edge, const Cell& cell) const {
  const Cell owner = cell + edge.cell;
  const Block* block = block_of(owner);
  const auto i = static_cast<std::size_t>(index_in_block(owner));
  const unsigned before = block->crossings[i] & ((1u << edge.edge) - 1);
  return static_cast<VertexIndex>(block->block_vertex + block->first_vertex[i] +
                                  static_cast<unsigned>(std::popcount(before)));
}

// Even permutations of a tetrahedron's corners that bring one given corner, or two, to the front:
// they keep its orientation, so that one drawing serves all cases.
constexpr std::array<std::array<std::size_t, 4>, 4> kOneFirst = {
    {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 0, 1, 3}, {3, 0, 2, 1}}};
constexpr std::array<std::array<std::size_t, 4>, 6> kTwoFirst = {
    {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}}};

void Lattice::make_triangles(Block& block) const {
  static const std::array<Tetrahedron4, 12> kTetrahedra = make_tetrahedra();
  for_cells(block, [&](const Cell& cell, std::size_t i) {
    // Every tetrahedron of a cell has its first corner at the centre: nothing crosses it when
    // nothing crosses the edges from there.
    if (block.crossings[i] >> kCentreEdges == 0) return;
    for (const Tetrahedron4& tet : kTetrahedra) {
      unsigned inside = 0;
      bool known = true;
      for (std::size_t c = 0; c < 4 && known; ++c) {
        const double v = value({cell + tet.corners[c].cell, tet.corners[c].is_centre});
        known = v != kUnknown;
        if (v < 0) inside |= 1u << c;
      }
      if (!known || inside == 0 || inside == 15) continue;
      const auto vertex = [&](std::size_t a, std::size_t b) {
        return vertex_on(edge_key(tet.corners[a], tet.corners[b]), cell);
      };
      const int count = std::popcount(inside);
      if (count == 2) {
        for (const auto& order : kTwoFirst) {
          if (inside != (1u << order[0] | 1u << order[1])) continue;
          const VertexIndex ac = vertex(order[0], order[2]), ad = vertex(order[0], order[3]),
                            bd = vertex(order[1], order[3]), bc = vertex(order[1], order[2]);
          block.triangles.push_back({ac, ad, bd});
          block.triangles.push_back({ac, bd, bc});
        }
        continue;
      }
      const unsigned lone = count == 1 ? inside : ~inside & 15u;
      const auto& order = kOneFirst[static_cast<std::size_t>(std::countr_zero(lone))];
      const VertexIndex a = vertex(order[0], order[1]), b = vertex(order[0], order[2]),
                        c = vertex(order[0], order[3]);
      block.triangles.push_back(count == 1 ? Triangle{a, b, c} : Triangle{a, c, b});
    }
  });
}

Surface Lattice::march() {
  constexpr std::size_t kGrain = 16;
  parallel_for(
      blocks_.size(), [&](std::size_t b) { sample(blocks_[b]); }, kGrain);
  parallel_for(
      blocks_.size(), [&](std::size_t b) { find_crossings(blocks_[b]); }, kGrain);
  std::size_t vertices = 0;
  for (Block& block : blocks_) {
    block.block_vertex = vertices;
    vertices += block.vertex_count;
  }
  Surface surface;
  surface.positions.resize(vertices);
  parallel_for(
      blocks_.size(),
      [&](std::size_t b) {
        place_vertices(blocks_[b], surface.positions);
        make_triangles(blocks_[b]);
      },
      kGrain);
  for (const Block& block : blocks_)
    surface.triangles.insert(surface.triangles.end(), block.triangles.begin(),
                             block.triangles.end());
  return surface;
}

}  // namespace

Surface polygonise(const FieldCache& field, const Warp& warp, double spacing) {
  return Lattice(field, warp, spacing).march();
}

}  // namespace sinew::sculpt
