// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rig/leaf_tails.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"
#include "support/checked.h"

namespace sinew::test {

struct PlacedBone {
  std::string name;
  int parent = -1;
  Vec3 head = Vec3::Zero();  // model space
  std::optional<Vec3> tail;
};

inline Skeleton placed_skeleton(const std::vector<PlacedBone>& placed) {
  std::vector<Bone> bones;
  for (const PlacedBone& each : placed) {
    Bone bone;
    bone.name = each.name;
    bone.parent = each.parent;
    bone.rest.translation() = each.head;
    bone.tail = each.tail;
    bones.push_back(std::move(bone));
  }
  return checked(Skeleton::create(std::move(bones)));
}

/// Mesh and bones as weights are made from.
struct PreparedCharacter {
  PreparedMesh prepared;
  Skeleton skeleton;  // tails guessed, bones said to deform or not
  BoneSegments segments;

  [[nodiscard]] const Vec3& in_model(VertexIndex welded) const {
    return prepared.welded.mesh.positions()[welded];
  }
};

inline PreparedCharacter prepared(const Mesh& mesh, const Skeleton& skeleton) {
  PreparedMesh made = prepare_mesh(mesh);
  Skeleton with_tails = guess_leaf_tails(skeleton, mesh, SkinWeights()).skeleton;
  BoneSegments segments(with_tails, made.frame);
  return {std::move(made), std::move(with_tails), std::move(segments)};
}

/// With the bones that `bind` would bind to.
inline PreparedCharacter prepared(const Character& character) {
  const std::vector<BoneRole> roles = decide_deforming_bones(character, {});
  const EffectiveHierarchy hierarchy =
      find_effective_hierarchy(character, roles, HierarchyChoice::effective);
  Skeleton skeleton = guess_leaf_tails(effective_skeleton(character.skeleton, roles, hierarchy),
                                       character.mesh, character.weights)
                          .skeleton;
  PreparedMesh made = prepare_mesh(character.mesh);
  BoneSegments segments(skeleton, made.frame);
  return {std::move(made), std::move(skeleton), std::move(segments)};
}

/// The character elsewhere and in another unit, positions as double as they were.
inline Character moved(const Character& character, double scale, const Vec3& offset) {
  Character result = character;
  MeshData data = character.mesh.data();
  for (Vec3& position : data.positions) position = scale * position + offset;
  result.mesh = checked(Mesh::create(std::move(data)));
  std::vector<Bone> bones = character.skeleton.bones();
  for (Bone& bone : bones) {
    bone.rest.translation() = scale * bone.head() + offset;
    if (bone.tail) bone.tail = scale * *bone.tail + offset;
  }
  result.skeleton = checked(Skeleton::create(std::move(bones)));
  result.clips.clear();  // they move nodes, which stay where they were
  return result;
}

}  // namespace sinew::test
