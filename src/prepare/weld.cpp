// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/prepare/weld.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "sinew/prepare/main_box.h"

namespace sinew {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t coordinate : cell) {
      hash ^= static_cast<std::uint64_t>(coordinate);
      hash *= 0x9E3779B97F4A7C15ull;  // 2^64 over the golden ratio: spreads neighbouring cells
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// Far beyond any mesh, and still a number that an index can hold.
constexpr double kFarthestCell = 4e18;

std::int64_t cell_of(double coordinate) {
  return static_cast<std::int64_t>(
      std::floor(std::clamp(coordinate, -kFarthestCell, kFarthestCell)));
}

/// Of the tolerance: whatever is within the tolerance of a point mostly lies in one such cell.
constexpr double kCellWidth = 8;
/// So that rounding hides no place which is within the tolerance by a digit.
constexpr double kReach = 1 + 1e-6;

/// Places, by the cells that they lie in.
class Places {
 public:
  explicit Places(double tolerance) : tolerance_(tolerance) {}

  /// The first place within the tolerance, or -1.
  [[nodiscard]] std::int64_t find(const Vec3& point, const std::vector<Vec3>& positions) const {
    const Vec3 reach = Vec3::Constant(kReach * tolerance_);
    const Cell low = cell_at(point - reach);
    const Cell high = cell_at(point + reach);
    std::int64_t best = -1;
    for (Cell cell = low; cell[2] <= high[2]; ++cell[2])
      for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
        for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
          const auto found = cells_.find(cell);
          if (found == cells_.end()) continue;
          for (std::int64_t place = found->second; place >= 0;
               place = next_[static_cast<std::size_t>(place)])
            if ((positions[static_cast<std::size_t>(place)] - point).norm() <= tolerance_ &&
                (best < 0 || place < best))
              best = place;
        }
    return best;
  }

  /// Adds the next place, numbered from 0.
  void add(const Vec3& point) {
    const auto place = static_cast<std::int64_t>(next_.size());
    const auto [entry, is_new] = cells_.try_emplace(cell_at(point), place);
    next_.push_back(is_new ? -1 : entry->second);
    entry->second = place;
  }

  void reserve(std::size_t places) {
    cells_.reserve(places);
    next_.reserve(places);
  }

 private:
  [[nodiscard]] Cell cell_at(const Vec3& point) const {
    const Vec3 scaled = point / (kCellWidth * tolerance_);
    return {cell_of(scaled.x()), cell_of(scaled.y()), cell_of(scaled.z())};
  }

  double tolerance_;
  std::unordered_map<Cell, std::int64_t, CellHash> cells_;  // the last place in each cell
  std::vector<std::int64_t> next_;                          // the one before it, or -1
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
  Places places(tolerance);
  const Vec3 origin = box.isEmpty() ? Vec3(Vec3::Zero()) : box.center();
  std::vector<Vec3> centred;  // cells are counted from the middle: far from it they would overflow
  places.reserve(mesh.vertex_count());
  result.welded.reserve(mesh.vertex_count());
  for (const Vec3& position : mesh.positions()) {
    const Vec3 point = position - origin;
    std::int64_t place = places.find(point, centred);
    if (place < 0) {
      place = static_cast<std::int64_t>(data.positions.size());
      places.add(point);
      centred.push_back(point);
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
