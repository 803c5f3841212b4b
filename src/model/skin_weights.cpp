// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/skin_weights.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sinew {
namespace {

/// A sum this close to one is one: a row that was scaled before must keep its bits.
constexpr double kSumRounding = 1e-15;

/// Keeps the usable weights of one row, sorted, each bone once; counts what it drops.
void mend_row(std::span<const Influence> raw, std::size_t bone_count, WeightRepairs& repairs,
              std::vector<Influence>& row) {
  row.clear();
  for (const Influence& influence : raw) {
    if (!std::isfinite(influence.weight)) {
      ++repairs.not_finite;
    } else if (influence.weight < 0) {
      ++repairs.negative;
    } else if (influence.weight > 0) {
      if (influence.bone >= bone_count)
        ++repairs.out_of_range;
      else
        row.push_back(influence);
    }
  }
  std::stable_sort(row.begin(), row.end(),
                   [](const Influence& a, const Influence& b) { return a.bone < b.bone; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (kept > 0 && row[kept - 1].bone == row[i].bone)
      row[kept - 1].weight += row[i].weight;
    else
      row[kept++] = row[i];
  }
  if (kept < row.size()) ++repairs.repeated;
  row.resize(kept);
}

}  // namespace

SkinWeights SkinWeights::mend(std::size_t bone_count, std::vector<std::size_t> row_begin,
                              std::vector<Influence> influences, WeightRepairs* repairs) {
  assert(!row_begin.empty() && row_begin.back() <= influences.size());
  WeightRepairs found;
  SkinWeights weights;
  weights.bone_count_ = bone_count;
  weights.row_begin_.assign(1, 0);
  weights.row_begin_.reserve(row_begin.size());
  weights.influences_.reserve(influences.size());
  std::vector<Influence> row;
  for (std::size_t v = 0; v + 1 < row_begin.size(); ++v) {
    const auto raw = std::span<const Influence>(influences)
                         .subspan(row_begin[v], row_begin[v + 1] - row_begin[v]);
    mend_row(raw, bone_count, found, row);
    double sum = 0;
    for (const Influence& influence : row) sum += influence.weight;
    if (!(sum > 0) || !std::isfinite(sum)) {
      ++found.unweighted;
    } else {
      if (std::abs(sum - 1) > kWeightSumTolerance) ++found.sum_not_one;
      if (std::abs(sum - 1) > std::abs(found.worst_sum - 1)) found.worst_sum = sum;
      for (const Influence& influence : row) {
        const double scaled =
            std::abs(sum - 1) <= kSumRounding ? influence.weight : influence.weight / sum;
        if (scaled > 0) weights.influences_.push_back({influence.bone, scaled});
      }
    }
    weights.row_begin_.push_back(weights.influences_.size());
  }
  if (repairs != nullptr) *repairs = found;
  return weights;
}

SkinWeights SkinWeights::from_rows(std::size_t bone_count,
                                   std::span<const std::vector<Influence>> rows) {
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  row_begin.reserve(rows.size() + 1);
  for (const std::vector<Influence>& row : rows) {
    influences.insert(influences.end(), row.begin(), row.end());
    row_begin.push_back(influences.size());
  }
  return mend(bone_count, std::move(row_begin), std::move(influences));
}

std::size_t SkinWeights::max_influences() const {
  std::size_t most = 0;
  for (std::size_t v = 0; v < vertex_count(); ++v) most = std::max(most, row(v).size());
  return most;
}

std::size_t SkinWeights::unweighted_count() const {
  std::size_t count = 0;
  for (std::size_t v = 0; v < vertex_count(); ++v) count += row(v).empty();
  return count;
}

std::vector<double> SkinWeights::weight_per_bone() const {
  std::vector<double> sums(bone_count_, 0);
  for (const Influence& influence : influences_) sums[influence.bone] += influence.weight;
  return sums;
}

std::vector<int> dominant_bones(const SkinWeights& weights) {
  std::vector<int> dominant(weights.vertex_count(), -1);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double most = 0;
    for (const auto& [bone, weight] : weights.row(v)) {
      if (weight <= most) continue;
      most = weight;
      dominant[v] = static_cast<int>(bone);
    }
  }
  return dominant;
}

}  // namespace sinew
