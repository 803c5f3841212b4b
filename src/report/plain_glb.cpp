// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "report/plain_glb.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "gltf/gltf_compression.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_store.h"
#include "gltf/uri.h"

namespace sinew {
namespace {

constexpr std::string_view kQuantisation = "KHR_mesh_quantization";
constexpr double kMegabyte = 1e6;
/// Names of pictures that a note gives before it says how many more there are.
constexpr std::size_t kNamedPictures = 3;

void store_meshopt_plainly(Document& document) {
  for (auto& [view_index, bytes] : document.decoded_views) {
    Json& view = element(document, "bufferViews", view_index);
    erase_extension(view, kMeshoptExtension);
    view["buffer"] = document.buffers.size();
    view["byteOffset"] = 0;
    document.json["buffers"].push_back({{"byteLength", bytes.size()}});
    document.buffers.push_back(std::move(bytes));
  }
  document.decoded_views.clear();
  if (document.json.contains("buffers"))
    for (Json& buffer : document.json["buffers"]) erase_extension(buffer, kMeshoptExtension);
}

void store_meshes_plainly(Document& document) {
  const std::size_t meshes = array_or_empty(document.json, "meshes").size();
  for (std::size_t m = 0; m < meshes; ++m) {
    const std::size_t primitives = document.json["meshes"][m]["primitives"].size();
    for (std::size_t p = 0; p < primitives; ++p) {
      store_draco_plainly(document, static_cast<int>(m), static_cast<int>(p));
      document.json["meshes"][m]["primitives"][p].erase("extensions");
    }
  }
}

/// A picture of the document.
struct Picture {
  std::string name;
  std::uint64_t bytes = 0;
  bool is_shown = false;  // as the base colour of a material
  bool is_readable = false;
  bool is_kept = false;
};

Picture describe_picture(const Document& document, const Json& image, std::size_t index) {
  Picture picture;
  picture.name = string_or(image, "name", "");
  std::string type = string_or(image, "mimeType", "");
  const std::string uri = string_or(image, "uri", "");
  if (const int view = index_or_none(image, "bufferView"); view >= 0) {
    picture.bytes = unsigned_or(element(document, "bufferViews", view), "byteLength", 0);
    picture.is_readable = true;
  } else if (is_data_uri(uri)) {
    picture.bytes = uri.size() / 4 * 3;
    picture.is_readable = true;
    if (type.empty()) type = uri.substr(0, uri.find(';'));
  } else if (const auto path = safe_relative_path(uri)) {
    std::error_code error;
    const std::filesystem::path file = document.folder / *path;
    picture.bytes = std::filesystem::file_size(file, error);
    picture.is_readable = !error;
    if (error) picture.bytes = 0;
    if (picture.name.empty()) picture.name = file.filename().string();
  }
  if (type.find("ktx2") != std::string::npos) picture.is_readable = false;
  if (picture.name.empty()) picture.name = fmt::format("picture {}", index);
  return picture;
}

/// The picture of a texture, also of one that newer formats have taken over.
int image_of(const Json& texture) {
  if (const int source = index_or_none(texture, "source"); source >= 0) return source;
  const Json* webp = extension(texture, "EXT_texture_webp");
  return webp == nullptr ? -1 : index_or_none(*webp, "source");
}

int base_colour_texture(const Json& material) {
  const Json* pbr = member(material, "pbrMetallicRoughness");
  const Json* texture = pbr == nullptr ? nullptr : member(*pbr, "baseColorTexture");
  return texture == nullptr ? -1 : index_or_none(*texture, "index");
}

Json plain_material(const Json& material, const std::map<int, int>& new_texture) {
  Json plain = Json::object();
  for (const char* key : {"name", "doubleSided", "alphaMode", "alphaCutoff"})
    if (const Json* value = member(material, key)) plain[key] = *value;
  const Json* pbr = member(material, "pbrMetallicRoughness");
  if (pbr == nullptr) return plain;
  Json& plain_pbr = plain["pbrMetallicRoughness"] = Json::object();
  if (const Json* factor = member(*pbr, "baseColorFactor")) plain_pbr["baseColorFactor"] = *factor;
  const auto found = new_texture.find(base_colour_texture(material));
  if (found == new_texture.end()) return plain;
  Json& texture = plain_pbr["baseColorTexture"] = {{"index", found->second}};
  if (const Json* set = member((*pbr)["baseColorTexture"], "texCoord")) texture["texCoord"] = *set;
  return plain;
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / kMegabyte);
}

std::string named(const std::vector<const Picture*>& pictures) {
  std::string text;
  for (std::size_t i = 0; i < std::min(pictures.size(), kNamedPictures); ++i)
    text += (i > 0 ? ", " : "") + pictures[i]->name;
  if (pictures.size() > kNamedPictures)
    text += fmt::format(" and {} more", pictures.size() - kNamedPictures);
  return text;
}

std::string count_pictures(std::size_t count) {
  return count == 1 ? "1 picture" : fmt::format("{} pictures", count);
}

std::string describe_omissions(const std::vector<Picture>& pictures, std::uint64_t limit) {
  std::vector<const Picture*> too_large, unreadable;
  std::size_t shown = 0, other = 0;
  std::uint64_t large_bytes = 0, other_bytes = 0;
  for (const Picture& picture : pictures) {
    if (!picture.is_shown) {
      ++other;
      other_bytes += picture.bytes;
      continue;
    }
    ++shown;
    if (picture.is_kept) continue;
    (picture.is_readable ? too_large : unreadable).push_back(&picture);
    if (picture.is_readable) large_bytes += picture.bytes;
  }
  std::stable_sort(too_large.begin(), too_large.end(),
                   [](const Picture* a, const Picture* b) { return a->bytes > b->bytes; });
  std::string note;
  if (!too_large.empty())
    note += fmt::format(
        "{} of {} with base colours, {}, left out to keep textures within {}: {}; what they cover "
        "is shown in plain colour. ",
        too_large.size(), count_pictures(shown), megabytes(large_bytes), megabytes(limit),
        named(too_large));
  if (!unreadable.empty())
    note +=
        fmt::format("{} with base colours missing, or of a kind that browsers do not show: {}. ",
                    count_pictures(unreadable.size()), named(unreadable));
  if (other > 0)
    note += fmt::format("{} with other properties than the base colour, {}, left out. ",
                        count_pictures(other), megabytes(other_bytes));
  if (!note.empty()) note.pop_back();
  return note;
}

/// Keeps the base colours' pictures that fit, and says what it left out.
std::string reduce_materials(Document& document, std::uint64_t max_bytes) {
  const Json materials = array_or_empty(document.json, "materials");
  const Json textures = array_or_empty(document.json, "textures");
  const Json images = array_or_empty(document.json, "images");
  std::vector<Picture> pictures;
  for (std::size_t i = 0; i < images.size(); ++i)
    pictures.push_back(describe_picture(document, images[i], i));
  for (const Json& material : materials) {
    const int texture = base_colour_texture(material);
    const int image = texture < 0 || static_cast<std::size_t>(texture) >= textures.size()
                          ? -1
                          : image_of(textures[static_cast<std::size_t>(texture)]);
    if (image < 0 || static_cast<std::size_t>(image) >= pictures.size()) continue;
    Picture& picture = pictures[static_cast<std::size_t>(image)];
    picture.is_shown = true;
    picture.is_kept = picture.is_readable;
  }
  std::vector<std::size_t> by_size(pictures.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return pictures[a].bytes > pictures[b].bytes;
  });
  std::uint64_t total = 0;
  for (const Picture& picture : pictures) total += picture.is_kept ? picture.bytes : 0;
  for (const std::size_t i : by_size) {
    if (total <= max_bytes) break;
    if (!pictures[i].is_kept) continue;
    pictures[i].is_kept = false;
    total -= pictures[i].bytes;
  }

  std::map<int, int> new_image, new_texture;
  Json kept_images = Json::array(), kept_textures = Json::array();
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (!pictures[i].is_kept) continue;
    new_image[static_cast<int>(i)] = static_cast<int>(kept_images.size());
    kept_images.push_back(images[i]);
    kept_images.back().erase("extensions");
  }
  for (std::size_t t = 0; t < textures.size(); ++t) {
    const auto image = new_image.find(image_of(textures[t]));
    if (image == new_image.end()) continue;
    new_texture[static_cast<int>(t)] = static_cast<int>(kept_textures.size());
    Json texture = {{"source", image->second}};
    if (const Json* sampler = member(textures[t], "sampler")) texture["sampler"] = *sampler;
    kept_textures.push_back(std::move(texture));
  }
  const auto put = [&](const char* key, Json list) {
    if (list.empty())
      document.json.erase(key);
    else
      document.json[key] = std::move(list);
  };
  Json plain_materials = Json::array();
  for (const Json& material : materials)
    plain_materials.push_back(plain_material(material, new_texture));
  put("images", std::move(kept_images));
  put("textures", std::move(kept_textures));
  put("materials", std::move(plain_materials));
  return describe_omissions(pictures, max_bytes);
}

void forget_extensions(Document& document) {
  document.json.erase("extensions");
  if (document.json.contains("nodes"))
    for (Json& node : document.json["nodes"]) node.erase("extensions");
  for (const char* key : {"extensionsUsed", "extensionsRequired"}) {
    const Json names = array_or_empty(document.json, key);
    document.json.erase(key);
    if (std::find(names.begin(), names.end(), kQuantisation) != names.end())
      document.json[key] = Json::array({kQuantisation});
  }
}

void collect_views(const Json& json, std::set<std::uint64_t>& used) {
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    if (key == "bufferView" && is_natural(value)) used.insert(value.get<std::uint64_t>());
    collect_views(value, used);
  }
}

/// Views that nothing looks at keep their place, so that no index moves, and lose their bytes.
void empty_unused_views(Document& document) {
  std::set<std::uint64_t> used;
  collect_views(document.json, used);
  const std::size_t count = array_or_empty(document.json, "bufferViews").size();
  for (std::size_t v = 0; v < count; ++v) {
    if (used.contains(v)) continue;
    Json& view = document.json["bufferViews"][v];
    if (unsigned_or(view, "byteLength", 0) == 0) continue;
    view = {{"buffer", view["buffer"]},
            {"byteOffset", unsigned_or(view, "byteOffset", 0)},
            {"byteLength", 1}};
  }
  document.has_dead_bytes = true;
}

}  // namespace

Result<PlainGlb> make_plain_glb(Document document, const PlainGlbOptions& options) {
  document.other_chunks.clear();
  store_meshes_plainly(document);
  store_meshopt_plainly(document);
  PlainGlb glb;
  glb.textures_note = reduce_materials(document, options.max_texture_bytes);
  forget_extensions(document);
  empty_unused_views(document);
  const ResourceLoader loader = folder_loader(document.folder);
  SINEW_TRY(glb.bytes, encode_glb(document, &loader));
  return glb;
}

}  // namespace sinew
