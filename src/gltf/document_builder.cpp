// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/document_builder.h"

namespace sinew::reading {
namespace {

int append(Document& document, std::string_view type, std::span<const float> values,
           BufferTarget target, Bounds bounds) {
  AccessorData data;
  data.type = type;
  data.floats = values;
  data.target = target;
  data.with_bounds = bounds == Bounds::with;
  return append_accessor(document, data);
}

Json* default_scene(Document& document) {
  const auto scenes = document.json.find("scenes");
  if (scenes == document.json.end()) return nullptr;
  const std::size_t index = document.json.value("scene", std::size_t{0});
  return index < scenes->size() ? &(*scenes)[index] : nullptr;
}

}  // namespace

int append_floats(Document& document, std::string_view type, std::span<const float> values,
                  Bounds bounds) {
  return append(document, type, values, BufferTarget::none, bounds);
}

int append_vertex_floats(Document& document, std::string_view type, std::span<const float> values,
                         Bounds bounds) {
  return append(document, type, values, BufferTarget::vertices, bounds);
}

int append_integers(Document& document, std::string_view type, ComponentType component,
                    std::span<const std::uint32_t> values, BufferTarget target) {
  AccessorData data;
  data.type = type;
  data.component = component;
  data.integers = values;
  data.target = target;
  return append_accessor(document, data);
}

Json json_vector(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

int add_node(Document& document, Json node, int parent) {
  Json& nodes = document.json["nodes"];
  const int index = static_cast<int>(nodes.size());
  nodes.push_back(std::move(node));
  if (parent >= 0)
    nodes[static_cast<std::size_t>(parent)]["children"].push_back(index);
  else if (Json* scene = default_scene(document))
    (*scene)["nodes"].push_back(index);
  return index;
}

void give_common_root(Document& document) {
  Json* scene = default_scene(document);
  if (scene == nullptr || (*scene)["nodes"].size() < 2) return;
  Json roots = std::move((*scene)["nodes"]);
  (*scene)["nodes"] = Json::array({document.json["nodes"].size()});
  document.json["nodes"].push_back({{"name", "skeleton"}, {"children", std::move(roots)}});
}

int add_skin(Document& document, std::string_view name, std::span<const int> joints,
             std::span<const Affine3> inverse_binds) {
  std::vector<float> columns;
  columns.reserve(16 * inverse_binds.size());
  for (const Affine3& inverse_bind : inverse_binds) {
    Eigen::Matrix4f matrix = Eigen::Matrix4f::Identity();
    matrix.topRows<3>() = inverse_bind.matrix().cast<float>();
    columns.insert(columns.end(), matrix.data(), matrix.data() + 16);
  }
  Json skin = Json::object();
  if (!name.empty()) skin["name"] = name;
  skin["inverseBindMatrices"] = append_floats(document, "MAT4", columns);
  skin["joints"] = Json::array();
  for (const int joint : joints) skin["joints"].push_back(joint);
  Json& skins = document.json["skins"];
  skins.push_back(std::move(skin));
  return static_cast<int>(skins.size()) - 1;
}

ClipBuilder::ClipBuilder(Document& document, std::string_view name) : document_(document) {
  animation_ = {{"name", name}, {"channels", Json::array()}, {"samplers", Json::array()}};
}

int ClipBuilder::add_times(std::span<const float> times_s) {
  return append_floats(document_, "SCALAR", times_s, Bounds::with);
}

void ClipBuilder::add_channel(int node, std::string_view path, int times_accessor,
                              std::span<const float> values) {
  const std::string_view type = path == "rotation" ? "VEC4" : path == "weights" ? "SCALAR" : "VEC3";
  const int output = append_floats(document_, type, values);
  animation_["channels"].push_back(
      {{"sampler", animation_["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
  animation_["samplers"].push_back(
      {{"input", times_accessor}, {"interpolation", "LINEAR"}, {"output", output}});
}

void ClipBuilder::finish() {
  if (!animation_["channels"].empty())
    document_.json["animations"].push_back(std::move(animation_));
}

}  // namespace sinew::reading
