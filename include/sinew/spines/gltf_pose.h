// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

enum class Deformer {
  linear_blend,     // deform/linear_blend.h: what glTF means and what every engine does
  dual_quaternion,  // deform/dual_quaternion_blend.h: keeps volume under twists
};

struct PoseOptions {
  std::string clip;   // an animation as match_clip takes it; empty for the pose the nodes store
  double time_s = 0;  // a time outside the clip is moved to its nearest end, with a notice
  Deformer deformer = Deformer::linear_blend;
};

/// The document frozen at a moment of a clip: skinned meshes become plain meshes where they stand,
/// so that any program shows, or compares, what the weights do.
///
/// For every node with a mesh and a skin: morph targets are added at the node's weights, then each
/// vertex is skinned with M_j = world(joint j) · inverseBindMatrix j into the space of the scene.
/// The result is a new root node without a transform, of the same name, in the same scenes; its
/// mesh has new POSITION, NORMAL and TANGENT, no JOINTS, WEIGHTS and targets, and the same of all
/// else. The old node stays for its children and its place in the hierarchy, without mesh and skin.
/// Every other node stands in its pose; meshes without a skin keep their targets, and their node
/// gets the weights of the moment. Animations are gone, skins when nothing uses them, and
/// the data of both.
///
/// Joints whose nodes say that they are spines (formats/rig_file.h) bend: drive_spines says how,
/// and their `parameters` where vertices sit on them. Over a clip a turn goes on past half a turn
/// and a whole one, as it is followed from the clip's start. What hangs on their ends as a joint
/// moves along; the nodes of the result stand as in the clip. Dual quaternions leave them straight.
///
/// Weights are mended as SkinWeights::mend does; a vertex that has none follows joint 0, as in
/// three.js. Normals and tangents come out unit; one that cancels out stays as it was at rest.
/// Notices, if wanted: "time_clamped", "mended_weights", "nothing_skinned", "spine_without_length",
/// "straight_spines", and those of unplayable channels.
[[nodiscard]] Result<Document> pose_document(const Document& document,
                                             const PoseOptions& options = {},
                                             Notices* notices = nullptr);

}  // namespace sinew
