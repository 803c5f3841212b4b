// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_problem.h"

#include <numeric>

#include <gtest/gtest.h>

#include "support/deform_scene.h"
#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

/// a_ik; nothing where k is not next to i.
std::optional<double> measure(const MeshGraph& graph, std::size_t i, std::size_t k) {
  for (std::size_t n = 0; n < graph.neighbours_of(i).size(); ++n)
    if (graph.neighbours_of(i)[n] == k) return graph.edge_measures_of(i)[n];
  return std::nullopt;
}

double sum_around(const MeshGraph& graph, std::size_t i) {
  const auto around = graph.edge_measures_of(i);
  return std::accumulate(around.begin(), around.end(), 0.0);
}

/// A sheet, and a button above it whose first vertex sits on three corners of the sheet.
class LinkedButton : public ::testing::Test {
 protected:
  MeshData sheet = test::sheet_data(4, 4, 1, 1);
  std::size_t first = sheet.positions.size();
  MeshGraph graph = make_mesh_graph(
      test::make_mesh(test::together(sheet, test::ball_data({0.5, 0.5, 0.1}, 0.05))));
  std::vector<PartLink> links = [this] {
    PartLink link;
    link.part = 1;
    link.host = 0;
    link.links = {{static_cast<VertexIndex>(first), {{6, 0.01}, {12, 0.74}, {13, 0.25}}, 0.05}};
    return std::vector{link};
  }();
  MeshGraph linked = with_links(graph, links);
};

TEST_F(LinkedButton, WiresWeighTogetherAsOneOfThePapers) {
  const double around = sum_around(graph, first);
  const auto neighbours = static_cast<double>(graph.neighbours_of(first).size());
  EXPECT_NEAR(sum_around(linked, first) - around, around / neighbours, 1e-15);
  EXPECT_NEAR(*measure(linked, first, 12) / *measure(linked, first, 13), 0.74 / 0.25, 1e-12)
      << "by their shares";
  EXPECT_NEAR(sum_around(with_links(graph, links, 2), first) - around, 2 * around / neighbours,
              1e-15)
      << "as two, where two are asked for";
}

TEST_F(LinkedButton, WiresLeadOneWayAndTheGraphStaysSymmetricAndSorted) {
  EXPECT_EQ(measure(linked, 12, first), 0.0);
  EXPECT_EQ(measure(linked, 13, first), 0.0);
  EXPECT_EQ(sum_around(linked, 12), sum_around(graph, 12));
  for (std::size_t i = 0; i < linked.vertex_count(); ++i) {
    const auto neighbours = linked.neighbours_of(i);
    EXPECT_TRUE(std::ranges::is_sorted(neighbours));
    for (const VertexIndex k : neighbours) EXPECT_TRUE(measure(linked, k, i)) << i << ", " << k;
  }
}

TEST_F(LinkedButton, EndThatCarriesNextToNothingIsLeftOut) {
  EXPECT_FALSE(measure(linked, first, 6));
  EXPECT_FALSE(measure(linked, 6, first));
}

TEST_F(LinkedButton, EverythingElseIsAsItWas) {
  EXPECT_EQ(linked.vertex_measure, graph.vertex_measure);
  for (std::size_t i = 0; i < graph.vertex_count(); ++i)
    for (const VertexIndex k : graph.neighbours_of(i))
      EXPECT_EQ(measure(linked, i, k), measure(graph, i, k));
  const MeshGraph untouched = with_links(graph, {});
  EXPECT_EQ(untouched.neighbours, graph.neighbours);
  EXPECT_EQ(untouched.edge_measure, graph.edge_measure);
  EXPECT_EQ(untouched.begin, graph.begin);
}

TEST_F(LinkedButton, WireBetweenNeighboursAddsToTheirEdge) {
  const VertexIndex beside = graph.neighbours_of(first)[0];
  links[0].links = {{static_cast<VertexIndex>(first), {{beside, 1}}, 0.05}};
  const MeshGraph tied = with_links(graph, links);
  EXPECT_EQ(tied.neighbours, graph.neighbours);
  EXPECT_GT(*measure(tied, first, beside), *measure(graph, first, beside));
  EXPECT_EQ(measure(tied, beside, first), measure(graph, beside, first));
}

TEST_F(LinkedButton, LinkWithNothingButTinySharesStillHolds) {
  // A wide host: many ends, none of which carries a twentieth.
  std::vector<LinkEnd> ends;
  for (VertexIndex end = 0; end < 25; ++end) ends.push_back({end, 1.0 / 25});
  links[0].links = {{static_cast<VertexIndex>(first), ends, 0.05}};
  const MeshGraph tied = with_links(graph, links);
  EXPECT_GT(sum_around(tied, first), sum_around(graph, first));
  for (const double each : tied.edge_measure) EXPECT_TRUE(std::isfinite(each));
}

TEST(WeightProblem, TransformsMoveTheUnitFrameAsTheyMoveTheModel) {
  MeshData data = test::limb_data();
  for (Vec3& position : data.positions) position = 300 * position + Vec3(1000, -50, 7);
  const PreparedMesh prepared = prepare_mesh(test::make_mesh(std::move(data)));
  InfluenceMaps maps;
  maps.bone_count = 2;
  std::vector<SampledPose> poses(3);
  for (unsigned x = 0; x < 3; ++x)
    poses[x].transforms = {test::random_rigid(x), test::random_rigid(x + 10)};
  const WeightProblem problem = make_weight_problem(prepared, maps, poses);
  ASSERT_EQ(problem.exemplars.size(), 3u);
  for (std::size_t x = 0; x < 3; ++x)
    for (std::size_t bone = 0; bone < 2; ++bone)
      for (std::size_t v = 0; v < prepared.welded.mesh.vertex_count(); v += 5) {
        const Vec3 moved = poses[x].transforms[bone] * prepared.welded.mesh.positions()[v];
        EXPECT_LT(
            (problem.exemplars[x][bone] * problem.positions[v] - prepared.frame.from_model(moved))
                .norm(),
            1e-11);
      }
}

TEST(WeightProblem, HoldsTheMeshInTheUnitFrame) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const WeightProblem problem = test::made_problem(test::limb_character(zoo.mesh.data())).problem;
    ASSERT_EQ(problem.positions.size(), problem.graph.vertex_count()) << zoo.name;
    ASSERT_EQ(problem.positions.size(), problem.maps.vertex_count()) << zoo.name;
    for (const Vec3& position : problem.positions) EXPECT_LE(position.norm(), 1) << zoo.name;
  }
}

}  // namespace
}  // namespace sinew
