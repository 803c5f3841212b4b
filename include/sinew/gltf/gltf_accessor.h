// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// The numbers of glTF's accessor.componentType.
enum class ComponentType : int {
  i8 = 5120,
  u8 = 5121,
  i16 = 5122,
  u16 = 5123,
  u32 = 5125,
  f32 = 5126
};

/// bufferView.target; none for what is neither vertex nor index data.
enum class BufferTarget : int { none = 0, vertices = 34962, indices = 34963 };

/// Numbers per element of "SCALAR", "VEC2" ... "MAT4"; 0 for a word that is not a type.
[[nodiscard]] int type_width(std::string_view type);

/// All elements of an accessor as floats, `type_width` per element, sparse substitution and
/// normalisation applied. `type` is what the caller can use, e.g. "VEC3"; another type is an error.
/// Values may be NaN: the caller judges.
[[nodiscard]] Result<std::vector<float>> read_floats(const Document& document, int accessor,
                                                     std::string_view type);

/// All elements of an integer accessor (u8, u16, u32), as stored: indices and joints.
[[nodiscard]] Result<std::vector<std::uint32_t>> read_integers(const Document& document,
                                                               int accessor, std::string_view type);

/// Elements in an accessor.
[[nodiscard]] std::size_t accessor_count(const Document& document, int accessor);

/// What to store. Exactly one of the spans has data; its length is a multiple of the type's width.
struct AccessorData {
  std::string_view type = "SCALAR";
  ComponentType component = ComponentType::f32;
  bool normalized = false;
  std::span<const float> floats;            // for f32
  std::span<const std::uint32_t> integers;  // for u8, u16, u32: each must fit
  BufferTarget target = BufferTarget::none;
  bool with_bounds = false;  // write min and max: required for POSITION and for animation times
};

/// Appends data to the document's own buffer, a buffer view and an accessor; returns the accessor's
/// index. Elements of vertex data are padded to multiples of four bytes, as glTF asks.
int append_accessor(Document& document, const AccessorData& data);

/// Gives an existing accessor new contents under its old index, so that every reference to it stays
/// right. Its old buffer view is dropped when nothing else uses it. Name and extras of the accessor
/// survive.
void replace_accessor(Document& document, int accessor, const AccessorData& data);

}  // namespace sinew
