// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/model/animation.h"
#include "sinew/model/mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// A run of the character's vertices that came from one place: a mesh node, or a primitive of it.
struct MeshPart {
  std::string name;
  std::size_t first_vertex = 0;
  std::size_t vertex_count = 0;
};

/// A mesh that hangs on a bone as a whole: a sword, a robot's shell. It moves with the bone and
/// needs no weights.
struct RigidProp {
  std::string name;
  int bone = -1;
  int source_node = -1;
};

/// Everything that is skinned to one skeleton: meshes, bones, weights and clips, in one model
/// space. Model space is the scene's (right-handed, +Y up, metres where the file keeps to glTF), in
/// the bind pose.
struct Character {
  std::string name;
  Mesh mesh;
  Skeleton skeleton;
  SkinWeights weights;  // one row per vertex of the mesh; empty rows where the file has none
  std::vector<MeshPart> parts;  // cover the vertices in order
  std::vector<RigidProp> props;
  NodeTree nodes;           // the scene that the bones live in; bones point into it by source_node
  std::vector<Clip> clips;  // their channels point into `nodes`

  /// Where a skinned file's skeleton is taken for the bind pose, a bone's M_j in the scene is
  /// world(source_node) · rest⁻¹; this is that for every bone, for a tree sampled from `nodes`.
  [[nodiscard]] std::vector<Affine3> skinning_transforms(const NodeTree& posed) const;
};

/// New rows for the vertices of these parts, old ones for all others. Both have a row per vertex.
[[nodiscard]] SkinWeights replace_rows(const SkinWeights& old, const SkinWeights& fresh,
                                       std::span<const MeshPart> parts);

/// The rows of these parts alone, one part after the other.
[[nodiscard]] SkinWeights rows_of_parts(const SkinWeights& weights,
                                        std::span<const MeshPart> parts);

/// The same character with these of its parts alone, by index, ascending; their vertices come one
/// part after the other. Faces and wires that reach into other parts are gone.
[[nodiscard]] Character with_parts(const Character& character, std::span<const int> parts);

}  // namespace sinew
