// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

inline constexpr std::string_view kMeshoptExtension = "EXT_meshopt_compression";
inline constexpr std::string_view kDracoExtension = "KHR_draco_mesh_compression";

/// A buffer that holds nothing: it only gives compressed buffer views something to point at.
[[nodiscard]] bool is_meshopt_fallback(const Json& buffer);

/// Bytes of one component of glTF's componentType; 0 for a number that is not one.
[[nodiscard]] std::size_t component_size(std::uint64_t component_type);

/// Bytes of one element, with the padding that glTF puts after the columns of small matrices.
[[nodiscard]] std::size_t element_size(std::size_t component_bytes, std::string_view type);

/// Bytes from one column of a matrix to the next; of an element that is no matrix, its size.
[[nodiscard]] std::size_t column_stride(std::size_t component_bytes, std::string_view type);

/// Fills document.decoded_views. The structure and the buffers' lengths have been checked.
[[nodiscard]] Status decode_meshopt_views(Document& document);

/// Fills document.decoded_accessors from the primitives that are compressed with Draco.
[[nodiscard]] Status decode_draco_primitives(Document& document);

/// Turns one primitive's Draco data into plain accessors, and forgets the extension when no other
/// primitive has it. A primitive without it is left alone.
void store_draco_plainly(Document& document, int mesh, int primitive);

}  // namespace sinew
