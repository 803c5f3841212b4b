// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/driven_spines.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "math/affine.h"
#include "math/nearest_rotation.h"
#include "math/swing_twist.h"
#include "model/forest.h"
#include "model/spine_driver.h"
#include "sinew/model/mesh.h"

namespace sinew {
namespace {

/// Of the skeleton's extent: a shorter bone gives a spine no direction.
constexpr double kNoLengthRel = 1e-6;
/// Below this the axis of a rotation is what rounding made of it.
constexpr double kNoTurnRad = 1e-7;
/// Of the bone's length: a child that is nearer to its tail starts there.
constexpr double kSamePlaceRel = 1e-6;
std::vector<int> own_parents(const Skeleton& skeleton) {
  std::vector<int> parents;
  for (const Bone& bone : skeleton.bones()) parents.push_back(bone.parent);
  return parents;
}

std::vector<int> order_of(std::span<const int> parents) {
  // Neither a skeleton nor an effective hierarchy has cycles.
  return *parents_first(parents, ErrorCode::bad_skin, "bones");
}

/// How many bones hang on each one, however far below; joints of rows are none of their own.
std::vector<int> bones_below(const Skeleton& skeleton, std::span<const int> parents) {
  std::vector<int> below(parents.size(), 0);
  const std::vector<int> order = order_of(parents);
  for (auto j = order.rbegin(); j != order.rend(); ++j)
    if (const int parent = parents[static_cast<std::size_t>(*j)]; parent >= 0)
      below[static_cast<std::size_t>(parent)] +=
          below[static_cast<std::size_t>(*j)] + (skeleton.bone(*j).part_of ? 0 : 1);
  return below;
}

/// Of the one direction that leads to the other; 1 for the same one, and 1 too where one is none.
double cos_between(const Vec3& a, const Vec3& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0 ? a.dot(b) / lengths : 1;
}

/// Finds the segments of one skeleton.
class SegmentFinder {
 public:
  SegmentFinder(const Skeleton& skeleton, std::span<const int> hangs_on)
      : skeleton_(skeleton),
        parents_(hangs_on.empty() ? own_parents(skeleton)
                                  : std::vector<int>(hangs_on.begin(), hangs_on.end())),
        below_(bones_below(skeleton, parents_)) {
    assert(parents_.size() == skeleton.bone_count());
    Box box;
    for (const Bone& bone : skeleton.bones()) {
      box.extend(bone.head());
      if (bone.tail) box.extend(*bone.tail);
    }
    if (!box.isEmpty()) no_length_ = kNoLengthRel * box.diagonal().norm();
  }

  [[nodiscard]] Result<SpineSegment> find(int index) const {
    const Bone& bone = skeleton_.bone(index);
    SpineSegment segment{{bone.head(), bone.head()}, -1};
    if (bone.tail) {
      segment.rest.tail = *bone.tail;
      const double near = kSamePlaceRel * (*bone.tail - bone.head()).norm();
      segment.child =
          main_child(index, [&](const Vec3& head) { return (head - *bone.tail).norm() <= near; });
    }
    if (segment.child < 0) segment.child = main_child(index, [](const Vec3&) { return true; });
    if (!bone.tail && segment.child >= 0) segment.rest.tail = skeleton_.bone(segment.child).head();
    if (!((segment.rest.tail - segment.rest.head).norm() > no_length_))
      return Error{
          ErrorCode::bad_skin, fmt::format("bones[{}]", index),
          fmt::format("'{}' is a {} bone and {}; give it a tail", bone.name, to_string(bone.kind),
                      segment.child < 0 && !bone.tail ? "ends nowhere" : "has no length")};
    for (std::size_t c = 0; c < parents_.size(); ++c)
      if (parents_[c] == index && static_cast<int>(c) != segment.child && below_[c] > 0 &&
          !skeleton_.bones()[c].part_of &&
          spine_parameter(segment.rest, skeleton_.bones()[c].head()) > kAtEndFrom)
        segment.beside.push_back(static_cast<int>(c));
    return segment;
  }

 private:
  template <class Predicate>
  [[nodiscard]] int main_child(int bone, const Predicate& may_be) const {
    std::vector<int> children;
    for (std::size_t c = 0; c < parents_.size(); ++c)
      if (parents_[c] == bone && !skeleton_.bones()[c].part_of &&
          may_be(skeleton_.bones()[c].head()))
        children.push_back(static_cast<int>(c));
    const Vec3 head = skeleton_.bone(bone).head();
    // A helper at the bone's own head says nothing of where the bone goes.
    const auto is_helper = [&](int child) {
      return below_[static_cast<std::size_t>(child)] == 0 &&
             !((skeleton_.bone(child).head() - head).norm() > no_length_);
    };
    if (!std::ranges::all_of(children, is_helper)) std::erase_if(children, is_helper);
    if (children.size() < 2) return children.empty() ? -1 : children.front();
    const Vec3 ahead = straight_ahead(bone, children);
    std::vector<double> angles_rad;
    for (const int child : children)
      angles_rad.push_back(std::acos(
          std::clamp(cos_between(skeleton_.bone(child).head() - head, ahead), -1.0, 1.0)));
    const double straight =
        *std::ranges::min_element(angles_rad) + kAboutAsStraightDeg * std::numbers::pi / 180;
    int best = -1;
    for (std::size_t c = 0; c < children.size(); ++c)
      if (angles_rad[c] <= straight && (best < 0 || below_[static_cast<std::size_t>(children[c])] >
                                                        below_[static_cast<std::size_t>(best)]))
        best = children[c];
    return best;
  }

  /// Where a bone would go on if it did not fork.
  [[nodiscard]] Vec3 straight_ahead(int bone, std::span<const int> children) const {
    const Vec3 head = skeleton_.bone(bone).head();
    if (const auto& tail = skeleton_.bone(bone).tail) return *tail - head;
    if (const int above = parents_[static_cast<std::size_t>(bone)]; above >= 0)
      if (const Vec3 from_above = head - skeleton_.bone(above).head();
          from_above.norm() > no_length_)
        return from_above;
    Vec3 sum = Vec3::Zero();
    for (const int child : children)
      if (const Vec3 to = skeleton_.bone(child).head() - head; to.norm() > no_length_)
        sum += to.normalized();
    return sum;
  }

  const Skeleton& skeleton_;
  std::vector<int> parents_;
  std::vector<int> below_;
  double no_length_ = 0;
};

/// The same turn, with as many whole ones more as bring it nearest to another; nothing is known of
/// that one where there is none.
double nearest_turn_rad(double angle_rad, const Vec3& axis, const Vec3* turn) {
  if (turn == nullptr) return angle_rad;
  constexpr double kWholeTurn = 2 * std::numbers::pi;
  return angle_rad + kWholeTurn * std::floor((axis.dot(*turn) - angle_rad) / kWholeTurn + 0.5);
}

/// What turns, axis times radians, have in common: as far in their mean direction as the least of
/// them goes that way. Nothing where one of them is none or is against the others; all of it where
/// they are one; and no jump in between, since the least is at most the length of the mean.
Vec3 common_turn(std::span<const Vec3> turns) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& turn : turns) sum += turn;
  if (!(sum.norm() > 0)) return Vec3::Zero();
  const Vec3 direction = sum.normalized();
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& turn : turns) least = std::min(least, direction.dot(turn));
  return std::max(least, 0.0) * direction;
}

/// Axis times angle of a rotation, whole turns included, as near to `turn` as it can be. A rotation
/// that is next to none has no axis to speak of: a spine that comes to a whole turn keeps its own.
Vec3 turn_of(const Quat& rotation, const Vec3* turn) {
  const Eigen::AngleAxisd turned(rotation);
  if (turn == nullptr || turned.angle() > kNoTurnRad || !(turn->norm() > 0))
    return nearest_turn_rad(turned.angle(), turned.axis(), turn) * turned.axis();
  const Vec3 axis = turn->normalized();
  return nearest_turn_rad(0, axis, turn) * axis + turned.angle() * turned.axis();
}

/// By what a fork bends its spine.
Vec3 forked_turn(const SpineSegment& segment, const Affine3& model_from_bone,
                 std::span<const Affine3> transforms, const Vec3* turn) {
  const Affine3 bone_from_model = model_from_bone.inverse(Eigen::Affine);
  std::vector<Vec3> turns;
  const auto add = [&](int bone) {
    const Affine3& own = transforms[static_cast<std::size_t>(bone)];
    if (!is_invertible(own)) return;
    turns.push_back(
        turn_of(Quat(nearest_rotation((bone_from_model * own).linear())).normalized(), turn));
  };
  add(segment.child);
  for (const int bone : segment.beside) add(bone);
  return common_turn(turns);
}

/// By what a fork stretches its spine: as far as the one that slides least along it, and not at all
/// where one stays or they slide apart.
double forked_stretch(const Skeleton& skeleton, const SpineSegment& segment,
                      const Affine3& model_from_bone, std::span<const Affine3> transforms,
                      double of_child) {
  double common = of_child - 1;
  const Vec3 along = segment.rest.tail - segment.rest.head;
  for (const int bone : segment.beside) {
    const Vec3 head = skeleton.bone(bone).head();
    const Vec3 now = model_from_bone.inverse(Eigen::Affine) *
                     (transforms[static_cast<std::size_t>(bone)] * head);
    const double slide = (now - head).dot(along) / along.squaredNorm();
    common = common * slide <= 0 ? 0 : std::abs(slide) < std::abs(common) ? slide : common;
  }
  return 1 + common;
}

/// What the motion of those at its end makes of a spine, but for its base; nothing where it cannot
/// be told. `turn`, if given, is that of a moment ago.
std::optional<SpineMotion> driven_motion(const Skeleton& skeleton, int bone,
                                         const SpineSegment& segment,
                                         std::span<const Affine3> transforms, const Vec3* turn) {
  const Affine3& own = transforms[static_cast<std::size_t>(bone)];
  if (segment.child < 0 || !is_invertible(own)) return std::nullopt;
  const Affine3& child = transforms[static_cast<std::size_t>(segment.child)];
  if (!is_invertible(child)) return std::nullopt;
  const Affine3 relative = own.inverse(Eigen::Affine) * child;
  SpineMotion motion;
  const Quat turned = Quat(nearest_rotation(relative.linear())).normalized();
  if (skeleton.bone(bone).kind == BoneKind::stretch_twist) {
    motion.axis = (segment.rest.tail - segment.rest.head).normalized();
    motion.angle_rad =
        nearest_turn_rad(swing_twist(turned, motion.axis).twist_rad, motion.axis, turn);
  } else if (segment.beside.empty()) {
    const Vec3 about = turn_of(turned, turn);
    if (about.norm() > 0) motion.axis = about.normalized();
    motion.angle_rad = about.norm();
  } else if (const Vec3 common = forked_turn(segment, own, transforms, turn); common.norm() > 0) {
    motion.axis = common.normalized();
    motion.angle_rad = common.norm();
  }
  const Vec3 head = segment.rest.head;
  const Vec3 child_head = skeleton.bone(segment.child).head();
  const double at_rest = (child_head - head).norm();
  if (at_rest > kSamePlaceRel * (segment.rest.tail - head).norm())
    motion.stretch = (relative * child_head - head).norm() / at_rest;
  if (skeleton.bone(bone).kind == BoneKind::spine)
    motion.stretch = forked_stretch(skeleton, segment, own, transforms, motion.stretch);
  return motion;
}

/// Whether a bone on a spine does nothing to it, and is carried by its end.
bool is_carried(const SpineSegment& segment, int bone) {
  return bone != segment.child && !std::ranges::binary_search(segment.beside, bone);
}

bool does_nothing(const SpineMotion& motion) {
  return motion.angle_rad == 0 && motion.stretch == 1;
}

}  // namespace

Result<SpineSegment> spine_segment(const Skeleton& skeleton, int bone,
                                   std::span<const int> hangs_on) {
  return SegmentFinder(skeleton, hangs_on).find(bone);
}

std::vector<std::optional<SpineSegment>> spine_segments(const Skeleton& skeleton,
                                                        std::span<const int> hangs_on) {
  std::vector<std::optional<SpineSegment>> segments(skeleton.bone_count());
  if (!has_spines(skeleton)) return segments;
  const SegmentFinder finder(skeleton, hangs_on);
  for (std::size_t j = 0; j < segments.size(); ++j) {
    if (skeleton.bones()[j].kind == BoneKind::rigid) continue;
    if (const Result<SpineSegment> segment = finder.find(static_cast<int>(j)); segment.ok())
      segments[j] = *segment;
  }
  return segments;
}

bool has_spines(const Skeleton& skeleton) {
  return std::ranges::any_of(skeleton.bones(),
                             [](const Bone& bone) { return bone.kind != BoneKind::rigid; });
}

Result<Skeleton> with_spine_tails(const Skeleton& skeleton, std::span<const int> hangs_on) {
  const SegmentFinder finder(skeleton, hangs_on);
  std::vector<Bone> bones = skeleton.bones();
  for (std::size_t j = 0; j < bones.size(); ++j) {
    if (bones[j].kind == BoneKind::rigid) continue;
    SINEW_TRY(const SpineSegment segment, finder.find(static_cast<int>(j)));
    bones[j].tail = segment.rest.tail;
  }
  return Skeleton::create(std::move(bones));
}

Affine3 carried_by(const std::optional<SpineSegment>& segment, const SpineMotion& motion) {
  return !segment || does_nothing(motion) ? motion.base : spine_transform(segment->rest, motion, 1);
}

Affine3 correction_on_spine(const SpineSegment& segment, const SpineMotion& motion,
                            const OnSpine& what, const Affine3& of_bone) {
  if (does_nothing(motion)) return of_bone;
  const Affine3& carrier = motion.base;  // invertible if the spine is driven
  SpineMotion from_base = motion;
  from_base.base = Affine3::Identity();
  const SpineRest& rest = segment.rest;
  const Affine3 end = spine_transform(rest, from_base, 1);
  if (what.is_carried) return carrier * end * carrier.inverse(Eigen::Affine) * of_bone;
  // The animation has the head on the chord, which the stretch has made longer already.
  const Vec3 jump = end * what.head - what.head - (from_base.stretch - 1) * (rest.tail - rest.head);
  Affine3 moved = of_bone;
  moved.translation() += carrier.linear() * jump;
  return moved;
}

std::vector<Affine3> drive_spines(const Skeleton& skeleton, std::span<const int> hangs_on,
                                  const SpineSegments& segments, const std::vector<bool>& is_driven,
                                  PosedBones& posed, std::vector<Vec3>* turns) {
  assert(posed.transforms.size() == skeleton.bone_count() &&
         posed.spines.size() == skeleton.bone_count());
  for (std::size_t j = 0; j < segments.size(); ++j) {
    if (!is_driven[j] || !segments[j]) continue;
    SpineMotion& motion = posed.spines[j];
    motion = driven_motion(skeleton, static_cast<int>(j), *segments[j], posed.transforms,
                           turns != nullptr ? &(*turns)[j] : nullptr)
                 .value_or(SpineMotion{});
    if (turns != nullptr) (*turns)[j] = motion.angle_rad * motion.axis;
  }

  const std::vector<int> parents =
      hangs_on.empty() ? own_parents(skeleton) : std::vector<int>(hangs_on.begin(), hangs_on.end());
  const std::vector<int> order = order_of(parents);
  // Where a correction only moves, the turn stays to the bit.
  std::vector<Affine3> corrections(parents.size(), Affine3::Identity());
  for (const int j : order) {
    const auto i = static_cast<std::size_t>(j);
    Affine3& correction = corrections[i];
    if (parents[i] >= 0) {
      const auto p = static_cast<std::size_t>(parents[i]);
      correction = corrections[p];
      if (is_driven[p] && segments[p]) {
        const bool turns_along =
            skeleton.bone(parents[i]).kind == BoneKind::spine && is_carried(*segments[p], j);
        correction = correction_on_spine(*segments[p], posed.spines[p],
                                         {skeleton.bone(j).head(), turns_along}, correction);
      }
    }
    posed.transforms[i] = correction * posed.transforms[i];
    posed.spines[i].base = posed.transforms[i];
  }
  return corrections;
}

std::size_t count_turn_times(double start_s, double time_s) {
  if (!(time_s > start_s)) return 0;
  // The quotient rounds; one moment before it the count is sure, and from there moments decide.
  const double about = std::clamp((time_s - start_s) / kTurnStepS, 0.0, double{kMostTurnSteps});
  int count = std::max(static_cast<int>(about) - 1, 0);
  while (count < kMostTurnSteps && start_s + count * kTurnStepS < time_s) ++count;
  return static_cast<std::size_t>(count);
}

std::vector<double> turn_times(double start_s, double time_s) {
  std::vector<double> times(count_turn_times(start_s, time_s));
  for (std::size_t step = 0; step < times.size(); ++step)
    times[step] = start_s + static_cast<double>(step) * kTurnStepS;
  return times;
}

std::vector<std::vector<Vec3>> turns_before(const Character& character, const Skeleton& skeleton,
                                            const Clip& clip, std::span<const double> moments_s,
                                            std::span<const int> hangs_on) {
  const SpineSegments segments = spine_segments(skeleton, hangs_on);
  const std::vector<bool> all(skeleton.bone_count(), true);
  std::vector<Vec3> turns(skeleton.bone_count(), Vec3::Zero());
  std::vector<std::vector<Vec3>> before;
  int step = 0;
  for (const double moment_s : moments_s) {
    for (; step < kMostTurnSteps && clip.start_s + step * kTurnStepS < moment_s; ++step) {
      PosedBones posed{character.skinning_transforms(
                           sample_clip(character.nodes, clip, clip.start_s + step * kTurnStepS)),
                       std::vector<SpineMotion>(skeleton.bone_count())};
      drive_spines(skeleton, hangs_on, segments, all, posed, &turns);
    }
    before.push_back(turns);
  }
  return before;
}

PosedBones drive_spines(const Skeleton& skeleton, std::vector<Affine3> transforms,
                        std::span<const int> hangs_on) {
  assert(transforms.size() == skeleton.bone_count());
  PosedBones posed{std::move(transforms), {}};
  if (!has_spines(skeleton)) return posed;
  posed.spines.resize(skeleton.bone_count());
  drive_spines(skeleton, hangs_on, spine_segments(skeleton, hangs_on),
               std::vector<bool>(skeleton.bone_count(), true), posed);
  return posed;
}

}  // namespace sinew
