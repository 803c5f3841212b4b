// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// [araplbs] section 6: [−Δ + H; D_WE] w = [H χ; 0] in the sense of least squares. With L the
// stiffness matrix, C = Λ H and K = L + C, the residual at vertex i is (K w − C χ)_i / Λ_i, so that
// the normal equations are (K Λ⁻² K + Dᵀ D) w = K Λ⁻² C χ.
#include "weights/wired_parts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/disjoint_sets.h"
#include "core/parallel.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

/// Bones solved at a time: bounds the memory of dense right-hand sides.
constexpr std::size_t kBonesAtATime = 32;
/// Of the mean measure: the residual of a vertex that has hardly any must not drown all others.
constexpr double kLeastMeasureRel = 0.05;

/// The larger of the two, bone by bone.
void raise(std::vector<Influence>& row, std::uint32_t bone, double weight) {
  const auto found = std::lower_bound(
      row.begin(), row.end(), bone,
      [](const Influence& influence, std::uint32_t wanted) { return influence.bone < wanted; });
  if (found != row.end() && found->bone == bone)
    found->weight = std::max(found->weight, weight);
  else
    row.insert(found, {bone, weight});
}

/// In ascending order.
std::vector<VertexIndex> members_of(const MeshParts& parts, const WiredGroup& group) {
  std::vector<VertexIndex> members;
  for (const int part : group.parts) {
    const auto& of_part = parts.members[static_cast<std::size_t>(part)];
    members.insert(members.end(), of_part.begin(), of_part.end());
  }
  std::ranges::sort(members);
  return members;
}

}  // namespace

std::vector<WiredGroup> wired_groups(const PreparedMesh& prepared, const std::vector<bool>& parts,
                                     std::span<const Edge> wires) {
  const auto is_solved = [&](VertexIndex v) {
    const int part = prepared.parts.of_vertex[v];
    return part >= 0 && parts[static_cast<std::size_t>(part)];
  };
  const auto part_of = [&](VertexIndex v) {
    return static_cast<std::size_t>(prepared.parts.of_vertex[v]);
  };
  DisjointSets joined(parts.size());
  std::vector<Edge> solved;
  for (const Edge& wire : wires) {
    if (wire[0] == wire[1] || !is_solved(wire[0]) || !is_solved(wire[1])) continue;
    solved.push_back(wire);
    joined.join(part_of(wire[0]), part_of(wire[1]));
  }
  std::map<std::uint32_t, WiredGroup> groups;  // by the part that leads them
  for (const Edge& wire : solved) groups[joined.find(part_of(wire[0]))].wires.push_back(wire);
  for (std::size_t part = 0; part < parts.size(); ++part)
    if (const auto group = groups.find(joined.find(part)); group != groups.end())
      group->second.parts.push_back(static_cast<int>(part));
  std::vector<WiredGroup> result;
  for (auto& [root, group] : groups) result.push_back(std::move(group));
  return result;
}

Status raise_by_wires(const PreparedMesh& prepared, const WiredGroup& group,
                      std::span<const WeightSource> sources, const HeatOptions& options,
                      const Progress& progress, std::vector<std::vector<Influence>>& rows) {
  const std::vector<VertexIndex> members = members_of(prepared.parts, group);
  const auto index_of = [&](VertexIndex v) {
    return static_cast<int>(std::lower_bound(members.begin(), members.end(), v) - members.begin());
  };
  const auto size = static_cast<Eigen::Index>(members.size());

  std::vector<Eigen::Triplet<double>> entries;
  double total = 0;
  for (int m = 0; m < static_cast<int>(size); ++m) {
    const VertexIndex v = members[static_cast<std::size_t>(m)];
    total += prepared.graph.vertex_measure[v];
    for (SparseMatrix::InnerIterator entry(prepared.laplacian, v); entry; ++entry)
      entries.emplace_back(index_of(static_cast<VertexIndex>(entry.row())), m, entry.value());
  }
  for (const WeightSource& source : sources) {
    const int m = index_of(source.vertex);
    entries.emplace_back(m, m, source.conductance);
  }
  const std::vector<std::uint32_t> bones = bones_of(sources);
  SparseMatrix heat(size, size);  // K
  heat.setFromTriplets(entries.begin(), entries.end());
  const double least = kLeastMeasureRel * total / static_cast<double>(size);
  Eigen::VectorXd per_residual(size);  // Λ⁻²
  for (Eigen::Index m = 0; m < size; ++m) {
    const double measure =
        std::max(least, prepared.graph.vertex_measure[members[static_cast<std::size_t>(m)]]);
    per_residual[m] = 1 / (measure * measure);
  }
  const SparseMatrix weighted = heat * per_residual.asDiagonal();  // K Λ⁻²

  entries.clear();
  for (const auto& [k, l] : group.wires) {
    const double length_squared =
        (prepared.mesh.positions()[k] - prepared.mesh.positions()[l]).squaredNorm();
    const double d = options.wire_stiffness * std::exp(-length_squared);
    const auto [low, high] = std::minmax({index_of(k), index_of(l)});
    entries.emplace_back(low, low, d * d);
    entries.emplace_back(high, high, d * d);
    entries.emplace_back(high, low, -d * d);
  }
  SparseMatrix wires(size, size);
  wires.setFromTriplets(entries.begin(), entries.end());
  const SparseMatrix normal =
      wires + SparseMatrix(SparseMatrix(weighted * heat).triangularView<Eigen::Lower>());
  SINEW_TRY(const SparseCholesky factor, SparseCholesky::factor(normal));

  for (std::size_t first = 0; first < bones.size(); first += kBonesAtATime) {
    SINEW_CHECK(progress.checkpoint(
        "weights", static_cast<double>(first) / static_cast<double>(bones.size())));
    const std::size_t last = std::min(first + kBonesAtATime, bones.size());
    Eigen::MatrixXd arriving = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(last - first));
    for (const WeightSource& source : sources)
      for (const Influence& influence : source.weights) {
        const auto bone = static_cast<std::size_t>(
            std::lower_bound(bones.begin(), bones.end(), influence.bone) - bones.begin());
        if (bone >= first && bone < last)
          arriving(index_of(source.vertex), static_cast<Eigen::Index>(bone - first)) +=
              source.conductance * influence.weight;
      }
    const Eigen::MatrixXd solved = factor.solve(weighted * arriving);
    if (!solved.allFinite())
      return Error{ErrorCode::bad_argument, "", "the heat of wired parts has no solution"};
    parallel_for(members.size(), [&](std::size_t m) {
      for (std::size_t bone = first; bone < last; ++bone) {
        const double weight =
            solved(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(bone - first));
        if (weight >= options.least_weight) raise(rows[members[m]], bones[bone], weight);
      }
    });
  }
  return {};
}

}  // namespace sinew
