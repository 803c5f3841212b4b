// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/vertex_clusters.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/geometry/mesh_parts.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

struct Clustered {
  MeshGraph graph;
  std::vector<int> cluster;

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(1 + *std::max_element(cluster.begin(), cluster.end()));
  }
};

Clustered clustered(const Mesh& mesh, const ClusterOptions& options) {
  Clustered result;
  result.graph = make_mesh_graph(mesh);
  result.cluster = cluster_vertices(mesh.positions(), result.graph, options);
  return result;
}

/// Pieces of vertices that hang together; `same` says whether an edge joins.
template <class Same>
std::size_t piece_count(const MeshGraph& graph, const Same& same) {
  std::vector<bool> seen(graph.vertex_count(), false);
  std::size_t pieces = 0;
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start]) continue;
    ++pieces;
    std::vector<std::size_t> open{start};
    seen[start] = true;
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for (const VertexIndex k : graph.neighbours_of(i)) {
        if (seen[k] || !same(i, k)) continue;
        seen[k] = true;
        open.push_back(k);
      }
    }
  }
  return pieces;
}

std::size_t piece_count(const Clustered& of) {
  return piece_count(of.graph,
                     [&](std::size_t i, std::size_t k) { return of.cluster[i] == of.cluster[k]; });
}

std::size_t part_count(const MeshGraph& graph) {
  return piece_count(graph, [](std::size_t, std::size_t) { return true; });
}

/// Long thin triangles, short at one end: where k-means on vertices would crowd.
Mesh uneven_sheet() {
  MeshData data = test::sheet_data(60, 60, 1, 1);
  for (Vec3& position : data.positions) position.x() = std::pow(position.x(), 3);
  return test::make_mesh(std::move(data));
}

TEST(VertexClusters, CoverEveryVertexWithoutGapsAndAreConnected) {
  std::vector<test::ZooMesh> meshes = test::mesh_zoo();
  meshes.push_back({"fine", test::make_mesh(test::limb_data({40, 60, 0.2, 2}))});
  meshes.push_back({"uneven", uneven_sheet()});
  for (const test::ZooMesh& zoo : meshes)
    for (const int count : {1, 7, 40, 300})
      for (const std::uint64_t seed : {1, 2, 3}) {
        const Clustered found = clustered(zoo.mesh, {.count = count, .seed = seed});
        ASSERT_EQ(found.cluster.size(), zoo.mesh.vertex_count());
        const std::set<int> used(found.cluster.begin(), found.cluster.end());
        EXPECT_EQ(*used.begin(), 0) << zoo.name;
        EXPECT_EQ(used.size(), found.count()) << zoo.name << ": no cluster is empty";
        EXPECT_EQ(piece_count(found), found.count()) << zoo.name << ", " << count;
        EXPECT_GE(found.count(), part_count(found.graph)) << zoo.name;
      }
}

TEST(VertexClusters, AreAboutAsManyAsAskedFor) {
  const Mesh mesh = test::make_mesh(test::limb_data({40, 60, 0.2, 2}));
  for (const int count : {1, 10, 100, 400}) {
    const double found = static_cast<double>(clustered(mesh, {.count = count}).count());
    EXPECT_NEAR(found, count, 0.1 * count);
  }
  EXPECT_LE(clustered(mesh, {.count = 1'000'000}).count(), mesh.vertex_count());
}

TEST(VertexClusters, AClusterStaysInItsPart) {
  const Mesh mesh = test::make_mesh(
      test::together(test::limb_data({16, 20, 0.2, 2}), test::limb_data({16, 20, 0.21, 2})));
  const Clustered found = clustered(mesh, {.count = 20});
  const std::size_t half = mesh.vertex_count() / 2;
  const std::set<int> inner(found.cluster.begin(),
                            found.cluster.begin() + static_cast<std::ptrdiff_t>(half));
  for (std::size_t i = half; i < mesh.vertex_count(); ++i)
    EXPECT_FALSE(inner.contains(found.cluster[i])) << "a hundredth away, and not connected";
}

std::vector<double> areas(const Clustered& of) {
  std::vector<double> result(of.count(), 0);
  for (std::size_t i = 0; i < of.cluster.size(); ++i)
    result[static_cast<std::size_t>(of.cluster[i])] += of.graph.vertex_measure[i];
  return result;
}

TEST(VertexClusters, HaveAboutTheSameAreaHoweverTheTrianglesAreSpread) {
  for (const Mesh& mesh : {test::make_mesh(test::limb_data({40, 60, 0.2, 2})),
                           test::make_mesh(test::sheet_data(60, 60, 1, 1)), uneven_sheet()}) {
    const Clustered found = clustered(mesh, {.count = 60});
    const std::vector<double> area = areas(found);
    double total = 0;
    for (const double each : area) total += each;
    const double mean = total / static_cast<double>(area.size());
    EXPECT_LT(*std::max_element(area.begin(), area.end()), 6 * mean);
  }
}

TEST(VertexClusters, SameSeedSameClustersOtherSeedOthers) {
  const Mesh mesh = test::make_mesh(test::limb_data({40, 60, 0.2, 2}));
  std::vector<std::vector<int>> found;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    found.push_back(clustered(mesh, {.count = 60, .seed = 4}).cluster);
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NE(found[0], clustered(mesh, {.count = 60, .seed = 5}).cluster);
}

TEST(VertexClusters, MeshesOfNothingAndOfOnePointAreClustered) {
  EXPECT_TRUE(cluster_vertices({}, make_mesh_graph(Mesh())).empty());
  const Mesh point = test::make_mesh({{{0, 0, 0}}, {}, {}, {}});
  EXPECT_EQ(clustered(point, {}).cluster, std::vector<int>{0});
}

TEST(VertexClusters, CopiesOfOnePointAreClusteredOnce) {
  // A strand of zero length: distances tell nothing apart.
  MeshData data;
  data.positions.assign(4, Vec3(1, 2, 3));
  data.wires = {{0, 1}, {1, 2}, {2, 3}};
  const Clustered found = clustered(test::make_mesh(std::move(data)), {.count = 3});
  EXPECT_EQ(piece_count(found), found.count());
}

}  // namespace
}  // namespace sinew
