// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/deform/spine_joints.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/driven_spines.h"

namespace sinew {

/// A bone whose bend or twist is to be carried by a row of plain joints.
struct SpineToWrite {
  /// What of a clip the row follows.
  enum class Follows {
    spine,  // everything, and what hangs on the bone moves to the end of the arc
    twist,  // the twist of the child alone; nothing else in the file moves
  };
  int bone = -1;
  BoneKind kind = BoneKind::spine;  // spine or stretch_twist
  SpineSegment segment;
  int joints = 8;
  StretchBy stretch = StretchBy::translations;
  Follows follows = Follows::spine;
};

/// What turns a helper joint in clips that are made later: so much of the source's turn, about one
/// of the helper's own axes.
struct TwistDriver {
  int helper_node = -1;
  std::string helper;
  int source_node = -1;
  std::string source;
  char axis = 'Y';  // of the helper's own space at rest: the bone's direction
  double weight = 0;
};

/// A row that is in the document now.
struct WrittenSpine {
  int first_joint = -1;  // bone of the longer skeleton; the others follow it
  int joints = 0;
  std::size_t clips = 0;        // that move it
  std::size_t keys = 0;         // key times over these clips
  std::size_t moved_nodes = 0;  // that hung on the bone and were baked too
};

struct SpineJoints {
  LoadedCharacter loaded;  // with the new joints as bones after the old ones, and the new clips
  std::vector<WrittenSpine> spines;  // as they were asked for
  std::vector<TwistDriver> drivers;
  Notices notices;
};

/// Puts rows of joints into a document and moves them as its clips move the bones; what is left is
/// to write weights (deform/spine_joints.h) for `loaded` of the result.
///
/// The joints are leaves under the bone's node, named "Spine.spine.0" and so on, marked in
/// `extras.sinew`, and come after all others in every skin that lists the bone, so that old joints
/// keep their numbers. The bone's node stays, as a rigid bone: in the result's skeleton too, and
/// its `extras.sinew` no longer says that it is a spine. An axis of each joint lies along the bone.
///
/// Clips: since a bone of the row moves as base · local, and the base is what the bone's node does,
/// its keys are those of `local` in the node's space, made from what the clip does to the bone's
/// main child (model/driven_spines.h). That child keeps its orientation and is moved to where the
/// end of the arc is; what else hangs on the node of a spine is carried by that end, and on the
/// node of a stretch-twist bone moved alike: translations, and where they turn rotations, are baked
/// too. Keys are linear,
/// at the times of the channels they come from and between them wherever a straight line would miss
/// by more than kKeyDeviation; where all those channels are steps, steps. Channels that come from
/// nothing, or change nothing, are not written.
///
/// Rows that follow twist also get a driver for clips that come later: a roll constraint of
/// VRMC_node_constraint 1.0 on each joint, with the bone's main child as its source.
///
/// Notices: "uneven_bone" for a bone whose rest is scaled unevenly, whose joints then follow the
/// spine only nearly; "no_driver" where the child hangs below another node.
[[nodiscard]] Result<SpineJoints> add_spine_joints(Document& document,
                                                   const LoadedCharacter& loaded,
                                                   std::span<const SpineToWrite> spines);

/// The same drivers for programs without that extension: {"sinew_drivers": 1, "about": ...,
/// "drivers": [{"helper", "source", "axis", "weight", "in_words"}]}.
[[nodiscard]] Json twist_drivers_json(std::span<const TwistDriver> drivers);

}  // namespace sinew
