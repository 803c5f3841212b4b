// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "io/accessor_uses.h"

namespace sinew {
namespace {

std::size_t count_accessor_uses(const Json& json, int accessor, bool anything) {
  std::size_t uses = 0;
  if (!json.is_structured()) return 0;
  for (const auto& [key, value] : json.items()) {
    const bool names_accessors =
        key == "attributes" || key == "targets" || key == "extensions" || key == "extras";
    const bool is_index = anything || key == "indices" || key == "inverseBindMatrices" ||
                          key == "input" || key == "output";
    if (is_index && value.is_number_integer() && value == accessor) ++uses;
    uses += count_accessor_uses(value, accessor, anything || names_accessors);
  }
  return uses;
}

}  // namespace

std::size_t count_accessor_uses(const Document& document, int accessor) {
  std::size_t uses = 0;
  for (const auto& [key, value] : document.json.items())
    if (key != "accessors" && key != "bufferViews")
      uses += count_accessor_uses(value, accessor, key == "extensions" || key == "extras");
  return uses;
}

}  // namespace sinew
