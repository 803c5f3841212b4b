// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/simplify_mesh.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

/// Of each cluster, the vertex nearest to the mean of all.
std::vector<VertexIndex> middle_vertices(const std::vector<Vec3>& positions,
                                         const std::vector<int>& cluster, std::size_t count) {
  std::vector<Vec3> middle(count, Vec3::Zero());
  std::vector<double> members(count, 0);
  for (std::size_t v = 0; v < cluster.size(); ++v) {
    const auto c = static_cast<std::size_t>(cluster[v]);
    middle[c] += positions[v];
    members[c] += 1;
  }
  for (std::size_t c = 0; c < count; ++c) middle[c] /= members[c];
  std::vector<double> nearest(count, std::numeric_limits<double>::infinity());
  std::vector<VertexIndex> vertices(count, 0);
  for (std::size_t v = 0; v < cluster.size(); ++v) {
    const auto c = static_cast<std::size_t>(cluster[v]);
    const double squared = (positions[v] - middle[c]).squaredNorm();
    if (!(squared < nearest[c])) continue;
    nearest[c] = squared;
    vertices[c] = static_cast<VertexIndex>(v);
  }
  return vertices;
}

/// The smallest corner first, turned the same way, so that equals can be found.
Triangle rotated(const Triangle& triangle) {
  Triangle result = triangle;
  std::rotate(result.begin(), std::min_element(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

SimplifiedMesh simplify_mesh(const Mesh& mesh, const std::vector<int>& cluster) {
  const auto count = static_cast<std::size_t>(
      cluster.empty() ? 0 : 1 + *std::max_element(cluster.begin(), cluster.end()));
  SimplifiedMesh result;
  result.kept = middle_vertices(mesh.positions(), cluster, count);
  std::sort(result.kept.begin(), result.kept.end());
  std::vector<VertexIndex> place(count);
  MeshData data;
  for (std::size_t k = 0; k < result.kept.size(); ++k) {
    place[static_cast<std::size_t>(cluster[result.kept[k]])] = static_cast<VertexIndex>(k);
    data.positions.push_back(mesh.positions()[result.kept[k]]);
  }
  for (const Triangle& triangle : mesh.triangles()) {
    Triangle met;
    for (std::size_t c = 0; c < 3; ++c)
      met[c] = place[static_cast<std::size_t>(cluster[triangle[c]])];
    if (met[0] == met[1] || met[1] == met[2] || met[2] == met[0]) continue;
    data.triangles.push_back(rotated(met));
  }
  std::sort(data.triangles.begin(), data.triangles.end());
  data.triangles.erase(std::unique(data.triangles.begin(), data.triangles.end()),
                       data.triangles.end());
  result.mesh = *Mesh::create(std::move(data));  // places of a mesh that is one already
  return result;
}

}  // namespace sinew
