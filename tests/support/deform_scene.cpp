// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/deform_scene.h"

#include <cmath>
#include <limits>
#include <random>

#include "sinew/deform/dual_quaternion_blend.h"
#include "sinew/deform/linear_blend.h"

namespace sinew::test {

DeformScene random_scene(std::size_t vertices, std::size_t bones, std::size_t max_influences,
                         unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  DeformScene scene;
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  for (std::size_t v = 0; v < vertices; ++v) {
    scene.positions.emplace_back(unit(random), unit(random), unit(random));
    scene.normals.push_back(Vec3(unit(random), unit(random), unit(random) + 2).normalized());
    const std::size_t count = v % 10 == 9 ? 0 : 1 + random() % max_influences;
    const std::size_t first = random() % bones;
    for (std::size_t k = 0; k < count; ++k)
      influences.push_back({static_cast<std::uint32_t>((first + k) % bones), 1.01 + unit(random)});
    row_begin.push_back(influences.size());
  }
  scene.weights = SkinWeights::mend(bones, std::move(row_begin), std::move(influences));
  return scene;
}

DeformScene two_bone_cylinder() {
  constexpr int kRings = 41, kAround = 24;
  DeformScene scene;
  std::vector<std::size_t> row_begin{0};
  std::vector<Influence> influences;
  for (int ring = 0; ring < kRings; ++ring) {
    const double along = ring / (kRings - 1.0);
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2 * M_PI * k / kAround;
      scene.positions.emplace_back(std::cos(angle), std::sin(angle), 4 * along - 2);
      scene.normals.emplace_back(std::cos(angle), std::sin(angle), 0);
      influences.push_back({0, 1 - along});
      influences.push_back({1, along});
      row_begin.push_back(influences.size());
    }
  }
  scene.weights = SkinWeights::mend(2, std::move(row_begin), std::move(influences));
  return scene;
}

Affine3 random_rigid(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  Affine3 motion = Affine3::Identity();
  motion.linear() =
      Quat(unit(random), unit(random), unit(random), unit(random)).normalized().toRotationMatrix();
  motion.translation() = Vec3(unit(random), unit(random), unit(random));
  return motion;
}

Affine3 random_affine(unsigned seed) {
  Affine3 map = random_rigid(seed);
  std::mt19937 random(seed + 1000);
  std::uniform_real_distribution<double> shear(-0.3, 0.3);
  Eigen::Matrix3d stretch = Eigen::Matrix3d::Identity() * 1.2;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) stretch(r, c) += shear(random);
  map.linear() = map.linear() * stretch;
  return map;
}

std::vector<Affine3> random_bones(std::size_t count, Affine3 (*make)(unsigned)) {
  std::vector<Affine3> bones;
  for (std::size_t b = 0; b < count; ++b) bones.push_back(make(static_cast<unsigned>(b) + 1));
  return bones;
}

std::vector<float> to_floats(std::span<const Vec3> points) {
  std::vector<float> floats;
  for (const Vec3& point : points)
    for (int k = 0; k < 3; ++k) floats.push_back(static_cast<float>(point[k]));
  return floats;
}

Vec3 point_at(std::span<const float> xyz, std::size_t index) {
  return {xyz[3 * index], xyz[3 * index + 1], xyz[3 * index + 2]};
}

Deformed deform(Method method, const DeformScene& scene, std::span<const Affine3> bones,
                const DeformOptions& options) {
  const PackedInfluences influences = *PackedInfluences::create(scene.weights);
  const std::vector<float> positions = to_floats(scene.positions);
  const std::vector<float> normals = to_floats(scene.normals);
  // What a kernel forgets to write shows up as NaN.
  const float unset = std::numeric_limits<float>::quiet_NaN();
  Deformed out{std::vector(positions.size(), unset), std::vector(normals.size(), unset)};
  const DeformSpans spans{positions, normals, out.positions, out.normals};
  if (method == Method::linear)
    linear_blend(influences, BoneMatrices(bones), spans, options);
  else
    dual_quaternion_blend(influences, BoneDualQuaternions(bones), spans, options);
  return out;
}

}  // namespace sinew::test
