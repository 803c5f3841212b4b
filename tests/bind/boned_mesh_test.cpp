// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/boned_mesh.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

TEST(BonedMesh, HasTheInteriorThatBindSolvesOn) {
  const Character hand = example("hand", 4'000);
  BindOptions options = by(BindMethod::bbw);
  options.interior.cells = 3'000;
  const InteriorReport in_bind = *bound(hand, options).report.interior;
  const BonedMesh boned = checked(prepare_boned_mesh(hand));
  const Interior interior = checked(make_interior(boned.mesh, boned.segments, options.interior));
  EXPECT_EQ(interior.grid.elements.size(), in_bind.cells);
  EXPECT_EQ(interior.grid.elements.cell_size, in_bind.cell_size_rel);
  EXPECT_EQ(interior.bones.helped, in_bind.helped_bones);
  EXPECT_EQ(interior.bones.unresolved, in_bind.unresolved_bones);
}

TEST(BonedMesh, OfBonesThatDoNotDeformIsAMeshAlone) {
  Character limb = limb_character(limb_data());
  limb.skeleton = limb.skeleton.with([](std::vector<Bone>& bones) {
    for (Bone& bone : bones) bone.deforms = false;
  });
  const BonedMesh boned = checked(prepare_boned_mesh(limb));
  EXPECT_FALSE(boned.cells);
  EXPECT_TRUE(boned.segments.bones().empty());
  EXPECT_EQ(boned.skeleton.bone_count(), 2u);
}

}  // namespace
}  // namespace sinew::test
