// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// Skinning weights laid out for the run-time kernels: made once, read every frame.
///
/// Vertices keep their order and come in blocks of kBlockSize. All vertices of a block have as many
/// slots as the widest of them needs, so that a region of rigid or two-bone skin costs one or two
/// slots although another needs eight. Slots are strongest first; unused ones repeat the first bone
/// with weight 0. The weights of a vertex sum to 1 within one float rounding.
///
/// A vertex without weights stays where it is: its one slot is the bone rest_bone(), which never
/// moves.
class PackedInfluences {
 public:
  static constexpr std::size_t kBlockSize = 8;  // floats in an AVX register

  PackedInfluences() = default;

  /// Fails with code too_large when there are more than 65,535 bones: an index must fit 16 bits.
  [[nodiscard]] static Result<PackedInfluences> create(const SkinWeights& weights);

  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::size_t bone_count() const { return bone_count_; }
  [[nodiscard]] std::size_t rest_bone() const { return bone_count_; }
  [[nodiscard]] std::size_t block_count() const { return block_begin_.size() - 1; }

  /// The slots of one block, vertex after vertex; vertices past the last are at rest.
  struct Block {
    const std::uint16_t* bones;
    const float* weights;
    std::size_t slots;  // per vertex, at least 1
  };
  [[nodiscard]] Block block(std::size_t index) const {
    const std::size_t begin = block_begin_[index];
    return {bones_.data() + begin, weights_.data() + begin,
            (block_begin_[index + 1] - begin) / kBlockSize};
  }

 private:
  std::size_t vertex_count_ = 0;
  std::size_t bone_count_ = 0;
  std::vector<std::size_t> block_begin_{0};
  std::vector<std::uint16_t> bones_;
  std::vector<float> weights_;
};

}  // namespace sinew
