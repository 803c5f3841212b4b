// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/first_weights.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "support/stored_weights.h"

namespace sinew::test {
namespace {

BindOptions from_bbw(ConstraintSet constraints = ConstraintSet::soft) {
  BindOptions options;
  options.init = BindInit::bbw;
  options.constraints = constraints;
  options.interior.cells = 2'000;
  return options;
}

/// A bone outside the mesh would pass for a control.
BindOptions with_both_bones(BindOptions options) {
  options.deforming.bones = {0, 1};
  return options;
}

PreparedBind started(const Character& character, const BindOptions& options) {
  std::vector<StageTime> times;
  PreparedBind prepared = checked(prepare_bind(character, {}, options, times, {}));
  const BindPlan plan = plan_bind(character, options, prepared);
  EXPECT_TRUE(make_first_weights(character, options, plan, prepared, times, {}).ok());
  return prepared;
}

/// A limb whose upper half belongs to a bone that stands in the air beside it, as that of a wing
/// whose skin hangs below it.
Character limb_below_a_bone() {
  Character limb = limb_character(limb_data({12, 25, 0.1, 2}));
  limb.skeleton = placed_skeleton(
      {{"inside", -1, {0, 0, 0}, Vec3(0, 0.8, 0)}, {"beside", -1, {0.5, 1.2, 0}, Vec3(0.5, 2, 0)}});
  return limb;
}

TEST(FirstWeights, ABoneOutsideTheInteriorStartsWithWhatItWillLead) {
  const Character limb = limb_below_a_bone();
  const PreparedBind soft = started(limb, with_both_bones(from_bbw()));
  ASSERT_TRUE(soft.first.interior);
  ASSERT_EQ(soft.first.interior->outside_bones, std::vector<int>{1});
  const PreparedBind paper = started(limb, with_both_bones(from_bbw(ConstraintSet::paper)));
  const std::vector<Vec3>& positions = soft.mesh.welded.mesh.positions();
  std::size_t led = 0;
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const auto has_it = [&](const PreparedBind& prepared) {
      const auto row = prepared.first.weights.row(v);
      return std::ranges::any_of(row, [](const Influence& each) { return each.bone == 1; });
    };
    if (positions[v].y() > 1.6) {
      EXPECT_TRUE(has_it(soft)) << v;
      ++led;
    }
    if (positions[v].y() < 0.8) {
      EXPECT_FALSE(has_it(soft)) << v;
    }
    EXPECT_FALSE(has_it(paper)) << "the interior alone knows nothing of it";
  }
  EXPECT_GT(led, 24u);
}

TEST(FirstWeights, ABoneOutsideTheInteriorLeadsItsSkinInTheEnd) {
  const Character limb = limb_below_a_bone();
  const SkinWeights weights = bound(limb, with_both_bones(from_bbw())).weights;
  for (std::size_t v = 0; v < limb.mesh.vertex_count(); ++v)
    if (const Vec3& position = limb.mesh.positions()[v]; position.y() > 1.5 && position.y() < 1.7) {
      EXPECT_GT(weight_of(weights, v, 1), 0.6) << v;
    }
}

TEST(FirstWeights, RigidPartsAreTheSameWhereverWeightsStart) {
  const Character robot = example("robot", 3'000);
  const std::vector<int> from_heat = started(robot, {}).first.rigid_parts;
  EXPECT_GT(std::ranges::count_if(from_heat, [](int bone) { return bone >= 0; }), 3);
  const PreparedBind prepared = started(robot, from_bbw());
  EXPECT_EQ(prepared.first.rigid_parts, from_heat);
  for (std::size_t part = 0; part < from_heat.size(); ++part)
    for (const VertexIndex v : prepared.mesh.parts.members[part])
      if (from_heat[part] >= 0) {
        EXPECT_EQ(prepared.first.weights.row(v).size(), 1u);
        EXPECT_EQ(prepared.first.weights.row(v)[0].bone,
                  static_cast<std::uint32_t>(from_heat[part]));
      }
}

TEST(FirstWeights, EveryBoneThatLeadsFromHeatLeadsFromTheInteriorToo) {
  for (const char* name : {"biped", "hand", "quadruped"}) {
    const Character character = example(name, 3'000);
    BindOptions heat;
    heat.init = BindInit::heat;
    const auto leading = [&](const BindOptions& options) {
      const SkinWeights weights = bound(character, options).weights;
      std::set<std::uint32_t> bones;
      for (std::size_t v = 0; v < weights.vertex_count(); ++v)
        bones.insert(std::ranges::max_element(weights.row(v), {}, &Influence::weight)->bone);
      return bones;
    };
    EXPECT_EQ(leading(heat), leading({})) << name;
    EXPECT_EQ(leading(from_bbw()), leading(heat)) << name;
  }
}

BindOptions from_owners() {
  BindOptions options;
  options.init = BindInit::owners;
  return options;
}

TEST(FirstWeights, FromOwnersEveryVertexStartsWithItsLikeliestBone) {
  const PreparedBind prepared = started(example("biped", 3'000), from_owners());
  ASSERT_TRUE(prepared.first.owners);
  EXPECT_EQ(dominant_bones(prepared.first.weights), dominant_bones(prepared.first.owners->chance));
}

TEST(FirstWeights, ABoneWhoseOnlyPartAnotherMightOwnKeepsIt) {
  const Character robot = example("robot", 3'000);
  const std::vector<int> from_heat = started(robot, {}).first.rigid_parts;
  const std::vector<int> from_owned = started(robot, from_owners()).first.rigid_parts;
  for (const int bone : from_heat)
    if (bone >= 0) {
      EXPECT_NE(std::ranges::find(from_owned, bone), from_owned.end()) << bone;
    }
}

/// The same with every bone's old weights on the next bone that has some.
Character with_shuffled_weights(Character character) {
  std::vector<std::uint32_t> used;
  const std::vector<double> per_bone = character.weights.weight_per_bone();
  for (std::size_t bone = 0; bone < per_bone.size(); ++bone)
    if (per_bone[bone] > 0) used.push_back(static_cast<std::uint32_t>(bone));
  std::vector<std::vector<Influence>> rows(character.weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (const Influence& each : character.weights.row(v)) {
      const auto at = std::ranges::find(used, each.bone) - used.begin();
      rows[v].push_back({used[static_cast<std::size_t>(at + 1) % used.size()], each.weight});
    }
  character.weights = SkinWeights::from_rows(character.weights.bone_count(), rows);
  return character;
}

TEST(FirstWeights, FromOwnersOnlyWhichBonesDeformIsReadOfOldWeights) {
  const Character biped = example("biped", 2'000);
  const Character shuffled = with_shuffled_weights(biped);
  ASSERT_FALSE(biped.weights == shuffled.weights);
  EXPECT_TRUE(bound(biped, from_owners()).weights == bound(shuffled, from_owners()).weights);
}

TEST(FirstWeights, StartsOfAraplbsAreRefusedByOtherMethods) {
  const Character limb = limb_character(limb_data());
  for (const BindMethod method : {BindMethod::heat, BindMethod::bbw, BindMethod::distance})
    for (const BindInit init : {BindInit::heat, BindInit::bbw, BindInit::owners}) {
      BindOptions options = by(method);
      options.init = init;
      const Result<Bound> refused = bind(limb, options);
      ASSERT_FALSE(refused.ok());
      EXPECT_EQ(refused.error().code, ErrorCode::bad_argument);
      EXPECT_EQ(refused.error().place, "init");
    }
}

TEST(FirstWeights, ASimplifiedMeshTellsOfTheInteriorThatItStartedIn) {
  BindOptions options = from_bbw();
  options.coarse = {2'000, 1'000};
  const Bound result = bound(example("biped", 4'000), options);
  ASSERT_TRUE(result.report.coarse_vertices);
  ASSERT_TRUE(result.report.interior);
  EXPECT_NEAR(static_cast<double>(result.report.interior->cells), 2'000, 300);
  EXPECT_EQ(result.report.plan.start->from, StartPlan::From::interior);
}

}  // namespace
}  // namespace sinew::test
