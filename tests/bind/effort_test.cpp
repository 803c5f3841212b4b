// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/effort.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "bind/prepared_bind.h"
#include "support/binding.h"
#include "support/grown_mesh.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

constexpr Tolerances kTolerances{1e-3, 1e-2};
constexpr std::size_t kVertices = 6'000;

/// Of a mesh of one part, whose edges are so long beside its bones.
Effort effort(double edge_to_bone) {
  MeshParts parts;
  parts.members.emplace_back(kVertices);
  return effort_of({{edge_to_bone}, edge_to_bone}, parts, kTolerances);
}

TEST(Effort, FinerMeshesAreNeverSolvedHarder) {
  Effort before = effort(1);
  for (double ratio = 1; ratio > 0.003; ratio *= 0.99) {
    const Effort now = effort(ratio);
    EXPECT_LE(now.steps_at_cap, before.steps_at_cap) << ratio;
    EXPECT_LE(now.finish_rounds, before.finish_rounds) << ratio;
    EXPECT_LE(now.least_finish_rounds, before.least_finish_rounds) << ratio;
    EXPECT_LE(now.clusters.front(), before.clusters.front()) << ratio;
    EXPECT_LE(now.most_bones.front(), before.most_bones.front()) << ratio;
    EXPECT_LE(now.poses_of_mirrored, before.poses_of_mirrored) << ratio;
    EXPECT_GE(now.tolerance, before.tolerance) << ratio;
    before = now;
  }
}

TEST(Effort, NothingJumps) {
  constexpr double kStep = 1e-3;  // of the ratio
  Effort before = effort(1);
  for (double ratio = 1; ratio > 0.003; ratio *= 1 - kStep) {
    const Effort now = effort(ratio);
    EXPECT_NEAR(now.steps_at_cap, before.steps_at_cap, 0.4) << ratio;
    EXPECT_NEAR(now.reach_at_cap, before.reach_at_cap, 0.01) << ratio;
    EXPECT_NEAR(now.finish_rounds, before.finish_rounds, 0.03) << ratio;
    EXPECT_NEAR(now.clusterings, before.clusterings, 0.01) << ratio;
    EXPECT_NEAR(now.poses_of_mirrored, before.poses_of_mirrored, 0.5) << ratio;
    EXPECT_NEAR(std::log(now.tolerance), std::log(before.tolerance), 0.01) << ratio;
    EXPECT_NEAR(std::log(now.clusters.front()), std::log(before.clusters.front()), 0.02) << ratio;
    before = now;
  }
}

TEST(Effort, WhereEdgesAreNearlyAsLongAsBonesNothingIsSpared) {
  const Effort coarse = effort(0.5);
  EXPECT_TRUE(coarse.is_exact);
  EXPECT_EQ(coarse.clusters.front(), static_cast<int>(kVertices));
  EXPECT_EQ(coarse.tolerance, kTolerances.coarse);
  EXPECT_EQ(coarse.clusterings, 1);
  EXPECT_EQ(coarse.poses_of_mirrored, BindExemplars::kUsual);
  EXPECT_FALSE(effort(0.02).is_exact);
  EXPECT_EQ(effort(0.02).tolerance, kTolerances.fine);
}

TEST(Effort, OfAPartDoesNotDependOnOtherParts) {
  MeshParts parts;
  parts.members.emplace_back(1'000);
  parts.members.emplace_back(500);
  const Effort coarse_beside = effort_of({{0.1, 0.5}, 0.2}, parts, kTolerances);
  const Effort fine_beside = effort_of({{0.1, 0.02}, 0.1}, parts, kTolerances);
  EXPECT_EQ(coarse_beside.clusters[0], fine_beside.clusters[0]);
  EXPECT_EQ(coarse_beside.most_bones[0], fine_beside.most_bones[0]);
  EXPECT_EQ(coarse_beside.clusters[1], 500);
  EXPECT_LT(fine_beside.clusters[1], 100);
  EXPECT_FALSE(coarse_beside.is_exact);
}

/// Of a character, as bind finds it.
EdgeToBone edge_to_bone(const Character& character) {
  std::vector<StageTime> times;
  const PreparedBind prepared = checked(prepare_bind(character, {}, {}, times, {}));
  return find_edge_to_bone(prepared.mesh, prepared.segments, prepared.cells);
}

/// Every triangle cut into four.
Character cut_into_four(const Character& character) {
  MeshData data = character.mesh.data();
  std::map<Edge, VertexIndex> middles;
  const auto middle = [&](VertexIndex a, VertexIndex b) {
    const auto [found, is_new] = middles.try_emplace(
        {std::min(a, b), std::max(a, b)}, static_cast<VertexIndex>(data.positions.size()));
    if (is_new) data.positions.push_back((data.positions[a] + data.positions[b]) / 2);
    return found->second;
  };
  std::vector<Triangle> triangles;
  for (const auto& [a, b, c] : character.mesh.triangles()) {
    const VertexIndex ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    triangles.insert(triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  data.triangles = std::move(triangles);
  Character cut = character;
  cut.mesh = checked(Mesh::create(std::move(data)));
  cut.weights =
      SkinWeights::from_rows(character.skeleton.bone_count(),
                             std::vector<std::vector<Influence>>(cut.mesh.vertex_count()));
  return cut;
}

TEST(EdgeToBone, HalvesWhereEveryEdgeIsCutInTwo) {
  Character biped = example("biped", 2'000);
  biped.weights = SkinWeights::from_rows(
      biped.skeleton.bone_count(), std::vector<std::vector<Influence>>(biped.mesh.vertex_count()));
  const double whole = edge_to_bone(biped).whole;
  EXPECT_NEAR(edge_to_bone(cut_into_four(biped)).whole, whole / 2, 0.02 * whole);
}

TEST(EdgeToBone, IsOfTheShapeAndNotOfTheUnitOrThePlace) {
  const Character biped = example("biped", 2'000);
  Character moved = biped;
  MeshData data = biped.mesh.data();
  for (Vec3& position : data.positions) position = 100 * position + Vec3(5, 6, 7);
  moved.mesh = checked(Mesh::create(std::move(data)));
  moved.skeleton = biped.skeleton.with([](std::vector<Bone>& bones) {
    for (Bone& bone : bones) {
      bone.rest.translation() = 100 * bone.rest.translation() + Vec3(5, 6, 7);
      if (bone.tail) bone.tail = 100 * *bone.tail + Vec3(5, 6, 7);
    }
  });
  const double whole = edge_to_bone(biped).whole;
  EXPECT_NEAR(edge_to_bone(moved).whole, whole, 0.01 * whole) << "but for ties between bones";
}

TEST(EdgeToBone, HardlyKnowsOfASmallPartHoweverManyVerticesItHas) {
  const Character biped = example("biped", 2'000);
  const EdgeToBone few = edge_to_bone(with_badge(biped, 700, 20));
  const EdgeToBone many = edge_to_bone(with_badge(biped, 700, 4'000));
  EXPECT_NEAR(many.whole, few.whole, 0.01 * few.whole);
  EXPECT_EQ(many.of_part.front(), few.of_part.front()) << "the body's own is its own";
  EXPECT_LT(many.of_part.back(), few.of_part.back() / 5);
}

TEST(EdgeToBone, IsOneWhereThereIsNoArea) {
  MeshData data;
  data.positions = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
  data.triangles = {{0, 1, 2}};
  const EdgeToBone flat = edge_to_bone(limb_character(data));
  EXPECT_LE(flat.whole, 1);
  EXPECT_GT(flat.whole, 0);
}

}  // namespace
}  // namespace sinew::test
