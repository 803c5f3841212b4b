// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/interior_inspection.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/binding.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

InteriorInspection inside_of(const Character& character, int cells = 3'000) {
  InteriorOptions options;
  options.cells = cells;
  return checked(inspect_interior(character, options));
}

/// A thigh and a shin with a round limb around them, and what sits on it.
Character limb_with(const MeshData& more = {}) {
  return limb_character(together(limb_data({.sides = 32, .rings = 65}), more));
}

TEST(InteriorInspection, VolumesAreThoseOfTheModel) {
  const InteriorInspection inside = inside_of(limb_with(), 20'000);
  const double volume = std::numbers::pi * 0.2 * 0.2 * 2;
  EXPECT_NEAR(inside.grid.mesh_volume / volume, 1, 0.03);
  EXPECT_GT(inside.grid.volume, inside.grid.mesh_volume) << "cells reach over the skin";
  EXPECT_NEAR(inside.grid.volume, static_cast<double>(inside.cells) * std::pow(inside.cell_size, 3),
              1e-9);
  EXPECT_EQ(inside.cells_asked, 20'000);
  EXPECT_NEAR(static_cast<double>(inside.cells), 20'000, 2'000);
  EXPECT_EQ(inside.grid.surface_cells + inside.grid.inside_cells + inside.grid.enclosed_cells,
            inside.cells);
}

TEST(InteriorInspection, SizesGrowWithTheModelAndPartsOfItDoNot) {
  Character large = limb_with();
  MeshData data = large.mesh.data();
  for (Vec3& position : data.positions) position *= 50;
  large.mesh = make_mesh(data);
  std::vector<Bone> bones = large.skeleton.bones();
  for (Bone& bone : bones) bone.rest.translation() *= 50;
  large.skeleton = checked(Skeleton::create(bones));
  const InteriorInspection a = inside_of(limb_with()), b = inside_of(large);
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_NEAR(b.cell_size / a.cell_size, 50, 1e-6);
  EXPECT_NEAR(b.cell_size_rel, a.cell_size_rel, 1e-9);
  EXPECT_NEAR(b.grid.volume / a.grid.volume, 125'000, 1);
}

TEST(InteriorInspection, ALoosePieceIsToldWithTheBoneThatItMovesWith) {
  const InteriorInspection inside = inside_of(limb_with(ball_data(Vec3(0.4, 1.7, 0), 0.05)));
  EXPECT_EQ(inside.grid.pieces, 2u);
  ASSERT_EQ(inside.loose_pieces.size(), 1u);
  const LoosePiece& ball = inside.loose_pieces[0];
  EXPECT_EQ(ball.bone, 1) << "the shin, which begins at y = 1";
  EXPECT_TRUE(ball.is_distant);
  EXPECT_GT(ball.gap_rel, 0.02);
  EXPECT_NEAR((ball.centre - Vec3(0.4, 1.7, 0)).norm(), 0, 2 * inside.cell_size);
  EXPECT_GT(ball.cells, 0u);
  EXPECT_TRUE(inside_of(limb_with()).loose_pieces.empty());
}

TEST(InteriorInspection, OfAMeshWithoutBonesTheShapeAloneIsTold) {
  Character bare;
  bare.mesh = make_mesh(limb_data());
  const InteriorInspection inside = inside_of(bare);
  EXPECT_EQ(inside.bones_with_cells, 0u);
  EXPECT_TRUE(inside.contacts.empty());
  EXPECT_TRUE(inside.loose_pieces.empty());
  EXPECT_GT(inside.cells, 2'000u);
}

TEST(InteriorInspection, WithoutAMeshThereIsNothingToFill) {
  Character bones = limb_with();
  bones.mesh = Mesh();
  const Result<InteriorInspection> refused = inspect_interior(bones);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_mesh);
}

TEST(InteriorInspection, IsTheSameForAnyNumberOfThreads) {
  const Character hand = example("hand", 4'000);
  const auto told_with = [&](int threads) {
    const ThreadLimit limit(threads);
    return to_json(inside_of(hand), hand.skeleton).dump();
  };
  EXPECT_EQ(told_with(1), told_with(4));
}

}  // namespace
}  // namespace sinew::test
