// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/bind_plan.h"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "bind/bind_moved.h"
#include "bind/bind_poses.h"
#include "sinew/core/threads.h"
#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/symmetric_biped.h"

namespace sinew::test {
namespace {

PreparedBind prepared(const Character& character, const BindOptions& options = {}) {
  std::vector<StageTime> times;
  return checked(prepare_bind(character, {}, options, times, {}));
}

BindPlan planned(const Character& character, const BindOptions& options = {}) {
  return plan_bind(character, options, prepared(character, options));
}

/// Of edges that are short beside its bones.
const Character& tentacle() {
  static const Character made = example("tentacle", 2'200);
  return made;
}

/// Of edges that are half as long as its bones.
const Character& coarse_limb() {
  static const Character made = limb_character(limb_data({6, 5, 0.3, 2}));
  return made;
}

BindOptions with_existing_weights() {
  BindOptions options;
  options.init = BindInit::existing;
  return options;
}

BindOptions as_in_the_paper() {
  BindOptions options;
  options.constraints = ConstraintSet::paper;
  return options;
}

std::string value_of(const BindPlan& plan, std::string_view decision) {
  for (const PlanRow& row : rows_of(plan))
    if (row.decision == decision) return row.value;
  return "nothing was decided";
}

TEST(BindPlan, NewWeightsEndWhereTheCapBegins) {
  const BindPlan plan = planned(tentacle());
  EXPECT_EQ(*plan.strategy, BindStrategy::soft);
  EXPECT_TRUE(plan.start->is_from_led_cells);
  EXPECT_TRUE(plan.start->rigid_parts);
  EXPECT_TRUE(plan.maps->reaches_anchors);
  EXPECT_EQ(plan.constraints->set, ConstraintSet::soft);
  EXPECT_EQ(plan.constraints->obedience, BindOptions().obedience);
  EXPECT_FALSE(plan.constraints->margin);
  ASSERT_TRUE(plan.steps->most);
  EXPECT_GT(plan.steps->reach, 1);
  EXPECT_GT(plan.steps->tolerance_rel, plan.solver.tolerance_rel);
  EXPECT_GT(plan.lost_bones->rounds, 0);
  EXPECT_TRUE(plan.finish->drops_strays);
  EXPECT_GT(plan.finish->even_out_below, 0);
  EXPECT_EQ(plan.solver.smoothing, BindOptions().smoothing);
  EXPECT_EQ(plan.old_weights->use, OldWeightsPlan::Use::replaced);
}

TEST(BindPlan, AStartThatWasAskedForChangesNothingElse) {
  const BindPlan fresh = planned(tentacle());
  EXPECT_EQ(fresh.start->from, StartPlan::From::heat);
  for (const auto& [init, from] : {std::pair(BindInit::heat, StartPlan::From::heat),
                                   std::pair(BindInit::bbw, StartPlan::From::interior),
                                   std::pair(BindInit::owners, StartPlan::From::owners)}) {
    for (const ConstraintSet set : {ConstraintSet::soft, ConstraintSet::paper}) {
      BindOptions options;
      options.init = init;
      options.constraints = set;
      const BindPlan plan = planned(tentacle(), options);
      options.init = BindInit::fresh;
      const BindPlan chosen = planned(tentacle(), options);
      EXPECT_EQ(plan.start->from, from);
      EXPECT_EQ(plan.start.reason, "it was asked for");
      EXPECT_EQ(plan.start->cells > 0, init == BindInit::bbw);
      EXPECT_EQ(plan.start->is_from_led_cells, chosen.start->is_from_led_cells);
      EXPECT_EQ(plan.start->rigid_parts, chosen.start->rigid_parts);
      const std::vector<PlanRow> rows = rows_of(plan), others = rows_of(chosen);
      ASSERT_EQ(rows.size(), others.size());
      for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].decision == "first weights") continue;
        EXPECT_EQ(rows[r].value, others[r].value);
        EXPECT_EQ(rows[r].reason, others[r].reason);
      }
    }
  }
}

TEST(BindPlan, EdgesAsLongAsBonesAreSolvedAsFarAsThereAreSteps) {
  const BindPlan plan = planned(coarse_limb());
  ASSERT_TRUE(plan.steps->most);
  EXPECT_EQ(*plan.steps->most, plan.steps->max_iterations);
  EXPECT_EQ(plan.steps->tolerance_rel, plan.solver.tolerance_rel);
  EXPECT_EQ(plan.poses->random, BindExemplars::kUsual);
  EXPECT_EQ(plan.finish->least_rounds, plan.finish->rounds);
  EXPECT_EQ(plan.rotations->mode, RotationMode::exact);
  EXPECT_GT(plan.maps->most_bones.front(), planned(tentacle()).maps->most_bones.front());
}

TEST(BindPlan, ExistingWeightsKeepTheirReachAndAreHeldMoreFirmly) {
  const BindPlan plan = planned(tentacle(), with_existing_weights());
  EXPECT_EQ(*plan.strategy, BindStrategy::existing);
  EXPECT_EQ(plan.start->from, StartPlan::From::old);
  EXPECT_FALSE(plan.start->rigid_parts);
  EXPECT_EQ(plan.maps->from, MapsPlan::From::as_they_are);
  EXPECT_FALSE(plan.maps->reaches_anchors);
  EXPECT_GT(plan.constraints->obedience, BindOptions().obedience);
  EXPECT_TRUE(plan.constraints->margin);
  EXPECT_FALSE(plan.steps->most) << "what is made better is solved to the end";
  EXPECT_EQ(plan.lost_bones->rounds, 0);
  EXPECT_FALSE(plan.sides->are_one) << "they may have been painted so";
  EXPECT_EQ(plan.finish->even_out_below, 0);
  EXPECT_EQ(plan.old_weights->use, OldWeightsPlan::Use::improved);
}

TEST(BindPlan, ThePaperHasItsOwnConstraintsAndAThoroughFinish) {
  const BindPlan plan = planned(tentacle(), as_in_the_paper());
  EXPECT_EQ(*plan.strategy, BindStrategy::paper);
  EXPECT_FALSE(plan.start->is_from_led_cells);
  EXPECT_EQ(plan.constraints->set, ConstraintSet::paper);
  EXPECT_EQ(plan.maps->steep_edge, BindOptions().steep_edge);
  EXPECT_FALSE(plan.steps->most);
  EXPECT_EQ(plan.lost_bones->rounds, 0);
  EXPECT_EQ(plan.finish->rounds, plan.finish->least_rounds);
  EXPECT_GT(plan.finish->rounds, planned(tentacle()).finish->rounds);
  EXPECT_FALSE(plan.finish->drops_strays);
  EXPECT_EQ(plan.solver.smoothing, 0);
  EXPECT_EQ(plan.solver.positivity, WeightSolverOptions::Positivity::constrain);
}

TEST(BindPlan, MethodsThatDoNotOptimiseDecideLittle) {
  for (const BindMethod method : {BindMethod::heat, BindMethod::bbw, BindMethod::distance}) {
    const BindPlan plan = planned(tentacle(), by(method));
    EXPECT_FALSE(optimises(*plan.strategy));
    EXPECT_EQ(plan.finish->is_filtered, method != BindMethod::distance);
    EXPECT_EQ(value_of(plan, "steps"), "nothing was decided");
    EXPECT_EQ(value_of(plan, "influences"), "4");
  }
}

TEST(BindPlan, EveryDecisionIsToldOnceWithAShortReason) {
  constexpr std::size_t kLongest = 120;
  BindOptions rounded;
  rounded.format = WeightFormat::u8;
  BindOptions kept;
  kept.lock = {1};
  for (const BindOptions& options :
       {BindOptions(), with_existing_weights(), as_in_the_paper(), by(BindMethod::heat),
        by(BindMethod::bbw), by(BindMethod::distance), rounded, kept})
    for (const Character& character : {tentacle(), example("hand", 2'000)}) {
      std::set<std::string_view> decisions;
      for (const PlanRow& row : rows_of(planned(character, options))) {
        EXPECT_TRUE(decisions.insert(row.decision).second) << row.decision;
        EXPECT_FALSE(row.value.empty()) << row.decision;
        EXPECT_FALSE(row.reason.empty()) << row.decision;
        EXPECT_LE(row.reason.size(), kLongest) << row.reason;
        EXPECT_NE(row.reason.back(), '.') << row.reason;
      }
      const bool is_of_mesh = options.method != BindMethod::bbw;
      EXPECT_EQ(decisions.size(), options.method == BindMethod::araplbs ? 14u : 6u + is_of_mesh);
    }
}

TEST(BindPlan, HalfThePosesWhereEachCountsForBothSides) {
  const Character biped = symmetric_biped(4'000).character;
  const BindPlan plan = planned(biped);
  EXPECT_TRUE(plan.sides->are_one);
  EXPECT_EQ(plan.poses->random, BindExemplars::kUsualMirrored);
  BindOptions apart;
  apart.mirror = MirrorChoice::off;
  EXPECT_FALSE(planned(biped, apart).sides->are_one);
  EXPECT_EQ(planned(biped, apart).poses->random, BindExemplars::kUsual);
}

TEST(BindPlan, WhatIsAskedForWins) {
  BindOptions options;
  options.exemplars.count = 7;
  options.rotations = RotationMode::exact;
  options.steps_before_cap = 5;
  options.solver.max_iterations = 4;
  options.max_influences = 3;
  options.further_budgets = {2};
  const BindPlan plan = planned(tentacle(), options);
  EXPECT_EQ(plan.poses->random, 7);
  EXPECT_EQ(plan.rotations->mode, RotationMode::exact);
  EXPECT_EQ(plan.steps->most, 4) << "who asks for fewer";
  EXPECT_EQ(plan.caps->delivered, (std::vector{3, 2}));
  options.max_influences = 32;
  EXPECT_FALSE(planned(tentacle(), options).steps->most) << "nothing is taken away";
  EXPECT_GE(planned(tentacle(), options).maps->most_bones.front(), 32u);
}

TEST(BindPlan, RowsOfJointsHaveRoomUnderTheCap) {
  BindOptions options;
  options.spines.emplace_back().bone = 1;
  options.further_budgets = {2};
  const BindPlan plan = planned(tentacle(), options);
  EXPECT_EQ(plan.caps->delivered, (std::vector{4, 2}));
  EXPECT_EQ(plan.caps->solved, (std::vector{3, 2}));
}

TEST(BindPlan, ReasonsAreThoseOfTheirValues) {
  const auto reason_of = [](const BindPlan& plan, std::string_view decision) {
    for (const PlanRow& row : rows_of(plan))
      if (row.decision == decision) return row.reason;
    return std::string("nothing was decided");
  };
  BindOptions options;
  options.obedience = 0;
  options.steps_before_cap = 2;
  const BindPlan plan = planned(tentacle(), options);
  EXPECT_EQ(value_of(plan, "lost bones"), "left alone");
  EXPECT_EQ(reason_of(plan, "lost bones"), "least distortion was asked for");
  EXPECT_EQ(reason_of(plan, "steps"), "so many were asked for");
  EXPECT_EQ(reason_of(planned(coarse_limb()), "poses"), "the paper's number");
}

TEST(BindPlan, VeryManyVerticesAreSimplifiedUnlessSomethingIsOfVertices) {
  BindOptions options;
  options.coarse = {2'000, 1'000};
  EXPECT_EQ(plan_mesh(tentacle(), options)->simplified_to, 1'000u);
  options.lock = {1};
  EXPECT_FALSE(plan_mesh(tentacle(), options)->simplified_to);
  EXPECT_FALSE(plan_mesh(tentacle(), {})->simplified_to);
}

TEST(BindPlan, GroupsTurnTogetherWhereEdgesAreShort) {
  const auto groups = [](const BindPlan& plan) {
    return std::accumulate(plan.rotations->clusters.begin(), plan.rotations->clusters.end(), 0);
  };
  const BindPlan fine = planned(tentacle());
  EXPECT_EQ(fine.rotations->mode, RotationMode::clustered);
  EXPECT_LE(groups(fine), 2'200 / 9);
  BindOptions asked;
  asked.rotations = RotationMode::clustered;
  const Character& coarse = coarse_limb();
  EXPECT_EQ(planned(coarse).rotations->mode, RotationMode::exact);
  EXPECT_EQ(planned(coarse, asked).rotations->mode, RotationMode::clustered);
  EXPECT_LE(groups(planned(coarse, asked)), static_cast<int>(coarse.mesh.vertex_count() / 2));
}

TEST(BindPlan, IsTheSameForAnyNumberOfThreads) {
  std::vector<std::string> told;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    std::string& text = told.emplace_back();
    for (const PlanRow& row : rows_of(planned(tentacle())))
      text += std::string(row.decision) + ": " + row.value + ": " + row.reason + "\n";
  }
  EXPECT_EQ(told[0], told[1]);
}

TEST(BindPlan, WhatWasDoneIsReported) {
  const Bound result = bound(tentacle());
  const BindPlan& plan = result.report.plan;
  EXPECT_EQ(plan.rotations->mode, result.report.solve->rotations);
  EXPECT_EQ(static_cast<std::size_t>(plan.poses->random), result.report.solve->exemplars);
  EXPECT_EQ(plan.caps->delivered.front(), 4);
}

TEST(BindPlan, WhoEditsItChangesWhatIsDone) {
  const Character& character = tentacle();
  const BindPlan usual = planned(character);
  BindPlan edited = usual;
  edited.poses.value.random = 6;
  edited.steps.value.most = 1;
  edited.lost_bones.value.rounds = 0;
  edited.rotations.value.mode = RotationMode::exact;
  edited.caps.value.solved = {2};
  const auto carried_out = [&](const BindPlan& plan) {
    return checked(bind_as_planned(character, {}, prepared(character), plan, {}));
  };
  const Bound result = carried_out(edited);
  EXPECT_EQ(result.report.solve->exemplars, 6u);
  EXPECT_EQ(result.report.solve->steps.size(), 1u);
  EXPECT_EQ(result.report.solve->rotations, RotationMode::exact);
  EXPECT_EQ(result.weights.max_influences(), 2u);
  EXPECT_EQ(carried_out(usual).weights, bound(character).weights) << "unless nobody did";
}

TEST(BindPlan, PosesAreDrawnOnceForWeightsAndForRounding) {
  const Character biped = symmetric_biped(4'000).character;
  BindOptions options;
  options.format = WeightFormat::u8;
  const PreparedBind found = prepared(biped, options);
  const BindPlan plan = plan_bind(biped, options, found);
  ASSERT_LT(plan.poses->random, plan.rounding->random_poses);
  const DrawnPoses drawn = draw_planned(biped, found, options.exemplars, plan);
  ASSERT_EQ(drawn.to_solve.size(), 40u);
  ASSERT_EQ(drawn.to_round.size(), 80u);
  const std::vector<Exemplar> alone =
      draw_exemplars(biped, found.roles, found.hierarchy, options.exemplars);
  ASSERT_EQ(alone.size(), drawn.to_round.size());
  for (std::size_t x = 0; x < alone.size(); ++x)
    for (std::size_t bone = 0; bone < found.roles.size(); ++bone) {
      const auto same = [&](const Exemplar& each) {
        return each.transforms[bone].matrix() == alone[x].transforms[bone].matrix();
      };
      EXPECT_TRUE(same(drawn.to_round[x]));
      EXPECT_TRUE(x >= drawn.to_solve.size() || same(drawn.to_solve[x]));
    }
}

}  // namespace
}  // namespace sinew::test
