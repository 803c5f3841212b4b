// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// What it takes from an edit on 1% of the vertices of a character to its new weights: the edit by
// its parts, the next step, and both beside making the solver anew in the same run.
#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include <benchmark/benchmark.h>

#include "optimise/solver_problem.h"

namespace sinew {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Edited {
  bench::SolverProblem made;
  double create_s = 0;
  std::uint32_t bone = 0;
  std::vector<VertexIndex> patch;  // 1% of the vertices, next to each other, half with the bone
};

/// The vertices nearest to one where a bone of many vertices ends: a stroke of a brush.
Edited prepare(int vertices) {
  Edited edited{bench::solver_problem("biped", vertices), 0, 0, {}};
  const WeightProblem& problem = edited.made.problem;
  std::map<std::uint32_t, std::size_t> count;
  for (const std::uint32_t bone : problem.maps.bones) ++count[bone];
  edited.bone =
      std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; })->first;
  VertexIndex centre = 0;
  for (VertexIndex i = 0; i < problem.positions.size() && centre == 0; ++i)
    if (problem.maps.find(i, edited.bone) &&
        std::ranges::any_of(problem.graph.neighbours_of(i),
                            [&](VertexIndex k) { return !problem.maps.find(k, edited.bone); }))
      centre = i;
  std::vector<VertexIndex> nearest(problem.positions.size());
  for (VertexIndex i = 0; i < nearest.size(); ++i) nearest[i] = i;
  std::ranges::sort(nearest, {}, [&](VertexIndex i) {
    return (problem.positions[i] - problem.positions[centre]).squaredNorm();
  });
  nearest.resize(nearest.size() / 100);
  edited.patch = nearest;
  return edited;
}

const Edited& prepared_once(int vertices) {
  static std::map<int, Edited> all;
  const auto [entry, is_new] = all.try_emplace(vertices);
  if (is_new) entry->second = prepare(vertices);
  return entry->second;
}

std::vector<VertexIndex> with(const Edited& edited, bool has_it) {
  std::vector<VertexIndex> found;
  for (const VertexIndex v : edited.patch)
    if (edited.made.problem.maps.find(v, edited.bone).has_value() == has_it) found.push_back(v);
  return found;
}

WeightEdit edit_called(const std::string& name, const Edited& edited) {
  if (name == "add_influence") return AddInfluence{edited.bone, with(edited, false)};
  if (name == "remove_influence") return RemoveInfluence{edited.bone, with(edited, true)};
  if (name == "set_weights") return SetWeights{edited.bone, with(edited, true), 0.5};
  if (name == "flatten_weights") return FlattenWeights{edited.bone, edited.patch};
  if (name == "release_attachments") {
    const auto attached = std::ranges::find_if(
        edited.made.constraints, [](const WeightConstraint& each) { return each.target > 0; });
    return ReleaseAttachments{attached->bone, {}};
  }
  ConnectWires wires;
  for (std::size_t v = 0; v + 1 < edited.patch.size(); v += 2)
    wires.wires.push_back({edited.patch[v], edited.patch[v + 1]});
  return wires;
}

/// Each round is an edit and a step; what was there before is restored outside the clock.
void edit(benchmark::State& state, const std::string& name) {
  const Edited& edited = prepared_once(static_cast<int>(state.range(0)));
  const auto start = std::chrono::steady_clock::now();
  auto solver = WeightSolver::create(edited.made.problem, edited.made.constraints);
  const double create_s = seconds_since(start);
  const WeightEdit change = edit_called(name, edited);
  EditReport sum;
  double step_s = 0;
  double undo_s = 0;
  bool ok = solver.ok() && solver->step().ok();
  for (auto _ : state) {
    const Result<EditReport> report = solver->edit(change);
    const auto before_step = std::chrono::steady_clock::now();
    ok = ok && report.ok() && solver->step().ok();
    step_s += seconds_since(before_step);
    state.PauseTiming();
    if (report.ok()) {
      sum.changed = report->changed;
      sum.columns = report->columns;
      sum.factor = report->factor;
      sum.tables_s += report->tables_s;
      sum.matrix_s += report->matrix_s;
      sum.factor_s += report->factor_s;
    }
    const auto before_undo = std::chrono::steady_clock::now();
    ok = ok && solver->undo().ok();
    undo_s += seconds_since(before_undo);
    state.ResumeTiming();
  }
  if (!ok) state.SkipWithError("an edit failed");
  const auto rounds = static_cast<double>(state.iterations());
  const auto ms = [&](double seconds) { return 1000 * seconds / rounds; };
  state.counters["vertices"] = static_cast<double>(edited.made.problem.positions.size());
  state.counters["changed"] = static_cast<double>(sum.changed);
  state.counters["factor"] = static_cast<double>(sum.factor);
  state.counters["columns"] = static_cast<double>(sum.columns);
  state.counters["tables_ms"] = ms(sum.tables_s);
  state.counters["matrix_ms"] = ms(sum.matrix_s);
  state.counters["factor_ms"] = ms(sum.factor_s);
  state.counters["step_ms"] = ms(step_s);
  state.counters["undo_ms"] = ms(undo_s);
  state.counters["create_ms"] = 1000 * create_s;
  state.counters["edit_by_create"] =
      (sum.tables_s + sum.matrix_s + sum.factor_s) / rounds / create_s;
}

#define SINEW_BENCH_EDIT(NAME)         \
  BENCHMARK_CAPTURE(edit, NAME, #NAME) \
      ->Arg(43'000)                    \
      ->Iterations(3)                  \
      ->Unit(benchmark::kMillisecond)  \
      ->UseRealTime()

SINEW_BENCH_EDIT(set_weights);
SINEW_BENCH_EDIT(flatten_weights);
SINEW_BENCH_EDIT(release_attachments);
SINEW_BENCH_EDIT(add_influence);
SINEW_BENCH_EDIT(remove_influence);
SINEW_BENCH_EDIT(connect_wires);

}  // namespace
}  // namespace sinew
