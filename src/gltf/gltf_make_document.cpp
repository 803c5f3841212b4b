// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cassert>

#include "gltf/gltf_json.h"
#include "gltf/gltf_scene.h"
#include "math/affine.h"
#include "sinew/gltf/bone_settings.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew {
namespace {

std::vector<float> packed_points(std::span<const Vec3> points) {
  std::vector<float> values;
  values.reserve(3 * points.size());
  for (const Vec3& p : points)
    for (int c = 0; c < 3; ++c) values.push_back(static_cast<float>(p[c]));
  return values;
}

/// Unit in float arithmetic too: validators look at the stored digits.
std::vector<float> packed_normals(std::span<const Vec3> normals) {
  std::vector<float> values;
  values.reserve(3 * normals.size());
  for (const Vec3& n : normals) {
    const Vec3 unit = n.norm() > 0 ? n.normalized() : Vec3::UnitY();
    for (int c = 0; c < 3; ++c) values.push_back(static_cast<float>(unit[c]));
  }
  return values;
}

/// The character's elements that lie in a part, as local indices.
template <std::size_t N>
std::vector<std::uint32_t> local_corners(const std::vector<std::array<VertexIndex, N>>& elements,
                                         const MeshPart& part) {
  std::vector<std::uint32_t> corners;
  for (const auto& corner : elements) {
    const bool is_inside = std::all_of(corner.begin(), corner.end(), [&](VertexIndex v) {
      return v >= part.first_vertex && v < part.first_vertex + part.vertex_count;
    });
    if (!is_inside) continue;
    for (const VertexIndex v : corner)
      corners.push_back(v - static_cast<std::uint32_t>(part.first_vertex));
  }
  return corners;
}

int append_indices(Document& document, std::span<const std::uint32_t> corners,
                   std::size_t vertex_count) {
  AccessorData data;
  data.component = vertex_count <= 65535 ? ComponentType::u16 : ComponentType::u32;
  data.integers = corners;
  data.target = BufferTarget::indices;
  return append_accessor(document, data);
}

Json make_mesh(Document& document, const Character& character, const MeshPart& part,
               std::span<const Vec3> normals) {
  const auto positions =
      std::span(character.mesh.positions()).subspan(part.first_vertex, part.vertex_count);
  const std::vector<float> xyz = packed_points(positions);
  AccessorData data;
  data.type = "VEC3";
  data.floats = xyz;
  data.target = BufferTarget::vertices;
  data.with_bounds = true;
  Json attributes = {{"POSITION", append_accessor(document, data)}};
  Json wire_attributes = attributes;
  if (!normals.empty()) {
    const std::vector<float> unit =
        packed_normals(normals.subspan(part.first_vertex, part.vertex_count));
    data.floats = unit;
    data.with_bounds = false;
    attributes["NORMAL"] = append_accessor(document, data);
  }
  Json primitives = Json::array();
  const std::vector<std::uint32_t> triangles = local_corners(character.mesh.triangles(), part);
  if (!triangles.empty())
    primitives.push_back({{"attributes", attributes},
                          {"indices", append_indices(document, triangles, part.vertex_count)},
                          {"mode", 4}});
  const std::vector<std::uint32_t> wires = local_corners(character.mesh.wires(), part);
  if (!wires.empty())
    primitives.push_back({{"attributes", wire_attributes},
                          {"indices", append_indices(document, wires, part.vertex_count)},
                          {"mode", 1}});
  if (primitives.empty()) primitives.push_back({{"attributes", wire_attributes}, {"mode", 0}});
  Json mesh = {{"name", part.name}, {"primitives", std::move(primitives)}};
  const std::vector<std::uint32_t> tetrahedra = local_corners(character.mesh.tetrahedra(), part);
  if (!tetrahedra.empty()) {
    AccessorData corners;
    corners.component = ComponentType::u32;
    corners.integers = tetrahedra;
    mesh["extras"] = {{"sinew", {{"tetrahedra", append_accessor(document, corners)}}}};
  }
  return mesh;
}

Json make_animation(Document& document, const Clip& clip) {
  Json samplers = Json::array();
  Json channels = Json::array();
  for (const Channel& channel : clip.channels) {
    const std::vector<float> times(channel.times.begin(), channel.times.end());
    const std::vector<float> values(channel.values.begin(), channel.values.end());
    AccessorData input;
    input.floats = times;
    input.with_bounds = true;
    AccessorData output;
    output.type = channel.path == ChannelPath::rotation        ? "VEC4"
                  : channel.path == ChannelPath::morph_weights ? "SCALAR"
                                                               : "VEC3";
    output.floats = values;
    const char* interpolation = channel.interpolation == Interpolation::step     ? "STEP"
                                : channel.interpolation == Interpolation::linear ? "LINEAR"
                                                                                 : "CUBICSPLINE";
    const char* path = channel.path == ChannelPath::rotation      ? "rotation"
                       : channel.path == ChannelPath::translation ? "translation"
                       : channel.path == ChannelPath::scale       ? "scale"
                                                                  : "weights";
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", channel.node}, {"path", path}}}});
    samplers.push_back({{"input", append_accessor(document, input)},
                        {"interpolation", interpolation},
                        {"output", append_accessor(document, output)}});
  }
  return {
      {"name", clip.name}, {"channels", std::move(channels)}, {"samplers", std::move(samplers)}};
}

/// The scene that the bones live in; made from the bones where the character brings none.
Result<NodeTree> nodes_of(const Character& character, std::vector<int>& node_of_bone) {
  const auto& bones = character.skeleton.bones();
  if (!character.nodes.nodes.empty()) {
    for (const Bone& bone : bones) {
      if (bone.source_node < 0 ||
          static_cast<std::size_t>(bone.source_node) >= character.nodes.nodes.size())
        return Error{ErrorCode::bad_argument, bone.name, "is not one of the character's nodes"};
      node_of_bone.push_back(bone.source_node);
    }
    return character.nodes;
  }
  std::vector<Node> nodes;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    Node node;
    node.name = bones[b].name;
    node.parent = bones[b].parent;
    const Affine3 local =
        bones[b].parent < 0
            ? bones[b].rest
            : inverse_or_translation(character.skeleton.bone(bones[b].parent).rest) * bones[b].rest;
    node.local.matrix = local;
    nodes.push_back(std::move(node));
    node_of_bone.push_back(static_cast<int>(b));
  }
  return make_node_tree(std::move(nodes));
}

/// glTF wants all joints of a skin under one root. Several trees get a node above them.
void join_roots(NodeTree& tree, const std::vector<int>& joints) {
  std::vector<bool> carries(tree.nodes.size(), false);
  for (int node : joints) {
    while (tree.nodes[static_cast<std::size_t>(node)].parent >= 0)
      node = tree.nodes[static_cast<std::size_t>(node)].parent;
    carries[static_cast<std::size_t>(node)] = true;
  }
  if (std::count(carries.begin(), carries.end(), true) < 2) return;
  const int armature = static_cast<int>(tree.nodes.size());
  for (std::size_t n = 0; n < carries.size(); ++n)
    if (carries[n]) tree.nodes[n].parent = armature;
  Node node;
  node.name = "Armature";
  tree.nodes.push_back(std::move(node));
}

/// A skeleton without weights: the skin waits for meshes that have none.
void offer_skin(Document& document, int skin, const Skeleton& skeleton) {
  std::vector<Affine3> inverse_bind;
  for (const Bone& bone : skeleton.bones())
    inverse_bind.push_back(inverse_or_translation(bone.rest));
  const std::vector<float> values = packed_matrices(inverse_bind);
  AccessorData data;
  data.type = "MAT4";
  data.floats = values;
  const int accessor = append_accessor(document, data);
  Json& json = element(document, "skins", skin);
  json["inverseBindMatrices"] = accessor;
  json["extras"] = {{"sinew", {{"for_unskinned", true}}}};
}

/// Every triangle and tetrahedron must lie in one part: glTF has no element between two meshes.
Status check_parts(const Character& character, const std::vector<MeshPart>& parts) {
  const auto part_of = [&](VertexIndex v) {
    const auto after = std::upper_bound(
        parts.begin(), parts.end(), std::size_t{v},
        [](std::size_t vertex, const MeshPart& part) { return vertex < part.first_vertex; });
    return after - parts.begin();
  };
  const auto check = [&](const auto& elements, std::string_view name) -> Status {
    for (std::size_t i = 0; i < elements.size(); ++i)
      for (const VertexIndex v : elements[i])
        if (part_of(v) != part_of(elements[i][0]))
          return refuse(ErrorCode::bad_mesh, fmt::format("{}[{}]", name, i), "joins two parts");
    return {};
  };
  SINEW_CHECK(check(character.mesh.triangles(), "triangles"));
  return check(character.mesh.tetrahedra(), "tetrahedra");
}

}  // namespace

Result<Document> make_document(const Character& character, std::span<const Vec3> normals,
                               const WriteWeightsOptions& options) {
  assert(normals.empty() || normals.size() == character.mesh.vertex_count());
  Document document = make_empty_document();
  std::vector<int> node_of_bone;
  SINEW_TRY(NodeTree tree, nodes_of(character, node_of_bone));
  join_roots(tree, node_of_bone);

  Json nodes = Json::array();
  for (const Node& node : tree.nodes) {
    Json json = Json::object();
    if (!node.name.empty()) json["name"] = node.name;
    write_node_transform(json, node.local);
    nodes.push_back(std::move(json));
  }
  Json roots = Json::array();
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const int parent = tree.nodes[n].parent;
    if (parent < 0)
      roots.push_back(n);
    else
      nodes[static_cast<std::size_t>(parent)]["children"].push_back(n);
  }

  const bool has_bones = character.skeleton.bone_count() > 0;
  LoadedCharacter loaded;
  loaded.character = character;
  loaded.bind.from = BindPose::From::nodes;  // there are no matrices yet: write_weights makes them
  auto parts = character.parts;
  if (parts.empty() && character.mesh.vertex_count() > 0)
    parts.push_back({character.name, 0, character.mesh.vertex_count()});
  loaded.character.parts = parts;
  SINEW_CHECK(check_parts(character, parts));
  Json meshes = Json::array();
  for (const MeshPart& part : parts) {
    const int node = static_cast<int>(nodes.size());
    const int mesh = static_cast<int>(meshes.size());
    meshes.push_back(make_mesh(document, character, part, normals));
    roots.push_back(node);
    nodes.push_back({{"name", part.name}, {"mesh", mesh}});
    PartSource source;
    source.node = node;
    source.mesh = mesh;
    for (std::size_t p = 0; p < meshes.back()["primitives"].size(); ++p)
      source.primitives.push_back(static_cast<int>(p));
    loaded.sources.push_back(std::move(source));
  }
  document.json["nodes"] = std::move(nodes);
  document.json["scenes"][0]["nodes"] = std::move(roots);
  if (!meshes.empty()) document.json["meshes"] = std::move(meshes);
  for (const Clip& clip : character.clips) {
    Json animation = make_animation(document, clip);  // first: it adds keys, which moves all others
    document.json["animations"].push_back(std::move(animation));
  }
  if (!has_bones) return document;

  document.json["skins"] = Json::array({Json{{"joints", node_of_bone}}});
  loaded.skins = {0};
  std::vector<Bone> bones = character.skeleton.bones();
  for (std::size_t b = 0; b < bones.size(); ++b) bones[b].source_node = node_of_bone[b];
  SINEW_TRY(loaded.character.skeleton, Skeleton::create(std::move(bones)));
  write_node_settings(document, loaded.character.skeleton);
  if (character.weights.influence_count() > 0) {
    SINEW_CHECK(write_weights(document, loaded, character.weights, options));
  } else {
    offer_skin(document, 0, loaded.character.skeleton);
  }
  return document;
}

}  // namespace sinew
