// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/import.h"

#include <array>
#include <cstdint>
#include <fstream>

#include <fmt/format.h>

#include "formats/bvh.h"
#include "formats/import_assimp.h"
#include "formats/medit.h"
#include "formats/obj.h"
#include "formats/text_reader.h"
#include "formats/tgf.h"
#include "gltf/gltf_json.h"
#include "gltf/uri.h"
#include "sinew/core/atomic_file.h"

namespace sinew {
namespace {

constexpr std::uint64_t kMaxTextBytes = std::uint64_t{2} << 30;  // as much as assimp's formats get

std::string first_bytes(const std::filesystem::path& path) {
  std::array<char, 4> bytes{};
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(stream.gcount())};
}

/// Pictures are never read, but one that is not there will be missed.
Notices missing_pictures(const Document& document) {
  Notices notices;
  const Json& images = array_or_empty(document.json, "images");
  for (std::size_t i = 0; i < images.size(); ++i) {
    const Json* uri = member(images[i], "uri");
    if (uri == nullptr) continue;
    const auto& text = uri->get_ref<const std::string&>();
    const auto picture = is_data_uri(text) ? std::nullopt : safe_relative_path(text);
    std::error_code failure;
    if (picture && !std::filesystem::exists(document.folder / *picture, failure))
      notices.push_back({Notice::Level::warning, "missing_picture", fmt::format("images[{}]", i),
                         fmt::format("there is no file '{}'; the reference is kept", text)});
  }
  return notices;
}

Result<Imported> import_gltf(const std::filesystem::path& path) {
  SINEW_TRY(Document document, read_gltf(path));
  Notices notices = missing_pictures(document);
  return Imported{std::move(document), std::move(notices), "glTF"};
}

}  // namespace

std::string_view readable_extensions() {
  return ".glb, .gltf, .fbx, .dae, .obj, .ply, .stl, .bvh, .tgf, .mesh";
}

Result<Imported> read_any(const std::filesystem::path& path) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status))
    return Error{ErrorCode::file_not_found, path.string(), "there is no such file"};
  if (std::filesystem::is_directory(status))
    return Error{ErrorCode::file_not_found, path.string(), "is a folder"};
  if (!std::filesystem::is_regular_file(status))
    return Error{ErrorCode::file_not_found, path.string(), "is not a file"};
  const std::string name = path.filename().string();
  const std::string magic = first_bytes(path);
  if (magic == "glTF") return import_gltf(path);
  if (magic.starts_with("\x1f\x8b"))
    return Error{ErrorCode::unsupported, name,
                 fmt::format("the file is compressed; unpack it first: gunzip -k {}", name)};

  const std::string extension = path.extension().string();
  const auto is = [&](std::string_view other) {
    return reading::equals_ignoring_case(extension, other);
  };
  if (is(".glb") || is(".gltf") || is(".vrm")) return import_gltf(path);
  if (is(".meshb"))
    return Error{ErrorCode::unsupported, name,
                 "binary MEDIT is not read; convert it to ASCII (.mesh)"};
  if (is(".obj") || is(".bvh") || is(".tgf") || is(".mesh")) {
    SINEW_TRY(const Bytes file, read_whole_file(path, kMaxTextBytes));
    const std::string stem = path.stem().string();
    if (is(".obj")) return parse_obj(file, {.mesh_name = stem, .folder = path.parent_path()});
    if (is(".bvh")) return parse_bvh(file, {.clip_name = stem});
    if (is(".mesh")) return parse_medit(file, {.mesh_name = stem});
    return parse_tgf(file);
  }
  if (is(".ply") || is(".stl") || is(".fbx") || is(".dae")) return read_with_assimp(path);
  return Error{ErrorCode::unsupported, name,
               fmt::format("the format '{}' is not read; these are: {}", reading::shown(extension),
                           readable_extensions())};
}

}  // namespace sinew
