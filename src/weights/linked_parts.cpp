// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/linked_parts.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

using Rows = std::vector<std::vector<Influence>>;  // one per vertex

/// The weights at the far end of a link.
std::map<std::uint32_t, double> weights_at(const VertexLink& link, const Rows& rows) {
  std::map<std::uint32_t, double> weights;
  for (std::size_t c = 0; c < 3; ++c)
    for (const Influence& influence : rows[link.corners[c]])
      weights[influence.bone] += link.barycentric[c] * influence.weight;
  return weights;
}

/// How far apart two points of a part may be and still get about the same weights.
double evening_length(const PreparedMesh& prepared, const PartLink& link, double least) {
  if (!link.is_small) return least;
  Box box;
  for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(link.part)])
    box.extend(prepared.mesh.positions()[v]);
  return std::max(least, box.diagonal().norm());
}

/// Solves (L + C) w = C w_host on one part, C_vv = Λ_v / d²: the links are to it what bones are to
/// a body.
void solve_part(const PreparedMesh& prepared, const PartLink& link,
                const LinkedPartOptions& options, Rows& rows) {
  const std::vector<VertexIndex>& members =
      prepared.parts.members[static_cast<std::size_t>(link.part)];
  const auto index_of = [&](VertexIndex v) {
    return static_cast<int>(std::lower_bound(members.begin(), members.end(), v) - members.begin());
  };
  const double least = evening_length(prepared, link, options.least_gap_rel);

  std::vector<Eigen::Triplet<double>> entries;
  for (const VertexIndex v : members)
    for (SparseMatrix::InnerIterator entry(prepared.laplacian, v); entry; ++entry)
      if (entry.row() >= entry.col())
        entries.emplace_back(index_of(static_cast<VertexIndex>(entry.row())), index_of(v),
                             entry.value());
  std::map<std::uint32_t, int> column;  // of each bone that arrives
  std::vector<std::tuple<int, std::uint32_t, double>> arriving;
  for (const VertexLink& vertex_link : link.links) {
    const double distance = std::max(vertex_link.distance, least);
    const double conductance =
        prepared.graph.vertex_measure[vertex_link.vertex] / (distance * distance);
    const int u = index_of(vertex_link.vertex);
    entries.emplace_back(u, u, conductance);
    for (const auto& [bone, weight] : weights_at(vertex_link, rows)) {
      column.try_emplace(bone, 0);
      arriving.emplace_back(u, bone, conductance * weight);
    }
  }
  int columns = 0;
  for (auto& [bone, index] : column) index = columns++;

  const auto size = static_cast<Eigen::Index>(members.size());
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(size, columns);
  for (const auto& [u, bone, value] : arriving) right(u, column[bone]) += value;
  const Result<SparseCholesky> factor = SparseCholesky::factor(matrix);
  assert(factor.ok());  // a connected part with at least one link
  const Eigen::MatrixXd solved = factor->solve(right);
  for (std::size_t m = 0; m < members.size(); ++m) {
    std::vector<Influence>& row = rows[members[m]];
    for (const auto& [bone, c] : column) {
      const double weight = solved(static_cast<Eigen::Index>(m), c);
      if (weight >= options.least_weight) row.push_back({bone, weight});
    }
  }
}

}  // namespace

SkinWeights weights_for_linked_parts(const PreparedMesh& prepared, std::span<const PartLink> links,
                                     const SkinWeights& weights, const LinkedPartOptions& options) {
  Rows rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    rows[v].assign(weights.row(v).begin(), weights.row(v).end());
  for (const PartLink& link : links) {
    for (const VertexIndex v : prepared.parts.members[static_cast<std::size_t>(link.part)])
      rows[v].clear();
    solve_part(prepared, link, options, rows);
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

}  // namespace sinew
