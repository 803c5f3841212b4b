// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/optimise/weight_edits.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include <fmt/format.h>

#include "optimise/edit_draft.h"
#include "optimise/solver_state.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

/// Adds the time of its life to a figure.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds) {}
  ~Timed() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

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

Status WeightSolver::State::install(EditableParts parts, EditReport& report) {
  std::vector<VertexIndex> touched = ends_of_new(wires, parts.wires);
  for (const auto& [vertex, row] : parts.rows) touched.push_back(vertex);
  sort_once(touched);
  Status status =
      touched.empty() ? install_constraints(parts, report) : install_rows(parts, touched, report);
  gave_way = std::move(parts.gave_way);
  fixed_energy.reset();
  return status;
}

Status WeightSolver::State::install_rows(const EditableParts& parts,
                                         std::span<const VertexIndex> touched, EditReport& report) {
  {
    const Timed timed(report.tables_s);
    const bool edges_change = parts.wires.size() != wires.size();
    if (!parts.rows.empty()) replace_rows(parts.rows, problem.maps, weights);
    std::vector<VertexIndex> pulling(touched.begin(), touched.end());
    if (edges_change) {
      if (!unwired) unwired = problem.graph;
      wires = parts.wires;
      problem.graph = with_wires(*unwired, wires);
      if (wires.empty()) unwired.reset();
      for (const VertexIndex i : touched)
        pulling.insert(pulling.end(), problem.graph.neighbours_of(i).begin(),
                       problem.graph.neighbours_of(i).end());
      sort_once(pulling);
    }
    parallel_for(
        tables.size(),
        [&](std::size_t c) { tables[c].revise(problem, clusterings[c].cluster, pulling); }, 1);
  }
  {
    const Timed timed(report.matrix_s);
    constraints = parts.constraints;
    origins = parts.origins;
    flat = parts.flat;
    system.revise(problem, touched);
    system.add_constraints(problem.maps, constraints, 1);
    system.set_flat(problem, flat);
  }
  const Timed timed(report.factor_s);
  report.factor = EditReport::Factor::analysed;
  if (system.unknowns().count() == 0) factor.reset();
  return refactor();
}

Status WeightSolver::State::install_constraints(const EditableParts& parts, EditReport& report) {
  std::vector<WeightConstraint> added, removed;
  std::vector<FlatConstraint> flat_added, flat_removed;
  {
    const Timed timed(report.matrix_s);
    added = difference(parts.constraints, constraints);
    removed = difference(constraints, parts.constraints);
    flat_added = difference(parts.flat, flat);
    flat_removed = difference(flat, parts.flat);
    std::vector<VertexIndex> vertices;
    for (const WeightConstraint& each : added) vertices.push_back(each.vertex);
    for (const WeightConstraint& each : removed) vertices.push_back(each.vertex);
    sort_once(vertices);
    constraints = parts.constraints;
    origins = parts.origins;
    system.replace_constraints(problem.maps, vertices, constraints);
    if (!flat_added.empty() || !flat_removed.empty()) system.set_flat(problem, parts.flat);
    flat = parts.flat;
  }
  const Timed timed(report.factor_s);
  report.columns = added.size() + removed.size() + flat_added.size() + flat_removed.size();
  if (report.columns == 0 || !factor) return {};
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

Result<EditReport> WeightSolver::edit(std::span<const WeightEdit> edits) {
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
  if (Status status = s.install(std::move(parts), report); !status.ok()) {
    EditReport back;
    const Status restored = s.install(std::move(undo.parts), back);
    s.weights = std::move(undo.weights);
    return restored.ok() ? std::move(status).error() : restored.error();
  }
  s.undos.push_back(std::move(undo));
  if (s.undos.size() > static_cast<std::size_t>(std::max(0, s.options.undo_depth)))
    s.undos.pop_front();
  s.marks.push_back({s.steps.size(), std::move(what)});
  return report;
}

Result<EditReport> WeightSolver::undo() {
  State& s = *state_;
  if (s.undos.empty())
    return Error{ErrorCode::bad_argument, "undo", "there is no edit to take back"};
  State::Undo undo = std::move(s.undos.back());
  s.undos.pop_back();
  EditReport report;
  report.changed = undo.parts.rows.size();
  SINEW_CHECK(s.install(std::move(undo.parts), report));
  s.weights = std::move(undo.weights);
  s.fixed_energy.reset();
  s.marks.push_back({s.steps.size(), "undo " + undo.what});
  return report;
}

std::size_t WeightSolver::undo_count() const { return state_->undos.size(); }
std::span<const EditMark> WeightSolver::edit_marks() const { return state_->marks; }
const std::vector<FlatConstraint>& WeightSolver::flat_constraints() const { return state_->flat; }

}  // namespace sinew
