// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/bone_cells.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"

namespace sinew::test {
namespace {

BoneCells cells_of(const PreparedCharacter& made, const CellOptions& options = {}) {
  return find_bone_cells(made.prepared, made.segments, options);
}

TEST(CellOptions, WithoutMoreDistanceForForksTheNearestSegmentDecides) {
  const PreparedCharacter hand = prepared(example("hand", 2'000));
  const BoneCells cells = cells_of(hand, {.fork_distance = 1});
  for (std::size_t v = 0; v < cells.nearest.size(); ++v) {
    double least = std::numeric_limits<double>::infinity();
    for (const int bone : hand.segments.bones())
      least =
          std::min(least, hand.segments.closest(hand.prepared.mesh.positions()[v], bone).distance);
    EXPECT_EQ(cells.distance[v], least) << v;
    EXPECT_EQ(hand.segments.closest(hand.prepared.mesh.positions()[v], cells.nearest[v]).distance,
              least)
        << v;
  }
}

TEST(CellOptions, FarForksKeepOnlyAPartOfTheirCells) {
  const PreparedCharacter hand = prepared(example("hand", 2'000));
  std::vector<bool> was_of_fork(hand.prepared.mesh.vertex_count(), true);
  std::size_t before = was_of_fork.size() + 1;
  for (const double fork_distance : {1.0, 1.3, 2.0}) {
    const BoneCells cells = cells_of(hand, {.fork_distance = fork_distance});
    std::size_t of_forks = 0;
    for (std::size_t v = 0; v < cells.nearest.size(); ++v) {
      const bool is_of_fork = hand.segments.is_fork(cells.nearest[v]);
      of_forks += is_of_fork;
      EXPECT_TRUE(was_of_fork[v] || !is_of_fork) << "a fork has gained " << v;
      was_of_fork[v] = is_of_fork;
      EXPECT_DOUBLE_EQ(
          cells.distance[v],
          hand.segments.closest(hand.prepared.mesh.positions()[v], cells.nearest[v]).distance)
          << "distances are what they are";
    }
    EXPECT_LT(of_forks, before) << fork_distance;
    EXPECT_GT(of_forks, 0u) << fork_distance;
    before = of_forks;
  }
}

TEST(BoneCells, AreSharedByAllBonesAboutAsNear) {
  constexpr double kShared = 2.5e-3;  // of the diagonal
  const PreparedCharacter biped = prepared(example("biped", 2'000));
  const BoneCells cells = cells_of(biped, {.fork_distance = 1.3});
  std::size_t shared = 0;
  for (std::size_t v = 0; v < cells.nearest.size(); ++v) {
    std::vector<std::pair<double, std::uint32_t>> distances;
    for (const int bone : biped.segments.bones())
      distances.emplace_back(
          biped.segments.closest(biped.prepared.mesh.positions()[v], bone).distance *
              (biped.segments.is_fork(bone) ? 1.3 : 1),
          static_cast<std::uint32_t>(bone));
    const double least = std::ranges::min(distances).first;
    std::vector<std::uint32_t> expected;
    for (const auto& [distance, bone] : distances)
      if (distance < least + kShared) expected.push_back(bone);
    std::vector<std::uint32_t> owners;
    for (const Influence& influence : cells.owners.row(v)) owners.push_back(influence.bone);
    EXPECT_EQ(owners, expected) << v;
    shared += owners.size() > 1;
  }
  EXPECT_GT(shared, 0u);
}

TEST(CellOptions, DistanceOfForksChangesNothingWhereThereIsNone) {
  const PreparedCharacter limb = prepared(limb_character(limb_data()));
  ASSERT_TRUE(std::ranges::none_of(limb.segments.bones(),
                                   [&](int bone) { return limb.segments.is_fork(bone); }));
  const BoneCells near = cells_of(limb);
  const BoneCells far = cells_of(limb, {.fork_distance = 3});
  EXPECT_EQ(near.owners, far.owners);
  EXPECT_EQ(near.nearest, far.nearest);
  EXPECT_EQ(near.visibility, far.visibility);
}

TEST(CellOptions, AssumedSightSeesThroughEverythingAndChangesNothingElse) {
  const PreparedCharacter coat = prepared(limb_character(together(limb_data(), sleeve_data(0.3))));
  const BoneCells by_rays = cells_of(coat);
  ASSERT_NE(std::ranges::count(by_rays.visibility, 0.0), 0) << "the coat sees no bone";
  const BoneCells assumed = cells_of(coat, {.sight = CellOptions::Sight::assumed});
  for (const double visibility : assumed.visibility) EXPECT_EQ(visibility, 1);
  EXPECT_EQ(assumed.owners, by_rays.owners);
  EXPECT_EQ(assumed.nearest, by_rays.nearest);
  EXPECT_EQ(assumed.distance, by_rays.distance);
}

}  // namespace
}  // namespace sinew::test
