// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/math/types.h"

namespace sinew {

/// A joint that something beside the character's own skin relies on: moving it would change what
/// that something does.
struct JointReliance {
  enum class By {
    prop,             // a mesh without a skin hangs on it and turns about it
    other_skin,       // a skin that is shown lists it, and this character does not cover it
    other_character,  // the joints of such a skin hang on it
    humanoid,         // it has a part in a map to a human body, or in what comes with one
    attachment,       // its node is itself a camera, a light or a mesh
    flat,             // it is scaled to nothing, so that no translation moves it
    row,              // it is of a row of joints that stands for a bone, or at an end of one
  };
  int bone = -1;
  By by = By::prop;
  std::string place;   // in the file, of what relies on it: "nodes[12]"
  std::string reason;  // what follows the joint's name: "carries the mesh 'Sword'"
};

/// Every reason why a joint should stay, by bone, ascending; a joint may have several. What only
/// hangs on a joint and shows nothing by itself (sockets, end nodes), and cameras and lights that
/// do, are no reason.
[[nodiscard]] std::vector<JointReliance> joints_relied_on(const Document& document,
                                                          const LoadedCharacter& loaded);

struct MoveJointsOptions {
  enum class Relied {
    refuse,  // a joint that something relies on is not moved: nothing is
    move,    // it is moved all the same; only what cannot be moved at all is refused
  };
  Relied relied = Relied::refuse;
};

struct MovedJoints {
  LoadedCharacter loaded;    // with the skeleton, the nodes and the clips as they are now
  std::size_t joints = 0;    // that moved
  std::size_t nodes = 0;     // with a new translation: joints, and what hangs on them
  std::size_t skins = 0;     // with new inverse bind matrices
  std::size_t channels = 0;  // of animations, with new keys
};

/// Moves joints in a document: bone b's head by displacements[b], model space, in the bind pose.
///
/// Guarantee: in the bind pose nothing moves but the joints; turning a joint turns what it carries
/// about its new place. With Q_b what a node does in any pose relative to its parent's bind pose,
/// in model space, Q'_b = T(d_b) · Q_b · T(−d_b): rotations, scales and the motion by translations
/// stay, whether the stored pose is the bind pose or not. For that
/// - a node's translation and the value of every key that a clip has for it change by the same
///   vector of its parent's space; tangents of splines stay;
/// - the inverse bind matrices of every skin that lists a moved joint get a new translation;
/// - what else hangs on a moved joint stays where it was in the bind pose;
/// - tails that nodes state in `extras.sinew` are those of with_joints_moved.
/// All other numbers keep their bits. An accessor that something else reads too stays as it is, and
/// a new one takes its place where it is needed.
///
/// Fails, and changes nothing, for displacements that are not finite, for a character that was read
/// in the pose of a clip (its bind pose has to be written first), and for joints that are relied
/// on, with the place of what relies on the first of them.
[[nodiscard]] Result<MovedJoints> move_joints(Document& document, const LoadedCharacter& loaded,
                                              std::span<const Vec3> displacements,
                                              const MoveJointsOptions& options = {});

}  // namespace sinew
