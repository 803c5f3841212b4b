// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/polish.h"

#include <gtest/gtest.h>

#include "sinew/quality/weight_judge.h"
#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/models.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

BindOptions polishing() {
  BindOptions options;
  options.init = BindInit::existing;
  return options;
}

/// Weights that change all at once at the joints, as someone in a hurry paints them.
Character hasty_chain() {
  Character chain = chain_character();
  std::vector<int> bones;
  for (const Vec3& position : chain.mesh.positions())
    bones.push_back(std::min(3, static_cast<int>(position.y() / 0.5)));
  chain.weights = rigid_weights(bones, 4);
  return chain;
}

WeightQuality judged(const Character& character, const Bound& bound, const SkinWeights& weights,
                     std::uint64_t seed) {
  JudgeOptions options;
  options.seed = seed;
  return *WeightJudge(character, bound.report.roles, bound.report.hierarchy, options)
              .judge(weights, &character.weights);
}

TEST(Polish, WeightsPaintedInAHurryGetBetter) {
  const Character chain = hasty_chain();
  const Bound result = bound(chain, polishing());
  ASSERT_TRUE(result.report.polish);
  EXPECT_GT(result.report.polish->blend, 0);
  EXPECT_LT(result.report.polish->arap_after, 0.9 * result.report.polish->arap_before);
  for (const std::uint64_t seed : {1, 2}) {  // poses that chose nothing
    const WeightQuality before = judged(chain, result, chain.weights, seed);
    const WeightQuality after = judged(chain, result, result.weights, seed);
    EXPECT_LT(after.arap, 0.95 * before.arap) << seed;
    EXPECT_GE(after.follow, before.follow - 0.005) << seed;
  }
}

TEST(Polish, WeightsThatNothingIsBetterThanComeBackAsTheyWere) {
  // Two pieces, each all on one bone: they do not distort at all.
  Character pair = limb_character(together(limb_data({8, 5, 0.2, 0.9}), [] {
    MeshData upper = limb_data({8, 5, 0.2, 0.9});
    for (Vec3& position : upper.positions) position.y() += 1.1;
    return upper;
  }()));
  std::vector<int> bones;
  for (const Vec3& position : pair.mesh.positions()) bones.push_back(position.y() < 1 ? 0 : 1);
  pair.weights = rigid_weights(bones, 2);
  const Bound result = bound(pair, polishing());
  EXPECT_EQ(result.weights, pair.weights);
  ASSERT_TRUE(result.report.polish);
  EXPECT_EQ(result.report.polish->blend, 0);
  EXPECT_EQ(result.report.polish->arap_after, result.report.polish->arap_before);
  ASSERT_TRUE(result.report.polish->obstacle);
  EXPECT_EQ(result.report.polish->obstacle->figure, "arap");
  EXPECT_GE(result.report.polish->obstacle->after, result.report.polish->obstacle->before);
}

TEST(Polish, HeldBonesAndVerticesStayToTheBit) {
  const Character chain = hasty_chain();
  BindOptions options = polishing();
  options.lock = {3};
  for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v)
    options.may_change.push_back(chain.mesh.positions()[v].y() > 0.3);
  const Bound result = bound(chain, options);
  EXPECT_GT(result.report.polish->blend, 0);
  for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v) {
    const auto now = result.weights.row(v);
    const auto before = chain.weights.row(v);
    EXPECT_TRUE(options.may_change[v] || std::ranges::equal(now, before)) << v;
    const auto of_locked = [](std::span<const Influence> row) {
      for (const Influence& influence : row)
        if (influence.bone == 3) return influence.weight;
      return 0.0;
    };
    EXPECT_EQ(of_locked(now), of_locked(before)) << v;
  }
}

TEST(Polish, MixLimitsHowFarItGoes) {
  BindOptions options = polishing();
  options.mix = 0.2;
  const Bound result = bound(hasty_chain(), options);
  EXPECT_GT(result.report.polish->blend, 0);
  EXPECT_LE(result.report.polish->blend, 0.2);
}

TEST(Polish, WeightsOverTheCapAreCutFirst) {
  Character hand = example("hand", 2'000);
  ASSERT_GT(hand.weights.max_influences(), 2u);
  BindOptions options = polishing();
  options.exemplars.count = 12;
  options.max_influences = 2;
  EXPECT_LE(bound(hand, options).weights.max_influences(), 2u);
}

TEST(Polish, WeightsThatComeBackUnderACapKeepLockedBonesAndTellWhatTheCutCost) {
  Character hand = example("hand", 2'000);
  BindOptions options = polishing();
  options.exemplars.count = 12;
  options.max_influences = 2;
  options.mix = 0;
  const std::vector<int> dominant = dominant_bones(hand.weights);
  const auto locked = static_cast<std::uint32_t>(dominant.front());
  options.lock = {dominant.front()};
  const Bound result = bound(hand, options);
  EXPECT_LE(result.weights.max_influences(), 2u);
  std::size_t above = 0;
  for (std::size_t v = 0; v < hand.mesh.vertex_count(); ++v) {
    const auto of_locked = [&](std::span<const Influence> row) {
      const auto found = std::ranges::find(row, locked, &Influence::bone);
      return found == row.end() ? 0 : found->weight;
    };
    EXPECT_EQ(of_locked(result.weights.row(v)), of_locked(hand.weights.row(v))) << v;
    const bool was_above = hand.weights.row(v).size() > 2;
    EXPECT_TRUE(was_above || std::ranges::equal(result.weights.row(v), hand.weights.row(v))) << v;
    above += was_above ? 1 : 0;
  }
  const PolishReport& polish = *result.report.polish;
  EXPECT_EQ(polish.blend, 0);
  EXPECT_EQ(polish.cut, above);
  EXPECT_GT(polish.cut, 0u);
  EXPECT_EQ(polish.arap_after, polish.arap_before);
  EXPECT_NE(polish.arap_file, polish.arap_before);
  options.max_influences = static_cast<int>(hand.weights.max_influences());
  const PolishReport uncut = *bound(hand, options).report.polish;
  EXPECT_EQ(uncut.cut, 0u);
  EXPECT_EQ(uncut.arap_file, polish.arap_file);
  EXPECT_EQ(uncut.arap_file, uncut.arap_before);
}

TEST(Polish, VerticesWithoutWeightsGetSomeEvenIfNothingIsBetter) {
  Character chain = hasty_chain();
  std::vector<std::vector<Influence>> rows;
  for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v)
    rows.emplace_back(chain.weights.row(v).begin(), chain.weights.row(v).end());
  rows[20].clear();
  chain.weights = SkinWeights::from_rows(4, rows);
  BindOptions options = polishing();
  options.mix = 0;
  const Bound result = bound(chain, options);
  EXPECT_EQ(result.weights.unweighted_count(), 0u);
  for (std::size_t v = 0; v < rows.size(); ++v)
    EXPECT_TRUE(v == 20 || std::ranges::equal(result.weights.row(v), chain.weights.row(v))) << v;
}

TEST(Polish, OtherMethodsAreRefused) {
  for (const BindMethod method : {BindMethod::heat, BindMethod::distance}) {
    BindOptions options = polishing();
    options.method = method;
    EXPECT_EQ(bind(hasty_chain(), options).error().place, "init");
  }
  BindOptions paper = polishing();
  paper.constraints = ConstraintSet::paper;
  EXPECT_EQ(bind(hasty_chain(), paper).error().place, "init");
}

TEST(Polish, FreshWeightsHaveNoReportOfIt) { EXPECT_FALSE(bound(hasty_chain()).report.polish); }

class PolishReal : public ::testing::TestWithParam<const char*> {};

TEST_P(PolishReal, NothingThatIsJudgedGetsWorse) {
  SINEW_REAL_MODEL(path, GetParam());
  const Character character = load(path).at(0).character;
  const Bound result = bound(character, polishing());
  const WeightQuality before = judged(character, result, character.weights, 1);
  const WeightQuality after = judged(character, result, result.weights, 1);
  EXPECT_LE(after.arap, before.arap);
  EXPECT_LE(after.clips.value_or(0), before.clips.value_or(0));
  EXPECT_GE(after.follow, before.follow - 0.005);
  EXPECT_LE(after.drift, before.drift + 0.005);
  EXPECT_EQ(after.lost, 0u);
  EXPECT_LE(after.dead, before.dead);
  RecordProperty("ratio", std::to_string(after.arap / before.arap));
}

INSTANTIATE_TEST_SUITE_P(Each, PolishReal,
                         ::testing::Values("khronos/CesiumMan.glb", "khronos/Fox.glb",
                                           "quaternius/modular_men_King.glb"),
                         [](const auto& file) {
                           return std::filesystem::path(file.param).stem().string();
                         });

}  // namespace
}  // namespace sinew::test
