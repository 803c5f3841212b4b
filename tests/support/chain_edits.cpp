// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/chain_edits.h"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew::test {

const MadeProblem& chain() {
  static const MadeProblem made = made_problem(chain_character());
  return made;
}

std::vector<WeightSolverOptions> exact_and_clustered() {
  WeightSolverOptions clustered = plain_solver(RotationMode::clustered);
  clustered.clusters = 12;
  clustered.clusterings = 3;
  return {plain_solver(), clustered};
}

WeightSolver chain_solver(const WeightSolverOptions& options) {
  return made_solver(chain().problem, chain().constraints, options);
}

EditSession chain_session(const WeightSolverOptions& options) {
  return EditSession(chain_solver(options));
}

void step(WeightSolver& solver, int count) {
  for (int s = 0; s < count; ++s)
    if (const Status status = solver.step(); !status.ok())
      throw std::runtime_error(status.error().to_string());
}

void step(EditSession& session, int count) {
  for (int s = 0; s < count; ++s)
    if (const Status status = session.step(); !status.ok())
      throw std::runtime_error(status.error().to_string());
}

std::vector<VertexIndex> vertices_where(const InfluenceMaps& maps, std::uint32_t bone,
                                        bool has_it) {
  std::vector<VertexIndex> found;
  for (VertexIndex i = 0; i < maps.vertex_count(); ++i)
    if (maps.find(i, bone).has_value() == has_it) found.push_back(i);
  return found;
}

std::vector<VertexIndex> some(std::vector<VertexIndex> vertices, std::size_t first,
                              std::size_t count) {
  vertices.erase(vertices.begin(),
                 vertices.begin() + static_cast<std::ptrdiff_t>(std::min(first, vertices.size())));
  vertices.resize(std::min(count, vertices.size()));
  return vertices;
}

std::vector<WeightEdit> all_edits() {
  const InfluenceMaps& maps = chain().problem.maps;
  const std::vector<VertexIndex> with = vertices_where(maps, 2, true);
  const std::vector<VertexIndex> without = vertices_where(maps, 2, false);
  const auto last = static_cast<VertexIndex>(maps.vertex_count() - 1);
  return {AddInfluence{2, some(without, 0, 12)},
          RemoveInfluence{2, some(with, 3, 15)},
          ConnectWires{{{0, last}, {0, last - 1}, {5, last - 9}}},
          SetWeights{2, some(with, 4, 2), 0.4},
          SetWeights{2, some(with, 0, 40), 0.7, 0.1},
          SetWeights{3, some(vertices_where(maps, 3, false), 0, 4), 0.5},
          FlattenWeights{2, some(with, 8, 3)},
          FlattenWeights{1, some(vertices_where(maps, 1, true), 0, 60), 0.01},
          ReleaseAttachments{2, {}}};
}

double weight_of(const WeightSolver& solver, VertexIndex vertex, std::uint32_t bone) {
  const auto found = solver.problem().maps.find(vertex, bone);
  return found ? solver.weights()[*found] : 0;
}

void expect_same(const EditSession& session, const Snapshot& before, const std::string& name) {
  const WeightSolver& solver = session.solver();
  EXPECT_EQ(solver.problem().maps, before.maps) << name;
  EXPECT_EQ(solver.problem().graph.edge_measure, before.edge_measure) << name;
  EXPECT_EQ(solver.constraints(), before.constraints) << name;
  EXPECT_EQ(session.flat_constraints(), before.flat) << name;
  EXPECT_LE(largest_difference(solver.weights(), before.weights), kSame) << name;
}

}  // namespace sinew::test
