// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "io/spine_baker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sinew/math/affine.h"
#include "sinew/math/nearest_rotation.h"

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

/// T · R · S, for a map that is one but for rounding.
NodeTransform to_trs(const Affine3& affine) {
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

bool moves(const Clip& clip, int node) {
  return std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& channel) {
    return channel.node == node && channel.path != ChannelPath::morph_weights;
  });
}

}  // namespace

SpineBaker::SpineBaker(const Character& character, const SpineToWrite& spine)
    : spine_(spine), middles_(spine_joint_parameters(spine.joints)) {
  Bone bone = character.skeleton.bone(spine.bone);
  const int bone_node = bone.source_node;
  bone_rest_ = bone.rest;
  bone_from_model_ = inverse_or_translation(bone.rest);
  std::vector<Bone> driving{bone};
  driving[0].parent = -1;
  driving[0].kind = spine.kind;
  driving[0].tail = spine.segment.rest.tail;
  const std::vector<Node>& nodes = character.nodes.nodes;
  tree_.nodes.emplace_back();
  tree_.nodes[0].parent = -1;
  tree_.order.push_back(0);
  node_of_.push_back(bone_node);

  SpineSegment segment{spine.segment.rest, -1};
  std::map<int, std::size_t> bone_of_child;  // of those that drive, by the node on the bone's node
  const auto add_driving = [&](int index) {
    Bone child = character.skeleton.bone(index);
    driving_paths_.push_back(add_path(nodes, child.source_node));
    if (const auto& path = driving_paths_.back(); !path.empty())
      bone_of_child.try_emplace(node_of_[path.front()], driving.size());
    child.parent = 0;
    child.kind = BoneKind::rigid;
    driving.push_back(std::move(child));
    return static_cast<int>(driving.size()) - 1;
  };
  if (spine.segment.child >= 0) {
    segment.child = add_driving(spine.segment.child);
    for (const std::size_t at : driving_paths_[0]) chain_.push_back(node_of_[at]);
    if (spine.kind == BoneKind::spine)
      for (const int beside : spine.segment.beside) segment.beside.push_back(add_driving(beside));
  }
  driving_segments_.resize(driving.size());
  driving_segments_[0] = std::move(segment);

  if (!chain_.empty() && spine.follows == SpineToWrite::Follows::spine) {
    children_.push_back(chain_.front());
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (nodes[n].parent == bone_node && static_cast<int>(n) != chain_.front())
        children_.push_back(static_cast<int>(n));
  }
  for (const int child : children_) {
    places_.push_back(add_path(nodes, child).front());
    const auto drives = bone_of_child.find(child);
    drives_.push_back(drives != bone_of_child.end());
    const auto& bones = character.skeleton.bones();
    const auto found = std::find_if(bones.begin(), bones.end(),
                                    [&](const Bone& other) { return other.source_node == child; });
    const Affine3 local = nodes[static_cast<std::size_t>(child)].local.to_affine();
    heads_.push_back(drives_.back()         ? driving[drives->second].head()
                     : found != bones.end() ? found->head()
                                            : Vec3(bone_rest_ * local.translation()));
  }
  driving_ = *Skeleton::create(std::move(driving));  // all were checked before
  trs_tree_ = tree_;
  for (Node& node : trs_tree_.nodes)
    if (node.local.matrix) node.local = to_trs(*node.local.matrix);

  const Vec3 along =
      bone_from_model_ * spine.segment.rest.tail - bone_from_model_ * spine.segment.rest.head;
  length_ = along.norm();
  const Vec3 direction = along / length_;
  Quat turn = Quat::Identity();
  if (direction.cwiseAbs().maxCoeff(&axis_) < 1 - kAxisFitsRad * kAxisFitsRad / 2) {
    axis_ = 1;
    turn = Quat::FromTwoVectors(Vec3::UnitY(), direction);
  }
  for (const double middle : middles_) {
    NodeTransform rest;
    rest.translation = bone_from_model_ * spine.segment.rest.head + middle * along;
    rest.rotation = turn;
    at_rest_.push_back(rest);
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
      std::min(turn_times(played.start_s, time_s).size(), played.turns.size());
  return at(posed, before > 0 ? played.turns[before - 1] : Vec3(Vec3::Zero()));
}

SpineBaker::Moment SpineBaker::at(const NodeTree& posed, const Vec3& turn) const {
  const SpineMotion motion = motion_at(posed, turn);
  const auto in_bone_space = [&](const Affine3& local) {
    return Affine3(bone_from_model_ * local * bone_rest_);
  };
  Moment moment;
  for (std::size_t k = 0; k < middles_.size(); ++k) {
    const Affine3 moved =
        spine_joint_transform(spine_.segment.rest, motion, middles_[k], spine_.stretch);
    NodeTransform joint = to_trs(in_bone_space(moved) * at_rest_[k].to_affine());
    if (spine_.stretch == StretchBy::translations) joint.scale.setOnes();
    if (spine_.follows == SpineToWrite::Follows::twist) joint.translation = at_rest_[k].translation;
    moment.joints.push_back(joint);
  }
  if (children_.empty()) return moment;

  // The way of drive_spines, for nodes: who drives goes from the chord to the arc, and what else
  // hangs on a spine is carried by its end.
  const SpineRest& rest = spine_.segment.rest;
  const Affine3 end = spine_transform(rest, motion, 1);
  moment.children = before(posed);
  const bool bends = motion.angle_rad != 0 || motion.stretch != 1;
  for (std::size_t c = 0; c < children_.size(); ++c) {
    if (is_carried(c)) {
      if (bends) moment.children[c] = carried(in_bone_space(end), moment.children[c]);
      continue;
    }
    Vec3 jump = Vec3::Zero();
    if (bends) jump = end * heads_[c] - heads_[c] - (motion.stretch - 1) * (rest.tail - rest.head);
    const Vec3 shift = bone_from_model_.linear() * jump;
    NodeTransform& local = moment.children[c];
    if (local.matrix) local.matrix->pretranslate(shift);
    local.translation += shift;
  }
  return moment;
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

SpineKeys SpineBaker::bake(const Clip& clip) const {
  SpineKeys baked;
  const Moment still = stored();
  const Moment at_rest{at_rest_, children_before()};
  const bool is_driven = std::ranges::any_of(driving_paths_, [&](const auto& path) {
    return std::ranges::any_of(path, [&](std::size_t at) { return moves(clip, node_of_[at]); });
  });
  if (!is_driven && deviation(still, at_rest) <= kStillBelow) return baked;
  const Played played = play(clip);
  const Clip& own = played.clip;
  if (own.channels.empty()) return baked;

  const auto is_step = [](const Channel& channel) {
    return channel.interpolation == Interpolation::step;
  };
  const bool all_steps = std::all_of(own.channels.begin(), own.channels.end(), is_step);
  baked.interpolation = all_steps ? Interpolation::step : Interpolation::linear;
  std::set<float> times;
  std::set<float> jumps;  // the last moment before something jumps that stood still
  for (const Channel& channel : own.channels)
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
      const auto time = static_cast<float>(channel.times[k]);
      times.insert(time);
      if (!is_step(channel) || all_steps || k == 0 || !(time > 0)) continue;
      const float before_jump = std::nextafter(time, -std::numeric_limits<float>::infinity());
      times.insert(before_jump);
      jumps.insert(before_jump);
    }

  Keys keys;
  for (const float time : times) {
    const Moment moment = at(played, time);
    if (!keys.empty() && !all_steps && !jumps.contains(keys.back().first)) {
      const auto [last_time, last] = keys.back();
      refine(played, last_time, last, time, moment, keys);
    }
    keys.emplace_back(time, moment);
  }
  baked.joints.resize(at_rest_.size());
  baked.children.resize(children_.size());
  baked.moves_children.assign(children_.size(), false);
  for (std::size_t c = 0; c < children_.size(); ++c)
    baked.moves_children[c] = differ(still.children[c], at_rest.children[c]);
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

}  // namespace sinew
