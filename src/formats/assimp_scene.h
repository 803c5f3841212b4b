// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <assimp/scene.h>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/math/types.h"

namespace sinew::reading {

[[nodiscard]] Affine3 to_affine(const aiMatrix4x4& matrix);

/// A node of an assimp scene, after the conversion of units and axes.
struct SceneNode {
  const aiNode* source = nullptr;
  int parent = -1;
  Affine3 local = Affine3::Identity();
  Affine3 world = Affine3::Identity();
  bool carries_mesh = false;  // itself or something below it
  bool animated = false;
  int gltf_node = -1;  // once it is written; -1 for a root that was not needed
};

/// An assimp scene with its nodes in a flat list, parents first, in metres and +Y up.
struct SceneTree {
  const aiScene* scene = nullptr;
  std::vector<SceneNode> nodes;
  std::unordered_map<std::string, int> by_name;  // the first node of each name
  double length_scale = 1;  // what lengths in mesh and node space were multiplied with
  double top_scale = 1;     // what the nodes below the root were multiplied with, from outside

  [[nodiscard]] int find(const aiString& name) const {
    const auto it = by_name.find(name.C_Str());
    return it == by_name.end() ? -1 : it->second;
  }
  [[nodiscard]] const SceneNode& node(int index) const {
    return nodes[static_cast<std::size_t>(index)];
  }
  /// A bone's offset matrix (mesh space to bone space) in converted lengths.
  [[nodiscard]] Affine3 offset(const aiBone& bone) const;
};

/// Flattens the nodes and converts them. The place of an error is "nodes[i]".
[[nodiscard]] Result<SceneTree> make_scene_tree(const aiScene& scene, Notices& notices);

}  // namespace sinew::reading
