// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "characters/characters.h"
#include "sinew/bind/bind.h"
#include "sinew/core/threads.h"
#include "sinew/quality/weight_judge.h"
#include "support/checked.h"

namespace sinew::test {
namespace {

Character example(const char* name, int vertices) {
  ExampleOptions options;
  options.vertices = vertices;
  Character character = checked(make_example(name, options)).character;
  character.weights = SkinWeights(character.mesh.vertex_count(), character.skeleton.bone_count());
  return character;
}

BindOptions coarse_options(std::size_t vertices) {
  BindOptions options;
  options.coarse = {vertices, vertices};
  return options;
}

TEST(BindCoarsely, DistortsAtMostTwoPercentMoreThanTheDirectBind) {
  const Character character = example("biped", 16'000);
  const Bound direct = checked(bind(character));
  const Bound coarse = checked(bind(character, coarse_options(5'000)));
  EXPECT_FALSE(direct.report.coarse_vertices);
  ASSERT_TRUE(coarse.report.coarse_vertices);
  EXPECT_LT(*coarse.report.coarse_vertices, 6'000u);
  const WeightJudge judge(character, direct.report.roles);
  const WeightQuality of_direct = checked(judge.judge(direct.weights));
  const WeightQuality of_coarse = checked(judge.judge(coarse.weights));
  EXPECT_LT(of_coarse.arap, 1.02 * of_direct.arap);
  EXPECT_GT(of_coarse.follow, of_direct.follow - 0.02);
}

TEST(BindCoarsely, EveryVertexHasWeightsThatSumToOneWithinTheLimit) {
  const Character character = example("robot", 9'000);
  const Bound bound = checked(bind(character, coarse_options(3'000)));
  ASSERT_TRUE(bound.report.coarse_vertices);
  ASSERT_EQ(bound.weights.vertex_count(), character.mesh.vertex_count());
  for (std::size_t v = 0; v < bound.weights.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& influence : bound.weights.row(v)) sum += influence.weight;
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LE(bound.weights.row(v).size(), 4u);
  }
}

TEST(BindCoarsely, ReportIsOfTheWholeMesh) {
  Character character = example("robot", 9'000);
  BindOptions options = coarse_options(3'000);
  options.further_budgets = {2};
  const Bound coarse = checked(bind(character, options));
  options.coarse = BindOptions().coarse;
  const Bound direct = checked(bind(character, options));
  ASSERT_TRUE(coarse.report.coarse_vertices);
  EXPECT_EQ(coarse.report.welded_vertices, direct.report.welded_vertices);
  EXPECT_EQ(coarse.report.parts, direct.report.parts);
  EXPECT_EQ(coarse.report.vertices_on_bones, direct.report.vertices_on_bones);
  ASSERT_EQ(coarse.report.rigid.size(), direct.report.rigid.size());
  for (std::size_t p = 0; p < direct.report.rigid.size(); ++p)
    EXPECT_EQ(coarse.report.rigid[p].vertices, direct.report.rigid[p].vertices);
  ASSERT_EQ(coarse.further.size(), 1u);
  for (std::size_t v = 0; v < coarse.weights.vertex_count(); ++v)
    EXPECT_EQ(coarse.further[0].row(v).size(), 1u) << "a robot is rigid whatever the budget";
}

TEST(BindCoarsely, SameBitsForOneAndTwoThreads) {
  const Character character = example("tentacle", 6'000);
  std::vector<SkinWeights> found;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    found.push_back(checked(bind(character, coarse_options(2'000))).weights);
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(BindCoarsely, WhatHasToStayOrToBeTheSameOnBothSidesIsBoundDirectly) {
  const Character character = example("tentacle", 4'000);
  BindOptions options = coarse_options(2'000);
  options.mirror = MirrorChoice::x;
  EXPECT_FALSE(checked(bind(character, options)).report.coarse_vertices);
  Character weighted = character;
  weighted.weights = checked(bind(character, coarse_options(2'000))).weights;
  options = coarse_options(2'000);
  options.lock = {1};
  EXPECT_FALSE(checked(bind(weighted, options)).report.coarse_vertices);
}

}  // namespace
}  // namespace sinew::test
