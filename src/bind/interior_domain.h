// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/volume/embedding.h"
#include "sinew/weights/interior_weights.h"

namespace sinew {

/// The inside of a mesh, as something that weights are solved on in place of its surface.
struct InteriorDomain {
  /// Its vertices are the points of the interior; neighbours are the ends of a cube's edge. A cube
  /// counts by how much of it the mesh fills, and gives each corner an eighth of that, shared
  /// evenly by the three edges there. Seen and hidden is by the real surface.
  PreparedMesh mesh;
  Embedding embedding;    // of each welded vertex of the surface
  InteriorReport report;  // of its cells and pieces
};

/// Fills a mesh with cubes, about as many as `options` say, and hangs pieces that hold no bone on
/// what is nearest to them by wires. Parts that lie in one piece have no need of links: they move
/// as the piece does. `bones` are in the frame of `surface`.
/// Guarantee: every vertex that is not alone lies in a cube; the same bits for any number of
/// threads. Fails when cancelled. Cost: that of make_voxel_grid, however many triangles there are
/// after that.
[[nodiscard]] Result<InteriorDomain> make_interior_domain(const PreparedMesh& surface,
                                                          const BoneSegments& bones,
                                                          const InteriorOptions& options,
                                                          const Progress& progress);

/// Weights of the points of an interior at what is embedded there. Rows that sum to one give rows
/// that do.
[[nodiscard]] SkinWeights sample(const Embedding& embedding, const SkinWeights& of_points);

}  // namespace sinew
