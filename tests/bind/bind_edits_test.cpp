// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/stored_weights.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::bound;
using test::weight_of;

/// The vertices of the chain around the middle of its second bone.
std::vector<VertexIndex> ring(const Character& character) {
  std::vector<VertexIndex> vertices;
  for (VertexIndex v = 0; v < character.mesh.vertex_count(); ++v)
    if (std::abs(character.mesh.positions()[v].y() - 0.75) < 0.01) vertices.push_back(v);
  return vertices;
}

PlannedEdit set_ring(const Character& character, double target, int after) {
  PlannedEdit edit;
  edit.kind = EditKind::set_weights;
  edit.bones = {2};
  edit.where.vertices = ring(character);
  edit.target = target;
  edit.after = after;
  return edit;
}

TEST(BindEdits, PaintedWeightsAreDelivered) {
  const Character character = test::chain_character();
  const std::vector<VertexIndex> painted = ring(character);
  ASSERT_FALSE(painted.empty());
  const Bound plain = bound(character);
  for (const int after : {0, 4}) {
    BindOptions options;
    options.edits = {set_ring(character, 0.6, after)};
    const Bound edited = bound(character, options);
    for (const VertexIndex v : painted) {
      EXPECT_LT(weight_of(plain.weights, v, 2), 0.4);
      EXPECT_NEAR(weight_of(edited.weights, v, 2), 0.6, 0.05);
    }
  }
}

TEST(BindEdits, AnEditInMidRunShowsInTheHistoryOfSteps) {
  const Character character = test::chain_character();
  BindOptions options;
  const std::vector<StepEnergy> plain = bound(character, options).report.solve->steps;
  options.edits = {set_ring(character, 0.6, 3)};
  const SolveReport solve = *bound(character, options).report.solve;
  ASSERT_GE(solve.marks.size(), 1u);
  for (std::size_t m = 1; m < solve.marks.size(); ++m)
    EXPECT_EQ(solve.marks[m].what, "firmer constraints") << "of the bind's own";
  EXPECT_EQ(solve.marks[0].after_steps, 3u);
  EXPECT_EQ(solve.marks[0].what, "set_weights");
  ASSERT_GT(solve.steps.size(), 4u);
  for (std::size_t s = 0; s < 3; ++s)  // but for the order of elimination
    EXPECT_NEAR(solve.steps[s].arap, plain[s].arap, 1e-9 * plain[s].arap);
  EXPECT_GT(solve.steps[3].arap, 1.05 * solve.steps[2].arap) << "what was asked for costs";
}

TEST(BindEdits, AnEditThatComesTooLateIsMadeWhenTheWeightsHaveConverged) {
  const Character character = test::chain_character();
  BindOptions options;
  const std::size_t steps = bound(character, options).report.solve->steps.size();
  options.edits = {set_ring(character, 0.6, 100000)};
  const SolveReport solve = *bound(character, options).report.solve;
  ASSERT_EQ(solve.edits.size(), 1u);
  EXPECT_EQ(solve.edits[0].after_steps, steps);
  EXPECT_GT(solve.steps.size(), steps);
}

TEST(BindEdits, WiresOfTheStartLinkAPartByThemselves) {
  const MeshData limb = test::limb_data();
  const Character character =
      test::limb_character(test::together(limb, test::ball_data({0.5, 1.7, 0}, 0.08)));
  const std::size_t first = limb.positions.size();
  const Bound plain = bound(character);
  ASSERT_EQ(plain.report.linked.size(), 1u) << "a button on the shin, by guess";
  PlannedEdit wires;
  wires.kind = EditKind::connect_wires;
  for (VertexIndex v = 0; v < 6; ++v)
    wires.pairs.push_back({static_cast<VertexIndex>(first + v), static_cast<VertexIndex>(8 + v)});
  BindOptions options;
  options.edits = {wires};
  const Bound wired = bound(character, options);
  EXPECT_TRUE(wired.report.linked.empty());
  EXPECT_EQ(wired.report.solve->edits.front().vertices, 6u);
  double with_thigh = 0;
  double before = 0;
  for (std::size_t v = first; v < wired.weights.vertex_count(); ++v) {
    with_thigh += weight_of(wired.weights, v, 0);
    before += weight_of(plain.weights, v, 0);
  }
  EXPECT_GT(with_thigh, before + 1) << "the wires lead to the thigh";
  EXPECT_EQ(wired.weights.unweighted_count(), 0u);
}

TEST(BindEdits, ABoneWhoseWeightsStayIsRefused) {
  Character character = test::chain_character();
  character.weights = bound(character, test::by(BindMethod::heat)).weights;
  BindOptions options;
  options.edits = {set_ring(character, 0.6, 0), set_ring(character, 0.6, 0)};
  options.edits[0].bones = {1};
  options.lock = {2};
  EXPECT_EQ(bind(character, options).error().to_string(), "edits[1].bone: c is locked (--lock)");
  options.lock.clear();
  options.only = {0, 1};
  EXPECT_EQ(bind(character, options).error().to_string(), "edits[1].bone: c is locked (--only)");
}

TEST(BindEdits, VerticesThatMayNotChangeAreLeftOut) {
  Character character = test::chain_character();
  character.weights = bound(character, test::by(BindMethod::heat)).weights;
  const std::vector<VertexIndex> painted = ring(character);
  ASSERT_GT(painted.size(), 2u);
  BindOptions options;
  options.edits = {set_ring(character, 0.6, 0)};
  options.may_change.assign(character.mesh.vertex_count(), true);
  options.may_change[painted[0]] = false;
  const Bound edited = bound(character, options);
  EXPECT_EQ(edited.report.solve->edits.at(0).vertices, painted.size() - 1);
  EXPECT_TRUE(
      std::ranges::equal(edited.weights.row(painted[0]), character.weights.row(painted[0])));
  EXPECT_NEAR(weight_of(edited.weights, painted[1], 2), 0.6, 0.05);
  for (const VertexIndex v : painted) options.may_change[v] = false;
  EXPECT_EQ(bind(character, options).error().to_string(),
            "edits[0].where: chooses no vertex that may change (--vertices)");
  PlannedEdit wires;
  wires.kind = EditKind::connect_wires;
  wires.pairs = {{painted[0], painted[2]}, {painted[0], 0}};
  options.edits = {wires};
  EXPECT_EQ(bound(character, options).report.solve->edits.at(0).vertices, 1u);
  options.edits[0].pairs.pop_back();
  EXPECT_EQ(bind(character, options).error().place, "edits[0].wires");
}

TEST(BindEdits, AreForWeightsThatAreMadeAnewAlone) {
  Character character = test::chain_character();
  character.weights = bound(character, test::by(BindMethod::heat)).weights;
  BindOptions existing;
  existing.edits = {set_ring(character, 0.6, 0)};
  BindOptions mixed = existing;
  existing.init = BindInit::existing;
  mixed.mix = 0.5;
  for (const BindOptions& options : {existing, mixed})
    EXPECT_EQ(bind(character, options).error().to_string(),
              "edits: are made to weights that are made anew: not with --init existing or --mix");
}

TEST(BindEdits, AnEditThatFailsIsNamedByItsPlaceInTheList) {
  const Character character = test::chain_character();
  BindOptions options;
  options.edits = {set_ring(character, 0.6, 5), set_ring(character, 0.6, 0),
                   set_ring(character, 2, 0)};
  options.edits[1].bones = {1, 2};  // two edits of the solver
  EXPECT_EQ(bind(character, options).error().place, "edits[2].target");
}

TEST(BindEdits, ABoneThatDoesNotDeformIsRefused) {
  const Character character = test::chain_character();
  BindOptions options;
  options.deforming.skip = {2};
  options.edits = {set_ring(character, 0.6, 0)};
  const auto result = bind(character, options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().to_string(), "edits[0].bone: 'c' does not deform; --bones binds to it");
  options.edits[0].bones = {7};
  EXPECT_EQ(bind(character, options).error().place, "edits[0].bone");
}

}  // namespace
}  // namespace sinew
