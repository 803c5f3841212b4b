// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/character_level.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sinew/volume/bone_attachment.h"
#include "sinew/volume/element_matrices.h"
#include "sinew/volume/piece_ties.h"
#include "sinew/volume/voxel_grid.h"
#include "support/prepared_character.h"

namespace sinew::test {

CharacterLevel level_of(const Character& character, int cells) {
  const PreparedCharacter made = prepared(character);
  VoxelGridOptions options;
  options.cells = cells;
  const VoxelGrid grid = checked(make_voxel_grid(made.prepared.mesh, options));
  std::vector<Segment> segments;
  for (const int bone : made.segments.bones())
    std::ranges::copy(made.segments.of(bone), std::back_inserter(segments));
  const BoneAttachment bones =
      attach_bones(grid, made.prepared.surface, segments, made.segments.bone_count());
  CharacterLevel result;
  std::vector<int> handle_of_bone(bones.points.size(), -1);
  for (std::size_t bone = 0; bone < bones.points.size(); ++bone)
    if (bones.points[bone] > 0) handle_of_bone[bone] = static_cast<int>(result.bones++);
  for (const int bone : bones.bone_of_point)
    result.level.handle.push_back(bone < 0 ? -1 : handle_of_bone[static_cast<std::size_t>(bone)]);
  result.level.stiffness = stiffness_with(stiffness_of(grid.elements),
                                          tie_pieces(grid.elements, bones.bone_of_point).springs);
  result.level.mass = lumped_mass(grid.elements);
  return result;
}

}  // namespace sinew::test
