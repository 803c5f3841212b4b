// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_edits.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "arap/edit_draft.h"
#include "arap/solver_state.h"
#include "arap/timed.h"
#include "sinew/core/parallel.h"

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

/// The ends of the wires that one list has beyond the other; one begins with the other.
std::vector<VertexIndex> ends_of_new(const std::vector<Edge>& a, const std::vector<Edge>& b) {
  const std::vector<Edge>& longer = a.size() > b.size() ? a : b;
  std::vector<VertexIndex> ends;
  for (std::size_t w = std::min(a.size(), b.size()); w < longer.size(); ++w)
    ends.insert(ends.end(), longer[w].begin(), longer[w].end());
  return ends;
}

void sort_once(std::vector<VertexIndex>& vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

/// The maps with some rows replaced, and the weights beside them.
void replace_rows(const std::map<VertexIndex, EditableParts::Row>& rows, InfluenceMaps& maps,
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
      const EditableParts::Row& row = (next++)->second;
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

EditableParts WeightSolver::State::editable_parts() const {
  return {{}, wires, constraints, origins, flat, gave_way};
}

EditableParts WeightSolver::State::inverse_of(const EditableParts& parts) const {
  EditableParts inverse = editable_parts();
  for (const auto& [vertex, row] : parts.rows) {
    const auto bones = problem.maps.bones_of(vertex);
    const auto start = problem.maps.weights_of(vertex);
    const auto now = std::span(weights).subspan(problem.maps.begin[vertex], bones.size());
    inverse.rows[vertex] = {
        {bones.begin(), bones.end()}, {start.begin(), start.end()}, {now.begin(), now.end()}};
  }
  return inverse;
}

void WeightSolver::State::install(EditableParts parts, EditReport& report) {
  std::vector<VertexIndex> touched = ends_of_new(wires, parts.wires);
  for (const auto& [vertex, row] : parts.rows) touched.push_back(vertex);
  {
    const Timed timed(report.matrix_s);
    if (recent.is_stepped) recent = {};
    for (const auto& changed :
         {difference(parts.constraints, constraints), difference(constraints, parts.constraints)})
      for (const WeightConstraint& each : changed) recent.vertices.push_back(each.vertex);
    for (const auto& changed : {difference(parts.flat, flat), difference(flat, parts.flat)})
      for (const FlatConstraint& each : changed) recent.vertices.push_back(each.vertex);
    recent.vertices.insert(recent.vertices.end(), touched.begin(), touched.end());
    sort_once(recent.vertices);
    if (!behind) behind = Behind{{}, false, std::move(constraints), std::move(flat)};
    constraints = std::move(parts.constraints);
    origins = std::move(parts.origins);
    flat = std::move(parts.flat);
    gave_way = std::move(parts.gave_way);
  }
  const Timed timed(report.tables_s);
  behind->touched.insert(behind->touched.end(), touched.begin(), touched.end());
  sort_once(behind->touched);
  if (!parts.rows.empty()) replace_rows(parts.rows, problem.maps, weights);
  if (parts.wires.size() != wires.size()) {
    behind->edges_change = true;
    if (!unwired) unwired = problem.graph;
    wires = std::move(parts.wires);
    problem.graph = with_wires(*unwired, wires);
    if (wires.empty()) unwired.reset();
  }
  evaluated = {};
  patch.reset();
}

void WeightSolver::State::catch_up_rows(EditReport& report) {
  if (!behind || behind->touched.empty()) return;
  const Behind due = *std::exchange(behind, std::nullopt);
  {
    const Timed timed(report.tables_s);
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
  const Timed timed(report.matrix_s);
  evaluated = {};
  system.revise(problem, due.touched);
  system.add_constraints(problem.maps, constraints, 1);
  system.set_flat(problem, flat);
  is_factor_released = is_factor_behind = true;
}

Status WeightSolver::State::catch_up(EditReport& report) {
  catch_up_rows(report);
  if (behind) SINEW_CHECK(catch_up_constraints(report));
  if (!is_factor_behind) return {};
  report.factor = EditReport::Factor::analysed;
  const Timed timed(report.factor_s);
  return refactor();
}

Status WeightSolver::State::catch_up_constraints(EditReport& report) {
  const Behind due = *std::exchange(behind, std::nullopt);
  evaluated = {};
  std::vector<WeightConstraint> added, removed;
  std::vector<FlatConstraint> flat_added, flat_removed;
  {
    const Timed timed(report.matrix_s);
    added = difference(constraints, due.constraints);
    removed = difference(due.constraints, constraints);
    flat_added = difference(flat, due.flat);
    flat_removed = difference(due.flat, flat);
    std::vector<VertexIndex> vertices;
    for (const WeightConstraint& each : added) vertices.push_back(each.vertex);
    for (const WeightConstraint& each : removed) vertices.push_back(each.vertex);
    sort_once(vertices);
    system.replace_constraints(problem.maps, vertices, constraints);
    if (!flat_added.empty() || !flat_removed.empty()) system.set_flat(problem, flat);
  }
  const Timed timed(report.factor_s);
  report.columns = added.size() + removed.size() + flat_added.size() + flat_removed.size();
  if (report.columns == 0) return {};
  if (is_factor_released) report.factor = EditReport::Factor::postponed;
  if (!factor || is_factor_released) return {};
  if (factor->is_factorised() &&
      !factor->prefers_refactorisation(static_cast<Eigen::Index>(report.columns))) {
    report.factor = EditReport::Factor::updated;
    // Added before anything goes: what remains in between is never less definite than the end.
    Status status = factor->update(system.columns(problem.maps, added));
    if (status.ok()) status = factor->update(system.columns(problem, flat_added));
    if (status.ok()) status = factor->downdate(system.columns(problem.maps, removed));
    if (status.ok()) status = factor->downdate(system.columns(problem, flat_removed));
    if (status.ok()) return status;
  }
  const bool places_change = !flat_added.empty() || !flat_removed.empty();
  report.factor = places_change ? EditReport::Factor::analysed : EditReport::Factor::factorised;
  return refactor();
}

Result<EditReport> WeightSolver::edit(std::span<const WeightEdit> edits,
                                      const EditOptions& options) {
  State& s = *state_;
  if (s.problem.mirror)
    return Error{ErrorCode::bad_argument, "edits",
                 "are of one side, and both sides are solved as one; solve without a mirror"};
  EditDraft draft({s.problem, s.graph_without_wires(), s.weights, s.has_fading_ends},
                  s.editable_parts());
  std::string what;
  for (std::size_t e = 0; e < edits.size(); ++e) {
    SINEW_CHECK(draft.apply(edits[e], fmt::format("edits[{}]", e)));
    what += fmt::format("{}{}", what.empty() ? "" : "; ", name_of(edits[e]));
  }
  EditReport report;
  report.changed = draft.changed();
  report.passed_over = draft.passed_over();
  EditableParts parts = std::move(draft).finish();
  State::Undo undo{s.inverse_of(parts), s.weights, what};
  const State::Recent recent = s.recent;
  s.install(std::move(parts), report);
  if (options.rebuild == EditOptions::Rebuild::at_next_step) {
    report.factor = EditReport::Factor::postponed;
  } else if (Status status = s.catch_up(report); !status.ok()) {
    s.install(std::move(undo.parts), report);
    const Status restored = s.catch_up();
    s.weights = std::move(undo.weights);
    s.recent = recent;
    return restored.ok() ? std::move(status).error() : restored.error();
  }
  s.undos.push_back(std::move(undo));
  if (s.undos.size() > static_cast<std::size_t>(std::max(0, s.options.undo_depth)))
    s.undos.pop_front();
  s.marks.push_back({s.steps.size(), std::move(what)});
  return report;
}

Result<EditReport> WeightSolver::undo(const EditOptions& options) {
  State& s = *state_;
  if (s.undos.empty())
    return Error{ErrorCode::bad_argument, "undo", "there is no edit to take back"};
  State::Undo undo = std::move(s.undos.back());
  s.undos.pop_back();
  EditReport report;
  report.changed = undo.parts.rows.size();
  s.install(std::move(undo.parts), report);
  s.weights = std::move(undo.weights);
  s.marks.push_back({s.steps.size(), "undo " + undo.what});
  if (options.rebuild == EditOptions::Rebuild::at_next_step)
    report.factor = EditReport::Factor::postponed;
  else
    SINEW_CHECK(s.catch_up(report));
  return report;
}

Result<NearStep> WeightSolver::step_near_edits(const NearOptions& options) {
  State& s = *state_;
  NearStep report;
  if (s.recent.vertices.empty()) return report;
  std::vector<VertexIndex>& free = report.vertices;
  {
    const Timed timed(report.assemble_s);
    free = within_rings(s.problem.graph, s.recent.vertices, options.rings);
  }
  const auto count = static_cast<double>(s.problem.positions.size());
  if (s.options.filter != WeightSolverOptions::Filter::off ||
      static_cast<double>(free.size()) > options.most_rel * count) {
    report.is_whole = true;
    report.assemble_s = 0;
    free.resize(s.problem.positions.size());
    std::iota(free.begin(), free.end(), 0);
    SINEW_CHECK(step());
    return report;
  }
  if (!s.patch || s.patch_rings != options.rings) {
    WeightTerms terms = s.terms();
    terms.least_measure = least_measure(s.problem.graph);
    SINEW_TRY(WeightPatch made,
              WeightPatch::create({s.problem, s.clusterings, s.constraints, s.flat,
                                   s.options.harmonic > 0 ? Coupling::harmonic : Coupling::edges},
                                  free, s.vertex_order, terms, report));
    s.patch.emplace(std::move(made));
    s.patch_rings = options.rings;
  }
  s.recent.is_stepped = true;
  s.evaluated = {};
  const double rest =
      s.behind && s.behind->edges_change ? rest_energy(s.problem) : s.system.rest_energy();
  const double scale = rest > 0 ? 1 / rest : 1;
  double before = 0;
  for (int n = 0; n < options.alternations; ++n) {
    SINEW_TRY(const WeightPatch::Energies energies,
              s.patch->step(s.problem.maps, s.weights, report));
    if (n == 0) before = energies.after_rotations;
    report.gain = scale * (before - energies.after_weights);
  }
  return report;
}

std::size_t WeightSolver::undo_count() const { return state_->undos.size(); }
std::span<const EditMark> WeightSolver::edit_marks() const { return state_->marks; }
const std::vector<FlatConstraint>& WeightSolver::flat_constraints() const { return state_->flat; }

}  // namespace sinew
