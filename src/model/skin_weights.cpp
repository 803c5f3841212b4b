// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/skin_weights.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/parallel.h"

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
  const std::size_t given = row.size();
  add_up_repeated(row);
  if (row.size() < given) ++repairs.repeated;
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

struct MendedRows {
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  WeightRepairs repairs;
};

template <class RowOf>
MendedRows mend_rows(std::size_t bone_count, std::size_t count, const RowOf& row_of) {
  struct Chunk {
    std::vector<std::size_t> row_sizes;
    std::vector<Influence> influences;
    WeightRepairs repairs;
  };
  std::vector<Chunk> chunks(chunk_count(count, kDefaultGrain));
  parallel_for_chunks(count, kDefaultGrain, [&](ChunkRange range) {
    Chunk& mended = chunks[range.begin / kDefaultGrain];
    mended.row_sizes.reserve(range.end - range.begin);
    std::size_t most = 0;
    for (std::size_t v = range.begin; v != range.end; ++v) most += row_of(v).size();
    mended.influences.reserve(most);
    std::vector<Influence> row;
    for (std::size_t v = range.begin; v != range.end; ++v) {
      mend_row(row_of(v), bone_count, mended.repairs, row);
      scale_row(row, mended.repairs);
      mended.influences.insert(mended.influences.end(), row.begin(), row.end());
      mended.row_sizes.push_back(row.size());
    }
  });
  MendedRows all;
  all.begin.reserve(count + 1);
  std::size_t influences = 0;
  for (const Chunk& mended : chunks) influences += mended.influences.size();
  all.influences.reserve(influences);
  for (const Chunk& mended : chunks) {
    for (const std::size_t size : mended.row_sizes) all.begin.push_back(all.begin.back() + size);
    all.influences.insert(all.influences.end(), mended.influences.begin(), mended.influences.end());
    add_repairs(mended.repairs, all.repairs);
  }
  return all;
}

}  // namespace

void add_up_repeated(std::vector<Influence>& row) {
  if (!std::ranges::is_sorted(row, {}, &Influence::bone))  // most are
    std::ranges::stable_sort(row, {}, &Influence::bone);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (kept > 0 && row[kept - 1].bone == row[i].bone)
      row[kept - 1].weight += row[i].weight;
    else
      row[kept++] = row[i];
  }
  row.resize(kept);
}

SkinWeights SkinWeights::mend(std::size_t bone_count, std::vector<std::size_t> row_begin,
                              std::vector<Influence> influences, WeightRepairs* repairs) {
  assert(!row_begin.empty() && row_begin.back() <= influences.size());
  MendedRows mended = mend_rows(bone_count, row_begin.size() - 1, [&](std::size_t v) {
    return std::span<const Influence>(influences)
        .subspan(row_begin[v], row_begin[v + 1] - row_begin[v]);
  });
  if (repairs != nullptr) *repairs = mended.repairs;
  SkinWeights weights;
  weights.bone_count_ = bone_count;
  weights.row_begin_ = std::move(mended.begin);
  weights.influences_ = std::move(mended.influences);
  return weights;
}

SkinWeights SkinWeights::from_rows(std::size_t bone_count,
                                   std::span<const std::vector<Influence>> rows) {
  MendedRows mended = mend_rows(bone_count, rows.size(),
                                [&](std::size_t v) { return std::span<const Influence>(rows[v]); });
  SkinWeights weights;
  weights.bone_count_ = bone_count;
  weights.row_begin_ = std::move(mended.begin);
  weights.influences_ = std::move(mended.influences);
  return weights;
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
