// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// What the accessor layer shares with its neighbours in this room.

/// The bytes of a buffer view, decompressed if need be.
[[nodiscard]] std::span<const std::byte> view_bytes(const Document& document, int view);

/// Gives an accessor tightly packed contents of its own component type and type, in a buffer view
/// of its own.
void store_accessor_bytes(Document& document, int accessor, std::span<const std::byte> bytes,
                          BufferTarget target);

/// Takes a name out of extensionsUsed and extensionsRequired.
void forget_extension(Document& document, std::string_view name);

/// Adds a name to extensionsUsed if it is not there.
void use_extension(Document& document, std::string_view name);

}  // namespace sinew
