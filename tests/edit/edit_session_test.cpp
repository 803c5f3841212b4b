// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/edit/edit_session.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "support/chain_edits.h"
#include "support/checked.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

constexpr EditOptions kLater{EditOptions::Rebuild::at_next_step};
constexpr NearOptions kFewRings{2, 1, 1};

TEST(EditSession, StepThatTheSolverTakesByItselfLeavesNothingToDoNearEdits) {
  EditSession session = chain_session();
  checked(session.edit(all_edits()[0], kLater));
  ASSERT_TRUE(session.solver().step({.is_measured = false}).ok());
  EXPECT_TRUE(checked(session.step_near_edits(kFewRings)).vertices.empty());
}

TEST(EditSession, ConstraintsThatTheSolverIsGivenDirectlyTakePartInTheNextNearStep) {
  EditSession session = chain_session();
  const std::vector<VertexIndex> painted =
      some(vertices_where(chain().problem.maps, 2, true), 0, 30);
  checked(session.edit(SetWeights{2, painted, 0.3}, kLater));
  checked(session.step_near_edits(kFewRings));
  VertexIndex held = 0;
  for (const VertexIndex v : painted)
    if (session.solver().problem().maps.bones_of(v).size() > 1) held = v;
  ASSERT_LT(weight_of(session.solver(), held, 2), 0.4);
  const WeightConstraint firmer{held, 2, 0.8,
                                100 * paper_stiffness(session.solver().problem(), held)};
  ASSERT_TRUE(session.solver().add_constraints({&firmer, 1}).ok());
  checked(session.step_near_edits(kFewRings));
  EXPECT_NEAR(weight_of(session.solver(), held, 2), 0.8, 0.02);
}

TEST(EditSession, OneThatWasMovedGoesOnWithTheSameSolver) {
  EditSession session = chain_session();
  const WeightSolver* const solver = &session.solver();
  const Snapshot before(session);
  checked(session.edit(all_edits()[2], kLater));
  EditSession moved = std::move(session);
  EXPECT_EQ(&moved.solver(), solver);
  checked(moved.step_near_edits(kFewRings));
  checked(moved.undo());
  expect_same(moved, before, "moved");
}

TEST(EditSession, MoreThanAHundredEditsForgetTheFirst) {
  EditSession session = chain_session();
  const VertexIndex vertex = vertices_where(chain().problem.maps, 2, true).front();
  for (int e = 0; e < 102; ++e) {
    const double target = e / 102.0;
    checked(session.edit(SetWeights{2, {vertex}, target}, kLater));
  }
  EXPECT_EQ(session.undo_count(), 100u);
  EXPECT_EQ(session.edit_marks().size(), 102u);
}

TEST(EditSession, WhereBothSidesAreOneItRefusesEdits) {
  WeightProblem problem = chain().problem;
  Mirror mirror;
  mirror.vertex.resize(problem.positions.size());
  for (VertexIndex v = 0; v < mirror.vertex.size(); ++v) mirror.vertex[v] = static_cast<int>(v);
  mirror.bone = {0, 1, 2, 3};
  problem.mirror = mirror;
  EditSession session(made_solver(problem, chain().constraints, plain_solver()));
  const auto refused = session.edit(all_edits()[0]);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().place, "edits");
  EXPECT_EQ(session.undo_count(), 0u);
}

}  // namespace
}  // namespace sinew::test
