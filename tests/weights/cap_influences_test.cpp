// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/cap_influences.h"

#include <gtest/gtest.h>

#include "sinew/geometry/laplacian.h"
#include "support/mesh_zoo.h"
#include "weights/laplacian_filter.h"

namespace sinew {
namespace {

SkinWeights one_row(std::vector<Influence> row) {
  return SkinWeights::from_rows(9, std::vector<std::vector<Influence>>{std::move(row)});
}

TEST(CapInfluences, RowsThatFitStayAsTheyAre) {
  const SkinWeights weights = one_row({{0, 0.5}, {3, 0.3}, {7, 0.2}});
  EXPECT_EQ(cap_influences(weights, 3), weights);
}

TEST(CapInfluences, KeepsTheStrongestAndLowersThemByTheStrongestThatGoes) {
  const SkinWeights capped = cap_influences(one_row({{0, 0.4}, {1, 0.1}, {2, 0.35}, {3, 0.15}}), 2);
  ASSERT_EQ(capped.row(0).size(), 2u);
  EXPECT_EQ(capped.row(0)[0].bone, 0u);
  EXPECT_NEAR(capped.row(0)[0].weight, 0.25 / 0.45, 1e-15);
  EXPECT_EQ(capped.row(0)[1].bone, 2u);
}

TEST(CapInfluences, SmallChangesStaySmallWhereTheLastBoneChanges) {
  constexpr double kChange = 1e-6;
  const SkinWeights before =
      cap_influences(one_row({{0, 0.6}, {1, 0.2 + kChange}, {2, 0.2 - kChange}}), 2);
  const SkinWeights after =
      cap_influences(one_row({{0, 0.6}, {1, 0.2 - kChange}, {2, 0.2 + kChange}}), 2);
  for (const SkinWeights& weights : {before, after}) {
    EXPECT_EQ(weights.row(0)[0].bone, 0u);
    EXPECT_NEAR(weights.row(0)[0].weight, 1, 20 * kChange);
  }
}

TEST(CapInfluences, EqualWeightsLeaveTheFirstBones) {
  const SkinWeights capped =
      cap_influences(one_row({{1, 0.25}, {2, 0.25}, {3, 0.25}, {4, 0.25}}), 2);
  ASSERT_EQ(capped.row(0).size(), 2u);
  EXPECT_EQ(capped.row(0)[1], (Influence{2, 0.5}));
}

TEST(CapInfluences, BonesThatHaveAPartnerTieWithItAlone) {
  const std::vector<Influence> row{{0, 0.4}, {1, 0.2 + 1e-7}, {2, 0.2}, {3, 0.2 - 1e-7}};
  const auto bones_of = [&](std::vector<int> partners) {
    std::vector<std::uint32_t> bones;
    partners.resize(9, -1);
    const SkinWeights capped = cap_influences(one_row(row), 2, partners);
    for (const Influence& each : capped.row(0)) bones.push_back(each.bone);
    return bones;
  };
  using Bones = std::vector<std::uint32_t>;
  EXPECT_EQ(bones_of({}), (Bones{0})) << "no sides: both may be left and right";
  EXPECT_EQ(bones_of({-1, 2, 1}), (Bones{0})) << "left and right";
  EXPECT_EQ(bones_of({-1, 3, 5, 1, -1, 2}), (Bones{0})) << "whatever comes between them";
  EXPECT_EQ(bones_of({-1, 4, 5, 6, 1, 2, 3}), (Bones{0, 1})) << "three of one side";
}

TEST(CapInfluences, RoundingIsNotScaledUpWhereManyBonesWeighTheSame) {
  constexpr double kRounding = 1e-4;
  std::vector<Influence> row;
  for (std::uint32_t bone = 0; bone < 8; ++bone) row.push_back({bone, 0.125 - 1e-3 * bone});
  const SkinWeights before = cap_influences(one_row(row), 4);
  row[1].weight += kRounding;
  const SkinWeights after = cap_influences(one_row(row), 4);
  ASSERT_EQ(before.row(0).size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(after.row(0)[i].bone, before.row(0)[i].bone);
    EXPECT_NEAR(after.row(0)[i].weight, before.row(0)[i].weight, 10 * kRounding);
  }
}

TEST(LaplacianFilter, WeightsThatAreEqualEverywhereStay) {
  const Mesh mesh = test::make_mesh(test::limb_data());
  const std::vector<std::vector<Influence>> rows(mesh.vertex_count(), {{0, 0.25}, {1, 0.75}});
  const SkinWeights filtered =
      laplacian_filter(SkinWeights::from_rows(2, rows), make_laplacian(mesh));
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    EXPECT_NEAR(filtered.row(v)[1].weight, 0.75, 1e-12);
}

TEST(LaplacianFilter, NoVertexGetsABoneThatItDidNotHave) {
  const Mesh mesh = test::make_mesh(test::limb_data());
  std::vector<std::vector<Influence>> rows(mesh.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    rows[v] = v % 3 == 0
                  ? std::vector<Influence>{{0, 1}}
                  : std::vector<Influence>{{0, 0.5}, {static_cast<std::uint32_t>(1 + v % 2), 0.5}};
  const SkinWeights weights = SkinWeights::from_rows(3, rows);
  const SkinWeights filtered = laplacian_filter(weights, make_laplacian(mesh));
  for (std::size_t v = 0; v < rows.size(); ++v) {
    EXPECT_FALSE(filtered.row(v).empty());
    for (const Influence& influence : filtered.row(v)) {
      const auto had = weights.row(v);
      EXPECT_TRUE(std::any_of(had.begin(), had.end(),
                              [&](const Influence& old) { return old.bone == influence.bone; }));
    }
  }
}

TEST(LaplacianFilter, BoneThatAVertexHardlyHasIsNotBroughtBack) {
  const Mesh mesh = test::make_mesh(test::limb_data());
  std::vector<std::vector<Influence>> rows(mesh.vertex_count(), {{0, 0.5}, {1, 0.5}});
  rows[20] = {{0, 1 - 1e-6}, {1, 1e-6}};
  const SkinWeights filtered =
      laplacian_filter(SkinWeights::from_rows(2, rows), make_laplacian(mesh));
  EXPECT_GT(filtered.row(20)[0].weight, 0.99) << "neighbours have half of it";
  EXPECT_NEAR(filtered.row(40)[0].weight, 0.5, 1e-9);
}

TEST(LaplacianFilter, VertexWithoutNeighboursStays) {
  MeshData data = test::limb_data();
  data.positions.emplace_back(5, 5, 5);
  const Mesh mesh = test::make_mesh(data);
  std::vector<std::vector<Influence>> rows(mesh.vertex_count(), {{0, 1}});
  rows.back() = {{1, 1}};
  EXPECT_EQ(laplacian_filter(SkinWeights::from_rows(2, rows), make_laplacian(mesh))
                .row(mesh.vertex_count() - 1)[0],
            (Influence{1, 1}));
}

}  // namespace
}  // namespace sinew
