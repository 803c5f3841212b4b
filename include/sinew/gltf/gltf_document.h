// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/core/result.h"

namespace sinew {

/// Keeps the order of keys, so that what is written reads like what was read.
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::byte>;

/// A glTF document, kept whole: what sinew does not understand is still here when it is written
/// again. Edit it through gltf_accessor.h and gltf_character.h; they leave every index that they do
/// not own as it was.
///
/// Guarantee after parse: the JSON's depth is bounded; nodes form a forest; every index that sinew
/// follows (scenes, nodes, meshes, skins, accessors, buffer views, animations) is in range; every
/// accessor and buffer view lies inside its buffer, in overflow-safe arithmetic.
struct Document {
  Json json;
  std::vector<Bytes> buffers;    // one per json["buffers"]; data URIs decoded, files loaded
  std::filesystem::path folder;  // where relative URIs start; empty if it never was a file

  /// A chunk of a .glb that is neither JSON nor BIN: written again as it was read.
  struct Chunk {
    std::uint32_t type = 0;
    Bytes bytes;
  };
  std::vector<Chunk> other_chunks;

  /// What compressed data decodes to. The compressed bytes stay in `buffers`: a copy keeps them.
  std::map<int, Bytes> decoded_views;      // EXT_meshopt_compression, by buffer view
  std::map<int, Bytes> decoded_accessors;  // KHR_draco_mesh_compression, by accessor, packed

  /// An edit left bytes behind that no buffer view covers: dropped when the document is written.
  bool has_dead_bytes = false;
};

/// Loads what a relative URI names, of at most `max_bytes`. Parsing asks only for safe URIs:
/// relative, no scheme, no "..".
using ResourceLoader = std::function<Result<Bytes>(std::string_view uri, std::uint64_t max_bytes)>;

/// A loader that reads from a folder.
[[nodiscard]] ResourceLoader folder_loader(std::filesystem::path folder);

/// Reads .glb or .gltf by content, not by name.
[[nodiscard]] Result<Document> parse_gltf(std::span<const std::byte> file,
                                          const ResourceLoader& loader);
[[nodiscard]] Result<Document> read_gltf(const std::filesystem::path& path);

/// An empty document with one scene, ready to be filled.
[[nodiscard]] Document make_empty_document();

/// The whole document as one .glb. External buffers move into the binary chunk, and with `loader`,
/// images too.
[[nodiscard]] Result<Bytes> encode_glb(const Document& document,
                                       const ResourceLoader* images = nullptr);

/// Writes .glb or .gltf by the path's extension. A .gltf gets its buffer beside it as NAME.bin and
/// copies of the images it refers to. Every file is written beside its place and renamed, the main
/// file last: at any moment, what was there before or what is there after is whole.
[[nodiscard]] Status write_gltf(const Document& document, const std::filesystem::path& path);

struct DocumentAtPath {
  const Document& document;
  std::filesystem::path path;
};

/// The same for several documents: nothing of what was there before is replaced until all of them
/// are on the disk.
[[nodiscard]] Status write_gltf_files(std::span<const DocumentAtPath> documents);

/// Every file that write_gltf would write for this path, the main one first.
[[nodiscard]] std::vector<std::filesystem::path> files_to_write(const Document& document,
                                                                const std::filesystem::path& path);

}  // namespace sinew
