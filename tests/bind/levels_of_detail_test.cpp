// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/levels_of_detail.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/quality/weight_judge.h"
#include "support/binding.h"
#include "support/detail_levels.h"

namespace sinew::test {
namespace {

using Names = std::vector<std::string>;

TEST(BindLevels, WithoutLevelsItIsBind) {
  const Character tentacle = example("tentacle", 2'000);
  const BindOptions options = by(BindMethod::heat);
  EXPECT_EQ(checked(bind_levels(tentacle, {}, options)).weights, bound(tentacle, options).weights);
}

TEST(BindLevels, FinestLevelIsBoundAsIfItWasAlone) {
  const Names names{"A_LOD1", "A_LOD0"};
  const Character levels = character_in_levels("tentacle", names, std::vector{2'000, 3'000});
  const std::vector<DetailGroup> groups{{"a", {{1}, {0}}}};
  const Bound together = checked(bind_levels(levels, groups, by(BindMethod::heat)));
  const Bound alone = bound(with_parts(levels, std::vector{1}), by(BindMethod::heat));
  const SkinWeights finest = rows_of_parts(together.weights, std::span(levels.parts).subspan(1));
  ASSERT_EQ(finest.vertex_count(), alone.weights.vertex_count());
  for (std::size_t v = 0; v < finest.vertex_count(); ++v) {
    ASSERT_EQ(finest.row(v).size(), alone.weights.row(v).size()) << v;
    for (std::size_t k = 0; k < finest.row(v).size(); ++k) {
      EXPECT_EQ(finest.row(v)[k].bone, alone.weights.row(v)[k].bone) << v;
      EXPECT_NEAR(finest.row(v)[k].weight, alone.weights.row(v)[k].weight, 1e-15) << v;
    }
  }
  ASSERT_EQ(together.report.coarse.size(), 1u);
  EXPECT_EQ(together.report.coarse[0].part, 0);
  EXPECT_EQ(together.report.coarse[0].level, 1);
  EXPECT_EQ(together.report.coarse[0].name, "A_LOD1");
  EXPECT_EQ(together.report.coarse[0].finest, "A_LOD0");
  EXPECT_GT(together.report.coarse[0].gap_rel, 0);
  EXPECT_LT(together.report.coarse[0].gap_rel, 0.05);
}

/// Two levels with weights by heat, and the rows of the coarser one.
struct Painted {
  Painted()
      : character(
            character_in_levels("tentacle", Names{"A_LOD0", "A_LOD1"}, std::vector{3'000, 2'000})) {
    std::vector<std::vector<Influence>> rows;
    for (const int part : {0, 1}) {
      const SkinWeights heat =
          bound(with_parts(character, std::vector{part}), by(BindMethod::heat)).weights;
      for (std::size_t v = 0; v < heat.vertex_count(); ++v)
        rows.emplace_back(heat.row(v).begin(), heat.row(v).end());
    }
    character.weights = SkinWeights::from_rows(character.skeleton.bone_count(), rows);
  }
  [[nodiscard]] SkinWeights coarse(const SkinWeights& weights) const {
    return rows_of_parts(weights, std::span(character.parts).subspan(1));
  }
  Character character;
  std::vector<DetailGroup> groups{{"a", {{0}, {1}}}};
};

BindOptions quick() {
  BindOptions options;
  options.exemplars.count = 8;
  return options;
}

TEST(BindLevels, LockedBonesStayToTheBitOnEveryLevel) {
  const Painted painted;
  BindOptions options = quick();
  options.lock = {1, 3};
  options.further_budgets = {3};
  const Bound result = checked(bind_levels(painted.character, painted.groups, options));
  EXPECT_NE(painted.coarse(result.weights), painted.coarse(painted.character.weights));
  EXPECT_TRUE(result.report.coarse.at(0).changed);
  const auto weight_of = [](std::span<const Influence> row, std::uint32_t bone) {
    const auto found = std::ranges::find(row, bone, &Influence::bone);
    return found == row.end() ? 0 : found->weight;
  };
  for (const SkinWeights* weights : {&result.weights, &result.further[0]})
    for (std::size_t v = 0; v < weights->vertex_count(); ++v)
      for (const std::uint32_t bone : {1u, 3u})
        ASSERT_EQ(weight_of(weights->row(v), bone),
                  weight_of(painted.character.weights.row(v), bone))
            << v;
}

TEST(BindLevels, OldWeightsThatNothingIsTakenOffStayOnEveryLevel) {
  const Painted painted;
  BindOptions mixed = quick();
  mixed.mix = 0;
  BindOptions came_back = mixed;
  came_back.init = BindInit::existing;
  BindOptions masked = quick();  // one vertex of the finest level may change
  masked.may_change.assign(painted.character.mesh.vertex_count(), false);
  masked.may_change[0] = true;
  for (const BindOptions& options : {mixed, came_back, masked}) {
    const Bound result = checked(bind_levels(painted.character, painted.groups, options));
    EXPECT_EQ(painted.coarse(result.weights), painted.coarse(painted.character.weights));
    EXPECT_FALSE(result.report.coarse.at(0).changed);
  }
}

TEST(BindLevels, NothingMayChangeIsNoWarningWhereACoarserLevelMay) {
  const Painted painted;
  BindOptions options = by(BindMethod::heat);
  options.may_change.assign(painted.character.mesh.vertex_count(), false);
  const auto warned = [&] {
    const Bound result = checked(bind_levels(painted.character, painted.groups, options));
    return std::ranges::count(result.notices, "nothing_may_change", &Notice::code);
  };
  EXPECT_EQ(warned(), 1);
  options.may_change.back() = true;
  EXPECT_EQ(warned(), 0);
}

TEST(BindLevels, LevelWithoutOldWeightsTakesThoseOfTheFinest) {
  Painted painted;
  std::vector<std::vector<Influence>> rows(painted.character.mesh.vertex_count());
  for (std::size_t v = 0; v < painted.character.parts[1].first_vertex; ++v)
    rows[v].assign(painted.character.weights.row(v).begin(),
                   painted.character.weights.row(v).end());
  painted.character.weights = SkinWeights::from_rows(painted.character.skeleton.bone_count(), rows);
  BindOptions options = quick();
  options.lock = {1};
  const Bound result = checked(bind_levels(painted.character, painted.groups, options));
  EXPECT_EQ(result.weights.unweighted_count(), 0u);
}

TEST(BindLevels, WhatEveryVertexHasIsCheckedAndCutToTheFinestLevel) {
  const Painted painted;
  BindOptions options = by(BindMethod::heat);
  options.may_change.assign(5, true);
  EXPECT_EQ(bind_levels(painted.character, painted.groups, options).error().place, "may_change");
  options.may_change.clear();
  const std::size_t all = painted.character.mesh.vertex_count();
  options.own_spines = {{1, {}, std::vector<double>(all - 1, 0.5), {}}};
  EXPECT_EQ(bind_levels(painted.character, painted.groups, options).error().place,
            "own_spines[0].parameters");
  SpineRequest spine;
  spine.bone = 1;
  spine.painted.assign(7, 0.5);
  options.own_spines.clear();
  options.spines = {spine};
  EXPECT_EQ(bind_levels(painted.character, painted.groups, options).error().place,
            "spines[0].painted");

  options.spines[0].painted.clear();
  for (std::size_t v = 0; v < all; ++v)
    options.spines[0].painted.push_back(static_cast<double>(v) / static_cast<double>(all));
  options.may_change.assign(all, false);
  options.may_change.back() = true;
  const BindOptions coarse = checked(options_for_parts(options, painted.character, std::vector{1}));
  const MeshPart& part = painted.character.parts[1];
  ASSERT_EQ(coarse.spines[0].painted.size(), part.vertex_count);
  ASSERT_EQ(coarse.may_change.size(), part.vertex_count);
  EXPECT_EQ(coarse.spines[0].painted.front(), options.spines[0].painted[part.first_vertex]);
  EXPECT_TRUE(coarse.may_change.back());
  const Bound result = checked(bind_levels(painted.character, painted.groups, options));
  EXPECT_EQ(result.spines.at(0).painted.size(), all) << "rows of joints are for all levels";
}

TEST(BindLevels, CoarserLevelThatCannotKeepWhatItHasToIsRefusedBeforeTheWork) {
  Painted painted;
  std::vector<std::vector<Influence>> rows;
  for (std::size_t v = 0; v < painted.character.mesh.vertex_count(); ++v)
    rows.push_back({{0, 1.0}});
  rows[painted.character.parts[1].first_vertex + 3] = {{0, 0.3}, {1, 0.3}, {2, 0.4}};
  painted.character.weights = SkinWeights::from_rows(painted.character.skeleton.bone_count(), rows);
  BindOptions options = quick();
  options.lock = {0, 1, 2};
  options.max_influences = 2;
  const Result<Bound> result = bind_levels(painted.character, painted.groups, options);
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.error().message.starts_with("2 is too few: vertex 3 of mesh A_LOD1 keeps "))
      << result.error().message;
}

TEST(BindLevels, CoarseLevelsDeformNearlyAsWellAsIfTheyHadBeenBoundThemselves) {
  const Names names{"Body_LOD0", "Body_LOD1", "Body_LOD2"};
  const Character levels = character_in_levels("biped", names, std::vector{6'000, 3'500, 2'000});
  const std::vector<DetailGroup> groups{{"body", {{0}, {1}, {2}}}};
  BindOptions options;
  options.further_budgets = {2};
  options.format = WeightFormat::u8;
  const Bound result = checked(bind_levels(levels, groups, options));
  EXPECT_EQ(result.weights.unweighted_count(), 0u);
  EXPECT_LE(result.weights.max_influences(), 4u);
  EXPECT_LE(result.further[0].max_influences(), 2u);
  for (const SkinWeights* weights : {&result.weights, &result.further[0]})
    for (std::size_t v = 0; v < weights->vertex_count(); ++v) {
      long sum = 0;
      for (const Influence& influence : weights->row(v)) sum += std::lround(influence.weight * 255);
      ASSERT_EQ(sum, 255) << v;
    }
  for (const int level : {1, 2}) {
    const Character coarse = with_parts(levels, std::vector{level});
    const Bound itself = bound(coarse);
    const WeightJudge judge(coarse, result.report.roles, result.report.hierarchy, {});
    const auto part = std::span(levels.parts).subspan(static_cast<std::size_t>(level), 1);
    const double taken = checked(judge.judge(rows_of_parts(result.weights, part))).arap;
    const double own = checked(judge.judge(itself.weights)).arap;
    std::printf("%s: arap %.5f with the weights of the finest, %.5f bound by itself\n",
                names[static_cast<std::size_t>(level)].c_str(), taken, own);
    EXPECT_LE(taken, 1.1 * own) << level;
  }
}

}  // namespace
}  // namespace sinew::test
