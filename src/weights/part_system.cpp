// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/part_system.h"

#include <algorithm>

#include "core/parallel.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

/// Bones solved at a time: bounds the memory of dense right-hand sides.
constexpr std::size_t kBonesAtATime = 32;

/// L + C of a part, its lower triangle. Members ascend, so that entries come in their order; the
/// diagonal comes first, also where the Laplacian has nothing there.
SparseMatrix part_matrix(const SparseMatrix& laplacian, std::span<const VertexIndex> members,
                         std::span<const int> places, std::span<const WeightSource> sources) {
  std::vector<int> begin{0};
  std::vector<int> rows;
  std::vector<double> values;
  for (const VertexIndex v : members) {
    rows.push_back(places[v]);
    values.push_back(0);
    for (SparseMatrix::InnerIterator entry(laplacian, v); entry; ++entry) {
      if (entry.row() == entry.col())
        values[static_cast<std::size_t>(begin.back())] += entry.value();
      if (entry.row() <= entry.col()) continue;
      rows.push_back(places[static_cast<std::size_t>(entry.row())]);
      values.push_back(entry.value());
    }
    begin.push_back(static_cast<int>(rows.size()));
  }
  for (const WeightSource& source : sources)
    values[static_cast<std::size_t>(begin[static_cast<std::size_t>(places[source.vertex])])] +=
        source.conductance;
  const auto size = static_cast<Eigen::Index>(members.size());
  return Eigen::Map<const SparseMatrix>(size, size, static_cast<Eigen::Index>(rows.size()),
                                        begin.data(), rows.data(), values.data());
}

}  // namespace

std::vector<std::uint32_t> bones_of(std::span<const WeightSource> sources) {
  std::vector<std::uint32_t> bones;
  for (const WeightSource& source : sources)
    for (const Influence& influence : source.weights) bones.push_back(influence.bone);
  std::sort(bones.begin(), bones.end());
  bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
  return bones;
}

std::vector<int> places_in_parts(const MeshParts& parts) {
  std::vector<int> places(parts.of_vertex.size(), -1);
  for (const std::vector<VertexIndex>& members : parts.members)
    for (std::size_t m = 0; m < members.size(); ++m) places[members[m]] = static_cast<int>(m);
  return places;
}

Status solve_part(const PreparedMesh& prepared, int part, std::span<const int> places,
                  std::span<const WeightSource> sources, double least_weight,
                  const Progress& progress, std::vector<std::vector<Influence>>& rows) {
  const std::vector<VertexIndex>& members = prepared.parts.members[static_cast<std::size_t>(part)];
  const std::vector<std::uint32_t> bones = bones_of(sources);
  const auto size = static_cast<Eigen::Index>(members.size());
  const SparseMatrix matrix = part_matrix(prepared.laplacian, members, places, sources);
  SINEW_TRY(const SparseCholesky factor, SparseCholesky::factor(matrix));

  for (std::size_t first = 0; first < bones.size(); first += kBonesAtATime) {
    SINEW_CHECK(progress.checkpoint(
        "weights", static_cast<double>(first) / static_cast<double>(bones.size())));
    const std::size_t last = std::min(first + kBonesAtATime, bones.size());
    Eigen::MatrixXd arriving = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(last - first));
    for (const WeightSource& source : sources) {
      const int m = places[source.vertex];
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
