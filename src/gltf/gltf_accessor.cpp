// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/gltf_accessor.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "gltf/gltf_compression.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_store.h"

namespace sinew {
namespace {

struct Layout {
  ComponentType component = ComponentType::f32;
  int width = 1;
  bool normalized = false;
  std::size_t component_bytes = 4;
  std::size_t element_bytes = 4;
  std::size_t column_bytes = 4;  // from one column of a matrix to the next
  int column_width = 0;          // rows of a matrix; 0 for what is none
};

Layout layout_of(const Json& accessor) {
  Layout layout;
  const auto component = accessor["componentType"].get<std::uint64_t>();
  layout.component = static_cast<ComponentType>(component);
  layout.width = type_width(string_or(accessor, "type", ""));
  const Json* normalized = member(accessor, "normalized");
  layout.normalized = normalized != nullptr && normalized->get<bool>();
  layout.component_bytes = component_size(component);
  const std::string type = string_or(accessor, "type", "");
  layout.element_bytes = element_size(layout.component_bytes, type);
  layout.column_bytes = column_stride(layout.component_bytes, type);
  if (type.starts_with("MAT")) layout.column_width = type.back() - '0';
  return layout;
}

/// The c-th component of an element starts here: columns of matrices may be padded.
std::size_t component_offset(const Layout& layout, int c) {
  if (layout.column_width == 0) return static_cast<std::size_t>(c) * layout.component_bytes;
  return static_cast<std::size_t>(c / layout.column_width) * layout.column_bytes +
         static_cast<std::size_t>(c % layout.column_width) * layout.component_bytes;
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

float component_as_float(const std::byte* at, ComponentType type, bool normalized) {
  switch (type) {
    case ComponentType::f32:
      return load<float>(at);
    case ComponentType::u8:
      return normalized ? static_cast<float>(load<std::uint8_t>(at)) / 255.0F
                        : load<std::uint8_t>(at);
    case ComponentType::u16:
      return normalized ? static_cast<float>(load<std::uint16_t>(at)) / 65535.0F
                        : load<std::uint16_t>(at);
    case ComponentType::i8:
      return normalized ? std::max(static_cast<float>(load<std::int8_t>(at)) / 127.0F, -1.0F)
                        : load<std::int8_t>(at);
    case ComponentType::i16:
      return normalized ? std::max(static_cast<float>(load<std::int16_t>(at)) / 32767.0F, -1.0F)
                        : load<std::int16_t>(at);
    case ComponentType::u32:
      return static_cast<float>(load<std::uint32_t>(at));
  }
  return 0;
}

std::uint32_t component_as_integer(const std::byte* at, ComponentType type) {
  switch (type) {
    case ComponentType::u8:
      return load<std::uint8_t>(at);
    case ComponentType::u16:
      return load<std::uint16_t>(at);
    default:
      return load<std::uint32_t>(at);
  }
}

/// Calls visit(element, bytes of that element) for all elements, sparse ones a second time with
/// what replaces them.
template <class Visit>
Status for_each_element(const Document& document, int index, const Layout& layout,
                        const Visit& visit) {
  const Json& accessor = element(document, "accessors", index);
  const auto count = accessor["count"].get<std::size_t>();
  const auto walk = [&](std::span<const std::byte> bytes, std::size_t offset, std::size_t stride) {
    for (std::size_t i = 0; i < count; ++i) visit(i, bytes.data() + offset + i * stride);
  };
  if (const auto decoded = document.decoded_accessors.find(index);
      decoded != document.decoded_accessors.end()) {
    walk(decoded->second, 0, layout.element_bytes);
  } else if (const int view = index_or_none(accessor, "bufferView"); view >= 0) {
    walk(view_bytes(document, view), unsigned_or(accessor, "byteOffset", 0),
         unsigned_or(element(document, "bufferViews", view), "byteStride", layout.element_bytes));
  } else {
    const Bytes zeros(layout.element_bytes);
    for (std::size_t i = 0; i < count; ++i) visit(i, zeros.data());
  }
  const Json* sparse = member(accessor, "sparse");
  if (sparse == nullptr) return {};
  const Json& indices = (*sparse)["indices"];
  const Json& values = (*sparse)["values"];
  const auto index_type = static_cast<ComponentType>(indices["componentType"].get<int>());
  const std::size_t index_bytes = component_size(indices["componentType"].get<std::uint64_t>());
  const std::byte* index_at = view_bytes(document, index_or_none(indices, "bufferView")).data() +
                              unsigned_or(indices, "byteOffset", 0);
  const std::byte* value_at = view_bytes(document, index_or_none(values, "bufferView")).data() +
                              unsigned_or(values, "byteOffset", 0);
  for (std::size_t i = 0; i < unsigned_or(*sparse, "count", 0); ++i) {
    const std::uint32_t at = component_as_integer(index_at + i * index_bytes, index_type);
    if (at >= count)
      return refuse(ErrorCode::bad_file, fmt::format("accessors[{}].sparse.indices", index),
                    "replaces element {} of {}", at, count);
    visit(at, value_at + i * layout.element_bytes);
  }
  return {};
}

Status check_type(const Json& accessor, int index, std::string_view type) {
  if (const std::string found = string_or(accessor, "type", ""); found != type)
    return refuse(ErrorCode::bad_file, fmt::format("accessors[{}].type", index),
                  "is {} where {} is needed", found, type);
  return {};
}

/// How often the JSON mentions a buffer view, anywhere: in extensions that we do not know, too.
std::size_t count_view_uses(const Json& json, int view) {
  std::size_t uses = 0;
  if (json.is_object() || json.is_array())
    for (const auto& [key, value] : json.items())
      uses += key == "bufferView" && value == view ? 1 : count_view_uses(value, view);
  return uses;
}

/// The buffer that edits go to: the first one with data, or a new one.
std::size_t own_buffer(Document& document) {
  Json& buffers = document.json["buffers"];
  if (!buffers.is_array()) buffers = Json::array();
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (!is_meshopt_fallback(buffers[i])) return i;
  buffers.push_back({{"byteLength", 0}});
  document.buffers.emplace_back();
  return buffers.size() - 1;
}

/// Appends bytes to the document's own buffer and describes them as a buffer view.
Json append_view_bytes(Document& document, std::span<const std::byte> bytes, std::size_t stride,
                       BufferTarget target) {
  const std::size_t buffer_index = own_buffer(document);
  Bytes& buffer = document.buffers[buffer_index];
  buffer.resize((buffer.size() + 3) / 4 * 4);
  Json view = {
      {"buffer", buffer_index}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}};
  if (stride > 0) view["byteStride"] = stride;
  if (target != BufferTarget::none) view["target"] = static_cast<int>(target);
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  document.json["buffers"][buffer_index]["byteLength"] = buffer.size();
  return view;
}

/// Elements of vertex data must start at multiples of four bytes; a stride says so when they are
/// smaller.
Bytes padded_elements(std::span<const std::byte> bytes, std::size_t element_bytes,
                      std::size_t stride) {
  Bytes padded(bytes.size() / element_bytes * stride);
  for (std::size_t i = 0; i * element_bytes < bytes.size(); ++i)
    std::memcpy(padded.data() + i * stride, bytes.data() + i * element_bytes, element_bytes);
  return padded;
}

template <class Integer>
void pack_integers(std::span<const std::uint32_t> values, Bytes& bytes) {
  bytes.resize(values.size() * sizeof(Integer));
  for (std::size_t i = 0; i < values.size(); ++i) {
    assert(values[i] <= std::numeric_limits<Integer>::max());
    const auto narrow = static_cast<Integer>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(Integer), &narrow, sizeof(Integer));
  }
}

Bytes packed(const AccessorData& data) {
  Bytes bytes;
  switch (data.component) {
    case ComponentType::f32:
      bytes.resize(data.floats.size_bytes());
      if (!bytes.empty()) std::memcpy(bytes.data(), data.floats.data(), bytes.size());
      break;
    case ComponentType::u8:
      pack_integers<std::uint8_t>(data.integers, bytes);
      break;
    case ComponentType::u16:
      pack_integers<std::uint16_t>(data.integers, bytes);
      break;
    case ComponentType::u32:
      pack_integers<std::uint32_t>(data.integers, bytes);
      break;
    case ComponentType::i8:
    case ComponentType::i16:
      assert(false && "signed integers are never written");
      break;
  }
  return bytes;
}

template <class T>
void add_bounds(Json& accessor, std::span<const T> values, int width) {
  const auto stride = static_cast<std::size_t>(width);
  if (values.empty()) return;
  std::vector<T> low(values.begin(), values.begin() + width), high(low);
  for (std::size_t i = 0; i < values.size(); ++i) {
    low[i % stride] = std::min(low[i % stride], values[i]);
    high[i % stride] = std::max(high[i % stride], values[i]);
  }
  accessor["min"] = low;
  accessor["max"] = high;
}

void describe(Json& accessor, const AccessorData& data) {
  const int width = type_width(data.type);
  const std::size_t numbers =
      data.component == ComponentType::f32 ? data.floats.size() : data.integers.size();
  assert(width > 0 && numbers % static_cast<std::size_t>(width) == 0);
  accessor["componentType"] = static_cast<int>(data.component);
  accessor["count"] = numbers / static_cast<std::size_t>(width);
  accessor["type"] = data.type;
  if (data.normalized)
    accessor["normalized"] = true;
  else
    accessor.erase("normalized");
  accessor.erase("min");
  accessor.erase("max");
  if (!data.with_bounds) return;
  if (data.component == ComponentType::f32)
    add_bounds(accessor, data.floats, width);
  else
    add_bounds(accessor, data.integers, width);
}

}  // namespace

std::span<const std::byte> view_bytes(const Document& document, int view) {
  if (const auto decoded = document.decoded_views.find(view);
      decoded != document.decoded_views.end())
    return decoded->second;
  const Json& json = element(document, "bufferViews", view);
  return std::span(document.buffers[json["buffer"].get<std::size_t>()])
      .subspan(unsigned_or(json, "byteOffset", 0), unsigned_or(json, "byteLength", 0));
}

void store_accessor_bytes(Document& document, int accessor, std::span<const std::byte> bytes,
                          BufferTarget target) {
  const Layout layout = layout_of(element(document, "accessors", accessor));
  const bool is_vertex_data = target == BufferTarget::vertices;
  const std::size_t stride = is_vertex_data ? (layout.element_bytes + 3) / 4 * 4 : 0;
  const bool pad = is_vertex_data && stride != layout.element_bytes;
  Json view =
      pad ? append_view_bytes(document, padded_elements(bytes, layout.element_bytes, stride),
                              stride, target)
          : append_view_bytes(document, bytes, 0, target);
  Json& json = element(document, "accessors", accessor);
  json.erase("byteOffset");
  json.erase("sparse");
  document.decoded_accessors.erase(accessor);
  Json& views = document.json["bufferViews"];
  if (!views.is_array()) views = Json::array();
  const int old_view = index_or_none(json, "bufferView");
  if (old_view >= 0 && count_view_uses(document.json, old_view) == 1) {
    // Nobody else looks at the old bytes: the slot shows the new ones, and no index in the document
    // moves.
    document.decoded_views.erase(old_view);
    document.has_dead_bytes = true;
    Json& slot = views[static_cast<std::size_t>(old_view)];
    if (const Json* name = member(slot, "name")) view["name"] = *name;
    if (const Json* extras = member(slot, "extras")) view["extras"] = *extras;
    slot = std::move(view);
  } else {
    json["bufferView"] = views.size();
    views.push_back(std::move(view));
  }
}

void forget_extension(Document& document, std::string_view name) {
  for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
    const auto found = document.json.find(list);
    if (found == document.json.end() || !found->is_array()) continue;
    Json kept = Json::array();
    for (const Json& each : *found)
      if (each != name) kept.push_back(each);
    if (kept.empty())
      document.json.erase(list);
    else
      *found = std::move(kept);
  }
}

void use_extension(Document& document, std::string_view name) {
  Json& used = document.json["extensionsUsed"];
  if (!used.is_array()) used = Json::array();
  if (std::find(used.begin(), used.end(), name) == used.end()) used.push_back(name);
}

int type_width(std::string_view type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4" || type == "MAT2") return 4;
  if (type == "MAT3") return 9;
  if (type == "MAT4") return 16;
  return 0;
}

std::size_t accessor_count(const Document& document, int accessor) {
  return element(document, "accessors", accessor)["count"].get<std::size_t>();
}

Result<std::vector<float>> read_floats(const Document& document, int accessor,
                                       std::string_view type) {
  const Json& json = element(document, "accessors", accessor);
  SINEW_CHECK(check_type(json, accessor, type));
  const Layout layout = layout_of(json);
  const auto width = static_cast<std::size_t>(layout.width);
  std::vector<float> values(json["count"].get<std::size_t>() * width);
  SINEW_CHECK(for_each_element(document, accessor, layout, [&](std::size_t i, const std::byte* at) {
    for (int c = 0; c < layout.width; ++c)
      values[i * width + static_cast<std::size_t>(c)] =
          component_as_float(at + component_offset(layout, c), layout.component, layout.normalized);
  }));
  return values;
}

Result<std::vector<std::uint32_t>> read_integers(const Document& document, int accessor,
                                                 std::string_view type) {
  const Json& json = element(document, "accessors", accessor);
  SINEW_CHECK(check_type(json, accessor, type));
  const Layout layout = layout_of(json);
  if (layout.component != ComponentType::u8 && layout.component != ComponentType::u16 &&
      layout.component != ComponentType::u32)
    return refuse(ErrorCode::bad_file, fmt::format("accessors[{}].componentType", accessor),
                  "is not an unsigned integer type");
  const auto width = static_cast<std::size_t>(layout.width);
  std::vector<std::uint32_t> values(json["count"].get<std::size_t>() * width);
  SINEW_CHECK(for_each_element(document, accessor, layout, [&](std::size_t i, const std::byte* at) {
    for (int c = 0; c < layout.width; ++c)
      values[i * width + static_cast<std::size_t>(c)] =
          component_as_integer(at + component_offset(layout, c), layout.component);
  }));
  return values;
}

int append_accessor(Document& document, const AccessorData& data) {
  Json& accessors = document.json["accessors"];
  if (!accessors.is_array()) accessors = Json::array();
  const int index = static_cast<int>(accessors.size());
  Json accessor = Json::object();
  describe(accessor, data);
  accessors.push_back(std::move(accessor));
  store_accessor_bytes(document, index, packed(data), data.target);
  return index;
}

void replace_accessor(Document& document, int accessor, const AccessorData& data) {
  describe(element(document, "accessors", accessor), data);
  store_accessor_bytes(document, accessor, packed(data), data.target);
}

}  // namespace sinew
