// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/animation.h"
#include "sinew/model/skeleton.h"

namespace sinew::sculpt {

/// A bone as a sculptor thinks of it: from where to where, and which way it bends.
struct BoneSpec {
  std::string name;
  std::string parent;  // empty for the root
  Vec3 head;           // body space
  Vec3 tail;
  Vec3 bends_toward;  // where the tail goes when the bone is flexed; need not be orthogonal to the
                      // bone
  Range flex_deg{-30, 30};
  Range twist_deg{-10, 10};
  bool hinge = false;  // flexes about one axis only: elbows, knees, fingers
};

/// Bones with their rest frames: +Y along the bone, +X the axis about which a positive angle flexes
/// it, so that the same angle means the same motion on the left and on the right.
class Rig {
 public:
  /// Adds a bone; its parent must have been added before.
  int add(const BoneSpec& spec);

  /// Adds the mirror image (x to -x) of every bone named NAME.L as NAME.R.
  void mirror_left_to_right();

  [[nodiscard]] int find(std::string_view name) const;  // -1 for a name that is not there
  [[nodiscard]] const std::vector<BoneSpec>& specs() const { return specs_; }
  [[nodiscard]] const std::vector<Bone>& bones() const { return bones_; }

  /// One node per bone, in the order of the bones.
  [[nodiscard]] std::vector<Node> nodes() const;

 private:
  std::vector<BoneSpec> specs_;
  std::vector<Bone> bones_;
};

/// What a bone does on top of its rest pose, in its own axes: first the twist, then the flex, then
/// the sway.
struct Motion {
  double flex_deg = 0;   // about X: the way it bends
  double sway_deg = 0;   // about Z: sideways
  double twist_deg = 0;  // about Y
};

/// Writes a clip by sampling functions of the phase, which runs from 0 to 1.
class ClipWriter {
 public:
  ClipWriter(const Rig& rig, std::string name, double duration_s, int key_count);

  void turn(std::string_view bone, const std::function<Motion(double phase)>& motion);
  /// Moves a root bone from its rest place, in model space.
  void shift(std::string_view root_bone, const std::function<Vec3(double phase)>& offset);
  [[nodiscard]] Clip finish() && { return std::move(clip_); }

 private:
  [[nodiscard]] Channel channel(std::string_view bone, ChannelPath path, int width) const;
  const Rig& rig_;
  std::vector<Node> nodes_;
  std::vector<double> times_;
  Clip clip_;
};

/// 0 before `from`, 1 after `to`, smooth between.
[[nodiscard]] double ease(double from, double to, double x);

}  // namespace sinew::sculpt
