// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// Follows the Khronos glTF 2.0 specification, sections 3.6 (binary data) and 4 (GLB). Nothing in a
// file is believed: sizes are compared with what is there before anything is allocated.
#include <array>
#include <cstring>

#include "gltf/glb.h"
#include "gltf/gltf_compression.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_structure.h"
#include "gltf/uri.h"
#include "sinew/core/atomic_file.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 34;
constexpr int kMaxJsonDepth = 128;  // writing recurses, and so do most readers of what we write
// The ordered map that keeps a file's key order searches linearly: without a bound, a hostile
// object costs hours.
constexpr std::size_t kMaxKeysPerObject = 8192;

std::uint32_t read_u32(std::span<const std::byte> bytes, std::size_t at) {
  std::array<std::uint32_t, 4> b{};
  for (std::size_t i = 0; i < 4; ++i) b[i] = std::to_integer<std::uint32_t>(bytes[at + i]);
  return b[0] | (b[1] << 8) | (b[2] << 16) | (b[3] << 24);
}

/// Refuses nesting and objects that would exhaust the stack or the clock, before the real parser
/// builds anything.
Status check_json_shape(std::string_view text) {
  std::vector<std::pair<bool, std::size_t>> open;  // is an object; keys so far
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (static_cast<int>(open.size()) >= kMaxJsonDepth)
        return refuse(ErrorCode::bad_file, fmt::format("byte {} of the JSON", i),
                      "is nested deeper than {}", kMaxJsonDepth);
      open.emplace_back(c == '{', 0);
    } else if (c == '}' || c == ']') {
      if (!open.empty()) open.pop_back();
    } else if (c == ':' && !open.empty() && open.back().first) {
      if (++open.back().second > kMaxKeysPerObject)
        return refuse(ErrorCode::too_large, fmt::format("byte {} of the JSON", i),
                      "one object has more than {} keys", kMaxKeysPerObject);
    }
  }
  return {};
}

}  // namespace

Result<Json> parse_json(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // A picture or an archive with a wrong ending deserves another sentence than a slip in the text.
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin != std::string_view::npos && text[begin] != '{' && text[begin] != '[')
    return refuse(ErrorCode::bad_file, "JSON", "is none: it begins with byte 0x{:02X}",
                  static_cast<unsigned char>(text[begin]));
  SINEW_CHECK(check_json_shape(text));
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& exception) {
    // Past the library's "[json.exception...]" tag stands the part a person can use.
    const std::string_view what = exception.what();
    const std::size_t tag_end = what.find("] ");
    return refuse(ErrorCode::bad_file, "JSON", "{}",
                  tag_end == std::string_view::npos ? what : what.substr(tag_end + 2));
  }
}

namespace {

struct Container {
  std::span<const std::byte> json;
  std::optional<std::span<const std::byte>> bin;
  std::vector<Document::Chunk> other_chunks;
};

Result<Container> open_glb(std::span<const std::byte> file) {
  if (file.size() < 12)
    return refuse(ErrorCode::bad_file, "header", "the file ends after {} of 12 bytes", file.size());
  if (const std::uint32_t version = read_u32(file, 4); version != 2)
    return refuse(ErrorCode::unsupported, "header", "glTF version {} is not read, only 2", version);
  const std::uint32_t length = read_u32(file, 8);
  if (length > file.size())
    return refuse(ErrorCode::bad_file, "header", "the file should have {} bytes and has {}", length,
                  file.size());
  file = file.first(length);
  Container container;
  std::size_t at = 12;
  for (std::size_t index = 0; at < file.size(); ++index) {
    const std::string place = fmt::format("chunk {}", index);
    if (file.size() - at < 8)
      return refuse(ErrorCode::bad_file, place, "the file ends in the middle of its header");
    const std::uint32_t chunk_length = read_u32(file, at);
    const std::uint32_t type = read_u32(file, at + 4);
    at += 8;
    if (chunk_length > file.size() - at)
      return refuse(ErrorCode::bad_file, place, "should have {} bytes and has {}", chunk_length,
                    file.size() - at);
    const std::span<const std::byte> bytes = file.subspan(at, chunk_length);
    at += chunk_length;
    if (index == 0) {
      if (type != kChunkJson) return refuse(ErrorCode::bad_file, place, "is not JSON");
      container.json = bytes;
    } else if (type == kChunkBin && !container.bin) {
      container.bin = bytes;
    } else {
      container.other_chunks.push_back({type, Bytes(bytes.begin(), bytes.end())});
    }
  }
  if (container.json.data() == nullptr)
    return refuse(ErrorCode::bad_file, "chunk 0", "there is no JSON");
  return container;
}

Result<Bytes> load_buffer(const Json& buffer, std::size_t index, const Container& container,
                          const ResourceLoader& loader) {
  const std::string place = fmt::format("buffers[{}]", index);
  const std::uint64_t length = buffer["byteLength"].get<std::uint64_t>();
  const Json* uri = member(buffer, "uri");
  Bytes bytes;
  if (uri == nullptr) {
    if (is_meshopt_fallback(buffer)) return Bytes{};
    if (index != 0 || !container.bin)
      return refuse(ErrorCode::bad_file, place, "has neither a uri nor a binary chunk");
    bytes.assign(container.bin->begin(), container.bin->end());
  } else if (const std::string& text = uri->get_ref<const std::string&>(); is_data_uri(text)) {
    std::optional<Bytes> decoded = decode_data_uri(text);
    if (!decoded) return refuse(ErrorCode::bad_file, place + ".uri", "is not a valid data URI");
    bytes = *std::move(decoded);
  } else {
    if (!safe_relative_path(text))
      return refuse(ErrorCode::unsafe_path, place + ".uri",
                    "'{}' leaves the file's folder; only relative names are followed", text);
    // Some exporters write a few bytes less into the JSON than into the file: read all of it.
    auto loaded = loader(text, kMaxFileBytes);
    if (!loaded.ok())
      return refuse(loaded.error().code, place + ".uri", "'{}': {}", text, loaded.error().message);
    bytes = *std::move(loaded);
  }
  if (bytes.size() < length)
    return refuse(ErrorCode::bad_file, place, "should have {} bytes and has {}", length,
                  bytes.size());
  bytes.resize(length);  // a binary chunk is padded
  return bytes;
}

}  // namespace

ResourceLoader folder_loader(std::filesystem::path folder) {
  return
      [folder = std::move(folder)](std::string_view uri, std::uint64_t max_bytes) -> Result<Bytes> {
        const std::optional<std::string> path = safe_relative_path(uri);
        if (!path)
          return Error{ErrorCode::unsafe_path, std::string(uri), "leaves the file's folder"};
        return read_whole_file(folder / std::filesystem::path(*path), max_bytes);
      };
}

Result<Document> parse_gltf(std::span<const std::byte> file, const ResourceLoader& loader) {
  if (file.empty()) return refuse(ErrorCode::bad_file, "file", "is empty");
  Container container;
  if (file.size() >= 4 && read_u32(file, 0) == kGlbMagic) {
    SINEW_TRY(container, open_glb(file));
  } else {
    container.json = file;
  }
  Document document;
  SINEW_TRY(document.json, parse_json(container.json));
  SINEW_CHECK(check_structure(document.json));
  const Json& buffers = array_or_empty(document.json, "buffers");
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    SINEW_TRY(Bytes bytes, load_buffer(buffers[i], i, container, loader));
    document.buffers.push_back(std::move(bytes));
  }
  document.other_chunks = std::move(container.other_chunks);
  SINEW_CHECK(decode_meshopt_views(document));
  SINEW_CHECK(decode_draco_primitives(document));
  return document;
}

Result<Document> read_gltf(const std::filesystem::path& path) {
  SINEW_TRY(const Bytes file, read_whole_file(path, kMaxFileBytes));
  SINEW_TRY(Document document, parse_gltf(file, folder_loader(path.parent_path())));
  document.folder = path.parent_path();
  return document;
}

Document make_empty_document() {
  Document document;
  document.json = {{"asset", {{"version", "2.0"}, {"generator", "sinew"}}},
                   {"scene", 0},
                   {"scenes", Json::array({Json{{"nodes", Json::array()}}})},
                   {"nodes", Json::array()}};
  return document;
}

}  // namespace sinew
