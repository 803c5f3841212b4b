// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/gltf/gltf_character.h"

namespace sinew {

/// The slots of one part, four per vertex and set, as glTF stores them.
struct EncodedSet {
  std::vector<std::uint32_t> joints;
  std::vector<float> floats;            // for f32
  std::vector<std::uint32_t> integers;  // for u8 and u16
};

/// Encodes rows [first, first + count) of the weights. Strongest influence first, ties by bone;
/// unused slots are joint 0, weight 0. Floats are rounded so that their sum in float arithmetic
/// order is within 2e-7 × non-zeros of 1; integers by largest remainder, so that they sum exactly
/// and a weight that rounds to nothing takes no slot. `joint_of_bone` gives the number to store.
[[nodiscard]] std::vector<EncodedSet> encode_weights(const SkinWeights& weights, std::size_t first,
                                                     std::size_t count, int sets,
                                                     WeightFormat format,
                                                     std::span<const int> joint_of_bone);

}  // namespace sinew
