// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/prepare/simplify_mesh.h"

#include <algorithm>
#include <limits>

#include <meshoptimizer.h>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kLeastTriangles = 300;  // of a part: an eye is round yet
constexpr float kAnyError = 1;                // of the part's extent: its size alone decides
constexpr VertexIndex kNone = std::numeric_limits<VertexIndex>::max();

/// The corners of a part's triangles that are left, three each.
std::vector<VertexIndex> simplify_part(const Mesh& mesh, std::span<const VertexIndex> members,
                                       std::span<const VertexIndex> corners, double share) {
  const std::size_t least = std::min(corners.size(), 3 * kLeastTriangles);
  const auto wanted = static_cast<std::size_t>(share * static_cast<double>(corners.size() / 3)) * 3;
  if (std::max(wanted, least) >= corners.size()) return {corners.begin(), corners.end()};
  std::vector<float> positions;
  positions.reserve(3 * members.size());
  for (const VertexIndex v : members)
    for (int axis = 0; axis < 3; ++axis)
      positions.push_back(static_cast<float>(mesh.positions()[v][axis]));
  std::vector<unsigned int> local;
  local.reserve(corners.size());
  for (const VertexIndex v : corners)
    local.push_back(static_cast<unsigned int>(std::lower_bound(members.begin(), members.end(), v) -
                                              members.begin()));
  std::vector<unsigned int> left(local.size());
  left.resize(meshopt_simplify(left.data(), local.data(), local.size(), positions.data(),
                               members.size(), 3 * sizeof(float), std::max(wanted, least),
                               kAnyError, 0, nullptr));
  std::vector<VertexIndex> result;
  for (const unsigned int v : left) result.push_back(members[v]);
  return result;
}

}  // namespace

SimplifiedMesh simplify_mesh(const Mesh& mesh, const MeshParts& parts, std::size_t vertices) {
  const double share = static_cast<double>(vertices) /
                       static_cast<double>(std::max<std::size_t>(1, mesh.vertex_count()));
  std::vector<std::vector<VertexIndex>> corners(parts.count());
  for (const Triangle& triangle : mesh.triangles())
    for (const VertexIndex v : triangle)
      corners[static_cast<std::size_t>(parts.of_vertex[triangle[0]])].push_back(v);
  parallel_for(
      corners.size(),
      [&](std::size_t p) { corners[p] = simplify_part(mesh, parts.members[p], corners[p], share); },
      1);

  std::vector<bool> is_kept(mesh.vertex_count(), false);
  for (const std::vector<VertexIndex>& of_part : corners)
    for (const VertexIndex v : of_part) is_kept[v] = true;
  SimplifiedMesh result;
  MeshData data;
  std::vector<VertexIndex> place(mesh.vertex_count(), kNone);
  for (std::size_t v = 0; v < is_kept.size(); ++v) {
    if (!is_kept[v]) continue;
    place[v] = static_cast<VertexIndex>(result.kept.size());
    result.kept.push_back(static_cast<VertexIndex>(v));
    data.positions.push_back(mesh.positions()[v]);
  }
  for (const std::vector<VertexIndex>& of_part : corners)
    for (std::size_t c = 0; c + 2 < of_part.size(); c += 3)
      data.triangles.push_back({place[of_part[c]], place[of_part[c + 1]], place[of_part[c + 2]]});
  result.mesh = *Mesh::create(std::move(data));  // places of a mesh that is one already
  return result;
}

}  // namespace sinew
