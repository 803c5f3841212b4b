// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/io/gltf_document.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// Takes what a joint node says about its bone in extras {"sinew": {...}} into `bone`, whose rest
/// is known: "tail": [x, y, z], in the node's own space. What is malformed is passed over: extras
/// are anybody's.
void read_bone_extras(const Json& node, Bone& bone);

}  // namespace sinew
