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
  constexpr double kStep = 1e-3;                    // of the ratio
  const double between_ends = std::log(0.3 / 0.2);  // of its logarithm
  constexpr double kSteepest = 4;  // times the even way: what is spared early begins so steeply
  const Effort coarse = effort(1), fine = effort(0.05);  // where groups do not grow yet
  const auto most = [&](double at_coarse, double at_fine) {
    return 1.01 * kSteepest * std::abs(at_fine - at_coarse) * kStep / between_ends;
  };
  Effort before = coarse;
  for (double ratio = 1; ratio > 0.003; ratio *= 1 - kStep) {
    const Effort now = effort(ratio);
    const auto expect_small = [&](double Effort::*each) {
      EXPECT_NEAR(now.*each, before.*each, most(coarse.*each, fine.*each)) << ratio;
    };
    expect_small(&Effort::steps_at_cap);
    expect_small(&Effort::reach_at_cap);
    expect_small(&Effort::finish_rounds);
    expect_small(&Effort::clusterings);
    expect_small(&Effort::poses_of_mirrored);
    expect_small(&Effort::tolerance);
    EXPECT_NEAR(now.clusters.front(), before.clusters.front(), 0.01 * before.clusters.front() + 1)
        << ratio;
    before = now;
  }
}

TEST(Effort, WhereABoneHasThreeRingsOrFewerNothingIsSpared) {
  const Effort coarse = effort(0.5);
  EXPECT_EQ(coarse.steps_at_cap, WeightSolverOptions().max_iterations);
  EXPECT_EQ(coarse.least_finish_rounds, coarse.finish_rounds);
  EXPECT_TRUE(coarse.is_exact);
  EXPECT_EQ(coarse.clusters.front(), static_cast<int>(kVertices));
  EXPECT_EQ(coarse.tolerance, kTolerances.coarse);
  EXPECT_EQ(coarse.clusterings, 1);
  EXPECT_EQ(coarse.poses_of_mirrored, BindExemplars::kUsual);
  EXPECT_FALSE(effort(0.02).is_exact);
  EXPECT_EQ(effort(0.02).tolerance, kTolerances.fine);
}

TEST(Effort, SomebodyMayAskForStepsToTheVeryEnd) {
  MeshParts parts;
  parts.members.emplace_back(kVertices);
  for (const double ratio : {0.5, 0.25, 0.1}) {
    const Effort asked = effort_of({{ratio}, ratio}, parts, {0, kTolerances.fine});
    EXPECT_GE(asked.tolerance, 0) << ratio;
    EXPECT_LE(asked.tolerance, kTolerances.fine) << ratio;
  }
}

TEST(Effort, ClustersOfAPartDoNotDependOnOtherParts) {
  MeshParts parts;
  parts.members.emplace_back(1'000);
  parts.members.emplace_back(500);
  const Effort coarse_beside = effort_of({{0.1, 0.5}, 0.2}, parts, kTolerances);
  const Effort fine_beside = effort_of({{0.1, 0.02}, 0.1}, parts, kTolerances);
  EXPECT_EQ(coarse_beside.clusters[0], fine_beside.clusters[0]);
  EXPECT_EQ(coarse_beside.clusters[1], 500);
  EXPECT_LT(fine_beside.clusters[1], 100);
  EXPECT_FALSE(coarse_beside.is_exact);
}

TEST(Effort, ACoarsePartHasTheChoiceOfBonesOnACoarseCharacterAlone) {
  MeshParts parts;
  parts.members.emplace_back(500);
  const auto most = [&](double part, double whole) {
    return effort_of({{part}, whole}, parts, kTolerances).most_bones.front();
  };
  EXPECT_GT(most(0.5, 0.5), most(0.5, 0.1));
  EXPECT_EQ(most(0.5, 0.1), most(0.1, 0.1));
  EXPECT_EQ(most(0.1, 0.5), most(0.1, 0.1));
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

TEST(EdgeToBone, OfFacesWithoutAreaIsThatOfTheirEdges) {
  const auto of_edges_so_long = [](double length) {
    MeshData data;
    data.positions = {{0, 0.1, 0}, {0, 0.1 + length, 0}, {0, 0.1 + 2 * length, 0}};
    data.triangles = {{0, 1, 2}};
    return edge_to_bone(limb_character(data)).whole;
  };
  EXPECT_GT(of_edges_so_long(0.05), 0);
  EXPECT_NEAR(of_edges_so_long(0.05), 2 * of_edges_so_long(0.025), 1e-6);
}

}  // namespace
}  // namespace sinew::test
