// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "sinew/poses/limb_bones.h"

namespace sinew {

/// Where a standing body's directions are, unit, model space.
struct BodyFrame {
  Vec3 up = Vec3::UnitY();
  Vec3 front = Vec3::UnitZ();
  Vec3 left = Vec3::UnitX();

  [[nodiscard]] Vec3 out(std::size_t side) const { return side == 0 ? left : Vec3(-left); }
};

/// Up is the file's own; left is where the left limbs are, else front is where the toes point.
[[nodiscard]] BodyFrame body_frame(const Skeleton& skeleton, const LimbBones& bones,
                                   std::span<const int> parent);

/// Rotations of single bones, model-space axes of the bind pose, that bring joints to angles
/// counted from the anatomical zero: standing, arms hanging, palms to the thighs, all joints
/// straight, soles flat. The pose that the character was modelled in does not matter. A limb
/// without its bones turns nothing.
class LimbAngles {
 public:
  using Turns = std::map<int, Eigen::Matrix3d>;

  LimbAngles(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
             const EffectiveHierarchy& hierarchy, const LimbBones& bones);

  /// From hanging, out to the side or to the front. What exceeds 30 degrees is a third the
  /// clavicle's, where there is one.
  void raise_arm(Turns& turns, std::size_t side, double degrees) const;
  void lift_arm(Turns& turns, std::size_t side, double degrees) const;
  void bend_elbow(Turns& turns, std::size_t side, double degrees) const;
  /// The palm of a hanging arm to the front.
  void twist_forearm(Turns& turns, std::size_t side, double degrees) const;
  /// To the palm.
  void bend_wrist(Turns& turns, std::size_t side, double degrees) const;
  /// Every joint of every finger to the palm; joints of the thumb across it.
  void bend_fingers(Turns& turns, std::size_t side, double degrees) const;
  void bend_thumb(Turns& turns, std::size_t side, double degrees) const;
  /// From hanging straight, to the front or out to the side.
  void bend_hip(Turns& turns, std::size_t side, double degrees) const;
  void spread_hip(Turns& turns, std::size_t side, double degrees) const;
  void bend_knee(Turns& turns, std::size_t side, double degrees) const;
  /// Toes up.
  void bend_ankle(Turns& turns, std::size_t side, double degrees) const;
  /// Neck and head together, to the front or to the left.
  void nod(Turns& turns, double degrees) const;
  void turn_head(Turns& turns, double degrees) const;
  /// To the front, spread over the chain.
  void bend_spine(Turns& turns, double degrees) const;

 private:
  [[nodiscard]] bool turns_bone(int bone) const;
  [[nodiscard]] Vec3 head_of(int bone) const;
  [[nodiscard]] Vec3 direction(int bone, int next) const;
  [[nodiscard]] Vec3 palm(std::size_t side) const;
  void swing_arm(Turns& turns, std::size_t side, const Vec3& towards, double degrees) const;
  void swing_thigh(Turns& turns, std::size_t side, const Vec3& towards, double degrees) const;

  const Skeleton& skeleton_;
  const std::vector<BoneRole>& roles_;
  const std::vector<int>& parent_;
  const LimbBones& bones_;
  BodyFrame body_;
};

}  // namespace sinew
