// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/gltf_structure.h"

#include <cmath>
#include <set>

#include "gltf/gltf_compression.h"
#include "gltf/gltf_json.h"
#include "gltf/uri.h"
#include "sinew/gltf/gltf_accessor.h"

namespace sinew {
namespace {

constexpr int kMaxNodeDepth =
    1024;  // deeper trees break readers that recurse, and no rig comes near
// Larger counts cannot be indexed by glTF's 32-bit indices.
constexpr std::uint64_t kMaxCount = 0xFFFFFFFF;
// Accessors without bytes behind them (zeros, a sparse base, Draco's) cost nothing in the file and
// are large here: together at most this many bytes. Three million Draco vertices fit.
constexpr std::uint64_t kMaxUnbackedBytes = std::uint64_t{1} << 28;

// Sizes and offsets in bytes: far beyond any file, and small enough that sums of them cannot wrap.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 40;

using Place = std::string;

/// One array of the top level, e.g. all of "nodes".
class Table {
 public:
  static Result<Table> find(const Json& json, std::string_view name) {
    Table table(name);
    const Json* found = member(json, name);
    if (found == nullptr) return table;
    if (!found->is_array()) return refuse(ErrorCode::bad_file, Place(name), "is not an array");
    for (std::size_t i = 0; i < found->size(); ++i)
      if (!(*found)[i].is_object())
        return refuse(ErrorCode::bad_file, fmt::format("{}[{}]", name, i), "is not an object");
    table.items_ = found;
    return table;
  }
  [[nodiscard]] std::size_t size() const { return items_ == nullptr ? 0 : items_->size(); }
  [[nodiscard]] const Json& operator[](std::size_t i) const { return (*items_)[i]; }
  [[nodiscard]] Place place(std::size_t i) const { return fmt::format("{}[{}]", name_, i); }
  [[nodiscard]] std::string_view name() const { return name_; }

  /// An index into this table that stands at `value`.
  [[nodiscard]] Status check_index(const Json& value, const Place& place) const {
    if (!value.is_number_unsigned()) return refuse(ErrorCode::bad_file, place, "is not an index");
    if (const auto index = value.get<std::uint64_t>(); index >= size())
      return refuse(ErrorCode::bad_file, place, "refers to {}[{}], but there are {}", name_, index,
                    size());
    return {};
  }

  /// The same for a member that may be missing.
  [[nodiscard]] Status check_member(const Json& object, std::string_view key,
                                    const Place& place) const {
    const Json* value = member(object, key);
    return value == nullptr ? Status{} : check_index(*value, fmt::format("{}.{}", place, key));
  }
  [[nodiscard]] Status require_member(const Json& object, std::string_view key,
                                      const Place& place) const {
    if (member(object, key) == nullptr) return refuse(ErrorCode::bad_file, place, "has no {}", key);
    return check_member(object, key, place);
  }

 private:
  explicit Table(std::string_view name) : name_(name) {}
  std::string_view name_;
  const Json* items_ = nullptr;
};

Status check_unsigned(const Json& object, std::string_view key, const Place& place,
                      std::uint64_t max = kMaxCount) {
  const Json* value = member(object, key);
  if (value == nullptr) return {};
  if (!value->is_number_unsigned())
    return refuse(ErrorCode::bad_file, fmt::format("{}.{}", place, key),
                  "is not a whole number of zero or more");
  if (value->get<std::uint64_t>() > max)
    return refuse(ErrorCode::too_large, fmt::format("{}.{}", place, key), "{} is more than {}",
                  value->get<std::uint64_t>(), max);
  return {};
}

Status check_numbers(const Json& object, std::string_view key, const Place& place,
                     std::size_t count) {
  const Json* value = member(object, key);
  if (value == nullptr) return {};
  bool good = value->is_array() && value->size() == count;
  if (good)
    for (const Json& number : *value)
      good = good && number.is_number() && std::isfinite(number.get<double>());
  if (!good)
    return refuse(ErrorCode::bad_file, fmt::format("{}.{}", place, key), "is not {} numbers",
                  count);
  return {};
}

Status check_asset(const Json& json) {
  if (!json.is_object()) return refuse(ErrorCode::bad_file, "JSON", "is not an object");
  const Json* asset = member(json, "asset");
  if (asset == nullptr || !asset->is_object())
    return refuse(ErrorCode::bad_file, "asset", "is missing: this is not glTF");
  const std::string version = string_or(*asset, "version", "");
  if (!version.starts_with("2."))
    return refuse(ErrorCode::unsupported, "asset.version", "'{}' is not read, only 2.x", version);
  return {};
}

class Checker {
 public:
  static Status check(const Json& json) {
    SINEW_CHECK(check_asset(json));
    SINEW_TRY(const Table buffers, Table::find(json, "buffers"));
    SINEW_TRY(const Table views, Table::find(json, "bufferViews"));
    SINEW_TRY(const Table accessors, Table::find(json, "accessors"));
    SINEW_TRY(const Table meshes, Table::find(json, "meshes"));
    SINEW_TRY(const Table nodes, Table::find(json, "nodes"));
    SINEW_TRY(const Table skins, Table::find(json, "skins"));
    SINEW_TRY(const Table animations, Table::find(json, "animations"));
    SINEW_TRY(const Table scenes, Table::find(json, "scenes"));
    SINEW_TRY(const Table images, Table::find(json, "images"));
    const Checker checker{buffers, views, accessors, meshes, nodes, skins};
    SINEW_CHECK(checker.check_buffers());
    SINEW_CHECK(checker.check_views());
    SINEW_CHECK(checker.check_accessors());
    SINEW_CHECK(checker.check_meshes());
    SINEW_CHECK(checker.check_nodes());
    SINEW_CHECK(checker.check_skins());
    SINEW_CHECK(checker.check_animations(animations));
    SINEW_CHECK(checker.check_images(images));
    SINEW_CHECK(scenes.check_member(json, "scene", "scene"));
    for (std::size_t i = 0; i < scenes.size(); ++i)
      SINEW_CHECK(checker.check_index_list(scenes[i], "nodes", scenes.place(i), nodes));
    return {};
  }

 private:
  Checker(const Table& buffers, const Table& views, const Table& accessors, const Table& meshes,
          const Table& nodes, const Table& skins)
      : buffers_(buffers),
        views_(views),
        accessors_(accessors),
        meshes_(meshes),
        nodes_(nodes),
        skins_(skins) {}

  Status check_buffers() const {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Place place = buffers_.place(i);
      if (member(buffers_[i], "byteLength") == nullptr)
        return refuse(ErrorCode::bad_file, place, "has no byteLength");
      SINEW_CHECK(check_unsigned(buffers_[i], "byteLength", place, kMaxBytes));
      const Json* uri = member(buffers_[i], "uri");
      if (uri != nullptr && !uri->is_string())
        return refuse(ErrorCode::bad_file, place + ".uri", "is not a string");
    }
    return {};
  }

  Status check_views() const {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const Json& view = views_[i];
      const Place place = views_.place(i);
      SINEW_CHECK(check_range(view, place));
      SINEW_CHECK(check_unsigned(view, "byteStride", place, 252));
      if (const Json* stride = member(view, "byteStride");
          stride != nullptr && stride->get<std::uint64_t>() < 1)
        return refuse(ErrorCode::bad_file, place + ".byteStride", "is zero");
      if (const Json* meshopt = extension(view, kMeshoptExtension)) {
        const Place inner = fmt::format("{}.extensions.{}", place, kMeshoptExtension);
        SINEW_CHECK(check_range(*meshopt, inner));
        SINEW_CHECK(check_unsigned(*meshopt, "byteStride", inner, 256));
        SINEW_CHECK(check_unsigned(*meshopt, "count", inner));
        if (is_meshopt_fallback(buffers_[meshopt->at("buffer").get<std::size_t>()]))
          return refuse(ErrorCode::bad_file, inner + ".buffer", "has no data");
      } else if (is_meshopt_fallback(buffers_[view["buffer"].get<std::size_t>()])) {
        return refuse(ErrorCode::bad_file, place + ".buffer", "has no data");
      }
    }
    return {};
  }

  /// buffer, byteOffset and byteLength of a view, or of its compressed twin: inside the buffer.
  Status check_range(const Json& view, const Place& place) const {
    SINEW_CHECK(buffers_.require_member(view, "buffer", place));
    if (member(view, "byteLength") == nullptr)
      return refuse(ErrorCode::bad_file, place, "has no byteLength");
    SINEW_CHECK(check_unsigned(view, "byteLength", place, kMaxBytes));
    SINEW_CHECK(check_unsigned(view, "byteOffset", place, kMaxBytes));
    const std::uint64_t end =
        unsigned_or(view, "byteOffset", 0) + unsigned_or(view, "byteLength", 0);
    const std::uint64_t size =
        buffers_[view["buffer"].get<std::size_t>()]["byteLength"].get<std::uint64_t>();
    if (end > size)
      return refuse(ErrorCode::bad_file, place, "ends at byte {} of a buffer of {}", end, size);
    return {};
  }

  Status check_accessors() const {
    std::uint64_t unbacked = 0;
    for (std::size_t i = 0; i < accessors_.size(); ++i) {
      const Json& accessor = accessors_[i];
      const Place place = accessors_.place(i);
      const Json* component = member(accessor, "componentType");
      const std::size_t component_bytes = component != nullptr && component->is_number_unsigned()
                                              ? component_size(component->get<std::uint64_t>())
                                              : 0;
      if (component_bytes == 0)
        return refuse(ErrorCode::bad_file, place + ".componentType", "is not one that glTF has");
      const int width = type_width(string_or(accessor, "type", ""));
      if (width == 0)
        return refuse(ErrorCode::bad_file, place + ".type", "is not one that glTF has");
      if (const Json* normalized = member(accessor, "normalized");
          normalized != nullptr && !normalized->is_boolean())
        return refuse(ErrorCode::bad_file, place + ".normalized", "is not true or false");
      if (member(accessor, "count") == nullptr)
        return refuse(ErrorCode::bad_file, place, "has no count");
      SINEW_CHECK(check_unsigned(accessor, "count", place));
      SINEW_CHECK(check_unsigned(accessor, "byteOffset", place, kMaxBytes));
      SINEW_CHECK(views_.check_member(accessor, "bufferView", place));
      const std::uint64_t count = accessor["count"].get<std::uint64_t>();
      const std::uint64_t element_bytes =
          element_size(component_bytes, string_or(accessor, "type", ""));
      if (member(accessor, "bufferView") == nullptr) {
        unbacked += count * element_bytes;
        if (unbacked > kMaxUnbackedBytes)
          return refuse(ErrorCode::too_large, place + ".count",
                        "more than {} bytes of accessors have no data in the file",
                        kMaxUnbackedBytes);
      } else {
        const Json& view = views_[accessor["bufferView"].get<std::size_t>()];
        SINEW_CHECK(check_fit(view, unsigned_or(accessor, "byteOffset", 0), count, element_bytes,
                              unsigned_or(view, "byteStride", element_bytes), place));
      }
      SINEW_CHECK(check_sparse(accessor, count, element_bytes, place));
    }
    return {};
  }

  /// count elements, stride bytes apart, fit into the view from an offset on.
  static Status check_fit(const Json& view, std::uint64_t offset, std::uint64_t count,
                          std::uint64_t element_bytes, std::uint64_t stride, const Place& place) {
    if (stride < element_bytes)
      return refuse(ErrorCode::bad_file, place, "has elements of {} bytes only {} apart",
                    element_bytes, stride);
    const std::uint64_t length = view["byteLength"].get<std::uint64_t>();
    // No overflow: offset < 2^41, count < 2^32, stride < 2^9.
    const std::uint64_t end = count == 0 ? offset : offset + (count - 1) * stride + element_bytes;
    if (end > length)
      return refuse(ErrorCode::bad_file, place, "needs {} bytes of a buffer view of {}", end,
                    length);
    return {};
  }

  Status check_sparse(const Json& accessor, std::uint64_t count, std::uint64_t element_bytes,
                      const Place& outer) const {
    const Json* sparse = member(accessor, "sparse");
    if (sparse == nullptr) return {};
    const Place place = outer + ".sparse";
    const Json* indices = member(*sparse, "indices");
    const Json* values = member(*sparse, "values");
    if (indices == nullptr || values == nullptr || member(*sparse, "count") == nullptr)
      return refuse(ErrorCode::bad_file, place, "has no count, indices or values");
    SINEW_CHECK(check_unsigned(*sparse, "count", place, count));
    const std::uint64_t changes = unsigned_or(*sparse, "count", 0);
    const std::uint64_t index_type = unsigned_or(*indices, "componentType", 0);
    if (index_type != 5121 && index_type != 5123 && index_type != 5125)
      return refuse(ErrorCode::bad_file, place + ".indices.componentType",
                    "is not an unsigned integer type");
    for (const auto& [part, name, bytes] :
         {std::tuple(indices, ".indices", static_cast<std::uint64_t>(component_size(index_type))),
          std::tuple(values, ".values", element_bytes)}) {
      SINEW_CHECK(views_.require_member(*part, "bufferView", place + name));
      SINEW_CHECK(check_unsigned(*part, "byteOffset", place + name, kMaxBytes));
      SINEW_CHECK(check_fit(views_[(*part)["bufferView"].get<std::size_t>()],
                            unsigned_or(*part, "byteOffset", 0), changes, bytes, bytes,
                            place + name));
    }
    return {};
  }

  Status check_meshes() const {
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      const Json* primitives = member(meshes_[i], "primitives");
      if (primitives == nullptr || !primitives->is_array() || primitives->empty())
        return refuse(ErrorCode::bad_mesh, meshes_.place(i), "has no primitives");
      for (std::size_t p = 0; p < primitives->size(); ++p)
        SINEW_CHECK(check_primitive((*primitives)[p],
                                    fmt::format("{}.primitives[{}]", meshes_.place(i), p)));
    }
    return {};
  }

  Status check_primitive(const Json& primitive, const Place& place) const {
    const Json* attributes = member(primitive, "attributes");
    if (attributes == nullptr || !attributes->is_object())
      return refuse(ErrorCode::bad_mesh, place, "has no attributes");
    SINEW_CHECK(check_unsigned(primitive, "mode", place, 6));
    SINEW_CHECK(accessors_.check_member(primitive, "indices", place));
    SINEW_CHECK(check_attributes(*attributes, *attributes, place + ".attributes"));
    if (const Json* targets = member(primitive, "targets")) {
      if (!targets->is_array())
        return refuse(ErrorCode::bad_mesh, place + ".targets", "is not an array");
      for (std::size_t t = 0; t < targets->size(); ++t) {
        const Place inner = fmt::format("{}.targets[{}]", place, t);
        if (!(*targets)[t].is_object())
          return refuse(ErrorCode::bad_mesh, inner, "is not an object");
        SINEW_CHECK(check_attributes((*targets)[t], *attributes, inner));
      }
    }
    if (const Json* draco = extension(primitive, kDracoExtension)) {
      const Place inner = fmt::format("{}.extensions.{}", place, kDracoExtension);
      SINEW_CHECK(views_.require_member(*draco, "bufferView", inner));
      const Json* ids = member(*draco, "attributes");
      if (ids == nullptr || !ids->is_object())
        return refuse(ErrorCode::bad_mesh, inner, "has no attributes");
      for (const auto& [name, id] : ids->items())
        if (!id.is_number_unsigned() || member(*attributes, name) == nullptr)
          return refuse(ErrorCode::bad_mesh, fmt::format("{}.attributes.{}", inner, name),
                        "has no accessor to fill");
    }
    return {};
  }

  /// Every attribute is an accessor, and all have one element per vertex.
  Status check_attributes(const Json& attributes, const Json& base, const Place& place) const {
    for (const auto& [name, value] : attributes.items()) {
      const Place inner = fmt::format("{}.{}", place, name);
      SINEW_CHECK(accessors_.check_index(value, inner));
      const Json* position = member(base, "POSITION");
      if (position == nullptr) continue;
      SINEW_CHECK(accessors_.check_index(*position, place + ".POSITION"));
      const auto count = accessors_[value.get<std::size_t>()]["count"].get<std::uint64_t>();
      const auto vertices = accessors_[position->get<std::size_t>()]["count"].get<std::uint64_t>();
      if (count != vertices)
        return refuse(ErrorCode::bad_mesh, inner, "has {} elements for {} vertices", count,
                      vertices);
    }
    return {};
  }

  Status check_nodes() const {
    std::vector<int> parents(nodes_.size(), -1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Json& node = nodes_[i];
      const Place place = nodes_.place(i);
      SINEW_CHECK(meshes_.check_member(node, "mesh", place));
      SINEW_CHECK(skins_.check_member(node, "skin", place));
      SINEW_CHECK(check_numbers(node, "matrix", place, 16));
      SINEW_CHECK(check_numbers(node, "translation", place, 3));
      SINEW_CHECK(check_numbers(node, "rotation", place, 4));
      SINEW_CHECK(check_numbers(node, "scale", place, 3));
      if (const Json* weights = member(node, "weights"))
        SINEW_CHECK(check_numbers(node, "weights", place, weights->size()));
      SINEW_CHECK(check_index_list(node, "children", place, nodes_));
      const Json& children = array_or_empty(node, "children");
      for (std::size_t c = 0; c < children.size(); ++c) {
        int& parent = parents[children[c].get<std::size_t>()];
        if (parent >= 0)
          return refuse(ErrorCode::bad_file, fmt::format("{}.children[{}]", place, c),
                        "node {} is a child of node {} already", children[c].get<int>(), parent);
        parent = static_cast<int>(i);
      }
    }
    return check_depth(parents);
  }

  Status check_depth(const std::vector<int>& parents) const {
    std::vector<int> depth(parents.size(), 0);  // 0: not known yet
    std::vector<int> path;
    for (int start = 0; start < static_cast<int>(parents.size()); ++start) {
      int at = start;
      for (; at >= 0 && depth[static_cast<std::size_t>(at)] == 0;
           at = parents[static_cast<std::size_t>(at)]) {
        path.push_back(at);
        if (path.size() > parents.size() || static_cast<int>(path.size()) > kMaxNodeDepth)
          return refuse(ErrorCode::bad_file, nodes_.place(static_cast<std::size_t>(start)),
                        "is its own ancestor, or has more than {} of them", kMaxNodeDepth);
      }
      int above = at < 0 ? 0 : depth[static_cast<std::size_t>(at)];
      for (; !path.empty(); path.pop_back()) {
        if (++above > kMaxNodeDepth)
          return refuse(ErrorCode::bad_file, nodes_.place(static_cast<std::size_t>(path.back())),
                        "has more than {} ancestors", kMaxNodeDepth);
        depth[static_cast<std::size_t>(path.back())] = above;
      }
    }
    return {};
  }

  Status check_index_list(const Json& object, std::string_view key, const Place& outer,
                          const Table& table) const {
    const Json* list = member(object, key);
    if (list == nullptr) return {};
    const Place place = fmt::format("{}.{}", outer, key);
    if (!list->is_array()) return refuse(ErrorCode::bad_file, place, "is not an array");
    for (std::size_t i = 0; i < list->size(); ++i)
      SINEW_CHECK(table.check_index((*list)[i], fmt::format("{}[{}]", place, i)));
    return {};
  }

  Status check_skins() const {
    for (std::size_t i = 0; i < skins_.size(); ++i) {
      const Json& skin = skins_[i];
      const Place place = skins_.place(i);
      SINEW_CHECK(check_index_list(skin, "joints", place, nodes_));
      const Json& joints = array_or_empty(skin, "joints");
      if (joints.empty()) return refuse(ErrorCode::bad_skin, place, "has no joints");
      std::set<std::uint64_t> seen;
      for (std::size_t j = 0; j < joints.size(); ++j)
        if (!seen.insert(joints[j].get<std::uint64_t>()).second)
          return refuse(ErrorCode::bad_skin, fmt::format("{}.joints[{}]", place, j),
                        "node {} is listed twice", joints[j].get<int>());
      SINEW_CHECK(nodes_.check_member(skin, "skeleton", place));
      SINEW_CHECK(accessors_.check_member(skin, "inverseBindMatrices", place));
      if (const Json* matrices = member(skin, "inverseBindMatrices")) {
        const Json& accessor = accessors_[matrices->get<std::size_t>()];
        if (string_or(accessor, "type", "") != "MAT4" ||
            accessor["count"].get<std::uint64_t>() < joints.size())
          return refuse(ErrorCode::bad_skin, place + ".inverseBindMatrices",
                        "is not one 4x4 matrix per joint ({} joints)", joints.size());
      }
    }
    return {};
  }

  Status check_animations(const Table& animations) const {
    for (std::size_t i = 0; i < animations.size(); ++i) {
      const Place place = animations.place(i);
      const Json* samplers = member(animations[i], "samplers");
      const Json* channels = member(animations[i], "channels");
      if (samplers == nullptr || !samplers->is_array() || channels == nullptr ||
          !channels->is_array())
        return refuse(ErrorCode::bad_animation, place, "has no samplers or channels");
      for (std::size_t s = 0; s < samplers->size(); ++s) {
        const Place inner = fmt::format("{}.samplers[{}]", place, s);
        SINEW_CHECK(accessors_.require_member((*samplers)[s], "input", inner));
        SINEW_CHECK(accessors_.require_member((*samplers)[s], "output", inner));
      }
      for (std::size_t c = 0; c < channels->size(); ++c) {
        const Place inner = fmt::format("{}.channels[{}]", place, c);
        const Json& channel = (*channels)[c];
        const Json* target = member(channel, "target");
        const Json* sampler = member(channel, "sampler");
        if (target == nullptr || !target->is_object() || sampler == nullptr ||
            !sampler->is_number_unsigned() || sampler->get<std::uint64_t>() >= samplers->size())
          return refuse(ErrorCode::bad_animation, inner, "has no target or no sampler");
        SINEW_CHECK(nodes_.check_member(*target, "node", inner + ".target"));
      }
    }
    return {};
  }

  Status check_images(const Table& images) const {
    for (std::size_t i = 0; i < images.size(); ++i) {
      const Place place = images.place(i);
      SINEW_CHECK(views_.check_member(images[i], "bufferView", place));
      const Json* uri = member(images[i], "uri");
      if (uri == nullptr) continue;
      if (!uri->is_string()) return refuse(ErrorCode::bad_file, place + ".uri", "is not a string");
      const std::string& text = uri->get_ref<const std::string&>();
      if (!is_data_uri(text) && !safe_relative_path(text))
        return refuse(ErrorCode::unsafe_path, place + ".uri",
                      "'{}' leaves the file's folder; only relative names are followed", text);
    }
    return {};
  }

  const Table& buffers_;
  const Table& views_;
  const Table& accessors_;
  const Table& meshes_;
  const Table& nodes_;
  const Table& skins_;
};

}  // namespace

Status check_structure(const Json& json) { return Checker::check(json); }

}  // namespace sinew
