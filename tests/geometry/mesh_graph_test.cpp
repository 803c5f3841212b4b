// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/mesh_graph.h"

#include <numeric>

#include <gtest/gtest.h>

#include "sinew/geometry/mesh_parts.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::make_mesh;

double edge(const MeshGraph& graph, VertexIndex from, VertexIndex to) {
  const auto neighbours = graph.neighbours_of(from);
  for (std::size_t n = 0; n < neighbours.size(); ++n)
    if (neighbours[n] == to) return graph.edge_measures_of(from)[n];
  return 0;
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(MeshGraph, TriangleGivesAThirdToItsCornersAndASixthToItsEdges) {
  const MeshGraph graph =
      make_mesh_graph(make_mesh({{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}, {}, {}}));
  for (VertexIndex i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(graph.vertex_measure[i], 2);
    for (VertexIndex k = 0; k < 3; ++k)
      if (i != k) {
        EXPECT_DOUBLE_EQ(edge(graph, i, k), 1);
      }
  }
}

TEST(MeshGraph, TetrahedronGivesAQuarterAndATwelfthOfItsVolume) {
  const MeshGraph graph = make_mesh_graph(
      make_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 12}}, {{0, 1, 2}}, {{0, 1, 2, 3}}, {}}));
  EXPECT_DOUBLE_EQ(graph.vertex_measure[3], 0.5);
  EXPECT_DOUBLE_EQ(edge(graph, 0, 1), 2.0 / 12) << "the triangle beside it gives nothing";
}

TEST(MeshGraph, MeasuresOfVerticesAndOfDirectedEdgesAddUpToTheArea) {
  const MeshGraph graph = make_mesh_graph(make_mesh(test::sheet_data(7, 5, 2, 3)));
  EXPECT_NEAR(total(graph.vertex_measure), 6, 1e-12);
  EXPECT_NEAR(total(graph.edge_measure), 6, 1e-12);
}

TEST(MeshGraph, EdgesOfFacesWeighTheSameBothWaysAndAreAlwaysPositive) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    if (zoo.name == "wires" || zoo.name == "degenerate") continue;  // directed; repeated corner
    const MeshGraph graph = make_mesh_graph(zoo.mesh);
    for (VertexIndex i = 0; i < graph.vertex_count(); ++i)
      for (const VertexIndex k : graph.neighbours_of(i)) {
        EXPECT_GT(edge(graph, i, k), 0) << zoo.name;
        EXPECT_DOUBLE_EQ(edge(graph, i, k), edge(graph, k, i)) << zoo.name;
      }
  }
}

TEST(MeshGraph, FaceWithoutAreaStillGivesItsCornersALittle) {
  const MeshGraph graph = make_mesh_graph(
      make_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 1, 3}}, {}, {}}));
  EXPECT_GT(graph.vertex_measure[3], 0);
  EXPECT_LT(graph.vertex_measure[3], 1e-5 * graph.vertex_measure[2]);
}

TEST(MeshGraph, WiresTakeAtMostHalfOfWhatTheFacesAroundTheirStartHave) {
  // One triangle at each end: two neighbours along faces, one along the wire: min(1/2, 1/2) of the
  // two edges' sixths. With three wires at vertex 0, half of it is split in three.
  MeshData data{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
                {{0, 1, 2}, {3, 4, 5}},
                {},
                {{0, 3}}};
  MeshGraph graph = make_mesh_graph(make_mesh(data));
  const double around = 2 * 0.5 / 6;
  EXPECT_DOUBLE_EQ(edge(graph, 0, 3), around / 2);
  data.wires = {{0, 3}, {0, 4}, {0, 5}};
  graph = make_mesh_graph(make_mesh(data));
  EXPECT_DOUBLE_EQ(edge(graph, 0, 3), around / 2 / 3);
  EXPECT_DOUBLE_EQ(edge(graph, 3, 0), around / 2) << "wires are directed";
}

TEST(MeshParts, AreFoundThroughFacesTetrahedraAndWires) {
  MeshData data = test::together(test::limb_data(), test::ball_data({1, 1, 1}, 0.1));
  EXPECT_EQ(find_mesh_parts(make_mesh(data)).count(), 2u);
  data.wires.push_back({0, static_cast<VertexIndex>(data.positions.size() - 1)});
  EXPECT_EQ(find_mesh_parts(make_mesh(data)).count(), 1u);
  EXPECT_EQ(find_mesh_parts(make_mesh(test::tetrahedral_data())).count(), 1u);
}

TEST(MeshParts, LooseVertexBelongsToNone) {
  MeshData data = test::limb_data();
  data.positions.emplace_back(5, 5, 5);
  const MeshParts parts = find_mesh_parts(make_mesh(data));
  EXPECT_EQ(parts.of_vertex.back(), -1);
  EXPECT_EQ(parts.count(), 1u);
  EXPECT_EQ(parts.members[0].size(), data.positions.size() - 1);
}

}  // namespace
}  // namespace sinew
