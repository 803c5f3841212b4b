// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/formats/import.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/volume/bone_attachment.h"
#include "sinew/volume/voxel_grid.h"
#include "support/models.h"
#include "support/prepared_character.h"

namespace sinew::test {
namespace {

Character character_at(const std::filesystem::path& path) {
  const Imported imported = checked(read_any(path));
  return checked(read_characters(imported.document)).at(0).character;
}

std::vector<Segment> segments_of(const PreparedCharacter& character, const SkinWeights& weights,
                                 double least_weight) {
  std::vector<double> most(character.skeleton.bone_count(), 0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    for (const Influence& influence : weights.row(v))
      most[influence.bone] = std::max<double>(most[influence.bone], influence.weight);
  std::vector<Segment> segments;
  for (const int bone : character.segments.bones())
    if (most[static_cast<std::size_t>(bone)] > least_weight)
      for (const Segment& segment : character.segments.of(bone)) segments.push_back(segment);
  return segments;
}

VoxelGrid grid_of(const PreparedCharacter& character, int cells_of_diagonal) {
  VoxelGridOptions options;
  options.cell_size = 1.0 / cells_of_diagonal;
  return checked(make_voxel_grid(character.prepared.mesh, options));
}

struct Held {
  std::size_t bones = 0, helped = 0, outside = 0, unresolved = 0;
};

/// Of the bones that somewhere weigh more than this.
Held attach(const Character& file, const PreparedCharacter& character, int cells_of_diagonal,
            const BoneRadius& radius, double least_weight) {
  const VoxelGrid grid = grid_of(character, cells_of_diagonal);
  const auto segments = segments_of(character, file.weights, least_weight);
  const BoneAttachment attachment = attach_bones(grid, character.prepared.surface, segments,
                                                 character.skeleton.bone_count(), radius);
  std::set<int> bones;
  for (const Segment& segment : segments)
    if (!segment.is_virtual) bones.insert(segment.bone);
  for (const int bone : bones)
    EXPECT_EQ(attachment.points[static_cast<std::size_t>(bone)] == 0,
              std::ranges::count(attachment.outside, bone) > 0);
  return {bones.size(), attachment.helped.size(), attachment.outside.size(),
          attachment.unresolved.size()};
}

constexpr BoneRadius kByVoxels{BoneRadius::Rule::voxels, 0};

TEST(RealAttachments, EveryBoneOfCesiumManHasPointsOfItsOwn) {
  SINEW_REAL_MODEL(path, "khronos/CesiumMan.glb");
  const Character file = character_at(path);
  const PreparedCharacter character = prepared(file);
  for (const int cells : {50, 60, 80})
    for (const BoneRadius& radius : {kByVoxels, BoneRadius{}}) {
      const Held held = attach(file, character, cells, radius, 0);
      EXPECT_EQ(held.bones, 19u);
      EXPECT_EQ(held.helped, 0u) << cells;
      EXPECT_EQ(held.outside, 0u) << cells;
    }
}

TEST(RealAttachments, FewBonesOfABodyWithAFaceAndToesAreHelped) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_body.glb");
  const Character file = character_at(path);
  const PreparedCharacter character = prepared(file);
  for (const BoneRadius& radius : {kByVoxels, BoneRadius{}}) {
    const Held coarse = attach(file, character, 80, radius, 0.3);
    EXPECT_EQ(coarse.bones, 119u);
    EXPECT_LE(coarse.helped, 11u);  // two of them lie in one place, left and right
    EXPECT_EQ(coarse.outside, 0u);
    const Held fine = attach(file, character, 120, radius, 0.3);
    EXPECT_LE(fine.helped, 5u);
    EXPECT_LE(fine.unresolved, coarse.unresolved);
  }
}

TEST(RealAttachments, RadiiAreResolvedByManyCells) {
  SINEW_REAL_MODEL(path, "khronos/CesiumMan.glb");
  const Character file = character_at(path);
  const PreparedCharacter character = prepared(file);
  EXPECT_GE(attach(file, character, 60, {}, 0).unresolved, 10u);
  EXPECT_LE(attach(file, character, 200, {}, 0).unresolved, 5u);
}

}  // namespace
}  // namespace sinew::test
