// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/result.h"

namespace sinew {

/// The weight of one bone on one vertex.
struct Influence {
  std::uint32_t bone = 0;
  double weight = 0;
  friend bool operator==(const Influence&, const Influence&) = default;
};

/// A patch of a bone is where it weighs more than this: less is not seen as one.
inline constexpr double kPatchWeight = 0.05;

/// Sorts a row by bone, and makes one influence of those that name the same bone.
void add_up_repeated(std::vector<Influence>& row);

/// What had to be mended to turn the weights of a file into SkinWeights. Counts vertices, but where
/// it says so.
struct WeightRepairs {
  std::size_t not_finite = 0;    // single weights that were NaN or infinite: dropped
  std::size_t negative = 0;      // single weights below zero: dropped
  std::size_t out_of_range = 0;  // single weights on a bone that does not exist: dropped
  std::size_t repeated = 0;      // vertices that name a bone twice: added up
  std::size_t sum_not_one =
      0;  // vertices whose weights did not sum to 1 within kWeightSumTolerance: scaled
  std::size_t unweighted = 0;  // vertices with nothing left: an empty row
  double worst_sum = 1;        // the sum farthest from 1

  [[nodiscard]] bool any() const {
    return not_finite + negative + out_of_range + repeated + sum_not_one + unweighted > 0;
  }
};

/// A file's weights may be this far from a sum of 1 before it is worth a word: 8-bit weights round
/// by 1/510 each.
inline constexpr double kWeightSumTolerance = 5e-3;

/// Rows per vertex: bones sorted and distinct, weights strictly positive, each row summing to one.
/// A row may be empty: a vertex that has no weights yet.
class SkinWeights {
 public:
  SkinWeights() = default;

  /// No weights on any of `vertex_count` vertices.
  SkinWeights(std::size_t vertex_count, std::size_t bone_count)
      : bone_count_(bone_count), row_begin_(vertex_count + 1, 0) {}

  /// Takes rows as they come from a file or a solver, mends them to the invariants, and says what
  /// it mended. Row i is influences[row_begin[i] .. row_begin[i + 1]).
  [[nodiscard]] static SkinWeights mend(std::size_t bone_count, std::vector<std::size_t> row_begin,
                                        std::vector<Influence> influences,
                                        WeightRepairs* repairs = nullptr);

  /// The same, from one list per vertex.
  [[nodiscard]] static SkinWeights from_rows(std::size_t bone_count,
                                             std::span<const std::vector<Influence>> rows);

  [[nodiscard]] std::size_t vertex_count() const { return row_begin_.size() - 1; }
  [[nodiscard]] std::size_t bone_count() const { return bone_count_; }
  [[nodiscard]] std::span<const Influence> row(std::size_t vertex) const {
    return std::span(influences_)
        .subspan(row_begin_[vertex], row_begin_[vertex + 1] - row_begin_[vertex]);
  }
  [[nodiscard]] std::size_t influence_count() const { return influences_.size(); }
  [[nodiscard]] std::size_t max_influences() const;
  [[nodiscard]] std::size_t unweighted_count() const;
  /// Sum of a bone's weights over all vertices.
  [[nodiscard]] std::vector<double> weight_per_bone() const;

  friend bool operator==(const SkinWeights&, const SkinWeights&) = default;

 private:
  std::size_t bone_count_ = 0;
  std::vector<std::size_t> row_begin_{0};
  std::vector<Influence> influences_;
};

/// The bone that weighs most on each vertex, the first of equals; -1 without weights.
[[nodiscard]] std::vector<int> dominant_bones(const SkinWeights& weights);

}  // namespace sinew
