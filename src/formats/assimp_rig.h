// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/assimp_scene.h"
#include "sinew/core/notice.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/math/types.h"

namespace sinew::reading {

/// A skin before it is written: joints are nodes of the tree, parents first.
struct RigSkin {
  std::vector<int> joints;
  std::vector<Affine3> inverse_binds;  // scene space in the bind pose to joint space
};

/// How one mesh of the scene hangs on the skeleton.
struct RigMesh {
  int skin = -1;  // -1: it does not
  Affine3 placement =
      Affine3::Identity();         // mesh space to the scene in the bind pose, lengths converted
  std::vector<int> joint_of_bone;  // per bone of the mesh: position among the skin's joints
};

struct SceneRig {
  std::vector<RigSkin> skins;
  std::vector<RigMesh> meshes;  // one per mesh of the scene
  std::vector<bool> is_joint;   // per node of the tree
};

/// Finds the joints and the bind pose. Assimp stores, per mesh and bone, a matrix from mesh space
/// to bone space; from these follows where the mesh and every bone stood when they were bound, up
/// to one placement per skeleton: the stored pose decides it where it is the bind pose, else the
/// mesh node does.
[[nodiscard]] SceneRig make_rig(const SceneTree& tree, Notices& notices);

/// Appends the animations, for nodes that were written.
void add_clips(Document& document, const SceneTree& tree, Notices& notices);

/// `translation`, `rotation` and `scale` of a node as far as they say something; `matrix` for a
/// node with shear.
void put_transform(Json& node, const Affine3& local, bool animated);

}  // namespace sinew::reading
