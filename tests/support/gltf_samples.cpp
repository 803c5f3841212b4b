// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/gltf_samples.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <meshoptimizer.h>

#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew::test {
namespace {

Json& primitive_of(Document& document) { return document.json["meshes"][0]["primitives"][0]; }

int append_bytes(Document& document, const Bytes& bytes) {
  Bytes& buffer = document.buffers[0];
  buffer.resize((buffer.size() + 3) / 4 * 4);
  Json& views = document.json["bufferViews"];
  views.push_back({{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}});
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  document.json["buffers"][0]["byteLength"] = buffer.size();
  return static_cast<int>(views.size()) - 1;
}

template <class T>
void put(Bytes& bytes, T value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

std::string base64(const Bytes& bytes) {
  constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits =
          (bits << 8) | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(i + k > bytes.size() ? '=' : kAlphabet[(bits >> (18 - 6 * k)) & 63]);
  }
  return text;
}

Bytes text_with_data_uri() {
  Document document = make_tube_document();
  document.json["buffers"][0]["uri"] =
      "data:application/octet-stream;base64," + base64(document.buffers[0]);
  return as_bytes(document.json.dump(1));
}

/// The third vertex is moved by a sparse accessor over the positions.
Document sparse() {
  Document document = make_tube_document();
  Bytes index, value;
  put<std::uint16_t>(index, 2);
  for (const float c : {0.25F, 0.5F, 0.75F}) put(value, c);
  const int indices = append_bytes(document, index);
  const int values = append_bytes(document, value);
  const int positions = primitive_of(document)["attributes"]["POSITION"].get<int>();
  document.json["accessors"][static_cast<std::size_t>(positions)]["sparse"] = {
      {"count", 1},
      {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
      {"values", {{"bufferView", values}}}};
  return document;
}

/// Joints as u16 and weights as u8 in one interleaved view.
Document interleaved() {
  Document document = make_tube_document();
  const Character tube = make_tube();
  Bytes rows;
  for (std::size_t v = 0; v < tube.weights.vertex_count(); ++v) {
    std::uint16_t joints[4] = {0, 0, 0, 0};
    std::uint8_t weights[4] = {0, 0, 0, 0};
    int left = 255;
    const auto row = tube.weights.row(v);
    for (std::size_t i = 0; i < row.size(); ++i) {
      joints[i] = static_cast<std::uint16_t>(row[i].bone);
      weights[i] = static_cast<std::uint8_t>(
          i + 1 == row.size() ? left : static_cast<int>(std::lround(255 * row[i].weight)));
      left -= weights[i];
    }
    for (const std::uint16_t joint : joints) put(rows, joint);
    for (const std::uint8_t weight : weights) put(rows, weight);
  }
  const int view = append_bytes(document, rows);
  document.json["bufferViews"][static_cast<std::size_t>(view)]["byteStride"] = 12;
  document.json["bufferViews"][static_cast<std::size_t>(view)]["target"] = 34962;
  Json& accessors = document.json["accessors"];
  Json& attributes = primitive_of(document)["attributes"];
  attributes["JOINTS_0"] = accessors.size();
  accessors.push_back({{"bufferView", view},
                       {"componentType", 5123},
                       {"count", tube.weights.vertex_count()},
                       {"type", "VEC4"}});
  attributes["WEIGHTS_0"] = accessors.size();
  accessors.push_back({{"bufferView", view},
                       {"byteOffset", 8},
                       {"componentType", 5121},
                       {"normalized", true},
                       {"count", tube.weights.vertex_count()},
                       {"type", "VEC4"}});
  return document;
}

Document draco_compressed() {
  Document document = make_tube_document();
  const Character tube = make_tube();
  // Corner by corner: the codec deduplicates and chooses its own order, as it does for exporters.
  draco::TriangleSoupMeshBuilder builder;
  const auto& triangles = tube.mesh.triangles();
  builder.Start(static_cast<int>(triangles.size()));
  const int position_id =
      builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
  const int joints_id = builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8);
  const int weights_id =
      builder.AddAttribute(draco::GeometryAttribute::GENERIC, 4, draco::DT_FLOAT32);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    float position[3][3];
    std::uint8_t joints[3][4] = {};
    float weights[3][4] = {};
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t v = triangles[t][c];
      for (int k = 0; k < 3; ++k) position[c][k] = static_cast<float>(tube.mesh.positions()[v][k]);
      const auto row = tube.weights.row(v);
      for (std::size_t i = 0; i < row.size(); ++i) {
        joints[c][i] = static_cast<std::uint8_t>(row[i].bone);
        weights[c][i] = static_cast<float>(row[i].weight);
      }
    }
    const draco::FaceIndex face(static_cast<std::uint32_t>(t));
    builder.SetAttributeValuesForFace(position_id, face, position[0], position[1], position[2]);
    builder.SetAttributeValuesForFace(joints_id, face, joints[0], joints[1], joints[2]);
    builder.SetAttributeValuesForFace(weights_id, face, weights[0], weights[1], weights[2]);
  }
  const std::unique_ptr<draco::Mesh> mesh = builder.Finalize();
  draco::Encoder encoder;
  draco::EncoderBuffer buffer;
  [[maybe_unused]] const bool done = encoder.EncodeMeshToBuffer(*mesh, &buffer).ok();
  assert(done);
  const auto* begin = reinterpret_cast<const std::byte*>(buffer.data());

  Document compressed = make_empty_document();
  compressed.json = document.json;
  compressed.buffers = document.buffers;
  const int view = append_bytes(compressed, Bytes(begin, begin + buffer.size()));
  Json& accessors = compressed.json["accessors"];
  Json& primitive = primitive_of(compressed);
  const auto plain = [&](int component, std::size_t count, const char* type) {
    accessors.push_back({{"componentType", component}, {"count", count}, {"type", type}});
    return static_cast<int>(accessors.size()) - 1;
  };
  const int positions = plain(5126, mesh->num_points(), "VEC3");
  accessors.back()["min"] = {-0.25, 0, -0.25};
  accessors.back()["max"] = {0.25, 2, 0.25};
  primitive["attributes"] = {{"POSITION", positions},
                             {"JOINTS_0", plain(5121, mesh->num_points(), "VEC4")},
                             {"WEIGHTS_0", plain(5126, mesh->num_points(), "VEC4")}};
  primitive["indices"] = plain(5125, 3 * mesh->num_faces(), "SCALAR");
  primitive["extensions"]["KHR_draco_mesh_compression"] = {
      {"bufferView", view},
      {"attributes",
       {{"POSITION", mesh->attribute(position_id)->unique_id()},
        {"JOINTS_0", mesh->attribute(joints_id)->unique_id()},
        {"WEIGHTS_0", mesh->attribute(weights_id)->unique_id()}}}};
  compressed.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  compressed.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return compressed;
}

/// Positions and indices compressed by meshoptimizer, over a fallback buffer that holds nothing.
Document meshopt_compressed() {
  Document document = make_tube_document();
  const Character tube = make_tube();
  std::vector<float> xyz;
  for (const Vec3& p : tube.mesh.positions())
    for (int c = 0; c < 3; ++c) xyz.push_back(static_cast<float>(p[c]));
  std::vector<unsigned int> corners;
  for (const Triangle& t : tube.mesh.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  Bytes vertices(meshopt_encodeVertexBufferBound(xyz.size() / 3, 12));
  vertices.resize(meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(vertices.data()),
                                             vertices.size(), xyz.data(), xyz.size() / 3, 12));
  Bytes indices(meshopt_encodeIndexBufferBound(corners.size(), xyz.size() / 3));
  indices.resize(meshopt_encodeIndexBuffer(reinterpret_cast<unsigned char*>(indices.data()),
                                           indices.size(), corners.data(), corners.size()));
  const auto store = [&](const Bytes& packed, std::size_t count, std::size_t stride,
                         const char* mode, std::size_t fallback_offset) {
    const int source = append_bytes(document, packed);
    Json& views = document.json["bufferViews"];
    const Json range = views[static_cast<std::size_t>(source)];
    Json& view = views[static_cast<std::size_t>(source)];
    view = {{"buffer", 1}, {"byteOffset", fallback_offset}, {"byteLength", count * stride}};
    view["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0},
                                                     {"byteOffset", range["byteOffset"]},
                                                     {"byteLength", packed.size()},
                                                     {"byteStride", stride},
                                                     {"count", count},
                                                     {"mode", mode}};
    return source;
  };
  const int vertex_view = store(vertices, xyz.size() / 3, 12, "ATTRIBUTES", 0);
  document.json["bufferViews"][static_cast<std::size_t>(vertex_view)]["byteStride"] = 12;
  document.json["bufferViews"][static_cast<std::size_t>(vertex_view)]["target"] = 34962;
  const int index_view = store(indices, corners.size(), 4, "TRIANGLES", xyz.size() * 4);
  document.json["bufferViews"][static_cast<std::size_t>(index_view)]["target"] = 34963;
  document.json["buffers"].push_back(
      {{"byteLength", xyz.size() * 4 + corners.size() * 4},
       {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
  document.buffers.emplace_back();
  Json& primitive = primitive_of(document);
  Json& positions =
      document.json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
  positions["bufferView"] = vertex_view;
  primitive["indices"] = document.json["accessors"].size();
  document.json["accessors"].push_back({{"bufferView", index_view},
                                        {"componentType", 5125},
                                        {"count", corners.size()},
                                        {"type", "SCALAR"}});
  document.json["extensionsUsed"] = {"EXT_meshopt_compression"};
  document.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  return document;
}

/// A morph target that lifts everything by one, driven by a cubic spline.
Document morphed() {
  Document document = make_tube_document();
  const std::size_t count = make_tube().mesh.vertex_count();
  std::vector<float> lift(3 * count, 0);
  for (std::size_t v = 0; v < count; ++v) lift[3 * v + 1] = 1;
  AccessorData target;
  target.type = "VEC3";
  target.floats = lift;
  target.target = BufferTarget::vertices;
  target.with_bounds = true;
  primitive_of(document)["targets"] =
      Json::array({Json{{"POSITION", append_accessor(document, target)}}});
  document.json["meshes"][0]["weights"] = {0.0};
  AccessorData input;
  const std::vector<float> times{0, 1};
  input.floats = times;
  input.with_bounds = true;
  AccessorData output;
  const std::vector<float> spline{0, 0, 0, 0, 1, 0};
  output.floats = spline;
  Json& nodes = document.json["nodes"];
  std::size_t mesh_node = 0;
  while (!nodes[mesh_node].contains("mesh")) ++mesh_node;
  Json& animation = document.json["animations"][0];
  animation["channels"].push_back({{"sampler", animation["samplers"].size()},
                                   {"target", {{"node", mesh_node}, {"path", "weights"}}}});
  const int in = append_accessor(document, input), out = append_accessor(document, output);
  document.json["animations"][0]["samplers"].push_back(
      {{"input", in}, {"output", out}, {"interpolation", "CUBICSPLINE"}});
  return document;
}

/// The same vertices as a strip, a fan, lines and points; a matrix instead of a translation; an
/// instance; extras and an unknown extension.
Document all_modes() {
  Document document = make_tube_document();
  Json& primitives = document.json["meshes"][0]["primitives"];
  for (const int mode : {5, 6, 1, 2, 3, 0}) {
    Json more = primitives[0];
    more["mode"] = mode;
    more.erase("indices");
    primitives.push_back(std::move(more));
  }
  Json& nodes = document.json["nodes"];
  std::size_t mesh_node = 0;
  while (!nodes[mesh_node].contains("mesh")) ++mesh_node;
  document.json["scenes"][0]["nodes"].push_back(nodes.size());
  Json instance = nodes[mesh_node];
  instance["name"] = "Zwilling ß 双子";
  nodes.push_back(std::move(instance));
  document.json["extensionsUsed"] = {"VENDOR_unknown"};
  document.json["extensions"]["VENDOR_unknown"] = {{"bufferView", 0}, {"list", {1, 2.5, nullptr}}};
  document.json["extras"] = {{"note", "kept as it is"}};
  return document;
}

/// Two meshes with skins of their own over the same joints, and a prop on the knee.
Document two_skins() {
  Document document = make_tube_document();
  Json& json = document.json;
  Json skin = json["skins"][0];
  std::swap(skin["joints"][0], skin["joints"][1]);
  skin.erase("inverseBindMatrices");
  std::vector<float> matrices;
  for (const float y : {-1.0F, 0.0F})
    for (int i = 0; i < 16; ++i) matrices.push_back(i % 5 == 0 ? 1.0F : i == 13 ? y : 0.0F);
  AccessorData data;
  data.type = "MAT4";
  data.floats = matrices;
  skin["inverseBindMatrices"] = append_accessor(document, data);
  json["skins"].push_back(skin);
  Json mesh = json["meshes"][0];
  mesh["name"] = "Sleeve";
  json["meshes"].push_back(mesh);
  const int knee = json["skins"][0]["joints"][1].get<int>();
  const std::size_t first = json["nodes"].size();
  json["nodes"].push_back({{"name", "Sleeve"}, {"mesh", 1}, {"skin", 1}});
  json["nodes"].push_back({{"name", "Buckle"}, {"mesh", 2}, {"translation", {0.0, 0.5, 0.0}}});
  Json prop = mesh;
  prop["name"] = "Buckle";
  for (Json& primitive : prop["primitives"]) {
    primitive["attributes"].erase("JOINTS_0");
    primitive["attributes"].erase("WEIGHTS_0");
  }
  json["meshes"].push_back(prop);
  json["scenes"][0]["nodes"].push_back(first);
  json["nodes"][static_cast<std::size_t>(knee)]["children"].push_back(first + 1);
  return document;
}

Document tetrahedral() {
  Character character = make_tube();
  MeshData data = character.mesh.data();
  data.tetrahedra = {{0, 1, 2, 4}, {1, 2, 3, 7}};
  data.wires = {{0, 19}};
  character.mesh = *Mesh::create(std::move(data));
  return *make_document(character);
}

}  // namespace

Character make_tube(int rings) {
  Character character;
  character.name = "Tube";
  MeshData data;
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  for (int r = 0; r < rings; ++r) {
    const double y = 2.0 * r / (rings - 1);
    for (int k = 0; k < 4; ++k) {
      const double x = k == 0 || k == 3 ? -0.25 : 0.25;
      const double z = k < 2 ? -0.25 : 0.25;
      data.positions.emplace_back(x, y, z);
      influences.push_back({0, 1 - y / 2});
      influences.push_back({1, y / 2});
      row_begin.push_back(influences.size());
    }
    if (r == 0) continue;
    for (std::uint32_t k = 0; k < 4; ++k) {
      const auto below = static_cast<std::uint32_t>(4 * (r - 1)),
                 here = static_cast<std::uint32_t>(4 * r);
      const std::uint32_t next = (k + 1) % 4;
      data.triangles.push_back({below + k, here + k, here + next});
      data.triangles.push_back({below + k, here + next, below + next});
    }
  }
  const std::size_t count = data.positions.size();
  character.mesh = *Mesh::create(std::move(data));
  character.weights = SkinWeights::mend(2, std::move(row_begin), std::move(influences));
  Bone hip, knee;
  hip.name = "Hip";
  hip.source_node = 0;
  knee.name = "Knee";
  knee.parent = 0;
  knee.source_node = 1;
  knee.rest.translation() = Vec3(0, 1, 0);
  character.skeleton = *Skeleton::create({hip, knee});
  character.parts = {{"Tube", 0, count}};
  Node hip_node, knee_node;
  hip_node.name = "Hip";
  knee_node.name = "Knee";
  knee_node.parent = 0;
  knee_node.local.translation = Vec3(0, 1, 0);
  character.nodes = *make_node_tree({hip_node, knee_node});
  Channel bend;
  bend.node = 1;
  bend.path = ChannelPath::rotation;
  bend.width = 4;
  bend.times = {0, 1};
  const double half = std::numbers::pi / 4;
  bend.values = {0, 0, 0, 1, std::sin(half), 0, 0, std::cos(half)};
  character.clips = {{"Bend", {bend}, 0, 1}};
  return character;
}

Document make_tube_document() { return *make_document(make_tube()); }

Bytes encoded(const Document& document) { return *encode_glb(document); }

Bytes as_bytes(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return Bytes(begin, begin + text.size());
}

ResourceLoader no_files() {
  return [](std::string_view uri, std::uint64_t) -> Result<Bytes> {
    return Error{ErrorCode::file_not_found, std::string(uri), "there is no such file"};
  };
}

std::vector<Sample> gltf_samples() {
  return {{"plain", encoded(make_tube_document())},
          {"text", text_with_data_uri()},
          {"sparse", encoded(sparse())},
          {"interleaved", encoded(interleaved())},
          {"draco", encoded(draco_compressed())},
          {"meshopt", encoded(meshopt_compressed())},
          {"morphed", encoded(morphed())},
          {"modes", encoded(all_modes())},
          {"two_skins", encoded(two_skins())},
          {"tetrahedra", encoded(tetrahedral())}};
}

}  // namespace sinew::test
