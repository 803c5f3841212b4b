// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/material_writer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "formats/text_reader.h"
#include "gltf/uri.h"

namespace sinew::reading {
namespace {

constexpr std::size_t kLongestTextureName = 120;

bool is_image(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return equals_ignoring_case(extension, ".png") || equals_ignoring_case(extension, ".jpg") ||
         equals_ignoring_case(extension, ".jpeg");
}

/// The texture as a path below the folder, or, for the paths of somebody else's disk, the file of
/// that name beside the model. Nothing when there is no such image.
std::optional<std::filesystem::path> find_texture(std::string name,
                                                  const std::filesystem::path& folder) {
  std::ranges::replace(name, '\\', '/');
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  for (const std::filesystem::path& candidate : {path, path.filename()}) {
    std::error_code ignored;
    if (safe_relative_path(uri_of_path(candidate.generic_string())) && is_image(candidate) &&
        std::filesystem::is_regular_file(folder / candidate, ignored))
      return candidate;
  }
  return std::nullopt;
}

int append(Json& array, Json element) {
  array.push_back(std::move(element));
  return static_cast<int>(array.size()) - 1;
}

}  // namespace

int MaterialWriter::add(const MaterialInfo& info) {
  Json material = Json::object();
  if (!info.name.empty()) material["name"] = to_utf8(info.name);
  Json surface = Json::object();
  for (const float channel : info.base_color)
    surface["baseColorFactor"].push_back(std::isfinite(channel) ? std::clamp(channel, 0.0F, 1.0F)
                                                                : 1.0F);
  surface["metallicFactor"] = 0;
  const std::string place =
      fmt::format("materials[{}]",
                  document_.json.contains("materials") ? document_.json["materials"].size() : 0);
  if (const std::optional<int> texture = texture_index(info.texture, place))
    surface["baseColorTexture"]["index"] = *texture;
  material["pbrMetallicRoughness"] = std::move(surface);
  if (info.base_color[3] < 1) material["alphaMode"] = "BLEND";
  return append(document_.json["materials"], std::move(material));
}

std::optional<int> MaterialWriter::texture_index(const std::string& name,
                                                 const std::string& place) {
  if (name.empty()) return std::nullopt;
  const auto path = find_texture(name, folder_);
  if (!path) {
    notices_.push_back(
        {Notice::Level::note, "texture_skipped", place,
         fmt::format("the texture '{}' is no PNG or JPEG file below the model's folder; it was "
                     "left out",
                     shown(name, kLongestTextureName))});
    return std::nullopt;
  }
  const std::string uri = uri_of_path(path->generic_string());
  if (const auto known = textures_.find(uri); known != textures_.end()) return known->second;
  Json image = Json::object();
  image["uri"] = uri;
  Json texture_json = Json::object();
  texture_json["source"] = append(document_.json["images"], std::move(image));
  const int texture = append(document_.json["textures"], std::move(texture_json));
  textures_.emplace(uri, texture);
  return texture;
}

}  // namespace sinew::reading
