// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "io/assimp_material.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <assimp/material.h>
#include <fmt/format.h>

#include "io/text_reader.h"
#include "io/uri.h"

namespace sinew::io {
namespace {

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

class MaterialWriter {
 public:
  MaterialWriter(Document& document, const std::filesystem::path& folder, Notices& notices)
      : document_(document), folder_(folder), notices_(notices) {}

  Json convert(const aiMaterial& material, const std::string& place) {
    Json json = Json::object();
    aiString name;
    if (material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS && name.length > 0)
      json["name"] = to_utf8(name.C_Str());
    aiColor3D colour(1, 1, 1);
    float opacity = 1;
    material.Get(AI_MATKEY_COLOR_DIFFUSE, colour);
    material.Get(AI_MATKEY_OPACITY, opacity);
    const auto unit = [](float v) { return std::isfinite(v) ? std::clamp(v, 0.0F, 1.0F) : 1.0F; };
    Json& surface = json["pbrMetallicRoughness"];
    surface["baseColorFactor"] =
        Json::array({unit(colour.r), unit(colour.g), unit(colour.b), unit(opacity)});
    surface["metallicFactor"] = 0;
    if (unit(opacity) < 1) json["alphaMode"] = "BLEND";
    if (const std::optional<int> texture = base_texture(material, place))
      surface["baseColorTexture"]["index"] = *texture;
    return json;
  }

 private:
  std::optional<int> base_texture(const aiMaterial& material, const std::string& place) {
    aiString name;
    if (material.GetTexture(aiTextureType_BASE_COLOR, 0, &name) != aiReturn_SUCCESS &&
        material.GetTexture(aiTextureType_DIFFUSE, 0, &name) != aiReturn_SUCCESS)
      return std::nullopt;
    const auto path = find_texture(name.C_Str(), folder_);
    if (!path) {
      notices_.push_back({Notice::Level::note, "texture_skipped", place,
                          fmt::format("the texture '{}' is no PNG or JPEG file below the model's "
                                      "folder; it was left out",
                                      shown(name.C_Str()))});
      return std::nullopt;
    }
    const std::string uri = uri_of_path(path->generic_string());
    const auto [known, added] =
        textures_.emplace(uri, static_cast<int>(document_.json["textures"].size()));
    if (added) {
      document_.json["textures"].push_back({{"source", document_.json["images"].size()}});
      document_.json["images"].push_back({{"uri", uri}});
    }
    return known->second;
  }

  Document& document_;
  const std::filesystem::path& folder_;
  Notices& notices_;
  std::map<std::string, int> textures_;
};

}  // namespace

void add_materials(Document& document, const aiScene& scene, const std::filesystem::path& folder,
                   Notices& notices) {
  MaterialWriter writer(document, folder, notices);
  for (unsigned i = 0; i < scene.mNumMaterials; ++i) {
    Json material = writer.convert(*scene.mMaterials[i], fmt::format("materials[{}]", i));
    document.json["materials"].push_back(std::move(material));
  }
  // Asking a JSON object for a key makes it; glTF allows no empty lists.
  for (const char* key : {"textures", "images"})
    if (document.json.contains(key) && document.json[key].empty()) document.json.erase(key);
}

}  // namespace sinew::io
