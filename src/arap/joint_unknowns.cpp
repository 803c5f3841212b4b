// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/joint_unknowns.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr int kMostSweeps = 200;      // of blocks in turn; joints hardly push each other
constexpr double kStaysRel = 1e-9;    // of a radius: blocks that move less have settled
constexpr int kMostBisections = 100;  // of a double

/// The joint that is the image of each; -1 for none. Joints whose bones disagree have none.
std::vector<int> images_of(const SkeletonJoints& skeleton, const Mirror& mirror) {
  constexpr int kUnknown = -2;
  std::vector<int> image(skeleton.joints.size(), kUnknown);
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
    int& of_joint = image[static_cast<std::size_t>(skeleton.joint[j])];
    if (!skeleton.deforms[j]) continue;
    const int bone = mirror.bone[j];
    const int found = bone < 0 ? -1 : skeleton.joint[static_cast<std::size_t>(bone)];
    of_joint = of_joint == kUnknown || of_joint == found ? found : -1;
  }
  for (std::size_t k = 0; k < image.size(); ++k)
    if (image[k] < 0 || image[static_cast<std::size_t>(image[k])] != static_cast<int>(k))
      image[k] = -1;
  return image;
}

/// From a joint to half way between it and the image of another.
Vec3 way_to_middle(const Vec3& place, const Vec3& other, const Mirror& mirror) {
  Vec3 reflected = other;
  reflected[mirror.axis] = 2 * mirror.offset - reflected[mirror.axis];
  return (reflected - place) / 2;
}

/// Joints that may not go as far as to where they would be symmetric are on their own. Where one of
/// them is held, both are.
void part_if_too_far(const SkeletonJoints& skeleton, const JointSolverOptions& options,
                     const std::vector<bool>& is_held, std::vector<int>& image) {
  for (std::size_t k = 0; k < image.size(); ++k) {
    if (image[k] < 0) continue;
    const auto other = static_cast<std::size_t>(image[k]);
    if (is_held[k] || is_held[other]) continue;
    const Joint &joint = skeleton.joints[k], &across = skeleton.joints[other];
    const double way = way_to_middle(joint.place, across.place, *options.mirror).norm();
    if (way <= options.max_displacement_rel * std::min(joint.shortest, across.shortest)) continue;
    image[k] = image[other] = -1;
  }
}

/// The least of yᵀ A y − 2 cᵀ y with |y| ≤ radius: A + λ I with the smallest λ that does.
Eigen::VectorXd least_in_ball(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& eigen,
                              const Eigen::VectorXd& linear, double radius) {
  const Eigen::VectorXd along = eigen.eigenvectors().transpose() * linear;
  const auto at = [&](double lambda) {
    return Eigen::VectorXd(along.array() / (eigen.eigenvalues().array() + lambda));
  };
  Eigen::VectorXd y = at(0);
  if (y.norm() > radius) {
    double low = 0;
    double high = radius > 0 ? along.norm() / radius : 0;
    for (int n = 0; n < kMostBisections && low < high; ++n) {
      const double middle = (low + high) / 2;
      if (middle == low || middle == high) break;
      (at(middle).norm() > radius ? low : high) = middle;
    }
    y = radius > 0 ? at(high) : Eigen::VectorXd(Eigen::VectorXd::Zero(along.size()));
  }
  return eigen.eigenvectors() * y;
}

}  // namespace

JointUnknowns::JointUnknowns(const SkeletonJoints& skeleton, const JointSolverOptions& options) {
  const std::size_t count = skeleton.joints.size();
  std::vector<bool> is_held(count, options.joints == JointSolverOptions::Joints::fixed);
  for (std::size_t k = 0; k < count; ++k)
    if (!skeleton.joints[k].deforms || !(skeleton.joints[k].shortest > 0)) is_held[k] = true;
  if (!options.locked.empty())
    for (std::size_t j = 0; j < skeleton.bone_count(); ++j)
      if (options.locked[j]) is_held[static_cast<std::size_t>(skeleton.joint[j])] = true;
  std::vector<int> image(count, -1);
  if (options.mirror) {
    image = images_of(skeleton, *options.mirror);
    part_if_too_far(skeleton, options, is_held, image);
  }

  std::vector<Eigen::VectorXd> columns;
  const auto size = static_cast<Eigen::Index>(3 * count);
  offset_ = Eigen::VectorXd::Zero(size);
  for (std::size_t k = 0; k < count; ++k) {
    const int other = image[k];
    const bool has_image = other >= 0 && other != static_cast<int>(k);
    // A joint whose image is locked stays too: one side must not move alone.
    if (is_held[k] ||
        (has_image && (other < static_cast<int>(k) || is_held[static_cast<std::size_t>(other)])))
      continue;
    const Joint& joint = skeleton.joints[k];
    const Joint& across = skeleton.joints[has_image ? static_cast<std::size_t>(other) : k];
    Block block;
    block.first = static_cast<Eigen::Index>(columns.size());
    block.length = std::min(joint.shortest, across.shortest);
    block.radius = options.max_displacement_rel * block.length;
    const auto at = static_cast<Eigen::Index>(3 * k);
    if (other >= 0) {
      const Vec3 to_middle = way_to_middle(joint.place, across.place, *options.mirror);
      block.radius -= to_middle.norm();
      offset_.segment<3>(at) = to_middle;
      if (has_image) {
        offset_.segment<3>(3 * other) = -to_middle;
        offset_[3 * other + options.mirror->axis] = to_middle[options.mirror->axis];
      }
    }
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const bool is_across = options.mirror && axis == options.mirror->axis;
      if (other == static_cast<int>(k) && is_across) continue;
      Eigen::VectorXd column = Eigen::VectorXd::Zero(size);
      column[at + axis] = 1;
      if (has_image) column[3 * other + axis] = is_across ? -1 : 1;
      columns.push_back(std::move(column));
      ++block.count;
    }
    blocks_.push_back(block);
  }
  spread_.resize(size, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c)
    spread_.col(static_cast<Eigen::Index>(c)) = columns[c];
}

Eigen::VectorXd JointUnknowns::reduce(const Eigen::VectorXd& displacements) const {
  // The columns of S are orthogonal.
  Eigen::VectorXd y = (spread_.transpose() * (displacements - offset_)).array() /
                      spread_.colwise().squaredNorm().transpose().array();
  for (const Block& block : blocks_) {
    auto mine = y.segment(block.first, block.count);
    if (const double length = mine.norm(); length > block.radius) mine *= block.radius / length;
  }
  return y;
}

BoundedQuadratic::BoundedQuadratic(Eigen::MatrixXd matrix, std::vector<JointUnknowns::Block> blocks)
    : matrix_(std::move(matrix)), blocks_(std::move(blocks)), factor_(matrix_) {
  for (const JointUnknowns::Block& block : blocks_)
    of_blocks_.emplace_back(
        Eigen::MatrixXd(matrix_.block(block.first, block.first, block.count, block.count)));
}

Eigen::VectorXd BoundedQuadratic::solve(const Eigen::VectorXd& linear,
                                        const Eigen::VectorXd& now) const {
  if (matrix_.rows() == 0) return now;
  Eigen::VectorXd y = factor_.solve(linear);
  bool is_bounded = false;
  for (const JointUnknowns::Block& block : blocks_) {
    const double length = y.segment(block.first, block.count).norm();
    if (length <= block.radius) continue;
    y.segment(block.first, block.count) *= block.radius / length;
    is_bounded = true;
  }
  if (!is_bounded) return y;
  if (value(linear, y) > value(linear, now)) y = now;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved_rel = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const JointUnknowns::Block& block = blocks_[b];
      const auto mine = y.segment(block.first, block.count);
      const Eigen::VectorXd rest =
          linear.segment(block.first, block.count) -
          matrix_.middleRows(block.first, block.count) * y +
          matrix_.block(block.first, block.first, block.count, block.count) * mine;
      const Eigen::VectorXd best = least_in_ball(of_blocks_[b], rest, block.radius);
      if (block.radius > 0) moved_rel = std::max(moved_rel, (best - mine).norm() / block.radius);
      y.segment(block.first, block.count) = best;
    }
    if (moved_rel < kStaysRel) break;
  }
  return y;
}

}  // namespace sinew
