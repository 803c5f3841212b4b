// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/capsule_arm.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::test {
namespace {

constexpr double kBoneLength = 0.3;
constexpr double kTip = 0.75;
constexpr double kPi = std::numbers::pi;

Mesh capsule(const CapsuleArm& options) {
  constexpr int kCapRings = 6;
  const double shaft = kTip - options.radius;
  std::vector<std::pair<double, double>> profile;  // x and radius
  for (int r = 1; r <= kCapRings; ++r) {
    const double angle = kPi / 2 * r / kCapRings;
    profile.emplace_back(-options.radius * std::cos(angle), options.radius * std::sin(angle));
  }
  const int rings = static_cast<int>(options.rings_per_bone * shaft / kBoneLength);
  for (int r = 1; r <= rings; ++r) profile.emplace_back(shaft * r / rings, options.radius);
  for (int r = 1; r < kCapRings; ++r) {
    const double angle = kPi / 2 * r / kCapRings;
    profile.emplace_back(shaft + options.radius * std::sin(angle),
                         options.radius * std::cos(angle));
  }
  MeshData data;
  const auto around = static_cast<VertexIndex>(options.around);
  for (const auto& [x, radius] : profile)
    for (VertexIndex a = 0; a < around; ++a) {
      const double angle = 2 * kPi * a / options.around;
      data.positions.push_back({x, radius * std::cos(angle), radius * std::sin(angle)});
    }
  for (VertexIndex r = 0; r + 1 < profile.size(); ++r)
    for (VertexIndex a = 0; a < around; ++a) {
      const VertexIndex i = r * around + a, j = r * around + (a + 1) % around;
      data.triangles.push_back({i, j, j + around});
      data.triangles.push_back({i, j + around, i + around});
    }
  const auto first = static_cast<VertexIndex>(data.positions.size());
  data.positions.push_back({-options.radius, 0, 0});
  data.positions.push_back({kTip, 0, 0});
  const auto last = static_cast<VertexIndex>((profile.size() - 1) * around);
  for (VertexIndex a = 0; a < around; ++a) {
    data.triangles.push_back({first, (a + 1) % around, a});
    data.triangles.push_back({first + 1, last + a, last + (a + 1) % around});
  }
  return *Mesh::create(std::move(data));
}

SkinWeights smooth_weights(const Mesh& mesh, double width) {
  std::vector<std::vector<Influence>> rows;
  for (const Vec3& point : mesh.positions()) {
    const auto past = [&](double joint) {
      const double t = std::clamp((point.x() - joint) / (2 * width) + 0.5, 0.0, 1.0);
      return t * t * (3 - 2 * t);
    };
    const double fore = past(kBoneLength), hand = past(2 * kBoneLength);
    std::vector<Influence> row;
    if (fore < 1) row.push_back({kArm, 1 - fore});
    if (fore > 0 && hand < 1) row.push_back({kForeArm, fore - hand});
    if (hand > 0) row.push_back({kHand, hand});
    rows.push_back(std::move(row));
  }
  return SkinWeights::from_rows(3, rows);
}

Channel keys(int node, ChannelPath path, Interpolation interpolation,
             const std::vector<std::vector<double>>& values) {
  Channel channel;
  channel.node = node;
  channel.path = path;
  channel.interpolation = interpolation;
  channel.width = static_cast<int>(values[0].size());
  channel.times = {0, static_cast<double>(0.4F), 1};
  for (const std::vector<double>& value : values) {
    const std::vector<double> flat(value.size(), 0.0);
    if (interpolation == Interpolation::cubic_spline)
      channel.values.insert(channel.values.end(), flat.begin(), flat.end());
    channel.values.insert(channel.values.end(), value.begin(), value.end());
    if (interpolation == Interpolation::cubic_spline)
      channel.values.insert(channel.values.end(), flat.begin(), flat.end());
  }
  return channel;
}

}  // namespace

Character capsule_arm(const CapsuleArm& options) {
  Character character;
  character.name = "arm";
  character.mesh = capsule(options);
  character.parts = {{"arm", 0, character.mesh.vertex_count()}};
  character.weights = smooth_weights(character.mesh, options.radius);

  const char* const names[] = {"Arm", "ForeArm", "Hand"};
  std::vector<Node> nodes(4);
  nodes[0].name = "Armature";
  nodes[0].local.scale = Vec3::Constant(options.scale);
  std::vector<Bone> bones(3);
  Affine3 world = nodes[0].local.to_affine();
  for (int b = 0; b < 3; ++b) {
    const auto i = static_cast<std::size_t>(b);
    Node& node = nodes[i + 1];
    node.name = names[b];
    node.parent = b;
    node.local.rotation = options.turn;
    node.local.translation = world.inverse(Eigen::Affine) * Vec3(b * kBoneLength, 0, 0);
    world = world * node.local.to_affine();
    bones[i].name = names[b];
    bones[i].parent = b - 1;
    bones[i].rest = world;
    bones[i].source_node = b + 1;
  }
  bones[kHand].tail = Vec3(kTip, 0, 0);
  character.skeleton = *Skeleton::create(std::move(bones));

  // The clip speaks of model axes; the hand's node has those of its parent.
  const Node& hand = nodes[kHand + 1];
  const Affine3& fore_rest = character.skeleton.bone(kForeArm).rest;
  const Quat model_from_parent =
      Quat(Eigen::Matrix3d(fore_rest.linear() / options.scale)).normalized();
  Clip clip{"Twist", {}, 0, 1};
  std::vector<std::vector<double>> turns, places;
  for (const double part : {0.0, 1.0 / 3, 1.0}) {
    const Quat moved(Eigen::AngleAxisd(part * options.hand_bend_deg / 180 * kPi, Vec3::UnitZ()) *
                     Eigen::AngleAxisd(part * options.hand_twist_deg / 180 * kPi, Vec3::UnitX()));
    const Quat local =
        model_from_parent.conjugate() * moved * model_from_parent * hand.local.rotation;
    turns.push_back({local.x(), local.y(), local.z(), local.w()});
    const Vec3 place = hand.local.translation * (1 + part * (options.hand_stretch - 1));
    places.push_back({place.x(), place.y(), place.z()});
  }
  clip.channels.push_back(keys(kHand + 1, ChannelPath::rotation, options.interpolation, turns));
  if (options.hand_stretch != 1)
    clip.channels.push_back(
        keys(kHand + 1, ChannelPath::translation, options.interpolation, places));
  character.clips.push_back(std::move(clip));
  auto tree = make_node_tree(std::move(nodes));
  character.nodes = *std::move(tree);
  return character;
}

}  // namespace sinew::test
