// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/spine_motions.h"

#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "math/random.h"
#include "support/deform_scene.h"
#include "support/mesh_zoo.h"
#include "support/spine_problems.h"

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Of points around a spine of length one, how far they are at most from where it takes them.
double largest_error(double angle_rad) {
  Random random(3);
  const SpineRest rest{{0, 0, 0}, {0, 1, 0}};
  double largest = 0;
  for (int motion_number = 0; motion_number < 20; ++motion_number) {
    const SpineMotion motion{test::random_rigid(static_cast<unsigned>(motion_number)),
                             Vec3(random.normal(), random.normal(), random.normal()).normalized(),
                             angle_rad, random.uniform(0.5, 4)};
    for (int step = 0; step <= 200; ++step) {
      const double u = step / 200.0;
      const Vec3 point(random.uniform(-0.3, 0.3), u, random.uniform(-0.3, 0.3));
      const SpineCoefficients coefficients = spine_coefficients(u);
      Vec3 mixed = Vec3::Zero();
      for (std::size_t n = 0; n < kSpineNodes; ++n)
        mixed += coefficients[n] * (spine_transform(rest, motion, spine_node(n)) * point);
      largest = std::max(largest, (mixed - spine_transform(rest, motion, u) * point).norm());
    }
  }
  return largest;
}

TEST(SpineMotions, MixedMotionsAreTheSpinesToWithinWhatTheHeaderSays) {
  EXPECT_LE(largest_error(0), 1e-14) << "stretch alone is linear in u";
  EXPECT_LE(largest_error(30 * kDegree), 2e-10);
  EXPECT_LE(largest_error(60 * kDegree), 2e-8);
  EXPECT_LE(largest_error(-60 * kDegree), 2e-8);
  EXPECT_LE(largest_error(150 * kDegree), 1e-5);
  EXPECT_LE(largest_error(360 * kDegree), 4e-3);
}

TEST(SpineMotions, CoefficientsSumToOneAndChooseOneMotionAtItsNode) {
  for (int step = 0; step <= 1000; ++step) {
    const SpineCoefficients at = spine_coefficients(step / 1000.0);
    EXPECT_NEAR(std::accumulate(at.begin(), at.end(), 0.0), 1, 1e-14);
  }
  for (std::size_t n = 0; n < kSpineNodes; ++n) {
    SpineCoefficients only{};
    only[n] = 1;
    EXPECT_EQ(spine_coefficients(spine_node(n)), only);
  }
  EXPECT_EQ(spine_node(0), 0);
  EXPECT_EQ(spine_node(kSpineNodes - 1), 1);
}

TEST(SpineMotions, ProblemMovesPointsOfTheUnitFrameAsTheSpineMovesTheModel) {
  MeshData data = test::limb_data();
  const auto placed = [](const Vec3& point) { return Vec3(300 * point + Vec3(1000, -50, 7)); };
  for (Vec3& position : data.positions) position = placed(position);
  const PreparedMesh prepared = prepare_mesh(test::make_mesh(std::move(data)));
  const std::vector<Vec3>& positions = prepared.welded.mesh.positions();
  const SpineBone attached =
      test::attached_to(1, {placed({0, 0.5, 0}), placed({0, 1.5, 0})}, positions);
  InfluenceMaps maps;
  maps.bone_count = 2;
  std::vector<SampledPose> poses(4);
  for (unsigned x = 0; x < 4; ++x) {
    poses[x].transforms = {test::random_rigid(x), test::random_rigid(x + 10)};
    if (x == 3) continue;  // says nothing of spines
    poses[x].spines.resize(2);
    poses[x].spines[0].base = poses[x].transforms[0];
    poses[x].spines[1] = {poses[x].transforms[1], Vec3(1, x, 2).normalized(), 0.3 * x, 1.0 + x};
  }
  const WeightProblem problem = make_weight_problem(prepared, maps, poses, {&attached, 1});
  ASSERT_EQ(problem.spines.size(), 1u);
  EXPECT_EQ(spine_of_bones(problem), (std::vector<int>{-1, 0}));
  const ProblemSpine& spine = problem.spines[0];
  for (std::size_t x = 0; x < 4; ++x) {
    ASSERT_EQ(problem.exemplars[x].size(), motion_count(problem));
    const SpineMotion motion =
        x < 3 ? poses[x].spines[1] : SpineMotion{.base = poses[x].transforms[1]};
    for (std::size_t v = 0; v < positions.size(); v += 5) {
      const double u = attached.parameters[v];
      const Vec3 expected =
          prepared.frame.from_model(spine_transform(attached.rest, motion, u) * positions[v]);
      Vec3 mixed = Vec3::Zero();
      for (std::size_t n = 0; n < kSpineNodes; ++n)
        mixed += spine.coefficients[v][n] *
                 (problem.exemplars[x][first_motion(problem, 0) + n] * problem.positions[v]);
      EXPECT_LT((mixed - expected).norm(), 1e-9);
      EXPECT_LT((spine_jacobian(spine.attached.rest, spine.motions[x], u, problem.positions[v],
                                spine.attached.gradients[v]) -
                 spine_jacobian(attached.rest, motion, u, positions[v], attached.gradients[v]))
                    .norm(),
                1e-11)
          << "gradients are per length";
    }
  }
}

}  // namespace
}  // namespace sinew
