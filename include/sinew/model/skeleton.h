// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/math/types.h"

namespace sinew {

/// How a bone moves what it carries. Follows [araplbs] section 1.2.
enum class BoneKind {
  rigid,
  stretch_twist,  // [araplbs] STB: stretch and twist spread along the bone
  spine,          // [araplbs] spine: a bend spread along the bone
};
[[nodiscard]] std::string_view to_string(BoneKind kind);
[[nodiscard]] std::optional<BoneKind> bone_kind_from(std::string_view name);

/// Where on a bone that bends its vertices sit: rig/spine_parameters.h.
enum class SpineParametrisation {
  linear,    // where on the segment a vertex is nearest: [spines] section 3.1
  harmonic,  // spread over the surface from one end to the other: follows a curved limb
};
[[nodiscard]] std::string_view to_string(SpineParametrisation parametrisation);
[[nodiscard]] std::optional<SpineParametrisation> spine_parametrisation_from(std::string_view name);

struct Range {
  double min = 0;
  double max = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

/// What a bone may do relative to its parent. The defaults are [araplbs] section 3.3.
struct BoneLimits {
  Range roll_deg{-60,
                 60};  // about roll_axis, or about a random axis orthogonal to the bone without one
  Range twist_deg{-10, 10};       // about the bone itself
  std::optional<Vec3> roll_axis;  // unit, bone space: a hinge such as a knee
  Range bend_deg{-60, 60};        // stretch-twist bones and spines: from one end to the other
  Range stretch{1, 1};            // stretch-twist bones and spines: length relative to rest

  friend bool operator==(const BoneLimits&, const BoneLimits&) = default;
};

/// Where a joint of a row sits. A bone that bends can be written as a row of joints below it
/// (deform/spine_joints.h), which then move as it bends and never by themselves.
struct RowPlace {
  BoneKind kind = BoneKind::spine;  // of the bone that the row stands for: the joint's parent
  double u = 0;                     // on it, 0 at its head and 1 at its tail

  friend bool operator==(const RowPlace&, const RowPlace&) = default;
};

/// What carries a transform and influences vertices. A bone that came from glTF is one joint node.
struct Bone {
  std::string name;  // as in the file: may be empty, repeated, or any UTF-8
  int parent = -1;   // index of a bone; -1 for a root
  Affine3 rest =
      Affine3::Identity();   // bone space to model space in the bind pose; its origin is the joint
  std::optional<Vec3> tail;  // model space; where the file says that the bone ends
  std::optional<Vec3> leaf_axis;  // unit, bone space; where a leaf without a tail points, if said
  BoneKind kind = BoneKind::rigid;
  SpineParametrisation parametrisation = SpineParametrisation::linear;  // of a bone that bends
  std::string painted_attribute;  // of the vertices, instead where it has a value; empty for none
  BoneLimits limits;
  std::optional<RowPlace> part_of;  // of a joint of a row; a bone of its own without
  std::optional<bool>
      deforms;           // said by the file or the user; nobody said: decided when weights are made
  int source_node = -1;  // index of the glTF node; -1 for a bone that came from elsewhere

  [[nodiscard]] Vec3 head() const { return rest.translation(); }
};

/// A piece of a bone in space, model space. A virtual segment connects bones and influences
/// nothing.
struct Segment {
  int bone = -1;   // the owner
  int child = -1;  // the bone at its far end; -1 for a tail
  Vec3 head = Vec3::Zero();
  Vec3 tail = Vec3::Zero();
  bool is_virtual = false;
};

/// A forest of bones: parents are in range, free of cycles, and every number is finite.
/// Bones keep the order they were given in, which need not have parents first: iterate by
/// `order()`.
///
/// Segments: a bone with a tail owns head→tail, and a virtual segment from its tail to each child
/// that starts elsewhere. A bone without one owns a segment from its head to the head of each
/// child. A leaf without a tail owns none until guess_leaf_tails gives it one. All segments of a
/// bone with deforms == false are virtual.
class Skeleton {
 public:
  Skeleton() = default;

  /// Checks the bones. The place of an error is "bones[i]".
  [[nodiscard]] static Result<Skeleton> create(std::vector<Bone> bones);

  /// The same bones as `edit` leaves them, which is given all of them. For edits that cannot make a
  /// bone wrong: of what it is, whether it deforms, where its tail is. What create would refuse is
  /// a mistake of the program.
  template <class Edit>
  [[nodiscard]] Skeleton with(Edit&& edit) const {
    std::vector<Bone> bones = bones_;
    edit(bones);
    return remade(std::move(bones));
  }

  [[nodiscard]] std::size_t bone_count() const { return bones_.size(); }
  [[nodiscard]] const std::vector<Bone>& bones() const { return bones_; }
  [[nodiscard]] const Bone& bone(int index) const {
    return bones_[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] std::span<const int> children(int bone) const;
  [[nodiscard]] const std::vector<int>& roots() const { return roots_; }
  /// Every bone once, parents before children.
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  /// The distance from a bone's head to its tail, or the mean over its children, or 0 for a bare
  /// leaf.
  [[nodiscard]] double length(int bone) const;

 private:
  static Skeleton remade(std::vector<Bone> bones);

  std::vector<Bone> bones_;
  std::vector<Segment> segments_;
  std::vector<int> children_;        // grouped by parent
  std::vector<int> children_begin_;  // bone_count + 1
  std::vector<int> roots_;
  std::vector<int> order_;
};

}  // namespace sinew
