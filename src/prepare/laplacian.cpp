// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/prepare/laplacian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "prepare/tufted_cover.h"

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
    entries_.reserve(2 * edges + vertex_count);
  }

  void add(VertexIndex i, VertexIndex k, double conductance) {
    if (i == k) return;  // a loop conducts nothing
    const auto row = static_cast<int>(i);
    const auto column = static_cast<int>(k);
    entries_.emplace_back(row, column, -conductance);
    entries_.emplace_back(column, row, -conductance);
    diagonal_[i] += conductance;
    diagonal_[k] += conductance;
  }

  [[nodiscard]] SparseMatrix matrix() {
    const auto size = static_cast<Eigen::Index>(diagonal_.size());
    for (int v = 0; v < static_cast<int>(size); ++v)
      if (diagonal_[static_cast<std::size_t>(v)] > 0)
        entries_.emplace_back(v, v, diagonal_[static_cast<std::size_t>(v)]);
    SparseMatrix laplacian(size, size);
    laplacian.setFromTriplets(entries_.begin(), entries_.end());
    return laplacian;
  }

 private:
  std::vector<double> diagonal_;
  std::vector<Eigen::Triplet<double>> entries_;
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
    for (const auto& [from, to, value] : cover.conductances())
      assembly.add(from, to, std::max(kLeastConductanceRel * kWellShaped, value));
  }
  for (const auto& [a, b] : mesh.wires()) assembly.add(a, b, wire);
  return assembly.matrix();
}

}  // namespace sinew
