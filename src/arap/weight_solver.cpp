// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "arap/check_problem.h"
#include "arap/nonnegative_weights.h"
#include "arap/solver_state.h"
#include "core/parallel.h"

namespace sinew {
namespace {

constexpr double kSettledRel = 0.02;     // of the energy: a step that gains less comes near the end
constexpr double kArapRounding = 1e-12;  // of X Σ a|e|²: what sums of large numbers leave of zero
constexpr double kArapRoundingInFloats = 1e-8;  // the same where rotations are in floats
constexpr double kFewAddedRel = 0.001;  // of the weights: so few new constraints change nothing
constexpr Eigen::Index kMostUnknownsTwice = 500'000;  // whose factor may be there twice: a gigabyte
constexpr double kSumTolerance = 1e-6;                // of rows that somebody else has made

Error wrong(std::string place, std::string what) {
  return Error{ErrorCode::bad_argument, std::move(place), std::move(what)};
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
  state->hold(constraints, ConstraintOrigin::given);
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
  const HeldConstraints& held = state_->held;
  for (std::size_t c = 0; c < held.constraints.size(); ++c) {
    const WeightConstraint& each = held.constraints[c];
    if (held.origins[c] != ConstraintOrigin::positivity &&
        state->problem.maps.find(each.vertex, each.bone))
      state->hold({&each, 1}, held.origins[c]);
  }
  state->held.flat = held.flat;
  if (state->mode == state_->mode) state->clusterings = state_->clusterings;
  state->factor.set_order(state_->factor.vertex_order());
  const bool has_same_tables = state->mode == state_->mode && !state_->behind &&
                               options.rotation_precision == state_->options.rotation_precision;
  SINEW_CHECK(state->initialise(progress, has_same_tables ? &state_->tables : nullptr));
  return WeightSolver(std::move(state));
}

void WeightSolver::release_factor() const { state_->factor.release(); }

Status WeightSolver::step(const StepOptions& options) {
  State& s = *state_;
  if (!(options.reach > 0 && options.reach < 2))
    return wrong("reach", "must be above 0 and below 2, or the energy would rise");
  SINEW_CHECK(s.catch_up());
  if (s.factor.is_released()) SINEW_CHECK(s.factor.make(s.system));
  ++s.steps_made;
  const State::Fitted fitted = s.fit(s.weights);
  StepEnergy energy;
  const auto measure = [&](double& all, double& arap) {
    if (!options.is_measured) return;
    const State::Energies now = s.energies(fitted);
    all = now.all;
    arap = now.arap;
  };
  measure(energy.after_rotations, energy.arap_before);
  if (s.factor.exists()) SINEW_CHECK(s.solve(fitted.beta, options.reach));
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
      for (std::size_t c = 0; c < s.held.constraints.size(); ++c)
        if (s.held.origins[c] == ConstraintOrigin::positivity)
          held.emplace(s.held.constraints[c].vertex, s.held.constraints[c].bone);
      std::erase_if(added, [&](const WeightConstraint& each) {
        return held.contains({each.vertex, each.bone});
      });
    }
    energy.constraints = added.size();
    SINEW_CHECK(s.hold_at_once(added, ConstraintOrigin::positivity));
  }
  s.steps.push_back(energy);
  return {};
}

bool WeightSolver::converged() const {
  const State& s = *state_;
  const std::span<const StepEnergy> steps = std::span(s.steps).subspan(s.first_that_counts);
  const std::size_t count = steps.size();
  if (count >= static_cast<std::size_t>(s.options.max_iterations)) return true;
  if (!s.factor.exists() && !s.factor.is_released() && !s.behind)
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
  return state_->held.constraints;
}

const WeightSolverOptions& WeightSolver::options() const { return state_->options; }

double WeightSolver::arap() const {
  State& s = *state_;
  s.catch_up_rows();
  return s.energies(s.fit(s.weights)).arap;
}

double WeightSolver::arap_of(const std::vector<double>& weights) const {
  State& s = *state_;
  s.catch_up_rows();
  const double rest = s.system.rest_energy();
  const State::Fitted fitted = s.fit(weights);
  const double arap = s.system.arap(s.problem, weights, fitted.beta) + fitted.stretch_energy;
  return std::max(0.0, arap / (rest > 0 ? rest : 1));
}

std::vector<double> WeightSolver::nearest_nonnegative() const {
  State& s = *state_;
  s.catch_up_rows();
  return sinew::nearest_nonnegative(s.problem, s.system.pairs(), s.weights);
}

Status WeightSolver::add_constraints(std::span<const WeightConstraint> added) {
  State& s = *state_;
  SINEW_CHECK(check_constraints(s.problem, added));
  SINEW_CHECK(s.catch_up());
  return s.hold_at_once(added, ConstraintOrigin::given);
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
  for (std::size_t c = 0; c < s.held.constraints.size(); ++c) {
    const auto found = wanted.find(key(s.held.constraints[c]));
    if (found != wanted.end()) {
      wanted.erase(found);
      continue;
    }
    left.push_back(s.held.constraints[c]);
    origins_left.push_back(s.held.origins[c]);
  }
  if (!wanted.empty())
    return Error{ErrorCode::bad_argument, "removed", "there is no such constraint to take away"};
  SINEW_CHECK(s.catch_up());
  ++s.revisions;
  s.held.constraints = std::move(left);
  s.held.origins = std::move(origins_left);
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
