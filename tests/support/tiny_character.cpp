// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/tiny_character.h"

#include <stdexcept>

#include "sinew/gltf/gltf_character.h"

namespace sinew::test {
namespace {

template <class T>
T checked(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().to_string());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

Mesh strip_mesh(int rows) {
  MeshData data;
  for (int row = 0; row < rows; ++row)
    for (const double x : {-0.1, 0.1}) data.positions.emplace_back(x, row / (rows - 1.0), 0.0);
  for (int row = 0; row + 1 < rows; ++row) {
    const auto corner = static_cast<VertexIndex>(2 * row);
    data.triangles.push_back({corner, corner + 1, corner + 2});
    data.triangles.push_back({corner + 1, corner + 3, corner + 2});
  }
  return checked(Mesh::create(std::move(data)));
}

/// All of the lower bone at the bottom, all of the upper one at the top, and half of each on a row
/// in the middle.
SkinWeights strip_weights(int rows) {
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (int vertex = 0; vertex < 2 * rows; ++vertex) {
    const double height = (vertex / 2) / (rows - 1.0);
    if (height < 0.6) influences.push_back({0, height < 0.3 ? 1.0 : 0.5});
    if (height >= 0.3) influences.push_back({1, height < 0.6 ? 0.5 : 1.0});
    begin.push_back(influences.size());
  }
  return SkinWeights::mend(2, std::move(begin), std::move(influences));
}

Node node_at(const std::string& name, int parent, double height) {
  Node node;
  node.name = name;
  node.parent = parent;
  node.local.translation = Vec3(0, height, 0);
  return node;
}

Bone bone_at(const std::string& name, int parent, double height, int source_node) {
  Bone bone;
  bone.name = name;
  bone.parent = parent;
  bone.rest.translation() = Vec3(0, height, 0);
  bone.source_node = source_node;
  return bone;
}

Clip bend_clip(const std::string& name) {
  constexpr double kHalfRoot = 0.70710678118654752;
  Channel channel;
  channel.node = 1;
  channel.path = ChannelPath::rotation;
  channel.width = 4;
  channel.times = {0, 1};
  channel.values = {0, 0, 0, 1, 0, 0, kHalfRoot, kHalfRoot};
  return {name, {channel}, 0, 1};
}

}  // namespace

Character tiny_character(const TinyOptions& options) {
  Character character;
  character.name = options.name;
  character.mesh = strip_mesh(options.rows);
  character.skeleton = checked(Skeleton::create(
      {bone_at(options.lower_bone, -1, 0, 0), bone_at(options.upper_bone, 0, 0.5, 1)}));
  character.weights = strip_weights(options.rows);
  character.parts = {{options.name, 0, character.mesh.vertex_count()}};
  character.nodes = checked(
      make_node_tree({node_at(options.lower_bone, -1, 0), node_at(options.upper_bone, 0, 0.5)}));
  character.clips = {bend_clip(options.clip)};
  return character;
}

Document tiny_document(const TinyOptions& options) {
  return checked(make_document(tiny_character(options)));
}

void write_document(const std::filesystem::path& path, const Document& document) {
  checked(write_gltf(document, path));
}

void write_tiny(const std::filesystem::path& path, const TinyOptions& options) {
  write_document(path, tiny_document(options));
}

}  // namespace sinew::test
