// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/pipeline/fit_joints.h"

#include <algorithm>
#include <numeric>

#include "pipeline/bind_moved.h"
#include "pipeline/first_weights.h"
#include "pipeline/optimise_weights.h"

namespace sinew {
namespace {

/// Of a distortion: less of a gain than this is rounding.
constexpr double kClearlyLess = 1e-6;

Status check_options(const Character& character, const FitJointsOptions& options) {
  const std::size_t bones = character.skeleton.bone_count();
  if (options.bind.method != BindMethod::araplbs)
    return Error{ErrorCode::bad_argument, "method", "joints are fitted along with araplbs alone"};
  if (options.bind.init == BindOptions::Init::existing)
    return Error{ErrorCode::bad_argument, "init",
                 "joints are fitted along with weights that are made anew"};
  if (options.alternations < 1 || options.rebuilds < 0)
    return Error{ErrorCode::bad_argument, "alternations", "there has to be one"};
  if (!options.joints.locked.empty() && options.joints.locked.size() != bones)
    return Error{ErrorCode::bad_argument, "locked", "needs an entry per bone"};
  if (!options.joints.material.empty() && options.joints.material.size() != bones)
    return Error{ErrorCode::bad_argument, "material", "needs an entry per bone"};
  return {};
}

/// Of each bone; of one without a length, its parent's.
std::vector<double> lengths_of(const Skeleton& skeleton) {
  std::vector<double> lengths(skeleton.bone_count(), 0);
  for (const int j : skeleton.order()) {
    const int parent = skeleton.bone(j).parent;
    double& length = lengths[static_cast<std::size_t>(j)];
    length = skeleton.length(j);
    if (!(length > 0) && parent >= 0) length = lengths[static_cast<std::size_t>(parent)];
  }
  return lengths;
}

/// Weights and joints by turns.
class JointFitter {
 public:
  JointFitter(const Character& character, const FitJointsOptions& options)
      : character_(character), options_(options) {}

  /// The stages of bind up to weights, for the joints where they are.
  Status prepare(std::span<const Vec3> displacements, const Progress& progress) {
    std::vector<StageTime> times;
    SINEW_TRY(const FirstWeights first,
              make_first_weights(character_, displacements, options_.bind, times, progress));
    const BoundSoFar found = so_far(first, character_, displacements);
    BindExemplars poses = options_.bind.exemplars;
    poses.limits = options_.limits;
    const std::vector<Exemplar> exemplars =
        draw_exemplars(character_, first.roles, first.hierarchy, poses, displacements);
    if (exemplars.empty())
      return Error{ErrorCode::bad_argument, "exemplars", "there is no pose to optimise for"};
    SolveReport report;
    PreparedSolve solve = prepare_solve(found, first.weights, exemplars, options_.bind, report);
    constraints_ = std::move(solve.constrained.constraints);
    solving_ = solve.options;
    frame_ = first.prepared.frame;
    if (lengths_.empty()) lengths_ = lengths_of(first.skeleton);
    // Lengths, and where joints were given, are those of the skeleton as it came.
    const SkeletonJoints given =
        find_joints(with_roles(character_.skeleton, first.roles), first.hierarchy.parent);
    if (is_in_pieces(given))
      SINEW_CHECK(place_components(solve.constrained.problem, given, exemplars, frame_, solving_));
    problem_ = make_joint_problem(std::move(solve.constrained.problem), given, exemplars, frame_);
    problem_.moved.assign(given.joints.size(), Vec3::Zero());
    for (std::size_t j = 0; j < displacements.size(); ++j)
      problem_.moved[static_cast<std::size_t>(given.joint[j])] = displacements[j] / frame_.diagonal;
    return {};
  }

  /// One alternation.
  Result<FitRound> alternate() {
    FitRound round;
    SINEW_TRY(WeightSolver weights, WeightSolver::create(problem_.skin, constraints_, solving_));
    while (!weights.converged()) SINEW_CHECK(weights.step());
    problem_.skin.maps.weights = weights.weights();
    round.arap_weights = weights.arap();

    JointSolverOptions moving = options_.joints;
    moving.rotations = solving_.rotations;
    moving.clusterings = solving_.clusterings;
    moving.clusters = solving_.clusters;
    moving.seed = solving_.seed;
    if (!moving.mirror) moving.mirror = problem_.skin.mirror;
    SINEW_TRY(JointSolver joints, JointSolver::create(problem_, moving));
    while (!joints.converged()) joints.step();
    round.arap_joints = joints.arap();
    problem_.skin = joints.problem().skin;
    const std::vector<Vec3> moved = joints.displacements();
    std::vector<Vec3> steps = problem_.joints.per_bone(problem_.moved);
    for (std::size_t j = 0; j < moved.size(); ++j) {
      steps[j] = moved[j] - steps[j];
      problem_.moved[static_cast<std::size_t>(problem_.joints.joint[j])] = moved[j];
    }
    round.moved_rel = farthest(moved);
    round.step_rel = farthest(steps);
    solver_.emplace(std::move(joints));
    return round;
  }

  /// Per bone, model space.
  [[nodiscard]] std::vector<Vec3> displacements() const {
    std::vector<Vec3> result = problem_.joints.per_bone(problem_.moved);
    for (Vec3& each : result) each *= frame_.diagonal;
    return result;
  }

  /// Of each bone, after an alternation.
  [[nodiscard]] std::vector<FittedJoint> joints() {
    const std::vector<Vec3> moved = displacements();
    std::vector<int> all(problem_.joints.joints.size());
    std::iota(all.begin(), all.end(), 0);
    const double now = solver_->arap();
    const double bought = solver_->arap_without(all) - now;
    std::vector<double> gained(all.size(), 0);
    for (const int joint : all)
      if (bought > 0)
        gained[static_cast<std::size_t>(joint)] =
            (solver_->arap_without({&joint, 1}) - now) / bought;
    std::vector<FittedJoint> result;
    for (std::size_t j = 0; j < moved.size(); ++j)
      result.push_back(
          {relative(j, moved[j]), gained[static_cast<std::size_t>(problem_.joints.joint[j])]});
    return result;
  }

 private:
  /// A displacement as a part of its bone's length.
  [[nodiscard]] double relative(std::size_t bone, const Vec3& displacement) const {
    return lengths_[bone] > 0 ? displacement.norm() / lengths_[bone] : 0;
  }
  [[nodiscard]] double farthest(std::span<const Vec3> moved) const {
    double result = 0;
    for (std::size_t j = 0; j < moved.size(); ++j)
      result = std::max(result, relative(j, frame_.diagonal * moved[j]));
    return result;
  }

  const Character& character_;
  const FitJointsOptions& options_;
  std::vector<WeightConstraint> constraints_;
  WeightSolverOptions solving_;
  UnitFrame frame_;
  std::vector<double> lengths_;  // of the effective bones as they were given, model units
  JointProblem problem_;
  std::optional<JointSolver> solver_;  // of the last alternation
};

}  // namespace

Result<FittedJoints> fit_joints(const Character& character, const FitJointsOptions& options,
                                const Progress& progress) {
  SINEW_CHECK(check_options(character, options));
  FittedJoints result;
  result.displacements.assign(character.skeleton.bone_count(), Vec3::Zero());
  result.joints.resize(character.skeleton.bone_count());
  JointFitter fitter(character, options);
  constexpr double kFitted = 0.6;  // of all the work
  for (int rebuild = 0; rebuild <= options.rebuilds; ++rebuild) {
    const double begin = kFitted * rebuild / (options.rebuilds + 1);
    const double share = kFitted / (options.rebuilds + 1);
    SINEW_CHECK(fitter.prepare(result.displacements, progress.within(begin, begin + share / 2)));
    for (int n = 0; n < options.alternations; ++n) {
      SINEW_CHECK(
          progress.checkpoint("joints", begin + share * (0.5 + 0.5 * n / options.alternations)));
      SINEW_TRY(const FitRound round, fitter.alternate());
      if (result.history.empty()) result.arap_before = round.arap_weights;
      result.history.push_back(round);
      if (round.step_rel <= options.tolerance_rel) break;
    }
    result.arap_after = result.history.back().arap_joints;
    result.displacements = fitter.displacements();
  }
  if (result.arap_after < result.arap_before * (1 - kClearlyLess)) {
    SINEW_CHECK(progress.checkpoint("joints", kFitted));
    result.joints = fitter.joints();
  } else {
    std::ranges::fill(result.displacements, Vec3::Zero());
    result.arap_after = result.arap_before;
  }
  result.skeleton = with_joints_moved(character.skeleton, result.displacements);
  SINEW_TRY(result.bound,
            bind_moved(character, result.displacements, options.bind, progress.within(kFitted, 1)));
  return result;
}

}  // namespace sinew
