// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "sinew/volume/bone_attachment.h"
#include "support/checked.h"
#include "support/literal_attachment.h"
#include "support/made_elements.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "volume/attachment_looks.h"

namespace sinew::test {
namespace {

std::vector<Segment> random_segments(std::size_t count, const Box& box, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-0.1, 1.1);
  const auto point = [&]() -> Vec3 {
    const double x = draw(random), y = draw(random), z = draw(random);
    return box.min() + box.sizes().cwiseProduct(Vec3(x, y, z));
  };
  std::vector<Segment> segments;
  for (std::size_t s = 0; s < count; ++s) {
    const int bone = static_cast<int>(s * 2 / 3);  // some have two segments
    const bool goes_on = s > 0 && s % 4 == 0;
    const Vec3 head = goes_on ? segments.back().tail : point();
    const bool is_short = s % 3 == 1;
    const Vec3 tail = is_short ? Vec3(head + 0.15 * (point() - head)) : point();
    segments.push_back(segment_of(bone, head, tail));
  }
  return segments;
}

struct Interior {
  const char* name;
  Elements elements;
};

std::vector<Interior> interiors() {
  std::vector<PlacedCube> apart = block_of_places(4, 9, 4, 0);
  for (PlacedCube cube : block_of_places(3, 3, 3, 1)) {
    cube.place[0] += 4;
    apart.push_back(cube);
  }
  Elements mixed = uneven_tetrahedra();
  Elements lonely = placed_cubes(apart, 0.1, {-0.3, 0.2, -0.2});
  lonely.points.insert(lonely.points.begin() + 3, {0, 1, 0});  // that nothing refers to
  for (Hexahedron& cube : lonely.hexahedra)
    for (ElementPoint& corner : cube) corner += corner >= 3 ? 1 : 0;
  return {{"cubes", limb_cubes(0.05)}, {"tetrahedra", std::move(mixed)}, {"pieces", lonely}};
}

TEST(BoneAttachment, IsThatOfALiteralImplementation) {
  const SurfaceQueries surface = limb_surface();
  for (const Interior& interior : interiors())
    for (const unsigned seed : {1u, 2u, 3u})
      for (const BoneRadius& radius : {kByVoxels, BoneRadius{}, BoneRadius{.share = 1.2}}) {
        const auto segments = random_segments(14, bounding_box(interior.elements.points), seed);
        const BoneAttachment attachment =
            attach_bones(interior.elements, surface, segments, 11, radius);
        SCOPED_TRACE(std::string(interior.name) + " " + std::to_string(seed));
        expect_consistent(attachment, interior.elements, segments);
        const LiteralAttachment literal =
            literal_attachment(interior.elements, segments, attachment.radius);
        EXPECT_EQ(attachment.bone_of_point, literal.bone_of_point);
        EXPECT_EQ(attachment.helped, literal.helped);
        EXPECT_EQ(attachment.outside, literal.outside);
      }
}

/// Two limbs side by side, nearer to each other than cells are wide.
struct TwoLimbs {
  Mesh mesh;
  VoxelGrid grid;
  std::vector<Segment> segments;
};

TwoLimbs two_limbs(double cell_size, VoxelGridOptions::Touching touching) {
  MeshData left = limb_data({.sides = 12, .rings = 17}), right = left;
  for (Vec3& position : left.positions) position.x() -= 0.21;
  for (Vec3& position : right.positions) position.x() += 0.21;
  Mesh mesh = make_mesh(together(left, right));
  VoxelGridOptions options;
  options.cell_size = cell_size;
  options.touching = touching;
  VoxelGrid grid = checked(make_voxel_grid(mesh, options));
  return {std::move(mesh),
          std::move(grid),
          {segment_of(0, {-0.21, 0.2, 0}, {-0.21, 1.8, 0}),
           segment_of(1, {0.21, 0.2, 0}, {0.21, 1.8, 0})}};
}

TEST(BoneAttachment, BoneHoldsNothingOfTheLimbBesideItsOwn) {
  for (const double cell_size : {0.17, 0.3, 0.43}) {
    const auto [mesh, grid, segments] = two_limbs(cell_size, VoxelGridOptions::Touching::split);
    ASSERT_EQ(grid.report.pieces, 2u) << cell_size;
    ASSERT_GT(grid.report.split_places, 0u) << cell_size;
    const std::vector<int> pieces = pieces_of(grid.elements);
    const std::size_t left_vertices = mesh.vertex_count() / 2;
    const int left = pieces[grid.embedding.element[0]];
    ASSERT_NE(pieces[grid.embedding.element[left_vertices]], left);
    for (const BoneRadius& radius : {kByVoxels, BoneRadius{}, BoneRadius{.share = 1.2}}) {
      const BoneAttachment attachment =
          attach_bones(grid, SurfaceQueries(mesh), segments, 2, radius);
      EXPECT_TRUE(attachment.helped.empty());
      for (std::size_t e = 0; e < grid.elements.size(); ++e)
        for (const ElementPoint corner : grid.elements.corners_of(e))
          EXPECT_NE(attachment.bone_of_point[corner], pieces[e] == left ? 1 : 0) << cell_size;
      expect_consistent(attachment, grid.elements, segments);
    }
  }
}

TEST(BoneAttachment, HelpedBoneHasAPointOfItsOwnLimb) {
  // Three bones at one place in each limb: all points are equally near to them.
  const auto [mesh, grid, limbs] = two_limbs(0.43, VoxelGridOptions::Touching::split);
  std::vector<Segment> segments;
  for (int bone = 0; bone < 6; ++bone) {
    segments.push_back(limbs[static_cast<std::size_t>(bone) / 3]);
    segments.back().bone = bone;
  }
  const BoneAttachment attachment =
      attach_bones(grid, SurfaceQueries(mesh), segments, 6, kByVoxels);
  EXPECT_EQ(attachment.helped.size(), 6u);
  const std::vector<int> pieces = pieces_of(grid.elements);
  const int left = pieces[grid.embedding.element[0]];
  for (std::size_t e = 0; e < grid.elements.size(); ++e)
    for (const ElementPoint corner : grid.elements.corners_of(e))
      if (const int bone = attachment.bone_of_point[corner]; bone >= 0) {
        EXPECT_EQ(bone < 3, pieces[e] == left) << bone;
      }
}

TEST(BoneAttachment, GridWithOneCellAtEachPlaceIsAttachedAsItsElementsAre) {
  const auto [mesh, grid, segments] = two_limbs(0.17, VoxelGridOptions::Touching::joined);
  const SurfaceQueries surface(mesh);
  const BoneAttachment of_grid = attach_bones(grid, surface, segments, 2);
  EXPECT_EQ(of_grid.bone_of_point, attach_bones(grid.elements, surface, segments, 2).bone_of_point);
  EXPECT_GT(of_grid.points[0], 20u);
}

TEST(BoneAttachment, BonesInAllKindsOfMeshesHaveAPointOrAreOutside) {
  const Skeleton limb = limb_character(limb_data()).skeleton;
  for (const auto& [name, mesh] : mesh_zoo()) {
    SCOPED_TRACE(name);
    const PreparedCharacter character = prepared(mesh, limb);
    VoxelGridOptions options;
    options.cells = 600;
    const Result<VoxelGrid> grid = make_voxel_grid(character.prepared.mesh, options);
    if (!grid.ok()) continue;
    std::vector<Segment> segments;
    for (const int bone : character.segments.bones())
      for (const Segment& segment : character.segments.of(bone)) segments.push_back(segment);
    for (const BoneRadius& radius : {kByVoxels, BoneRadius{}})
      expect_consistent(attach_bones(*grid, character.prepared.surface, segments,
                                     character.skeleton.bone_count(), radius),
                        grid->elements, segments);
  }
}

/// Who holds the points of a grid, by where they are, to the thousandth of a cell.
std::map<std::array<long, 3>, int> bones_by_place(const VoxelGrid& grid,
                                                  const BoneAttachment& attachment, double side) {
  std::map<std::array<long, 3>, int> bones;
  for (std::size_t p = 0; p < grid.elements.points.size(); ++p) {
    const Vec3 at = grid.elements.points[p] * 1000 / grid.elements.cell_size;
    bones[{std::lround(side * at.x()), std::lround(at.y()), std::lround(at.z())}] =
        attachment.bone_of_point[p];
  }
  return bones;
}

TEST(BoneAttachment, MirroredMeshHasMirroredAttachments) {
  MeshData data = limb_data({.sides = 14, .rings = 30});
  for (Vec3& p : data.positions) p.x() += 0.1 * p.y() + 0.07 * std::sin(3 * p.y());
  std::vector<Segment> segments = random_segments(12, bounding_box(data.positions), 11);
  MeshData mirrored = data;
  for (Vec3& position : mirrored.positions) position.x() = -position.x();
  for (Triangle& triangle : mirrored.triangles) std::swap(triangle[1], triangle[2]);
  VoxelGridOptions options;
  options.cell_size = 0.06;
  const auto held = [&](const MeshData& from, double side) {
    const Mesh mesh = make_mesh(from);
    const VoxelGrid grid = checked(make_voxel_grid(mesh, options));
    return bones_by_place(grid, attach_bones(grid, SurfaceQueries(mesh), segments, 8), side);
  };
  const auto expected = held(data, 1);
  for (Segment& segment : segments) {
    segment.head.x() = -segment.head.x();
    segment.tail.x() = -segment.tail.x();
  }
  EXPECT_EQ(held(mirrored, -1), expected);
}

TEST(BoneAttachment, MirroredInputIsAttachedAlike) {
  const MeshData data = limb_data();
  MeshData mirrored_data = data;
  for (Vec3& position : mirrored_data.positions) position.x() = -position.x();
  for (Triangle& triangle : mirrored_data.triangles) std::swap(triangle[1], triangle[2]);
  const SurfaceQueries surface(make_mesh(data)), mirrored_surface(make_mesh(mirrored_data));
  for (const Interior& interior : interiors())
    for (const BoneRadius& radius : {kByVoxels, BoneRadius{}}) {
      auto segments = random_segments(20, bounding_box(interior.elements.points), 7);
      Elements mirrored = interior.elements;
      for (Vec3& point : mirrored.points) point.x() = -point.x();
      for (Hexahedron& cube : mirrored.hexahedra)
        for (std::size_t k = 0; k < 8; k += 2) std::swap(cube[k], cube[k + 1]);
      for (Tetrahedron& tetrahedron : mirrored.tetrahedra)
        std::swap(tetrahedron[2], tetrahedron[3]);
      const BoneAttachment attachment =
          attach_bones(interior.elements, surface, segments, 14, radius);
      for (Segment& segment : segments) {
        segment.head.x() = -segment.head.x();
        segment.tail.x() = -segment.tail.x();
      }
      const BoneAttachment other = attach_bones(mirrored, mirrored_surface, segments, 14, radius);
      EXPECT_EQ(attachment.bone_of_point, other.bone_of_point) << interior.name;
      EXPECT_EQ(attachment.helped, other.helped) << interior.name;
      EXPECT_EQ(attachment.outside, other.outside) << interior.name;
    }
}

TEST(BoneAttachment, WhichEndOfABoneIsItsHeadDoesNotMatter) {
  const SurfaceQueries surface = limb_surface();
  for (const Interior& interior : interiors()) {
    auto segments = random_segments(20, bounding_box(interior.elements.points), 8);
    const BoneAttachment attachment = attach_bones(interior.elements, surface, segments, 14);
    for (Segment& segment : segments) std::swap(segment.head, segment.tail);
    EXPECT_EQ(attach_bones(interior.elements, surface, segments, 14).bone_of_point,
              attachment.bone_of_point);
  }
}

TEST(BoneAttachment, UnitAndOriginDoNotMatter) {
  const Elements elements = limb_cubes(0.05);
  const auto segments = random_segments(20, bounding_box(elements.points), 3);
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 14);
  for (const double unit : {0.01, 0.3, 50.0})
    for (const Vec3& offset : {Vec3(0, 0, 0), Vec3(0.7, -0.9, 0.4)}) {
      const auto moved = [&](const Vec3& p) -> Vec3 { return unit * (p + offset); };
      MeshData data = limb_data({.sides = 8, .rings = 33});
      for (Vec3& position : data.positions) position = moved(position);
      Elements other = elements;
      other.cell_size *= unit;
      for (Vec3& point : other.points) point = moved(point);
      auto other_segments = segments;
      for (Segment& segment : other_segments) {
        segment.head = moved(segment.head);
        segment.tail = moved(segment.tail);
      }
      const BoneAttachment moved_attachment =
          attach_bones(other, SurfaceQueries(make_mesh(data)), other_segments, 14);
      EXPECT_EQ(moved_attachment.bone_of_point, attachment.bone_of_point) << unit;
      EXPECT_EQ(moved_attachment.unresolved, attachment.unresolved);
      for (std::size_t bone = 0; bone < 14; ++bone)
        EXPECT_NEAR(moved_attachment.radius[bone], unit * attachment.radius[bone], 1e-9 * unit);
    }
}

TEST(BoneAttachment, SameBitsForAnyNumberOfThreads) {
  const SurfaceQueries surface = limb_surface();
  const Elements elements = limb_cubes(0.025);
  const auto segments = random_segments(40, bounding_box(elements.points), 5);
  const auto with_threads = [&](int threads) {
    const ThreadLimit limit(threads);
    return attach_bones(elements, surface, segments, 40);
  };
  const BoneAttachment one = with_threads(1);
  for (const int threads : {2, 5}) {
    const BoneAttachment other = with_threads(threads);
    EXPECT_EQ(other.bone_of_point, one.bone_of_point);
    EXPECT_EQ(other.radius, one.radius);
    EXPECT_EQ(other.helped, one.helped);
  }
}

}  // namespace
}  // namespace sinew::test
