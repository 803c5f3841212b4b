// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/interior_weights.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/stored_weights.h"

namespace sinew::test {
namespace {

Character with_tails(Character character) {
  character.skeleton = character.skeleton.with([](std::vector<Bone>& bones) {
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (!bones[b].tail) bones[b].tail = bones[b].head() + Vec3(0, 1, 0);
  });
  return character;
}

/// Of a thigh and a shin, each as long as half of the limb.
InteriorWeights solved(MeshData data, const InteriorOptions& options = {}) {
  const Character character = with_tails(limb_character(std::move(data)));
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneSegments bones(character.skeleton, prepared.frame);
  return checked(interior_weights(prepared, bones, find_bone_cells(prepared, bones), options));
}

InteriorOptions of_cells(int cells) {
  InteriorOptions options;
  options.cells = cells;
  return options;
}

double sum_of(std::span<const Influence> row) {
  return std::accumulate(row.begin(), row.end(), 0.0,
                         [](double sum, const Influence& each) { return sum + each.weight; });
}

constexpr LimbOptions kFineLimb{.sides = 16, .rings = 65};

TEST(InteriorWeights, GoFromOneBoneToTheNextAlongALimb) {
  const MeshData limb = limb_data(kFineLimb);
  const InteriorWeights found = solved(limb);
  ASSERT_EQ(found.weights.vertex_count(), limb.positions.size());
  constexpr double kMonotone = 0.01;            // what cells that do not follow the skin may leave
  std::vector<std::pair<double, double>> shin;  // height, weight
  for (std::size_t v = 0; v < limb.positions.size(); ++v) {
    EXPECT_NEAR(sum_of(found.weights.row(v)), 1, 1e-12);
    shin.emplace_back(limb.positions[v].y(), weight_of(found.weights, v, 1));
  }
  std::ranges::sort(shin);
  double most = 0;
  for (const auto& [height, weight] : shin) {
    EXPECT_GE(weight, most - kMonotone) << height;
    most = std::max(most, weight);
    if (height < 0.5) {
      EXPECT_LT(weight, 0.02) << height;
    } else if (height > 1.5) {
      EXPECT_GT(weight, 0.98) << height;
    } else if (std::abs(height - 1) < 1e-9) {
      EXPECT_NEAR(weight, 0.5, 0.05) << "the joint";
    }
  }
}

TEST(InteriorWeights, CoarserCellsSayAboutTheSame) {
  const MeshData limb = limb_data(kFineLimb);
  const InteriorWeights fine = solved(limb, of_cells(20'000)),
                        coarse = solved(limb, of_cells(3'000));
  EXPECT_EQ(coarse.report.solve.levels.size(), 1u);
  EXPECT_GT(fine.report.solve.levels.size(), 1u);
  EXPECT_LT(fine.report.cell_size_rel, coarse.report.cell_size_rel);
  for (std::size_t v = 0; v < limb.positions.size(); ++v)
    EXPECT_NEAR(weight_of(fine.weights, v, 1), weight_of(coarse.weights, v, 1), 0.05);
}

TEST(InteriorWeights, TellWhatTheyStandOn) {
  const InteriorReport report = solved(limb_data(kFineLimb), of_cells(2'000)).report;
  EXPECT_NEAR(static_cast<double>(report.cells), 2'000, 200);
  EXPECT_GT(report.points, report.cells);
  EXPECT_GT(report.cell_size_rel, 0);
  EXPECT_EQ(report.pieces, 1u);
  EXPECT_EQ(report.tied_pieces, 0u);
  EXPECT_TRUE(report.helped_bones.empty());
  EXPECT_TRUE(report.outside_bones.empty());
  EXPECT_EQ(report.vertices_by_nearest, 0u);
  ASSERT_EQ(report.solve.levels.size(), 1u);
  EXPECT_LT(report.solve.levels.front().residual, 1e-3);
  EXPECT_EQ(report.solve.unsettled_handles, 0u);
}

/// A limb of tetrahedra, cut into eight, `rounds` times.
MeshData finer_tetrahedra(int rounds) {
  MeshData data = tetrahedral_data();
  for (; rounds > 0; --rounds) {
    std::map<std::array<VertexIndex, 2>, VertexIndex> middles;
    const auto middle = [&](VertexIndex a, VertexIndex b) {
      const auto [found, is_new] = middles.try_emplace(
          {std::min(a, b), std::max(a, b)}, static_cast<VertexIndex>(data.positions.size()));
      if (is_new) data.positions.push_back((data.positions[a] + data.positions[b]) / 2);
      return found->second;
    };
    std::vector<Tetrahedron> finer;
    for (const auto& [a, b, c, d] : data.tetrahedra) {
      const VertexIndex ab = middle(a, b), ac = middle(a, c), ad = middle(a, d), bc = middle(b, c),
                        bd = middle(b, d), cd = middle(c, d);
      finer.insert(finer.end(), {{a, ab, ac, ad},
                                 {b, ab, bc, bd},
                                 {c, ac, bc, cd},
                                 {d, ad, bd, cd},
                                 {ab, ac, ad, bd},
                                 {ab, ac, bc, bd},
                                 {ac, ad, bd, cd},
                                 {ac, bc, bd, cd}});
    }
    data.tetrahedra = std::move(finer);
  }
  return data;
}

/// The ends of the limb go with their bones, and the middle plane with both, in the mean.
void expect_bent_in_the_middle(const MeshData& limb, const SkinWeights& weights) {
  double of_joint = 0;
  int at_joint = 0;
  for (std::size_t v = 0; v < limb.positions.size(); ++v) {
    const double height = limb.positions[v].y(), weight = weight_of(weights, v, 1);
    EXPECT_NEAR(sum_of(weights.row(v)), 1, 1e-12);
    if (height < 0.5) {
      EXPECT_LT(weight, 0.02) << height;
    } else if (height > 1.5) {
      EXPECT_GT(weight, 0.98) << height;
    } else if (std::abs(height - 1) < 1e-9) {
      of_joint += weight;
      ++at_joint;
    }
  }
  EXPECT_NEAR(of_joint / at_joint, 0.5, 0.05);
}

TEST(InteriorWeights, OfAMeshWithTetrahedraAreSolvedOnThose) {
  const MeshData limb = finer_tetrahedra(1);
  const InteriorWeights found = solved(limb);
  EXPECT_EQ(found.report.kind, InteriorReport::Kind::tetrahedra);
  EXPECT_EQ(found.report.cells, limb.tetrahedra.size());
  EXPECT_EQ(found.report.points, limb.positions.size());
  EXPECT_EQ(found.report.pieces, 1u);
  EXPECT_EQ(found.report.outside_vertices, 0u);
  EXPECT_EQ(found.report.solve.levels.size(), 1u);
  expect_bent_in_the_middle(limb, found.weights);
}

TEST(InteriorWeights, TetrahedraGiveWayToCubesThatWereAskedFor) {
  InteriorOptions options = of_cells(3'000);
  options.filling = InteriorOptions::Filling::cubes;
  const MeshData limb = finer_tetrahedra(1);
  const InteriorWeights found = solved(limb, options);
  EXPECT_EQ(found.report.kind, InteriorReport::Kind::cubes);
  EXPECT_NEAR(static_cast<double>(found.report.cells), 3'000, 300);
  expect_bent_in_the_middle(limb, found.weights);
}

TEST(InteriorWeights, ManyTetrahedraStartFromCubes) {
  const MeshData limb = finer_tetrahedra(3);
  const InteriorWeights found = solved(limb);
  const auto& levels = found.report.solve.levels;
  ASSERT_GT(levels.size(), 1u);
  EXPECT_EQ(levels.back().points, limb.positions.size());
  EXPECT_LE(levels.front().points, 8'000u);
  EXPECT_LT(levels.back().residual, 4e-3);
  expect_bent_in_the_middle(limb, found.weights);
}

TEST(InteriorWeights, WhatNoTetrahedronRefersToMovesWithTheNearest) {
  const MeshData limb = finer_tetrahedra(1);
  const InteriorWeights found = solved(together(limb, ball_data({0.3, 1.9, 0}, 0.05)));
  EXPECT_EQ(found.report.kind, InteriorReport::Kind::tetrahedra);
  EXPECT_EQ(found.report.outside_vertices, found.weights.vertex_count() - limb.positions.size());
  EXPECT_EQ(found.report.pieces, 1u);
  for (std::size_t v = limb.positions.size(); v < found.weights.vertex_count(); ++v)
    EXPECT_GT(weight_of(found.weights, v, 1), 0.95);
}

TEST(InteriorWeights, SliversAndPiecesOfTetrahedraAreSolvedToo) {
  const MeshData limb = finer_tetrahedra(1);
  MeshData ugly = limb;
  // A sliver on a face, of which one point belongs to no other tetrahedron; and a piece apart.
  const auto at = static_cast<VertexIndex>(ugly.positions.size());
  const Vec3 middle = (ugly.positions[0] + ugly.positions[1] + ugly.positions[3]) / 3;
  ugly.positions.push_back(middle - Vec3(0, 0, 1e-4));
  ugly.tetrahedra.push_back({0, 1, 3, at});
  for (const Vec3& corner :
       {Vec3(0.3, 1.9, 0), Vec3(0.4, 1.9, 0), Vec3(0.3, 2, 0), Vec3(0.3, 1.9, 0.1)})
    ugly.positions.push_back(corner);
  ugly.tetrahedra.push_back({at + 1, at + 2, at + 3, at + 4});
  const InteriorWeights whole = solved(limb), found = solved(ugly);
  EXPECT_EQ(found.report.kind, InteriorReport::Kind::tetrahedra);
  EXPECT_EQ(found.report.pieces, 2u);
  EXPECT_EQ(found.report.tied_pieces, 1u);
  EXPECT_EQ(found.report.flat_tetrahedra, 0u);
  for (std::size_t v = 0; v < found.weights.vertex_count(); ++v) {
    EXPECT_NEAR(sum_of(found.weights.row(v)), 1, 1e-12);
    if (v < limb.positions.size()) {
      EXPECT_NEAR(weight_of(found.weights, v, 1), weight_of(whole.weights, v, 1), 0.02);
    }
    if (v > at) {
      EXPECT_GT(weight_of(found.weights, v, 1), 0.95);
    }
  }
}

TEST(InteriorWeights, APieceThatHoldsNoBoneMovesWithWhatIsNear) {
  const MeshData limb = limb_data(kFineLimb);
  const InteriorWeights found =
      solved(together(limb, ball_data({0.5, 1.8, 0}, 0.05)), of_cells(3'000));
  EXPECT_EQ(found.report.tied_pieces, 1u);
  EXPECT_EQ(found.report.distant_pieces, 1u);
  for (std::size_t v = limb.positions.size(); v < found.weights.vertex_count(); ++v)
    EXPECT_GT(weight_of(found.weights, v, 1), 0.95);
}

TEST(InteriorWeights, ABoneFarOutsideHoldsNothingAndIsTold) {
  Character character = with_tails(limb_character(limb_data(kFineLimb)));
  character.skeleton = character.skeleton.with([](std::vector<Bone>& bones) {
    bones[1].rest.translation() = Vec3(5, 1, 0);
    bones[1].tail = Vec3(5, 2, 0);
    bones[0].tail = Vec3(0, 2, 0);
  });
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneSegments bones(character.skeleton, prepared.frame);
  const InteriorWeights found =
      checked(interior_weights(prepared, bones, find_bone_cells(prepared, bones), of_cells(2'000)));
  EXPECT_EQ(found.report.outside_bones, std::vector{1});
  for (std::size_t v = 0; v < found.weights.vertex_count(); ++v)
    EXPECT_EQ(weight_of(found.weights, v, 0), 1);
}

TEST(InteriorWeights, WhereNoBoneIsNearEveryVertexTakesItsNearest) {
  Character character = with_tails(limb_character(limb_data(kFineLimb)));
  character.skeleton = character.skeleton.with([](std::vector<Bone>& bones) {
    for (Bone& bone : bones) {
      bone.rest.translation() += Vec3(5, 0, 0);
      *bone.tail += Vec3(5, 0, 0);
    }
  });
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneSegments bones(character.skeleton, prepared.frame);
  const BoneCells cells = find_bone_cells(prepared, bones);
  const InteriorWeights found = checked(interior_weights(prepared, bones, cells, of_cells(1'000)));
  EXPECT_EQ(found.report.vertices_by_nearest, found.weights.vertex_count());
  EXPECT_EQ(found.weights, cells.owners);
}

TEST(InteriorWeights, MayBeCancelled) {
  const Character character = with_tails(limb_character(limb_data(kFineLimb)));
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneSegments bones(character.skeleton, prepared.frame);
  const BoneCells cells = find_bone_cells(prepared, bones);
  for (const double until : {0.01, 0.1, 0.5}) {
    std::atomic<bool> cancel = false;
    const Progress progress([&](std::string_view, double done) { cancel = done >= until; },
                            &cancel);
    const auto found = interior_weights(prepared, bones, cells, {}, progress);
    ASSERT_FALSE(found.ok()) << until;
    EXPECT_EQ(found.error().code, ErrorCode::cancelled);
  }
}

TEST(InteriorWeights, AreThoseOfThePointsThatVerticesLieBetween) {
  const Character character = with_tails(limb_character(limb_data(kFineLimb)));
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneSegments bones(character.skeleton, prepared.frame);
  const SolvedInterior inside = checked(solve_interior(prepared, bones, of_cells(3'000)));
  const VoxelGrid& grid = inside.interior.grid;
  EXPECT_EQ(inside.of_points.size(), grid.elements.points.size());
  EXPECT_EQ(inside.report.cells, grid.elements.size());
  for (std::size_t p = 0; p < inside.of_points.size(); ++p)
    if (const int bone = inside.interior.bones.bone_of_point[p]; bone >= 0) {
      EXPECT_EQ(inside.of_points[p],
                (std::vector<Influence>{{static_cast<std::uint32_t>(bone), 1}}))
          << "a bone's own points are all its own";
    }
  const auto rows = rows_at(grid.embedding, inside.of_points);
  const InteriorWeights outside = solved(limb_data(kFineLimb), of_cells(3'000));
  EXPECT_EQ(SkinWeights::from_rows(2, rows), outside.weights);
}

}  // namespace
}  // namespace sinew::test
