// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// How many places name this accessor, as far as we know glTF; in extensions and extras every equal
/// number counts, since it may be one. Too many only costs bytes: then the accessor is not reused.
[[nodiscard]] std::size_t count_accessor_uses(const Document& document, int accessor);

/// The same of every accessor, at the price of one.
[[nodiscard]] std::vector<std::size_t> count_accessor_uses(const Document& document);

}  // namespace sinew
