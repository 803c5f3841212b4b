// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/edit/weight_edits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/edit/edit_session.h"
#include "support/chain_edits.h"
#include "support/checked.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

auto sorted(std::vector<WeightConstraint> constraints) {
  std::ranges::sort(constraints, {}, [](const WeightConstraint& c) {
    return std::tuple(c.vertex, c.bone, c.target, c.stiffness);
  });
  return constraints;
}

TEST(WeightEdits, UndoRestoresWhatWasThereBeforeTheEdit) {
  for (const WeightSolverOptions& options : exact_and_clustered())
    for (const WeightEdit& edit : all_edits())
      for (const int steps_between : {0, 3}) {
        const std::string name(name_of(edit));
        EditSession solver = chain_session(options);
        WeightSolver untouched = chain_solver(options);
        step(solver, 2);
        step(untouched, 2);
        const Snapshot before(solver);
        const EditReport report = checked(solver.edit(edit));
        EXPECT_GT(report.changed, 0u) << name;
        step(solver, steps_between);
        if (steps_between > 0) {
          EXPECT_GT(largest_difference(solver.solver().weights(), before.weights), 1e-4) << name;
        }
        checked(solver.undo());
        expect_same(solver, before, name);
        step(solver, 2);
        step(untouched, 2);
        EXPECT_LE(largest_difference(solver.solver().weights(), untouched.weights()),
                  kSameAfterDowndate)
            << name << ": and goes on as if nothing had been";
      }
}

TEST(WeightEdits, EditedSolverGoesOnAsOneMadeOfTheEditedProblem) {
  for (const WeightSolverOptions& options : exact_and_clustered())
    for (const WeightEdit& edit : all_edits()) {
      EditSession edited = chain_session(options);
      step(edited, 2);
      const EditReport report = checked(edited.edit(edit));
      // Whose tables are behind, so that nobody takes them over.
      EditSession postponed = chain_session(options);
      step(postponed, 2);
      checked(postponed.edit(edit, {EditOptions::Rebuild::at_next_step}));
      WeightSolver fresh = checked(postponed.solver().restricted_to(
          postponed.solver().problem().maps, postponed.solver().options()));
      ASSERT_TRUE(fresh.set_weights(edited.solver().weights()).ok());
      step(edited, 2);
      step(fresh, 2);
      const double same = report.factor == EditReport::Factor::updated ? kSameAfterDowndate : kSame;
      EXPECT_LE(largest_difference(edited.solver().weights(), fresh.weights()), same)
          << name_of(edit);
      EXPECT_NEAR(edited.solver().arap(), fresh.arap(), 1e-9) << name_of(edit);
      EXPECT_NEAR(edited.solver().steps().back().after_weights, fresh.steps().back().after_weights,
                  1e-9)
          << name_of(edit);
    }
}

TEST(WeightEdits, StepAfterAnEditIsTheMinimumThatDenseAlgebraFinds) {
  for (const WeightEdit& edit : all_edits()) {
    EditSession solver = chain_session();
    checked(solver.edit(edit));
    const std::vector<double> expected = dense_step(
        solver.solver().problem(), solver.solver().constraints(), 1e-6, solver.flat_constraints());
    step(solver, 1);
    EXPECT_LE(largest_difference(solver.solver().weights(), expected), kSameAfterDowndate)
        << name_of(edit);
  }
}

TEST(WeightEdits, RandomEditsOfRandomProblemsRebuildWhatTheyTouch) {
  for (const auto& [name, problem] : random_problems()) {
    Random random(problem.positions.size());
    const auto any = [&](std::size_t count) {
      return static_cast<VertexIndex>(random.uniform(0, static_cast<double>(count)));
    };
    EditSession edited(made_solver(problem, {}, plain_solver()));
    const Snapshot before(edited);
    for (int round = 0; round < 4; ++round) {
      const auto bone = static_cast<std::uint32_t>(any(problem.maps.bone_count));
      std::vector<VertexIndex> vertices;
      for (int v = 0; v < 6; ++v) vertices.push_back(any(problem.positions.size()));
      std::vector<WeightEdit> edits = {AddInfluence{bone, vertices},
                                       RemoveInfluence{(bone + 1) % 2, vertices}};
      if (vertices[0] != vertices[1]) edits.push_back(ConnectWires{{{vertices[0], vertices[1]}}});
      checked(edited.edit(edits));
      WeightSolver fresh = made_solver(edited.solver().problem(), {}, plain_solver());
      ASSERT_TRUE(fresh.set_weights(edited.solver().weights()).ok());
      EXPECT_NEAR(edited.solver().arap(), fresh.arap(), 1e-12) << name;
      EXPECT_EQ(edited.solver().unknown_count(), fresh.unknown_count()) << name;
      step(edited, 1);
      step(fresh, 1);
      EXPECT_LE(largest_difference(edited.solver().weights(), fresh.weights()), kSame) << name;
    }
    while (edited.undo_count() > 0) checked(edited.undo());
    expect_same(edited, before, name);
  }
}

TEST(WeightEdits, AddedInfluenceGetsWeightAndRowsStillSumToOne) {
  EditSession solver = chain_session();
  step(solver, 3);
  const std::vector<VertexIndex> ring = some(vertices_where(chain().problem.maps, 2, false), 0, 20);
  const std::vector<double> before = solver.solver().weights();
  const EditReport report = checked(solver.edit(AddInfluence{2, ring}));
  EXPECT_EQ(report.changed, ring.size());
  EXPECT_EQ(report.factor, EditReport::Factor::analysed);
  for (const VertexIndex v : ring) EXPECT_EQ(weight_of(solver.solver(), v, 2), 0);
  EXPECT_EQ(solver.solver().weights().size(), before.size() + ring.size());
  step(solver, 3);
  double most = 0;
  for (const VertexIndex v : ring)
    most = std::max(most, std::abs(weight_of(solver.solver(), v, 2)));
  EXPECT_GT(most, 1e-4);
  EXPECT_EQ(checked(solver.edit(AddInfluence{2, ring})).passed_over, ring.size());
}

TEST(WeightEdits, RemovedInfluenceIsGoneAndItsWeightGoesToTheOthers) {
  EditSession solver = chain_session();
  step(solver, 3);
  const std::vector<VertexIndex> all = vertices_where(chain().problem.maps, 2, true);
  const std::vector<double> before = solver.solver().weights();
  const InfluenceMaps maps = solver.solver().problem().maps;
  const EditReport report = checked(solver.edit(RemoveInfluence{2, all}));
  EXPECT_EQ(report.changed + report.passed_over, all.size());
  for (const VertexIndex v : all) {
    const auto bones = solver.solver().problem().maps.bones_of(v);
    if (maps.bones_of(v).size() == 1) {
      EXPECT_EQ(bones.size(), 1u) << "the only bone stays";
      continue;
    }
    EXPECT_FALSE(solver.solver().problem().maps.find(v, 2));
    double sum = 0;
    for (const std::uint32_t bone : bones) sum += weight_of(solver.solver(), v, bone);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  for (const WeightConstraint& each : solver.solver().constraints())
    EXPECT_TRUE(solver.solver().problem().maps.find(each.vertex, each.bone));
}

TEST(WeightEdits, FadingEndsMoveWithTheInfluences) {
  std::vector<WeightConstraint> attached;
  for (const WeightConstraint& each : chain().constraints)
    if (each.target > 0) attached.push_back(each);
  for (const std::size_t e : {0u, 1u}) {
    EditSession solver = chain_session();
    checked(solver.edit(all_edits()[e]));
    std::vector<WeightConstraint> expected = neumann_constraints(solver.solver().problem());
    for (const WeightConstraint& each : attached)
      if (solver.solver().problem().maps.find(each.vertex, each.bone)) expected.push_back(each);
    EXPECT_EQ(sorted(solver.solver().constraints()), sorted(expected)) << name_of(all_edits()[e]);
    EXPECT_NE(sorted(solver.solver().constraints()), sorted(chain().constraints));
  }
}

TEST(WeightEdits, WiresHaveThePapersLambda) {
  EditSession solver = chain_session();
  const MeshGraph& graph = chain().problem.graph;
  constexpr VertexIndex a = 3, b = 50, c = 70;  // on rings far from each other
  checked(solver.edit(ConnectWires{{{a, b}}}));
  const EditReport second = checked(solver.edit(ConnectWires{{{a, c}, {b, a}}}));
  EXPECT_EQ(second.changed, 1u);
  EXPECT_EQ(second.passed_over, 1u) << "is there already";
  const MeshGraph& wired = solver.solver().problem().graph;
  const auto lambda = [&](VertexIndex i, double wires) {
    double sum = 0;
    for (const double measure : graph.edge_measures_of(i)) sum += measure;
    const auto around = static_cast<double>(graph.neighbours_of(i).size());
    return sum * std::min(0.5, wires / around) / wires;
  };
  const auto measure = [&](VertexIndex i, VertexIndex k) {
    const auto row = wired.neighbours_of(i);
    return wired.edge_measures_of(
        i)[static_cast<std::size_t>(std::ranges::find(row, k) - row.begin())];
  };
  EXPECT_DOUBLE_EQ(measure(a, b), lambda(a, 2));
  EXPECT_DOUBLE_EQ(measure(a, c), lambda(a, 2));
  EXPECT_DOUBLE_EQ(measure(b, a), lambda(b, 1));
  EXPECT_DOUBLE_EQ(measure(c, a), lambda(c, 1));
  EXPECT_EQ(wired.neighbours.size(), graph.neighbours.size() + 4);
  EXPECT_EQ(wired.vertex_measure, graph.vertex_measure);
  for (const std::uint32_t bone : chain().problem.maps.bones_of(c))
    EXPECT_TRUE(solver.solver().problem().maps.find(a, bone))
        << "one end may take the bones of the other";
}

TEST(WeightEdits, WiresDrawTheirEndsTogether) {
  constexpr VertexIndex a = 43, b = 91;
  EditSession wired = chain_session();
  WeightSolver unwired = chain_solver();
  checked(wired.edit(ConnectWires{{{a, b}}}));
  step(wired, 5);
  step(unwired, 5);
  const auto apart = [&](const WeightSolver& solver) {
    double sum = 0;
    for (std::uint32_t bone = 0; bone < 4; ++bone)
      sum += std::abs(weight_of(solver, a, bone) - weight_of(solver, b, bone));
    return sum;
  };
  EXPECT_LT(apart(wired.solver()), 0.95 * apart(unwired));
}

TEST(WeightEdits, SetWeightsAreHeldAndClearingBringsBackWhatGaveWay) {
  EditSession solver = chain_session();
  step(solver, 2);
  const std::vector<VertexIndex> painted =
      some(vertices_where(chain().problem.maps, 2, true), 0, 30);
  checked(solver.edit(SetWeights{2, painted, 0.3}));
  step(solver, 3);
  for (const VertexIndex v : painted)
    if (solver.solver().problem().maps.bones_of(v).size() > 1) {
      EXPECT_NEAR(weight_of(solver.solver(), v, 2), 0.3, 0.03);
    }
  checked(solver.edit(SetWeights{2, painted, 0.9}));  // the last word counts
  step(solver, 3);
  for (const VertexIndex v : painted)
    if (solver.solver().problem().maps.bones_of(v).size() > 1) {
      EXPECT_NEAR(weight_of(solver.solver(), v, 2), 0.9, 0.03);
    }
  const EditReport cleared = checked(solver.edit(ClearWeights{2, painted}));
  EXPECT_EQ(cleared.changed, painted.size());
  EXPECT_EQ(sorted(solver.solver().constraints()), sorted(chain().constraints));
  EXPECT_EQ(checked(solver.edit(ClearWeights{2, painted})).passed_over, painted.size());
}

TEST(WeightEdits, PaintedWeightWinsOverAnAttachmentOfAnotherBone) {
  const auto attached = std::ranges::find_if(chain().constraints, [](const WeightConstraint& each) {
    return each.target == 1 && chain().problem.maps.bones_of(each.vertex).size() > 1;
  });
  ASSERT_NE(attached, chain().constraints.end());
  const auto bones = chain().problem.maps.bones_of(attached->vertex);
  const std::uint32_t other = bones[bones[0] == attached->bone ? 1 : 0];
  EditSession solver = chain_session();
  checked(solver.edit(SetWeights{other, {attached->vertex}, 0.8}));
  step(solver, 2);
  EXPECT_NEAR(weight_of(solver.solver(), attached->vertex, other), 0.8, 0.05);
}

TEST(WeightEdits, FlattenedWeightsAreTheMeanAroundThem) {
  EditSession solver = chain_session();
  step(solver, 3);
  const std::vector<VertexIndex> flat = some(vertices_where(chain().problem.maps, 2, true), 6, 12);
  const auto unevenness = [&] {
    double sum = 0;
    for (const VertexIndex v : flat) {
      double laplacian = 0;
      for (SparseMatrix::InnerIterator entry(chain().problem.laplacian, v); entry; ++entry)
        laplacian +=
            entry.value() * weight_of(solver.solver(), static_cast<VertexIndex>(entry.row()), 2);
      sum += std::abs(laplacian / chain().problem.laplacian.coeff(v, v));
    }
    return sum;
  };
  const double before = unevenness();
  checked(solver.edit(FlattenWeights{2, flat}));
  step(solver, 2);
  EXPECT_LT(unevenness(), 0.1 * before);
  checked(solver.edit(ClearWeights{2, flat}));
  EXPECT_TRUE(solver.flat_constraints().empty());
  step(solver, 4);
  EXPECT_GT(unevenness(), 0.5 * before);
}

TEST(WeightEdits, ReleasedAttachmentsAreGoneAndOthersStay) {
  EditSession solver = chain_session();
  const auto attached = [&](std::uint32_t bone) {
    return std::ranges::count_if(solver.solver().constraints(), [&](const WeightConstraint& each) {
      return each.target > 0 && each.bone == bone;
    });
  };
  const auto of_two = attached(2);
  const auto of_one = attached(1);
  ASSERT_GT(of_two, 0);
  const VertexIndex one = std::ranges::find_if(solver.solver().constraints(), [](const auto& each) {
                            return each.target > 0 && each.bone == 2;
                          })->vertex;
  EXPECT_EQ(checked(solver.edit(ReleaseAttachments{2, {one, one + 1}})).changed, 1u);
  EXPECT_EQ(attached(2), of_two - 1);
  checked(solver.undo());
  EXPECT_EQ(attached(2), of_two);
  checked(solver.edit(ReleaseAttachments{2, {}}));
  EXPECT_EQ(attached(2), 0);
  EXPECT_EQ(attached(1), of_one);
}

TEST(WeightEdits, ManyEditsAreTakenBackOneByOne) {
  WeightSolverOptions options = exact_and_clustered()[1];
  options.positivity = WeightSolverOptions::Positivity::constrain;
  EditSession solver = chain_session(options);
  std::vector<Snapshot> before;
  for (const WeightEdit& edit : all_edits()) {
    step(solver, 2);
    before.emplace_back(solver);
    checked(solver.edit(edit));
  }
  step(solver, 2);
  EXPECT_EQ(solver.undo_count(), before.size());
  for (; !before.empty(); before.pop_back()) {
    checked(solver.undo());
    expect_same(solver, before.back(), std::to_string(before.size()));
  }
  EXPECT_EQ(solver.undo().error().place, "undo");
}

TEST(WeightEdits, ABatchIsOneEditForUndo) {
  EditSession batch = chain_session();
  EditSession single = chain_session();
  const Snapshot before(batch);
  checked(batch.edit(all_edits()));
  for (const WeightEdit& edit : all_edits()) checked(single.edit(edit));
  EXPECT_EQ(batch.solver().problem().maps, single.solver().problem().maps);
  EXPECT_EQ(sorted(batch.solver().constraints()), sorted(single.solver().constraints()));
  step(batch, 1);
  step(single, 1);
  EXPECT_LE(largest_difference(batch.solver().weights(), single.solver().weights()),
            kSameAfterDowndate);
  checked(batch.undo());
  expect_same(batch, before, "batch");
}

TEST(WeightEdits, HistoryKeepsItsStepsAndMarksTheEdits) {
  EditSession solver = chain_session();
  solve(solver.solver());
  const std::size_t steps = solver.solver().steps().size();
  EXPECT_TRUE(solver.solver().converged());
  checked(solver.edit(all_edits()[4]));
  EXPECT_FALSE(solver.solver().converged()) << "there is something to do again";
  solve(solver.solver());
  const std::size_t later = solver.solver().steps().size();
  EXPECT_GE(later, steps + 2);
  checked(solver.undo());
  EXPECT_EQ(solver.solver().steps().size(), later);
  ASSERT_EQ(solver.edit_marks().size(), 2u);
  EXPECT_EQ(solver.edit_marks()[0].after_steps, steps);
  EXPECT_EQ(solver.edit_marks()[0].what, "set_weights");
  EXPECT_EQ(solver.edit_marks()[1].after_steps, later);
  EXPECT_EQ(solver.edit_marks()[1].what, "undo set_weights");
}

TEST(WeightEdits, WhatMakesNoSenseIsRefusedAndNothingChanges) {
  WeightProblem without_laplacian = chain().problem;
  without_laplacian.laplacian = {};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    WeightEdit edit;
    std::string place;
  } cases[] = {{AddInfluence{9, {0}}, "edits[1].bone"},
               {AddInfluence{2, {0, 100000}}, "edits[1].vertices[1]"},
               {RemoveInfluence{9, {0}}, "edits[1].bone"},
               {ConnectWires{{{0, 1}, {2, 2}}}, "edits[1].wires[1]"},
               {ConnectWires{{{0, 100000}}}, "edits[1].wires[0]"},
               {SetWeights{2, {0}, 1.5}, "edits[1].target"},
               {SetWeights{2, {0}, nan}, "edits[1].target"},
               {SetWeights{2, {0}, 1, 0}, "edits[1].stiffness_rel"},
               {FlattenWeights{2, {0}, nan}, "edits[1].stiffness_rel"},
               {FlattenWeights{2, {0}}, "edits[1]"},
               {ClearWeights{2, {100000}}, "edits[1].vertices[0]"},
               {ReleaseAttachments{9, {}}, "edits[1].bone"}};
  for (const auto& [edit, place] : cases) {
    EditSession solver(made_solver(without_laplacian, chain().constraints, plain_solver()));
    WeightSolver untouched = made_solver(without_laplacian, chain().constraints, plain_solver());
    const Snapshot before(solver);
    const std::vector<WeightEdit> edits = {all_edits()[0], edit};  // the first alone is sound
    const auto result = solver.edit(edits);
    ASSERT_FALSE(result.ok()) << place;
    EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
    EXPECT_EQ(result.error().place, place);
    expect_same(solver, before, place);
    EXPECT_EQ(solver.undo_count(), 0u);
    EXPECT_TRUE(solver.edit_marks().empty());
    step(solver, 1);
    step(untouched, 1);
    EXPECT_EQ(solver.solver().weights(), untouched.weights()) << place;
  }
}

TEST(WeightEdits, OtherWeightsToGoOnFromHaveToBeWhole) {
  WeightSolver solver = chain_solver();
  std::vector<double> weights = solver.weights();
  weights[3] += 0.1;
  EXPECT_FALSE(solver.set_weights(weights).ok());
  weights.pop_back();
  EXPECT_EQ(solver.set_weights(weights).error().place, "weights");
  EXPECT_EQ(solver.weights(), chain().problem.maps.weights);
}

}  // namespace
}  // namespace sinew::test
