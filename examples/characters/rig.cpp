// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/rig.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace sinew::sculpt {
namespace {

constexpr double kRadPerDeg = std::numbers::pi / 180;

Affine3 rest_frame(const BoneSpec& spec) {
  const Vec3 y = (spec.tail - spec.head).normalized();
  const Vec3 x = y.cross(spec.bends_toward).normalized();
  Affine3 frame;
  frame.linear().col(0) = x;
  frame.linear().col(1) = y;
  frame.linear().col(2) = x.cross(y);
  frame.translation() = spec.head;
  return frame;
}

Vec3 mirrored(const Vec3& v) { return {-v.x(), v.y(), v.z()}; }

std::string to_right(const std::string& name) {
  return name.ends_with(".L") ? name.substr(0, name.size() - 1) + "R" : name;
}

}  // namespace

int Rig::add(const BoneSpec& spec) {
  Bone bone;
  bone.name = spec.name;
  bone.parent = spec.parent.empty() ? -1 : find(spec.parent);
  assert(spec.parent.empty() || bone.parent >= 0);
  bone.rest = rest_frame(spec);
  bone.tail = spec.tail;
  bone.limits.roll_deg = spec.flex_deg;
  bone.limits.twist_deg = spec.twist_deg;
  if (spec.hinge) bone.limits.roll_axis = Vec3::UnitX();
  bone.deforms = true;
  bone.source_node = static_cast<int>(bones_.size());
  bones_.push_back(bone);
  specs_.push_back(spec);
  return bone.source_node;
}

void Rig::mirror_left_to_right() {
  const std::size_t count = specs_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!specs_[i].name.ends_with(".L")) continue;
    BoneSpec right = specs_[i];
    right.name = to_right(right.name);
    right.parent = to_right(right.parent);
    right.head = mirrored(right.head);
    right.tail = mirrored(right.tail);
    right.bends_toward = mirrored(right.bends_toward);
    right.twist_deg = {-right.twist_deg.max, -right.twist_deg.min};
    add(right);
  }
}

int Rig::find(std::string_view name) const {
  const auto it = std::find_if(bones_.begin(), bones_.end(),
                               [&](const Bone& bone) { return bone.name == name; });
  return it == bones_.end() ? -1 : static_cast<int>(it - bones_.begin());
}

std::vector<Node> Rig::nodes() const {
  std::vector<Node> nodes;
  nodes.reserve(bones_.size());
  for (const Bone& bone : bones_) {
    Affine3 local = bone.rest;
    if (bone.parent >= 0)
      local = bones_[static_cast<std::size_t>(bone.parent)].rest.inverse(Eigen::Isometry) * local;
    Node node;
    node.name = bone.name;
    node.parent = bone.parent;
    node.local.translation = local.translation();
    node.local.rotation = Quat(local.linear()).normalized();
    nodes.push_back(node);
  }
  return nodes;
}

ClipWriter::ClipWriter(const Rig& rig, std::string name, double duration_s, int key_count)
    : rig_(rig), nodes_(rig.nodes()) {
  clip_.name = std::move(name);
  clip_.end_s = duration_s;
  for (int key = 0; key < key_count; ++key) times_.push_back(duration_s * key / (key_count - 1));
}

Channel ClipWriter::channel(std::string_view bone, ChannelPath path, int width) const {
  Channel result;
  result.node = rig_.find(bone);
  assert(result.node >= 0);
  result.path = path;
  result.width = width;
  result.times = times_;
  return result;
}

void ClipWriter::turn(std::string_view bone, const std::function<Motion(double)>& motion) {
  Channel result = channel(bone, ChannelPath::rotation, 4);
  const Quat rest = nodes_[static_cast<std::size_t>(result.node)].local.rotation;
  Quat previous = rest;
  for (const double time : times_) {
    const Motion m = motion(time / clip_.end_s);
    const auto about = [](double deg, const Vec3& axis) {
      return Quat(Eigen::AngleAxisd(deg * kRadPerDeg, axis));
    };
    Quat q = rest * about(m.sway_deg, Vec3::UnitZ()) * about(m.flex_deg, Vec3::UnitX()) *
             about(m.twist_deg, Vec3::UnitY());
    q.normalize();
    if (q.dot(previous) < 0) q.coeffs() = -q.coeffs();
    result.values.insert(result.values.end(), {q.x(), q.y(), q.z(), q.w()});
    previous = q;
  }
  clip_.channels.push_back(std::move(result));
}

void ClipWriter::shift(std::string_view root_bone, const std::function<Vec3(double)>& offset) {
  Channel result = channel(root_bone, ChannelPath::translation, 3);
  const Node& node = nodes_[static_cast<std::size_t>(result.node)];
  assert(node.parent < 0);
  for (const double time : times_) {
    const Vec3 t = node.local.translation + offset(time / clip_.end_s);
    result.values.insert(result.values.end(), {t.x(), t.y(), t.z()});
  }
  clip_.channels.push_back(std::move(result));
}

double ease(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace sinew::sculpt
