// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/joint_solver.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "arap/clusterings.h"
#include "arap/joint_system.h"
#include "arap/joint_unknowns.h"
#include "core/parallel.h"

namespace sinew {
namespace {

/// Of the mean of all joints: one that moves next to nothing is held at least as firmly as if it
/// moved so much, since the system must be definite.
constexpr double kLeastShare = 1e-6;
constexpr double kStillGainsRel = 1e-4;  // of the energy, where only components move
constexpr double kRounding = 1e-12;      // of X Σ a|e|²: what sums of large numbers leave of zero

Error wrong(std::string place, std::string what) {
  return Error{ErrorCode::bad_argument, std::move(place), std::move(what)};
}

Status check(const JointProblem& problem, const JointSolverOptions& options) {
  const WeightProblem& skin = problem.skin;
  const std::size_t bones = skin.maps.bone_count;
  if (skin.graph.vertex_count() != skin.positions.size() ||
      skin.maps.vertex_count() != skin.positions.size())
    return wrong("problem.skin", "positions, graph and maps are not of the same vertices");
  if (skin.exemplars.empty()) return wrong("problem.skin.exemplars", "there is no pose to fit");
  for (std::size_t x = 0; x < skin.exemplars.size(); ++x)
    if (skin.exemplars[x].size() != motion_count(skin))
      return wrong(fmt::format("problem.skin.exemplars[{}]", x),
                   "needs one transform per bone, and those of spines");
  if (problem.joints.bone_count() != bones)
    return wrong("problem.joints", "is not of the same bones");
  if (!problem.moved.empty() && problem.moved.size() != problem.joints.joints.size())
    return wrong("problem.moved", "needs an entry per joint");
  if (problem.relation.component.size() != motion_count(skin) ||
      std::ranges::any_of(problem.relation.effects, [&](const JointEffect& effect) {
        return effect.factors.size() != skin.exemplars.size();
      }))
    return wrong("problem.relation", "is not of the same exemplars and motions");
  if (!options.locked.empty() && options.locked.size() != bones)
    return wrong("options.locked", "needs an entry per bone");
  if (!options.material.empty() && options.material.size() != bones)
    return wrong("options.material", "needs an entry per bone");
  if (std::ranges::any_of(options.material,
                          [](double each) { return !(each >= 0) || !std::isfinite(each); }))
    return wrong("options.material", "must be finite and not below zero");
  if (options.mirror && options.mirror->bone.size() != bones)
    return wrong("options.mirror", "is not of the same bones");
  if (!(options.epsilon1 > 0) || !(options.epsilon2 >= 0) || !(options.max_displacement_rel >= 0) ||
      options.max_iterations < 0 || !(options.clusterings >= 1) || options.clusters < 1)
    return wrong("options", "needs an epsilon above zero, and nothing below it");
  return {};
}

/// What holds every joint where it was given, as blocks of a matrix.
Eigen::MatrixXd holding(const SkeletonJoints& skeleton, const Eigen::MatrixXd& quadratic,
                        const JointSolverOptions& options) {
  const std::size_t count = skeleton.joints.size();
  std::vector<double> material(count, 1);
  if (!options.material.empty()) {
    material.assign(count, 0);
    for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
      double& of_joint = material[static_cast<std::size_t>(skeleton.joint[j])];
      of_joint = std::max(of_joint, options.material[j]);
    }
  }
  const double mean = count > 0 ? quadratic.trace() / static_cast<double>(3 * count) : 0;
  const double least = mean > 0 ? kLeastShare * mean : 1;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(quadratic.rows(), quadratic.cols());
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = static_cast<Eigen::Index>(3 * k);
    Eigen::Matrix3d along = Eigen::Matrix3d::Zero();
    double length = 0;
    for (const Vec3& bone : skeleton.joints[k].bones) {
      along += bone * bone.transpose() / bone.norm();
      length += bone.norm() / static_cast<double>(skeleton.joints[k].bones.size());
    }
    if (length > 0) along /= length;
    const double share = std::max(quadratic.block<3, 3>(at, at).trace() / 3, least);
    result.block<3, 3>(at, at) = share * (options.epsilon1 * std::max(material[k], kLeastShare) *
                                              Eigen::Matrix3d::Identity() +
                                          options.epsilon2 * along);
  }
  return result;
}

}  // namespace

JointProblem make_joint_problem(WeightProblem skin, SkeletonJoints joints,
                                std::span<const SampledPose> exemplars, const UnitFrame& frame) {
  std::vector<SpinePoint> points;
  for (const ProblemSpine& spine : skin.spines)
    for (std::size_t n = 0; n < kSpineNodes; ++n)
      points.push_back({spine.attached.bone, spine_node(n)});
  JointRelation relation = relate_joints(joints, exemplars, points);
  for (Joint& joint : joints.joints) {
    joint.place = frame.from_model(joint.place);
    joint.shortest /= frame.diagonal;
    for (Vec3& bone : joint.bones) bone /= frame.diagonal;
  }
  for (std::optional<SpineSegment>& spine : joints.spines)
    if (spine)
      spine->rest = {frame.from_model(spine->rest.head), frame.from_model(spine->rest.tail)};
  return {std::move(skin), std::move(joints), std::move(relation), {}};
}

struct JointSolver::State {
  JointProblem problem;
  JointSolverOptions options;
  std::vector<Clustering> clusterings;
  std::vector<RotationTables> tables;                            // of each clustering
  std::vector<std::vector<RotationTables::PerMotion>> products;  // beside tables
  std::vector<std::size_t> table_of;                             // of each exemplar
  EdgeMoments moments;
  JointSystem system;
  Eigen::MatrixXd held;
  JointUnknowns unknowns;
  BoundedQuadratic quadratic;
  double rest_energy = 0;  // X Σ a|e|²

  Eigen::VectorXd free;  // y: how far joints have moved
  /// Of the rotations that fit best now.
  std::vector<std::vector<Vec3>> pulls;  // b_m(x), of each exemplar
  double arap = 0;
  double farthest_rel = 0;  // that a joint moved in the last step, of the shortest bone there
  std::vector<double> energies;

  State(JointProblem given, const JointSolverOptions& chosen)
      : problem(std::move(given)),
        options(chosen),
        clusterings(make_clusterings(
            problem.skin, {chosen.rotations, chosen.clusterings, chosen.clusters, chosen.seed})),
        tables(rotation_tables(problem.skin, clusterings)),
        table_of(problem.skin.exemplars.size(), 0),
        moments(problem.skin, problem.skin.maps.weights),
        system(problem.relation, moments.laplacian(), problem.joints.joints.size(),
               problem.joints.component_count),
        held(holding(problem.joints, system.quadratic(), options)),
        unknowns(problem.joints, options),
        quadratic(unknowns.spread().transpose() * (system.quadratic() + held) * unknowns.spread(),
                  unknowns.blocks()),
        free(Eigen::VectorXd::Zero(unknowns.spread().cols())) {
    for (const RotationTables& table : tables)
      products.push_back(table.products(problem.skin, problem.skin.maps.weights));
    for (std::size_t c = 0; c < clusterings.size(); ++c)
      for (const std::size_t x : clusterings[c].exemplars) table_of[x] = c;
    const WeightProblem& skin = problem.skin;
    for (std::size_t i = 0; i < skin.positions.size(); ++i)
      for (std::size_t e = skin.graph.begin[i]; e < skin.graph.begin[i + 1]; ++e)
        rest_energy += skin.graph.edge_measure[e] *
                       (skin.positions[skin.graph.neighbours[e]] - skin.positions[i]).squaredNorm();
    rest_energy *= static_cast<double>(skin.exemplars.size());
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(unknowns.spread().rows());
    for (std::size_t k = 0; k < problem.moved.size(); ++k)
      moved.segment<3>(static_cast<Eigen::Index>(3 * k)) = problem.moved[k];
    free = unknowns.reduce(moved);
    fit();
    if (const Eigen::VectorXd missing = unknowns.expand(free) - moved; !missing.isZero(0)) {
      move(missing);
      fit();
    }
  }

  [[nodiscard]] double energy() const {
    const Eigen::VectorXd moved = unknowns.expand(free);
    return arap + moved.dot(held * moved) / (rest_energy > 0 ? rest_energy : 1);
  }

  /// The local step, exemplar by exemplar.
  void fit() {
    const WeightProblem& skin = problem.skin;
    pulls.assign(skin.exemplars.size(), {});
    std::vector<double> parts(skin.exemplars.size(), 0);
    parallel_for(
        pulls.size(),
        [&](std::size_t x) {
          pulls[x].assign(motion_count(skin), Vec3::Zero());
          parts[x] = tables[table_of[x]].add_pulls(skin, skin.maps.weights, products[table_of[x]],
                                                   x, pulls[x]);
          parts[x] += moments.square(skin.exemplars[x]);
          moments.subtract_pulls(skin.exemplars[x], pulls[x]);
        },
        1);
    double sum = rest_energy;
    for (const double part : parts) sum += part;
    arap = std::max(0.0, sum / (rest_energy > 0 ? rest_energy : 1));
  }

  void move(const Eigen::VectorXd& joints) {
    WeightProblem& skin = problem.skin;
    std::vector<std::vector<Vec3>> shifts(skin.exemplars.size());
    parallel_for(
        shifts.size(), [&](std::size_t x) { shifts[x] = system.shifts(x, pulls[x], joints); }, 1);
    for (std::size_t x = 0; x < shifts.size(); ++x)
      for (std::size_t m = 0; m < shifts[x].size(); ++m)
        skin.exemplars[x][m].translation() += shifts[x][m];
    move_spines(joints);
  }

  /// After exemplars have moved.
  void move_spines(const Eigen::VectorXd& joints) {
    WeightProblem& skin = problem.skin;
    if (skin.spines.empty()) return;
    for (ProblemSpine& spine : skin.spines) {
      const auto bone = static_cast<std::size_t>(spine.attached.bone);
      for (std::size_t x = 0; x < skin.exemplars.size(); ++x)
        spine.motions[x].base = skin.exemplars[x][bone];
      spine.attached.rest.head += joints.segment<3>(3 * problem.joints.joint[bone]);
      if (const int end = problem.joints.end[bone]; end >= 0)
        spine.attached.rest.tail += joints.segment<3>(3 * end);
    }
    for (std::size_t c = 0; c < tables.size(); ++c)
      tables[c].revise_stretch(skin, clusterings[c].cluster);
  }
};

JointSolver::JointSolver(std::unique_ptr<State> state) : state_(std::move(state)) {}
JointSolver::~JointSolver() = default;
JointSolver::JointSolver(JointSolver&&) noexcept = default;
JointSolver& JointSolver::operator=(JointSolver&&) noexcept = default;

Result<JointSolver> JointSolver::create(JointProblem problem, const JointSolverOptions& options) {
  SINEW_CHECK(check(problem, options));
  return JointSolver(std::make_unique<State>(std::move(problem), options));
}

/// With x = S y + s, the energy is (x − x₀)ᵀA(x − x₀) − 2Bᵀ(x − x₀) + xᵀE x, x₀ being where joints
/// are now and E what holds them.
void JointSolver::step() {
  State& s = *state_;
  const Eigen::MatrixXd& spread = s.unknowns.spread();
  const Eigen::VectorXd offset = s.unknowns.expand(Eigen::VectorXd::Zero(s.free.size()));
  const Eigen::VectorXd linear =
      s.system.linear(s.pulls) + s.system.quadratic() * (spread * s.free) - s.held * offset;
  const Eigen::VectorXd best = s.quadratic.solve(spread.transpose() * linear, s.free);
  s.move(spread * (best - s.free));
  s.farthest_rel = 0;
  for (const JointUnknowns::Block& block : s.unknowns.blocks())
    s.farthest_rel = std::max(
        s.farthest_rel, (best - s.free).segment(block.first, block.count).norm() / block.length);
  s.free = best;
  s.fit();
  s.energies.push_back(s.energy());
}

double JointSolver::arap_without(std::span<const int> joints, double part) {
  State& s = *state_;
  const Eigen::VectorXd moved = s.unknowns.expand(s.free);
  Eigen::VectorXd back = Eigen::VectorXd::Zero(moved.size());
  for (const int joint : joints) back.segment<3>(3 * joint) = -part * moved.segment<3>(3 * joint);
  const double arap_now = s.arap;
  if (back.isZero(0)) return arap_now;
  const std::vector<std::vector<Affine3>> exemplars = s.problem.skin.exemplars;
  const std::vector<std::vector<Vec3>> pulls = s.pulls;
  s.move(back);
  s.fit();
  const double result = s.arap;
  s.problem.skin.exemplars = exemplars;
  s.move_spines(-back);
  s.pulls = pulls;
  s.arap = arap_now;
  return result;
}

bool JointSolver::converged() const {
  const State& s = *state_;
  const std::size_t count = s.energies.size();
  if (count >= static_cast<std::size_t>(s.options.max_iterations)) return true;
  if (s.free.size() == 0 && s.problem.joints.component_count < 2) return true;
  if (count < 2) return false;
  if (s.free.size() > 0) return s.farthest_rel <= s.options.tolerance_rel;
  const double now = s.energies[count - 1];
  return s.energies[count - 2] - now <= std::max(kStillGainsRel * now, kRounding);
}

const JointProblem& JointSolver::problem() const { return state_->problem; }

std::vector<Vec3> JointSolver::displacements() const {
  const State& s = *state_;
  const Eigen::VectorXd moved = s.unknowns.expand(s.free);
  std::vector<Vec3> per_joint(s.problem.joints.joints.size());
  for (std::size_t k = 0; k < per_joint.size(); ++k)
    per_joint[k] = moved.segment<3>(static_cast<Eigen::Index>(3 * k));
  return s.problem.joints.per_bone(per_joint);
}

JointSolverOptions turning_as(const WeightSolverOptions& weights, JointSolverOptions joints) {
  joints.rotations = weights.rotations;
  joints.clusterings = weights.clusterings;
  joints.clusters = weights.clusters;
  joints.seed = weights.seed;
  return joints;
}

bool is_in_pieces(const SkeletonJoints& joints) {
  std::optional<int> seen;
  for (std::size_t j = 0; j < joints.bone_count(); ++j) {
    if (!joints.deforms[j]) continue;
    if (seen && *seen != joints.component[j]) return true;
    seen = joints.component[j];
  }
  return false;
}

Status place_components(WeightProblem& skin, const SkeletonJoints& joints,
                        std::span<const SampledPose> exemplars, const UnitFrame& frame,
                        const WeightSolverOptions& rotations) {
  JointSolverOptions options;
  options.joints = JointSolverOptions::Joints::fixed;
  SINEW_TRY(JointSolver solver,
            JointSolver::create(make_joint_problem(skin, joints, exemplars, frame),
                                turning_as(rotations, std::move(options))));
  while (!solver.converged()) solver.step();
  skin.exemplars = solver.problem().skin.exemplars;
  skin.spines = solver.problem().skin.spines;
  return {};
}

double JointSolver::energy() const { return state_->energy(); }
double JointSolver::arap() const { return state_->arap; }
const std::vector<double>& JointSolver::energies() const { return state_->energies; }

}  // namespace sinew
