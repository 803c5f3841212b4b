// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/edit/edit_session.h"
#include "support/checked.h"
#include "support/mesh_zoo.h"
#include "support/spine_problems.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

TEST(SpineWeights, EditedSolverGoesOnAsOneMadeOfTheEditedProblem) {
  for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered}) {
    WeightSolverOptions options = plain_solver(mode);
    options.clusters = 12;
    const WeightProblem problem = with_random_spines(random_problem(make_mesh(limb_data())));
    EditSession edited(made_solver(problem, {}, options));
    EditSession postponed(made_solver(problem, {}, options));
    ASSERT_TRUE(edited.step().ok());
    ASSERT_TRUE(postponed.step().ok());
    const std::vector<double> before = edited.solver().weights();
    std::vector<VertexIndex> some;
    for (VertexIndex v = 3; v < 60; v += 4) some.push_back(v);
    const std::vector<WeightEdit> edits{AddInfluence{0, some}, RemoveInfluence{1, some},
                                        ConnectWires{{{5, 40}, {7, 60}}}, SetWeights{0, {9, 10}}};
    checked(edited.edit(edits));
    // Whose tables are behind, so that nobody takes them over.
    checked(postponed.edit(edits, {EditOptions::Rebuild::at_next_step}));
    WeightSolver fresh = checked(postponed.solver().restricted_to(postponed.solver().problem().maps,
                                                                  postponed.solver().options()));
    ASSERT_TRUE(fresh.set_weights(edited.solver().weights()).ok());
    EXPECT_NEAR(edited.solver().arap(), fresh.arap(), 1e-12);
    for (int step = 0; step < 2; ++step) {
      ASSERT_TRUE(edited.step().ok());
      ASSERT_TRUE(fresh.step().ok());
    }
    EXPECT_LE(largest_difference(edited.solver().weights(), fresh.weights()), 1e-9);
    EXPECT_NEAR(edited.solver().arap(), fresh.arap(), 1e-12);
    checked(edited.undo());
    EXPECT_EQ(edited.solver().weights(), before);
  }
}

}  // namespace
}  // namespace sinew::test
