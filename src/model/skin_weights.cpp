// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/skin_weights.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sinew/core/parallel.h"

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

/// Makes a row sum to one; a row without any weight becomes empty.
void scale_row(std::vector<Influence>& row, WeightRepairs& repairs) {
  double sum = 0;
  for (const Influence& influence : row) sum += influence.weight;
  if (!(sum > 0) || !std::isfinite(sum)) {
    ++repairs.unweighted;
    row.clear();
    return;
  }
  if (std::abs(sum - 1) > kWeightSumTolerance) ++repairs.sum_not_one;
  if (std::abs(sum - 1) > std::abs(repairs.worst_sum - 1)) repairs.worst_sum = sum;
  if (std::abs(sum - 1) <= kSumRounding) return;
  for (Influence& influence : row) influence.weight /= sum;
  std::erase_if(row, [](const Influence& influence) { return !(influence.weight > 0); });
}

void add_repairs(const WeightRepairs& added, WeightRepairs& all) {
  all.not_finite += added.not_finite;
  all.negative += added.negative;
  all.out_of_range += added.out_of_range;
  all.repeated += added.repeated;
  all.unweighted += added.unweighted;
  all.sum_not_one += added.sum_not_one;
  if (std::abs(added.worst_sum - 1) > std::abs(all.worst_sum - 1)) all.worst_sum = added.worst_sum;
}

}  // namespace

SkinWeights SkinWeights::mend(std::size_t bone_count, std::vector<std::size_t> row_begin,
                              std::vector<Influence> influences, WeightRepairs* repairs) {
  assert(!row_begin.empty() && row_begin.back() <= influences.size());
  const std::size_t count = row_begin.size() - 1;
  struct Mended {
    std::vector<std::size_t> row_sizes;
    std::vector<Influence> influences;
    WeightRepairs repairs;
  };
  std::vector<Mended> chunks(chunk_count(count, kDefaultGrain));
  parallel_for_chunks(count, kDefaultGrain, [&](ChunkRange range) {
    Mended& mended = chunks[range.begin / kDefaultGrain];
    mended.row_sizes.reserve(range.end - range.begin);
    mended.influences.reserve(row_begin[range.end] - row_begin[range.begin]);
    std::vector<Influence> row;
    for (std::size_t v = range.begin; v != range.end; ++v) {
      const auto raw = std::span<const Influence>(influences)
                           .subspan(row_begin[v], row_begin[v + 1] - row_begin[v]);
      mend_row(raw, bone_count, mended.repairs, row);
      scale_row(row, mended.repairs);
      mended.influences.insert(mended.influences.end(), row.begin(), row.end());
      mended.row_sizes.push_back(row.size());
    }
  });
  WeightRepairs found;
  SkinWeights weights;
  weights.bone_count_ = bone_count;
  weights.row_begin_.assign(1, 0);
  weights.row_begin_.reserve(row_begin.size());
  weights.influences_.reserve(influences.size());
  for (const Mended& mended : chunks) {
    for (const std::size_t size : mended.row_sizes)
      weights.row_begin_.push_back(weights.row_begin_.back() + size);
    weights.influences_.insert(weights.influences_.end(), mended.influences.begin(),
                               mended.influences.end());
    add_repairs(mended.repairs, found);
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
