// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/heat.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

/// Bones solved at a time: bounds the memory of dense right-hand sides.
constexpr std::size_t kBonesAtATime = 32;

/// Λ_i H_ii of every vertex; 0 where it does not see its bone, or is not to be solved.
Eigen::VectorXd heat_sources(const PreparedMesh& prepared, const BoneCells& cells,
                             const std::vector<bool>& parts, double least_distance,
                             std::vector<int>& blind_parts) {
  Eigen::VectorXd sources = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(cells.distance.size()));
  for (std::size_t part = 0; part < prepared.parts.count(); ++part) {
    if (!parts[part]) continue;
    const std::vector<VertexIndex>& members = prepared.parts.members[part];
    const bool is_blind = std::none_of(members.begin(), members.end(),
                                       [&](VertexIndex v) { return cells.is_seen[v]; });
    if (is_blind) blind_parts.push_back(static_cast<int>(part));
    for (const VertexIndex v : members) {
      if (!is_blind && !cells.is_seen[v]) continue;
      const double distance = std::max(cells.distance[v], least_distance);
      sources[v] = prepared.graph.vertex_measure[v] / (distance * distance);
    }
  }
  return sources;
}

}  // namespace

Result<HeatWeights> heat_weights(const PreparedMesh& prepared, const BoneCells& cells,
                                 const std::vector<bool>& parts, const HeatOptions& options,
                                 const Progress& progress) {
  HeatWeights result;
  const std::size_t vertices = prepared.mesh.vertex_count();
  const Eigen::VectorXd sources =
      heat_sources(prepared, cells, parts, options.least_distance_rel, result.blind_parts);

  // Unknowns are the vertices of the parts to solve.
  std::vector<int> unknown(vertices, -1);
  std::vector<VertexIndex> solved;
  for (VertexIndex v = 0; v < vertices; ++v) {
    const int part = prepared.parts.of_vertex[v];
    if (part < 0 || !parts[static_cast<std::size_t>(part)]) continue;
    unknown[v] = static_cast<int>(solved.size());
    solved.push_back(v);
  }
  const auto size = static_cast<Eigen::Index>(solved.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (const VertexIndex v : solved) {
    entries.emplace_back(unknown[v], unknown[v], sources[v]);
    for (SparseMatrix::InnerIterator entry(prepared.laplacian, v); entry; ++entry)
      if (entry.row() >= entry.col())
        entries.emplace_back(unknown[static_cast<std::size_t>(entry.row())], unknown[v],
                             entry.value());
  }
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  entries = {};
  SINEW_CHECK(progress.checkpoint("heat", 0));

  std::vector<std::vector<Influence>> rows(vertices);
  if (size > 0) {
    SINEW_TRY(const SparseCholesky factor, SparseCholesky::factor(matrix));
    std::vector<std::uint32_t> bones;  // that own a vertex; the others would get no heat
    const std::vector<double> owned = cells.owners.weight_per_bone();
    for (std::uint32_t bone = 0; bone < owned.size(); ++bone)
      if (owned[bone] > 0) bones.push_back(bone);

    for (std::size_t first = 0; first < bones.size(); first += kBonesAtATime) {
      SINEW_CHECK(progress.checkpoint(
          "heat", 0.2 + 0.8 * static_cast<double>(first) / static_cast<double>(bones.size())));
      const std::size_t count = std::min(kBonesAtATime, bones.size() - first);
      Eigen::MatrixXd heat = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(count));
      std::vector<int> column(owned.size(), -1);
      for (std::size_t c = 0; c < count; ++c) column[bones[first + c]] = static_cast<int>(c);
      for (Eigen::Index u = 0; u < size; ++u) {
        const VertexIndex v = solved[static_cast<std::size_t>(u)];
        for (const Influence& owner : cells.owners.row(v))
          if (column[owner.bone] >= 0) heat(u, column[owner.bone]) = sources[v] * owner.weight;
      }
      const Eigen::MatrixXd weights = factor.solve(heat);
      parallel_for(solved.size(), [&](std::size_t u) {
        for (std::size_t c = 0; c < count; ++c) {
          const double weight = weights(static_cast<Eigen::Index>(u), static_cast<Eigen::Index>(c));
          if (weight >= options.least_weight) rows[solved[u]].push_back({bones[first + c], weight});
        }
      });
    }
  }

  for (std::size_t v = 0; v < vertices; ++v) {
    if (prepared.parts.of_vertex[v] >= 0) continue;
    const std::span<const Influence> owners = cells.owners.row(v);
    rows[v].assign(owners.begin(), owners.end());
  }
  result.weights = SkinWeights::from_rows(cells.owners.bone_count(), rows);
  return result;
}

}  // namespace sinew
