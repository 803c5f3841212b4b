// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/laplacian_filter.h"

#include <algorithm>
#include <functional>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

/// The point of the simplex { w ≥ 0, Σw = 1 } nearest to these values: all are lowered by the same
/// amount, and those that would be negative are zero.
void project_to_simplex(std::vector<Influence>& row) {
  std::vector<double> sorted;
  for (const Influence& influence : row) sorted.push_back(influence.weight);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double lowered_by = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1) / static_cast<double>(k + 1);
    if (sorted[k] > candidate) lowered_by = candidate;
  }
  for (Influence& influence : row) influence.weight = std::max(influence.weight - lowered_by, 0.0);
}

}  // namespace

SkinWeights laplacian_filter(const SkinWeights& weights, const SparseMatrix& laplacian,
                             const std::vector<bool>& vertices) {
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  parallel_for(rows.size(), [&](std::size_t v) {
    std::vector<Influence>& row = rows[v];
    row.assign(weights.row(v).begin(), weights.row(v).end());
    if (!vertices[v]) return;
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
    for (Influence& influence : mean) influence.weight /= conducted;
    project_to_simplex(mean);
    row = std::move(mean);
  });
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
