// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/animation.h"

namespace sinew {

/// The document's nodes, index for index, in the pose that it stores.
[[nodiscard]] Result<NodeTree> read_nodes(const Document& document);

/// The document's animations, index for index. A channel that cannot be played (times that go back,
/// values that are not finite or too few) is left out with a notice: clips are for posing and must
/// not stop a bind.
[[nodiscard]] std::vector<Clip> read_clips(const Document& document, Notices& notices);

/// Matrices as glTF stores them: columns first, last row 0 0 0 1.
[[nodiscard]] std::vector<float> packed_matrices(const std::vector<Affine3>& matrices);

/// Node transform members for a NodeTransform: matrix, or those of translation, rotation, scale
/// that are not the default.
void write_node_transform(Json& node, const NodeTransform& local);

}  // namespace sinew
