// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/bind/bind.h"
#include "sinew/rig/mirror.h"
#include "support/binding.h"
#include "support/checked.h"
#include "support/symmetric_biped.h"

namespace sinew {
namespace {

using test::bound;
using test::checked;
using test::example;
using test::symmetric_biped;
using test::SymmetricBiped;

std::vector<Influence> image_of_row(std::span<const Influence> row, const Skeleton& skeleton) {
  std::vector<Influence> image;
  for (const Influence& influence : row) {
    const std::string name = mirrored_name(skeleton.bone(static_cast<int>(influence.bone)).name);
    for (std::size_t b = 0; b < skeleton.bone_count(); ++b)
      if (skeleton.bone(static_cast<int>(b)).name == name)
        image.push_back({static_cast<std::uint32_t>(b), influence.weight});
  }
  std::ranges::sort(image, {}, &Influence::bone);
  return image;
}

std::size_t asymmetric(const SymmetricBiped& biped, const SkinWeights& weights) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const auto row = weights.row(biped.image[v]);
    if (image_of_row(weights.row(v), biped.character.skeleton) !=
        std::vector<Influence>(row.begin(), row.end()))
      ++count;
  }
  return count;
}

TEST(MirroredBind, ASymmetricBipedHasExactlySymmetricWeights) {
  const SymmetricBiped biped = symmetric_biped(2000);
  const Bound result = bound(biped.character);
  ASSERT_TRUE(result.report.solve->mirror_axis);
  EXPECT_EQ(*result.report.solve->mirror_axis, 0);
  EXPECT_EQ(asymmetric(biped, result.weights), 0u);
}

TEST(MirroredBind, RoundedWeightsAreTheSameOnBothSides) {
  const SymmetricBiped biped = symmetric_biped(2000);
  BindOptions options;
  options.format = WeightFormat::u8;
  const Bound result = bound(biped.character, options);
  ASSERT_TRUE(result.report.solve->mirror_axis);
  for (std::size_t v = 0; v < biped.image.size(); ++v) {
    if (biped.image[v] == v) continue;  // two bones may differ by a step in the plane
    const auto row = result.weights.row(biped.image[v]);
    EXPECT_EQ(image_of_row(result.weights.row(v), biped.character.skeleton),
              std::vector<Influence>(row.begin(), row.end()))
        << v;
  }
  const RoundingReport& rounding = *result.report.budgets[0].rounding;
  EXPECT_LT(rounding.arap_after, rounding.arap_nearest) << "still better than vertex by vertex";
}

TEST(MirroredBind, WithoutAMirrorTheSidesDiffer) {
  const SymmetricBiped biped = symmetric_biped(2000);
  BindOptions options;
  options.mirror = MirrorChoice::off;
  EXPECT_GT(asymmetric(biped, bound(biped.character, options).weights), 100u);
}

TEST(MirroredBind, OneVertexOutOfPlaceDoesNotBreakTheRest) {
  SymmetricBiped biped = symmetric_biped(2000);
  std::vector<Vec3> positions = biped.character.mesh.positions();
  std::size_t moved = 0;
  while (biped.image[moved] == moved) ++moved;
  positions[moved] += Vec3(0.004, 0.003, 0.002);
  biped.character.mesh =
      checked(Mesh::create({positions, biped.character.mesh.triangles(), {}, {}}));
  const Bound result = bound(biped.character);
  ASSERT_TRUE(result.report.solve->mirror_axis);
  EXPECT_EQ(result.report.solve->mirrored_vertices, result.report.welded_vertices - 2);
  EXPECT_LE(asymmetric(biped, result.weights), 2u);
}

TEST(MirroredBind, PosesCountForBothSidesWhereBothAreOne) {
  const SymmetricBiped biped = symmetric_biped(2000);
  const auto poses_of = [&](const Character& character, MirrorChoice mirror,
                            std::optional<int> count) {
    BindOptions options;
    options.mirror = mirror;
    options.exemplars.count = count;
    const Bound result = bound(character, options);
    EXPECT_EQ(result.report.solve->mirror_axis.has_value(), mirror != MirrorChoice::off);
    return result.report.solve->exemplars;
  };
  EXPECT_EQ(poses_of(biped.character, MirrorChoice::off, {}), 80u);
  EXPECT_EQ(poses_of(biped.character, MirrorChoice::automatic, {}), 40u);
  EXPECT_EQ(poses_of(biped.character, MirrorChoice::automatic, 60), 60u) << "who asks";
  EXPECT_EQ(poses_of(biped.character, MirrorChoice::automatic, 7), 7u);
  EXPECT_EQ(poses_of(example("biped", 2000), MirrorChoice::x, {}), 80u) << "little is the same";
}

TEST(MirroredBind, SymmetryCostsLittle) {
  const SymmetricBiped biped = symmetric_biped(2000);
  BindOptions together;
  together.exemplars.count = BindExemplars::kUsual;  // the same poses for both
  BindOptions apart = together;
  apart.mirror = MirrorChoice::off;
  const double free = bound(biped.character, apart).report.solve->arap_finished;
  EXPECT_LT(bound(biped.character, together).report.solve->arap_finished, 1.05 * free);
}

}  // namespace
}  // namespace sinew
