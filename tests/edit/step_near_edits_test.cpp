// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/edit/edit_session.h"
#include "support/chain_edits.h"
#include "support/checked.h"
#include "support/spine_problems.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

constexpr EditOptions kLater{EditOptions::Rebuild::at_next_step};
constexpr NearOptions kOneRing{1, 1, 1};
constexpr NearOptions kEverything{10'000, 1, 1};
constexpr double kRounding = 1e-12;  // of energies, relative to X Σ a|e|²

/// As the solver is asked to do it, with all that an option adds to the energy.
std::vector<WeightSolverOptions> all_options() {
  std::vector<WeightSolverOptions> options = exact_and_clustered();
  options.push_back(plain_solver());
  options.back().harmonic = 0.01;
  options.push_back(exact_and_clustered()[1]);
  options.back().smoothing = 0.05;
  return options;
}

TEST(NearEdits, StepIsTheMinimumThatDenseAlgebraFindsWithAllOthersHeld) {
  for (const WeightEdit& edit : all_edits()) {
    EditSession solver = chain_session();
    checked(solver.edit(edit, kLater));
    const std::vector<double> before = solver.solver().weights();
    const NearStep near = checked(solver.step_near_edits(kOneRing));
    ASSERT_FALSE(near.is_whole);
    const WeightProblem& problem = solver.solver().problem();
    ASSERT_LT(near.vertices.size(), problem.positions.size()) << name_of(edit);
    std::vector<WeightConstraint> held = solver.solver().constraints();
    for (VertexIndex i = 0; i < problem.positions.size(); ++i) {
      if (std::ranges::binary_search(near.vertices, i)) continue;
      for (std::size_t b = problem.maps.begin[i]; b < problem.maps.begin[i + 1]; ++b)
        held.push_back({i, problem.maps.bones[b], before[b], 1e6 * paper_stiffness(problem, i)});
    }
    const std::vector<double> expected = dense_step(problem, held, 1e-6, solver.flat_constraints());
    EXPECT_LE(largest_difference(solver.solver().weights(), expected), 1e-6) << name_of(edit);
    EXPECT_GT(largest_difference(solver.solver().weights(), before), 1e-4) << name_of(edit);
  }
}

TEST(NearEdits, WithEverythingFreeItIsAStepOfTheWhole) {
  for (const WeightSolverOptions& options : all_options())
    for (const WeightEdit& edit : all_edits()) {
      EditSession near = chain_session(options);
      EditSession whole = chain_session(options);
      step(near, 2);
      step(whole, 2);
      checked(near.edit(edit, kLater));
      const EditReport report = checked(whole.edit(edit));
      EXPECT_FALSE(checked(near.step_near_edits(kEverything)).is_whole);
      step(whole, 1);
      const double same = report.factor == EditReport::Factor::updated ? kSameAfterDowndate : kSame;
      EXPECT_LE(largest_difference(near.solver().weights(), whole.solver().weights()), same)
          << name_of(edit);
    }
}

TEST(NearEdits, SpinesTakePart) {
  const HeldProblem torso = torso_problem(8);
  WeightSolverOptions clustered = plain_solver(RotationMode::clustered);
  clustered.clusters = 12;
  clustered.clusterings = 3;
  for (const WeightSolverOptions& options : {plain_solver(), clustered}) {
    EditSession near(made_solver(torso.problem, torso.constraints, options));
    EditSession whole(made_solver(torso.problem, torso.constraints, options));
    const SetWeights edit{
        static_cast<std::uint32_t>(torso.problem.spines[0].attached.bone), {0, 1, 2, 3, 4, 5}, 0.4};
    checked(near.edit(edit, kLater));
    checked(whole.edit(edit));
    EXPECT_FALSE(checked(near.step_near_edits(kEverything)).is_whole);
    step(whole, 1);
    EXPECT_LE(largest_difference(near.solver().weights(), whole.solver().weights()),
              kSameAfterDowndate);
    const std::vector<double> before = near.solver().weights();
    const NearStep again = checked(near.step_near_edits({2, 1, 1}));
    EXPECT_LT(again.vertices.size(), torso.problem.positions.size());
    EXPECT_GT(largest_difference(near.solver().weights(), before), 0);
  }
}

TEST(NearEdits, HeldWeightsStayToTheBitAndFreeOnesSumToOne) {
  for (const WeightSolverOptions& options : all_options())
    for (const WeightEdit& edit : all_edits()) {
      EditSession solver = chain_session(options);
      step(solver, 2);
      checked(solver.edit(edit, kLater));
      const std::vector<double> before = solver.solver().weights();
      const NearStep near = checked(solver.step_near_edits({1, 3, 1}));
      const InfluenceMaps& maps = solver.solver().problem().maps;
      for (VertexIndex i = 0; i < maps.vertex_count(); ++i) {
        const bool is_free = std::ranges::binary_search(near.vertices, i);
        double sum = 0;
        for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
          sum += solver.solver().weights()[b];
          if (!is_free) {
            ASSERT_EQ(solver.solver().weights()[b], before[b]) << name_of(edit);
          }
        }
        ASSERT_NEAR(sum, 1, 1e-12) << name_of(edit);
      }
    }
}

TEST(NearEdits, PaintedWeightsAreHeldRightAfterIt) {
  EditSession solver = chain_session();
  step(solver, 3);
  const std::vector<VertexIndex> painted =
      some(vertices_where(chain().problem.maps, 2, true), 0, 30);
  checked(solver.edit(SetWeights{2, painted, 0.3}, kLater));
  checked(solver.step_near_edits({2, 2, 1}));
  int held = 0;
  for (const VertexIndex v : painted)
    if (solver.solver().problem().maps.bones_of(v).size() > 1) {
      EXPECT_NEAR(weight_of(solver.solver(), v, 2), 0.3, 0.03);
      ++held;
    }
  EXPECT_GT(held, 10);
}

TEST(NearEdits, AnEditThatIsNotPostponedFactorisesWhatOthersLeft) {
  EditSession solver = chain_session();
  step(solver, 2);
  const std::vector<VertexIndex> without =
      some(vertices_where(chain().problem.maps, 2, false), 0, 12);
  checked(solver.edit(AddInfluence{2, without}, kLater));
  (void)solver.solver().arap();  // brings the matrix up to date, and leaves the factor
  const std::vector<VertexIndex> with = some(vertices_where(chain().problem.maps, 2, true), 0, 5);
  const EditReport report = checked(solver.edit(SetWeights{2, with, 0.4}));
  EXPECT_EQ(report.factor, EditReport::Factor::analysed);
}

TEST(NearEdits, EnergyOfTheEditedSystemFallsByWhatIsReported) {
  for (const WeightSolverOptions& options : all_options())
    for (const WeightEdit& edit : all_edits())
      for (const int alternations : {1, 3}) {
        EditSession near = chain_session(options);
        EditSession without = chain_session(options);
        step(near, 2);
        step(without, 2);
        checked(near.edit(edit, kLater));
        checked(without.edit(edit));
        const double gain = checked(near.step_near_edits({1, alternations, 1})).gain;
        EXPECT_GT(gain, 0) << name_of(edit);
        step(near, 1);
        step(without, 1);
        // The rotations of the next step gain on top of it.
        EXPECT_LE(near.solver().steps().back().after_rotations,
                  without.solver().steps().back().after_rotations - gain + kRounding)
            << name_of(edit);
      }
}

TEST(NearEdits, WholeStepsLeadToTheSameWeightsWithAndWithoutIt) {
  constexpr int kManySteps = 400;
  for (const WeightSolverOptions& options : exact_and_clustered())
    for (const WeightEdit& edit : all_edits()) {
      EditSession near = chain_session(options);
      EditSession without = chain_session(options);
      checked(near.edit(edit, kLater));
      checked(without.edit(edit));
      checked(near.step_near_edits({2, 3, 1}));
      step(near, kManySteps);
      step(without, kManySteps);
      EXPECT_LE(largest_difference(near.solver().weights(), without.solver().weights()), 1e-6)
          << name_of(edit);
      EXPECT_NEAR(near.solver().steps().back().after_weights,
                  without.solver().steps().back().after_weights, 1e-9)
          << name_of(edit);
    }
}

TEST(NearEdits, UndoRestoresWhatWasThereBeforeTheEdit) {
  for (const WeightSolverOptions& options : exact_and_clustered())
    for (const WeightEdit& edit : all_edits()) {
      const std::string name(name_of(edit));
      EditSession solver = chain_session(options);
      WeightSolver untouched = chain_solver(options);
      step(solver, 2);
      step(untouched, 2);
      const Snapshot before(solver);
      checked(solver.edit(edit, kLater));
      checked(solver.step_near_edits({2, 2, 1}));
      EXPECT_GT(largest_difference(solver.solver().weights(), before.weights), 1e-4) << name;
      EXPECT_EQ(checked(solver.undo(kLater)).factor, EditReport::Factor::postponed);
      expect_same(solver, before, name);
      step(solver, 2);
      step(untouched, 2);
      EXPECT_EQ(solver.solver().weights(), untouched.weights())
          << name << ": as if nothing had been";
    }
}

TEST(NearEdits, PostponedEditsGoIntoTheNextStepToTheBit) {
  for (const WeightSolverOptions& options : all_options())
    for (const WeightEdit& edit : all_edits()) {
      EditSession later = chain_session(options);
      EditSession now = chain_session(options);
      step(later, 2);
      step(now, 2);
      const EditReport report = checked(later.edit(edit, kLater));
      EXPECT_EQ(report.factor, EditReport::Factor::postponed);
      EXPECT_EQ(report.changed, checked(now.edit(edit)).changed);
      EXPECT_EQ(later.solver().unknown_count(), now.solver().unknown_count());
      EXPECT_EQ(later.solver().arap(), now.solver().arap()) << name_of(edit);
      step(later, 2);
      step(now, 2);
      EXPECT_EQ(later.solver().weights(), now.solver().weights()) << name_of(edit);
    }
}

TEST(NearEdits, ManyPostponedEditsAndUndosAreTheSameAsMadeAtOnce) {
  for (const WeightSolverOptions& options : exact_and_clustered()) {
    EditSession later = chain_session(options);
    EditSession now = chain_session(options);
    std::size_t made = 0;
    for (const WeightEdit& edit : all_edits()) {
      checked(later.edit(edit, kLater));
      checked(now.edit(edit));
      if (++made % 3 == 0) {
        checked(later.undo(kLater));
        checked(now.undo());
      }
    }
    EXPECT_EQ(later.solver().problem().maps, now.solver().problem().maps);
    EXPECT_EQ(later.solver().problem().graph.edge_measure,
              now.solver().problem().graph.edge_measure);
    EXPECT_EQ(later.solver().constraints(), now.solver().constraints());
    const std::vector<WeightConstraint> more = {{0, chain().problem.maps.bones[0], 0.5, 1e-3}};
    ASSERT_TRUE(later.solver().add_constraints(more).ok());
    ASSERT_TRUE(now.solver().add_constraints(more).ok());
    step(later, 2);
    step(now, 2);
    EXPECT_LE(largest_difference(later.solver().weights(), now.solver().weights()),
              kSameAfterDowndate);
    EXPECT_NEAR(later.solver().arap(), now.solver().arap(), 1e-9);
  }
}

TEST(NearEdits, GoesOnNearTheSameUntilAnEditOrAStepOfTheWhole) {
  EditSession solver = chain_session(exact_and_clustered()[1]);
  EXPECT_TRUE(checked(solver.step_near_edits(kOneRing)).vertices.empty()) << "nothing was edited";
  checked(solver.edit(all_edits()[0], kLater));
  const NearStep first = checked(solver.step_near_edits(kOneRing));
  const NearStep second = checked(solver.step_near_edits(kOneRing));
  EXPECT_EQ(first.vertices, second.vertices);
  EXPECT_GT(second.gain, 0);
  EXPECT_LT(second.gain, first.gain);
  EXPECT_EQ(second.factor_s, 0) << "is there already";
  checked(solver.edit(ReleaseAttachments{2, {}}, kLater));
  const NearStep other = checked(solver.step_near_edits(kOneRing));
  EXPECT_NE(other.vertices, first.vertices);
  EXPECT_GT(other.factor_s, 0);
  EXPECT_TRUE(solver.solver().steps().empty());
  EXPECT_FALSE(solver.solver().converged());
  step(solver, 1);
  const std::vector<double> stepped = solver.solver().weights();
  EXPECT_TRUE(checked(solver.step_near_edits(kOneRing)).vertices.empty());
  EXPECT_EQ(solver.solver().weights(), stepped);
}

TEST(NearEdits, EditsBeforeOneStepAreSteppedNearTogether) {
  EditSession solver = chain_session();
  const auto last = static_cast<VertexIndex>(solver.solver().problem().positions.size() - 1);
  checked(solver.edit(SetWeights{solver.solver().problem().maps.bones_of(0)[0], {0}, 0.5}, kLater));
  checked(solver.edit(SetWeights{solver.solver().problem().maps.bones_of(last)[0], {last}, 0.5},
                      kLater));
  const NearStep near = checked(solver.step_near_edits({0, 1, 1}));
  EXPECT_EQ(near.vertices, (std::vector<VertexIndex>{0, last}));
}

TEST(NearEdits, WhereMostIsFreeOrAFilterIsOnItIsAnOrdinaryStep) {
  WeightSolverOptions filtering = plain_solver();
  filtering.filter = WeightSolverOptions::Filter::laplacian;
  const struct {
    WeightSolverOptions options;
    NearOptions near;
  } cases[] = {{plain_solver(), {10'000, 2, 0.5}}, {filtering, kOneRing}};
  for (const auto& [options, near] : cases) {
    EditSession one = chain_session(options);
    EditSession other = chain_session(options);
    checked(one.edit(all_edits()[1], kLater));
    checked(other.edit(all_edits()[1]));
    const NearStep made = checked(one.step_near_edits(near));
    EXPECT_TRUE(made.is_whole);
    EXPECT_EQ(made.vertices.size(), one.solver().problem().positions.size());
    step(other, 1);
    EXPECT_EQ(one.solver().steps().size(), 1u);
    EXPECT_EQ(one.solver().weights(), other.solver().weights());
  }
}

TEST(NearEdits, SameBitsForAnyNumberOfThreads) {
  const auto weights_with = [](int threads) {
    const ThreadLimit limit(threads);
    EditSession solver = chain_session(exact_and_clustered()[1]);
    std::vector<double> all;
    for (const WeightEdit& edit : all_edits()) {
      checked(solver.edit(edit, kLater));
      checked(solver.step_near_edits({2, 2, 1}));
      all.insert(all.end(), solver.solver().weights().begin(), solver.solver().weights().end());
    }
    return all;
  };
  const std::vector<double> of_one = weights_with(1);
  EXPECT_EQ(of_one, weights_with(2));
  EXPECT_EQ(of_one, weights_with(5));
}

}  // namespace
}  // namespace sinew::test
