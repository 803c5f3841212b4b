// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/formats/import.h"
#include "sinew/gltf/gltf_character.h"
#include "support/fingers.h"
#include "support/models.h"
#include "volume/grid_looks.h"

namespace sinew::test {
namespace {

Character character_of(const std::filesystem::path& path) {
  const Imported imported = checked(read_any(path));
  return checked(read_characters(imported.document)).at(0).character;
}

VoxelGridOptions of_cells(int cells) {
  VoxelGridOptions options;
  options.cells = cells;
  return options;
}

struct BothWays {
  FingerContacts joined, split;
};

BothWays contacts_of(const Character& character, VoxelGridOptions options) {
  const Fingers fingers = fingers_of(character);
  BothWays both;
  both.split = finger_contacts(grid_of(character.mesh, options), fingers);
  options.touching = VoxelGridOptions::Touching::joined;
  both.joined = finger_contacts(grid_of(character.mesh, options), fingers);
  return both;
}

TEST(Hands, FingersOfABodyHoldTogetherAtTheirRootsAlone) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_body.glb");
  const Character character = character_of(path);
  const double diagonal = bounding_box(character.mesh.positions()).diagonal().norm();
  for (const int cells_per_diagonal : {60, 90, 130}) {
    VoxelGridOptions options;
    options.cell_size = diagonal / cells_per_diagonal;
    const auto [joined, split] = contacts_of(character, options);
    EXPECT_LE(2 * split.contacts, joined.contacts) << cells_per_diagonal;
    EXPECT_LT(split.cells_of_two, joined.cells_of_two) << cells_per_diagonal;
    EXPECT_GE(joined.contacts, 10u);
  }
}

TEST(Hands, FewTetrahedraOfABodyHoldTwoFingersAndOnlyWhereTheseMeet) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_body.glb");
  const auto [joined, split] = contacts_of(character_of(path), {});
  EXPECT_LE(3 * split.contacts, joined.contacts);
  EXPECT_LE(split.cells_of_two, 2u);
  EXPECT_GE(joined.tets_of_two, 20u);
  EXPECT_LE(split.tets_of_two, 2u);
  for (const std::string& names : split.names_of_two)
    EXPECT_TRUE(names == "finger4.L finger5.L" || names == "finger4.R finger5.R") << names;
}

TEST(Hands, NoTetrahedronHoldsTwoFingersOfABodyWithManyCells) {
  SINEW_REAL_MODEL(path, "makehuman/mh_male_body.glb");
  EXPECT_EQ(contacts_of(character_of(path), of_cells(100'000)).split.tets_of_two, 0u);
}

TEST(Hands, NoTetrahedronHoldsTwoFingersThatAreSpread) {
  SINEW_REAL_MODEL(path, "misc/generic-hand-left.glb");
  const Character character = character_of(path);
  EXPECT_EQ(fingers_of(character).names.size(), 5u);
  const FingerContacts split = contacts_of(character, {}).split;
  EXPECT_EQ(split.cells_of_two, 0u);
  EXPECT_EQ(split.tets_of_two, 0u);
}

}  // namespace
}  // namespace sinew::test
