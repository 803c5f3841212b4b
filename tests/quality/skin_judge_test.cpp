// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/skin_judge.h"

#include <gtest/gtest.h>

#include "examples/characters/characters.h"
#include "sinew/core/threads.h"
#include "sinew/quality/limb_judge.h"

namespace sinew::test {
namespace {

struct Judged {
  Character character;
  std::vector<BoneRole> roles;
  WeightJudge judge;

  explicit Judged(Character made)
      : character(std::move(made)),
        roles(character.skeleton.bone_count()),
        judge(character, roles, {.poses = 1, .clip_frames = 4}) {}

  [[nodiscard]] int bone(const std::string& name) const {
    for (std::size_t j = 0; j < roles.size(); ++j)
      if (character.skeleton.bones()[j].name == name) return static_cast<int>(j);
    ADD_FAILURE() << "no " << name;
    return -1;
  }
  [[nodiscard]] SurfaceWeights own() const {
    return weights_on(judge.surface(), character.weights);
  }
  [[nodiscard]] SkinJudge skin(std::optional<SurfaceWeights> original) const {
    return *SkinJudge::create({judge, character.skeleton, roles},
                              skin_poses(character.skeleton, roles, judge, {.count = 4}),
                              std::move(original));
  }
  /// Every weight on one bone given to another.
  [[nodiscard]] SurfaceWeights given(int from, int to) const {
    std::vector<std::vector<Influence>> rows(character.weights.vertex_count());
    for (std::size_t v = 0; v < rows.size(); ++v)
      for (Influence influence : character.weights.row(v)) {
        if (static_cast<int>(influence.bone) == from)
          influence.bone = static_cast<std::uint32_t>(to);
        rows[v].push_back(influence);
      }
    for (auto& row : rows) add_up_repeated(row);
    return weights_on(judge.surface(), SkinWeights::from_rows(roles.size(), rows));
  }
};

const Judged& biped() {
  static const Judged judged(make_example("biped", {.vertices = 2000})->character);
  return judged;
}

TEST(SkinJudge, WeightsBesideThemselvesHaveNothingStolenWorseOrApart) {
  const SkinJudge judge = biped().skin(biped().own());
  const SkinQuality quality = *judge.judge(biped().own());
  EXPECT_EQ(quality.stolen->percent, 0);
  EXPECT_EQ(quality.head->percent, 0);
  EXPECT_EQ(quality.worse->percent, 0);
  EXPECT_EQ(quality.touching->apart, 0);
  EXPECT_EQ(quality.touching->sunk, 0);
  EXPECT_EQ(quality.folded->percent, judge.original()->folded->percent);
}

TEST(SkinJudge, AHeadThatGoesWithTheNeckIsSeen) {
  const int head = biped().bone("Head");
  const SkinQuality quality =
      *biped().skin(biped().own()).judge(biped().given(head, biped().bone("Neck")));
  EXPECT_GT(quality.head->percent, 95);
  EXPECT_EQ(quality.stolen->most->bone, head);
  EXPECT_EQ(quality.stolen->bones[static_cast<std::size_t>(head)], 100);
}

TEST(SkinJudge, WithoutAnOriginalAHeadAndArmsAreJudgedByThemselves) {
  const SkinJudge judge = biped().skin(std::nullopt);
  const SkinQuality own = *judge.judge(biped().own());
  EXPECT_FALSE(own.stolen);
  EXPECT_FALSE(own.worse);
  EXPECT_FALSE(own.touching);
  ASSERT_TRUE(own.head);
  EXPECT_LT(own.head->percent, 5);
  ASSERT_TRUE(own.folded);
  const SkinQuality moved = *judge.judge(biped().given(biped().bone("Head"), biped().bone("Neck")));
  EXPECT_GT(moved.head->percent, 95);
}

TEST(SkinJudge, WeightsOfAnotherFileAreTakenByPlaceAndByName) {
  const SurfaceWeights there =
      weights_by_place(biped().character, biped().judge.surface(), biped().character.skeleton);
  EXPECT_EQ(there.dominant, biped().own().dominant);
}

TEST(SkinJudge, GivesTheSameBitsForAnyNumberOfThreads) {
  const SurfaceWeights moved = biped().given(biped().bone("Head"), biped().bone("Neck"));
  const auto figures = [&](int threads) {
    const ThreadLimit limit(threads);
    const SkinQuality q = *biped().skin(biped().own()).judge(moved);
    return std::vector<double>{q.stolen->percent, q.head->percent,   q.folded->percent,
                               q.worse->percent,  q.touching->apart, q.touching->sunk};
  };
  EXPECT_EQ(figures(1), figures(3));
}

TEST(LimbJudge, TellsThePoseAndTheBoneOfTheWorstPlace) {
  const auto poses =
      limb_poses(biped().character.skeleton, biped().roles, biped().judge.hierarchy());
  const auto quality =
      *judge_limbs(biped().judge, biped().character.skeleton, biped().own(), poses);
  ASSERT_TRUE(quality);
  EXPECT_EQ(quality->pose_arap.size(), poses.size());
  EXPECT_EQ(quality->arap, *std::ranges::max_element(quality->pose_arap));
  EXPECT_GT(quality->arap, 0);
  EXPECT_GE(quality->worst.bone, 0);
  EXPECT_FALSE(*judge_limbs(biped().judge, biped().character.skeleton, biped().own(), {}))
      << "without limbs there is no figure";
}

}  // namespace
}  // namespace sinew::test
