// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// EXT_meshopt_compression and KHR_draco_mesh_compression. Both codecs are the libraries of their
// authors; this file only feeds them what the document says and holds the result to what the
// document promises.
#include "gltf/gltf_compression.h"

#include <cstring>
#include <memory>

#include <draco/compression/decode.h>
#include <meshoptimizer.h>

#include "gltf/gltf_json.h"
#include "gltf/gltf_store.h"
#include "sinew/gltf/gltf_accessor.h"

namespace sinew {
namespace {

// The vertex codec spends at least two bits on sixteen bytes, the index codecs at least a byte on a
// triangle: a view that claims to unpack to more than this many times its size is lying about its
// size.
constexpr std::uint64_t kMaxMeshoptRatio = 64;
constexpr std::uint64_t kMeshoptSlackBytes = 1 << 16;

std::span<const std::byte> bytes_of_range(const Document& document, const Json& range) {
  const Bytes& buffer = document.buffers[range["buffer"].get<std::size_t>()];
  return std::span(buffer).subspan(unsigned_or(range, "byteOffset", 0),
                                   unsigned_or(range, "byteLength", 0));
}

struct MeshoptView {
  std::size_t count = 0;
  std::size_t stride = 0;
  std::string mode;
  std::string filter;
};

/// Whether the codec's own preconditions hold; it asserts them, we answer.
bool is_decodable(const MeshoptView& view) {
  if (view.mode == "ATTRIBUTES")
    return view.stride > 0 && view.stride % 4 == 0 && view.stride <= 256;
  if (view.mode == "TRIANGLES")
    return (view.stride == 2 || view.stride == 4) && view.count % 3 == 0;
  if (view.mode == "INDICES") return view.stride == 2 || view.stride == 4;
  return false;
}

bool is_filter_decodable(const MeshoptView& view) {
  if (view.filter == "NONE") return true;
  if (view.mode != "ATTRIBUTES") return false;
  if (view.filter == "OCTAHEDRAL") return view.stride == 4 || view.stride == 8;
  if (view.filter == "QUATERNION") return view.stride == 8;
  return view.filter == "EXPONENTIAL";
}

bool decode_meshopt(const MeshoptView& view, std::span<const std::byte> source, Bytes& out) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(source.data());
  int failed = 0;
  if (view.mode == "ATTRIBUTES")
    failed = meshopt_decodeVertexBuffer(out.data(), view.count, view.stride, bytes, source.size());
  else if (view.mode == "TRIANGLES")
    failed = meshopt_decodeIndexBuffer(out.data(), view.count, view.stride, bytes, source.size());
  else
    failed = meshopt_decodeIndexSequence(out.data(), view.count, view.stride, bytes, source.size());
  if (failed != 0) return false;
  if (view.filter == "OCTAHEDRAL")
    meshopt_decodeFilterOct(out.data(), view.count, view.stride);
  else if (view.filter == "QUATERNION")
    meshopt_decodeFilterQuat(out.data(), view.count, view.stride);
  else if (view.filter == "EXPONENTIAL")
    meshopt_decodeFilterExp(out.data(), view.count, view.stride);
  return true;
}

template <class T>
bool copy_draco_attribute(const draco::PointCloud& cloud, const draco::PointAttribute& attribute,
                          int width, Bytes& out) {
  out.resize(cloud.num_points() * static_cast<std::size_t>(width) * sizeof(T));
  std::vector<T> element(static_cast<std::size_t>(width));
  for (draco::PointIndex i(0); i < cloud.num_points(); ++i) {
    if (!attribute.ConvertValue<T>(attribute.mapped_index(i), static_cast<std::int8_t>(width),
                                   element.data()))
      return false;
    std::memcpy(out.data() + i.value() * element.size() * sizeof(T), element.data(),
                element.size() * sizeof(T));
  }
  return true;
}

bool copy_draco_attribute(const draco::PointCloud& cloud, const draco::PointAttribute& attribute,
                          std::uint64_t component_type, int width, Bytes& out) {
  switch (static_cast<ComponentType>(component_type)) {
    case ComponentType::i8:
      return copy_draco_attribute<std::int8_t>(cloud, attribute, width, out);
    case ComponentType::u8:
      return copy_draco_attribute<std::uint8_t>(cloud, attribute, width, out);
    case ComponentType::i16:
      return copy_draco_attribute<std::int16_t>(cloud, attribute, width, out);
    case ComponentType::u16:
      return copy_draco_attribute<std::uint16_t>(cloud, attribute, width, out);
    case ComponentType::u32:
      return copy_draco_attribute<std::uint32_t>(cloud, attribute, width, out);
    case ComponentType::f32:
      return copy_draco_attribute<float>(cloud, attribute, width, out);
  }
  return false;
}

Status decode_draco_primitive(Document& document, const Json& primitive, const Json& draco_json,
                              const std::string& place) {
  const int view_index = draco_json["bufferView"].get<int>();
  const std::span<const std::byte> source = view_bytes(document, view_index);
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(source.data()), source.size());
  draco::Decoder decoder;
  auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok() || decoded.value() == nullptr)
    return refuse(ErrorCode::bad_mesh, place, "its Draco data cannot be decoded: {}",
                  decoded.status().error_msg_string());
  const draco::Mesh& mesh = *decoded.value();

  for (const auto& [name, id] : draco_json["attributes"].items()) {
    const int accessor_index = primitive["attributes"][name].get<int>();
    const Json& accessor = element(document, "accessors", accessor_index);
    if (string_or(accessor, "type", "").starts_with("MAT"))
      return refuse(ErrorCode::unsupported, place, "its Draco data for {} has matrices", name);
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(id.get<std::uint32_t>());
    if (attribute == nullptr)
      return refuse(ErrorCode::bad_mesh, place, "its Draco data has no attribute {} for {}",
                    id.get<std::uint32_t>(), name);
    if (accessor["count"].get<std::uint64_t>() != mesh.num_points())
      return refuse(ErrorCode::bad_mesh, place, "its Draco data has {} vertices, {} are announced",
                    mesh.num_points(), accessor["count"].get<std::uint64_t>());
    Bytes bytes;
    if (!copy_draco_attribute(mesh, *attribute, accessor["componentType"].get<std::uint64_t>(),
                              type_width(string_or(accessor, "type", "")), bytes))
      return refuse(ErrorCode::bad_mesh, place, "its Draco data for {} has the wrong type", name);
    document.decoded_accessors[accessor_index] = std::move(bytes);
  }
  const int indices = index_or_none(primitive, "indices");
  if (indices < 0) return {};
  const Json& accessor = element(document, "accessors", indices);
  const std::size_t count = std::size_t{3} * mesh.num_faces();
  const std::size_t index_bytes = component_size(accessor["componentType"].get<std::uint64_t>());
  if (accessor["count"].get<std::uint64_t>() != count ||
      string_or(accessor, "type", "") != "SCALAR" || index_bytes > 4)
    return refuse(ErrorCode::bad_mesh, place, "its Draco data has {} indices, {} are announced",
                  count, accessor["count"].get<std::uint64_t>());
  Bytes bytes(count * index_bytes);
  std::size_t at = 0;
  for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f)
    for (const draco::PointIndex& corner : mesh.face(f)) {
      const std::uint32_t value = corner.value();
      std::memcpy(bytes.data() + at, &value,
                  index_bytes);  // little-endian: the low bytes come first
      at += index_bytes;
    }
  document.decoded_accessors[indices] = std::move(bytes);
  return {};
}

}  // namespace

bool is_meshopt_fallback(const Json& buffer) {
  const Json* meshopt = extension(buffer, kMeshoptExtension);
  return meshopt != nullptr && meshopt->is_object() &&
         meshopt->value("fallback", Json(false)) == true && member(buffer, "uri") == nullptr;
}

std::size_t component_size(std::uint64_t component_type) {
  switch (component_type) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

std::size_t column_stride(std::size_t component_bytes, std::string_view type) {
  if (!type.starts_with("MAT")) return component_bytes * static_cast<std::size_t>(type_width(type));
  // Columns of a matrix start at multiples of four bytes: those of small components are padded.
  return (component_bytes * static_cast<std::size_t>(type.back() - '0') + 3) / 4 * 4;
}

std::size_t element_size(std::size_t component_bytes, std::string_view type) {
  const std::size_t columns =
      type.starts_with("MAT") ? static_cast<std::size_t>(type.back() - '0') : 1;
  return columns * column_stride(component_bytes, type);
}

Status decode_meshopt_views(Document& document) {
  const Json& views = array_or_empty(document.json, "bufferViews");
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Json* meshopt = extension(views[i], kMeshoptExtension);
    if (meshopt == nullptr) continue;
    const std::string place = fmt::format("bufferViews[{}].extensions.{}", i, kMeshoptExtension);
    const MeshoptView view{unsigned_or(*meshopt, "count", 0),
                           unsigned_or(*meshopt, "byteStride", 0), string_or(*meshopt, "mode", ""),
                           string_or(*meshopt, "filter", "NONE")};
    const std::span<const std::byte> source = bytes_of_range(document, *meshopt);
    const std::uint64_t size = std::uint64_t{view.count} * view.stride;
    if (!is_decodable(view) || !is_filter_decodable(view))
      return refuse(ErrorCode::bad_file, place,
                    "has a mode, filter, stride or count that it cannot have");
    if (size != views[i]["byteLength"].get<std::uint64_t>())
      return refuse(ErrorCode::bad_file, place, "unpacks to {} bytes, {} are announced", size,
                    views[i]["byteLength"].get<std::uint64_t>());
    if (size > kMaxMeshoptRatio * source.size() + kMeshoptSlackBytes)
      return refuse(ErrorCode::too_large, place, "{} bytes cannot unpack to {}", source.size(),
                    size);
    Bytes out(size);
    if (!decode_meshopt(view, source, out))
      return refuse(ErrorCode::bad_file, place, "cannot be decompressed");
    document.decoded_views[static_cast<int>(i)] = std::move(out);
  }
  return {};
}

Status decode_draco_primitives(Document& document) {
  const Json& meshes = array_or_empty(document.json, "meshes");
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const Json& primitives = array_or_empty(meshes[m], "primitives");
    for (std::size_t p = 0; p < primitives.size(); ++p)
      if (const Json* draco_json = extension(primitives[p], kDracoExtension))
        SINEW_CHECK(decode_draco_primitive(document, primitives[p], *draco_json,
                                           fmt::format("meshes[{}].primitives[{}]", m, p)));
  }
  return {};
}

void store_draco_plainly(Document& document, int mesh, int primitive) {
  Json& json = element(document, "meshes", mesh)["primitives"][static_cast<std::size_t>(primitive)];
  if (extension(json, kDracoExtension) == nullptr) return;
  const auto store = [&](int accessor, BufferTarget target) {
    const auto found = document.decoded_accessors.find(accessor);
    if (found == document.decoded_accessors.end()) return;
    const Bytes bytes = std::move(found->second);
    document.decoded_accessors.erase(found);
    store_accessor_bytes(document, accessor, bytes, target);
  };
  for (const auto& [name, accessor] : json["attributes"].items())
    store(accessor.get<int>(), BufferTarget::vertices);
  if (const int indices = index_or_none(json, "indices"); indices >= 0)
    store(indices, BufferTarget::indices);
  erase_extension(json, kDracoExtension);

  for (const Json& other : array_or_empty(document.json, "meshes"))
    for (const Json& each : array_or_empty(other, "primitives"))
      if (extension(each, kDracoExtension) != nullptr) return;
  forget_extension(document, kDracoExtension);
}

}  // namespace sinew
