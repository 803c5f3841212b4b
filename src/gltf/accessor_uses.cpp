// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/accessor_uses.h"

#include "gltf/gltf_json.h"

namespace sinew {
namespace {

void count_uses(const Json& json, bool anything, std::vector<std::size_t>& uses) {
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    const bool names_accessors =
        key == "attributes" || key == "targets" || key == "extensions" || key == "extras";
    const bool is_index = anything || key == "indices" || key == "inverseBindMatrices" ||
                          key == "input" || key == "output";
    if (is_index && is_natural(value))
      if (const auto accessor = value.get<std::uint64_t>(); accessor < uses.size())
        ++uses[accessor];
    count_uses(value, anything || names_accessors, uses);
  }
}

}  // namespace

std::vector<std::size_t> count_accessor_uses(const Document& document) {
  std::vector<std::size_t> uses(array_or_empty(document.json, "accessors").size(), 0);
  for (const auto& [key, value] : document.json.items())
    if (key != "accessors" && key != "bufferViews")
      count_uses(value, key == "extensions" || key == "extras", uses);
  return uses;
}

std::size_t count_accessor_uses(const Document& document, int accessor) {
  return count_accessor_uses(document)[static_cast<std::size_t>(accessor)];
}

}  // namespace sinew
