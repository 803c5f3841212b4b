// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/deform/deform_spans.h"
#include "sinew/math/types.h"
#include "sinew/model/skin_weights.h"

namespace sinew::test {

/// Points with unit normals, and what the float kernels need of them.
struct DeformScene {
  std::vector<Vec3> positions, normals;
  SkinWeights weights;
};

/// Random points in the cube [-1, 1]³, each with 0 to `max_influences` bones; every tenth has no
/// weights at all.
[[nodiscard]] DeformScene random_scene(std::size_t vertices, std::size_t bones,
                                       std::size_t max_influences, unsigned seed);

/// Rings of a unit cylinder along +Z from -2 to 2, blended from bone 0 to bone 1 by height.
[[nodiscard]] DeformScene two_bone_cylinder();

[[nodiscard]] Affine3 random_rigid(unsigned seed);
[[nodiscard]] Affine3 random_affine(
    unsigned seed);  // with shear and scale, determinant well away from 0
[[nodiscard]] std::vector<Affine3> random_bones(std::size_t count, Affine3 (*make)(unsigned));

[[nodiscard]] std::vector<float> to_floats(std::span<const Vec3> points);
[[nodiscard]] Vec3 point_at(std::span<const float> xyz, std::size_t index);

enum class Method { linear, dual };

struct Deformed {
  std::vector<float> positions, normals;
  friend bool operator==(const Deformed&, const Deformed&) = default;
};

/// One call of the run-time deformer; normals come back empty when the scene has none.
[[nodiscard]] Deformed deform(Method method, const DeformScene& scene,
                              std::span<const Affine3> bones, const DeformOptions& options = {});

}  // namespace sinew::test
