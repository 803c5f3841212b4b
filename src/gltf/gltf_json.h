// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// Small readers for glTF's JSON. The checked ones are for parsing, where nothing is known yet; the
/// plain ones below are for a document that parse_gltf has accepted.

template <class... Args>
[[nodiscard]] Error refuse(ErrorCode code, std::string place, fmt::format_string<Args...> format,
                           Args&&... args) {
  return {code, std::move(place), fmt::format(format, std::forward<Args>(args)...)};
}

/// Any JSON text, refused with a place when it is nested or crowded enough to be an attack.
[[nodiscard]] Result<Json> parse_json(std::span<const std::byte> bytes);

/// The member, or null when there is none.
[[nodiscard]] inline const Json* member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

/// A whole number that is not negative. Parsed ones are unsigned; those that code puts in often are
/// not.
[[nodiscard]] inline bool is_natural(const Json& value) {
  return value.is_number_unsigned() ||
         (value.is_number_integer() && value.get<std::int64_t>() >= 0);
}

/// An array that may be missing: then it is empty.
[[nodiscard]] inline const Json& array_or_empty(const Json& object, std::string_view key) {
  static const Json kEmpty = Json::array();
  const Json* found = member(object, key);
  return found != nullptr && found->is_array() ? *found : kEmpty;
}

[[nodiscard]] inline std::uint64_t unsigned_or(const Json& object, std::string_view key,
                                               std::uint64_t otherwise) {
  const Json* found = member(object, key);
  return found != nullptr && is_natural(*found) ? found->get<std::uint64_t>() : otherwise;
}

/// An index that parse_gltf has checked, or -1.
[[nodiscard]] inline int index_or_none(const Json& object, std::string_view key) {
  const Json* found = member(object, key);
  return found != nullptr && is_natural(*found) ? found->get<int>() : -1;
}

[[nodiscard]] inline std::string string_or(const Json& object, std::string_view key,
                                           std::string_view otherwise) {
  const Json* found = member(object, key);
  return found != nullptr && found->is_string() ? found->get<std::string>()
                                                : std::string(otherwise);
}

/// The named extension of an object, or null.
[[nodiscard]] inline const Json* extension(const Json& object, std::string_view name) {
  const Json* extensions = member(object, "extensions");
  return extensions != nullptr ? member(*extensions, name) : nullptr;
}

/// Removes an extension of an object, and `extensions` with it when nothing is left.
inline void erase_extension(Json& object, std::string_view name) {
  const auto extensions = object.find("extensions");
  if (extensions == object.end() || !extensions->is_object()) return;
  extensions->erase(name);
  if (extensions->empty()) object.erase("extensions");
}

/// The i-th element of a top-level array; parse_gltf has checked the index.
[[nodiscard]] inline const Json& element(const Document& document, std::string_view array,
                                         int index) {
  return (*member(document.json, array))[static_cast<std::size_t>(index)];
}
[[nodiscard]] inline Json& element(Document& document, std::string_view array, int index) {
  return (*document.json.find(array))[static_cast<std::size_t>(index)];
}

}  // namespace sinew
