// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/gltf_mesh_read.h"

#include <cmath>
#include <map>

#include "gltf/gltf_json.h"
#include "sinew/gltf/gltf_accessor.h"

namespace sinew {
namespace {

/// More vertices than bytes in the file, several times over, come only from a file that shows the
/// same bytes again and again.
constexpr std::uint64_t kMaxVerticesPerByte = 2;
constexpr std::uint64_t kVerticesAlwaysAllowed = 1'000'000;

enum class Mode {
  points = 0,
  lines,
  line_loop,
  line_strip,
  triangles,
  triangle_strip,
  triangle_fan
};

/// The corners of a primitive in drawing order.
Result<std::vector<std::uint32_t>> read_corners(const Document& document, const Json& primitive,
                                                const std::string& place,
                                                std::size_t vertex_count) {
  const int accessor = index_or_none(primitive, "indices");
  if (accessor < 0) {
    std::vector<std::uint32_t> corners(vertex_count);
    for (std::size_t i = 0; i < vertex_count; ++i) corners[i] = static_cast<std::uint32_t>(i);
    return corners;
  }
  SINEW_TRY(std::vector<std::uint32_t> corners, read_integers(document, accessor, "SCALAR"));
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (corners[i] >= vertex_count)
      return refuse(ErrorCode::bad_mesh, fmt::format("{}.indices[{}]", place, i),
                    "refers to vertex {}, but there are {}", corners[i], vertex_count);
  return corners;
}

void append_triangles(const std::vector<std::uint32_t>& c, Mode mode, std::uint32_t base,
                      std::vector<Triangle>& triangles) {
  const auto add = [&](std::size_t i, std::size_t j, std::size_t k) {
    triangles.push_back({base + c[i], base + c[j], base + c[k]});
  };
  if (mode == Mode::triangles)
    for (std::size_t i = 0; i + 2 < c.size(); i += 3) add(i, i + 1, i + 2);
  else if (mode == Mode::triangle_strip)
    for (std::size_t i = 0; i + 2 < c.size(); ++i) add(i, i + 1 + i % 2, i + 2 - i % 2);
  else
    for (std::size_t i = 1; i + 1 < c.size(); ++i) add(i, i + 1, 0);
}

void append_wires(const std::vector<std::uint32_t>& c, Mode mode, std::uint32_t base,
                  std::vector<Edge>& wires) {
  const std::size_t step = mode == Mode::lines ? 2 : 1;
  for (std::size_t i = 0; i + 1 < c.size(); i += step)
    wires.push_back({base + c[i], base + c[i + 1]});
  if (mode == Mode::line_loop && c.size() > 2) wires.push_back({base + c.back(), base + c.front()});
}

/// The attributes that decide whether two primitives show the same vertices.
std::string vertex_identity(const Json& attributes) {
  std::string identity;
  for (const auto& [name, accessor] : attributes.items())
    if (name == "POSITION" || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_"))
      identity += fmt::format("{}={};", name, accessor.get<int>());
  return identity;
}

std::uint64_t total_bytes(const Document& document) {
  std::uint64_t total = 0;
  for (const Bytes& buffer : document.buffers) total += buffer.size();
  return total;
}

}  // namespace

Status MeshCollector::add_vertices(const Json& primitive, const std::string& place,
                                   const Affine3& model_from_part,
                                   const std::vector<int>* bone_of_joint) {
  const Json& attributes = primitive["attributes"];
  const int accessor = index_or_none(attributes, "POSITION");
  const std::size_t count = accessor_count(document_, accessor);
  if (data_.positions.size() + count >
      kVerticesAlwaysAllowed + kMaxVerticesPerByte * total_bytes(document_))
    return refuse(ErrorCode::too_large, place, "the file shows the same vertices too many times");
  SINEW_TRY(const std::vector<float> xyz, read_floats(document_, accessor, "VEC3"));
  data_.positions.reserve(data_.positions.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 stored(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
    const Vec3 position = model_from_part * stored;
    if (!position.allFinite())
      return refuse(ErrorCode::bad_mesh, fmt::format("{}.attributes.POSITION[{}]", place, i),
                    "is not a finite point");
    data_.positions.push_back(position);
  }
  if (bone_of_joint != nullptr) SINEW_CHECK(add_weights(attributes, place, count, *bone_of_joint));
  row_begin_.resize(data_.positions.size() + 1, influences_.size());
  return {};
}

Status MeshCollector::add_weights(const Json& attributes, const std::string& place,
                                  std::size_t vertex_count, const std::vector<int>& bone_of_joint) {
  struct Set {
    std::vector<std::uint32_t> joints;
    std::vector<float> weights;
  };
  std::vector<Set> sets;
  for (int k = 0;; ++k) {
    const int joints = index_or_none(attributes, fmt::format("JOINTS_{}", k));
    const int weights = index_or_none(attributes, fmt::format("WEIGHTS_{}", k));
    if (joints < 0 || weights < 0) break;
    Set set;
    SINEW_TRY(set.joints, read_integers(document_, joints, "VEC4"));
    SINEW_TRY(set.weights, read_floats(document_, weights, "VEC4"));
    sets.push_back(std::move(set));
  }
  if (sets.empty())
    notices_.push_back({Notice::Level::warning, "no_weights", place,
                        "is shown with a skin, but has no JOINTS_0 and WEIGHTS_0"});
  for (std::size_t v = 0; v < vertex_count; ++v) {
    for (const Set& set : sets)
      for (std::size_t c = 4 * v; c < 4 * v + 4; ++c) {
        if (set.weights[c] == 0) continue;
        const std::uint32_t joint = set.joints[c];
        // A joint past the end of the skin becomes a bone past the end of the skeleton: counted and
        // dropped by mend().
        const std::size_t bone = joint < bone_of_joint.size()
                                     ? static_cast<std::size_t>(bone_of_joint[joint])
                                     : bone_count_;
        influences_.push_back({static_cast<std::uint32_t>(bone), set.weights[c]});
      }
    row_begin_.push_back(influences_.size());
  }
  return {};
}

Status MeshCollector::add_elements(const Json& primitive, const std::string& place,
                                   std::size_t first_vertex, std::size_t vertex_count) {
  const auto mode = static_cast<Mode>(unsigned_or(primitive, "mode", 4));
  if (mode == Mode::points) return {};
  SINEW_TRY(const std::vector<std::uint32_t> corners,
            read_corners(document_, primitive, place, vertex_count));
  const auto base = static_cast<std::uint32_t>(first_vertex);
  if (mode == Mode::lines || mode == Mode::line_loop || mode == Mode::line_strip)
    append_wires(corners, mode, base, data_.wires);
  else
    append_triangles(corners, mode, base, data_.triangles);
  if (mode == Mode::triangles && corners.size() % 3 != 0)
    notices_.push_back({Notice::Level::warning, "odd_indices", place,
                        fmt::format("has {} indices, not a multiple of 3; the last are not used",
                                    corners.size())});
  return {};
}

Status MeshCollector::add_tetrahedra(int mesh, std::size_t first_vertex, std::size_t vertex_count) {
  const Json* extras = member(element(document_, "meshes", mesh), "extras");
  const Json* ours = extras == nullptr ? nullptr : member(*extras, "sinew");
  const Json* accessor = ours == nullptr ? nullptr : member(*ours, "tetrahedra");
  if (accessor == nullptr) return {};
  const std::string place = fmt::format("meshes[{}].extras.sinew.tetrahedra", mesh);
  if (!is_natural(*accessor) ||
      accessor->get<std::uint64_t>() >= array_or_empty(document_.json, "accessors").size())
    return refuse(ErrorCode::bad_mesh, place, "is not the index of an accessor");
  SINEW_TRY(const std::vector<std::uint32_t> corners,
            read_integers(document_, accessor->get<int>(), "SCALAR"));
  for (std::size_t i = 0; i + 3 < corners.size(); i += 4) {
    Tetrahedron tetrahedron;
    for (std::size_t c = 0; c < 4; ++c) {
      if (corners[i + c] >= vertex_count)
        return refuse(ErrorCode::bad_mesh, fmt::format("{}[{}]", place, i / 4),
                      "refers to vertex {}, but there are {}", corners[i + c], vertex_count);
      tetrahedron[c] = static_cast<VertexIndex>(first_vertex + corners[i + c]);
    }
    data_.tetrahedra.push_back(tetrahedron);
  }
  return {};
}

Status MeshCollector::add_mesh(int node, int mesh, int skin, const Affine3& model_from_part,
                               const std::vector<int>* bone_of_joint) {
  const Json& primitives = element(document_, "meshes", mesh)["primitives"];
  const std::string mesh_name = string_or(element(document_, "meshes", mesh), "name", "");
  const std::string name = string_or(element(document_, "nodes", node), "name", mesh_name);
  std::map<std::string, std::size_t> part_of;  // vertex identity to index in parts_
  std::optional<std::size_t> first_part;
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    const Json& primitive = primitives[p];
    const std::string place = fmt::format("meshes[{}].primitives[{}]", mesh, p);
    if (index_or_none(primitive["attributes"], "POSITION") < 0) {
      notices_.push_back({Notice::Level::warning, "no_positions", place, "has no positions"});
      continue;
    }
    const auto [found, is_new] =
        part_of.try_emplace(vertex_identity(primitive["attributes"]), parts_.size());
    if (is_new) {
      const std::size_t first_vertex = data_.positions.size();
      SINEW_CHECK(add_vertices(primitive, place, model_from_part, bone_of_joint));
      parts_.push_back({name, first_vertex, data_.positions.size() - first_vertex});
      sources_.push_back({node, skin, mesh, {}, model_from_part});
      if (!first_part) first_part = found->second;
    }
    const MeshPart& part = parts_[found->second];
    sources_[found->second].primitives.push_back(static_cast<int>(p));
    SINEW_CHECK(add_elements(primitive, place, part.first_vertex, part.vertex_count));
  }
  if (!first_part) return {};
  const MeshPart& part = parts_[*first_part];
  return add_tetrahedra(mesh, part.first_vertex, part.vertex_count);
}

Status MeshCollector::finish(LoadedCharacter& loaded) && {
  SINEW_TRY(loaded.character.mesh, Mesh::create(std::move(data_)));
  loaded.character.weights = SkinWeights::mend(bone_count_, std::move(row_begin_),
                                               std::move(influences_), &loaded.repairs);
  loaded.character.parts = std::move(parts_);
  loaded.sources = std::move(sources_);
  loaded.notices.insert(loaded.notices.end(), notices_.begin(), notices_.end());
  return {};
}

}  // namespace sinew
