// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/vertex_table.h"

#include <fmt/format.h>

#include "gltf/document_builder.h"

namespace sinew::reading {
namespace {

constexpr int kModeLines = 1;
constexpr int kModeTriangles = 4;

Json add_primitive(Document& document, const Json& attributes, int mode,
                   std::span<const std::uint32_t> indices) {
  const int accessor =
      append_integers(document, "SCALAR", ComponentType::u32, indices, BufferTarget::indices);
  return {{"attributes", attributes}, {"indices", accessor}, {"mode", mode}};
}

void add_influences(Document& document, const VertexTable& table, std::size_t joint_count,
                    Json& attributes) {
  const ComponentType component = joint_count <= 256 ? ComponentType::u8 : ComponentType::u16;
  std::size_t used = 1;
  for (std::size_t i = 0; i < table.count; ++i)
    while (used < kMaxImportedInfluences &&
           table.row(i)[table.influences_at + kMaxImportedInfluences + used] > 0)
      ++used;
  for (std::size_t set = 0; 4 * set < used; ++set) {
    const std::vector<float> joints = table.column(table.influences_at + 4 * set, 4);
    const std::vector<std::uint32_t> integers(joints.begin(), joints.end());
    attributes[fmt::format("JOINTS_{}", set)] =
        append_integers(document, "VEC4", component, integers, BufferTarget::vertices);
    attributes[fmt::format("WEIGHTS_{}", set)] = append_vertex_floats(
        document, "VEC4", table.column(table.influences_at + kMaxImportedInfluences + 4 * set, 4));
  }
}

}  // namespace

void cut_polygon(std::span<const VertexIndex> corners, std::span<const Vec3> positions,
                 std::vector<Triangle>& triangles) {
  if (corners.size() <= kLargestCarvedPolygon)
    return triangulate_polygon(corners, positions, triangles);
  for (std::size_t i = 2; i < corners.size(); ++i)
    triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

std::size_t mend_normals(VertexTable& table, std::span<const Triangle> triangles) {
  if (table.normal_at == 0) return 0;
  const auto vector_at = [&](std::size_t i, std::size_t at) {
    return Eigen::Map<Eigen::Vector3f>(table.row(i) + at);
  };
  std::vector<bool> bad(table.count, false);
  std::size_t bad_count = 0;
  for (std::size_t i = 0; i < table.count; ++i)
    if (vector_at(i, table.normal_at).squaredNorm() < 0.5F) {
      bad[i] = true;
      ++bad_count;
      vector_at(i, table.normal_at).setZero();
    }
  if (bad_count == 0) return 0;
  for (const Triangle& t : triangles) {
    const Eigen::Vector3f a = vector_at(t[0], 0);
    const Eigen::Vector3f area = (vector_at(t[1], 0) - a).cross(vector_at(t[2], 0) - a);
    for (const VertexIndex corner : t)
      if (bad[corner]) vector_at(corner, table.normal_at) += area;
  }
  for (std::size_t i = 0; i < table.count; ++i) {
    if (!bad[i]) continue;
    auto normal = vector_at(i, table.normal_at);
    const Eigen::Vector3f unit = normal.stableNormalized();
    normal = unit.squaredNorm() > 0.5F ? unit : Eigen::Vector3f::UnitY();
  }
  return bad_count;
}

Json add_attributes(Document& document, const VertexTable& table, std::size_t joint_count) {
  Json attributes = Json::object();
  attributes["POSITION"] = append_vertex_floats(document, "VEC3", table.column(0, 3), Bounds::with);
  if (table.normal_at > 0)
    attributes["NORMAL"] = append_vertex_floats(document, "VEC3", table.column(table.normal_at, 3));
  for (std::size_t set = 0; set < table.uvs_at.size(); ++set)
    attributes[fmt::format("TEXCOORD_{}", set)] =
        append_vertex_floats(document, "VEC2", table.column(table.uvs_at[set], 2));
  for (std::size_t set = 0; set < table.colours_at.size(); ++set)
    attributes[fmt::format("COLOR_{}", set)] =
        append_vertex_floats(document, "VEC4", table.column(table.colours_at[set], 4));
  if (table.influences_at > 0) add_influences(document, table, joint_count, attributes);
  return attributes;
}

Json add_triangles(Document& document, const Json& attributes,
                   std::span<const Triangle> triangles) {
  return add_primitive(document, attributes, kModeTriangles,
                       {triangles.front().data(), 3 * triangles.size()});
}

Json add_lines(Document& document, const Json& attributes, std::span<const std::uint32_t> ends) {
  return add_primitive(document, attributes, kModeLines, ends);
}

}  // namespace sinew::reading
