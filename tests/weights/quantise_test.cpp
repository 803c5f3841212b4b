// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/quantise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/core/threads.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/poses/exemplars.h"
#include "sinew/quality/weight_judge.h"
#include "support/binding.h"

namespace sinew::test {
namespace {

/// Rows of random weights, from one bone to `most`; some bones weigh next to nothing.
SkinWeights random_weights(std::size_t vertices, std::uint32_t most) {
  Random random(7);
  std::vector<std::vector<Influence>> rows(vertices);
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::uint32_t bone = 0; bone <= v % most; ++bone)
      rows[v].push_back({bone, std::pow(random.uniform(), 1.0 + static_cast<double>(v % 5))});
  return SkinWeights::from_rows(most, rows);
}

double weight_on(std::span<const Influence> row, std::uint32_t bone) {
  for (const Influence& influence : row)
    if (influence.bone == bone) return influence.weight;
  return 0;
}

/// Every weight is a whole number of steps, every row has `steps` of them, and none is farther than
/// a step from what it was.
void expect_rounded(const SkinWeights& before, const SkinWeights& after, std::uint32_t steps) {
  for (std::size_t v = 0; v < before.vertex_count(); ++v) {
    std::uint32_t sum = 0;
    for (const Influence& influence : after.row(v)) {
      const double exact = influence.weight * steps;
      ASSERT_NEAR(exact, std::round(exact), 1e-9) << "vertex " << v;
      sum += static_cast<std::uint32_t>(std::lround(exact));
      ASSERT_GT(weight_on(before.row(v), influence.bone), 0) << "a bone appeared at " << v;
    }
    ASSERT_EQ(sum, before.row(v).empty() ? 0 : steps) << "vertex " << v;
    for (const Influence& influence : before.row(v))
      ASSERT_LT(std::abs(weight_on(after.row(v), influence.bone) - influence.weight) * steps, 1)
          << "vertex " << v;
  }
}

TEST(RoundingWeights, EightBitWeightsSumToExactly255) {
  const SkinWeights weights = random_weights(3'000, 12);
  expect_rounded(weights, round_weights(weights, kSteps8), kSteps8);
}

TEST(RoundingWeights, SixteenBitWeightsSumToExactly65535) {
  const SkinWeights weights = random_weights(3'000, 12);
  expect_rounded(weights, round_weights(weights, kSteps16), kSteps16);
}

TEST(RoundingWeights, ManyBonesOfOneWeightStillSumExactly) {
  for (const std::size_t bones : {3U, 7U, 254U, 255U, 256U, 400U}) {
    std::vector<Influence> row;
    for (std::uint32_t bone = 0; bone < bones; ++bone) row.push_back({bone, 1.0});
    const SkinWeights weights = SkinWeights::from_rows(bones, std::span(&row, 1));
    const std::vector<std::uint32_t> parts = apportion(weights.row(0), kSteps8);
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), 0U), kSteps8) << bones;
    EXPECT_LE(*std::max_element(parts.begin(), parts.end()) -
                  *std::min_element(parts.begin(), parts.end()),
              1U);
  }
}

TEST(RoundingWeights, RoundingTwiceIsRoundingOnce) {
  for (const std::uint32_t steps : {kSteps8, kSteps16}) {
    const SkinWeights once = round_weights(random_weights(1'000, 8), steps);
    EXPECT_EQ(round_weights(once, steps), once);
    // As a file stores them: floats.
    std::vector<std::vector<Influence>> rows(once.vertex_count());
    for (std::size_t v = 0; v < rows.size(); ++v)
      for (const Influence& influence : once.row(v))
        rows[v].push_back({influence.bone, static_cast<float>(influence.weight)});
    const SkinWeights read = SkinWeights::from_rows(once.bone_count(), rows);
    for (std::size_t v = 0; v < rows.size(); ++v)
      EXPECT_EQ(apportion(read.row(v), steps), apportion(once.row(v), steps)) << v;
  }
}

TEST(RoundingWeights, WeightThatRoundsToNothingIsDropped) {
  const SkinWeights weights = SkinWeights::from_rows(
      3, std::vector<std::vector<Influence>>{{{0, 0.7}, {1, 0.299}, {2, 0.001}}});
  const SkinWeights rounded = round_weights(weights, kSteps8);
  EXPECT_EQ(rounded.row(0).size(), 2u);
}

TEST(RoundingWeights, VertexWithoutWeightsStaysWithout) {
  EXPECT_TRUE(round_weights(SkinWeights(3, 2), kSteps8).row(1).empty());
}

/// What rounding sees of a bound character.
struct Scene {
  Scene(const std::string& name, int vertices, BindMethod method)
      : character(example(name, vertices)), result(bound(character, by(method))) {
    weights = mean_of_copies(prepared.welded, result.weights);
    for (const Exemplar& exemplar :
         sample_exemplars(character.skeleton, result.report.roles, result.report.hierarchy)) {
      std::vector<Affine3>& pose = poses.emplace_back();
      for (const Affine3& transform : exemplar.transforms)
        pose.push_back(prepared.frame.motion_from_model(transform));
    }
  }
  [[nodiscard]] QuantiseMetric metric() const {
    return {prepared.mesh.positions(), prepared.graph, poses};
  }
  [[nodiscard]] QuantisedWeights quantised(std::uint32_t steps) const {
    QuantiseOptions options;
    options.steps = steps;
    return checked(quantise_weights(weights, metric(), options));
  }
  /// On poses that the weights were not made for.
  [[nodiscard]] double judged(const SkinWeights& welded) const {
    return checked(judge.judge(spread_to_copies(prepared.welded, welded))).arap;
  }

  Character character;
  Bound result;
  PreparedMesh prepared = prepare_mesh(character.mesh);
  SkinWeights weights;  // per welded vertex
  std::vector<std::vector<Affine3>> poses;
  WeightJudge judge{character, result.report.roles, result.report.hierarchy, {}};
};

class RoundingACharacter : public ::testing::TestWithParam<const char*> {};

TEST_P(RoundingACharacter, CostsLessThanRoundingEachVertexByItself) {
  for (const BindMethod method : {BindMethod::araplbs, BindMethod::heat}) {
    const Scene scene(GetParam(), 2'000, method);
    const QuantisedWeights eight = scene.quantised(kSteps8);
    const QuantisedWeights sixteen = scene.quantised(kSteps16);
    expect_rounded(scene.weights, eight.weights, kSteps8);
    expect_rounded(scene.weights, sixteen.weights, kSteps16);
    EXPECT_LE(eight.arap_after, eight.arap_nearest);
    EXPECT_LE(sixteen.arap_after, sixteen.arap_nearest);
    EXPECT_LE(std::abs(eight.arap_after / eight.arap_before - 1), 1e-2);
    EXPECT_LE(std::abs(sixteen.arap_after / sixteen.arap_before - 1), 1e-4);
    const double exact = scene.judged(scene.weights);
    const double nearest8 = scene.judged(round_weights(scene.weights, kSteps8));
    const double ours8 = scene.judged(eight.weights);
    const double ours16 = scene.judged(sixteen.weights);
    // Weights that are no minimum of the distortion alone (heat, and what anchors hold) have a
    // slope, along which rounding may fall either way on other poses.
    constexpr double kLuck = 1.001;
    EXPECT_LE(ours8, kLuck * nearest8) << "on poses that nobody has seen";
    // Parts that are one bone each are not distorted at all, rounded or not.
    EXPECT_LE(std::abs(ours16 - exact), 1e-4 * exact);
    const auto percent = [](double part, double whole) { return 100 * (part / whole - 1); };
    std::printf(
        "%-10s %-8s on its poses %.6f, u8 %+.4f%% (nearest %+.4f%%), u16 %+.6f%%; "
        "judged %.6f, u8 %+.4f%% (nearest %+.4f%%), u16 %+.6f%%\n",
        GetParam(), std::string(to_string(method)).c_str(), eight.arap_before,
        percent(eight.arap_after, eight.arap_before),
        percent(eight.arap_nearest, eight.arap_before),
        percent(sixteen.arap_after, sixteen.arap_before), exact, percent(ours8, exact),
        percent(nearest8, exact), percent(ours16, exact));
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, RoundingACharacter,
                         ::testing::Values("biped", "quadruped", "hand", "tentacle", "robot"));

TEST(QuantiseWeights, RoundedWeightsComeBackAsTheyAre) {
  const Scene scene("tentacle", 2'000, BindMethod::heat);
  const QuantisedWeights once = scene.quantised(kSteps8);
  const QuantisedWeights twice = checked(quantise_weights(once.weights, scene.metric(), {}));
  EXPECT_EQ(twice.weights, once.weights);
  EXPECT_EQ(twice.changed, 0u);
  EXPECT_EQ(twice.arap_after, twice.arap_before);
}

TEST(QuantiseWeights, ResultDoesNotDependOnThreads) {
  const Scene scene("hand", 2'000, BindMethod::heat);
  const QuantisedWeights many = scene.quantised(kSteps8);
  const ThreadLimit limit(1);
  const QuantisedWeights one = scene.quantised(kSteps8);
  EXPECT_EQ(one.weights, many.weights);
  EXPECT_EQ(one.arap_after, many.arap_after);
}

TEST(QuantiseWeights, WithoutPosesItRoundsToTheNearest) {
  const Scene scene("tentacle", 2'000, BindMethod::heat);
  const QuantiseMetric none{scene.prepared.mesh.positions(), scene.prepared.graph, {}};
  EXPECT_EQ(checked(quantise_weights(scene.weights, none, {})).weights,
            round_weights(scene.weights, kSteps8));
}

TEST(QuantiseWeights, StopsOnRequest) {
  const Scene scene("tentacle", 2'000, BindMethod::distance);
  const std::atomic<bool> stop = true;
  const auto stopped = quantise_weights(scene.weights, scene.metric(), {}, Progress({}, &stop));
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace sinew::test
