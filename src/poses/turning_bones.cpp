// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "poses/turning_bones.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "model/forest.h"

namespace sinew {
namespace {

/// Of the skeleton's extent: children whose directions cancel out to less give a bone no axis.
constexpr double kNoAxisRel = 1e-9;

/// Sets the stream of bends apart from that of turns.
constexpr std::uint64_t kBendStream = 0x62656E6473;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

std::vector<int> order_of(const EffectiveHierarchy& hierarchy) {
  // An effective hierarchy has no cycles.
  return *parents_first(hierarchy.parent, ErrorCode::bad_skin, "bones");
}

/// A random direction, evenly over the circle around the axis.
Vec3 orthogonal_direction(Random& random, const Vec3& axis) {
  while (true) {
    const double x = random.normal(), y = random.normal(), z = random.normal();
    const Vec3 any(x, y, z);
    const Vec3 across = any - axis * axis.dot(any);
    if (across.squaredNorm() > 0) return across.normalized();
  }
}

/// A random direction, evenly over the sphere.
Vec3 any_direction(Random& random) {
  while (true) {
    const double x = random.normal(), y = random.normal(), z = random.normal();
    const Vec3 any(x, y, z);
    if (any.squaredNorm() > 0) return any.normalized();
  }
}

SpineMotion draw_bend(const BoneTurns& bone, Random& random) {
  SpineMotion motion;
  const Vec3 any = any_direction(random);
  motion.axis = bone.bend_axis.value_or(any);
  motion.angle_rad = radians(random.uniform(bone.bend_deg.min, bone.bend_deg.max));
  motion.stretch = random.uniform(bone.stretch.min, bone.stretch.max);
  return bone.spine ? motion : SpineMotion{};
}

/// What one bone does in one pose.
struct DrawnTurn {
  Vec3 across = Vec3::UnitX();  // what it rolls about, unless its limits say
  double roll_deg = 0;
  double twist_deg = 0;
  SpineMotion bend;
};

double reflected(const Range& range, double value) { return range.min + range.max - value; }

/// As far the other way, within the same limits.
DrawnTurn opposite(DrawnTurn turn, const BoneTurns& bone) {
  turn.roll_deg = reflected(bone.roll_deg, turn.roll_deg);
  turn.twist_deg = reflected(bone.twist_deg, turn.twist_deg);
  if (bone.spine) {
    turn.bend.angle_rad = radians(bone.bend_deg.min + bone.bend_deg.max) - turn.bend.angle_rad;
    turn.bend.stretch = reflected(bone.stretch, turn.bend.stretch);
  }
  return turn;
}

bool any_bends(std::span<const BoneTurns> bones) {
  return std::ranges::any_of(bones, [](const BoneTurns& bone) { return bone.spine.has_value(); });
}

Random stream_of_bends(Random copy) { return Random(copy.next() ^ kBendStream); }

/// Numbers from 0 to 1 in random order, one in each of as many equal parts.
std::vector<double> spread_evenly(std::size_t count, Random& random) {
  std::vector<double> numbers;
  for (std::size_t n = 0; n < count; ++n)
    numbers.push_back((static_cast<double>(n) + random.uniform()) / static_cast<double>(count));
  for (std::size_t n = count; n > 1; --n)
    std::swap(numbers[n - 1], numbers[static_cast<std::size_t>(random.next() % n)]);
  return numbers;
}

SampledPose pose_of(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                    std::span<const int> order, std::span<const BoneTurns> bones,
                    std::span<const DrawnTurn> drawn) {
  const std::vector<int>& parent = hierarchy.parent;
  SampledPose pose;
  pose.transforms.assign(skeleton.bone_count(), Affine3::Identity());
  std::vector<SpineMotion> motions(skeleton.bone_count());
  for (const int j : order) {
    const auto i = static_cast<std::size_t>(j);
    const BoneTurns& bone = bones[i];
    if (bone.row_u) {
      const auto above = static_cast<std::size_t>(parent[i]);
      pose.transforms[i] = bones[above].spine ? spine_transform(bones[above].spine->rest,
                                                                motions[above], *bone.row_u)
                                              : pose.transforms[above];
      motions[i].base = pose.transforms[i];
      continue;
    }
    motions[i] = drawn[i].bend;
    if (parent[i] >= 0) {
      const auto above = static_cast<std::size_t>(parent[i]);
      pose.transforms[i] = carried_by(bones[above].spine, motions[above]);
    }
    if (bone.turns) {
      const Vec3 head = skeleton.bone(j).head();
      Affine3 turn;
      turn.linear() = (Eigen::AngleAxisd(radians(drawn[i].roll_deg),
                                         bone.roll_axis ? *bone.roll_axis : drawn[i].across) *
                       Eigen::AngleAxisd(radians(drawn[i].twist_deg), bone.axis))
                          .toRotationMatrix();
      turn.translation() = head - turn.linear() * head;
      pose.transforms[i] = pose.transforms[i] * turn;
    }
    motions[i].base = pose.transforms[i];
  }
  if (any_bends(bones)) pose.spines = std::move(motions);
  return pose;
}

}  // namespace

std::vector<Vec3> bone_axes(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                            AxisFrom from) {
  const std::vector<int>& parent = hierarchy.parent;
  assert(parent.size() == skeleton.bone_count());
  Box box;
  for (const Bone& bone : skeleton.bones()) box.extend(bone.head());
  const double no_axis = box.isEmpty() ? 0 : kNoAxisRel * box.diagonal().norm();
  std::vector<Vec3> axes(skeleton.bone_count(), Vec3::Zero());
  for (std::size_t c = 0; c < parent.size(); ++c)
    if (parent[c] >= 0 && !skeleton.bones()[c].part_of)
      axes[static_cast<std::size_t>(parent[c])] +=
          skeleton.bones()[c].head() - skeleton.bone(parent[c]).head();
  if (from == AxisFrom::tail_or_children) {
    for (std::size_t j = 0; j < axes.size(); ++j)
      if (const Bone& bone = skeleton.bones()[j];
          bone.tail && (*bone.tail - bone.head()).norm() > no_axis)
        axes[j] = *bone.tail - bone.head();
  }
  for (const int j : order_of(hierarchy)) {
    const auto i = static_cast<std::size_t>(j);
    if (axes[i].norm() > no_axis)
      axes[i].normalize();
    else
      axes[i] = parent[i] < 0 ? Vec3::UnitY() : axes[static_cast<std::size_t>(parent[i])];
  }
  return axes;
}

std::optional<double> row_place(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                                std::size_t bone) {
  const Bone& joint = skeleton.bones()[bone];
  if (!joint.part_of || joint.parent < 0 || hierarchy.parent[bone] != joint.parent)
    return std::nullopt;
  return joint.part_of->u;
}

std::vector<SampledPose> draw_poses(const Skeleton& skeleton, const EffectiveHierarchy& hierarchy,
                                    std::span<const BoneTurns> bones, int count, Random random) {
  assert(hierarchy.parent.size() == skeleton.bone_count() &&
         bones.size() == hierarchy.parent.size());
  const std::vector<int> order = order_of(hierarchy);
  Random bends = stream_of_bends(random);
  std::vector<SampledPose> poses;
  std::vector<DrawnTurn> drawn(bones.size());
  for (int p = 0; p < count; ++p) {
    for (const int j : order) {
      const BoneTurns& bone = bones[static_cast<std::size_t>(j)];
      if (bone.row_u) continue;
      DrawnTurn& turn = drawn[static_cast<std::size_t>(j)];
      turn.across = orthogonal_direction(random, bone.axis);
      turn.roll_deg = random.uniform(bone.roll_deg.min, bone.roll_deg.max);
      turn.twist_deg = random.uniform(bone.twist_deg.min, bone.twist_deg.max);
      if (any_bends(bones)) turn.bend = draw_bend(bone, bends);
    }
    poses.push_back(pose_of(skeleton, hierarchy, order, bones, drawn));
  }
  return poses;
}

std::vector<SampledPose> draw_balanced_poses(const Skeleton& skeleton,
                                             const EffectiveHierarchy& hierarchy,
                                             std::span<const BoneTurns> bones, int count,
                                             Random random) {
  assert(hierarchy.parent.size() == skeleton.bone_count() &&
         bones.size() == hierarchy.parent.size());
  const std::vector<int> order = order_of(hierarchy);
  Random bends = stream_of_bends(random);
  const auto pairs = static_cast<std::size_t>((std::max(count, 0) + 1) / 2);
  std::vector<std::vector<DrawnTurn>> drawn(2 * pairs, std::vector<DrawnTurn>(bones.size()));
  for (const int j : order) {
    const auto i = static_cast<std::size_t>(j);
    const BoneTurns& bone = bones[i];
    if (bone.row_u) continue;
    const Vec3 first = orthogonal_direction(random, bone.axis);
    const std::vector<double> sides = spread_evenly(pairs, random);
    const std::vector<double> rolls = spread_evenly(pairs, random);
    const std::vector<double> twists = spread_evenly(pairs, random);
    for (std::size_t p = 0; p < pairs; ++p) {
      DrawnTurn& turn = drawn[2 * p][i];
      // Half a turn is enough: the other pose of the pair goes the other way.
      turn.across = Eigen::AngleAxisd(std::numbers::pi * sides[p], bone.axis) * first;
      turn.roll_deg = std::lerp(bone.roll_deg.min, bone.roll_deg.max, rolls[p]);
      turn.twist_deg = std::lerp(bone.twist_deg.min, bone.twist_deg.max, twists[p]);
      if (any_bends(bones)) turn.bend = draw_bend(bone, bends);
      drawn[2 * p + 1][i] = opposite(turn, bone);
    }
  }
  std::vector<SampledPose> poses;
  for (std::size_t p = 0; p < static_cast<std::size_t>(std::max(count, 0)); ++p)
    poses.push_back(pose_of(skeleton, hierarchy, order, bones, drawn[p]));
  return poses;
}

}  // namespace sinew
