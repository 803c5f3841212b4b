// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::test {

struct MadeBone {
  std::string name;
  int parent = -1;
  Vec3 head = Vec3::Zero();  // model space
};

/// Bones without turns of their own, each on a node of the same index.
[[nodiscard]] Skeleton make_skeleton(const std::vector<MadeBone>& bones);

/// A character with that skeleton, its nodes, and an axis-aligned closed box as its mesh.
[[nodiscard]] Character make_boxed_character(const std::vector<MadeBone>& bones, const Vec3& low,
                                             const Vec3& high);

[[nodiscard]] Mesh box_mesh(const Vec3& low, const Vec3& high);

/// An open tube of radius 0.3 along +y, `bones` metres long, on a chain of bones one metre apart
/// that begins at the origin; each metre has `rows` rings of `around` vertices. Weights go smoothly
/// from bone to bone.
[[nodiscard]] Character make_tube_character(int bones, int rows, int around);

/// All of each vertex on one bone.
[[nodiscard]] SkinWeights rigid_weights(const std::vector<int>& bone_of_vertex,
                                        std::size_t bone_count);

/// The bone of that name; fails the test when there is none.
[[nodiscard]] int bone_named(const Skeleton& skeleton, std::string_view name);

}  // namespace sinew::test
