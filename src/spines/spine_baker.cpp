// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "spines/spine_baker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "math/affine.h"
#include "math/nearest_rotation.h"
#include "model/node_transforms.h"

namespace sinew {
namespace {

/// Keys are never set closer than this: at a half turn the axis of a spine flips, and no number of
/// keys follows that.
constexpr float kFinestStepS = 1.0F / 240;

/// A bone's own axis is taken for its direction within this angle in radians: below it, what a
/// float rotation can say.
constexpr double kAxisFitsRad = 1e-6;

/// Radians, and parts of the bone's length: what floats round away.
constexpr double kStillBelow = 1e-7;

/// T · R · S of a joint, which stretches along its own axes and never mirrors. On a bone that is
/// scaled unevenly there is shear besides: the rotation is the nearest one.
NodeTransform joint_transform(const Affine3& affine) {
  NodeTransform local;
  local.translation = affine.translation();
  local.rotation = Quat(nearest_rotation(affine.linear())).normalized();
  const Eigen::Matrix3d stretch = local.rotation.toRotationMatrix().transpose() * affine.linear();
  local.scale = stretch.diagonal();
  return local;
}

NodeTransform blend(const NodeTransform& a, const NodeTransform& b, double fraction) {
  NodeTransform mixed;
  mixed.translation = (1 - fraction) * a.translation + fraction * b.translation;
  mixed.rotation = a.rotation.slerp(fraction, b.rotation);
  mixed.scale = (1 - fraction) * a.scale + fraction * b.scale;
  return mixed;
}

/// The transform with a rigid motion of its parent's space before it.
NodeTransform carried(const Affine3& motion, NodeTransform local) {
  if (local.matrix) {
    local.matrix = motion * *local.matrix;
    return local;
  }
  local.translation = motion * local.translation;
  local.rotation = (Quat(nearest_rotation(motion.linear())) * local.rotation).normalized();
  return local;
}

/// Of what is baked from a clip: steps where the clip has nothing else.
Interpolation interpolation_of(const Clip& own) {
  const bool all_steps = std::ranges::all_of(own.channels, [](const Channel& channel) {
    return channel.interpolation == Interpolation::step;
  });
  return all_steps ? Interpolation::step : Interpolation::linear;
}

struct KeyTimes {
  std::set<float> all;
  std::set<float> before_jumps;  // the last moments before something jumps that stood still
};

KeyTimes key_times(const Clip& own, Interpolation baked) {
  KeyTimes times;
  for (const Channel& channel : own.channels)
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
      const auto time = static_cast<float>(channel.times[k]);
      times.all.insert(time);
      const bool jumps =
          channel.interpolation == Interpolation::step && baked != Interpolation::step;
      if (!jumps || k == 0 || !(time > 0)) continue;
      const float before_jump = std::nextafter(time, -std::numeric_limits<float>::infinity());
      times.all.insert(before_jump);
      times.before_jumps.insert(before_jump);
    }
  return times;
}

bool moves(const Clip& clip, int node) {
  return std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& channel) {
    return channel.node == node && channel.path != ChannelPath::morph_weights;
  });
}

}  // namespace

SpineBaker::SpineBaker(const Character& character, const SpineToWrite& spine)
    : spine_(spine), middles_(spine_joint_parameters(spine.joints)) {
  const Bone& bone = character.skeleton.bone(spine.bone);
  bone_rest_ = bone.rest;
  bone_from_model_ = inverse_or_translation(bone.rest);
  tree_.nodes.emplace_back();
  tree_.nodes[0].parent = -1;
  tree_.order.push_back(0);
  node_of_.push_back(bone.source_node);
  find_children(character, find_driving(character));
  trs_tree_ = tree_;
  for (Node& node : trs_tree_.nodes) node.local = as_trs(node.local);
  place_row();
}

std::map<int, Vec3> SpineBaker::find_driving(const Character& character) {
  std::vector<Bone> driving{character.skeleton.bone(spine_.bone)};
  driving[0].parent = -1;
  driving[0].kind = spine_.kind;
  driving[0].tail = spine_.segment.rest.tail;
  std::map<int, Vec3> heads;
  const auto add = [&](int index) {
    Bone child = character.skeleton.bone(index);
    driving_paths_.push_back(add_path(character.nodes.nodes, child.source_node));
    if (const auto& path = driving_paths_.back(); !path.empty())
      heads.try_emplace(node_of_[path.front()], child.head());
    child.parent = 0;
    child.kind = BoneKind::rigid;
    driving.push_back(std::move(child));
    return static_cast<int>(driving.size()) - 1;
  };
  SpineSegment segment{spine_.segment.rest, -1};
  if (spine_.segment.child >= 0) {
    segment.child = add(spine_.segment.child);
    for (const std::size_t at : driving_paths_[0]) chain_.push_back(node_of_[at]);
    if (spine_.kind == BoneKind::spine)
      for (const int beside : spine_.segment.beside) segment.beside.push_back(add(beside));
  }
  driving_segments_.resize(driving.size());
  driving_segments_[0] = std::move(segment);
  driving_ = *Skeleton::create(std::move(driving));  // all were checked before
  return heads;
}

void SpineBaker::find_children(const Character& character,
                               const std::map<int, Vec3>& heads_of_driving) {
  if (chain_.empty() || spine_.follows != SpineToWrite::Follows::spine) return;
  const std::vector<Node>& nodes = character.nodes.nodes;
  children_.push_back(chain_.front());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].parent == node_of_[0] && static_cast<int>(n) != chain_.front())
      children_.push_back(static_cast<int>(n));
  for (const int child : children_) {
    places_.push_back(add_path(nodes, child).front());
    const auto drives = heads_of_driving.find(child);
    drives_.push_back(drives != heads_of_driving.end());
    const auto bone = std::ranges::find(character.skeleton.bones(), child, &Bone::source_node);
    const Affine3 local = nodes[static_cast<std::size_t>(child)].local.to_affine();
    heads_.push_back(drives_.back() ? drives->second
                     : bone != character.skeleton.bones().end()
                         ? bone->head()
                         : Vec3(bone_rest_ * local.translation()));
  }
}

void SpineBaker::place_row() {
  const SpineRest& rest = spine_.segment.rest;
  const Vec3 along = bone_from_model_ * rest.tail - bone_from_model_ * rest.head;
  length_ = along.norm();
  const Vec3 direction = along / length_;
  Quat turn = Quat::Identity();
  if (direction.cwiseAbs().maxCoeff(&axis_) < 1 - kAxisFitsRad * kAxisFitsRad / 2) {
    axis_ = 1;
    turn = Quat::FromTwoVectors(Vec3::UnitY(), direction);
  }
  for (const double middle : middles_) {
    NodeTransform joint;
    joint.translation = bone_from_model_ * rest.head + middle * along;
    joint.rotation = turn;
    at_rest_.push_back(joint);
  }
}

std::size_t SpineBaker::add_node(const std::vector<Node>& nodes, int node, std::size_t parent) {
  if (const auto known = std::ranges::find(node_of_, node); known != node_of_.end())
    return static_cast<std::size_t>(known - node_of_.begin());
  Node added;
  added.local = nodes[static_cast<std::size_t>(node)].local;
  added.parent = static_cast<int>(parent);
  tree_.nodes.push_back(std::move(added));
  tree_.order.push_back(static_cast<int>(node_of_.size()));
  node_of_.push_back(node);
  return node_of_.size() - 1;
}

std::vector<std::size_t> SpineBaker::add_path(const std::vector<Node>& nodes, int to_node) {
  std::vector<int> path;
  for (int n = to_node; n >= 0 && n != node_of_[0]; n = nodes[static_cast<std::size_t>(n)].parent)
    path.insert(path.begin(), n);
  std::vector<std::size_t> places;
  for (const int node : path)
    places.push_back(add_node(nodes, node, places.empty() ? 0 : places.back()));
  return places;
}

std::vector<NodeTransform> SpineBaker::before(const NodeTree& posed) const {
  std::vector<NodeTransform> locals;
  for (std::size_t c = 0; c < children_.size(); ++c)
    locals.push_back(posed.nodes[places_[c]].local);
  return locals;
}

SpineMotion SpineBaker::motion_at(const NodeTree& posed, const Vec3& turn) const {
  std::vector<Affine3> transforms{Affine3::Identity()};
  for (const std::vector<std::size_t>& path : driving_paths_) {
    Affine3 bone_from_child = Affine3::Identity();
    for (const std::size_t at : path)
      bone_from_child = bone_from_child * posed.nodes[at].local.to_affine();
    const Affine3& rest = driving_.bones()[transforms.size()].rest;
    transforms.push_back(bone_rest_ * bone_from_child * inverse_or_translation(rest));
  }
  const std::size_t count = driving_.bone_count();
  PosedBones driven{std::move(transforms), std::vector<SpineMotion>(count)};
  std::vector<Vec3> turns(count, turn);
  drive_spines(driving_, {}, driving_segments_, std::vector<bool>(count, true), driven, &turns);
  SpineMotion motion = driven.spines[0];
  motion.base = Affine3::Identity();
  if (spine_.follows == SpineToWrite::Follows::twist) motion.stretch = 1;
  return motion;
}

SpineBaker::Played SpineBaker::play(const Clip& clip) const {
  Played played{own_channels(clip), clip.start_s, {}};
  Vec3 turn = Vec3::Zero();
  if (chain_.empty()) return played;
  for (const double time_s : turn_times(clip.start_s, clip.end_s)) {
    const SpineMotion motion = motion_at(sample_clip(trs_tree_, played.clip, time_s), turn);
    turn = motion.angle_rad * motion.axis;
    played.turns.push_back(turn);
  }
  return played;
}

SpineBaker::Moment SpineBaker::at(const Played& played, double time_s) const {
  const NodeTree posed = sample_clip(trs_tree_, played.clip, time_s);
  const std::size_t before =
      std::min(count_turn_times(played.start_s, time_s), played.turns.size());
  return at(posed, before > 0 ? played.turns[before - 1] : Vec3(Vec3::Zero()));
}

Affine3 SpineBaker::in_bone_space(const Affine3& motion) const {
  return bone_from_model_ * motion * bone_rest_;
}

SpineBaker::Moment SpineBaker::at(const NodeTree& posed, const Vec3& turn) const {
  const SpineMotion motion = motion_at(posed, turn);
  Moment moment;
  for (std::size_t k = 0; k < middles_.size(); ++k) {
    const Affine3 moved =
        spine_joint_transform(spine_.segment.rest, motion, middles_[k], spine_.stretch);
    NodeTransform joint = joint_transform(in_bone_space(moved) * at_rest_[k].to_affine());
    if (spine_.stretch == StretchBy::translations) joint.scale.setOnes();
    if (spine_.follows == SpineToWrite::Follows::twist) joint.translation = at_rest_[k].translation;
    moment.joints.push_back(joint);
  }
  moment.children = children_at(posed, motion);
  return moment;
}

/// The way of drive_spines, for nodes: who drives goes from the chord to the arc, and what else
/// hangs on a spine is carried by its end.
std::vector<NodeTransform> SpineBaker::children_at(const NodeTree& posed,
                                                   const SpineMotion& motion) const {
  std::vector<NodeTransform> locals = before(posed);
  const SpineRest& rest = spine_.segment.rest;
  if (motion.angle_rad == 0 && motion.stretch == 1) return locals;
  const Affine3 end = spine_transform(rest, motion, 1);
  for (std::size_t c = 0; c < children_.size(); ++c) {
    NodeTransform& local = locals[c];
    if (is_carried(c)) {
      local = carried(in_bone_space(end), local);
      continue;
    }
    const Vec3 jump = end * heads_[c] - heads_[c] - (motion.stretch - 1) * (rest.tail - rest.head);
    const Vec3 shift = bone_from_model_.linear() * jump;
    if (local.matrix) local.matrix->pretranslate(shift);
    local.translation += shift;
  }
  return locals;
}

double SpineBaker::distance(const NodeTransform& a, const NodeTransform& b) const {
  if (a.matrix || b.matrix) {
    const Affine3 difference(a.to_affine().matrix() - b.to_affine().matrix());
    return std::max(difference.translation().norm() / length_, difference.linear().norm());
  }
  return std::max({(a.translation - b.translation).norm() / length_,
                   a.rotation.angularDistance(b.rotation), (a.scale - b.scale).norm()});
}

bool SpineBaker::differ(const NodeTransform& a, const NodeTransform& b) const {
  return distance(a, b) > kStillBelow;
}

double SpineBaker::deviation(const Moment& a, const Moment& b) const {
  double worst = 0;
  for (std::size_t k = 0; k < a.joints.size(); ++k)
    worst = std::max(worst, distance(a.joints[k], b.joints[k]));
  for (std::size_t c = 0; c < a.children.size(); ++c)
    worst = std::max(worst, distance(a.children[c], b.children[c]));
  return worst;
}

Clip SpineBaker::own_channels(const Clip& clip) const {
  Clip own;
  for (const Channel& channel : clip.channels) {
    const auto found = std::find(node_of_.begin() + 1, node_of_.end(), channel.node);
    if (found == node_of_.end() || channel.path == ChannelPath::morph_weights) continue;
    own.channels.push_back(channel);
    own.channels.back().node = static_cast<int>(found - node_of_.begin());
  }
  return own;
}

void SpineBaker::refine(const Played& played, float from, const Moment& at_from, float to,
                        const Moment& at_to, Keys& keys) const {
  if (to - from < 2 * kFinestStepS) return;
  bool is_straight = true;
  for (const double fraction : {0.25, 0.5, 0.75}) {
    Moment line;
    for (std::size_t k = 0; k < at_from.joints.size(); ++k)
      line.joints.push_back(blend(at_from.joints[k], at_to.joints[k], fraction));
    for (std::size_t c = 0; c < at_from.children.size(); ++c)
      line.children.push_back(blend(at_from.children[c], at_to.children[c], fraction));
    const double time_s = from + fraction * (to - from);
    is_straight = is_straight && deviation(line, at(played, time_s)) <= kKeyDeviation;
  }
  if (is_straight) return;
  const float middle = from + (to - from) / 2;
  const Moment at_middle = at(played, middle);
  refine(played, from, at_from, middle, at_middle, keys);
  keys.emplace_back(middle, at_middle);
  refine(played, middle, at_middle, to, at_to, keys);
}

bool SpineBaker::is_driven_by(const Clip& clip) const {
  return std::ranges::any_of(driving_paths_, [&](const auto& path) {
    return std::ranges::any_of(path, [&](std::size_t at) { return moves(clip, node_of_[at]); });
  });
}

SpineBaker::Keys SpineBaker::keys_of(const Played& played) const {
  const Interpolation interpolation = interpolation_of(played.clip);
  const KeyTimes times = key_times(played.clip, interpolation);
  Keys keys;
  for (const float time : times.all) {
    Moment moment = at(played, time);
    if (!keys.empty() && interpolation != Interpolation::step &&
        !times.before_jumps.contains(keys.back().first)) {
      const auto [last_time, last] = keys.back();
      refine(played, last_time, last, time, moment, keys);
    }
    keys.emplace_back(time, std::move(moment));
  }
  return keys;
}

SpineKeys SpineBaker::by_node(const Clip& own, const Keys& keys, const Moment& still,
                              const std::vector<NodeTransform>& children_still) const {
  SpineKeys baked;
  baked.interpolation = interpolation_of(own);
  baked.joints.resize(at_rest_.size());
  baked.children.resize(children_.size());
  baked.moves_children.assign(children_.size(), false);
  for (std::size_t c = 0; c < children_.size(); ++c)
    baked.moves_children[c] = differ(still.children[c], children_still[c]);
  for (const auto& [time, moment] : keys) {
    baked.times_s.push_back(time);
    const std::vector<NodeTransform> as_it_was = before(sample_clip(trs_tree_, own, time));
    for (std::size_t k = 0; k < moment.joints.size(); ++k) {
      baked.joints[k].push_back(moment.joints[k]);
      baked.moves_joints = baked.moves_joints || differ(moment.joints[k], still.joints[k]);
    }
    for (std::size_t c = 0; c < moment.children.size(); ++c) {
      baked.children[c].push_back(moment.children[c]);
      if (differ(moment.children[c], as_it_was[c])) baked.moves_children[c] = true;
    }
  }
  return baked;
}

SpineKeys SpineBaker::bake(const Clip& clip) const {
  const Moment still = stored();
  const Moment at_rest{at_rest_, children_before()};
  if (!is_driven_by(clip) && deviation(still, at_rest) <= kStillBelow) return {};
  const Played played = play(clip);
  if (played.clip.channels.empty()) return {};
  return by_node(played.clip, keys_of(played), still, at_rest.children);
}

}  // namespace sinew
