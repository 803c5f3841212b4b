// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/animation.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sinew {
namespace {

NodeTree chain() {
  Node root, child;
  root.name = "root";
  child.name = "child";
  child.parent = 0;
  child.local.translation = Vec3(0, 1, 0);
  return *make_node_tree({root, child});
}

Clip clip_of(Channel channel) {
  Clip clip;
  clip.start_s = channel.times.front();
  clip.end_s = channel.times.back();
  clip.channels = {std::move(channel)};
  return clip;
}

Channel rotation_about_z(std::vector<double> times, const std::vector<double>& angles_rad) {
  Channel channel;
  channel.node = 0;
  channel.path = ChannelPath::rotation;
  channel.width = 4;
  channel.times = std::move(times);
  for (const double a : angles_rad)
    for (const double q : {0.0, 0.0, std::sin(a / 2), std::cos(a / 2)}) channel.values.push_back(q);
  return channel;
}

double angle_at(const Clip& clip, double time_s) {
  const Quat q = sample_clip(chain(), clip, time_s).nodes[0].local.rotation;
  return 2 * std::atan2(q.z(), q.w());
}

TEST(SampleClip, RotationsTurnAtConstantSpeed) {
  const Clip clip = clip_of(rotation_about_z({1, 3}, {0, 2}));
  for (const double s : {0.0, 0.25, 0.5, 0.9, 1.0})
    EXPECT_NEAR(angle_at(clip, 1 + 2 * s), 2 * s, 1e-12);
}

TEST(SampleClip, RotationsGoTheShortWayRound) {
  Channel channel = rotation_about_z({0, 1}, {0.1, -0.1});
  for (std::size_t i = 4; i < 8; ++i)
    channel.values[i] = -channel.values[i];  // the same rotation, the other sign
  EXPECT_NEAR(angle_at(clip_of(channel), 0.5), 0, 1e-12);
}

TEST(SampleClip, BeforeTheFirstKeyAndAfterTheLastItStandsStill) {
  const Clip clip = clip_of(rotation_about_z({1, 2}, {0.5, 1.5}));
  EXPECT_NEAR(angle_at(clip, -100), 0.5, 1e-12);
  EXPECT_NEAR(angle_at(clip, 100), 1.5, 1e-12);
}

TEST(SampleClip, StepsJumpAtTheirKeys) {
  Channel channel;
  channel.node = 1;
  channel.interpolation = Interpolation::step;
  channel.times = {0, 1};
  channel.values = {1, 0, 0, 2, 0, 0};
  const Clip clip = clip_of(channel);
  EXPECT_EQ(sample_clip(chain(), clip, 0.999).nodes[1].local.translation.x(), 1);
  EXPECT_EQ(sample_clip(chain(), clip, 1).nodes[1].local.translation.x(), 2);
}

TEST(SampleClip, ACubicSplineReproducesACubic) {
  // x(t) = t^3 - 2t on keys at 0, 1 and 3 with its own tangents.
  const auto value = [](double t) { return t * t * t - 2 * t; };
  const auto slope = [](double t) { return 3 * t * t - 2; };
  Channel channel;
  channel.node = 1;
  channel.interpolation = Interpolation::cubic_spline;
  channel.times = {0, 1, 3};
  for (const double t : channel.times)
    for (const double v : {slope(t), 0.0, 0.0, value(t), 0.0, 0.0, slope(t), 0.0, 0.0})
      channel.values.push_back(v);
  const Clip clip = clip_of(channel);
  for (double t = 0; t <= 3; t += 0.1)
    EXPECT_NEAR(sample_clip(chain(), clip, t).nodes[1].local.translation.x(), value(t), 1e-12);
}

TEST(SampleClip, ANodeStoredAsAMatrixKeepsWhatTheClipDoesNotSay) {
  NodeTree tree = chain();
  Affine3 matrix;
  matrix.linear() =
      Eigen::AngleAxisd(0.3, Vec3::UnitY()).toRotationMatrix() * Vec3(2, 3, 4).asDiagonal();
  matrix.translation() = Vec3(7, 8, 9);
  tree.nodes[1].local.matrix = matrix;
  Channel channel;
  channel.node = 1;
  channel.times = {0};
  channel.values = {1, 2, 3};
  const NodeTree posed = sample_clip(tree, clip_of(channel), 0);
  EXPECT_TRUE(posed.nodes[1].local.to_affine().linear().isApprox(matrix.linear(), 1e-12));
  EXPECT_EQ(posed.nodes[1].local.to_affine().translation(), Vec3(1, 2, 3));
}

TEST(NodeTree, WorldTransformsFollowTheParents) {
  NodeTree tree = chain();
  tree.nodes[0].local.rotation = Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()));
  tree.nodes[0].local.scale = Vec3::Constant(2);
  EXPECT_LT((tree.world_transforms()[1].translation() - Vec3(-2, 0, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace sinew
