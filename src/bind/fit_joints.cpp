// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/bind/fit_joints.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "bind/bind_moved.h"
#include "bind/bind_poses.h"
#include "bind/first_weights.h"
#include "bind/solve_problem.h"
#include "sinew/quality/weight_judge.h"

namespace sinew {
namespace {

/// Of a distortion: less of a gain than this is rounding.
constexpr double kRoundingRel = 1e-6;
/// Of the skeleton's extent: a bone that is shorter has joints at one place, and no length.
constexpr double kNoLengthRel = 1e-6;

/// Groups of vertices that turn together, for each one while weights are made: how vertices turn
/// tells where joints are. Measured: docs/decisions/joints.md.
constexpr int kFinerClusters = 2;

/// What of the way joints may go, the most first.
constexpr std::array kParts{1.0, 0.5, 0.25};
constexpr double kClearlyLess = 0.999;  // of the distortion: less of a gain is noise
constexpr double kSameFollow = 0.03;    // a weight: moved joints end the middles of bones elsewhere
/// Parts come apart where drift grows by this factor, and by so many percent of the diagonal, which
/// is for drift that is near none.
constexpr double kSameDriftRel = 1.05;
constexpr double kSameDrift = 0.02;
constexpr std::uint64_t kOtherPoses = 6007;  // added to the seed, so that who judges the result
                                             // does so on poses that chose nothing

Status check_options(const Character& character, const FitJointsOptions& options) {
  const std::size_t bones = character.skeleton.bone_count();
  if (options.bind.method != BindMethod::araplbs)
    return Error{ErrorCode::bad_argument, "method", "joints are fitted along with araplbs alone"};
  if (strategy_of(options.bind) == BindStrategy::existing)
    return Error{ErrorCode::bad_argument, "init",
                 "joints are fitted along with weights that are made anew"};
  if (options.bind.domain == BindDomain::volume)
    return Error{ErrorCode::bad_argument, "domain", "joints are fitted along with the surface"};
  if (options.poses_per_exemplar < 1)
    return Error{ErrorCode::bad_argument, "poses_per_exemplar", "there has to be a pose"};
  if (options.alternations < 1)
    return Error{ErrorCode::bad_argument, "alternations", "there has to be one"};
  if (options.rebuilds < 0)
    return Error{ErrorCode::bad_argument, "rebuilds", "there cannot be fewer than none"};
  if (!options.joints.locked.empty() && options.joints.locked.size() != bones)
    return Error{ErrorCode::bad_argument, "locked", "needs an entry per bone"};
  if (!options.joints.material.empty() && options.joints.material.size() != bones)
    return Error{ErrorCode::bad_argument, "material", "needs an entry per bone"};
  return {};
}

/// Of each bone; of one without a length, its parent's.
std::vector<double> lengths_of(const Skeleton& skeleton) {
  std::vector<double> lengths(skeleton.bone_count(), 0);
  Box box;
  for (const Bone& bone : skeleton.bones()) box.extend(bone.head());
  const double none = box.isEmpty() ? 0 : kNoLengthRel * box.diagonal().norm();
  for (const int j : skeleton.order()) {
    const int parent = skeleton.bone(j).parent;
    double& length = lengths[static_cast<std::size_t>(j)];
    length = skeleton.length(j);
    if (!(length > none) && parent >= 0) length = lengths[static_cast<std::size_t>(parent)];
  }
  return lengths;
}

/// The skeleton with the ends of leaves that no file says: a joint moves within the shortest bone
/// at it, whoever says how long that is.
Skeleton with_guessed_tails(const Skeleton& skeleton, const PreparedBind& prepared) {
  return skeleton.with([&](std::vector<Bone>& bones) {
    for (const int bone : prepared.guessed_tails)
      if (Bone& leaf = bones[static_cast<std::size_t>(bone)];
          leaf.kind == BoneKind::rigid && !leaf.tail)
        leaf.tail = prepared.skeleton.bone(bone).tail;
  });
}

/// Weights for joints where they would be, and how good they are in poses that nothing was made
/// for.
struct Candidate {
  Bound bound;
  WeightQuality quality;
};
Result<Candidate> bind_and_judge(const Character& character, std::span<const Vec3> displacements,
                                 const BindOptions& options, const Progress& progress) {
  Candidate candidate;
  SINEW_TRY(candidate.bound,
            bind_moved(character, displacements, options, progress.within(0, 0.9)));
  Character moved = character;
  moved.clips.clear();  // they know the joints as they were
  moved.skeleton = with_joints_moved(character.skeleton, displacements);
  JudgeOptions judging;
  judging.seed = options.exemplars.seed + kOtherPoses;
  const BindReport& report = candidate.bound.report;
  const WeightJudge judge(moved, report.roles, report.hierarchy, judging);
  SINEW_TRY(candidate.quality, judge.judge(candidate.bound.weights));
  return candidate;
}

/// Less distortion; bones lead as much, parts hold together as well, and no further bone is dead.
bool serves(const WeightQuality& now, const WeightQuality& before) {
  return now.arap < kClearlyLess * before.arap && now.follow >= before.follow - kSameFollow &&
         now.drift <= kSameDriftRel * before.drift + kSameDrift && now.dead <= before.dead;
}

/// Joints whose partners have to move alike. The mesh need not be symmetric as its weights' mirror
/// asks: skin that was triangulated otherwise on the other side hangs on the same bones.
std::optional<Mirror> find_joint_sides(const PreparedBind& prepared, MirrorChoice choice) {
  MirrorOptions options;
  options.choice = choice;
  options.least_share = 0;
  return find_mirror(prepared.mesh, prepared.skeleton, options);
}

/// Weights and joints by turns.
class JointFitter {
 public:
  JointFitter(const Character& character, const FitJointsOptions& options)
      : character_(character), options_(options) {}

  /// The stages of bind up to weights, for the joints where they are.
  Status prepare(std::span<const Vec3> displacements, const Progress& progress) {
    std::vector<StageTime> times;
    SINEW_CHECK(check_options(character_, options_.bind));
    SINEW_TRY(PreparedBind prepared,
              prepare_bind(character_, displacements, options_.bind, times, progress));
    BindPlan plan = plan_bind(character_, options_.bind, prepared);
    for (int& clusters : plan.rotations.value.clusters) clusters *= kFinerClusters;
    SINEW_CHECK(make_first_weights(character_, options_.bind, plan, prepared, times, progress));
    const Character& bending = prepared.bending(character_);
    BindExemplars poses = options_.bind.exemplars;
    poses.limits = options_.limits;
    poses.count = poses.count.value_or(BindExemplars::kUsual) * options_.poses_per_exemplar;
    const std::vector<Exemplar> exemplars =
        draw_exemplars(bending, prepared.roles, prepared.hierarchy, poses, displacements,
                       ExemplarOptions::Draw::balanced);
    if (exemplars.empty())
      return Error{ErrorCode::bad_argument, "exemplars", "there is no pose to optimise for"};
    SolveReport report;
    PreparedSolve solve = prepare_solve(character_, prepared, exemplars, plan, report);
    constraints_ = std::move(solve.constrained.constraints);
    solving_ = plan.solver;
    frame_ = prepared.mesh.frame;
    if (given_.joints.empty()) {  // later rebuilds measure from the skeleton as it came
      sides_ = find_joint_sides(prepared, options_.bind.mirror);
      lengths_ = lengths_of(prepared.skeleton);
      given_ =
          find_joints(with_guessed_tails(with_roles(bending.skeleton, prepared.roles), prepared),
                      prepared.hierarchy.parent);
    }
    if (is_in_pieces(given_))
      SINEW_CHECK(place_components(solve.constrained.problem, given_, exemplars, frame_, solving_));
    problem_ = make_joint_problem(std::move(solve.constrained.problem), given_, exemplars, frame_);
    problem_.moved.assign(given_.joints.size(), Vec3::Zero());
    for (std::size_t j = 0; j < displacements.size(); ++j)
      problem_.moved[static_cast<std::size_t>(given_.joint[j])] =
          displacements[j] / frame_.diagonal;
    return {};
  }

  /// One alternation.
  Result<FitRound> alternate() {
    FitRound round;
    SINEW_TRY(WeightSolver weights, WeightSolver::create(problem_.skin, constraints_, solving_));
    while (!weights.converged()) SINEW_CHECK(weights.step());
    problem_.skin.maps.weights = weights.weights();
    round.arap_weights = weights.arap();

    JointSolverOptions moving = turning_as(solving_, options_.joints);
    if (!moving.mirror) moving.mirror = sides_;
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

  /// Of each bone, after an alternation, had its joint gone this part of its way.
  [[nodiscard]] std::vector<FittedJoint> joints(double part) {
    const std::vector<Vec3> moved = displacements();
    const std::vector<int> all = all_joints();
    const double now = solver_->arap();
    const double bought = solver_->arap_without(all) - now;
    std::vector<double> gained(all.size(), 0);
    for (const int joint : all)
      if (bought > 0)
        gained[static_cast<std::size_t>(joint)] =
            (solver_->arap_without({&joint, 1}) - now) / bought;
    std::vector<FittedJoint> result;
    for (std::size_t j = 0; j < moved.size(); ++j)
      result.push_back({part * relative(j, moved[j]),
                        gained[static_cast<std::size_t>(problem_.joints.joint[j])]});
    return result;
  }

  /// Distortion over the poses that were fitted to, had joints gone this part of their way.
  [[nodiscard]] double arap_at(double part) {
    return solver_->arap_without(all_joints(), 1 - part);
  }

 private:
  [[nodiscard]] std::vector<int> all_joints() const {
    std::vector<int> all(problem_.joints.joints.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
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
  SkeletonJoints given_;
  JointProblem problem_;
  std::optional<Mirror> sides_;        // of the joints as they were given
  std::optional<JointSolver> solver_;  // of the last alternation
};

/// Joints that gain in the poses they were fitted to alone are not better: binds with them where
/// they were, all the way, half way and so on, and keeps the first of these that serves.
Status go_as_far_as_serves(const Character& character, const BindOptions& options,
                           const Progress& progress, JointFitter& fitter, FittedJoints& result) {
  const std::vector<Vec3> all_the_way = result.displacements;
  const auto scaled = [&](double part) {
    std::vector<Vec3> some = all_the_way;
    for (Vec3& each : some) each *= part;
    return some;
  };
  constexpr double kShare = 1.0 / (1 + kParts.size());  // of the work, of each bind
  SINEW_TRY(Candidate kept,
            bind_and_judge(character, scaled(0), options, progress.within(0, kShare)));
  const WeightQuality still = kept.quality;
  FitOnOtherPoses others{still.arap, still.arap};
  result.part = 0;
  for (std::size_t p = 0; p < kParts.size() && result.part == 0; ++p) {
    const double begin = kShare * static_cast<double>(p + 1);
    SINEW_TRY(Candidate moved, bind_and_judge(character, scaled(kParts[p]), options,
                                              progress.within(begin, begin + kShare)));
    if (!serves(moved.quality, still)) continue;
    result.part = kParts[p];
    others.arap_after = moved.quality.arap;
    kept = std::move(moved);
  }
  result.others = others;
  result.displacements = scaled(result.part);
  result.bound = std::move(kept.bound);
  result.arap_after = result.part > 0 ? fitter.arap_at(result.part) : result.arap_before;
  if (result.part > 0) result.joints = fitter.joints(result.part);
  return {};
}

}  // namespace

Result<FittedJoints> fit_joints(const Character& character, const FitJointsOptions& options,
                                const Progress& progress) {
  SINEW_CHECK(check_options(character, options));
  FittedJoints result;
  result.displacements.assign(character.skeleton.bone_count(), Vec3::Zero());
  result.joints.resize(character.skeleton.bone_count());
  JointFitter fitter(character, options);
  constexpr double kFitted = 0.5;  // of all the work
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
  if (result.arap_after < result.arap_before * (1 - kRoundingRel)) {
    SINEW_CHECK(
        go_as_far_as_serves(character, options.bind, progress.within(kFitted, 1), fitter, result));
  } else {
    std::ranges::fill(result.displacements, Vec3::Zero());
    result.part = 0;
    result.arap_after = result.arap_before;
    SINEW_TRY(result.bound, bind_moved(character, result.displacements, options.bind,
                                       progress.within(kFitted, 1)));
  }
  result.skeleton = with_joints_moved(character.skeleton, result.displacements);
  return result;
}

}  // namespace sinew
