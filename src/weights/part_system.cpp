// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/part_system.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

/// Bones solved at a time: bounds the memory of dense right-hand sides.
constexpr std::size_t kBonesAtATime = 32;

}  // namespace

std::vector<std::uint32_t> bones_of(std::span<const WeightSource> sources) {
  std::vector<std::uint32_t> bones;
  for (const WeightSource& source : sources)
    for (const Influence& influence : source.weights) bones.push_back(influence.bone);
  std::sort(bones.begin(), bones.end());
  bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
  return bones;
}

Status solve_part(const PreparedMesh& prepared, int part, std::span<const WeightSource> sources,
                  double least_weight, const Progress& progress,
                  std::vector<std::vector<Influence>>& rows) {
  const std::vector<VertexIndex>& members = prepared.parts.members[static_cast<std::size_t>(part)];
  const auto index_of = [&](VertexIndex v) {
    return static_cast<int>(std::lower_bound(members.begin(), members.end(), v) - members.begin());
  };
  std::vector<Eigen::Triplet<double>> entries;
  for (int m = 0; m < static_cast<int>(members.size()); ++m)
    for (SparseMatrix::InnerIterator entry(prepared.laplacian,
                                           members[static_cast<std::size_t>(m)]);
         entry; ++entry)
      if (entry.row() >= entry.col())
        entries.emplace_back(index_of(static_cast<VertexIndex>(entry.row())), m, entry.value());
  for (const WeightSource& source : sources) {
    const int m = index_of(source.vertex);
    entries.emplace_back(m, m, source.conductance);
  }
  const std::vector<std::uint32_t> bones = bones_of(sources);

  const auto size = static_cast<Eigen::Index>(members.size());
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  entries = {};
  SINEW_TRY(const SparseCholesky factor, SparseCholesky::factor(matrix));

  for (std::size_t first = 0; first < bones.size(); first += kBonesAtATime) {
    SINEW_CHECK(progress.checkpoint(
        "weights", static_cast<double>(first) / static_cast<double>(bones.size())));
    const std::size_t last = std::min(first + kBonesAtATime, bones.size());
    Eigen::MatrixXd arriving = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(last - first));
    for (const WeightSource& source : sources) {
      const int m = index_of(source.vertex);
      for (const Influence& influence : source.weights) {
        const auto bone = static_cast<std::size_t>(
            std::lower_bound(bones.begin(), bones.end(), influence.bone) - bones.begin());
        if (bone >= first && bone < last)
          arriving(m, static_cast<Eigen::Index>(bone - first)) +=
              source.conductance * influence.weight;
      }
    }
    const Eigen::MatrixXd solved = factor.solve(arriving);
    parallel_for(members.size(), [&](std::size_t m) {
      for (std::size_t bone = first; bone < last; ++bone) {
        const double weight =
            solved(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(bone - first));
        if (weight >= least_weight) rows[members[m]].push_back({bones[bone], weight});
      }
    });
  }
  return {};
}

}  // namespace sinew
