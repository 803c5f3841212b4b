// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "arap/nonnegative_weights.h"
#include "arap/solver_state.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double kSettledRel = 0.02;     // of the energy: a step that gains less comes near the end
constexpr double kArapRounding = 1e-12;  // of X Σ a|e|²: what sums of large numbers leave of zero
constexpr double kArapRoundingInFloats = 1e-8;  // the same where rotations are in floats
constexpr double kFewAddedRel = 0.001;  // of the weights: so few new constraints change nothing
constexpr Eigen::Index kMostUnknownsTwice = 500'000;  // whose factor may be there twice: a gigabyte
constexpr double kSumTolerance = 1e-6;                // of rows that somebody else has made
constexpr double kSameOnBothSides = 1e-12;            // weights that differ by rounding
constexpr double kLeftRel = 1e-4;  // of what weights leave before a step: what floats may leave
constexpr double kRoundingRel = 1e-12;  // of the right-hand side: rounding alone may leave this
constexpr int kMostRounds = 6;          // that may bring it there ...
constexpr double kSlowestRound = 0.5;   // ... each by this much at the least
/// Of the paper's stiffness: what is held more firmly leaves floats no digits for what is beside
/// it.
constexpr double kStiffestInFloats = 0.01;

Error wrong(std::string place, std::string what) {
  return Error{ErrorCode::bad_argument, std::move(place), std::move(what)};
}

Status check_maps(const InfluenceMaps& maps) {
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto place = [&] { return fmt::format("problem.maps[{}]", i); };
    const auto bones = maps.bones_of(i);
    if (bones.empty()) return wrong(place(), "a vertex without bones cannot move");
    if (bones.back() >= maps.bone_count ||
        std::ranges::adjacent_find(bones, std::ranges::greater_equal()) != bones.end())
      return wrong(place(), "bones must exist and ascend");
    for (const double weight : maps.weights_of(i))
      if (!std::isfinite(weight)) return wrong(place(), "weights must be finite");
  }
  return {};
}

Status check_spines(const WeightProblem& problem) {
  const std::size_t count = problem.positions.size();
  std::set<int> bones;
  for (std::size_t s = 0; s < problem.spines.size(); ++s) {
    const auto& [attached, motions, coefficients] = problem.spines[s];
    const auto place = [&] { return fmt::format("problem.spines[{}]", s); };
    if (attached.bone < 0 || attached.bone >= static_cast<int>(problem.maps.bone_count) ||
        !bones.insert(attached.bone).second)
      return wrong(place(), "must be of a bone, and the only one of it");
    if (attached.parameters.size() != count || attached.gradients.size() != count ||
        coefficients.size() != count || motions.size() != problem.exemplars.size())
      return wrong(place(), "is not of the same vertices and exemplars");
    for (std::size_t i = 0; i < count; ++i)
      if (!(attached.parameters[i] >= 0 && attached.parameters[i] <= 1) ||
          !attached.gradients[i].allFinite())
        return wrong(fmt::format("{}.attached[{}]", place(), i),
                     "needs a parameter between 0 and 1 and a finite gradient");
  }
  return {};
}

Status check_problem(const WeightProblem& problem, const WeightSolverOptions& options) {
  const std::size_t count = problem.positions.size();
  if (problem.graph.vertex_count() != count || problem.maps.vertex_count() != count)
    return wrong("problem", "positions, graph and maps are not of the same vertices");
  if (problem.exemplars.empty()) return wrong("problem.exemplars", "there is no pose to fit");
  for (std::size_t x = 0; x < problem.exemplars.size(); ++x) {
    const std::vector<Affine3>& transforms = problem.exemplars[x];
    if (transforms.size() != motion_count(problem))
      return wrong(fmt::format("problem.exemplars[{}]", x),
                   "needs one transform per bone, and those of spines");
    if (!std::ranges::all_of(transforms, [](const Affine3& t) { return t.matrix().allFinite(); }))
      return wrong(fmt::format("problem.exemplars[{}]", x), "transforms must be finite");
  }
  if (problem.mirror && (problem.mirror->vertex.size() != count ||
                         problem.mirror->bone.size() != problem.maps.bone_count))
    return wrong("problem.mirror", "is not of the same vertices and bones");
  SINEW_CHECK(check_spines(problem));
  SINEW_CHECK(check_maps(problem.maps));
  SINEW_CHECK(check_size(problem, options.harmonic > 0));
  if (options.clusterings < 1 || options.clusters < 1 || options.max_iterations < 0 ||
      !(options.regulariser > 0) || !(options.harmonic >= 0) || !(options.smoothing >= 0))
    return wrong(
        "options",
        "needs a clustering, clusters, iterations, a regulariser above zero, and neither smoothing "
        "nor a harmonic term below it");
  if (options.harmonic > 0 && problem.laplacian.rows() != static_cast<Eigen::Index>(count))
    return wrong("problem.laplacian", "the harmonic term needs one");
  return {};
}

Status check_constraints(const WeightProblem& problem,
                         std::span<const WeightConstraint> constraints) {
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const WeightConstraint& constraint = constraints[c];
    if (constraint.vertex >= problem.positions.size() ||
        !problem.maps.find(constraint.vertex, constraint.bone))
      return wrong(fmt::format("constraints[{}]", c), "the bone does not influence the vertex");
    if (!(constraint.stiffness >= 0) || !std::isfinite(constraint.stiffness) ||
        !std::isfinite(constraint.target))
      return wrong(fmt::format("constraints[{}]", c), "needs a finite target and stiffness");
  }
  return {};
}

/// Every weight becomes the mean of its bone's weights on the neighbours, as the edges count,
/// within B(i); rows sum to one again. A vertex whose neighbours share none of its bones stays.
std::vector<double> filtered(const WeightProblem& problem, const std::vector<double>& weights) {
  const InfluenceMaps& maps = problem.maps;
  std::vector<double> result = weights;
  parallel_for(maps.vertex_count(), [&](std::size_t i) {
    const auto mine = maps.bones_of(i);
    std::vector<double> mean(mine.size(), 0);
    const auto neighbours = problem.graph.neighbours_of(i);
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const auto theirs = maps.bones_of(neighbours[n]);
      std::size_t at = 0;
      for (std::size_t b = 0; b < theirs.size(); ++b) {
        while (at < mine.size() && mine[at] < theirs[b]) ++at;
        if (at == mine.size()) break;
        if (mine[at] == theirs[b])
          mean[at] += problem.graph.edge_measures_of(i)[n] * weights[maps.begin[neighbours[n]] + b];
      }
    }
    double sum = 0;
    double size = 0;
    for (const double weight : mean) {
      sum += weight;
      size += std::abs(weight);
    }
    if (!(sum > 0.5 * size) || !(size > 0)) return;
    for (std::size_t b = 0; b < mine.size(); ++b) result[maps.begin[i] + b] = mean[b] / sum;
  });
  return result;
}

}  // namespace

std::string_view to_string(RotationMode mode) {
  constexpr std::array<std::string_view, 2> names{"exact", "clustered"};
  return names[static_cast<std::size_t>(mode)];
}

std::optional<RotationMode> rotation_mode_from(std::string_view name) {
  for (const RotationMode mode : {RotationMode::exact, RotationMode::clustered})
    if (name == to_string(mode)) return mode;
  return std::nullopt;
}

WeightSolver::State::State(WeightProblem given, const WeightSolverOptions& chosen)
    : problem(std::move(given)),
      options(chosen),
      mode(chosen.rotations),
      system(problem, terms()),
      weights(problem.maps.weights) {}

Status WeightSolver::State::initialise(const Progress& progress,
                                       const std::vector<RotationTables>* tables_before) {
  system.add_constraints(problem.maps, constraints, 1);
  system.set_flat(problem, flat);
  SINEW_CHECK(progress.checkpoint("clusters", 0.3));
  if (problem.mirror) problem.mirror = fitting_mirror(std::move(*problem.mirror), problem.maps);
  needs_full_precision =
      options.cholesky.precision == CholeskyPrecision::automatic &&
      std::ranges::any_of(constraints, [&](const WeightConstraint& each) {
        return each.stiffness > kStiffestInFloats * paper_stiffness(problem, each.vertex);
      });
  SINEW_CHECK(progress.checkpoint("factor", 0.35));
  // The factor keeps one thread busy for as long as others take for clusters and tables.
  Status factored;
  parallel_for(
      2,
      [&](std::size_t task) {
        if (task == 0) {
          if (problem.mirror) mirror.emplace(problem, system.unknowns());
          factored = order_and_factor();
          return;
        }
        if (clusterings.empty())
          clusterings = make_clusterings(
              problem, {mode, options.clusterings, options.clusters, options.seed});
        tables = tables_before != nullptr
                     ? rotation_tables(problem, clusterings, *tables_before)
                     : rotation_tables(problem, clusterings, options.rotation_precision);
      },
      1);
  return factored;
}

Status WeightSolver::State::order_and_factor() {
  if (vertex_order.empty()) {
    SINEW_TRY(vertex_order,
              vertex_elimination_order(
                  problem, options.harmonic > 0 ? Coupling::harmonic : Coupling::edges,
                  options.keeps_bones ? Ordered::unknown : Ordered::all, options.cholesky));
  }
  return refactor();
}

WeightSolver::State::Fitted WeightSolver::State::fit(
    const std::vector<double>& weights_to_fit) const {
  Fitted fitted{std::vector<double>(weights_to_fit.size(), 0), 0};
  fitted.stretch_energy = RotationTables::add_linear(tables, problem, weights_to_fit, fitted.beta);
  return fitted;
}

WeightSolver::State::Energies WeightSolver::State::energies(const Fitted& fitted) {
  const double scale = system.rest_energy() > 0 ? 1 / system.rest_energy() : 1;
  const WeightSystem::FixedEnergy& fixed = fixed_energy();  // known from the end of the last step
  const double taken =
      WeightSystem::taken_by_rotations(weights, fitted.beta) - fitted.stretch_energy;
  return {scale * (fixed.all - taken), std::max(0.0, scale * (fixed.arap - taken))};
}

void WeightSolver::State::release_factor() {
  is_factor_released = is_factor_released || factor.has_value();
  factor.reset();
}

Status WeightSolver::State::refactor() {
  is_factor_released = true;  // until it is there
  const auto made = [&](Status status) {
    is_factor_released = !status.ok();
    is_factor_behind = is_factor_behind && is_factor_released;
    return status;
  };
  if ((mirror ? mirror->count() : system.unknowns().count()) == 0) {
    factor.reset();
    return made({});
  }
  const auto make = [&](const SparseMatrix& matrix) -> Status {
    std::vector<int> order;
    order.reserve(static_cast<std::size_t>(matrix.rows()));
    const auto add_unknowns = [&](Eigen::Index first, Eigen::Index count) {
      for (Eigen::Index p = 0; p < count; ++p) order.push_back(static_cast<int>(first + p));
    };
    for (const int vertex : vertex_order) {
      const auto i = static_cast<std::size_t>(vertex);
      if (mirror)
        add_unknowns(mirror->first_of(i), mirror->count_of(i));
      else
        add_unknowns(system.unknowns().first_of(i), system.unknowns().count_of(i));
    }
    CholeskyOptions cholesky = options.cholesky;
    if (needs_full_precision) cholesky.precision = CholeskyPrecision::full;
    if (factor) return factor->factorise(matrix, order);
    SINEW_TRY(SparseCholesky first, SparseCholesky::factor(matrix, order, cholesky));
    factor.emplace(std::move(first));
    return {};
  };
  Status status;
  with_matrix([&](const SparseMatrix& matrix) {
    status = mirror ? make(mirror->matrix(matrix)) : make(matrix);
  });
  return made(std::move(status));
}

Status WeightSolver::State::change_factor(std::span<const WeightConstraint> changed, double sign) {
  if (changed.empty() || !factor || is_factor_released) return {};
  const auto count = static_cast<Eigen::Index>(changed.size());
  if (factor->is_factorised() && !factor->prefers_refactorisation(count)) {
    SparseMatrix columns = system.columns(problem.maps, changed);
    if (mirror) columns = mirror->columns(columns);
    const Status status = sign > 0 ? factor->update(columns) : factor->downdate(columns);
    if (status.ok() || factor->is_factorised()) return status;
  }
  return refactor();
}

void WeightSolver::State::add(std::span<const WeightConstraint> added, ConstraintOrigin origin) {
  constraints.insert(constraints.end(), added.begin(), added.end());
  origins.insert(origins.end(), added.size(), origin);
  patch.reset();
}

Status WeightSolver::State::solve(const std::vector<double>& beta, double reach) {
  Eigen::VectorXd right = system.right_hand_side(problem.maps, beta);
  if (mirror) {
    const Eigen::VectorXd now = system.unknowns().reduce(problem.maps, weights);
    const Eigen::VectorXd same = mirror->expand(mirror->reduce(now));
    if (!((same - now).cwiseAbs().maxCoeff() < kSameOnBothSides)) set(same);
  }
  // Not the solution itself but what is still missing is asked of the factor, so that digits that
  // it has not got are digits of the difference.
  const auto left_of = [&]() -> Eigen::VectorXd {
    const Eigen::VectorXd left = right - product().all;
    return mirror ? mirror->residual(left) : left;
  };
  // What is reached is the solution for another right-hand side.
  if (reach != 1) right += (reach - 1) * (right - product().all);
  Eigen::VectorXd left = left_of();
  const double enough =
      std::max(kLeftRel * left.cwiseAbs().maxCoeff(), kRoundingRel * right.cwiseAbs().maxCoeff());
  const auto go_on_in_doubles = [&] {
    needs_full_precision = true;
    factor.reset();
    return refactor();
  };
  for (int round = 0;; ++round) {
    const Eigen::VectorXd missing = factor->solve(left);
    const Eigen::VectorXd now = system.unknowns().reduce(problem.maps, weights);
    const Eigen::VectorXd solved =
        mirror ? mirror->expand(mirror->reduce(now) + missing) : now + missing;
    const bool is_full = factor->precision() == CholeskyPrecision::full;
    if (!solved.allFinite()) {
      if (is_full)
        return Error{ErrorCode::bad_argument, "problem", "the system of weights has no solution"};
      SINEW_CHECK(go_on_in_doubles());
      continue;
    }
    set(solved);
    if (is_full) return {};
    const double before = left.cwiseAbs().maxCoeff();
    left = left_of();
    const double after = left.cwiseAbs().maxCoeff();
    if (after <= enough) return {};
    if (round + 1 == kMostRounds || !(after < kSlowestRound * before)) {
      if (!(after < before)) {  // that led away from it
        set(now);
        left = left_of();
      }
      SINEW_CHECK(go_on_in_doubles());
    }
  }
}

void WeightSolver::State::set(const Eigen::VectorXd& solved) {
  weights = system.unknowns().expand(problem.maps, solved);
  if (mirror) copy_to_images(*problem.mirror, problem.maps, weights);
  evaluated = {};
}

WeightSolver::WeightSolver(std::unique_ptr<State> state) : state_(std::move(state)) {}
WeightSolver::~WeightSolver() = default;
WeightSolver::WeightSolver(WeightSolver&&) noexcept = default;
WeightSolver& WeightSolver::operator=(WeightSolver&&) noexcept = default;

Result<WeightSolver> WeightSolver::create(WeightProblem problem,
                                          std::vector<WeightConstraint> constraints,
                                          const WeightSolverOptions& options,
                                          const Progress& progress) {
  SINEW_CHECK(check_problem(problem, options));
  SINEW_CHECK(check_constraints(problem, constraints));
  SINEW_CHECK(progress.checkpoint("tables", 0));
  auto state = std::make_unique<State>(std::move(problem), options);
  state->has_fading_ends = std::ranges::any_of(
      constraints, [](const WeightConstraint& each) { return each.target == 0; });
  state->add(constraints, ConstraintOrigin::given);
  SINEW_CHECK(state->initialise(progress));
  return WeightSolver(std::move(state));
}

Result<WeightSolver> WeightSolver::restricted_to(InfluenceMaps maps,
                                                 const WeightSolverOptions& options,
                                                 const Progress& progress) const {
  WeightProblem problem = state_->problem;
  problem.maps = std::move(maps);
  SINEW_CHECK(check_problem(problem, options));
  SINEW_CHECK(progress.checkpoint("tables", 0));
  // Who narrows a huge problem down goes on with the narrow one: two factors would not fit.
  if (state_->system.unknowns().count() > kMostUnknownsTwice) release_factor();
  auto state = std::make_unique<State>(std::move(problem), options);
  state->has_fading_ends = state_->has_fading_ends;
  for (std::size_t c = 0; c < state_->constraints.size(); ++c) {
    const WeightConstraint& each = state_->constraints[c];
    if (state_->origins[c] != ConstraintOrigin::positivity &&
        state->problem.maps.find(each.vertex, each.bone))
      state->add({&each, 1}, state_->origins[c]);
  }
  state->flat = state_->flat;
  if (state->mode == state_->mode) state->clusterings = state_->clusterings;
  state->vertex_order = state_->vertex_order;
  const bool has_same_tables = state->mode == state_->mode && !state_->behind &&
                               options.rotation_precision == state_->options.rotation_precision;
  SINEW_CHECK(state->initialise(progress, has_same_tables ? &state_->tables : nullptr));
  return WeightSolver(std::move(state));
}

void WeightSolver::release_factor() const { state_->release_factor(); }

Status WeightSolver::step(const StepOptions& options) {
  State& s = *state_;
  if (!(options.reach > 0 && options.reach < 2))
    return wrong("reach", "must be above 0 and below 2, or the energy would rise");
  SINEW_CHECK(s.catch_up());
  if (s.is_factor_released) SINEW_CHECK(s.refactor());
  s.recent = {};
  s.patch.reset();
  const State::Fitted fitted = s.fit(s.weights);
  StepEnergy energy;
  const auto measure = [&](double& all, double& arap) {
    if (!options.is_measured) return;
    const State::Energies now = s.energies(fitted);
    all = now.all;
    arap = now.arap;
  };
  measure(energy.after_rotations, energy.arap_before);
  if (s.factor) SINEW_CHECK(s.solve(fitted.beta, options.reach));
  measure(energy.after_weights, energy.arap);
  energy.after_filter = energy.after_weights;
  if (s.options.filter == WeightSolverOptions::Filter::laplacian) {
    s.weights = filtered(s.problem, s.weights);
    s.evaluated = {};
    measure(energy.after_filter, energy.arap);
  }
  if (!options.is_measured) return {};
  // What is below zero at first mostly rises by itself; holding it costs as much as a new factor.
  const bool is_settled = !s.steps.empty() && std::abs(s.steps.back().arap - energy.arap) <
                                                  kSettledRel * std::abs(energy.arap);
  if (s.options.positivity == WeightSolverOptions::Positivity::constrain && is_settled) {
    std::vector<WeightConstraint> added = positivity_constraints(s.problem, s.weights);
    if (!added.empty()) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> held;  // vertex, bone
      for (std::size_t c = 0; c < s.constraints.size(); ++c)
        if (s.origins[c] == ConstraintOrigin::positivity)
          held.emplace(s.constraints[c].vertex, s.constraints[c].bone);
      std::erase_if(added, [&](const WeightConstraint& each) {
        return held.contains({each.vertex, each.bone});
      });
    }
    energy.constraints = added.size();
    s.add(added, ConstraintOrigin::positivity);
    s.system.add_constraints(s.problem.maps, added, 1);
    if (!added.empty()) s.evaluated = {};
    SINEW_CHECK(s.change_factor(added, 1));
  }
  s.steps.push_back(energy);
  return {};
}

bool WeightSolver::converged() const {
  const State& s = *state_;
  const std::size_t edited = s.marks.empty() ? 0 : s.marks.back().after_steps;
  const std::span<const StepEnergy> steps = std::span(s.steps).subspan(edited);
  const std::size_t count = steps.size();
  if (count >= static_cast<std::size_t>(s.options.max_iterations)) return true;
  if (!s.factor && !s.is_factor_released && !s.behind)
    return true;  // one bone each: nothing is unknown
  if (count < 2) return false;
  // Not the whole energy: what is added for positivity raises it while the weights get better.
  if (static_cast<double>(steps[count - 1].constraints) >
      kFewAddedRel * static_cast<double>(s.weights.size()))
    return false;
  const double before = steps[count - 2].arap;
  const double now = steps[count - 1].arap;
  const double rounding = s.options.rotation_precision == RotationPrecision::floats
                              ? kArapRoundingInFloats
                              : kArapRounding;
  return std::abs(before - now) <= std::max(s.options.tolerance_rel * now, rounding);
}

const WeightProblem& WeightSolver::problem() const { return state_->problem; }
const std::vector<double>& WeightSolver::weights() const { return state_->weights; }
std::span<const StepEnergy> WeightSolver::steps() const { return state_->steps; }
RotationMode WeightSolver::rotation_mode() const { return state_->mode; }
Eigen::Index WeightSolver::unknown_count() const {
  const InfluenceMaps& maps = state_->problem.maps;
  return static_cast<Eigen::Index>(maps.bones.size() - maps.vertex_count());
}
const std::vector<WeightConstraint>& WeightSolver::constraints() const {
  return state_->constraints;
}

const WeightSolverOptions& WeightSolver::options() const { return state_->options; }

double WeightSolver::arap() const {
  State& s = *state_;
  EditReport ignored;
  s.catch_up_rows(ignored);
  return s.energies(s.fit(s.weights)).arap;
}

double WeightSolver::arap_of(const std::vector<double>& weights) const {
  State& s = *state_;
  EditReport ignored;
  s.catch_up_rows(ignored);
  const double rest = s.system.rest_energy();
  const State::Fitted fitted = s.fit(weights);
  const double arap = s.system.arap(s.problem, weights, fitted.beta) + fitted.stretch_energy;
  return std::max(0.0, arap / (rest > 0 ? rest : 1));
}

std::vector<double> WeightSolver::nearest_nonnegative() const {
  State& s = *state_;
  EditReport ignored;
  s.catch_up_rows(ignored);
  return sinew::nearest_nonnegative(s.problem, s.system.pairs(), s.weights);
}

Status WeightSolver::add_constraints(std::span<const WeightConstraint> added) {
  State& s = *state_;
  SINEW_CHECK(check_constraints(s.problem, added));
  SINEW_CHECK(s.catch_up());
  s.add(added, ConstraintOrigin::given);
  s.system.add_constraints(s.problem.maps, added, 1);
  s.evaluated = {};
  return s.change_factor(added, 1);
}

Status WeightSolver::remove_constraints(std::span<const WeightConstraint> removed) {
  State& s = *state_;
  const auto key = [](const WeightConstraint& c) {
    return std::tuple(c.vertex, c.bone, c.target, c.stiffness);
  };
  std::multiset<decltype(key({}))> wanted;
  for (const WeightConstraint& each : removed) wanted.insert(key(each));
  std::vector<WeightConstraint> left;
  std::vector<ConstraintOrigin> origins_left;
  for (std::size_t c = 0; c < s.constraints.size(); ++c) {
    const auto found = wanted.find(key(s.constraints[c]));
    if (found != wanted.end()) {
      wanted.erase(found);
      continue;
    }
    left.push_back(s.constraints[c]);
    origins_left.push_back(s.origins[c]);
  }
  if (!wanted.empty())
    return Error{ErrorCode::bad_argument, "removed", "there is no such constraint to take away"};
  SINEW_CHECK(s.catch_up());
  s.patch.reset();
  s.constraints = std::move(left);
  s.origins = std::move(origins_left);
  s.system.add_constraints(s.problem.maps, removed, -1);
  s.evaluated = {};
  return s.change_factor(removed, -1);
}

Status WeightSolver::set_weights(std::vector<double> weights) {
  State& s = *state_;
  if (weights.size() != s.weights.size())
    return wrong("weights", "there is not one for each bone of each vertex");
  for (std::size_t i = 0; i < s.problem.positions.size(); ++i) {
    double sum = 0;
    for (std::size_t b = s.problem.maps.begin[i]; b < s.problem.maps.begin[i + 1]; ++b)
      sum += weights[b];
    if (!(std::abs(sum - 1) <= kSumTolerance))
      return wrong(fmt::format("weights of vertex {}", i), "do not sum to one");
  }
  s.weights = std::move(weights);
  s.evaluated = {};
  return {};
}

}  // namespace sinew
