// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "poses/limb_poses.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "model/forest.h"
#include "rig/name_tokens.h"

namespace sinew {
namespace {

/// How far each joint goes: far enough to show folds, not so far that any weights break.
constexpr double kShoulderDeg = 65;
constexpr double kElbowDeg = 100;
constexpr double kForearmTwistDeg = 90;
constexpr double kHipDeg = 80;
constexpr double kKneeDeg = 100;
constexpr double kNeckDeg = 40;
constexpr double kBendDeg = 60;
/// Sine of the angle between two directions below which their cross product is no axis.
constexpr double kParallel = 0.05;
/// Cosine of the angle to straight down from which an arm hangs.
constexpr double kHangs = -0.5;

using Tokens = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kLeft{"l", "left"};
constexpr std::array<std::string_view, 2> kRight{"r", "right"};
constexpr std::array<std::string_view, 4> kToes{"toe", "toes", "toebase", "ball"};

/// A bone's name as limbs are looked for in it.
struct Name {
  Tokens tokens;

  [[nodiscard]] bool has(std::string_view word) const {
    return std::find(tokens.begin(), tokens.end(), word) != tokens.end();
  }
  template <std::size_t N>
  [[nodiscard]] bool has_any(const std::array<std::string_view, N>& words) const {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return has(word); });
  }
  [[nodiscard]] bool is_forearm() const {
    return has("forearm") || has("lowerarm") || has("elbow") ||
           (has("arm") && (has("fore") || has("lower") || has("low")));
  }
  [[nodiscard]] bool is_upper_arm() const {
    return has("upperarm") || has("uparm") || (has("arm") && (has("upper") || has("up")));
  }
  [[nodiscard]] bool is_shin() const {
    return has("shin") || has("calf") || has("knee") || has("lowerleg") || has("crus") ||
           (has("leg") && (has("lower") || has("low")));
  }
  [[nodiscard]] bool is_thigh() const {
    return has("thigh") || has("upperleg") || has("upleg") ||
           (has("leg") && (has("upper") || has("up")));
  }
};

class LimbFinder {
 public:
  LimbFinder(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
             const std::vector<int>& parent)
      : skeleton_(skeleton), roles_(roles), parent_(parent) {
    for (const Bone& bone : skeleton.bones()) names_.push_back({name_tokens(bone.name)});
  }

  /// The two bones of an arm or a leg; -1 for what is not there.
  struct Pair {
    int upper = -1;
    int lower = -1;
  };
  [[nodiscard]] Pair arm() const {
    return pair([](const Name& n) { return n.is_upper_arm(); },
                [](const Name& n) { return n.is_forearm(); }, "arm");
  }
  [[nodiscard]] Pair leg() const {
    return pair([](const Name& n) { return n.is_thigh(); },
                [](const Name& n) { return n.is_shin(); }, "leg");
  }
  [[nodiscard]] int neck() const {
    const int neck = first([](const Name& n) { return n.has("neck"); });
    if (neck >= 0) return neck;
    const int head = first([](const Name& n) { return n.has("head"); });
    const int below = head < 0 ? -1 : parent_[static_cast<std::size_t>(head)];
    // A head right on the chest bends by itself.
    return below >= 0 && name(below).has("neck") ? below : head;
  }

  /// From the heels to the toes, horizontal and unit.
  [[nodiscard]] Vec3 front() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t j = 0; j < names_.size(); ++j)
      if (parent_[j] >= 0 && names_[j].has_any(kToes))
        sum += skeleton_.bones()[j].head() - skeleton_.bone(parent_[j]).head();
    sum.y() = 0;
    return sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3(Vec3::UnitZ());
  }

 private:
  [[nodiscard]] const Name& name(int bone) const { return names_[static_cast<std::size_t>(bone)]; }

  /// The first deforming bone of that description: of the left side, else of no side, else any.
  template <class Predicate>
  [[nodiscard]] int first(const Predicate& wanted) const {
    int best = -1;
    int best_rank = 3;
    for (std::size_t j = 0; j < names_.size(); ++j) {
      if (!roles_[j].deforms || parent_[j] < 0 || !wanted(names_[j])) continue;
      const int rank = names_[j].has_any(kLeft) ? 0 : names_[j].has_any(kRight) ? 2 : 1;
      if (rank >= best_rank) continue;
      best_rank = rank;
      best = static_cast<int>(j);
    }
    return best;
  }

  /// The first bone above, or nothing above a root.
  [[nodiscard]] int deforming_above(int bone) const {
    int above = parent_[static_cast<std::size_t>(bone)];
    while (above >= 0 && !roles_[static_cast<std::size_t>(above)].deforms)
      above = parent_[static_cast<std::size_t>(above)];
    return above;
  }

  [[nodiscard]] int child_like(int bone, std::string_view word) const {
    for (std::size_t j = 0; j < parent_.size(); ++j)
      if (parent_[j] == bone && roles_[j].deforms && names_[j].has(word))
        return static_cast<int>(j);
    return -1;
  }

  template <class IsUpper, class IsLower>
  [[nodiscard]] Pair pair(const IsUpper& is_upper, const IsLower& is_lower,
                          std::string_view word) const {
    Pair found{first(is_upper), first(is_lower)};
    // "LeftArm" over "LeftForeArm"; "LeftLeg" under "LeftUpLeg".
    if (found.upper < 0 && found.lower >= 0) {
      int above = deforming_above(found.lower);
      while (above >= 0 && !name(above).has(word)) above = deforming_above(above);
      found.upper = above >= 0 ? above : deforming_above(found.lower);
    }
    if (found.lower < 0 && found.upper >= 0) found.lower = child_like(found.upper, word);
    if (found.upper >= 0 || found.lower >= 0) return found;
    // A chain of arms: the topmost is the upper arm.
    found.upper = first([&](const Name& n) { return n.has(word); });
    if (found.upper < 0) return found;
    for (int above = deforming_above(found.upper); above >= 0 && name(above).has(word);
         above = deforming_above(above))
      found.upper = above;
    found.lower = child_like(found.upper, word);
    return found;
  }

  const Skeleton& skeleton_;
  const std::vector<BoneRole>& roles_;
  const std::vector<int>& parent_;
  std::vector<Name> names_;
};

class Bender {
 public:
  Bender(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
         const EffectiveHierarchy& hierarchy)
      : skeleton_(skeleton),
        roles_(roles),
        parent_(hierarchy.parent),
        order_(*parents_first(parent_, ErrorCode::bad_skin, "bones")) {}

  /// Unit: to the deforming children on the whole, else to the tail, else away from the parent.
  [[nodiscard]] Vec3 direction(int bone) const {
    const Vec3 head = skeleton_.bone(bone).head();
    Vec3 sum = Vec3::Zero();
    for (std::size_t j = 0; j < parent_.size(); ++j)
      if (parent_[j] == bone && roles_[j].deforms) sum += skeleton_.bones()[j].head() - head;
    if (!(sum.norm() > 0) && skeleton_.bone(bone).tail) sum = *skeleton_.bone(bone).tail - head;
    const int above = parent_[static_cast<std::size_t>(bone)];
    if (!(sum.norm() > 0) && above >= 0) sum = head - skeleton_.bone(above).head();
    return sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3(Vec3::UnitY());
  }

  /// What turns `from` towards `to`; where they are parallel, anything across.
  [[nodiscard]] static Vec3 axis_towards(const Vec3& from, const Vec3& to) {
    const Vec3 axis = from.cross(to);
    return axis.norm() > kParallel ? Vec3(axis.normalized()) : Vec3(from.unitOrthogonal());
  }

  [[nodiscard]] LimbPose turned(std::string name, std::optional<Limb> limb, int bone,
                                const Vec3& axis, double degrees) const {
    LimbPose pose{std::move(name), limb, bone, {}};
    pose.transforms.assign(parent_.size(), Affine3::Identity());
    for (const int j : order_) {
      const auto i = static_cast<std::size_t>(j);
      if (parent_[i] >= 0)
        pose.transforms[i] = pose.transforms[static_cast<std::size_t>(parent_[i])];
      if (j != bone) continue;
      const Vec3 head = skeleton_.bone(j).head();
      Affine3 turn = Affine3::Identity();
      turn.linear() = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis).toRotationMatrix();
      turn.translation() = head - turn.linear() * head;
      pose.transforms[i] = pose.transforms[i] * turn;
    }
    return pose;
  }

 private:
  const Skeleton& skeleton_;
  const std::vector<BoneRole>& roles_;
  const std::vector<int>& parent_;
  std::vector<int> order_;
};

std::string degrees_text(double degrees) {
  return fmt::format(" {}\u00b0", static_cast<int>(degrees));
}

/// Up, or out to the side for an arm that hangs: straight up is where it cannot go at once.
Vec3 raise_axis(const Skeleton& skeleton, int upper_arm, const Vec3& along) {
  if (along.y() > kHangs) return Bender::axis_towards(along, Vec3::UnitY());
  Vec3 middle = Vec3::Zero();
  for (const Bone& bone : skeleton.bones()) middle += bone.head();
  middle /= static_cast<double>(skeleton.bone_count());
  Vec3 out = skeleton.bone(upper_arm).head() - middle;
  out.y() = 0;
  return Bender::axis_towards(along, out.norm() > 0 ? Vec3(out.normalized()) : Vec3(Vec3::UnitX()));
}

}  // namespace

std::string_view to_string(Limb limb) {
  switch (limb) {
    case Limb::shoulder:
      return "shoulder";
    case Limb::elbow:
      return "elbow";
    case Limb::forearm_twist:
      return "forearm twist";
    case Limb::hip:
      return "hip";
    case Limb::knee:
      return "knee";
    case Limb::neck:
      return "neck";
  }
  return "";
}

std::vector<LimbPose> limb_poses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                 const EffectiveHierarchy& hierarchy) {
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  const LimbFinder finder(skeleton, roles, hierarchy.parent);
  const Bender bender(skeleton, roles, hierarchy);
  const Vec3 front = finder.front();
  std::vector<LimbPose> poses;
  const auto add = [&](std::string_view words, Limb limb, int bone, const Vec3& axis,
                       double degrees) {
    poses.push_back(
        bender.turned(std::string(words) + degrees_text(degrees), limb, bone, axis, degrees));
  };
  const auto towards = [&](int bone, const Vec3& to) {
    return Bender::axis_towards(bender.direction(bone), to);
  };
  const auto turns = [&](int bone) {
    return bone >= 0 && roles[static_cast<std::size_t>(bone)].deforms;
  };

  const LimbFinder::Pair arm = finder.arm();
  if (turns(arm.upper))
    add("Shoulder raised", Limb::shoulder, arm.upper,
        raise_axis(skeleton, arm.upper, bender.direction(arm.upper)), kShoulderDeg);
  if (turns(arm.lower)) {
    add("Elbow bent", Limb::elbow, arm.lower, towards(arm.lower, front), kElbowDeg);
    add("Forearm twisted", Limb::forearm_twist, arm.lower, bender.direction(arm.lower),
        kForearmTwistDeg);
  }
  const LimbFinder::Pair leg = finder.leg();
  if (turns(leg.upper)) add("Hip bent", Limb::hip, leg.upper, towards(leg.upper, front), kHipDeg);
  if (turns(leg.lower))
    add("Knee bent", Limb::knee, leg.lower, towards(leg.lower, -front), kKneeDeg);
  if (const int neck = finder.neck(); turns(neck))
    add("Neck bent", Limb::neck, neck, towards(neck, front), kNeckDeg);
  return poses;
}

std::vector<LimbPose> bend_poses(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                 const EffectiveHierarchy& hierarchy, std::span<const int> bones) {
  const Bender bender(skeleton, roles, hierarchy);
  std::vector<LimbPose> poses;
  for (const int bone : bones) {
    const Vec3 axis = Bender::axis_towards(bender.direction(bone), Vec3::UnitZ());
    const std::string& name = skeleton.bone(bone).name;
    const std::string words = name.empty() ? "Bone " + std::to_string(bone) : name;
    poses.push_back(bender.turned(words + " bent" + degrees_text(kBendDeg), std::nullopt, bone,
                                  axis, kBendDeg));
  }
  return poses;
}

}  // namespace sinew
