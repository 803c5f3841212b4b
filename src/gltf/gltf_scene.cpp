// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/gltf_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gltf/gltf_json.h"
#include "sinew/gltf/gltf_accessor.h"

namespace sinew {
namespace {

std::vector<double> numbers_of(const Json& array) {
  std::vector<double> numbers;
  for (const Json& number : array) numbers.push_back(number.get<double>());
  return numbers;
}

NodeTransform read_transform(const Json& node) {
  NodeTransform local;
  if (const Json* matrix = member(node, "matrix")) {
    const std::vector<double> m = numbers_of(*matrix);
    Affine3 affine;
    for (int c = 0; c < 4; ++c)
      for (int r = 0; r < 3; ++r) affine.matrix()(r, c) = m[static_cast<std::size_t>(4 * c + r)];
    local.matrix = affine;
    return local;
  }
  if (const Json* t = member(node, "translation")) {
    const std::vector<double> v = numbers_of(*t);
    local.translation = Vec3(v[0], v[1], v[2]);
  }
  if (const Json* r = member(node, "rotation")) {
    const std::vector<double> v = numbers_of(*r);
    const Quat rotation(v[3], v[0], v[1], v[2]);
    if (rotation.norm() > 0) local.rotation = rotation.normalized();
  }
  if (const Json* s = member(node, "scale")) {
    const std::vector<double> v = numbers_of(*s);
    local.scale = Vec3(v[0], v[1], v[2]);
  }
  return local;
}

std::optional<ChannelPath> path_from(std::string_view name) {
  if (name == "translation") return ChannelPath::translation;
  if (name == "rotation") return ChannelPath::rotation;
  if (name == "scale") return ChannelPath::scale;
  if (name == "weights") return ChannelPath::morph_weights;
  return std::nullopt;
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

/// One channel, or an error that says why it cannot be played.
Result<Channel> read_channel(const Document& document, const Json& sampler, int node,
                             ChannelPath path, const std::string& place) {
  Channel channel;
  channel.node = node;
  channel.path = path;
  const std::string interpolation = string_or(sampler, "interpolation", "LINEAR");
  channel.interpolation = interpolation == "STEP"          ? Interpolation::step
                          : interpolation == "CUBICSPLINE" ? Interpolation::cubic_spline
                                                           : Interpolation::linear;
  SINEW_TRY(const std::vector<float> times,
            read_floats(document, index_or_none(sampler, "input"), "SCALAR"));
  const std::string_view type = path == ChannelPath::rotation        ? "VEC4"
                                : path == ChannelPath::morph_weights ? "SCALAR"
                                                                     : "VEC3";
  SINEW_TRY(const std::vector<float> values,
            read_floats(document, index_or_none(sampler, "output"), type));
  if (times.empty()) return refuse(ErrorCode::bad_animation, place, "has no keys");
  if (!all_finite(times) || !all_finite(values))
    return refuse(ErrorCode::bad_animation, place, "has keys that are not finite");
  if (!std::is_sorted(times.begin(), times.end()))
    return refuse(ErrorCode::bad_animation, place, "has times that go back");
  const std::size_t sets =
      times.size() * (channel.interpolation == Interpolation::cubic_spline ? 3 : 1);
  std::size_t width = static_cast<std::size_t>(type_width(type));
  if (path == ChannelPath::morph_weights) width = values.size() / sets;
  if (width == 0 || values.size() != sets * width)
    return refuse(ErrorCode::bad_animation, place, "has {} values for {} keys", values.size(),
                  times.size());
  channel.width = static_cast<int>(width);
  channel.times.assign(times.begin(), times.end());
  channel.values.assign(values.begin(), values.end());
  return channel;
}

}  // namespace

Result<NodeTree> read_nodes(const Document& document) {
  const Json& json = array_or_empty(document.json, "nodes");
  std::vector<Node> nodes(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    nodes[i].name = string_or(json[i], "name", "");
    nodes[i].local = read_transform(json[i]);
    for (const Json& child : array_or_empty(json[i], "children"))
      nodes[child.get<std::size_t>()].parent = static_cast<int>(i);
    if (const Json* weights = member(json[i], "weights")) {
      nodes[i].morph_weights = numbers_of(*weights);
    } else if (const int mesh = index_or_none(json[i], "mesh"); mesh >= 0) {
      for (const Json& weight : array_or_empty(element(document, "meshes", mesh), "weights"))
        nodes[i].morph_weights.push_back(weight.is_number() ? weight.get<double>() : 0.0);
    }
  }
  return make_node_tree(std::move(nodes));
}

std::vector<Clip> read_clips(const Document& document, Notices& notices) {
  std::vector<Clip> clips;
  const Json& animations = array_or_empty(document.json, "animations");
  for (std::size_t a = 0; a < animations.size(); ++a) {
    Clip clip;
    clip.name = string_or(animations[a], "name", "");
    const Json& channels = animations[a]["channels"];
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const Json& target = channels[c]["target"];
      const int node = index_or_none(target, "node");
      const auto path = path_from(string_or(target, "path", ""));
      if (node < 0 || !path) continue;  // what an extension animates is not ours to play
      const std::string place = fmt::format("animations[{}].channels[{}]", a, c);
      const Json& sampler = animations[a]["samplers"][channels[c]["sampler"].get<std::size_t>()];
      auto channel = read_channel(document, sampler, node, *path, place);
      if (channel.ok()) {
        clip.channels.push_back(*std::move(channel));
      } else {
        notices.push_back({Notice::Level::warning, "unplayable_channel", place,
                           channel.error().message + "; it is not played"});
      }
    }
    for (std::size_t c = 0; c < clip.channels.size(); ++c) {
      const Channel& channel = clip.channels[c];
      clip.start_s = c == 0 ? channel.times.front() : std::min(clip.start_s, channel.times.front());
      clip.end_s = c == 0 ? channel.times.back() : std::max(clip.end_s, channel.times.back());
    }
    clips.push_back(std::move(clip));
  }
  return clips;
}

std::vector<float> packed_matrices(const std::vector<Affine3>& matrices) {
  std::vector<float> values;
  values.reserve(16 * matrices.size());
  for (const Affine3& matrix : matrices)
    for (int c = 0; c < 4; ++c) {
      for (int r = 0; r < 3; ++r) values.push_back(static_cast<float>(matrix.matrix()(r, c)));
      values.push_back(c == 3 ? 1.0F : 0.0F);
    }
  return values;
}

void write_node_transform(Json& node, const NodeTransform& local) {
  for (const char* key : {"matrix", "translation", "rotation", "scale"}) node.erase(key);
  if (local.matrix) {
    Json matrix = Json::array();
    for (int c = 0; c < 4; ++c) {
      for (int r = 0; r < 3; ++r) matrix.push_back(local.matrix->matrix()(r, c));
      matrix.push_back(c == 3 ? 1.0 : 0.0);
    }
    node["matrix"] = std::move(matrix);
    return;
  }
  const Vec3& t = local.translation;
  const Vec3& s = local.scale;
  const auto& r = local.rotation.coeffs();
  if (t != Vec3::Zero()) node["translation"] = {t.x(), t.y(), t.z()};
  if (r != Quat::Identity().coeffs()) node["rotation"] = {r.x(), r.y(), r.z(), r.w()};
  if (s != Vec3::Ones()) node["scale"] = {s.x(), s.y(), s.z()};
}

}  // namespace sinew
