// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_constraints.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/mesh_zoo.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

using test::made_problem;
using test::MadeProblem;

/// A line of vertices, each next to the one before and after it.
MeshGraph line_graph(std::size_t count) {
  MeshGraph graph;
  graph.begin = {0};
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) graph.neighbours.push_back(static_cast<VertexIndex>(i - 1));
    if (i + 1 < count) graph.neighbours.push_back(static_cast<VertexIndex>(i + 1));
    graph.begin.push_back(graph.neighbours.size());
    graph.vertex_measure.push_back(0.5 + static_cast<double>(i));
  }
  graph.edge_measure.assign(graph.neighbours.size(), 1);
  return graph;
}

/// Rows of {bone, weight}.
InfluenceMaps maps_of(std::size_t bones, const std::vector<std::vector<Influence>>& rows) {
  InfluenceMaps maps;
  maps.bone_count = bones;
  for (const std::vector<Influence>& row : rows) {
    for (const auto& [bone, weight] : row) {
      maps.bones.push_back(bone);
      maps.weights.push_back(weight);
    }
    maps.begin.push_back(maps.bones.size());
  }
  return maps;
}

WeightProblem line_problem(std::size_t bones, const std::vector<std::vector<Influence>>& rows) {
  WeightProblem problem;
  for (std::size_t i = 0; i < rows.size(); ++i)
    problem.positions.emplace_back(static_cast<double>(i), 0, 0);
  problem.graph = line_graph(rows.size());
  problem.maps = maps_of(bones, rows);
  problem.exemplars.assign(3, std::vector<Affine3>(bones, Affine3::Identity()));
  return problem;
}

/// Every vertex is owned by the bone that weighs most on it, and sees it.
BoneCells seeing_cells(const WeightProblem& problem) {
  BoneCells cells;
  std::vector<std::vector<Influence>> owners;
  for (std::size_t i = 0; i < problem.positions.size(); ++i) {
    const auto weights = problem.maps.weights_of(i);
    const auto place = std::max_element(weights.begin(), weights.end()) - weights.begin();
    owners.push_back({{problem.maps.bones_of(i)[static_cast<std::size_t>(place)], 1}});
  }
  cells.owners = SkinWeights::from_rows(problem.maps.bone_count, owners);
  cells.visibility.assign(problem.positions.size(), 1);
  return cells;
}

TEST(PaperStiffness, IsAHundredTimesMeasureTimesExemplars) {
  const WeightProblem problem = line_problem(1, {{{0, 1}}, {{0, 1}}});
  EXPECT_DOUBLE_EQ(paper_stiffness(problem, 0), 100 * 0.5 * 3);
  EXPECT_DOUBLE_EQ(paper_stiffness(problem, 1), 100 * 1.5 * 3);
}

TEST(AttachConstraints, StrictLocalMaximaAboveOneHalfAreHeldAtOne) {
  const WeightProblem problem = line_problem(2, {{{0, 0.9}, {1, 0.1}},
                                                 {{0, 0.7}, {1, 0.3}},
                                                 {{0, 0.3}, {1, 0.7}},
                                                 {{0, 0.3}, {1, 0.7}},
                                                 {{0, 0.2}, {1, 0.8}}});
  const std::vector<WeightConstraint> expected = {{0, 0, 1, paper_stiffness(problem, 0)},
                                                  {4, 1, 1, paper_stiffness(problem, 4)}};
  EXPECT_EQ(attach_constraints(problem, seeing_cells(problem)), expected);
}

TEST(AttachConstraints, BoneWithoutAStrictMaximumIsHeldWhereverItIsStrongest) {
  const WeightProblem problem = line_problem(
      2,
      {{{0, 0.9}, {1, 0.1}}, {{0, 0.3}, {1, 0.7}}, {{0, 0.3}, {1, 0.7}}, {{0, 0.45}, {1, 0.55}}});
  const std::vector<WeightConstraint> expected = {{0, 0, 1, paper_stiffness(problem, 0)},
                                                  {1, 1, 1, paper_stiffness(problem, 1)},
                                                  {2, 1, 1, paper_stiffness(problem, 2)}};
  EXPECT_EQ(attach_constraints(problem, seeing_cells(problem)), expected);
}

TEST(AttachConstraints, MaximumBelowOneHalfIsLeftAlone) {
  const WeightProblem problem = line_problem(
      3, {{{0, 0.4}, {1, 0.3}, {2, 0.3}}, {{0, 0.45}, {1, 0.3}, {2, 0.25}}, {{0, 0.4}, {1, 0.6}}});
  const std::vector<WeightConstraint> found = attach_constraints(problem, seeing_cells(problem));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].vertex, 2u);
  EXPECT_EQ(found[0].bone, 1u);
}

TEST(AttachConstraints, VertexThatDoesNotSeeItsBoneIsNotAttached) {
  const WeightProblem problem = line_problem(2, {{{0, 0.9}, {1, 0.1}}, {{0, 0.2}, {1, 0.8}}});
  BoneCells cells = seeing_cells(problem);
  ASSERT_EQ(attach_constraints(problem, cells).size(), 2u);
  cells.visibility[0] = 0;
  const std::vector<WeightConstraint> hidden = attach_constraints(problem, cells);
  ASSERT_EQ(hidden.size(), 1u);
  EXPECT_EQ(hidden[0].vertex, 1u);
  cells = seeing_cells(problem);
  cells.owners = SkinWeights::from_rows(2, std::vector<std::vector<Influence>>{{{1, 1}}, {{1, 1}}});
  EXPECT_EQ(attach_constraints(problem, cells).size(), 1u) << "it sees another bone";
}

TEST(NeumannConstraints, WeightsNextToWhereTheirBoneEndsAreHeldAtZero) {
  const WeightProblem problem = line_problem(
      2, {{{0, 1}}, {{0, 0.6}, {1, 0.4}}, {{0, 0.5}, {1, 0.5}}, {{0, 0.2}, {1, 0.8}}, {{1, 1}}});
  const std::vector<WeightConstraint> expected = {{1, 1, 0, paper_stiffness(problem, 1)},
                                                  {3, 0, 0, paper_stiffness(problem, 3)}};
  EXPECT_EQ(neumann_constraints(problem), expected);
}

TEST(NeumannConstraints, VertexKeepsItsStrongestBoneFreeWhereAllOfThemEnd) {
  const WeightProblem problem = line_problem(4, {{{2, 1}}, {{0, 0.3}, {1, 0.7}}, {{3, 1}}});
  const std::vector<WeightConstraint> found = neumann_constraints(problem);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].vertex, 1u);
  EXPECT_EQ(found[0].bone, 0u);
}

TEST(PositivityConstraints, OnlyLocalMinimaBelowTheToleranceAreHeld) {
  const WeightProblem problem = line_problem(2, {{{0, 0.5}, {1, 0.5}},
                                                 {{0, 0.5}, {1, 0.5}},
                                                 {{0, 0.5}, {1, 0.5}},
                                                 {{0, 0.5}, {1, 0.5}},
                                                 {{1, 1}}});
  //                                       0            1           2             3        4
  const std::vector<double> weights = {1.1, -0.1, 1.2, -0.2, 1.0, -0.0005, -0.05, 1.05, 1};
  const std::vector<WeightConstraint> found = positivity_constraints(problem, weights);
  const std::vector<WeightConstraint> expected = {{1, 1, 0, paper_stiffness(problem, 1)},
                                                  {3, 0, 0, paper_stiffness(problem, 3)}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(positivity_constraints(problem, weights, 0.15).size(), 1u);
}

/// On a limb of two bones: which bone is held where, by height in the model.
struct Held {
  std::set<std::uint32_t> thigh, shin;
};

Held held(const std::vector<WeightConstraint>& constraints) {
  Held result;
  for (const WeightConstraint& each : constraints)
    (each.bone == 0 ? result.thigh : result.shin).insert(each.vertex);
  return result;
}

TEST(ConstraintsOfALimb, BothBonesAreAttachedAndEachFadesOnTheOther) {
  const MadeProblem limb = made_problem(test::limb_character(test::limb_data({8, 61, 0.2, 2})));
  const auto height = [&](std::uint32_t vertex) { return limb.problem.positions[vertex].y(); };

  const std::vector<WeightConstraint> attach = attach_constraints(limb.problem, limb.cells);
  const Held attached = held(attach);
  for (const std::uint32_t bone : {0u, 1u}) {
    bool is_alone = false;  // somewhere: then nothing else can take the bone's place
    for (std::size_t i = 0; i < limb.problem.positions.size(); ++i)
      is_alone = is_alone || (limb.problem.maps.bones_of(i).size() == 1 &&
                              limb.problem.maps.bones_of(i)[0] == bone);
    EXPECT_TRUE(is_alone || !(bone == 0 ? attached.thigh : attached.shin).empty()) << bone;
  }
  for (const std::uint32_t v : attached.thigh) EXPECT_LT(height(v), 0) << "the lower half";
  for (const std::uint32_t v : attached.shin) EXPECT_GT(height(v), 0) << "the upper half";
  for (const WeightConstraint& each : attach) EXPECT_EQ(each.target, 1);

  const std::vector<WeightConstraint> fade = neumann_constraints(limb.problem);
  const Held fading = held(fade);
  ASSERT_FALSE(fading.thigh.empty());
  ASSERT_FALSE(fading.shin.empty());
  for (const std::uint32_t v : fading.thigh) EXPECT_GT(height(v), 0) << "beyond the knee";
  for (const std::uint32_t v : fading.shin) EXPECT_LT(height(v), 0) << "before the knee";
  for (const WeightConstraint& each : fade) {
    EXPECT_EQ(each.target, 0);
    EXPECT_EQ(each.stiffness, paper_stiffness(limb.problem, each.vertex));
  }
}

TEST(ConstraintsOfALimb, NoVertexOfTheZooIsHeldEverywhere) {
  for (const test::ZooMesh& zoo : test::mesh_zoo()) {
    const MadeProblem made = made_problem(test::limb_character(zoo.mesh.data()));
    std::vector<std::size_t> zeros(made.problem.positions.size(), 0);
    for (const WeightConstraint& each : made.constraints) zeros[each.vertex] += each.target == 0;
    for (std::size_t i = 0; i < zeros.size(); ++i)
      EXPECT_LT(zeros[i], made.problem.maps.bones_of(i).size()) << zoo.name << ", vertex " << i;
  }
}

}  // namespace
}  // namespace sinew
