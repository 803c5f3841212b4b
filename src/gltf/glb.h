// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sinew {

/// The magic number of a .glb and the types of its chunks, as little-endian words.
inline constexpr std::uint32_t kGlbMagic = 0x46546C67;   // "glTF"
inline constexpr std::uint32_t kChunkJson = 0x4E4F534A;  // "JSON"
inline constexpr std::uint32_t kChunkBin = 0x004E4942;   // "BIN\0"

}  // namespace sinew
