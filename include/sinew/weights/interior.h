// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/volume/bone_attachment.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {

struct InteriorOptions {
  int cells = VoxelGridOptions().cells;  // about so many cubes
  BoneRadius radius;                     // of bones
  enum class Filling {
    own,    // the tetrahedra that a mesh brings; cubes where it brings none
    cubes,  // in any mesh
  };
  Filling filling = Filling::own;  // whoever made tetrahedra has decided what hangs together; what
                                   // shows an interior fills with cubes in any case
};

/// The inside of a mesh at one resolution, with bones in it.
struct Interior {
  VoxelGrid grid;
  BoneAttachment bones;
};

/// The segments of all bones, one bone after the other.
[[nodiscard]] std::vector<Segment> all_segments(const BoneSegments& bones);

/// Fills a mesh with cubes and attaches its bones to their corners: what weights from the interior
/// are solved on, and what there is to see of it. `bones` are in the frame of the mesh; there may
/// be none. Fails with bad_argument for options that make no sense, and when cancelled. Cost: that
/// of make_voxel_grid and attach_bones.
[[nodiscard]] Result<Interior> make_interior(const PreparedMesh& prepared,
                                             const BoneSegments& bones,
                                             const InteriorOptions& options = {},
                                             const Progress& progress = {});

}  // namespace sinew
