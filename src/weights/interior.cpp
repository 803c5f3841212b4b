// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/interior.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace sinew {

Result<Interior> make_interior(const PreparedMesh& prepared, const BoneSegments& bones,
                               const InteriorOptions& options, const Progress& progress) {
  if (!(options.radius.share >= 0) || !std::isfinite(options.radius.share))
    return Error{ErrorCode::bad_argument, "bone_radius", "it must be a number from 0 on"};
  std::vector<Segment> segments;
  for (const int bone : bones.bones())
    std::ranges::copy(bones.of(bone), std::back_inserter(segments));
  VoxelGridOptions filling;
  filling.cells = options.cells;
  SINEW_TRY(VoxelGrid grid, make_voxel_grid(prepared.mesh, filling, progress));
  BoneAttachment attached =
      attach_bones(grid, prepared.surface, segments, bones.bone_count(), options.radius);
  return Interior{std::move(grid), std::move(attached)};
}

}  // namespace sinew
