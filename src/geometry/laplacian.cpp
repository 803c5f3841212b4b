// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/laplacian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry/sort_by_ends.h"
#include "geometry/tufted_cover.h"

namespace sinew {
namespace {

/// What an edge conducts at least, relative to a well-shaped one: cocircular neighbours have
/// cotangents of zero, and no vertex may fall off the mesh because of them.
constexpr double kLeastConductanceRel = 1e-9;
/// An edge between two equilateral triangles: half of twice the cotangent of 60 degrees.
constexpr double kWellShaped = 0.57735026918962576;
constexpr double kFlatTetrahedronRel = 1e-12;  // volume, of the cube of its longest edge

class Assembly {
 public:
  Assembly(std::size_t vertex_count, std::size_t edges) : diagonal_(vertex_count, 0) {
    edges_.reserve(edges);
  }

  void add(VertexIndex i, VertexIndex k, double conductance) {
    if (i == k) return;  // a loop conducts nothing
    edges_.push_back({std::min(i, k), std::max(i, k), conductance});
    diagonal_[i] += conductance;
    diagonal_[k] += conductance;
  }

  [[nodiscard]] SparseMatrix matrix() {
    merge_edges();
    const std::size_t size = diagonal_.size();
    SparseMatrix laplacian(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
    int* const begin = laplacian.outerIndexPtr();
    for (std::size_t v = 0; v < size; ++v) begin[v + 1] = diagonal_[v] > 0 ? 1 : 0;
    for (const Edge& edge : edges_) {
      ++begin[edge.low + 1];
      ++begin[edge.high + 1];
    }
    for (std::size_t v = 0; v < size; ++v) begin[v + 1] += begin[v];
    laplacian.resizeNonZeros(begin[size]);
    // By their lower ends first, entries come to each column in the order of its rows.
    std::vector<int> next(begin, begin + size);
    const auto append = [&](std::size_t row, std::size_t column, double value) {
      const int entry = next[column]++;
      laplacian.innerIndexPtr()[entry] = static_cast<int>(row);
      laplacian.valuePtr()[entry] = value;
    };
    auto edge = edges_.begin();
    for (std::size_t v = 0; v < size; ++v) {
      if (diagonal_[v] > 0) append(v, v, diagonal_[v]);
      for (; edge != edges_.end() && edge->low == v; ++edge) {
        append(edge->high, v, -edge->conductance);
        append(v, edge->high, -edge->conductance);
      }
    }
    return laplacian;
  }

 private:
  struct Edge {
    VertexIndex low = 0;
    VertexIndex high = 0;
    double conductance = 0;
  };

  void merge_edges() {
    sort_by_ends(
        edges_, diagonal_.size(), [](const Edge& edge) { return edge.low; },
        [](const Edge& edge) { return edge.high; });
    std::size_t count = 0;
    for (const Edge& edge : edges_) {
      const bool is_same =
          count > 0 && edges_[count - 1].low == edge.low && edges_[count - 1].high == edge.high;
      if (is_same)
        edges_[count - 1].conductance += edge.conductance;
      else
        edges_[count++] = edge;
    }
    edges_.resize(count);
  }

  std::vector<double> diagonal_;
  std::vector<Edge> edges_;
};

/// Adds the linear finite elements of all tetrahedra; returns what a mean edge conducts.
double add_tetrahedra(const Mesh& mesh, Assembly& assembly) {
  double total = 0;
  for (const Tetrahedron& t : mesh.tetrahedra()) {
    std::array<Vec3, 4> corner;
    for (std::size_t c = 0; c < 4; ++c) corner[c] = mesh.positions()[t[c]];
    double longest = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        longest = std::max(longest, (corner[a] - corner[b]).norm());
    const double six_volumes =
        std::abs((corner[1] - corner[0]).dot((corner[2] - corner[0]).cross(corner[3] - corner[0])));
    const double volume =
        std::max(six_volumes / 6, kFlatTetrahedronRel * longest * longest * longest);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) {
        // The faces opposite to a and b meet in the edge of the other two corners. Their outward
        // area vectors give ∇φ_a · ∇φ_b · volume.
        const std::size_t c = a == 0 ? (b == 1 ? 2 : 1) : 0;
        const std::size_t d = 6 - a - b - c;
        const Vec3 shared = corner[d] - corner[c];
        const Vec3 face_a = (corner[b] - corner[c]).cross(shared);
        const Vec3 face_b = (corner[a] - corner[c]).cross(shared);
        const double obtuse_free = std::max(face_a.dot(face_b) / (36 * volume), 0.0);
        const double conductance = obtuse_free + kLeastConductanceRel * longest;
        assembly.add(t[a], t[b], conductance);
        total += conductance;
      }
  }
  return total / static_cast<double>(6 * mesh.tetrahedra().size());
}

}  // namespace

SparseMatrix make_laplacian(const Mesh& mesh) {
  Assembly assembly(mesh.vertex_count(), 6 * mesh.tetrahedra().size() +
                                             3 * mesh.triangles().size() + mesh.wires().size());
  double wire = kWellShaped;
  if (!mesh.tetrahedra().empty()) wire = add_tetrahedra(mesh, assembly);
  if (const std::vector<Triangle> triangles = free_triangles(mesh); !triangles.empty()) {
    TuftedCover cover(triangles, mesh.positions());
    cover.flip_to_delaunay();
    cover.for_each_conductance([&](VertexIndex from, VertexIndex to, double value) {
      assembly.add(from, to, std::max(kLeastConductanceRel * kWellShaped, value));
    });
  }
  for (const auto& [a, b] : mesh.wires()) assembly.add(a, b, wire);
  return assembly.matrix();
}

}  // namespace sinew
