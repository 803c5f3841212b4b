// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "rig/leaf_tails.h"
#include "sinew/weights/heat.h"
#include "support/checked.h"
#include "support/mesh_zoo.h"
#include "support/stored_weights.h"

namespace sinew {
namespace {

using test::weight_of;

struct Scene {
  PreparedMesh prepared;
  BoneCells cells;
  VertexIndex first_of_ball = 0;

  [[nodiscard]] HeatWeights heat(const std::vector<Edge>& wires) const {
    HeatOptions options;
    options.wires = wires;
    return test::checked(
        heat_weights(prepared, cells, std::vector<bool>(prepared.parts.count(), true), options));
  }
};

/// A limb on two bones, and a ball beside it.
Scene limb_and_ball(const Vec3& centre, double radius) {
  const MeshData limb = test::limb_data();
  const Character character =
      test::limb_character(test::together(limb, test::ball_data(centre, radius)));
  const Skeleton skeleton =
      guess_leaf_tails(character.skeleton, character.mesh, character.weights).skeleton;
  PreparedMesh prepared = prepare_mesh(character.mesh);
  BoneCells cells = find_bone_cells(prepared, BoneSegments(skeleton, prepared.frame));
  return {std::move(prepared), std::move(cells), static_cast<VertexIndex>(limb.positions.size())};
}

/// [−Δ + H; D_WE] w = [H χ; 0] by a dense least-squares solve, one bone at a time.
Eigen::MatrixXd augmented(const Scene& scene, const std::vector<Edge>& wires) {
  const auto size = static_cast<Eigen::Index>(scene.prepared.mesh.vertex_count());
  const auto lines = size + static_cast<Eigen::Index>(wires.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(lines, size);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(lines, 2);
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto v = static_cast<std::size_t>(i);
    const double distance = std::max(scene.cells.distance[v], HeatOptions{}.least_distance_rel);
    const double heat_in = scene.cells.visibility[v] / std::pow(distance, 2);
    matrix.row(i) = Eigen::RowVectorXd(scene.prepared.laplacian.row(i)) /
                    scene.prepared.graph.vertex_measure[v];
    matrix(i, i) += heat_in;
    for (const Influence& owner : scene.cells.owners.row(v))
      right(i, owner.bone) = heat_in * owner.weight;
  }
  for (std::size_t w = 0; w < wires.size(); ++w) {
    const auto [k, l] = wires[w];
    const double d =
        1e5 * std::exp(-(scene.prepared.mesh.positions()[k] - scene.prepared.mesh.positions()[l])
                            .squaredNorm());
    matrix(size + static_cast<Eigen::Index>(w), k) = d;
    matrix(size + static_cast<Eigen::Index>(w), l) = -d;
  }
  return matrix.colPivHouseholderQr().solve(right);
}

TEST(WiredHeat, IsTheGreaterOfPlainHeatAndTheAugmentedSystem) {
  Scene scene = limb_and_ball({0.45, 1.6, 0}, 0.15);
  for (std::size_t v = scene.first_of_ball; v < scene.cells.visibility.size(); ++v)
    scene.cells.visibility[v] = 1;  // as if the limb let them see their bone
  const std::vector<Edge> wires = {{scene.first_of_ball, 10}, {scene.first_of_ball + 1, 11}};
  const SkinWeights plain = scene.heat({}).weights;
  const SkinWeights wired = scene.heat(wires).weights;
  const Eigen::MatrixXd solved = augmented(scene, wires);
  double moved = 0;
  for (std::size_t v = 0; v < wired.vertex_count(); ++v) {
    double expected[2];
    for (std::uint32_t bone = 0; bone < 2; ++bone)
      expected[bone] =
          std::max({0.0, weight_of(plain, v, bone), solved(static_cast<Eigen::Index>(v), bone)});
    for (std::uint32_t bone = 0; bone < 2; ++bone) {
      EXPECT_NEAR(weight_of(wired, v, bone), expected[bone] / (expected[0] + expected[1]), 1e-4)
          << v;
      moved = std::max(moved, std::abs(weight_of(wired, v, bone) - weight_of(plain, v, bone)));
    }
  }
  EXPECT_GT(moved, 0.05) << "the wires do something";
}

TEST(WiredHeat, APartThatNoBoneSeesTakesItsWeightsThroughItsWires) {
  Scene scene = limb_and_ball({0, 1.5, 0}, 0.05);
  for (std::size_t v = scene.first_of_ball; v < scene.cells.visibility.size(); ++v)
    scene.cells.visibility[v] = 0;
  EXPECT_EQ(scene.heat({}).blind_parts.size(), 1u);
  const HeatWeights wired = scene.heat({{scene.first_of_ball, 9}});
  EXPECT_TRUE(wired.blind_parts.empty());
  const double at_wire = weight_of(wired.weights, 9, 0);
  EXPECT_GT(at_wire, 0.5) << "at the other end of it is the thigh, and the shin is nearer";
  for (std::size_t v = scene.first_of_ball; v < wired.weights.vertex_count(); ++v)
    EXPECT_NEAR(weight_of(wired.weights, v, 0), at_wire, 0.15) << v;
}

TEST(WiredHeat, WiresThatLeadNowhereChangeNothing) {
  const Scene scene = limb_and_ball({0.45, 1.6, 0}, 0.15);
  const SkinWeights plain = scene.heat({}).weights;
  HeatOptions options;
  options.wires = {{scene.first_of_ball, 10}, {3, 3}};
  std::vector<bool> parts(scene.prepared.parts.count(), true);
  parts[static_cast<std::size_t>(scene.prepared.parts.of_vertex[scene.first_of_ball])] = false;
  const SkinWeights wired =
      test::checked(heat_weights(scene.prepared, scene.cells, parts, options)).weights;
  for (std::size_t v = 0; v < scene.first_of_ball; ++v)
    EXPECT_EQ(weight_of(wired, v, 0), weight_of(plain, v, 0));
}

}  // namespace
}  // namespace sinew
