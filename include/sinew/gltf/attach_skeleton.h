// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/math/types.h"

namespace sinew {

struct AttachOptions {
  enum class Fit {
    guess,   // mend a clear power of ten in size and an unambiguous quarter turn, report the rest
    report,  // change nothing, report what would fit
  };
  Fit fit = Fit::guess;
};

struct AttachedSkeleton {
  Document document;             // the mesh's document with the skeleton in it
  int skin = -1;                 // the new skin
  double scale = 1;              // what the skeleton was scaled by
  Quat turn = Quat::Identity();  // and turned by, about the origin
  Notices notices;
};

/// Gives a document whose meshes have no skin the skeleton of another document: its joint nodes
/// with names and extras, the nodes above them, the animations that move them, and a skin whose
/// inverse bind matrices say that the skeleton's bind pose is the pose of the mesh. The skin
/// carries extras {"sinew": {"for_unskinned": true}}, and no mesh node refers to it: without
/// weights glTF does not allow that.
///
/// Sizes and axes are compared with the mesh's. A skeleton that is ten, a hundred or a thousand
/// times as large or small is scaled, and one that lies in the mesh only after a quarter turn (Z up
/// on Y up) is turned, each with a notice that says by how much; what is less clear is reported and
/// left alone. Scaling goes into translations, tails and keys; the turn is a node above the
/// skeleton.
///
/// Of several skeletons in the file the one with the most bones is taken. A mesh that has a skin is
/// an error.
[[nodiscard]] Result<AttachedSkeleton> attach_skeleton(const Document& mesh,
                                                       const Document& skeleton,
                                                       const AttachOptions& options = {});

}  // namespace sinew
