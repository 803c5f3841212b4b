// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/tiny_crowd.h"

#include <cstring>
#include <span>
#include <stdexcept>

#include "sinew/gltf/gltf_accessor.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

/// The node that shows a mesh.
Json& mesh_node(Document& document) {
  for (Json& node : document.json["nodes"])
    if (node.contains("mesh")) return node;
  throw std::runtime_error("no node shows a mesh");
}

/// Where an accessor that is packed in its buffer view begins, and how many bytes it has.
std::span<std::byte> accessor_bytes(Document& document, const Json& index, std::size_t element) {
  const Json& accessor = document.json["accessors"][index.get<std::size_t>()];
  const Json& view = document.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  const std::size_t begin = view.value("byteOffset", 0u) + accessor.value("byteOffset", 0u);
  return std::span(document.buffers[view["buffer"].get<std::size_t>()])
      .subspan(begin, element * accessor["count"].get<std::size_t>());
}

}  // namespace

Document two_characters(const std::string& first, const std::string& second) {
  Document document = tiny_document({.name = first});
  Json& json = document.json;
  const std::size_t count = json["nodes"].size();
  for (std::size_t n = 0; n < count; ++n) {
    Json node = json["nodes"][n];
    if (node.contains("children"))
      for (Json& child : node["children"]) child = child.get<std::size_t>() + count;
    if (node.contains("mesh")) node["mesh"] = 1;
    if (node.contains("skin")) node["skin"] = 1;
    if (node.value("name", "") == first) node["name"] = second;
    json["nodes"].push_back(std::move(node));
  }
  Json mesh = json["meshes"][0];
  mesh["name"] = second;
  json["meshes"].push_back(std::move(mesh));
  Json skin = json["skins"][0];
  for (Json& joint : skin["joints"]) joint = joint.get<std::size_t>() + count;
  if (skin.contains("skeleton")) skin["skeleton"] = skin["skeleton"].get<std::size_t>() + count;
  json["skins"].push_back(std::move(skin));
  Json& roots = json["scenes"][0]["nodes"];
  for (std::size_t r = 0, end = roots.size(); r < end; ++r)
    roots.push_back(roots[r].get<std::size_t>() + count);
  return document;
}

Document two_meshes(const std::string& first, const std::string& second) {
  Document document = tiny_document({.name = first});
  Json& json = document.json;
  Json mesh = json["meshes"][0];
  mesh["name"] = second;
  Json& attributes = mesh["primitives"][0]["attributes"];
  const std::size_t vertices =
      json["accessors"][attributes["POSITION"].get<std::size_t>()]["count"].get<std::size_t>();
  std::vector<std::uint32_t> joints;
  std::vector<float> weights;
  for (std::size_t v = 0; v < vertices; ++v) {
    joints.insert(joints.end(), {1, 0, 0, 0});
    weights.insert(weights.end(), {1, 0, 0, 0});
  }
  AccessorData joint_data;
  joint_data.type = "VEC4";
  joint_data.component = ComponentType::u8;
  joint_data.integers = joints;
  attributes["JOINTS_0"] = append_accessor(document, joint_data);
  AccessorData weight_data;
  weight_data.type = "VEC4";
  weight_data.floats = weights;
  attributes["WEIGHTS_0"] = append_accessor(document, weight_data);
  json["meshes"].push_back(std::move(mesh));
  Json node = mesh_node(document);
  node["mesh"] = 1;
  node["name"] = second;
  node.erase("children");
  json["scenes"][0]["nodes"].push_back(json["nodes"].size());
  json["nodes"].push_back(std::move(node));
  return document;
}

void rename_node(Document& document, const std::string& from, const std::string& to) {
  for (Json& node : document.json["nodes"])
    if (node.value("name", "") == from) {
      node["name"] = to;
      return;
    }
  throw std::runtime_error("no node is called " + from);
}

void spoil_first_weight(Document& document, float value) {
  const Json& attributes = document.json["meshes"][0]["primitives"][0]["attributes"];
  const std::span<std::byte> bytes =
      accessor_bytes(document, attributes["WEIGHTS_0"], 4 * sizeof(float));
  std::memcpy(bytes.data(), &value, sizeof value);
}

std::vector<std::byte> stored_weights(const std::filesystem::path& file, std::size_t mesh) {
  Result<Document> document = read_gltf(file);
  if (!document.ok()) throw std::runtime_error(document.error().to_string());
  const Json attributes = document->json["meshes"][mesh]["primitives"][0]["attributes"];
  std::vector<std::byte> stored;
  for (const auto& [name, element] : {std::pair("JOINTS_0", 4 * sizeof(std::uint8_t)),
                                      std::pair("WEIGHTS_0", 4 * sizeof(float))}) {
    const std::span<std::byte> bytes = accessor_bytes(*document, attributes[name], element);
    stored.insert(stored.end(), bytes.begin(), bytes.end());
  }
  return stored;
}

}  // namespace sinew::test
