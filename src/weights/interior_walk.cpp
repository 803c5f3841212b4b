// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/interior_walk.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/parallel.h"
#include "sinew/math/sparse_cholesky.h"
#include "sinew/volume/bone_attachment.h"
#include "sinew/volume/element_matrices.h"
#include "sinew/volume/piece_ties.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {
namespace {

constexpr double kLeastChance = 1e-4;

/// The chances at every point of the interior, one column for each bone; those on bones are known.
Result<Eigen::MatrixXd> chances(const Elements& elements, const std::vector<int>& bone_of_point,
                                std::size_t bone_count) {
  const PieceTies ties = tie_pieces(elements, bone_of_point);
  const SparseMatrix stiffness =
      stiffness_with(stiffness_of(elements, CubeEnergy::pairs), ties.springs);
  std::vector<int> free(bone_of_point.size(), -1);
  int unknowns = 0;
  for (std::size_t p = 0; p < free.size(); ++p)
    if (bone_of_point[p] < 0 && stiffness.coeff(static_cast<int>(p), static_cast<int>(p)) > 0)
      free[p] = unknowns++;
  Eigen::MatrixXd at_points =
      Eigen::MatrixXd::Zero(std::ssize(bone_of_point), static_cast<Eigen::Index>(bone_count));
  for (std::size_t p = 0; p < free.size(); ++p)
    if (bone_of_point[p] >= 0) at_points(static_cast<Eigen::Index>(p), bone_of_point[p]) = 1;
  if (unknowns == 0) return at_points;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(unknowns, static_cast<Eigen::Index>(bone_count));
  for (int column = 0; column < stiffness.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(stiffness, column); entry; ++entry) {
      const int row = free[static_cast<std::size_t>(entry.row())];
      const int other = free[static_cast<std::size_t>(column)];
      const int bone = bone_of_point[static_cast<std::size_t>(column)];
      if (row < 0) continue;
      if (other >= 0) entries.emplace_back(row, other, entry.value());
      if (bone >= 0) right(row, bone) -= entry.value();
    }
  SparseMatrix system(unknowns, unknowns);
  system.setFromTriplets(entries.begin(), entries.end());
  SINEW_TRY(const SparseCholesky factor, SparseCholesky::factor(system));
  const Eigen::MatrixXd solved = factor.solve(right);
  for (std::size_t p = 0; p < free.size(); ++p)
    if (free[p] >= 0) at_points.row(static_cast<Eigen::Index>(p)) = solved.row(free[p]);
  return at_points;
}

}  // namespace

Result<SkinWeights> interior_walk(const PreparedMesh& prepared, const BoneSegments& bones,
                                  const InteriorWalkOptions& options, const Progress& progress) {
  VoxelGridOptions filling;
  filling.cells = options.cells;
  SINEW_TRY(const VoxelGrid grid, make_voxel_grid(prepared.mesh, filling, progress.within(0, 0.5)));
  std::vector<Segment> segments;
  for (const int bone : bones.bones())
    std::ranges::copy(bones.of(bone), std::back_inserter(segments));
  const BoneAttachment attached = attach_bones(grid, prepared.surface, segments, bones.bone_count(),
                                               {BoneRadius::Rule::voxels});
  SINEW_CHECK(progress.checkpoint("weights", 0.6));
  std::vector<std::vector<Influence>> rows(prepared.mesh.vertex_count());
  if (std::ranges::any_of(attached.points, [](std::size_t points) { return points > 0; })) {
    SINEW_TRY(const Eigen::MatrixXd at_points,
              chances(grid.elements, attached.bone_of_point, bones.bone_count()));
    const Eigen::MatrixXd at_vertices = at_embedded(grid.embedding, at_points);
    parallel_for(rows.size(), [&](std::size_t v) {
      for (Eigen::Index bone = 0; bone < at_vertices.cols(); ++bone)
        if (const double chance = at_vertices(static_cast<Eigen::Index>(v), bone);
            chance > kLeastChance)
          rows[v].push_back({static_cast<std::uint32_t>(bone), chance});
    });
  }
  return SkinWeights::from_rows(bones.bone_count(), rows);
}

}  // namespace sinew
