// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/worse_skin.h"

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

TEST(WorstTenth, IsTheMeanOfTheWorstOfManyPosesAndTheWorstOfFew) {
  WorstTenth of_many(1, 20);
  for (int p = 0; p < 20; ++p) of_many.add(std::vector<double>{static_cast<double>(p % 7)});
  EXPECT_EQ(of_many.mean()[0], 6) << "6 comes twice";
  WorstTenth of_few(2, 3);
  of_few.add(std::vector<double>{1, 5});
  of_few.add(std::vector<double>{4, 2});
  EXPECT_EQ(of_few.mean(), (std::vector<double>{4, 5}));
}

TEST(WorseSkin, IsDistortedMoreThanTwiceAsMuchAndClearlyMore) {
  const Character tube = make_tube_character(2, 4, 8);
  const SkinSurface surface = make_skin_surface(tube);
  std::vector<int> led_by;
  for (const Vec3& at : surface.positions()) led_by.push_back(at.y() < 1 ? 0 : 1);
  const std::vector<double> before(led_by.size(), 0.1);
  std::vector<double> twice(led_by.size(), 0.2);
  EXPECT_EQ(worse_skin(surface, led_by, 2, before, twice).percent, 0);
  std::vector<double> little(led_by.size(), 0.249);
  EXPECT_EQ(worse_skin(surface, led_by, 2, before, little).percent, 0) << "0.05 more is asked for";
  std::vector<double> much = twice;
  for (std::size_t v = 0; v < much.size(); ++v)
    if (led_by[v] == 1) much[v] = 0.3;
  const SkinShare worse = worse_skin(surface, led_by, 2, before, much);
  EXPECT_EQ(worse.bones[0], 0);
  EXPECT_NEAR(*worse.bones[1], 100, 1e-9);
  EXPECT_NEAR(worse.percent, 50, 1e-9);
  EXPECT_EQ(worse.most->bone, 1);
}

TEST(WorseSkin, BonesThatLeadNextToNothingHaveNoFigure) {
  const Character tube = make_tube_character(2, 4, 8);
  const SkinSurface surface = make_skin_surface(tube);
  std::vector<int> led_by(surface.vertex_count(), 0);
  for (std::size_t v = 0; v < 7; ++v) led_by[v] = 1;
  const std::vector<double> none(led_by.size(), 0);
  const std::vector<double> all(led_by.size(), 1);
  const SkinShare worse = worse_skin(surface, led_by, 2, none, all);
  EXPECT_FALSE(worse.bones[1]);
  EXPECT_NEAR(worse.percent, 100, 1e-9);
}

}  // namespace
}  // namespace sinew::test
