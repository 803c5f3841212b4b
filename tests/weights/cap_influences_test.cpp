// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/cap_influences.h"

#include <gtest/gtest.h>

#include "sinew/prepare/laplacian.h"
#include "sinew/weights/laplacian_filter.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

SkinWeights one_row(std::vector<Influence> row) {
  return SkinWeights::from_rows(9, std::vector<std::vector<Influence>>{std::move(row)});
}

std::vector<bool> all(const Mesh& mesh) { return std::vector<bool>(mesh.vertex_count(), true); }

TEST(CapInfluences, RowsThatFitStayAsTheyAre) {
  const SkinWeights weights = one_row({{0, 0.5}, {3, 0.3}, {7, 0.2}});
  EXPECT_EQ(cap_influences(weights, 3), weights);
}

TEST(CapInfluences, KeepsTheStrongestAndLowersThemByTheStrongestThatGoes) {
  const SkinWeights capped = cap_influences(one_row({{0, 0.4}, {1, 0.1}, {2, 0.3}, {3, 0.2}}), 2);
  ASSERT_EQ(capped.row(0).size(), 2u);
  EXPECT_EQ(capped.row(0)[0].bone, 0u);
  EXPECT_NEAR(capped.row(0)[0].weight, 0.2 / 0.3, 1e-15);
  EXPECT_EQ(capped.row(0)[1].bone, 2u);
}

TEST(CapInfluences, SmallChangesStaySmallWhereTheLastBoneChanges) {
  constexpr double kChange = 1e-6;
  const SkinWeights before =
      cap_influences(one_row({{0, 0.5}, {1, 0.25 + kChange}, {2, 0.25 - kChange}}), 2);
  const SkinWeights after =
      cap_influences(one_row({{0, 0.5}, {1, 0.25 - kChange}, {2, 0.25 + kChange}}), 2);
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

TEST(LaplacianFilter, WeightsThatAreEqualEverywhereStay) {
  const Mesh mesh = test::make_mesh(test::limb_data());
  const std::vector<std::vector<Influence>> rows(mesh.vertex_count(), {{0, 0.25}, {1, 0.75}});
  const SkinWeights filtered =
      laplacian_filter(SkinWeights::from_rows(2, rows), make_laplacian(mesh), all(mesh));
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
  const SkinWeights filtered = laplacian_filter(weights, make_laplacian(mesh), all(mesh));
  for (std::size_t v = 0; v < rows.size(); ++v) {
    EXPECT_FALSE(filtered.row(v).empty());
    for (const Influence& influence : filtered.row(v)) {
      const auto had = weights.row(v);
      EXPECT_TRUE(std::any_of(had.begin(), had.end(),
                              [&](const Influence& old) { return old.bone == influence.bone; }));
    }
  }
}

TEST(LaplacianFilter, VerticesThatWereNotAskedForStay) {
  const Mesh mesh = test::make_mesh(test::limb_data());
  std::vector<std::vector<Influence>> rows(mesh.vertex_count(), {{0, 0.5}, {1, 0.5}});
  rows[20] = {{0, 0.9}, {1, 0.1}};
  const SkinWeights weights = SkinWeights::from_rows(2, rows);
  std::vector<bool> asked(mesh.vertex_count(), false);
  EXPECT_EQ(laplacian_filter(weights, make_laplacian(mesh), asked), weights);
  asked[20] = true;
  EXPECT_NEAR(laplacian_filter(weights, make_laplacian(mesh), asked).row(20)[0].weight, 0.5, 1e-12);
}

TEST(LaplacianFilter, VertexWithoutNeighboursStays) {
  MeshData data = test::limb_data();
  data.positions.emplace_back(5, 5, 5);
  const Mesh mesh = test::make_mesh(data);
  std::vector<std::vector<Influence>> rows(mesh.vertex_count(), {{0, 1}});
  rows.back() = {{1, 1}};
  EXPECT_EQ(laplacian_filter(SkinWeights::from_rows(2, rows), make_laplacian(mesh), all(mesh))
                .row(mesh.vertex_count() - 1)[0],
            (Influence{1, 1}));
}

}  // namespace
}  // namespace sinew
