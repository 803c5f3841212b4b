// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/made_skeletons.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support/checked.h"

namespace sinew::test {
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

Character make_tube_character(int bones, int rows, int around) {
  std::vector<MadeBone> chain;
  for (int j = 0; j < bones; ++j)
    chain.push_back({"bone" + std::to_string(j), j - 1, {0, static_cast<double>(j), 0}});
  Character character = make_boxed_character(chain, {0, 0, 0}, {1, 1, 1});

  MeshData data;
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  const int rings = bones * rows + 1;
  for (int ring = 0; ring < rings; ++ring) {
    const double height = static_cast<double>(ring) / rows;
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * k / around;
      data.positions.emplace_back(0.3 * std::cos(angle), height, 0.3 * std::sin(angle));
      // The upper bone takes over between a quarter below its joint and a quarter above.
      const int upper = std::clamp(static_cast<int>(std::lround(height)), 1, bones - 1);
      const double share = std::clamp((height - upper + 0.25) / 0.5, 0.0, 1.0);
      influences.push_back({static_cast<std::uint32_t>(upper - 1), 1 - share});
      influences.push_back({static_cast<std::uint32_t>(upper), share});
      begin.push_back(influences.size());
      if (ring + 1 == rings) continue;
      const auto at = [&](int r, int c) {
        return static_cast<VertexIndex>(r * around + c % around);
      };
      data.triangles.push_back({at(ring, k), at(ring + 1, k), at(ring, k + 1)});
      data.triangles.push_back({at(ring, k + 1), at(ring + 1, k), at(ring + 1, k + 1)});
    }
  }
  character.name = "tube";
  character.mesh = checked(Mesh::create(std::move(data)));
  character.parts = {{"tube", 0, character.mesh.vertex_count()}};
  character.weights =
      SkinWeights::mend(static_cast<std::size_t>(bones), std::move(begin), std::move(influences));
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
