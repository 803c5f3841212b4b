// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/laplacian_filter.h"

#include <algorithm>

#include "core/parallel.h"

namespace sinew {
namespace {

/// A bone weaker than this takes only a part of what its neighbours have. One that capping left
/// with nothing must stay at nothing: on a mirror plane, rounding decides which of two equals that
/// is.
constexpr double kFaint = 0.04;

}  // namespace

SkinWeights laplacian_filter(const SkinWeights& weights, const SparseMatrix& laplacian) {
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  parallel_for(rows.size(), [&](std::size_t v) {
    std::vector<Influence>& row = rows[v];
    row.assign(weights.row(v).begin(), weights.row(v).end());
    std::vector<Influence> mean = row;
    for (Influence& influence : mean) influence.weight = 0;
    double conducted = 0;
    double arrived = 0;
    for (SparseMatrix::InnerIterator entry(laplacian, static_cast<Eigen::Index>(v)); entry;
         ++entry) {
      const auto neighbour = static_cast<std::size_t>(entry.row());
      if (neighbour == v) continue;
      conducted -= entry.value();
      auto mine = mean.begin();  // both rows are sorted by bone
      for (const Influence& theirs : weights.row(neighbour)) {
        while (mine != mean.end() && mine->bone < theirs.bone) ++mine;
        if (mine == mean.end()) break;
        if (mine->bone != theirs.bone) continue;
        mine->weight -= entry.value() * theirs.weight;
        arrived -= entry.value() * theirs.weight;
      }
    }
    if (!(arrived > 0)) return;
    for (std::size_t j = 0; j < mean.size(); ++j)
      mean[j].weight *= std::min(1.0, row[j].weight / kFaint) / conducted;
    row = std::move(mean);
  });
  // Rows are scaled to one, which leaves at nothing what is at nothing.
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
