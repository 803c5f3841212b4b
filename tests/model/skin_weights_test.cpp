// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/skin_weights.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

void expect_invariants(const SkinWeights& weights) {
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const auto row = weights.row(v);
    double sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      ASSERT_GT(row[i].weight, 0);
      ASSERT_LT(row[i].bone, weights.bone_count());
      if (i > 0) {
        ASSERT_LT(row[i - 1].bone, row[i].bone);
      }
      sum += row[i].weight;
    }
    if (!row.empty()) {
      ASSERT_NEAR(sum, 1, 1e-14);
    }
  }
}

TEST(SkinWeights, WhateverComesInTheInvariantsHold) {
  std::mt19937_64 random(3);
  const double bad[] = {
      std::nan(""), std::numeric_limits<double>::infinity(), -1, 0, 1e-320, 1e300, 0.25, 0.5};
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<std::size_t> begin{0};
    std::vector<Influence> influences;
    for (int v = 0; v < 5; ++v) {
      for (std::uint64_t i = 0; i < random() % 7; ++i)
        influences.push_back(
            {static_cast<std::uint32_t>(random() % 6), bad[random() % std::size(bad)]});
      begin.push_back(influences.size());
    }
    const SkinWeights weights = SkinWeights::mend(4, begin, influences);
    ASSERT_EQ(weights.vertex_count(), 5U);
    expect_invariants(weights);
  }
}

TEST(SkinWeights, EachKindOfRepairIsCounted) {
  const double nan = std::nan("");
  WeightRepairs repairs;
  const SkinWeights weights = SkinWeights::mend(
      3, {0, 2, 4, 6, 8, 8},
      {{0, nan}, {1, 1}, {0, -0.5}, {2, 0.5}, {9, 0.5}, {1, 0.5}, {2, 0.25}, {2, 0.75}}, &repairs);
  EXPECT_EQ(repairs.not_finite, 1U);
  EXPECT_EQ(repairs.negative, 1U);
  EXPECT_EQ(repairs.out_of_range, 1U);
  EXPECT_EQ(repairs.repeated, 1U);
  EXPECT_EQ(repairs.sum_not_one, 2U);
  EXPECT_EQ(repairs.unweighted, 1U);
  EXPECT_EQ(repairs.worst_sum, 0.5);
  EXPECT_EQ(weights.row(3)[0], (Influence{2, 1.0}));
  EXPECT_EQ(weights.unweighted_count(), 1U);
  EXPECT_EQ(weights.max_influences(), 1U);
}

TEST(DominantBones, AreTheFirstOfTheHeaviestAndNoneWithoutWeights) {
  const std::vector<std::vector<Influence>> rows{
      {{0, 0.2}, {2, 0.8}}, {{1, 0.5}, {2, 0.5}}, {}, {{0, 0.4}, {1, 0.4}, {2, 0.2}}};
  EXPECT_EQ(dominant_bones(SkinWeights::from_rows(3, rows)), (std::vector<int>{2, 1, -1, 0}));
}

TEST(SkinWeights, GoodWeightsComeOutUntouchedAndUnremarked) {
  WeightRepairs repairs;
  const SkinWeights weights =
      SkinWeights::mend(2, {0, 2, 3}, {{0, 0.25}, {1, 0.75}, {1, 1}}, &repairs);
  EXPECT_FALSE(repairs.any());
  EXPECT_EQ(weights.row(0)[1], (Influence{1, 0.75}));
  EXPECT_EQ(weights.weight_per_bone(), (std::vector<double>{0.25, 1.75}));
}

}  // namespace
}  // namespace sinew
