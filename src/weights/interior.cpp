// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/interior.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace sinew {

std::vector<Segment> all_segments(const BoneSegments& bones) {
  std::vector<Segment> all;
  for (const int bone : bones.bones()) std::ranges::copy(bones.of(bone), std::back_inserter(all));
  return all;
}

Result<Interior> make_interior(const PreparedMesh& prepared, const BoneSegments& bones,
                               const InteriorOptions& options, const Progress& progress) {
  if (!(options.radius.share >= 0) || !std::isfinite(options.radius.share))
    return Error{ErrorCode::bad_argument, "bone_radius", "it must be a number from 0 on"};
  VoxelGridOptions filling;
  filling.cells = options.cells;
  SINEW_TRY(VoxelGrid grid, make_voxel_grid(prepared.mesh, filling, progress));
  BoneAttachment attached =
      attach_bones(grid, prepared.surface, all_segments(bones), bones.bone_count(), options.radius);
  return Interior{std::move(grid), std::move(attached)};
}

}  // namespace sinew
