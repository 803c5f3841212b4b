// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "sinew/bind/bind.h"
#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/painted_chain.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

/// The chain cut in two at y = 1, where both halves have the vertices of the cut: the upper ones
/// come second.
Character cut_chain() {
  Character chain = painted_chain();
  MeshData data = chain.mesh.data();
  std::vector<std::vector<Influence>> rows;
  for (std::size_t v = 0; v < data.positions.size(); ++v)
    rows.emplace_back(chain.weights.row(v).begin(), chain.weights.row(v).end());
  std::map<VertexIndex, VertexIndex> copies;
  for (Triangle& triangle : data.triangles) {
    const bool is_upper = std::ranges::all_of(
        triangle, [&](VertexIndex v) { return data.positions[v].y() > 1 - 1e-9; });
    if (!is_upper) continue;
    for (VertexIndex& corner : triangle) {
      if (data.positions[corner].y() > 1 + 1e-9) continue;
      const auto [copy, is_new] =
          copies.try_emplace(corner, static_cast<VertexIndex>(data.positions.size()));
      if (is_new) {
        data.positions.push_back(Vec3(data.positions[corner]));
        rows.push_back(std::vector<Influence>(rows[corner]));
      }
      corner = copy->second;
    }
  }
  chain.mesh = checked(Mesh::create(std::move(data)));
  chain.weights = SkinWeights::from_rows(4, rows);
  chain.parts[0].vertex_count = chain.mesh.vertex_count();
  return chain;
}

TEST(BindKeeping, CopiesOfAVertexAtASeamChangeTogether) {
  const Character chain = cut_chain();
  const std::size_t first_copy = painted_chain().mesh.vertex_count();
  ASSERT_GT(chain.mesh.vertex_count(), first_copy);
  BindOptions options = quick_bind();
  for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v)
    options.may_change.push_back(v < first_copy && chain.mesh.positions()[v].y() < 1 + 1e-9);
  const SkinWeights weights = bound(chain, options).weights;
  std::size_t changed = 0;
  for (std::size_t copy = first_copy; copy < weights.vertex_count(); ++copy)
    for (std::size_t v = 0; v < first_copy; ++v) {
      if (chain.mesh.positions()[v] != chain.mesh.positions()[copy]) continue;
      EXPECT_TRUE(std::ranges::equal(weights.row(v), weights.row(copy))) << "torn at " << v;
      changed += std::ranges::equal(weights.row(copy), chain.weights.row(copy)) ? 0 : 1;
    }
  EXPECT_GT(changed, 0u);
}

void expect_refused(const Character& character, const BindOptions& options,
                    const std::string& sentence) {
  const Result<Bound> result = bind(character, options);
  ASSERT_FALSE(result.ok()) << sentence;
  EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(result.error().to_string(), sentence);
}

TEST(BindKeeping, TooFewInfluencesForWhatStaysAreRefusedWithMeshVertexBonesAndFlag) {
  Character chain = chain_character();
  chain.parts = {{"Foot", 0, 8}, {"Leg", 8, chain.mesh.vertex_count() - 8}};
  std::vector<std::vector<Influence>> rows(chain.mesh.vertex_count(), {{3, 1.0}});
  rows[10] = {{0, 0.3}, {1, 0.3}, {2, 0.4}};
  rows[12] = {{0, 0.5}, {1, 0.2}, {2, 0.2}, {3, 0.1}};
  chain.weights = SkinWeights::from_rows(4, rows);
  BindOptions options = quick_bind();
  options.lock = {0, 1, 2};
  options.further_budgets = {2};
  expect_refused(chain, options,
                 "max_influences: 2 is too few: vertex 2 of mesh Leg keeps a, b, c (--lock)");
  options.further_budgets = {3};
  expect_refused(chain, options,
                 "max_influences: 3 is too few: vertex 4 of mesh Leg keeps a, b, c (--lock), and "
                 "other bones have the rest");
  options.lock.clear();
  options.only = {3};
  options.further_budgets = {2};
  expect_refused(chain, options,
                 "max_influences: 2 is too few: vertex 2 of mesh Leg keeps a, b, c (--only)");
  options.only.clear();
  options.may_change.assign(chain.mesh.vertex_count(), false);
  expect_refused(chain, options,
                 "max_influences: 2 is too few: vertex 2 of mesh Leg keeps a, b, c (--vertices)");
}

TEST(BindKeeping, OptionsThatContradictEachOtherAreRefused) {
  const Character chain = painted_chain();
  SpineRequest spine;
  spine.bone = 1;
  BindOptions options = quick_bind();
  options.spines = {spine};
  options.lock = {1};
  expect_refused(chain, options,
                 "lock: keeps the weights of 'b', which --spine shares out among a row of joints");
  options.lock.clear();
  options.only = {0, 2};
  options.spines[0].kind = BoneKind::stretch_twist;
  options.spines[0].follows = SpineToWrite::Follows::twist;
  expect_refused(
      chain, options,
      "only: keeps the weights of 'b', which --twist-bones shares out among a row of joints");
  options = quick_bind();
  options.deforming.skip = {2};
  options.lock = {2};
  expect_refused(chain, options, "skip_bones: 'c' is to have no weights, and --lock names it");
  options.lock.clear();
  options.only = {1, 2};
  expect_refused(chain, options, "skip_bones: 'c' is to have no weights, and --only names it");
}

TEST(BindKeeping, SkippedBonesGetNothingOfExistingWeights) {
  const Character chain = painted_chain();
  for (const double mix : {1.0, 0.0}) {
    BindOptions options = quick_bind();
    options.init = BindInit::existing;
    options.mix = mix;
    options.deforming.skip = {2};
    options.lock = {1};
    const Bound result = bound(chain, options);
    EXPECT_GT(result.report.polish->skipped, 0u);
    std::size_t others = 0;
    for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v) {
      EXPECT_EQ(weight_of(result.weights, v, 1), weight_of(chain.weights, v, 1)) << v;
      const bool had_others =
          weight_of(chain.weights, v, 0) > 0 || weight_of(chain.weights, v, 3) > 0;
      EXPECT_TRUE(!had_others || weight_of(result.weights, v, 2) == 0) << v;
      others += had_others ? 1 : 0;
    }
    EXPECT_GT(others, 0u);
  }
}

std::vector<std::string> warnings(const Bound& bound, std::string_view code) {
  std::vector<std::string> messages;
  for (const Notice& notice : bound.notices)
    if (notice.code == code && notice.level == Notice::Level::warning)
      messages.push_back(notice.message);
  return messages;
}

TEST(BindKeeping, OptionsThatLetNothingChangeAreWarnedOf) {
  const Character chain = painted_chain();
  const auto warned = [&](const BindOptions& options) {
    const std::vector<std::string> messages = warnings(bound(chain, options), "nothing_may_change");
    return messages.empty() ? std::string() : messages.front();
  };
  EXPECT_EQ(warned(quick_bind()), "");
  BindOptions some = quick_bind();
  some.lock = {0, 1};
  some.mix = 0.1;
  EXPECT_EQ(warned(some), "");
  BindOptions mixed = quick_bind();
  mixed.mix = 0;
  EXPECT_EQ(warned(mixed), "nothing may change: --mix 0 takes nothing of new weights");
  BindOptions masked = quick_bind();
  masked.may_change.assign(chain.mesh.vertex_count(), false);
  EXPECT_EQ(warned(masked), "nothing may change: --vertices chooses no vertex");
  BindOptions locked = quick_bind();
  locked.lock = {0, 1, 2, 3};
  EXPECT_EQ(warned(locked), "nothing may change: --lock keeps the weights of every bone");
  BindOptions only = quick_bind();
  only.only = {1};
  EXPECT_EQ(warned(only),
            "nothing may change: --only leaves b alone, which has what the other bones do not");
}

bool is_on_a_step(double weight, double steps) {
  return std::abs(weight * steps - std::round(weight * steps)) < 1e-9 * steps;
}

TEST(BindKeeping, WhatIsDeliveredIsRoundedWhateverWasPutBack) {
  const Character chain = painted_chain();
  BindOptions mixed = quick_bind();
  mixed.mix = 0.5;
  BindOptions locked = quick_bind();
  locked.lock = {1};
  BindOptions existing = quick_bind();
  existing.init = BindInit::existing;
  for (BindOptions options : {mixed, locked, existing}) {
    options.format = WeightFormat::u8;
    const Bound result = bound(chain, options);
    for (std::size_t v = 0; v < result.weights.vertex_count(); ++v)
      for (const Influence& influence : result.weights.row(v))
        EXPECT_TRUE(is_on_a_step(influence.weight, 255)) << v << ": " << influence.weight;
  }
}

TEST(BindKeeping, RoundingIsReportedOfWhatIsDelivered) {
  const Character chain = painted_chain();
  BindOptions options = quick_bind();
  options.mix = 0;  // the old weights, whatever the new ones are like
  options.format = WeightFormat::u8;
  options.obedience = 0;
  const RoundingReport one = *bound(chain, options).report.budgets[0].rounding;
  options.obedience = 1;
  const RoundingReport other = *bound(chain, options).report.budgets[0].rounding;
  EXPECT_EQ(one.arap_before, other.arap_before);
  EXPECT_EQ(one.arap_after, other.arap_after);
  EXPECT_NE(one.arap_before, one.arap_after);
}

TEST(BindKeeping, KeptWeightsThatHaveToBeRoundedAreWarnedOfAndThoseOnStepsStay) {
  Character chain = painted_chain();
  BindOptions options = quick_bind();
  options.lock = {1};
  options.format = WeightFormat::u8;
  const std::vector<std::string> warned = warnings(bound(chain, options), "kept_weights_rounded");
  ASSERT_EQ(warned.size(), 1u);
  EXPECT_TRUE(warned[0].starts_with("--quantise u8 rounds ")) << warned[0];
  EXPECT_TRUE(warned[0].ends_with(" weights that were to be kept, and are not in steps of 1/255"))
      << warned[0];
  chain.weights = round_weights(chain.weights, kSteps8);
  const Bound on_steps = bound(chain, options);
  EXPECT_TRUE(warnings(on_steps, "kept_weights_rounded").empty());
  for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v)
    EXPECT_NEAR(weight_of(on_steps.weights, v, 1), weight_of(chain.weights, v, 1), 1e-12) << v;
}

TEST(BindKeeping, CopiesThatKeepDifferentWeightsAreRoundedEachByItself) {
  Character chain = cut_chain();
  const std::size_t first_copy = painted_chain().mesh.vertex_count();
  std::vector<std::vector<Influence>> rows;
  for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v)
    rows.emplace_back(chain.weights.row(v).begin(), chain.weights.row(v).end());
  for (std::size_t v = first_copy; v < rows.size(); ++v) rows[v] = {{1, 0.2}, {2, 0.8}};
  chain.weights = round_weights(SkinWeights::from_rows(4, rows), kSteps8);
  BindOptions options = quick_bind();
  options.lock = {1};
  options.format = WeightFormat::u8;
  const SkinWeights weights = bound(chain, options).weights;
  for (std::size_t v = 0; v < rows.size(); ++v)
    EXPECT_NEAR(weight_of(weights, v, 1), weight_of(chain.weights, v, 1), 1e-12) << v;
}

TEST(BindKeeping, ParametersOnSpinesThatAreNotOnePerVertexAreRefused) {
  const Character chain = painted_chain();
  BindOptions options = quick_bind();
  options.own_spines = {{1, {}, {0.5, 0.5}, {}}};
  expect_refused(chain, options, "own_spines[0].parameters: needs an entry per vertex");
  options.own_spines.clear();
  SpineRequest spine;
  spine.bone = 1;
  spine.painted.assign(3, 0.5);
  options.spines = {spine};
  expect_refused(chain, options, "spines[0].painted: needs an entry per vertex");
}

}  // namespace
}  // namespace sinew::test
