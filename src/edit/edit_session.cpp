// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/edit/edit_session.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "arap/solver_reviser.h"
#include "arap/timed.h"
#include "edit/edit_draft.h"
#include "edit/weight_patch.h"

namespace sinew {
namespace {

/// Edits that can be taken back: each keeps all weights and constraints, on large characters some
/// megabytes, and nobody goes back farther by hand.
constexpr std::size_t kMostUndos = 100;

/// The ends of the wires that one list has beyond the other; one begins with the other.
std::vector<VertexIndex> ends_of_new(const std::vector<Edge>& a, const std::vector<Edge>& b) {
  const std::vector<Edge>& longer = a.size() > b.size() ? a : b;
  std::vector<VertexIndex> ends;
  for (std::size_t w = std::min(a.size(), b.size()); w < longer.size(); ++w)
    ends.insert(ends.end(), longer[w].begin(), longer[w].end());
  return ends;
}

bool was_given_fading_ends(const HeldConstraints& held) {
  for (std::size_t c = 0; c < held.constraints.size(); ++c)
    if (held.origins[c] == ConstraintOrigin::given && held.constraints[c].target == 0) return true;
  return false;
}

}  // namespace

struct EditSession::State {
  WeightSolver solver;
  SolverReviser reviser{solver};
  bool has_fading_ends = was_given_fading_ends(reviser.held());
  std::optional<MeshGraph> unwired;  // the graph before edits; while there are wires
  std::vector<Edge> wires;
  std::map<EditedParts::Weight, std::vector<WeightConstraint>> gave_way;

  struct Undo {
    EditedParts parts;
    std::vector<double> weights;
    std::string what;
  };
  std::deque<Undo> undos;
  std::vector<EditMark> marks;

  /// Where edits were made since the last step, or before it stepped near them.
  struct Recent {
    std::vector<VertexIndex> vertices;  // ascending
    bool is_stepped = false;            // step_near_edits was here
  };
  Recent recent;
  std::size_t steps_known = 0;  // of the solver: recent knows of these
  /// Around what is recent, with so many rings, of the solver as it was after so many revisions.
  struct Patch {
    WeightPatch patch;
    int rings = 0;
    std::size_t revisions = 0;
  };
  std::optional<Patch> patch;

  explicit State(WeightSolver made) : solver(std::move(made)) { notice_steps(); }

  /// After a step of the whole, nothing is left to do near edits.
  void notice_steps() {
    if (steps_known == reviser.steps_made()) return;
    steps_known = reviser.steps_made();
    recent = {};
    patch.reset();
  }
  [[nodiscard]] const MeshGraph& graph_without_wires() const {
    return unwired ? *unwired : solver.problem().graph;
  }
  /// Everything but rows, as it is.
  [[nodiscard]] EditedParts parts() const { return {{}, wires, reviser.held(), gave_way}; }
  /// What has to be put in to take these parts out again.
  [[nodiscard]] EditedParts inverse_of(const EditedParts& edited) const;
  /// Puts parts in place of what is there.
  void install(EditedParts edited, EditReport& report);
  /// The patch where weights are free, as the solver is now.
  Result<const WeightPatch*> patch_of(std::span<const VertexIndex> free, int rings,
                                      NearStep& report);
};

EditedParts EditSession::State::inverse_of(const EditedParts& edited) const {
  EditedParts inverse = parts();
  const InfluenceMaps& maps = solver.problem().maps;
  for (const auto& [vertex, row] : edited.rows) {
    const auto bones = maps.bones_of(vertex);
    const auto start = maps.weights_of(vertex);
    const auto now = std::span(solver.weights()).subspan(maps.begin[vertex], bones.size());
    inverse.rows[vertex] = {
        {bones.begin(), bones.end()}, {start.begin(), start.end()}, {now.begin(), now.end()}};
  }
  return inverse;
}

void EditSession::State::install(EditedParts edited, EditReport& report) {
  SolverRevision revision;
  {
    const Timed timed(report.tables_s);
    revision.rewired = ends_of_new(wires, edited.wires);
    if (edited.wires.size() != wires.size()) {
      if (!unwired) unwired = solver.problem().graph;
      wires = std::move(edited.wires);
      revision.graph = with_wires(*unwired, wires);
      if (wires.empty()) unwired.reset();
    }
  }
  revision.rows = std::move(edited.rows);
  revision.held = std::move(edited.held);
  gave_way = std::move(edited.gave_way);
  patch.reset();
  const std::vector<VertexIndex> changed = reviser.revise(std::move(revision), report);
  if (recent.is_stepped) recent = {};
  std::vector<VertexIndex> all;
  std::ranges::set_union(recent.vertices, changed, std::back_inserter(all));
  recent.vertices = std::move(all);
}

Result<const WeightPatch*> EditSession::State::patch_of(std::span<const VertexIndex> free,
                                                        int rings, NearStep& report) {
  if (!patch || patch->rings != rings || patch->revisions != reviser.revisions()) {
    const WeightProblem& problem = solver.problem();
    const WeightSolverOptions& options = solver.options();
    const HeldConstraints& held = reviser.held();
    WeightTerms terms = reviser.terms();
    terms.least_measure = least_measure(problem.graph);
    SINEW_TRY(WeightPatch made,
              WeightPatch::create({problem, reviser.clusterings(), held.constraints, held.flat,
                                   options.harmonic > 0 ? Coupling::harmonic : Coupling::edges},
                                  free, reviser.vertex_order(), terms, report));
    patch.emplace(Patch{std::move(made), rings, reviser.revisions()});
  }
  return &patch->patch;
}

EditSession::EditSession(WeightSolver solver)
    : state_(std::make_unique<State>(std::move(solver))) {}
EditSession::~EditSession() = default;
EditSession::EditSession(EditSession&&) noexcept = default;
EditSession& EditSession::operator=(EditSession&&) noexcept = default;

WeightSolver& EditSession::solver() { return state_->solver; }
const WeightSolver& EditSession::solver() const { return state_->solver; }
const std::vector<FlatConstraint>& EditSession::flat_constraints() const {
  return state_->reviser.held().flat;
}

Result<EditReport> EditSession::edit(std::span<const WeightEdit> edits,
                                     const EditOptions& options) {
  State& s = *state_;
  s.notice_steps();
  if (s.solver.problem().mirror)
    return Error{ErrorCode::bad_argument, "edits",
                 "are of one side, and both sides are solved as one; solve without a mirror"};
  EditDraft draft(
      {s.solver.problem(), s.graph_without_wires(), s.solver.weights(), s.has_fading_ends},
      s.parts());
  std::string what;
  for (std::size_t e = 0; e < edits.size(); ++e) {
    SINEW_CHECK(draft.apply(edits[e], fmt::format("edits[{}]", e)));
    what += fmt::format("{}{}", what.empty() ? "" : "; ", name_of(edits[e]));
  }
  EditReport report;
  report.changed = draft.changed();
  report.passed_over = draft.passed_over();
  EditedParts parts = std::move(draft).finish();
  State::Undo undo{s.inverse_of(parts), s.solver.weights(), what};
  State::Recent recent = s.recent;
  s.install(std::move(parts), report);
  if (options.rebuild == EditOptions::Rebuild::at_next_step) {
    report.factor = EditReport::Factor::postponed;
  } else if (Status status = s.reviser.catch_up(report); !status.ok()) {
    s.install(std::move(undo.parts), report);
    const Status restored = s.reviser.catch_up(report);
    s.reviser.weights_to_change() = std::move(undo.weights);
    s.recent = std::move(recent);
    return restored.ok() ? std::move(status).error() : restored.error();
  }
  s.undos.push_back(std::move(undo));
  if (s.undos.size() > kMostUndos) s.undos.pop_front();
  s.reviser.begin_anew();
  s.marks.push_back({s.solver.steps().size(), std::move(what)});
  return report;
}

Result<EditReport> EditSession::undo(const EditOptions& options) {
  State& s = *state_;
  s.notice_steps();
  if (s.undos.empty())
    return Error{ErrorCode::bad_argument, "undo", "there is no edit to take back"};
  State::Undo undo = std::move(s.undos.back());
  s.undos.pop_back();
  EditReport report;
  report.changed = undo.parts.rows.size();
  s.install(std::move(undo.parts), report);
  s.reviser.weights_to_change() = std::move(undo.weights);
  s.reviser.begin_anew();
  s.marks.push_back({s.solver.steps().size(), "undo " + undo.what});
  if (options.rebuild == EditOptions::Rebuild::at_next_step)
    report.factor = EditReport::Factor::postponed;
  else
    SINEW_CHECK(s.reviser.catch_up(report));
  return report;
}

std::size_t EditSession::undo_count() const { return state_->undos.size(); }
std::span<const EditMark> EditSession::edit_marks() const { return state_->marks; }

Status EditSession::step(const StepOptions& options) {
  Status status = state_->solver.step(options);
  state_->notice_steps();
  return status;
}

Result<NearStep> EditSession::step_near_edits(const NearOptions& options) {
  State& s = *state_;
  s.notice_steps();
  NearStep report;
  if (s.recent.vertices.empty()) return report;
  const WeightProblem& problem = s.solver.problem();
  std::vector<VertexIndex>& free = report.vertices;
  {
    const Timed timed(report.assemble_s);
    free = within_rings(problem.graph, s.recent.vertices, options.rings);
  }
  const auto count = static_cast<double>(problem.positions.size());
  if (s.solver.options().filter != WeightSolverOptions::Filter::off ||
      static_cast<double>(free.size()) > options.most_rel * count) {
    report.is_whole = true;
    report.assemble_s = 0;
    free.resize(problem.positions.size());
    std::iota(free.begin(), free.end(), 0);
    SINEW_CHECK(step());
    return report;
  }
  SINEW_TRY(const WeightPatch* const patch, s.patch_of(free, options.rings, report));
  s.recent.is_stepped = true;
  const double rest = s.reviser.rest_energy();
  const double scale = rest > 0 ? 1 / rest : 1;
  double before = 0;
  for (int n = 0; n < options.alternations; ++n) {
    SINEW_TRY(const WeightPatch::Energies energies,
              patch->step(problem.maps, s.reviser.weights_to_change(), report));
    if (n == 0) before = energies.after_rotations;
    report.gain = scale * (before - energies.after_weights);
  }
  return report;
}

}  // namespace sinew
