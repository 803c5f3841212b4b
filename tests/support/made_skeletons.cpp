// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/made_skeletons.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew::test {
namespace {

template <class T>
T checked(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().to_string());
  return *std::move(result);
}

}  // namespace

Skeleton make_skeleton(const std::vector<MadeBone>& bones) {
  std::vector<Bone> made;
  for (const MadeBone& each : bones) {
    Bone bone;
    bone.name = each.name;
    bone.parent = each.parent;
    bone.rest.translation() = each.head;
    bone.source_node = static_cast<int>(made.size());
    made.push_back(std::move(bone));
  }
  return checked(Skeleton::create(std::move(made)));
}

Mesh box_mesh(const Vec3& low, const Vec3& high) {
  MeshData data;
  for (const double z : {low.z(), high.z()})
    for (const double y : {low.y(), high.y()})
      for (const double x : {low.x(), high.x()}) data.positions.emplace_back(x, y, z);
  data.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return checked(Mesh::create(std::move(data)));
}

Character make_boxed_character(const std::vector<MadeBone>& bones, const Vec3& low,
                               const Vec3& high) {
  Character character;
  character.name = "box";
  character.mesh = box_mesh(low, high);
  character.skeleton = make_skeleton(bones);
  character.weights = SkinWeights(character.mesh.vertex_count(), bones.size());
  character.parts = {{"box", 0, character.mesh.vertex_count()}};
  std::vector<Node> nodes;
  for (const MadeBone& bone : bones) {
    Node node;
    node.name = bone.name;
    node.parent = bone.parent;
    node.local.translation = bone.head;
    if (bone.parent >= 0)
      node.local.translation -= bones[static_cast<std::size_t>(bone.parent)].head;
    nodes.push_back(std::move(node));
  }
  character.nodes = checked(make_node_tree(std::move(nodes)));
  return character;
}

SkinWeights rigid_weights(const std::vector<int>& bone_of_vertex, std::size_t bone_count) {
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (const int bone : bone_of_vertex) {
    influences.push_back({static_cast<std::uint32_t>(bone), 1});
    begin.push_back(influences.size());
  }
  return SkinWeights::mend(bone_count, std::move(begin), std::move(influences));
}

int bone_named(const Skeleton& skeleton, std::string_view name) {
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j)
    if (skeleton.bones()[j].name == name) return static_cast<int>(j);
  ADD_FAILURE() << "no bone " << name;
  return 0;
}

}  // namespace sinew::test
