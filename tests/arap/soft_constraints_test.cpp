// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/arap/weight_constraints.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

struct Led {
  WeightProblem problem;
  std::vector<Anchor> anchors;
};

/// A problem in which every bone may influence every vertex, at equal shares.
Led led(const Character& character, std::size_t exemplars = 3) {
  const PreparedCharacter made = prepared(character);
  const std::size_t bones = made.skeleton.bone_count();
  Led result;
  result.problem.positions = made.prepared.mesh.positions();
  result.problem.graph = made.prepared.graph;
  result.problem.maps.bone_count = bones;
  for (std::size_t v = 0; v < result.problem.positions.size(); ++v) {
    for (std::uint32_t bone = 0; bone < bones; ++bone) {
      result.problem.maps.bones.push_back(bone);
      result.problem.maps.weights.push_back(1 / static_cast<double>(bones));
    }
    result.problem.maps.begin.push_back(result.problem.maps.bones.size());
  }
  result.problem.exemplars.assign(exemplars, std::vector<Affine3>(bones, Affine3::Identity()));
  result.anchors = find_bone_anchors(made.prepared, made.skeleton, made.segments,
                                     std::vector<bool>(result.problem.positions.size(), true))
                       .anchors;
  return result;
}

/// Of all constraints on a bone, over what they hold.
double firmness(const Led& made, std::uint32_t bone, double obedience = 0.5) {
  double stiffness = 0;
  double held = 0;
  for (const WeightConstraint& each : soft_constraints(made.problem, made.anchors, obedience))
    if (each.bone == bone) stiffness += each.stiffness;
  for (const Anchor& each : made.anchors)
    if (each.bone == bone) held += each.share * made.problem.graph.vertex_measure[each.vertex];
  return stiffness / held;
}

TEST(SoftConstraints, EveryAnchorIsDrawnToItsBone) {
  const Led chain = led(chain_character());
  const std::vector<WeightConstraint> found = soft_constraints(chain.problem, chain.anchors, 0.5);
  ASSERT_EQ(found.size(), chain.anchors.size());
  ASSERT_FALSE(found.empty());
  for (std::size_t a = 0; a < found.size(); ++a) {
    EXPECT_EQ(found[a].vertex, chain.anchors[a].vertex);
    EXPECT_EQ(found[a].bone, chain.anchors[a].bone);
    EXPECT_EQ(found[a].target, 1);
    EXPECT_GT(found[a].stiffness, 0);
  }
}

TEST(SoftConstraints, StiffnessIsInProportionToTheAnchorsShareOfTheMesh) {
  const Led chain = led(chain_character());
  const std::vector<WeightConstraint> found = soft_constraints(chain.problem, chain.anchors, 0.5);
  for (std::size_t a = 0; a < found.size(); ++a)
    EXPECT_NEAR(found[a].stiffness / firmness(chain, found[a].bone),
                chain.anchors[a].share * chain.problem.graph.vertex_measure[found[a].vertex],
                1e-12);
}

TEST(SoftConstraints, EachTenthOfObedienceIsAFactorOfTwoAndAHalf) {
  const Led chain = led(chain_character());
  for (int tenth = 0; tenth < 10; ++tenth)
    EXPECT_NEAR(firmness(chain, 1, 0.1 * (tenth + 1)) / firmness(chain, 1, 0.1 * tenth), 2.5, 0.02)
        << tenth;
}

TEST(SoftConstraints, AreForTheWholeOfTheExemplars) {
  EXPECT_NEAR(firmness(led(chain_character(), 12), 0), 4 * firmness(led(chain_character(), 3), 0),
              1e-9 * firmness(led(chain_character(), 12), 0));
}

TEST(SoftConstraints, BonesWithFewAnchorsAreFirmerButNotWithoutLimit) {
  Led few = led(chain_character());
  std::size_t kept = 0;
  std::erase_if(few.anchors, [&](const Anchor& each) { return each.bone == 2 && kept++ >= 2; });
  EXPECT_GT(firmness(few, 2), 1.5 * firmness(few, 1));
  for (Anchor& each : few.anchors)
    if (each.bone == 2) each.share = 1e-9;
  EXPECT_LE(firmness(few, 2), 10 / 0.1 * firmness(few, 1)) << "at most ten times, each way";
  EXPECT_GT(firmness(few, 2), 5 * firmness(few, 1));
}

TEST(SoftConstraints, AreWeakerOnDenseMeshesAsTheirEnergyIs) {
  const auto of_rows = [](int rows) {
    return firmness(led(limb_character(sheet_data(rows / 4, rows, 0.5, 2))), 0);
  };
  double before = std::numeric_limits<double>::infinity();
  for (const int rows : {16, 32, 64}) {
    EXPECT_LT(of_rows(rows), before) << rows;
    before = of_rows(rows);
  }
  EXPECT_LT(of_rows(8), of_rows(16)) << "where every anchor is a joint too";
  // On fine meshes halving every edge quarters the firmness, as it does the energy.
  EXPECT_NEAR(of_rows(128) / of_rows(256), 4, 0.3);
}

TEST(SoftConstraints, UnitsAndPlacesDoNotMatter) {
  const Led here = led(chain_character());
  const Led there = led(moved(chain_character(), 1024, Vec3(5000, -300, 70)));
  ASSERT_EQ(here.anchors.size(), there.anchors.size());
  for (std::uint32_t bone = 0; bone < 4; ++bone)
    EXPECT_NEAR(firmness(there, bone), firmness(here, bone), 1e-6 * firmness(here, bone));
}

TEST(SoftConstraints, WithoutAnchorsThereAreNone) {
  const Led chain = led(chain_character());
  EXPECT_TRUE(soft_constraints(chain.problem, {}, 0.5).empty());
  const ConstrainedProblem constrained = constrain_softly(chain.problem, {}, 0.5, {});
  EXPECT_EQ(constrained.attached, 0u);
  EXPECT_EQ(constrained.fading, 0u);
}

TEST(SoftConstraints, LinksWeighAsTwoWires) {
  const Led chain = led(chain_character());
  PartLink link;
  link.part = 0;
  link.host = 0;
  link.links = {{3, {{40, 1}}, 0.1}};
  const auto measure = [](const MeshGraph& graph) {
    const auto neighbours = graph.neighbours_of(3);
    const auto at = std::ranges::find(neighbours, VertexIndex{40});
    return at == neighbours.end()
               ? 0
               : graph.edge_measures_of(3)[static_cast<std::size_t>(at - neighbours.begin())];
  };
  const std::vector links{link};
  ASSERT_EQ(measure(chain.problem.graph), 0) << "no edge";
  const double one = measure(with_links(chain.problem.graph, links));
  ASSERT_GT(one, 0);
  EXPECT_NEAR(measure(constrain_softly(chain.problem, {}, 0.5, links).problem.graph), 2 * one,
              1e-12 * one);
}

TEST(SoftConstraints, ObeyingMoreBringsAnchorsNearerToTheirBones) {
  MadeProblem made = made_problem(chain_character());
  const Led chain = led(chain_character());
  double before = 0;
  for (const double obedience : {0.1, 0.5, 0.9}) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> added;
    for (const Anchor& each : chain.anchors) added.emplace_back(each.vertex, each.bone);
    WeightProblem problem = made.problem;
    problem.maps = with_more_bones(problem.maps, added);
    WeightSolver solver =
        made_solver(problem, soft_constraints(problem, chain.anchors, obedience), plain_solver());
    solve(solver);
    double followed = 0;
    for (const Anchor& each : chain.anchors)
      followed += solver.weights()[*problem.maps.find(each.vertex, each.bone)];
    followed /= static_cast<double>(chain.anchors.size());
    EXPECT_GT(followed, before) << obedience;
    before = followed;
  }
  EXPECT_GT(before, 0.95);
}

TEST(SoftConstraints, BonesThatLostTheirAnchorsAreHeldThreeTimesAsFirmly) {
  const Led chain = led(chain_character());
  const std::vector<WeightConstraint> leading = soft_constraints(chain.problem, chain.anchors, 0.5);
  const InfluenceMaps& maps = chain.problem.maps;
  std::vector<double> weights(maps.bones.size(), 0);
  for (const Anchor& each : chain.anchors)
    weights[*maps.find(each.vertex, each.bone)] = each.bone == 1 ? 0.3 : 0.9;
  double of_round = 0;
  double before = 0;
  for (const WeightConstraint& each : leading)
    if (each.bone == 1) before += each.stiffness;
  double held = before;
  for (int round = 0; round < 3; ++round) {
    of_round = 0;
    for (const WeightConstraint& each : firmer_for_lost(maps, weights, leading, round)) {
      EXPECT_EQ(each.bone, 1u) << "the others lead theirs";
      EXPECT_EQ(each.target, 1);
      of_round += each.stiffness;
    }
    EXPECT_NEAR((held + of_round) / held, 3, 1e-9);
    held += of_round;
  }
  // One strong anchor is not enough when most are lost, and many middling ones are not either.
  for (const Anchor& each : chain.anchors)
    if (each.bone == 1) weights[*maps.find(each.vertex, each.bone)] = 0.55;
  EXPECT_FALSE(firmer_for_lost(maps, weights, leading, 0).empty());
  for (const Anchor& each : chain.anchors)
    if (each.bone == 1) weights[*maps.find(each.vertex, each.bone)] = 0.65;
  EXPECT_TRUE(firmer_for_lost(maps, weights, leading, 0).empty());
}

}  // namespace
}  // namespace sinew::test
