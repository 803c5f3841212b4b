// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/simplify_mesh.h"

#include <gtest/gtest.h>

#include "arap/vertex_clusters.h"
#include "characters/characters.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/weights/transfer.h"
#include "support/checked.h"

namespace sinew::test {
namespace {

Mesh example_mesh(const char* name, int vertices) {
  ExampleOptions options;
  options.vertices = vertices;
  return checked(make_example(name, options)).character.mesh;
}

SimplifiedMesh simplified(const PreparedMesh& fine, int count) {
  ClusterOptions options;
  options.count = count;
  return simplify_mesh(fine.mesh, cluster_vertices(fine.mesh.positions(), fine.graph, options));
}

TEST(SimplifyMesh, KeepsVerticesOfTheMeshAndAboutTheNumberAskedFor) {
  const PreparedMesh fine = prepare_mesh(example_mesh("biped", 10'000));
  const SimplifiedMesh coarse = simplified(fine, 2'500);
  EXPECT_NEAR(static_cast<double>(coarse.mesh.vertex_count()), 2'500, 250);
  ASSERT_EQ(coarse.kept.size(), coarse.mesh.vertex_count());
  for (std::size_t v = 0; v < coarse.kept.size(); ++v)
    EXPECT_EQ(coarse.mesh.positions()[v], fine.mesh.positions()[coarse.kept[v]]);
}

TEST(SimplifyMesh, KeepsTheShape) {
  const PreparedMesh fine = prepare_mesh(example_mesh("biped", 10'000));
  const SimplifiedMesh coarse = simplified(fine, 2'500);
  const SurfaceQueries surface(coarse.mesh);
  double farthest = 0;
  double sum = 0;
  for (const SurfacePoint& point : closest_points(surface, fine.mesh.positions())) {
    farthest = std::max(farthest, point.distance);
    sum += point.distance;
  }
  // Tips of fingers and toes are cut a little short.
  EXPECT_LT(farthest, 0.03) << "of the diagonal";
  EXPECT_LT(sum / static_cast<double>(fine.mesh.vertex_count()), 0.001) << "of the diagonal";
}

TEST(SimplifyMesh, LeavesSomethingOfEveryPart) {
  const PreparedMesh fine = prepare_mesh(example_mesh("robot", 10'000));
  ASSERT_GT(fine.parts.count(), 1u);
  const SimplifiedMesh coarse = simplified(fine, 1'000);
  std::vector<bool> has_some(fine.parts.count(), false);
  for (const VertexIndex v : coarse.kept)
    has_some[static_cast<std::size_t>(fine.parts.of_vertex[v])] = true;
  for (std::size_t part = 0; part < has_some.size(); ++part) EXPECT_TRUE(has_some[part]) << part;
}

TEST(SimplifyMesh, EveryVertexByItselfKeepsAll) {
  const PreparedMesh fine = prepare_mesh(example_mesh("tentacle", 2'000));
  const SimplifiedMesh coarse = simplified(fine, 10'000);
  EXPECT_EQ(coarse.mesh.vertex_count(), fine.mesh.vertex_count());
  EXPECT_EQ(coarse.mesh.triangles().size(), fine.mesh.triangles().size());
}

}  // namespace
}  // namespace sinew::test
