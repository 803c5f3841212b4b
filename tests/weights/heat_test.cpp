// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/heat.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "rig/leaf_tails.h"
#include "support/mesh_zoo.h"
#include "support/stored_weights.h"

namespace sinew {
namespace {

using test::weight_of;

struct Heated {
  PreparedMesh prepared;
  BoneCells cells;
  HeatWeights heat;
};

Heated heat(const Mesh& mesh) {
  Character character = test::limb_character(mesh.data());
  // The skeleton is as large as the mesh: the zoo has tiny and huge ones.
  const double size = bounding_box(mesh.positions()).sizes().y() / 2;
  std::vector<Bone> bones = character.skeleton.bones();
  for (Bone& bone : bones) bone.rest.translation() *= size;
  const Skeleton skeleton =
      guess_leaf_tails(*Skeleton::create(std::move(bones)), character.mesh, character.weights)
          .skeleton;
  PreparedMesh prepared = prepare_mesh(character.mesh);
  BoneCells cells = find_bone_cells(prepared, BoneSegments(skeleton, prepared.frame));
  Result<HeatWeights> weights =
      heat_weights(prepared, cells, std::vector<bool>(prepared.parts.count(), true));
  EXPECT_TRUE(weights.ok());
  return {std::move(prepared), std::move(cells), *std::move(weights)};
}

TEST(Heat, EveryVertexOfEveryMeshOfTheZooGetsWeights) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const Heated heated = heat(zoo.mesh);
    EXPECT_EQ(heated.heat.weights.unweighted_count(), 0u) << zoo.name;
  }
}

TEST(Heat, IsWhatADenseSolveOfEquationSixGives) {
  const Heated heated = heat(test::make_mesh(test::limb_data()));
  const auto size = static_cast<Eigen::Index>(heated.prepared.mesh.vertex_count());
  // Eq. 6 row by row, as it stands in the paper: −Δ w + H w = H χ, with Δ = −L / Λ.
  Eigen::MatrixXd matrix(size, size);
  Eigen::VectorXd right(size);
  for (Eigen::Index v = 0; v < size; ++v) {
    const auto i = static_cast<std::size_t>(v);
    const double distance = std::max(heated.cells.distance[i], HeatOptions{}.least_distance_rel);
    const double heat_in = heated.cells.visibility[i] * std::pow(distance, -2);
    matrix.row(v) = Eigen::RowVectorXd(heated.prepared.laplacian.row(v)) /
                    heated.prepared.graph.vertex_measure[i];
    matrix(v, v) += heat_in;
    right[v] = heat_in * weight_of(heated.cells.owners, i, 1);
  }
  const Eigen::VectorXd expected = matrix.partialPivLu().solve(right);
  for (Eigen::Index v = 0; v < size; ++v)
    EXPECT_NEAR(weight_of(heated.heat.weights, static_cast<std::size_t>(v), 1), expected[v], 1e-4);
}

TEST(Heat, WeightsStayBetweenZeroAndOneBeforeRowsAreScaled) {
  // Mending scales rows to one; the solution must not need it by more than what was dropped.
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const Heated heated = heat(zoo.mesh);
    for (std::size_t v = 0; v < heated.heat.weights.vertex_count(); ++v)
      for (const Influence& influence : heated.heat.weights.row(v)) {
        EXPECT_GT(influence.weight, 0) << zoo.name;
        EXPECT_LE(influence.weight, 1 + 1e-12) << zoo.name;
      }
  }
}

TEST(Heat, FallsAlongALimbFromOneBoneToTheOther) {
  const Heated heated = heat(test::make_mesh(test::limb_data({8, 21, 0.2, 2})));
  for (std::size_t ring = 0; ring + 1 < 21; ++ring)
    EXPECT_LT(weight_of(heated.heat.weights, 8 * ring, 1),
              weight_of(heated.heat.weights, 8 * (ring + 1), 1) + 1e-4)
        << ring;
  EXPECT_NEAR(weight_of(heated.heat.weights, 8 * 10, 1), 0.5, 0.02) << "the joint is halfway";
}

TEST(Heat, PartThatNoBoneSeesIsHeatedAllOverAndNoOtherIs) {
  const Heated heated =
      heat(test::make_mesh(test::together(test::limb_data(), test::sleeve_data(0.3))));
  ASSERT_EQ(heated.heat.blind_parts, std::vector<int>{1});
  EXPECT_EQ(heated.heat.weights.unweighted_count(), 0u);
  const Heated alone = heat(test::make_mesh(test::limb_data()));
  for (std::size_t v = 0; v < alone.prepared.mesh.vertex_count(); ++v)
    EXPECT_NEAR(weight_of(heated.heat.weights, v, 1), weight_of(alone.heat.weights, v, 1), 1e-3)
        << "the part that bones see is solved as without the other";
}

TEST(Heat, TurningEveryFaceInsideOutChangesNothing) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    MeshData turned = zoo.mesh.data();
    for (Triangle& triangle : turned.triangles) std::swap(triangle[0], triangle[1]);
    const Heated expected = heat(zoo.mesh);
    const Heated found = heat(test::make_mesh(turned));
    for (std::size_t v = 0; v < expected.heat.weights.vertex_count(); ++v)
      EXPECT_NEAR(weight_of(found.heat.weights, v, 1), weight_of(expected.heat.weights, v, 1), 1e-6)
          << zoo.name;
  }
}

}  // namespace
}  // namespace sinew
