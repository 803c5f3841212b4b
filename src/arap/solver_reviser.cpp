// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/solver_reviser.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "arap/solver_state.h"
#include "arap/timed.h"
#include "core/parallel.h"

namespace sinew {
namespace {

auto key(const WeightConstraint& c) { return std::tuple(c.vertex, c.bone, c.target, c.stiffness); }
auto key(const FlatConstraint& c) { return std::tuple(c.vertex, c.bone, c.stiffness); }

/// What one list has and the other has not; copies count.
template <class Constraint>
std::vector<Constraint> difference(std::vector<Constraint> of, std::vector<Constraint> without) {
  const auto less = [](const Constraint& a, const Constraint& b) { return key(a) < key(b); };
  std::sort(of.begin(), of.end(), less);
  std::sort(without.begin(), without.end(), less);
  std::vector<Constraint> result;
  std::set_difference(of.begin(), of.end(), without.begin(), without.end(),
                      std::back_inserter(result), less);
  return result;
}

/// The vertices of what only one of both lists has.
template <class Constraint>
void append_changed(const std::vector<Constraint>& before, const std::vector<Constraint>& after,
                    std::vector<VertexIndex>& vertices) {
  for (const auto& changed : {difference(after, before), difference(before, after)})
    for (const Constraint& each : changed) vertices.push_back(each.vertex);
}

void sort_once(std::vector<VertexIndex>& vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

/// The maps with some rows replaced, and the weights beside them.
void replace_rows(const std::map<VertexIndex, SolverRevision::Row>& rows, InfluenceMaps& maps,
                  std::vector<double>& weights) {
  InfluenceMaps replaced;
  replaced.bone_count = maps.bone_count;
  replaced.begin.reserve(maps.begin.size());
  replaced.bones.reserve(maps.bones.size() + rows.size());
  replaced.weights.reserve(maps.bones.size() + rows.size());
  std::vector<double> replaced_weights;
  replaced_weights.reserve(maps.bones.size() + rows.size());
  const auto append = [](auto& to, const auto& from, std::size_t begin, std::size_t end) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  auto next = rows.begin();
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    if (next != rows.end() && next->first == i) {
      const SolverRevision::Row& row = (next++)->second;
      append(replaced.bones, row.bones, 0, row.bones.size());
      append(replaced.weights, row.start, 0, row.bones.size());
      append(replaced_weights, row.weights, 0, row.bones.size());
    } else {
      append(replaced.bones, maps.bones, maps.begin[i], maps.begin[i + 1]);
      append(replaced.weights, maps.weights, maps.begin[i], maps.begin[i + 1]);
      append(replaced_weights, weights, maps.begin[i], maps.begin[i + 1]);
    }
    replaced.begin.push_back(replaced.bones.size());
  }
  maps = std::move(replaced);
  weights = std::move(replaced_weights);
}

}  // namespace

std::vector<VertexIndex> WeightSolver::State::revise(SolverRevision revision, RevisionCost& cost) {
  std::vector<VertexIndex> touched = std::move(revision.rewired);
  for (const auto& [vertex, row] : revision.rows) touched.push_back(vertex);
  std::vector<VertexIndex> changed = touched;
  {
    const Timed timed(cost.matrix_s);
    append_changed(held.constraints, revision.held.constraints, changed);
    append_changed(held.flat, revision.held.flat, changed);
    sort_once(changed);
    if (!behind) behind = Behind{{}, false, std::move(held.constraints), std::move(held.flat)};
    held = std::move(revision.held);
  }
  const Timed timed(cost.tables_s);
  behind->touched.insert(behind->touched.end(), touched.begin(), touched.end());
  sort_once(behind->touched);
  if (!revision.rows.empty()) replace_rows(revision.rows, problem.maps, weights);
  if (revision.graph) {
    behind->edges_change = true;
    problem.graph = *std::move(revision.graph);
  }
  evaluated = {};
  ++revisions;
  return changed;
}

void WeightSolver::State::catch_up_rows(RevisionCost& cost) {
  if (!behind || behind->touched.empty()) return;
  const Behind due = *std::exchange(behind, std::nullopt);
  {
    const Timed timed(cost.tables_s);
    std::vector<VertexIndex> pulling = due.touched;
    if (due.edges_change) {
      for (const VertexIndex i : due.touched)
        pulling.insert(pulling.end(), problem.graph.neighbours_of(i).begin(),
                       problem.graph.neighbours_of(i).end());
      sort_once(pulling);
    }
    parallel_for(
        tables.size(),
        [&](std::size_t c) { tables[c].revise(problem, clusterings[c].cluster, pulling); }, 1);
  }
  const Timed timed(cost.matrix_s);
  evaluated = {};
  system.revise(problem, due.touched);
  system.add_constraints(problem.maps, held.constraints, 1);
  system.set_flat(problem, held.flat);
  factor.outdate();
}

Status WeightSolver::State::catch_up(RevisionCost& cost) {
  catch_up_rows(cost);
  if (behind) SINEW_CHECK(catch_up_constraints(cost));
  if (!factor.is_outdated()) return {};
  cost.factor = RevisionCost::Factor::analysed;
  const Timed timed(cost.factor_s);
  return factor.make(system);
}

Status WeightSolver::State::catch_up_constraints(RevisionCost& cost) {
  const Behind due = *std::exchange(behind, std::nullopt);
  evaluated = {};
  std::vector<WeightConstraint> added, removed;
  std::vector<FlatConstraint> flat_added, flat_removed;
  {
    const Timed timed(cost.matrix_s);
    added = difference(held.constraints, due.constraints);
    removed = difference(due.constraints, held.constraints);
    flat_added = difference(held.flat, due.flat);
    flat_removed = difference(due.flat, held.flat);
    std::vector<VertexIndex> vertices;
    for (const WeightConstraint& each : added) vertices.push_back(each.vertex);
    for (const WeightConstraint& each : removed) vertices.push_back(each.vertex);
    sort_once(vertices);
    system.replace_constraints(problem.maps, vertices, held.constraints);
    if (!flat_added.empty() || !flat_removed.empty()) system.set_flat(problem, held.flat);
  }
  const Timed timed(cost.factor_s);
  cost.columns = added.size() + removed.size() + flat_added.size() + flat_removed.size();
  if (cost.columns == 0) return {};
  if (factor.is_released()) cost.factor = RevisionCost::Factor::postponed;
  if (!factor.exists() || factor.is_released()) return {};
  if (factor.prefers_change(cost.columns)) {
    cost.factor = RevisionCost::Factor::updated;
    // Added before anything goes: what remains in between is never less definite than the end.
    Status status = factor.update(system.columns(problem.maps, added));
    if (status.ok()) status = factor.update(system.columns(problem, flat_added));
    if (status.ok()) status = factor.downdate(system.columns(problem.maps, removed));
    if (status.ok()) status = factor.downdate(system.columns(problem, flat_removed));
    if (status.ok()) return status;
  }
  const bool places_change = !flat_added.empty() || !flat_removed.empty();
  cost.factor = places_change ? RevisionCost::Factor::analysed : RevisionCost::Factor::factorised;
  return factor.make(system);
}

const HeldConstraints& SolverReviser::held() const { return state_.held; }

std::vector<VertexIndex> SolverReviser::revise(SolverRevision revision, RevisionCost& cost) {
  return state_.revise(std::move(revision), cost);
}

Status SolverReviser::catch_up(RevisionCost& cost) { return state_.catch_up(cost); }

void SolverReviser::begin_anew() { state_.first_that_counts = state_.steps.size(); }

std::size_t SolverReviser::steps_made() const { return state_.steps_made; }

std::size_t SolverReviser::revisions() const { return state_.revisions; }

std::vector<double>& SolverReviser::weights_to_change() {
  state_.evaluated = {};
  return state_.weights;
}

const std::vector<Clustering>& SolverReviser::clusterings() const { return state_.clusterings; }

const std::vector<int>& SolverReviser::vertex_order() const { return state_.factor.vertex_order(); }

WeightTerms SolverReviser::terms() const { return state_.terms(); }

double SolverReviser::rest_energy() const {
  const bool is_known = !state_.behind || !state_.behind->edges_change;
  return is_known ? state_.system.rest_energy() : sinew::rest_energy(state_.problem);
}

}  // namespace sinew
