// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/touching_skin.h"

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

constexpr int kSide = 40;  // vertices along a sheet

/// Two sheets of one metre, one 4 mm above the other, both looking up (+y); and what is on each.
struct Layers {
  Character character;
  std::vector<int> sheet_of;

  Layers() {
    MeshData data;
    for (const int sheet : {0, 1})
      for (int i = 0; i < kSide; ++i)
        for (int k = 0; k < kSide; ++k) {
          // The upper one lies a millimetre to the side, and is the one that is looked at.
          data.positions.emplace_back(i / (kSide - 1.0) - 0.001 * sheet, 0.004 * sheet,
                                      k / (kSide - 1.0));
          sheet_of.push_back(sheet);
        }
    for (const int sheet : {0, 1})
      for (int i = 0; i + 1 < kSide; ++i)
        for (int k = 0; k + 1 < kSide; ++k) {
          const auto at = [&](int x, int z) {
            return static_cast<VertexIndex>((sheet * kSide + x) * kSide + z);
          };
          data.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k + 1)});
          data.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i + 1, k)});
        }
    character = make_boxed_character({{"skin", -1, Vec3::Zero()}, {"belt", 0, Vec3::Zero()}},
                                     Vec3::Zero(), Vec3::Ones());
    character.mesh = *Mesh::create(std::move(data));
    character.weights = rigid_weights(sheet_of, 2);
  }
  /// The upper sheet moved by so much.
  [[nodiscard]] std::vector<Vec3> moved(const Vec3& by) const {
    std::vector<Vec3> at = character.mesh.positions();
    for (std::size_t v = 0; v < at.size(); ++v)
      if (sheet_of[v] == 1) at[v] += by;
    return at;
  }
};

TEST(TouchingPairs, AreNearAndNoNeighboursOnTheMesh) {
  const Layers layers;
  const SkinSurface surface = make_skin_surface(layers.character);
  const std::vector<TouchingPair> pairs = touching_pairs(surface);
  ASSERT_GE(pairs.size(), std::size_t{kSide * kSide}) << "each place with the one above it";
  for (const TouchingPair& pair : pairs) {
    EXPECT_TRUE(pair.is_of_two_parts) << "places on one sheet are 26 mm apart";
    EXPECT_LE(pair.distance, 0.01 * surface.diagonal);
  }
}

TEST(TouchingPairs, ThereAreNoneOnATubeWithoutFolds) {
  EXPECT_TRUE(touching_pairs(make_skin_surface(make_tube_character(3, 10, 12))).empty());
}

TEST(TouchingPairs, AreThinnedEvenlyWhereThereAreVeryMany) {
  // The same two sheets a hundred times as small as a third part far away: all of it nearly
  // touches.
  Layers layers;
  MeshData data = layers.character.mesh.data();
  for (Vec3& at : data.positions) at *= 0.01;
  data.positions.emplace_back(3, 0, 0);
  data.positions.emplace_back(3, 1, 0);
  data.positions.emplace_back(3, 0, 1);
  const auto first = static_cast<VertexIndex>(data.positions.size() - 3);
  data.triangles.push_back({first, first + 1, first + 2});
  layers.character.mesh = *Mesh::create(std::move(data));
  const std::vector<TouchingPair> pairs = touching_pairs(make_skin_surface(layers.character));
  EXPECT_EQ(pairs.size(), 60'000u);
}

TEST(TouchingSkin, PartsThatComeApartAreSeenBesideTheOriginal) {
  const Layers layers;
  const SkinSurface surface = make_skin_surface(layers.character);
  const std::vector<TouchingPair> pairs = touching_pairs(surface);
  const PairWatcher watcher(surface, pairs);
  const std::vector<PairsInPose> still{watcher.look(layers.moved(Vec3::Zero()))};
  const std::vector<PairsInPose> lifted{watcher.look(layers.moved(Vec3(0, 0.1, 0)))};
  EXPECT_NEAR(touching_skin(surface, pairs, still, lifted).apart, 100 * 0.1 / surface.diagonal,
              0.01 * 100 * 0.1 / surface.diagonal);
  EXPECT_EQ(touching_skin(surface, pairs, lifted, lifted).apart, 0) << "as with the original";
  EXPECT_EQ(touching_skin(surface, pairs, lifted, still).apart, 0) << "better is not worse";
}

TEST(TouchingSkin, WhatSinksThroughWhatItLiesOnIsSeen) {
  const Layers layers;
  const SkinSurface surface = make_skin_surface(layers.character);
  const std::vector<TouchingPair> pairs = touching_pairs(surface);
  const PairWatcher watcher(surface, pairs);
  const std::vector<PairsInPose> still{watcher.look(layers.moved(Vec3::Zero()))};
  const std::vector<PairsInPose> sunk{watcher.look(layers.moved(Vec3(0, -0.02, 0)))};
  const TouchingSkin touching = touching_skin(surface, pairs, still, sunk);
  EXPECT_EQ(touching.sunk, 100);
  EXPECT_EQ(touching_skin(surface, pairs, sunk, still).sunk, -touching.sunk);
  const std::vector<PairsInPose> lifted{watcher.look(layers.moved(Vec3(0, 0.02, 0)))};
  EXPECT_EQ(touching_skin(surface, pairs, still, lifted).sunk, 0);
}

}  // namespace
}  // namespace sinew::test
