// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/kept_weights.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "math/random.h"
#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/painted_chain.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

SkinWeights random_weights(std::size_t vertices, std::size_t bones, std::size_t most,
                           std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<Influence>> rows(vertices);
  for (std::vector<Influence>& row : rows) {
    const auto count = static_cast<std::size_t>(random.uniform(1, static_cast<double>(most) + 1));
    for (std::size_t b = 0; b < count; ++b)
      row.push_back({static_cast<std::uint32_t>(random.uniform(0, static_cast<double>(bones))),
                     random.uniform(0.01, 1)});
  }
  return SkinWeights::from_rows(bones, rows);
}

void expect_rows_of_one(const SkinWeights& weights, std::size_t most) {
  EXPECT_EQ(weights.unweighted_count(), 0u);
  EXPECT_LE(weights.max_influences(), most);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& influence : weights.row(v)) sum += influence.weight;
    EXPECT_NEAR(sum, 1, 1e-15 * 8) << v;
  }
}

TEST(PutBack, KeptWeightsAreThereToTheBit) {
  constexpr std::size_t kVertices = 2000;
  constexpr std::size_t kBones = 7;
  for (const std::uint64_t seed : {1, 2, 3}) {
    KeptWeights kept;
    kept.old = random_weights(kVertices, kBones, 4, seed);
    kept.is_locked = {true, false, false, true, false, true, false};
    kept.may_change.resize(kVertices);
    for (std::size_t v = 0; v < kVertices; ++v) kept.may_change[v] = v % 5 != 0;
    const SkinWeights result = put_back(kept, random_weights(kVertices, kBones, 4, seed + 100), 4);
    expect_rows_of_one(result, 4);
    for (std::size_t v = 0; v < kVertices; ++v)
      for (std::uint32_t bone = 0; bone < kBones; ++bone)
        EXPECT_TRUE(!kept.keeps(v, bone) ||
                    weight_of(result, v, bone) == weight_of(kept.old, v, bone))
            << "vertex " << v << ", bone " << bone;
  }
}

TEST(PutBack, RowThatIsAllKeptGetsNoTracesOfOthers) {
  KeptWeights kept;
  kept.old = random_weights(500, 3, 3, 1);
  kept.is_locked = {true, true, true, false};
  kept.may_change.assign(500, true);
  std::vector<std::vector<Influence>> rows;
  for (std::size_t v = 0; v < 500; ++v)
    rows.emplace_back(kept.old.row(v).begin(), kept.old.row(v).end());
  kept.old = SkinWeights::from_rows(4, rows);
  EXPECT_EQ(put_back(kept, random_weights(500, 4, 4, 2), 4), kept.old);
}

TEST(PutBack, NoRowHasMoreThanItMayWhereOnlyOldWeightsCanTakeTheRest) {
  KeptWeights kept;
  kept.old = SkinWeights::from_rows(
      6, std::vector<std::vector<Influence>>(3, {{0, 0.5}, {1, 0.1}, {2, 0.15}, {4, 0.25}}));
  kept.is_locked = {true, false, false, false, false, true};
  kept.may_change.assign(3, true);
  const SkinWeights fresh = rigid_weights({0, 5, 3}, 6);  // the first two have nothing to offer
  const SkinWeights result = put_back(kept, fresh, 3);
  expect_rows_of_one(result, 3);
  for (const std::size_t v : {0u, 1u}) {
    EXPECT_EQ(weight_of(result, v, 0), 0.5);
    EXPECT_NEAR(weight_of(result, v, 4) / weight_of(result, v, 2), 25.0 / 15, 1e-12);
    EXPECT_EQ(weight_of(result, v, 1), 0) << "the weakest goes";
  }
  EXPECT_EQ(weight_of(result, 2, 3), 0.5);
  EXPECT_EQ(put_back(kept, fresh, 4).row(0).size(), 4u);
}

TEST(PutBack, WithoutAnythingToKeepFreshWeightsComeBack) {
  KeptWeights kept;
  kept.old = random_weights(50, 4, 4, 1);
  kept.is_locked.assign(4, false);
  kept.may_change.assign(50, true);
  EXPECT_FALSE(kept.any());
  const SkinWeights fresh = random_weights(50, 4, 4, 2);
  EXPECT_EQ(put_back(kept, fresh, 4), fresh);
}

TEST(PutBack, VertexWithoutOldWeightsIsFresh) {
  KeptWeights kept;
  kept.old = SkinWeights(50, 4);
  kept.is_locked.assign(4, true);
  kept.may_change.assign(50, false);
  const SkinWeights fresh = random_weights(50, 4, 4, 2);
  const SkinWeights result = put_back(kept, fresh, 4);
  for (std::size_t v = 0; v < 50; ++v)
    for (std::uint32_t bone = 0; bone < 4; ++bone)
      EXPECT_NEAR(weight_of(result, v, bone), weight_of(fresh, v, bone), 1e-15);
}

TEST(Blend, GoesFromTheOldWeightsToTheFreshOnes) {
  const SkinWeights old = random_weights(200, 5, 3, 1);
  const SkinWeights fresh = random_weights(200, 5, 3, 2);
  for (const double amount : {0.0, 0.25, 1.0}) {
    const SkinWeights between = blend(old, fresh, amount);
    for (std::size_t v = 0; v < 200; ++v)
      for (std::uint32_t bone = 0; bone < 5; ++bone)
        EXPECT_NEAR(weight_of(between, v, bone),
                    std::lerp(weight_of(old, v, bone), weight_of(fresh, v, bone), amount), 1e-15);
  }
}

TEST(KeepInMaps, KeptBonesAreWhereTheyWereAndRowsSumToOne) {
  KeptWeights kept;
  kept.old = random_weights(300, 5, 3, 1);
  kept.is_locked = {true, false, true, false, false};
  kept.may_change.assign(300, true);
  const InfluenceMaps maps = keep_in_maps(influence_maps(random_weights(300, 5, 4, 2)), kept);
  for (std::size_t v = 0; v < 300; ++v) {
    double sum = 0;
    for (const double weight : maps.weights_of(v)) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-12) << "vertex " << v;
    for (const std::uint32_t bone : {0u, 2u}) {
      const double old = weight_of(kept.old, v, bone);
      const std::optional<std::size_t> found = maps.find(v, bone);
      EXPECT_EQ(found.has_value(), old > 0) << "vertex " << v << ", bone " << bone;
      EXPECT_EQ(found ? maps.weights[*found] : 0, old);
    }
  }
}

void expect_locked(const Character& character, const SkinWeights& weights,
                   const std::vector<std::uint32_t>& locked) {
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    for (const std::uint32_t bone : locked)
      EXPECT_EQ(weight_of(weights, v, bone), weight_of(character.weights, v, bone))
          << "vertex " << v << ", bone " << bone;
}

TEST(BindKeeps, LockedBonesToTheBitWhileOthersChange) {
  const Character chain = painted_chain();
  for (const ConstraintSet set : {ConstraintSet::soft, ConstraintSet::paper}) {
    BindOptions options = quick_bind();
    options.constraints = set;
    options.lock = {0, 3};
    const SkinWeights weights = bound(chain, options).weights;
    expect_rows_of_one(weights, 4);
    expect_locked(chain, weights, {0, 3});
    EXPECT_NE(weights, chain.weights) << to_string(set);
  }
}

TEST(BindKeeps, EverythingButTheOnlyBonesThatMayChange) {
  const Character chain = painted_chain();
  BindOptions options = quick_bind();
  options.only = {1, 2};
  const SkinWeights weights = bound(chain, options).weights;
  expect_locked(chain, weights, {0, 3});
  EXPECT_NE(weights, chain.weights);
  options.only = {1};
  const SkinWeights one = bound(chain, options).weights;  // with all others held, it cannot move
  expect_locked(chain, one, {0, 2, 3});
  EXPECT_EQ(one.influence_count(), chain.weights.influence_count());
  for (std::size_t v = 0; v < one.vertex_count(); ++v)
    EXPECT_NEAR(weight_of(one, v, 1), weight_of(chain.weights, v, 1), 1e-15) << v;
}

TEST(BindKeeps, VerticesThatMayNotChange) {
  const Character chain = painted_chain();
  BindOptions options = quick_bind();
  for (std::size_t v = 0; v < chain.mesh.vertex_count(); ++v)
    options.may_change.push_back(chain.mesh.positions()[v].y() > 0.8);
  const SkinWeights weights = bound(chain, options).weights;
  expect_rows_of_one(weights, 4);
  std::size_t changed = 0;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const bool is_same = std::ranges::equal(weights.row(v), chain.weights.row(v));
    EXPECT_TRUE(is_same || options.may_change[v]) << v;
    changed += !is_same;
  }
  EXPECT_GT(changed, 0u);
}

TEST(BindKeeps, CopiesOfAVertexKeepTheirOwn) {
  Character chain = chain_character();
  const MeshData whole = chain.mesh.data();
  chain.mesh = make_mesh(together(whole, whole));  // every vertex twice
  chain.parts[0].vertex_count = chain.mesh.vertex_count();
  const SkinWeights one = random_weights(whole.positions.size(), 4, 2, 1);
  const SkinWeights other = random_weights(whole.positions.size(), 4, 2, 2);
  std::vector<std::vector<Influence>> rows;
  for (const SkinWeights* half : {&one, &other})
    for (std::size_t v = 0; v < half->vertex_count(); ++v)
      rows.emplace_back(half->row(v).begin(), half->row(v).end());
  chain.weights = SkinWeights::from_rows(4, rows);
  BindOptions options = quick_bind();
  options.lock = {2};
  expect_locked(chain, bound(chain, options).weights, {2});
}

TEST(BindKeeps, VertexOnABoneFarAwayStaysThereWhereAllNearItAreLocked) {
  Character chain = chain_character();
  chain.weights = rigid_weights(std::vector<int>(chain.mesh.vertex_count(), 3), 4);
  BindOptions options = quick_bind();
  options.deforming.bones = {0, 1, 2, 3};  // though nothing is on them
  options.lock = {0, 1, 2};
  EXPECT_EQ(bound(chain, options).weights, chain.weights);
}

TEST(BindKeeps, TheSameForEveryBudget) {
  const Character chain = painted_chain();
  BindOptions options = quick_bind();
  options.lock = {1};
  options.further_budgets = {2};
  const Bound result = bound(chain, options);
  expect_locked(chain, result.weights, {1});
  expect_locked(chain, result.further.at(0), {1});
}

TEST(BindMix, OfZeroIsTheOldWeightsAndOfOneTheNew) {
  const Character chain = painted_chain();
  BindOptions options = quick_bind();
  const SkinWeights fresh = bound(chain, options).weights;
  options.mix = 0;
  const SkinWeights old = bound(chain, options).weights;
  EXPECT_EQ(old, chain.weights);
  options.mix = 0.5;
  options.max_influences = 4;
  const SkinWeights half = bound(chain, options).weights;
  for (std::size_t v = 0; v < half.vertex_count(); ++v)
    for (std::uint32_t bone = 0; bone < 4; ++bone)
      EXPECT_NEAR(weight_of(half, v, bone),
                  (weight_of(fresh, v, bone) + weight_of(chain.weights, v, bone)) / 2, 1e-12);
}

void expect_refused(const Character& character, const BindOptions& options,
                    const std::string& place) {
  const Result<Bound> result = bind(character, options);
  ASSERT_FALSE(result.ok()) << place;
  EXPECT_EQ(result.error().code, ErrorCode::bad_argument) << place;
  EXPECT_EQ(result.error().place, place) << result.error().message;
}

TEST(BindKeeps, WithoutOldWeightsThereIsNothingToKeep) {
  const Character bare = chain_character();
  BindOptions existing;
  existing.init = BindInit::existing;
  BindOptions locked;
  locked.lock = {0};
  BindOptions only;
  only.only = {0};
  BindOptions some;
  some.may_change.assign(bare.mesh.vertex_count(), true);
  BindOptions mixed;
  mixed.mix = 0.5;
  for (const BindOptions& options : {existing, locked, only, some, mixed})
    expect_refused(bare, options, "init");
}

TEST(BindKeeps, MoreBonesOnAVertexThanItMayHaveAreRefused) {
  Character chain = painted_chain();
  ASSERT_GE(chain.weights.max_influences(), 3u);
  BindOptions options;
  options.lock = {0, 1, 2, 3};
  options.max_influences = 2;
  expect_refused(chain, options, "max_influences");
}

TEST(BindKeeps, WrongOptionsAreRefusedByName) {
  const Character chain = painted_chain();
  BindOptions options;
  options.lock = {4};
  expect_refused(chain, options, "bones");
  options = {};
  options.only = {-1};
  expect_refused(chain, options, "bones");
  options = {};
  options.may_change = {true, false};
  expect_refused(chain, options, "may_change");
  for (const double wrong : {-0.1, 1.1, std::nan("")}) {
    options = {};
    options.mix = wrong;
    expect_refused(chain, options, "mix");
    options = {};
    options.obedience = wrong;
    expect_refused(chain, options, "obedience");
    options = {};
    options.smoothing = wrong;
    expect_refused(chain, options, "smoothing");
  }
}

}  // namespace
}  // namespace sinew::test
