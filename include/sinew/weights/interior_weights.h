// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skin_weights.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/volume/own_tetrahedra.h"
#include "sinew/weights/bounded_biharmonic.h"
#include "sinew/weights/interior.h"

namespace sinew {

/// What weights from the interior of a mesh stand on.
struct InteriorReport {
  enum class Kind { cubes, tetrahedra };
  Kind kind = Kind::cubes;
  std::size_t cells = 0, points = 0;
  double cell_size_rel = 0;  // the edge of a cube, or the mean one of tetrahedra, of the diagonal
  std::size_t flat_tetrahedra = 0;   // of no volume, which are left out
  std::size_t outside_vertices = 0;  // that no tetrahedron refers to: they move with the nearest
  std::size_t pieces = 0;            // of the interior, connected
  std::size_t tied_pieces = 0;       // that no bone holds: they move with what they sit on
  std::size_t distant_pieces = 0;    // of these, that float beyond contact
  std::vector<int> helped_bones;     // left without a point: each was given the nearest
  std::vector<int> outside_bones;  // far from the interior, or no point is left: they hold nothing
  std::vector<int> unresolved_bones;    // too thin for the cells: they hold what they pass through
  std::size_t vertices_by_nearest = 0;  // that no weight reaches: they take their nearest bone
  BoundedBiharmonicReport solve;        // its levels from coarse to fine
};

/// Bounded biharmonic weights where they are solved.
struct SolvedInterior {
  Interior interior;
  /// Of every point of its grid: what each bone weighs there, above 0. Rows add up to about one;
  /// empty where no weight reaches, and everywhere without bones.
  std::vector<std::vector<Influence>> of_points;
  InteriorReport report;  // but for vertices_by_nearest
};

struct InteriorWeights {
  SkinWeights weights;  // per welded vertex; every row sums to one
  InteriorReport report;
};

/// What interior_weights solves on, with these options: the tetrahedra that the mesh brings, or
/// nothing where it fills the mesh with cubes.
[[nodiscard]] std::optional<OwnTetrahedra> own_interior(const PreparedMesh& prepared,
                                                        const InteriorOptions& options);

/// Bounded biharmonic weights of bones, solved on cubes that fill the mesh, whatever the mesh is
/// like. Bones are capsules in it. Levels of a quarter of the cells each lead from about 4,000
/// cells to all of them. `bones` are in the frame of the mesh; tetrahedra that a mesh brings are
/// not looked at. The same bits for any number of threads. Fails with bad_argument for options that
/// make no sense, and when cancelled. Cost: that of make_voxel_grid and bounded_biharmonic_weights.
/// Follows [bbw]; bones in cubes follow [elasticity] section 4.1.
[[nodiscard]] Result<SolvedInterior> solve_interior(const PreparedMesh& prepared,
                                                    const BoneSegments& bones,
                                                    const InteriorOptions& options = {},
                                                    const Progress& progress = {});

/// What weights at the points of an interior are at what is embedded in it. Rows are scaled to one:
/// smooth weights of several bones add up to about that. Weights that nobody would see are left
/// out; a row is empty where no weight reaches.
[[nodiscard]] std::vector<std::vector<Influence>> rows_at(
    const Embedding& embedding, std::span<const std::vector<Influence>> of_points);

/// The same as solve_interior, but on the tetrahedra that a mesh brings where it brings some and
/// the options do not ask for cubes, taken from there to the vertices of the mesh by rows_at. To
/// more than 8,000 points of tetrahedra, levels of cubes lead. Guarantee: every row sums to one;
/// where no weight reaches, it is that of `cells`.
[[nodiscard]] Result<InteriorWeights> interior_weights(const PreparedMesh& prepared,
                                                       const BoneSegments& bones,
                                                       const BoneCells& cells,
                                                       const InteriorOptions& options = {},
                                                       const Progress& progress = {});

}  // namespace sinew
