// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/influence_maps.h"

#include <gtest/gtest.h>

#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using Row = std::vector<Influence>;

InfluenceMaps maps_of(const std::vector<Row>& rows) {
  InfluenceMaps maps;
  maps.bone_count = 3;
  for (const Row& row : rows) {
    for (const auto& [bone, weight] : row) {
      maps.bones.push_back(bone);
      maps.weights.push_back(weight);
    }
    maps.begin.push_back(maps.bones.size());
  }
  return maps;
}

/// 0 – 1 – 2 – 3, by wires.
MeshGraph line_graph() {
  MeshData data;
  for (int i = 0; i < 4; ++i) data.positions.emplace_back(i, 0, 0);
  data.wires = {{0, 1}, {1, 2}, {2, 3}};
  return make_mesh_graph(test::make_mesh(std::move(data)));
}

TEST(WidenSteepEdges, BoneThatEndsSteeplyReachesOneRingFurtherAtWeightZero) {
  const InfluenceMaps maps =
      maps_of({{{0, 1}}, {{0, 0.6}, {2, 0.4}}, {{2, 0.95}, {1, 0.05}}, {{2, 1}}});
  InfluenceMaps sorted =
      maps_of({{{0, 1}}, {{0, 0.6}, {2, 0.4}}, {{1, 0.05}, {2, 0.95}}, {{2, 1}}});
  ASSERT_NE(maps, sorted);
  EXPECT_EQ(
      widen_steep_edges(sorted, line_graph(), 0.1),
      maps_of({{{0, 1}, {2, 0}}, {{0, 0.6}, {2, 0.4}}, {{0, 0}, {1, 0.05}, {2, 0.95}}, {{2, 1}}}))
      << "bone 1 ends gently, and stays";
}

TEST(WidenSteepEdges, WidensByOneRingOnly) {
  const InfluenceMaps maps = maps_of({{{0, 1}}, {{1, 1}}, {{1, 1}}, {{1, 1}}});
  EXPECT_EQ(widen_steep_edges(maps, line_graph(), 0.1),
            maps_of({{{0, 1}, {1, 0}}, {{0, 0}, {1, 1}}, {{1, 1}}, {{1, 1}}}));
}

TEST(WidenSteepEdges, WeightOfTheEdgeItselfIsNotSteep) {
  const InfluenceMaps maps = maps_of({{{0, 0.9}, {1, 0.1}}, {{0, 1}}, {{0, 1}}, {{0, 1}}});
  EXPECT_EQ(widen_steep_edges(maps, line_graph(), 0.1), maps);
  EXPECT_NE(widen_steep_edges(maps, line_graph(), 0.09), maps);
}

TEST(WidenSteepEdges, NothingThatWasThereChangesOnAnyMeshOfTheZoo) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const WeightProblem problem = test::random_problem(zoo.mesh);
    const InfluenceMaps widened = widen_steep_edges(problem.maps, problem.graph, 0.3);
    EXPECT_GT(widened.bones.size(), problem.maps.bones.size()) << zoo.name;
    for (std::size_t i = 0; i < widened.vertex_count(); ++i) {
      const auto bones = widened.bones_of(i);
      EXPECT_TRUE(std::ranges::is_sorted(bones)) << zoo.name;
      EXPECT_EQ(std::ranges::adjacent_find(bones), bones.end()) << zoo.name << ": none twice";
      std::vector<double> kept;
      for (std::size_t b = 0; b < bones.size(); ++b)
        if (std::ranges::binary_search(problem.maps.bones_of(i), bones[b]))
          kept.push_back(widened.weights_of(i)[b]);
        else
          EXPECT_EQ(widened.weights_of(i)[b], 0) << zoo.name;
      EXPECT_TRUE(std::ranges::equal(kept, problem.maps.weights_of(i))) << zoo.name;
    }
  }
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(WithMoreBones, AreThereAtWeightZeroInTheirPlace) {
  const InfluenceMaps maps = maps_of({{{1, 1}}, {}, {{0, 0.5}, {2, 0.5}}});
  EXPECT_EQ(with_more_bones(maps, Pairs{{2, 1}, {0, 2}, {0, 0}, {1, 1}}),
            maps_of({{{0, 0}, {1, 1}, {2, 0}}, {{1, 0}}, {{0, 0.5}, {1, 0}, {2, 0.5}}}));
}

TEST(WithMoreBones, BonesThatAreThereKeepTheirWeightsHoweverOftenTheyAreAdded) {
  const InfluenceMaps maps = maps_of({{{1, 1}}, {{0, 0.5}, {2, 0.5}}});
  EXPECT_EQ(with_more_bones(maps, Pairs{{0, 1}, {1, 2}, {1, 0}, {0, 1}}), maps);
  EXPECT_EQ(with_more_bones(maps, Pairs{{0, 2}, {0, 2}}),
            maps_of({{{1, 1}, {2, 0}}, {{0, 0.5}, {2, 0.5}}}));
  EXPECT_EQ(with_more_bones(maps, {}), maps);
}

InfluenceMaps fewer_bones(const InfluenceMaps& maps, const MeshGraph& graph, std::size_t most,
                          const Pairs& kept = {}) {
  return with_fewer_bones(maps, graph, std::vector(maps.vertex_count(), most), kept);
}

TEST(WithFewerBones, AreAsManyAsEachVertexMayHave) {
  const InfluenceMaps maps = maps_of({{{0, 0.5}, {1, 0.3}, {2, 0.2}},
                                      {{0, 0.2}, {1, 0.1}, {2, 0.7}},
                                      {{0, 0.5}, {2, 0.5}},
                                      {{2, 1}}});
  const InfluenceMaps fewer =
      with_fewer_bones(maps, line_graph(), std::vector<std::size_t>{3, 2, 1, 1}, {});
  EXPECT_EQ(fewer.bones_of(0).size(), 3u);
  EXPECT_EQ(fewer.bones_of(1).size(), 2u);
  EXPECT_EQ(fewer.bones_of(2).size(), 1u);
  EXPECT_EQ(fewer.bones_of(3).size(), 1u);
}

TEST(WithFewerBones, AreThoseThatWeighMostOnAVertexAndAroundIt) {
  const InfluenceMaps maps =
      maps_of({{{0, 0.5}, {1, 0.3}, {2, 0.2}}, {{0, 0.2}, {1, 0.1}, {2, 0.7}}, {{2, 1}}, {{2, 1}}});
  EXPECT_EQ(fewer_bones(maps, line_graph(), 3), maps);
  const InfluenceMaps two = fewer_bones(maps, line_graph(), 2);
  EXPECT_TRUE(std::ranges::equal(two.bones_of(0), std::vector{0u, 2u}))
      << "what the neighbour has of a bone counts";
  EXPECT_NEAR(two.weights_of(0)[0], 0.5 / 0.7, 1e-15);
  EXPECT_TRUE(std::ranges::equal(two.bones_of(1), std::vector{0u, 2u}));
  const InfluenceMaps led = fewer_bones(maps, line_graph(), 2, Pairs{{0, 1}});
  EXPECT_TRUE(std::ranges::equal(led.bones_of(0), std::vector{0u, 1u}))
      << "what has to stay does, beside the strongest";
}

TEST(WithFewerBones, AllThatHaveToStayDo) {
  const InfluenceMaps maps =
      maps_of({{{0, 0.4}, {1, 0.3}, {2, 0.2}, {3, 0.1}}, {{0, 1}}, {{0, 1}}, {{0, 1}}});
  const InfluenceMaps fewer = fewer_bones(maps, line_graph(), 1, Pairs{{0, 2}, {0, 3}});
  EXPECT_TRUE(std::ranges::equal(fewer.bones_of(0), std::vector{0u, 2u, 3u}));
}

TEST(WithFewerBones, ThatWeighTheSameStayOrGoTogether) {
  const InfluenceMaps maps =
      maps_of({{{0, 0.4}, {1, 0.3}, {2, 0.3}}, {{0, 1}}, {{0, 1}}, {{0, 1}}});
  EXPECT_TRUE(std::ranges::equal(fewer_bones(maps, line_graph(), 2).bones_of(0), std::vector{0u}));
}

TEST(WithFewerBones, RowsOfAnyMeshOfTheZooStillSumToOne) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const WeightProblem problem = test::random_problem(zoo.mesh);
    const InfluenceMaps fewer = fewer_bones(problem.maps, problem.graph, 2);
    for (std::size_t i = 0; i < fewer.vertex_count(); ++i) {
      EXPECT_LE(fewer.bones_of(i).size(), 2u) << zoo.name;
      double before = 0;
      double after = 0;
      for (const double weight : problem.maps.weights_of(i)) before += weight;
      for (const double weight : fewer.weights_of(i)) after += weight;
      EXPECT_NEAR(after, before, 1e-12) << zoo.name;
    }
  }
}

TEST(InfluenceMaps, HoldTheBonesOfEveryRow) {
  const SkinWeights weights =
      SkinWeights::from_rows(3, std::vector<Row>{{{0, 0.25}, {2, 0.75}}, {}, {{1, 1}}});
  EXPECT_EQ(influence_maps(weights), maps_of({{{0, 0.25}, {2, 0.75}}, {}, {{1, 1}}}));
}

}  // namespace
}  // namespace sinew
