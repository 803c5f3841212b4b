// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "gltf/glb.h"
#include "gltf/gltf_compression.h"
#include "gltf/gltf_json.h"
#include "gltf/uri.h"
#include "sinew/core/atomic_file.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {
namespace {

constexpr std::uint64_t kMaxImageBytes = std::uint64_t{1} << 32;

void append_u32(Bytes& bytes, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::byte>((value >> shift) & 0xFF));
}

void pad_to_four(Bytes& bytes, std::byte fill) {
  while (bytes.size() % 4 != 0) bytes.push_back(fill);
}

struct Packed {
  Json json;
  Bytes buffer;  // all of it: json["buffers"] has one entry with data, and possibly fallbacks
};

/// Byte ranges in a buffer that some view shows, in order, overlapping ones joined.
struct LiveRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t moved_to = 0;
};

/// Everything in json that names a range of a buffer: views, and the compressed twins that ride on
/// them.
template <class Visit>
void for_each_range(Json& json, const Visit& visit) {
  const auto views = json.find("bufferViews");
  if (views == json.end()) return;
  for (Json& view : *views) {
    visit(view);
    const auto extensions = view.find("extensions");
    if (extensions == view.end()) continue;
    if (const auto meshopt = extensions->find(kMeshoptExtension); meshopt != extensions->end())
      visit(*meshopt);
  }
}

std::vector<LiveRange> live_ranges(Json& json, std::size_t buffer, std::uint64_t size,
                                   bool keep_all) {
  if (keep_all) return {{0, size, 0}};
  std::vector<LiveRange> ranges;
  for_each_range(json, [&](const Json& range) {
    const std::uint64_t begin = unsigned_or(range, "byteOffset", 0);
    const std::uint64_t length = unsigned_or(range, "byteLength", 0);
    if (range["buffer"] == buffer) ranges.push_back({begin, begin + length, 0});
  });
  std::sort(ranges.begin(), ranges.end(),
            [](const LiveRange& a, const LiveRange& b) { return a.begin < b.begin; });
  std::vector<LiveRange> joined;
  for (const LiveRange& range : ranges) {
    if (!joined.empty() && range.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  }
  return joined;
}

/// All buffers as one, dead bytes left out, and the JSON that goes with it. Ranges keep their
/// offset modulo 4.
Packed pack(const Document& document) {
  Packed packed{document.json, {}};
  const auto buffers_json = packed.json.find("buffers");
  if (buffers_json == packed.json.end()) return packed;

  Json new_buffers = Json::array();
  std::map<std::size_t, std::vector<LiveRange>> ranges_of;
  std::vector<std::size_t> new_index(document.buffers.size(), 0);
  for (std::size_t b = 0; b < document.buffers.size(); ++b) {
    const Json& buffer_json = (*buffers_json)[b];
    if (is_meshopt_fallback(buffer_json)) continue;
    if (new_buffers.empty()) {
      new_buffers.push_back(buffer_json);
      new_buffers[0].erase("uri");
    }
    const Bytes& bytes = document.buffers[b];
    std::vector<LiveRange> ranges =
        live_ranges(packed.json, b, bytes.size(), !document.has_dead_bytes);
    for (LiveRange& range : ranges) {
      while (packed.buffer.size() % 4 != range.begin % 4) packed.buffer.push_back(std::byte{0});
      range.moved_to = packed.buffer.size();
      packed.buffer.insert(packed.buffer.end(),
                           bytes.begin() + static_cast<std::ptrdiff_t>(range.begin),
                           bytes.begin() + static_cast<std::ptrdiff_t>(range.end));
    }
    ranges_of[b] = std::move(ranges);
  }
  for (std::size_t b = 0; b < document.buffers.size(); ++b) {
    if (!is_meshopt_fallback((*buffers_json)[b])) continue;
    new_index[b] = new_buffers.size();
    new_buffers.push_back((*buffers_json)[b]);
  }
  for_each_range(packed.json, [&](Json& range) {
    const auto buffer = range["buffer"].get<std::size_t>();
    if (const auto found = ranges_of.find(buffer); found != ranges_of.end()) {
      const std::uint64_t offset = unsigned_or(range, "byteOffset", 0);
      auto live = std::upper_bound(
          found->second.begin(), found->second.end(), offset,
          [](std::uint64_t at, const LiveRange& candidate) { return at < candidate.begin; });
      if (live != found->second.begin()) --live;
      const std::uint64_t moved =
          live == found->second.end() ? 0 : live->moved_to + (offset - live->begin);
      if (moved != offset) range["byteOffset"] = moved;
    }
    if (new_index[buffer] != buffer) range["buffer"] = new_index[buffer];
  });
  if (ranges_of.empty()) {
    packed.json["buffers"] = std::move(new_buffers);
    return packed;
  }
  new_buffers[0]["byteLength"] = packed.buffer.size();
  packed.json["buffers"] = std::move(new_buffers);
  if (packed.buffer.empty() && packed.json["buffers"].size() == 1) packed.json.erase("buffers");
  return packed;
}

/// The type of a picture by its first bytes; the pixels are never looked at.
std::string_view image_type(const Bytes& bytes) {
  const auto starts_with = [&](std::string_view magic) {
    return bytes.size() >= magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  if (starts_with("\x89PNG")) return "image/png";
  if (starts_with("\xFF\xD8")) return "image/jpeg";
  if (starts_with("RIFF")) return "image/webp";
  if (starts_with("\xABKTX 20")) return "image/ktx2";
  return {};
}

/// The bytes of a picture that is not in a buffer; nothing when they cannot be had.
Bytes picture_bytes(const std::string& uri, const ResourceLoader& loader) {
  if (is_data_uri(uri)) return decode_data_uri(uri).value_or(Bytes{});
  auto loaded = loader(uri, kMaxImageBytes);
  return loaded.ok() ? *std::move(loaded) : Bytes{};
}

/// Moves pictures that lie in files of their own or in the JSON into the buffer. One that is
/// missing or of no known type stays a reference.
void embed_images(Packed& packed, const ResourceLoader& loader) {
  if (!packed.json.contains("images")) return;
  // Keys first: one that is added moves all others, and with them what refers to them.
  const bool had_buffers = packed.json.contains("buffers");
  const bool had_views = packed.json.contains("bufferViews");
  if (!had_buffers || packed.json["buffers"].empty())
    packed.json["buffers"] = Json::array({Json::object()});
  if (!had_views) packed.json["bufferViews"] = Json::array();
  Json& views = packed.json["bufferViews"];
  for (Json& image : packed.json["images"]) {
    const Json* uri = member(image, "uri");
    if (uri == nullptr) continue;
    const Bytes picture = picture_bytes(uri->get_ref<const std::string&>(), loader);
    const std::string_view type = image_type(picture);
    if (type.empty()) continue;
    pad_to_four(packed.buffer, std::byte{0});
    image.erase("uri");
    image["mimeType"] = type;
    image["bufferView"] = views.size();
    views.push_back(
        {{"buffer", 0}, {"byteOffset", packed.buffer.size()}, {"byteLength", picture.size()}});
    packed.buffer.insert(packed.buffer.end(), picture.begin(), picture.end());
    packed.json["buffers"][0]["byteLength"] = packed.buffer.size();
  }
  if (views.empty() && !had_views) packed.json.erase("bufferViews");
  if (packed.buffer.empty() && !had_buffers) packed.json.erase("buffers");
}

/// Relative files that a .gltf refers to and that must stand beside it: pictures.
std::vector<std::string> referenced_files(const Document& document) {
  std::vector<std::string> paths;
  for (const Json& image : array_or_empty(document.json, "images")) {
    const Json* uri = member(image, "uri");
    if (uri == nullptr || !uri->is_string() || is_data_uri(uri->get_ref<const std::string&>()))
      continue;
    if (const auto path = safe_relative_path(uri->get_ref<const std::string&>()))
      paths.push_back(*path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

bool is_gltf_text(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".gltf";
}

std::filesystem::path buffer_path(const std::filesystem::path& path) {
  std::filesystem::path bin = path;
  bin.replace_extension(".bin");
  return bin;
}

bool same_folder(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  const auto or_here = [](const std::filesystem::path& p) { return p.empty() ? "." : p; };
  return std::filesystem::equivalent(or_here(a), or_here(b), error) && !error;
}

/// Pictures go along to another folder. One that is there already and differs is not ours to
/// replace.
Status copy_images(const Document& document, const std::filesystem::path& folder) {
  if (document.folder.empty() && referenced_files(document).empty()) return {};
  if (same_folder(document.folder, folder)) return {};
  const ResourceLoader load = folder_loader(document.folder);
  for (const std::string& relative : referenced_files(document)) {
    const auto bytes = load(uri_of_path(relative), kMaxImageBytes);
    if (!bytes.ok()) continue;  // it was missing beside the input, too
    const std::filesystem::path target = folder / relative;
    if (const auto there = read_whole_file(target, kMaxImageBytes); there.ok()) {
      if (*there == *bytes) continue;
      return Error{ErrorCode::write_failed, target.string(),
                   "is another picture than the one that this file refers to"};
    }
    std::error_code ignored;
    std::filesystem::create_directories(target.parent_path(), ignored);
    SINEW_CHECK(write_file_atomically(target, *bytes));
  }
  return {};
}

/// The buffer files that a .gltf at this path refers to, as URIs.
std::vector<std::string> buffers_named_by(const std::filesystem::path& path) {
  constexpr std::uint64_t kMaxText = std::uint64_t{1} << 28;
  std::vector<std::string> uris;
  const auto text = read_whole_file(path, kMaxText);
  if (!text.ok()) return uris;
  const auto* begin = reinterpret_cast<const char*>(text->data());
  const Json json = Json::parse(begin, begin + text->size(), nullptr, false);
  for (const Json& buffer : array_or_empty(json, "buffers"))
    uris.push_back(string_or(buffer, "uri", ""));
  return uris;
}

/// Whether a buffer beside a .gltf is one that we named: STEM.bin or STEM-2.bin and so on.
bool is_our_buffer_name(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem) || !name.ends_with(".bin")) return false;
  const std::string_view middle = name.substr(stem.size(), name.size() - stem.size() - 4);
  return middle.empty() || (middle.size() > 1 && middle[0] == '-' &&
                            middle.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

/// Removes the buffer that the .gltf at `path` named before it was replaced, if we named it and
/// nothing else needs it: not the document that was just written from it, and no other .gltf in the
/// folder.
void remove_replaced_buffer(const Document& document, const std::filesystem::path& path,
                            const std::string& uri) {
  const auto name = safe_relative_path(uri);
  if (!name || !is_our_buffer_name(*name, path.stem().string())) return;
  const std::filesystem::path buffer = path.parent_path() / *name;
  std::error_code error;
  // From another folder, the input may still reach down to this one; from the same, the loop below
  // sees it.
  if (!same_folder(path.parent_path(), document.folder))
    for (const Json& each : array_or_empty(document.json, "buffers"))
      if (const auto source = safe_relative_path(string_or(each, "uri", ""));
          source && std::filesystem::equivalent(document.folder / *source, buffer, error))
        return;
  for (const auto& entry : std::filesystem::directory_iterator(
           path.parent_path().empty() ? "." : path.parent_path(), error)) {
    if (!is_gltf_text(entry.path())) continue;
    const std::vector<std::string> named = buffers_named_by(entry.path());
    if (std::any_of(named.begin(), named.end(),
                    [&](const std::string& each) { return safe_relative_path(each) == name; }))
      return;
  }
  std::filesystem::remove(buffer, error);
}

/// A .gltf and its buffer cannot be replaced in one step. So a buffer that is already there and
/// differs is left alone, the new one gets the next free name, and the old one goes when the text
/// that named it has been replaced and nothing else needs it.
std::filesystem::path free_buffer_path(const std::filesystem::path& path, const Bytes& buffer) {
  std::filesystem::path candidate = buffer_path(path);
  for (int number = 2;; ++number) {
    std::error_code error;
    if (!std::filesystem::exists(candidate, error)) return candidate;
    const auto there = read_whole_file(candidate, buffer.size());
    if (there.ok() && *there == buffer) return candidate;
    candidate = path.parent_path() / fmt::format("{}-{}.bin", path.stem().string(), number);
  }
}

/// Files that lie beside their places, whole, and what is left to do for a document.
struct Staged {
  std::vector<AtomicFile> files;      // in the order of their commits; the main one last
  std::vector<std::string> replaced;  // buffers that the file at this path named before
};

Status stage(const std::filesystem::path& path, std::span<const std::byte> bytes, Staged& staged) {
  SINEW_TRY(AtomicFile file, AtomicFile::create(path));
  SINEW_CHECK(file.write(bytes));
  staged.files.push_back(std::move(file));
  return {};
}

Status stage_text(const Document& document, const std::filesystem::path& path, Staged& staged) {
  Packed packed = pack(document);
  SINEW_CHECK(copy_images(document, path.parent_path()));
  if (!packed.buffer.empty()) {
    const std::filesystem::path bin = free_buffer_path(path, packed.buffer);
    packed.json["buffers"][0]["uri"] = uri_of_path(bin.filename().string());
    SINEW_CHECK(stage(bin, packed.buffer, staged));
  }
  staged.replaced = buffers_named_by(path);
  const std::string text = packed.json.dump(2) + "\n";
  return stage(path, std::as_bytes(std::span(text)), staged);
}

Status stage_binary(const Document& document, const std::filesystem::path& path, Staged& staged) {
  const ResourceLoader images = folder_loader(document.folder);
  SINEW_TRY(const Bytes bytes, encode_glb(document, &images));
  return stage(path, bytes, staged);
}

}  // namespace

Result<Bytes> encode_glb(const Document& document, const ResourceLoader* images) {
  Packed packed = pack(document);
  if (images != nullptr) embed_images(packed, *images);
  const std::string text = packed.json.dump();
  Bytes json(text.size());
  std::memcpy(json.data(), text.data(), text.size());
  pad_to_four(json, std::byte{' '});
  pad_to_four(packed.buffer, std::byte{0});
  std::uint64_t total = 12 + 8 + json.size();
  if (!packed.buffer.empty()) total += 8 + packed.buffer.size();
  for (const Document::Chunk& chunk : document.other_chunks) total += 8 + chunk.bytes.size();
  if (total > std::numeric_limits<std::uint32_t>::max())
    return Error{ErrorCode::too_large, "",
                 fmt::format("{} bytes do not fit into a .glb; write a .gltf", total)};

  Bytes out;
  out.reserve(total);
  const auto append = [&](std::uint32_t type, const Bytes& bytes) {
    append_u32(out, static_cast<std::uint32_t>(bytes.size()));
    append_u32(out, type);
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  append_u32(out, kGlbMagic);
  append_u32(out, 2);
  append_u32(out, static_cast<std::uint32_t>(total));
  append(kChunkJson, json);
  if (!packed.buffer.empty()) append(kChunkBin, packed.buffer);
  for (const Document::Chunk& chunk : document.other_chunks) append(chunk.type, chunk.bytes);
  return out;
}

Status write_gltf(const Document& document, const std::filesystem::path& path) {
  const DocumentAtPath only{document, path};
  return write_gltf_files(std::span(&only, 1));
}

Status write_gltf_files(std::span<const DocumentAtPath> documents) {
  std::vector<Staged> staged(documents.size());
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const auto& [document, path] = documents[d];
    SINEW_CHECK(is_gltf_text(path) ? stage_text(document, path, staged[d])
                                   : stage_binary(document, path, staged[d]));
  }
  for (Staged& each : staged)
    for (AtomicFile& file : each.files) SINEW_CHECK(file.commit());
  for (std::size_t d = 0; d < documents.size(); ++d)
    for (const std::string& uri : staged[d].replaced)
      remove_replaced_buffer(documents[d].document, documents[d].path, uri);
  return {};
}

std::vector<std::filesystem::path> files_to_write(const Document& document,
                                                  const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files{path};
  if (!is_gltf_text(path)) return files;
  if (const Packed packed = pack(document); !packed.buffer.empty())
    files.push_back(free_buffer_path(path, packed.buffer));
  if (!same_folder(document.folder, path.parent_path()))
    for (const std::string& relative : referenced_files(document))
      files.push_back(path.parent_path() / relative);
  return files;
}

}  // namespace sinew
