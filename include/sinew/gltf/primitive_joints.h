// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew {

/// How many joints one primitive needs at once: an engine draws it with that many matrices.
struct PrimitiveJoints {
  int mesh = -1;
  int primitive = -1;
  int skin = -1;
  std::size_t joints = 0;  // that have weight on a vertex which the primitive draws
};

/// Of every primitive that shows the character's parts, in the order of meshes. Read from the
/// document, as the weights are now.
[[nodiscard]] Result<std::vector<PrimitiveJoints>> count_primitive_joints(
    const Document& document, const LoadedCharacter& loaded);

/// Cuts primitives that need more than `limit` joints into several that need no more. Triangles
/// that need the same joints stay together, in their order; the pieces share the vertices, the
/// material, morph targets and everything else of the primitive, and differ in indices alone. The
/// first piece keeps the primitive's place in its mesh and the others come at the end, so that no
/// index into the document changes its meaning. Returns the number of primitives that were added.
/// What does not draw plain triangles, and a triangle that needs more by itself, stays as it is:
/// count again to see. With limit ≥ 3 × influences per vertex the latter cannot be.
[[nodiscard]] Result<std::size_t> split_primitives(Document& document,
                                                   const LoadedCharacter& loaded,
                                                   std::size_t limit);

}  // namespace sinew
