// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/effort.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

Effort effort(std::size_t welded_vertices) {
  return effort_of({.stored_vertices = welded_vertices,
                    .welded_vertices = welded_vertices,
                    .coarse_above = 250'000});
}

TEST(Effort, MoreVerticesAreNeverSolvedHarder) {
  Effort before = effort(1);
  for (std::size_t vertices = 1; vertices < 400'000; vertices += vertices / 7 + 1) {
    const Effort now = effort(vertices);
    EXPECT_LE(now.finish->rounds, before.finish->rounds) << vertices;
    EXPECT_LE(now.thorough_finish->is_exact, before.thorough_finish->is_exact) << vertices;
    EXPECT_GE(now.rotations.value, before.rotations.value) << vertices;
    EXPECT_GE(now.at_cap->ends_early, before.at_cap->ends_early) << vertices;
    EXPECT_GE(*now.is_coarse, *before.is_coarse) << vertices;
    EXPECT_GE(now.clusters, before.clusters) << vertices;
    const auto choices = [](std::size_t most_bones) { return most_bones == 0 ? 1000 : most_bones; };
    EXPECT_LE(choices(*now.most_bones), choices(*before.most_bones)) << vertices;
    before = now;
  }
}

TEST(Effort, SmallMeshesAreSolvedToTheEndAndLargeOnesEndWhereTheCapBegins) {
  EXPECT_FALSE(effort(1500).at_cap->ends_early);
  EXPECT_EQ(effort(1500).finish->rounds, 6);
  EXPECT_TRUE(effort(1501).at_cap->ends_early);
  EXPECT_EQ(effort(1501).finish->rounds, 3);
}

TEST(Effort, ManyVerticesTurnInGroups) {
  EXPECT_EQ(*effort(5000).rotations, RotationMode::exact);
  EXPECT_EQ(*effort(5001).rotations, RotationMode::clustered);
}

TEST(Effort, GroupsHaveAboutTenVerticesButAreNeitherTooFewNorTooMany) {
  EXPECT_EQ(effort(30'000).clusters, 3000);
  EXPECT_EQ(effort(9'000).clusters, 1000);
  EXPECT_EQ(effort(2'000).clusters, 800) << "two and a half vertices in each";
  EXPECT_EQ(effort(1'000).clusters, 500);
  EXPECT_EQ(effort(200'000).clusters, 5000);
}

TEST(Effort, EveryDecisionHasAReason) {
  for (const std::size_t vertices : {10, 2'000, 6'000, 10'000, 30'000, 300'000}) {
    const Effort now = effort(vertices);
    for (const std::string& reason :
         {now.is_coarse.reason, now.most_bones.reason, now.rotations.reason, now.at_cap.reason,
          now.finish.reason, now.thorough_finish.reason})
      EXPECT_FALSE(reason.empty()) << vertices;
  }
}

}  // namespace
}  // namespace sinew
