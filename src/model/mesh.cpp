// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/mesh.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

template <std::size_t N>
Status check_indices(const std::vector<std::array<VertexIndex, N>>& elements, std::string_view name,
                     std::size_t vertex_count) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (const VertexIndex v : elements[i])
      if (v >= vertex_count)
        return Error{ErrorCode::bad_mesh, fmt::format("{}[{}]", name, i),
                     fmt::format("refers to vertex {}, but there are {}", v, vertex_count)};
  return {};
}

/// A polygon's vector area: normal to the plane that fits it best, of twice its area.
Vec3 vector_area(std::span<const VertexIndex> corners, std::span<const Vec3> positions) {
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = positions[corners[0]];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += (positions[corners[i]] - origin).cross(positions[corners[i + 1]] - origin);
  return sum;
}

double signed_area(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal) {
  return (b - a).cross(c - a).dot(normal);
}

bool lies_inside(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal) {
  return signed_area(a, b, p, normal) >= 0 && signed_area(b, c, p, normal) >= 0 &&
         signed_area(c, a, p, normal) >= 0;
}

}  // namespace

Result<Mesh> Mesh::create(MeshData data) {
  for (std::size_t i = 0; i < data.positions.size(); ++i)
    if (!data.positions[i].allFinite())
      return Error{ErrorCode::bad_mesh, fmt::format("positions[{}]", i), "is not a finite point"};
  SINEW_CHECK(check_indices(data.triangles, "triangles", data.positions.size()));
  SINEW_CHECK(check_indices(data.tetrahedra, "tetrahedra", data.positions.size()));
  SINEW_CHECK(check_indices(data.wires, "wires", data.positions.size()));
  Mesh mesh;
  mesh.data_ = std::move(data);
  return mesh;
}

Box bounding_box(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

void triangulate_polygon(std::span<const VertexIndex> corners, std::span<const Vec3> positions,
                         std::vector<Triangle>& triangles) {
  if (corners.size() < 3) return;
  const Vec3 normal = vector_area(corners, positions);
  std::vector<VertexIndex> rest(corners.begin(), corners.end());
  while (rest.size() > 3) {
    const std::size_t n = rest.size();
    std::size_t ear = n;
    // A quad is cut at the corner whose diagonal leaves both halves facing the polygon's way;
    // larger polygons likewise, ear by ear.
    for (std::size_t i = 0; i < n && ear == n; ++i) {
      const VertexIndex before = rest[(i + n - 1) % n];
      const VertexIndex after = rest[(i + 1) % n];
      const Vec3& a = positions[before];
      const Vec3& b = positions[rest[i]];
      const Vec3& c = positions[after];
      if (!(signed_area(a, b, c, normal) > 0)) continue;
      const bool empty = std::none_of(rest.begin(), rest.end(), [&](VertexIndex v) {
        return v != before && v != rest[i] && v != after &&
               lies_inside(positions[v], a, b, c, normal);
      });
      if (empty) ear = i;
    }
    if (ear == n) ear = 1;  // folded or flat beyond help: cut anywhere, but cut
    triangles.push_back({rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]});
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles.push_back({rest[0], rest[1], rest[2]});
}

std::vector<Triangle> boundary_triangles(std::span<const Tetrahedron> tetrahedra) {
  constexpr std::size_t kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  struct Face {
    Triangle sorted;
    std::size_t at;  // 4 * tetrahedron + face
  };
  std::vector<Face> faces;
  faces.reserve(tetrahedra.size() * 4);
  const auto corners_of = [&](std::size_t at) {
    const Tetrahedron& tet = tetrahedra[at / 4];
    const auto& f = kFaces[at % 4];
    return Triangle{tet[f[0]], tet[f[1]], tet[f[2]]};
  };
  for (std::size_t at = 0; at < tetrahedra.size() * 4; ++at) {
    Triangle sorted = corners_of(at);
    std::sort(sorted.begin(), sorted.end());
    faces.push_back({sorted, at});
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.at < b.at;
  });
  std::vector<std::size_t> alone;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].sorted == faces[i].sorted) ++end;
    if (end == i + 1) alone.push_back(faces[i].at);
    i = end;
  }
  std::sort(alone.begin(), alone.end());
  std::vector<Triangle> triangles;
  triangles.reserve(alone.size());
  for (const std::size_t at : alone) triangles.push_back(corners_of(at));
  return triangles;
}

std::vector<Triangle> free_triangles(const Mesh& mesh) {
  if (mesh.tetrahedra().empty()) return mesh.triangles();
  std::vector<bool> is_filled(mesh.vertex_count(), false);
  for (const Tetrahedron& tetrahedron : mesh.tetrahedra())
    for (const VertexIndex corner : tetrahedron) is_filled[corner] = true;
  std::vector<Triangle> free;
  for (const Triangle& triangle : mesh.triangles())
    if (!(is_filled[triangle[0]] && is_filled[triangle[1]] && is_filled[triangle[2]]))
      free.push_back(triangle);
  return free;
}

std::vector<Triangle> surface_triangles(const Mesh& mesh) {
  std::vector<Triangle> surface = free_triangles(mesh);
  if (mesh.tetrahedra().empty()) return surface;
  const std::vector<Triangle> boundary = boundary_triangles(mesh.tetrahedra());
  surface.insert(surface.end(), boundary.begin(), boundary.end());
  return surface;
}

Mesh surface_of(const Mesh& mesh) {
  // A part of a valid mesh is valid.
  return *Mesh::create({mesh.positions(), surface_triangles(mesh), {}, {}});
}

}  // namespace sinew
