// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/stolen_skin.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

constexpr int kAround = 12;
constexpr int kRows = 40;  // rings per metre

/// A tube of three bones, each of whose metres is all on its bone.
struct Tube {
  Character character = make_tube_character(3, kRows, kAround);
  SkinSurface surface = make_skin_surface(character);
  std::vector<int> parent{-1, 0, 1};

  [[nodiscard]] std::vector<int> bone_by_height() const {
    std::vector<int> bones;
    for (const Vec3& at : character.mesh.positions())
      bones.push_back(std::clamp(static_cast<int>(at.y()), 0, 2));
    return bones;
  }
  [[nodiscard]] SurfaceWeights on(const std::vector<int>& bones) const {
    return weights_on(surface, rigid_weights(bones, 3));
  }
  [[nodiscard]] std::vector<SkinCore> cores() const {
    return bone_cores(surface, character.skeleton, parent, on(bone_by_height()));
  }
};

TEST(InsideOf, IsFartherThanTheReachFromWhatIsNotMine) {
  const Tube tube;
  std::vector<bool> mine;
  for (const Vec3& at : tube.surface.positions()) mine.push_back(at.y() < 1.05);
  const double reach = 0.25;
  std::vector<bool> is_inside(mine.size(), false);
  for (const VertexIndex v : inside_of(tube.surface, mine, reach)) is_inside[v] = true;
  const double border = 1.05;
  for (std::size_t v = 0; v < mine.size(); ++v) {
    const double height = tube.surface.positions()[v].y();
    if (height < border - reach - 0.11) {
      EXPECT_TRUE(is_inside[v]) << height;
    }
    if (height > border - reach + 0.01) {
      EXPECT_FALSE(is_inside[v]) << height;
    }
  }
}

TEST(InsideOf, IsAllOfAPartThatIsMineAsAWhole) {
  const Tube tube;
  const std::vector<bool> mine(tube.surface.vertex_count(), true);
  EXPECT_EQ(inside_of(tube.surface, mine, 100).size(), mine.size());
}

TEST(StolenSkin, IsNothingOfTheOriginal) {
  const Tube tube;
  const std::vector<SkinCore> cores = tube.cores();
  ASSERT_EQ(cores.size(), 3u);
  const SkinShare stolen =
      stolen_skin(tube.surface, cores, tube.on(tube.bone_by_height()).of_bones);
  EXPECT_EQ(stolen.percent, 0);
  EXPECT_EQ(std::count(stolen.vertices.begin(), stolen.vertices.end(), true), 0);
}

TEST(StolenSkin, NamesTheBoneThatLostItsSkinAndCountsBonesAlike) {
  const Tube tube;
  std::vector<int> bones = tube.bone_by_height();
  for (int& bone : bones)
    if (bone == 1) bone = 2;
  const SkinShare stolen = stolen_skin(tube.surface, tube.cores(), tube.on(bones).of_bones);
  EXPECT_NEAR(stolen.percent, 100.0 / 3, 1e-9) << "one of three bones lost all";
  ASSERT_TRUE(stolen.most);
  EXPECT_EQ(stolen.most->bone, 1);
  EXPECT_EQ(stolen.most->percent, 100);
  EXPECT_EQ(stolen.bones[0], 0);
  EXPECT_EQ(stolen.bones[1], 100);
}

TEST(StolenSkin, ForgivesATransitionAroundAJoint) {
  const Tube tube;
  std::vector<int> bones = tube.bone_by_height();
  const std::vector<Vec3>& at = tube.character.mesh.positions();
  // 3% of the diagonal on either side of the joint at one metre: taste decides there.
  for (std::size_t v = 0; v < bones.size(); ++v)
    if (at[v].y() >= 1 && at[v].y() < 1.05) bones[v] = 0;
  EXPECT_EQ(stolen_skin(tube.surface, tube.cores(), tube.on(bones).of_bones).percent, 0);
}

TEST(HeadSkin, IsOfAllBonesThatHangOnTheHeadTogether) {
  const Tube tube;
  const auto core = head_core(tube.surface, tube.parent, 1, tube.on(tube.bone_by_height()));
  ASSERT_TRUE(core);
  EXPECT_EQ(core->bones, (std::vector<int>{1, 2}));
  std::vector<int> jaw = tube.bone_by_height();
  for (int& bone : jaw)
    if (bone == 2) bone = 1;
  EXPECT_EQ(head_skin(tube.surface, *core, tube.on(jaw).of_bones).percent, 0)
      << "what goes from one bone of a head to another stays with the head";
  const std::vector<int> neck(jaw.size(), 0);
  EXPECT_EQ(head_skin(tube.surface, *core, tube.on(neck).of_bones).percent, 100);
}

TEST(HeadSkin, IsToldByPlaceWhereThereIsNoOriginal) {
  const Tube tube;
  const auto core =
      head_core_by_place(tube.surface, tube.character.skeleton, tube.parent, {true, true, true}, 2);
  ASSERT_TRUE(core);
  for (const VertexIndex v : core->vertices)
    EXPECT_GT(tube.surface.positions()[v].y(), 2) << "beyond the joint of the head";
  EXPECT_GT(core->vertices.size(), std::size_t{kAround * kRows / 2});
  EXPECT_EQ(head_skin(tube.surface, *core, tube.on(tube.bone_by_height()).of_bones).percent, 0);
}

}  // namespace
}  // namespace sinew::test
