// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/planned_edit.h"

#include <array>

namespace sinew {

std::string_view to_string(EditKind kind) {
  constexpr std::array<std::string_view, 7> names{
      "add_influence",   "remove_influence", "connect_wires",      "set_weights",
      "flatten_weights", "clear_weights",    "release_attachments"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace sinew
