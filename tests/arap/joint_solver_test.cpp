// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/joint_solver.h"

#include <gtest/gtest.h>

#include "arap/joint_system.h"
#include "math/random.h"
#include "sinew/poses/exemplars.h"
#include "support/checked.h"
#include "support/literal_joints.h"
#include "support/made_skeletons.h"
#include "support/spine_problems.h"
#include "support/weight_problems.h"

namespace sinew {
namespace {

/// A tube whose joints were moved off its axis, as bind would meet it, with its own smooth weights.
struct MadeJoints {
  Character character;
  JointProblem problem;
};
MadeJoints bent_tube(int exemplars, const std::vector<int>& cut = {}, double off_axis = 0.1) {
  MadeJoints made;
  made.character = test::make_tube_character(4, 4, 8);
  std::vector<Bone> bones = made.character.skeleton.bones();
  Random random(5);
  for (std::size_t j = 1; j < bones.size(); ++j)
    bones[j].rest.translation() +=
        off_axis * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  for (const int bone : cut) bones[static_cast<std::size_t>(bone)].parent = -1;
  made.character.skeleton = test::checked(Skeleton::create(std::move(bones)));
  const Skeleton& skeleton = made.character.skeleton;
  std::vector<BoneRole> roles(skeleton.bone_count());
  for (BoneRole& role : roles) role.deforms = true;
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  ExemplarOptions options;
  options.count = exemplars;
  const std::vector<Exemplar> poses = sample_exemplars(skeleton, roles, hierarchy, options);
  const PreparedMesh prepared = prepare_mesh(made.character.mesh);
  made.problem = make_joint_problem(
      make_weight_problem(
          prepared, influence_maps(mean_of_copies(prepared.welded, made.character.weights)), poses),
      find_joints(skeleton), poses, prepared.frame);
  return made;
}

JointSolverOptions exact() {
  JointSolverOptions options;
  options.rotations = RotationMode::exact;
  return options;
}

/// b_m(x) by the solver's own tables, from rotations that were found literally.
std::vector<std::vector<Vec3>> pulls_of(const JointProblem& problem) {
  const WeightProblem& skin = problem.skin;
  const EdgeMoments moments(skin, skin.maps.weights);
  const auto rotations = test::literal_rotations(problem, skin.exemplars);
  std::vector<std::vector<Vec3>> pulls;
  for (std::size_t x = 0; x < skin.exemplars.size(); ++x) {
    std::vector<Vec3>& of_pose = pulls.emplace_back(motion_count(skin), Vec3::Zero());
    for (std::size_t i = 0; i < skin.positions.size(); ++i)
      for (std::size_t e = skin.graph.begin[i]; e < skin.graph.begin[i + 1]; ++e) {
        const std::size_t k = skin.graph.neighbours[e];
        const Vec3 wanted =
            skin.graph.edge_measure[e] * rotations[x][i] * (skin.positions[k] - skin.positions[i]);
        for (std::size_t b = skin.maps.begin[k]; b < skin.maps.begin[k + 1]; ++b)
          of_pose[skin.maps.bones[b]] += skin.maps.weights[b] * wanted;
        for (std::size_t b = skin.maps.begin[i]; b < skin.maps.begin[i + 1]; ++b)
          of_pose[skin.maps.bones[b]] -= skin.maps.weights[b] * wanted;
      }
    moments.subtract_pulls(skin.exemplars[x], of_pose);
  }
  return pulls;
}

/// The literal system with every δC at its best for δJ.
struct Eliminated {
  Eigen::MatrixXd quadratic;
  Eigen::VectorXd linear;
};
Eliminated without_components(const test::LiteralJoints& literal) {
  const auto joints = static_cast<Eigen::Index>(3 * literal.joints);
  const Eigen::Index rest = literal.quadratic.rows() - joints;
  const Eigen::MatrixXd across = literal.quadratic.topRightCorner(joints, rest);
  // A translation of all costs nothing, so that the inverse is a pseudo-inverse.
  const Eigen::MatrixXd inverse = literal.quadratic.bottomRightCorner(rest, rest)
                                      .completeOrthogonalDecomposition()
                                      .pseudoInverse();
  return {literal.quadratic.topLeftCorner(joints, joints) - across * inverse * across.transpose(),
          literal.linear.head(joints) - across * inverse * literal.linear.tail(rest)};
}

TEST(JointSystem, EqualsTheLiteralSumsOfThePaper) {
  for (const std::vector<int>& cut : {std::vector<int>{}, {2}, {1, 3}}) {
    const JointProblem problem = bent_tube(3, cut).problem;
    const Eliminated expected = without_components(test::literal_joints(problem));
    const JointSystem system(problem.relation,
                             EdgeMoments(problem.skin, problem.skin.maps.weights).laplacian(),
                             problem.joints.joints.size(), problem.joints.component_count);
    EXPECT_LT((system.quadratic() - expected.quadratic).norm(), 1e-9 * expected.quadratic.norm());
    EXPECT_LT((system.linear(pulls_of(problem)) - expected.linear).norm(),
              1e-8 * expected.linear.norm());
  }
}

TEST(JointSystem, KnowsTheSquareOfAllDeformedEdges) {
  for (const JointProblem& problem : {bent_tube(3).problem}) {
    const WeightProblem& skin = problem.skin;
    const EdgeMoments moments(skin, skin.maps.weights);
    const std::vector<std::vector<Eigen::Matrix3d>> none(
        skin.exemplars.size(),
        std::vector<Eigen::Matrix3d>(skin.positions.size(), Eigen::Matrix3d::Zero()));
    double sum = 0;
    for (const std::vector<Affine3>& exemplar : skin.exemplars) sum += moments.square(exemplar);
    EXPECT_NEAR(sum, test::literal_energy(problem, skin.exemplars, none), 1e-10 * sum);
  }
}

/// The energy, with rotations held, of joints displaced and components at their best.
TEST(JointSystem, ItsGradientIsWhatCentralDifferencesSay) {
  const JointProblem problem = bent_tube(4).problem;
  const WeightProblem& skin = problem.skin;
  const auto rotations = test::literal_rotations(problem, skin.exemplars);
  const JointSystem system(problem.relation, EdgeMoments(skin, skin.maps.weights).laplacian(),
                           problem.joints.joints.size(), problem.joints.component_count);
  const Eigen::VectorXd linear = system.linear(pulls_of(problem));
  const auto energy_at = [&](const Eigen::VectorXd& joints) {
    std::vector<std::vector<Affine3>> exemplars = skin.exemplars;
    for (std::size_t x = 0; x < exemplars.size(); ++x) {
      const Eigen::VectorXd shifts =
          test::literal_relation(problem, x).leftCols(joints.size()) * joints;
      for (std::size_t j = 0; j < exemplars[x].size(); ++j)
        exemplars[x][j].translation() += shifts.segment<3>(static_cast<Eigen::Index>(3 * j));
    }
    return test::literal_energy(problem, exemplars, rotations);
  };
  constexpr double kStep = 1e-3;  // the energy is a quadratic: differences are exact
  for (Eigen::Index u = 0; u < linear.size(); ++u) {
    const Eigen::VectorXd ahead = kStep * Eigen::VectorXd::Unit(linear.size(), u);
    const double slope = (energy_at(ahead) - energy_at(-ahead)) / (2 * kStep);
    EXPECT_NEAR(slope, -2 * linear[u], 1e-7 * linear.norm());
  }
}

/// A tube whose second bone bends, and what its energy is made of. Targets of edges are any.
struct BendingTube {
  Character character = test::make_tube_character(4, 4, 8);
  PreparedMesh prepared = prepare_mesh(character.mesh);
  SkeletonJoints joints;  // model space
  std::vector<Exemplar> poses;
  SpineBone spine;
  JointProblem problem;
  std::vector<std::vector<Eigen::Matrix3d>> targets;  // of each exemplar and vertex

  static constexpr std::size_t kBending = 1;

  explicit BendingTube(int exemplars) {
    std::vector<Bone> bones = character.skeleton.bones();
    bones[kBending].kind = BoneKind::spine;
    bones[2].rest.translation() += Vec3(0.1, 0, -0.05);
    const Skeleton skeleton = test::checked(Skeleton::create(std::move(bones)));
    EffectiveHierarchy hierarchy;
    for (const Bone& bone : skeleton.bones()) hierarchy.parent.push_back(bone.parent);
    std::vector<BoneRole> roles(skeleton.bone_count());
    for (BoneRole& role : roles) role.deforms = true;
    poses = sample_exemplars(skeleton, roles, hierarchy, {.count = exemplars});
    joints = find_joints(skeleton);
    spine = test::attached_to(kBending, joints.spines[kBending]->rest,
                              prepared.welded.mesh.positions());
    problem = make_joint_problem(
        make_weight_problem(prepared,
                            influence_maps(mean_of_copies(prepared.welded, character.weights)),
                            poses, {&spine, 1}),
        joints, poses, prepared.frame);
    Random random(3);
    for (int x = 0; x < exemplars; ++x) {
      targets.emplace_back();
      for (std::size_t i = 0; i < problem.skin.positions.size(); ++i)
        targets.back().emplace_back(Eigen::AngleAxisd(
            random.uniform(-1, 1),
            Vec3(random.normal(), random.normal(), random.normal()).normalized()));
    }
  }

  /// Σ a |ē − R e|² in the frame of the problem, by forward kinematics and the closed form of the
  /// spine, with joints displaced in that frame.
  [[nodiscard]] double energy(const Eigen::VectorXd& displaced) const {
    const WeightProblem& skin = problem.skin;
    const double diagonal = prepared.frame.diagonal;
    std::vector<Vec3> moved(joints.joints.size());
    for (std::size_t k = 0; k < moved.size(); ++k)
      moved[k] = diagonal * displaced.segment<3>(static_cast<Eigen::Index>(3 * k));
    SpineRest rest = spine.rest;
    rest.head += moved[static_cast<std::size_t>(joints.joint[kBending])];
    rest.tail += moved[static_cast<std::size_t>(joints.end[kBending])];
    double sum = 0;
    for (std::size_t x = 0; x < poses.size(); ++x) {
      const SampledPose pose = with_joints_moved(poses[x], joints, moved);
      std::vector<Vec3> deformed(skin.positions.size(), Vec3::Zero());
      for (std::size_t i = 0; i < deformed.size(); ++i)
        for (std::size_t b = skin.maps.begin[i]; b < skin.maps.begin[i + 1]; ++b) {
          const std::uint32_t bone = skin.maps.bones[b];
          const Affine3 motion = bone == kBending
                                     ? spine_transform(rest, pose.spines[bone], spine.parameters[i])
                                     : pose.transforms[bone];
          deformed[i] +=
              skin.maps.weights[b] * (motion * prepared.welded.mesh.positions()[i]) / diagonal;
        }
      for (std::size_t i = 0; i < deformed.size(); ++i)
        for (std::size_t e = skin.graph.begin[i]; e < skin.graph.begin[i + 1]; ++e) {
          const std::size_t k = skin.graph.neighbours[e];
          sum +=
              skin.graph.edge_measure[e] *
              (deformed[k] - deformed[i] - targets[x][i] * (skin.positions[k] - skin.positions[i]))
                  .squaredNorm();
        }
    }
    return sum;
  }

  /// b_m(x) by the solver's tables, for the same targets.
  [[nodiscard]] std::vector<std::vector<Vec3>> pulls() const {
    const WeightProblem& skin = problem.skin;
    const EdgeMoments moments(skin, skin.maps.weights);
    std::vector<std::vector<Vec3>> result;
    for (std::size_t x = 0; x < poses.size(); ++x) {
      std::vector<Vec3>& of_pose = result.emplace_back(motion_count(skin), Vec3::Zero());
      const auto add = [&](std::size_t vertex, const Vec3& wanted) {
        for (std::size_t b = skin.maps.begin[vertex]; b < skin.maps.begin[vertex + 1]; ++b) {
          if (skin.maps.bones[b] != kBending) {
            of_pose[skin.maps.bones[b]] += skin.maps.weights[b] * wanted;
            continue;
          }
          for (std::size_t n = 0; n < kSpineNodes; ++n)
            of_pose[first_motion(skin, 0) + n] +=
                skin.maps.weights[b] * skin.spines[0].coefficients[vertex][n] * wanted;
        }
      };
      for (std::size_t i = 0; i < skin.positions.size(); ++i)
        for (std::size_t e = skin.graph.begin[i]; e < skin.graph.begin[i + 1]; ++e) {
          const std::size_t k = skin.graph.neighbours[e];
          const Vec3 wanted =
              skin.graph.edge_measure[e] * targets[x][i] * (skin.positions[k] - skin.positions[i]);
          add(k, wanted);
          add(i, -wanted);
        }
      moments.subtract_pulls(skin.exemplars[x], of_pose);
    }
    return result;
  }
};

TEST(JointSystem, WithASpineItIsWhatDifferencesOfTheClosedFormSay) {
  constexpr double kInterpolated = 1e-3;  // spines are tabulated over u
  constexpr double kStep = 1e-3;          // the energy is a quadratic: differences are exact
  const BendingTube tube(4);
  const JointSystem system(
      tube.problem.relation,
      EdgeMoments(tube.problem.skin, tube.problem.skin.maps.weights).laplacian(),
      tube.problem.joints.joints.size(), tube.problem.joints.component_count);
  const Eigen::VectorXd linear = system.linear(tube.pulls());
  const double here = tube.energy(Eigen::VectorXd::Zero(linear.size()));
  ASSERT_GE(tube.joints.end[BendingTube::kBending], 0);
  ASSERT_GT(linear.segment<3>(3 * tube.joints.end[BendingTube::kBending]).norm(), 0);
  for (Eigen::Index u = 0; u < linear.size(); ++u) {
    const Eigen::VectorXd ahead = kStep * Eigen::VectorXd::Unit(linear.size(), u);
    const double further = tube.energy(ahead), back = tube.energy(-ahead);
    EXPECT_NEAR((further - back) / (2 * kStep), -2 * linear[u], kInterpolated * 2 * linear.norm());
    EXPECT_NEAR((further + back - 2 * here) / (kStep * kStep), 2 * system.quadratic()(u, u),
                kInterpolated * 2 * system.quadratic().diagonal().maxCoeff());
  }
}

TEST(JointSolver, EveryStepLowersTheEnergy) {
  for (const std::vector<int>& cut : {std::vector<int>{}, {2}})
    for (const double most : {0.5, 0.02, 0.0}) {
      JointSolverOptions options = exact();
      options.max_displacement_rel = most;
      JointSolver solver = test::checked(JointSolver::create(bent_tube(8, cut).problem, options));
      double before = solver.energy();
      for (int n = 0; n < 12; ++n) {
        solver.step();
        EXPECT_LE(solver.energy(), before + 1e-14);
        before = solver.energy();
      }
    }
}

TEST(JointSolver, ItsEnergyIsThatOfTheMovedExemplars) {
  JointSolver solver = test::checked(JointSolver::create(bent_tube(4, {2}).problem, exact()));
  for (int n = 0; n < 3; ++n) solver.step();
  const JointProblem& now = solver.problem();
  double rest = 0;
  for (std::size_t i = 0; i < now.skin.positions.size(); ++i)
    for (std::size_t e = now.skin.graph.begin[i]; e < now.skin.graph.begin[i + 1]; ++e)
      rest +=
          now.skin.graph.edge_measure[e] *
          (now.skin.positions[now.skin.graph.neighbours[e]] - now.skin.positions[i]).squaredNorm();
  rest *= static_cast<double>(now.skin.exemplars.size());
  const double literal = test::literal_energy(now, now.skin.exemplars,
                                              test::literal_rotations(now, now.skin.exemplars));
  EXPECT_NEAR(solver.arap(), literal / rest, 1e-10);
}

TEST(JointSolver, JointsOfATubeGoToItsAxis) {
  const MadeJoints made = bent_tube(40);
  JointSolver solver = test::checked(JointSolver::create(made.problem, exact()));
  while (!solver.converged()) solver.step();
  const double diagonal = prepare_mesh(made.character.mesh).frame.diagonal;
  const std::vector<Vec3> moved = solver.displacements();
  const auto off_axis = [](const Vec3& point) { return Vec3(point.x(), 0, point.z()).norm(); };
  double before = 0, after = 0;
  for (std::size_t j = 1; j < moved.size(); ++j) {
    const Vec3 head = made.character.skeleton.bones()[j].head();
    before += off_axis(head);
    after += off_axis(head + diagonal * moved[j]);
  }
  EXPECT_LT(after, 0.2 * before);
}

TEST(JointSolver, LockedJointsStayAndOthersKeepWithinTheirBounds) {
  JointSolverOptions options = exact();
  options.locked = {false, true, false, false};
  options.max_displacement_rel = 0.03;
  const JointProblem problem = bent_tube(12).problem;
  JointSolver solver = test::checked(JointSolver::create(problem, options));
  while (!solver.converged()) solver.step();
  const std::vector<Vec3> moved = solver.displacements();
  EXPECT_EQ(moved[1], Vec3::Zero());
  for (std::size_t j = 2; j < moved.size(); ++j) {
    const Joint& joint = problem.joints.joints[static_cast<std::size_t>(problem.joints.joint[j])];
    EXPECT_GT(moved[j].norm(), 0);
    EXPECT_LE(moved[j].norm(), 0.03 * joint.shortest * (1 + 1e-9));
  }
}

TEST(JointSolver, AHarderMaterialMovesLess) {
  JointSolverOptions options = exact();
  JointSolver soft = test::checked(JointSolver::create(bent_tube(12).problem, options));
  options.material = {1, 1, 1e4, 1};
  JointSolver hard = test::checked(JointSolver::create(bent_tube(12).problem, options));
  for (int n = 0; n < 5; ++n) {
    soft.step();
    hard.step();
  }
  EXPECT_LT(hard.displacements()[2].norm(), 0.2 * soft.displacements()[2].norm());
}

TEST(JointSolver, PuttingJointsBackIsNoChange) {
  JointSolver solver = test::checked(JointSolver::create(bent_tube(6).problem, exact()));
  const double given = solver.arap();
  for (int n = 0; n < 4; ++n) solver.step();
  const double now = solver.arap();
  EXPECT_NEAR(solver.arap_without(std::vector<int>{0, 1, 2, 3}), given, 1e-10);
  EXPECT_GT(solver.arap_without(std::vector<int>{2}), now);
  EXPECT_EQ(solver.arap(), now);
}

TEST(JointSolver, AMirrorKeepsBothSidesImagesOfEachOther) {
  MadeJoints made = bent_tube(10);
  const auto given = [&](std::size_t j) {
    return made.problem.joints.joints[static_cast<std::size_t>(made.problem.joints.joint[j])].place;
  };
  Mirror mirror;
  mirror.axis = 1;
  mirror.bone = {3, 2, 1, 0};
  mirror.offset = (given(1).y() + given(2).y()) / 2 + 0.01;
  JointSolverOptions options = exact();
  options.mirror = mirror;
  JointSolver solver = test::checked(JointSolver::create(made.problem, options));
  double before = solver.energy();
  for (int n = 0; n < 6; ++n) {
    solver.step();
    EXPECT_LE(solver.energy(), before + 1e-14);
    before = solver.energy();
  }
  const std::vector<Vec3> moved = solver.displacements();
  const auto place = [&](std::size_t j) { return Vec3(given(j) + moved[j]); };
  Vec3 image = place(2);
  image.y() = 2 * mirror.offset - image.y();
  EXPECT_LT((place(1) - image).norm(), 1e-12);
  EXPECT_GT(moved[1].norm(), 0.005) << "by as much as the plane was beside the middle";
}

TEST(JointSolver, AMirrorMovesNothingFartherThanItMayGo) {
  MadeJoints made = bent_tube(10);
  JointSolverOptions options = exact();
  options.mirror.emplace();
  options.mirror->axis = 2;
  options.mirror->bone = {0, 1, 2, 3};  // each its own image: all belong into the plane
  options.mirror->offset = 0.01;
  const auto moved_rel = [&](double most) {
    options.max_displacement_rel = most;
    JointSolver solver = test::checked(JointSolver::create(made.problem, options));
    for (int n = 0; n < 6; ++n) solver.step();
    double farthest = 0;
    const std::vector<Vec3> moved = solver.displacements();
    for (std::size_t j = 0; j < moved.size(); ++j) {
      const auto joint = static_cast<std::size_t>(made.problem.joints.joint[j]);
      farthest = std::max(farthest, moved[j].norm() / made.problem.joints.joints[joint].shortest);
    }
    return farthest;
  };
  EXPECT_EQ(moved_rel(0), 0);
  for (const double most : {0.01, 0.05, 0.2}) {
    const double farthest = moved_rel(most);
    EXPECT_GT(farthest, 0) << most;
    EXPECT_LE(farthest, most * (1 + 1e-12)) << most;
  }
}

TEST(JointSolver, RefusesWhatIsNotOfItsBones) {
  JointSolverOptions options;
  options.locked = {true};
  EXPECT_EQ(JointSolver::create(bent_tube(2).problem, options).error().place, "options.locked");
  options = {};
  options.epsilon1 = 0;
  EXPECT_FALSE(JointSolver::create(bent_tube(2).problem, options).ok());
  JointProblem problem = bent_tube(2).problem;
  problem.skin.exemplars.clear();
  EXPECT_FALSE(JointSolver::create(std::move(problem)).ok());
}

}  // namespace
}  // namespace sinew
