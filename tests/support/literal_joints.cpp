// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/literal_joints.h"

#include <Eigen/LU>

#include "support/literal_araplbs.h"

namespace sinew::test {
namespace {

Vec3 blended(const WeightProblem& skin, const std::vector<Affine3>& motions, std::size_t vertex) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t b = skin.maps.begin[vertex]; b < skin.maps.begin[vertex + 1]; ++b)
    sum += skin.maps.weights[b] * (motions[skin.maps.bones[b]] * skin.positions[vertex]);
  return sum;
}

template <class Visit>
void for_each_edge(const WeightProblem& skin, const Visit& visit) {
  for (std::size_t i = 0; i < skin.positions.size(); ++i)
    for (std::size_t n = 0; n < skin.graph.neighbours_of(i).size(); ++n)
      visit(i, static_cast<std::size_t>(skin.graph.neighbours_of(i)[n]),
            skin.graph.edge_measures_of(i)[n]);
}

Eigen::Index at(int index) { return 3 * static_cast<Eigen::Index>(index); }

}  // namespace

Eigen::MatrixXd literal_relation(const JointProblem& problem, std::size_t exemplar) {
  const SkeletonJoints& skeleton = problem.joints;
  const auto bones = static_cast<Eigen::Index>(skeleton.bone_count());
  const auto joints = static_cast<Eigen::Index>(skeleton.joints.size());
  const auto components = static_cast<Eigen::Index>(skeleton.component_count);
  const std::vector<Affine3>& motions = problem.skin.exemplars[exemplar];
  Eigen::MatrixXd left = Eigen::MatrixXd::Zero(3 * bones, 3 * bones);
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(3 * bones, 3 * (joints + components));
  Eigen::Index row = 0;
  for (int j = 0; j < static_cast<int>(bones); ++j) {  // Eq. 10
    const int parent = skeleton.parent[static_cast<std::size_t>(j)];
    if (parent < 0) continue;
    left.block<3, 3>(row, at(j)).setIdentity();
    left.block<3, 3>(row, at(parent)) = -Eigen::Matrix3d::Identity();
    right.block<3, 3>(row, at(skeleton.joint[static_cast<std::size_t>(j)])) =
        motions[static_cast<std::size_t>(parent)].linear() -
        motions[static_cast<std::size_t>(j)].linear();
    row += 3;
  }
  for (int c = 0; c < static_cast<int>(components); ++c) {  // Eq. 11
    double count = 0;
    for (const int component : skeleton.component) count += component == c ? 1 : 0;
    for (int j = 0; j < static_cast<int>(bones); ++j)
      if (skeleton.component[static_cast<std::size_t>(j)] == c)
        left.block<3, 3>(row, at(j)) = Eigen::Matrix3d::Identity() / count;
    right.block<3, 3>(row, 3 * joints + at(c)).setIdentity();
    row += 3;
  }
  return left.partialPivLu().solve(right);
}

std::vector<std::vector<Eigen::Matrix3d>> literal_rotations(
    const JointProblem& problem, const std::vector<std::vector<Affine3>>& exemplars) {
  const WeightProblem& skin = problem.skin;
  std::vector<std::vector<Eigen::Matrix3d>> rotations;
  for (const std::vector<Affine3>& motions : exemplars) {
    std::vector<Eigen::Matrix3d> sums(skin.positions.size(), Eigen::Matrix3d::Zero());
    for_each_edge(skin, [&](std::size_t i, std::size_t k, double measure) {
      sums[i] += measure * (blended(skin, motions, k) - blended(skin, motions, i)) *
                 (skin.positions[k] - skin.positions[i]).transpose();
    });
    std::vector<Eigen::Matrix3d>& of_pose = rotations.emplace_back();
    for (const Eigen::Matrix3d& sum : sums) of_pose.push_back(rotation_by_svd(sum));
  }
  return rotations;
}

double literal_energy(const JointProblem& problem,
                      const std::vector<std::vector<Affine3>>& exemplars,
                      const std::vector<std::vector<Eigen::Matrix3d>>& rotations) {
  const WeightProblem& skin = problem.skin;
  double sum = 0;
  for (std::size_t x = 0; x < exemplars.size(); ++x)
    for_each_edge(skin, [&](std::size_t i, std::size_t k, double measure) {
      const Vec3 deformed = blended(skin, exemplars[x], k) - blended(skin, exemplars[x], i);
      sum += measure *
             (deformed - rotations[x][i] * (skin.positions[k] - skin.positions[i])).squaredNorm();
    });
  return sum;
}

LiteralJoints literal_joints(const JointProblem& problem) {
  const WeightProblem& skin = problem.skin;
  LiteralJoints result;
  result.joints = problem.joints.joints.size();
  result.components = problem.joints.component_count;
  const auto joints = static_cast<Eigen::Index>(3 * result.joints);
  const auto components = static_cast<Eigen::Index>(3 * result.components);
  const auto exemplars = static_cast<Eigen::Index>(skin.exemplars.size());
  const Eigen::Index size = joints + exemplars * components;
  result.quadratic = Eigen::MatrixXd::Zero(size, size);
  result.linear = Eigen::VectorXd::Zero(size);
  const auto rotations = literal_rotations(problem, skin.exemplars);
  result.constant = literal_energy(problem, skin.exemplars, rotations);
  for (std::size_t x = 0; x < skin.exemplars.size(); ++x) {
    const Eigen::MatrixXd relation = literal_relation(problem, x);
    Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(joints + components, size);
    spread.topLeftCorner(joints, joints).setIdentity();
    spread.block(joints, joints + static_cast<Eigen::Index>(x) * components, components, components)
        .setIdentity();
    Eigen::MatrixXd quadratic = Eigen::MatrixXd::Zero(joints + components, joints + components);
    Eigen::VectorXd linear = Eigen::VectorXd::Zero(joints + components);
    for_each_edge(skin, [&](std::size_t i, std::size_t k, double measure) {
      Eigen::MatrixXd omega = Eigen::MatrixXd::Zero(3, joints + components);
      const auto add = [&](std::size_t vertex, double sign) {
        for (std::size_t b = skin.maps.begin[vertex]; b < skin.maps.begin[vertex + 1]; ++b)
          omega += sign * skin.maps.weights[b] *
                   relation.middleRows<3>(at(static_cast<int>(skin.maps.bones[b])));
      };
      add(k, 1);
      add(i, -1);
      const Vec3 deformed =
          blended(skin, skin.exemplars[x], k) - blended(skin, skin.exemplars[x], i);
      const Vec3 wanted = rotations[x][i] * (skin.positions[k] - skin.positions[i]) - deformed;
      quadratic += measure * omega.transpose() * omega;
      linear += measure * omega.transpose() * wanted;
    });
    result.quadratic += spread.transpose() * quadratic * spread;
    result.linear += spread.transpose() * linear;
  }
  return result;
}

}  // namespace sinew::test
