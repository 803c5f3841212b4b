// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/bone_contacts.h"

#include <gtest/gtest.h>

#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "support/solids.h"

namespace sinew::test {
namespace {

using Touching = VoxelGridOptions::Touching;

std::vector<BoneContact> contacts_in(const PreparedCharacter& character, Touching touching,
                                     int cells) {
  VoxelGridOptions options;
  options.cells = cells;
  options.touching = touching;
  const VoxelGrid grid = checked(make_voxel_grid(character.prepared.mesh, options));
  const BoneCells nearest = find_bone_cells(character.prepared, character.segments);
  return find_bone_contacts(grid, character.prepared, character.skeleton, character.segments,
                            nearest.nearest);
}

/// A hand below two fingers that nearly touch all along.
PreparedCharacter two_fingers() {
  const MeshData fingers = together(cylinder(-0.51, 0, 0.5, 4), cylinder(0.51, 0, 0.5, 4));
  return prepared(make_mesh(fingers),
                  placed_skeleton({{"hand", -1, Vec3(0, -1, 0), {}},
                                   {"index", 0, Vec3(-0.51, 0, 0), Vec3(-0.51, 4, 0)},
                                   {"middle", 0, Vec3(0.51, 0, 0), Vec3(0.51, 4, 0)}}));
}

TEST(BoneContacts, FingersWithCellsOfTheirOwnAreKeptApart) {
  const auto contacts = contacts_in(two_fingers(), Touching::split, 12'000);
  ASSERT_FALSE(contacts.empty());
  EXPECT_EQ(contacts[0].bone, 1);
  EXPECT_EQ(contacts[0].other, 2);
  EXPECT_GT(contacts[0].kept_apart, 10u) << "all along";
  for (const BoneContact& contact : contacts) EXPECT_EQ(contact.merged, 0u);
}

TEST(BoneContacts, FingersInOneCellAreMerged) {
  const auto contacts = contacts_in(two_fingers(), Touching::joined, 12'000);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].bone, 1);
  EXPECT_EQ(contacts[0].other, 2);
  EXPECT_EQ(contacts[0].kept_apart, 0u);
  EXPECT_GT(contacts[0].merged, 0u);
}

TEST(BoneContacts, OneBoneMayTouchItself) {
  const MeshData folds = together(cylinder(-0.51, 0, 0.5, 4), cylinder(0.51, 0, 0.5, 4));
  const PreparedCharacter character =
      prepared(make_mesh(folds), placed_skeleton({{"skirt", -1, Vec3(0, 0, 0), Vec3(0, 4, 0)}}));
  const auto contacts = contacts_in(character, Touching::split, 12'000);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].bone, 0);
  EXPECT_EQ(contacts[0].other, 0);
  EXPECT_GT(contacts[0].kept_apart, 10u);
}

TEST(BoneContacts, SkinAroundAJointAndClothesOnItTouchNothing) {
  const MeshData limb = limb_data({.sides = 24, .rings = 97});
  for (const MeshData& data : {limb, together(limb, sleeve_data(0.205))})
    for (const Touching touching : {Touching::split, Touching::joined})
      for (const auto& contact : contacts_in(prepared(limb_character(data)), touching, 3'000))
        EXPECT_EQ(contact.merged, 0u) << contact.bone << " " << contact.other;
}

}  // namespace
}  // namespace sinew::test
