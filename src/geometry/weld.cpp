// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/weld.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "geometry/main_box.h"

namespace sinew {
namespace {

using Cell = std::array<std::int64_t, 3>;

std::uint64_t hash_of(const Cell& cell) {
  std::uint64_t hash = 0;
  for (const std::int64_t coordinate : cell) {
    hash ^= static_cast<std::uint64_t>(coordinate);
    hash *= 0x9E3779B97F4A7C15ull;  // 2^64 over the golden ratio: spreads neighbouring cells
    hash ^= hash >> 29;
  }
  return hash;
}

/// Far beyond any mesh, and still a number that an index can hold.
constexpr double kFarthestCell = 4e18;

std::int64_t cell_of(double coordinate) {
  return static_cast<std::int64_t>(
      std::floor(std::clamp(coordinate, -kFarthestCell, kFarthestCell)));
}

/// Of the tolerance: whatever is within the tolerance of a point mostly lies in one such cell.
constexpr double kCellWidth = 32;
/// So that rounding hides no place which is within the tolerance by a digit.
constexpr double kReach = 1 + 1e-6;

/// Places by the cells that they lie in: a table with open addressing, in which cells that meet
/// share a run of slots, since distances tell places apart.
class Places {
 public:
  Places(double tolerance, std::size_t most)
      : tolerance_(tolerance), slots_(std::bit_ceil(2 * most + 1), kNone) {
    positions_.reserve(most);
  }

  /// The first place within the tolerance, or -1.
  [[nodiscard]] std::int64_t find(const Vec3& point) const {
    const Vec3 reach = Vec3::Constant(kReach * tolerance_);
    const Cell low = cell_at(point - reach);
    const Cell high = cell_at(point + reach);
    std::int64_t best = -1;
    for (Cell cell = low; cell[2] <= high[2]; ++cell[2])
      for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
        for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0])
          for (std::size_t slot = slot_of(cell); slots_[slot] != kNone; slot = after(slot)) {
            const VertexIndex place = slots_[slot];
            if ((positions_[place] - point).norm() <= tolerance_ && (best < 0 || place < best))
              best = place;
          }
    return best;
  }

  /// Adds the next place, numbered from 0.
  void add(const Vec3& point) {
    std::size_t slot = slot_of(cell_at(point));
    while (slots_[slot] != kNone) slot = after(slot);
    slots_[slot] = static_cast<VertexIndex>(positions_.size());
    positions_.push_back(point);
  }

 private:
  static constexpr VertexIndex kNone = std::numeric_limits<VertexIndex>::max();

  [[nodiscard]] Cell cell_at(const Vec3& point) const {
    const Vec3 scaled = point / (kCellWidth * tolerance_);
    return {cell_of(scaled.x()), cell_of(scaled.y()), cell_of(scaled.z())};
  }
  [[nodiscard]] std::size_t slot_of(const Cell& cell) const {
    return static_cast<std::size_t>(hash_of(cell)) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t after(std::size_t slot) const {
    return (slot + 1) & (slots_.size() - 1);
  }

  double tolerance_;
  std::vector<VertexIndex> slots_;  // places; at the least half of them have none
  std::vector<Vec3> positions_;     // of places
};

/// The elements with corners replaced by places, without those that lost a corner.
template <class Element>
std::vector<Element> replace_corners(const std::vector<Element>& elements,
                                     const std::vector<VertexIndex>& welded) {
  std::vector<Element> kept;
  kept.reserve(elements.size());
  for (Element element : elements) {
    for (VertexIndex& corner : element) corner = welded[corner];
    Element sorted = element;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) kept.push_back(element);
  }
  return kept;
}

void group_copies(WeldedMesh& result, std::size_t places) {
  result.copies_begin.assign(places + 1, 0);
  for (const VertexIndex place : result.welded) ++result.copies_begin[place + 1];
  for (std::size_t i = 0; i < places; ++i) result.copies_begin[i + 1] += result.copies_begin[i];
  std::vector<std::size_t> next(result.copies_begin.begin(), result.copies_begin.end() - 1);
  result.copies.resize(result.welded.size());
  for (std::size_t v = 0; v < result.welded.size(); ++v)
    result.copies[next[result.welded[v]]++] = static_cast<VertexIndex>(v);
}

}  // namespace

WeldedMesh weld(const Mesh& mesh, const WeldOptions& options) {
  const Box box = main_box(mesh);
  const double extent = box.isEmpty() ? 0 : box.sizes().maxCoeff();
  const double tolerance = extent > 0 ? extent * options.tolerance_rel : 1;

  WeldedMesh result;
  MeshData data;
  Places places(tolerance, mesh.vertex_count());
  // Cells are counted from the middle: far from it they would overflow.
  const Vec3 origin = box.isEmpty() ? Vec3(Vec3::Zero()) : box.center();
  result.welded.reserve(mesh.vertex_count());
  for (const Vec3& position : mesh.positions()) {
    const Vec3 point = position - origin;
    std::int64_t place = places.find(point);
    if (place < 0) {
      place = static_cast<std::int64_t>(data.positions.size());
      places.add(point);
      data.positions.push_back(position);
    }
    result.welded.push_back(static_cast<VertexIndex>(place));
  }
  group_copies(result, data.positions.size());
  data.triangles = replace_corners(mesh.triangles(), result.welded);
  data.tetrahedra = replace_corners(mesh.tetrahedra(), result.welded);
  data.wires = replace_corners(mesh.wires(), result.welded);
  result.collapsed_triangles = mesh.triangles().size() - data.triangles.size();
  result.mesh = *Mesh::create(std::move(data));  // a part of a valid mesh is valid
  return result;
}

SkinWeights spread_to_copies(const WeldedMesh& welded, const SkinWeights& weights) {
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  row_begin.reserve(welded.welded.size() + 1);
  for (const VertexIndex place : welded.welded) {
    const std::span<const Influence> row = weights.row(place);
    influences.insert(influences.end(), row.begin(), row.end());
    row_begin.push_back(influences.size());
  }
  return SkinWeights::mend(weights.bone_count(), std::move(row_begin), std::move(influences));
}

SkinWeights mean_of_copies(const WeldedMesh& welded, const SkinWeights& weights) {
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  for (std::size_t place = 0; place + 1 < welded.copies_begin.size(); ++place) {
    // Rows sum to one each, so that adding them up and scaling to one is their mean.
    for (std::size_t c = welded.copies_begin[place]; c < welded.copies_begin[place + 1]; ++c) {
      const std::span<const Influence> row = weights.row(welded.copies[c]);
      influences.insert(influences.end(), row.begin(), row.end());
    }
    row_begin.push_back(influences.size());
  }
  return SkinWeights::mend(weights.bone_count(), std::move(row_begin), std::move(influences));
}

}  // namespace sinew
