// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// What it takes from an edit on 1% of the vertices of a character to its new weights: by a step
// near the edit, and by one of the whole, each by its parts and beside making the solver anew in
// the same run. And how far weights are from where many steps lead, when only those near an edit
// follow.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <sys/resource.h>
#include <tuple>

#include <benchmark/benchmark.h>

#include "arap/solver_problem.h"
#include "sinew/edit/edit_session.h"

namespace sinew {
namespace {

constexpr std::size_t kPerMille = 10;  // of the vertices are edited
constexpr int kStepsBefore = 1;
constexpr int kManySteps = 40;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Edited {
  bench::SolverProblem made;
  std::uint32_t bone = 0;
  std::vector<VertexIndex> nearest;  // all vertices, from where a bone of many ends
};

Edited prepare(int vertices) {
  Edited edited{bench::solver_problem("biped", vertices), 0, {}};
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
  edited.nearest = std::move(nearest);
  return edited;
}

const Edited& prepared_once(int vertices) {
  static std::map<int, Edited> all;
  const auto [entry, is_new] = all.try_emplace(vertices);
  if (is_new) entry->second = prepare(vertices);
  return entry->second;
}

/// Half of them with the bone.
std::vector<VertexIndex> brushed(const Edited& edited, std::size_t per_mille) {
  const auto begin = edited.nearest.begin();
  return {begin, begin + static_cast<std::ptrdiff_t>(edited.nearest.size() * per_mille / 1000)};
}

std::vector<VertexIndex> with(const Edited& edited, const std::vector<VertexIndex>& brush,
                              bool has_it) {
  std::vector<VertexIndex> found;
  for (const VertexIndex v : brush)
    if (edited.made.problem.maps.find(v, edited.bone).has_value() == has_it) found.push_back(v);
  return found;
}

/// By a stroke of a brush.
WeightEdit edit_called(const std::string& name, const Edited& edited,
                       std::size_t per_mille = kPerMille) {
  const std::vector<VertexIndex> brush = brushed(edited, per_mille);
  if (name == "add_influence") return AddInfluence{edited.bone, with(edited, brush, false)};
  if (name == "remove_influence") return RemoveInfluence{edited.bone, with(edited, brush, true)};
  if (name == "set_weights") return SetWeights{edited.bone, with(edited, brush, true), 0.5};
  if (name == "flatten_weights") return FlattenWeights{edited.bone, brush};
  if (name == "release_attachments") {
    const auto attached = std::ranges::find_if(
        edited.made.constraints, [](const WeightConstraint& each) { return each.target > 0; });
    return ReleaseAttachments{attached->bone, {}};
  }
  ConnectWires wires;
  for (std::size_t v = 0; v + 1 < brush.size(); v += 2)
    wires.wires.push_back({brush[v], brush[v + 1]});
  return wires;
}

struct Converging {
  EditSession session;
  double create_s = 0;
};
/// Where edits find the weights, after so many steps.
Converging session_after(int steps, const Edited& edited, WeightSolverOptions options = {}) {
  options.rotations = bench::usual_solver(edited.made).rotations;
  const auto start = std::chrono::steady_clock::now();
  WeightSolver solver =
      *WeightSolver::create(edited.made.problem, edited.made.constraints, options);
  const double create_s = seconds_since(start);
  for (int n = 0; n < steps; ++n)
    if (!solver.step().ok()) std::abort();
  return {EditSession(std::move(solver)), create_s};
}

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

/// Each round is an edit and a step of the whole; what was there before is restored outside the
/// clock.
void edit(benchmark::State& state, const std::string& name) {
  const Edited& edited = prepared_once(static_cast<int>(state.range(0)));
  auto [session, create_s] = session_after(kStepsBefore, edited);
  const WeightEdit change = edit_called(name, edited);
  EditReport sum;
  double step_s = 0;
  double undo_s = 0;
  double user_s = 0;
  bool ok = true;
  for (auto _ : state) {
    const double user_before = user_seconds();
    const Result<EditReport> report = session.edit(change);
    const auto before_step = std::chrono::steady_clock::now();
    ok = ok && report.ok() && session.step().ok();
    step_s += seconds_since(before_step);
    state.PauseTiming();
    user_s += user_seconds() - user_before;
    if (report.ok()) {
      sum.changed = report->changed;
      sum.columns = report->columns;
      sum.factor = report->factor;
      sum.tables_s += report->tables_s;
      sum.matrix_s += report->matrix_s;
      sum.factor_s += report->factor_s;
    }
    const auto before_undo = std::chrono::steady_clock::now();
    ok = ok && session.undo().ok();
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
  state.counters["user_ms"] = ms(user_s);
  state.counters["create_ms"] = 1000 * create_s;
  state.counters["edit_by_create"] =
      (sum.tables_s + sum.matrix_s + sum.factor_s) / rounds / create_s;
}

/// The same by a step near the edit; the whole is left for later.
void edit_near(benchmark::State& state, const std::string& name) {
  const Edited& edited = prepared_once(static_cast<int>(state.range(0)));
  auto [session, create_s] = session_after(kStepsBefore, edited);
  const WeightEdit change = edit_called(name, edited);
  constexpr EditOptions kLater{EditOptions::Rebuild::at_next_step};
  NearStep sum;
  double edit_s = 0;
  double undo_s = 0;
  double user_s = 0;
  bool ok = true;
  for (auto _ : state) {
    const double user_before = user_seconds();
    const auto before_edit = std::chrono::steady_clock::now();
    ok = ok && session.edit(change, kLater).ok();
    edit_s += seconds_since(before_edit);
    const Result<NearStep> near = session.step_near_edits();
    state.PauseTiming();
    user_s += user_seconds() - user_before;
    ok = ok && near.ok();
    if (near.ok()) {
      sum.vertices = near->vertices;
      sum.assemble_s += near->assemble_s;
      sum.factor_s += near->factor_s;
      sum.local_s += near->local_s;
      sum.solve_s += near->solve_s;
    }
    const auto before_undo = std::chrono::steady_clock::now();
    ok = ok && session.undo(kLater).ok();
    undo_s += seconds_since(before_undo);
    state.ResumeTiming();
  }
  if (!ok) state.SkipWithError("an edit failed");
  const auto rounds = static_cast<double>(state.iterations());
  const auto ms = [&](double seconds) { return 1000 * seconds / rounds; };
  state.counters["free"] = static_cast<double>(sum.vertices.size());
  state.counters["edit_ms"] = ms(edit_s);
  state.counters["assemble_ms"] = ms(sum.assemble_s);
  state.counters["factor_ms"] = ms(sum.factor_s);
  state.counters["local_ms"] = ms(sum.local_s);
  state.counters["solve_ms"] = ms(sum.solve_s);
  state.counters["undo_ms"] = ms(undo_s);
  state.counters["user_ms"] = ms(user_s);
  state.counters["create_ms"] = 1000 * create_s;
}

/// A solver that has converged, and what many steps after an edit make of it.
struct Reference {
  EditSession session;
  WeightEdit change;
  std::vector<double> weights;  // after the edit and all steps
  double moved_mean = 0;        // by those
  double energy_before = 0;     // right after the edit
  double energy_after = 0;
  double energy_one_step = 0;  // after one step of the whole
  double one_step_largest = 0;
  double one_step_mean = 0;
};

struct Apart {
  double largest = 0;
  double mean = 0;
};
Apart apart(const std::vector<double>& a, const std::vector<double>& b) {
  Apart result;
  for (std::size_t w = 0; w < a.size(); ++w) {
    result.largest = std::max(result.largest, std::abs(a[w] - b[w]));
    result.mean += std::abs(a[w] - b[w]) / static_cast<double>(a.size());
  }
  return result;
}

/// Of the last that was asked for: each has a factor of its own.
Reference& reference_once(const std::string& name, int vertices, std::size_t per_mille) {
  static std::map<std::tuple<std::string, int, std::size_t>, Reference> last;
  const std::tuple key(name, vertices, per_mille);
  const auto found = last.find(key);
  if (found != last.end()) return found->second;
  last.clear();
  const Edited& edited = prepared_once(vertices);
  WeightSolverOptions options;
  options.positivity = WeightSolverOptions::Positivity::off;  // adds to energies while it steps
  Converging made = session_after(kManySteps, edited, options);
  Reference reference{std::move(made.session), edit_called(name, edited, per_mille), {}};
  EditSession& session = reference.session;
  const WeightSolver& solver = session.solver();
  if (!session.edit(reference.change).ok()) std::abort();
  const std::vector<double> start = solver.weights();
  std::vector<double> first;
  for (int n = 0; n < kManySteps; ++n) {
    if (!session.step().ok()) std::abort();
    if (n > 0) continue;
    first = solver.weights();
    reference.energy_before = solver.steps().back().after_rotations;
    reference.energy_one_step = solver.steps().back().after_weights;
  }
  reference.weights = solver.weights();
  reference.energy_after = solver.steps().back().after_weights;
  reference.moved_mean = apart(start, reference.weights).mean;
  reference.one_step_largest = apart(first, reference.weights).largest;
  reference.one_step_mean = apart(first, reference.weights).mean;
  if (!session.undo().ok()) std::abort();
  return last.emplace(key, std::move(reference)).first->second;
}

/// How much of what many steps do a step near the edit does, by its rings and alternations.
void reach(benchmark::State& state, const std::string& name) {
  Reference& reference = reference_once(name, static_cast<int>(state.range(3)),
                                        static_cast<std::size_t>(state.range(2)));
  constexpr EditOptions kLater{EditOptions::Rebuild::at_next_step};
  const NearOptions options{static_cast<int>(state.range(0)), static_cast<int>(state.range(1))};
  for (auto _ : state) {
    bool ok = reference.session.edit(reference.change, kLater).ok();
    const Result<NearStep> near = reference.session.step_near_edits(options);
    ok = ok && near.ok();
    if (ok) {
      const Apart left = apart(reference.session.solver().weights(), reference.weights);
      state.counters["free"] = static_cast<double>(near->vertices.size());
      state.counters["largest"] = left.largest;
      state.counters["mean_of_moved"] = left.mean / reference.moved_mean;
      const auto above = [&](double energy) { return energy / reference.energy_after - 1; };
      state.counters["energy_above"] = above(reference.energy_before - near->gain);
      state.counters["edit_energy_above"] = above(reference.energy_before);
      state.counters["step_largest"] = reference.one_step_largest;
      state.counters["step_mean_of_moved"] = reference.one_step_mean / reference.moved_mean;
      state.counters["step_energy_above"] = above(reference.energy_one_step);
    }
    if (!reference.session.undo(kLater).ok() || !ok) state.SkipWithError("an edit failed");
  }
}

#define SINEW_BENCH_EDIT(NAME)                                               \
  BENCHMARK_CAPTURE(edit, NAME, #NAME)                                       \
      ->Arg(43'000)                                                          \
      ->Iterations(3)                                                        \
      ->Unit(benchmark::kMillisecond)                                        \
      ->UseRealTime();                                                       \
  BENCHMARK_CAPTURE(edit_near, NAME, #NAME)                                  \
      ->Arg(43'000)                                                          \
      ->Iterations(10)                                                       \
      ->Unit(benchmark::kMillisecond)                                        \
      ->UseRealTime();                                                       \
  BENCHMARK_CAPTURE(reach, NAME, #NAME)                                      \
      ->ArgNames({"rings", "alternations", "per_mille", "vertices"})         \
      ->ArgsProduct({{4, 8, 12, 16, 24}, {1, 2, 3}, {10}, {10'000, 43'000}}) \
      ->Iterations(1)                                                        \
      ->Unit(benchmark::kMillisecond)                                        \
      ->UseRealTime()

SINEW_BENCH_EDIT(set_weights);
BENCHMARK_CAPTURE(reach, set_weights_by_size, "set_weights")
    ->ArgNames({"rings", "alternations", "per_mille", "vertices"})
    ->ArgsProduct({{8, 12, 16}, {3}, {1, 40}, {43'000}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
SINEW_BENCH_EDIT(flatten_weights);
SINEW_BENCH_EDIT(release_attachments);
SINEW_BENCH_EDIT(add_influence);
SINEW_BENCH_EDIT(remove_influence);
SINEW_BENCH_EDIT(connect_wires);

}  // namespace
}  // namespace sinew
