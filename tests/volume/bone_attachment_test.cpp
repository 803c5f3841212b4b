// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/bone_attachment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/checked.h"
#include "support/literal_attachment.h"
#include "support/made_elements.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

constexpr BoneRadius kByVoxels{BoneRadius::Rule::voxels, 0};

Segment segment_of(int bone, const Vec3& head, const Vec3& tail) {
  return {bone, -1, head, tail, false};
}

/// Along the axis of limb_data, whose radius is 0.2 and height 2.
Segment up_the_limb(int bone, double from, double to) {
  return segment_of(bone, {0, from, 0}, {0, to, 0});
}

SurfaceQueries limb_surface(int sides = 8) {
  return SurfaceQueries(make_mesh(limb_data({.sides = sides, .rings = 33})));
}

/// Cubes around the axis of the limb, with a plane of points at every multiple of the edge.
Elements limb_cubes(double edge) {
  const int around = static_cast<int>(std::ceil(0.2 / edge));
  std::vector<PlacedCube> cubes =
      block_of_places(2 * around, static_cast<int>(2 / edge), 2 * around);
  return placed_cubes(cubes, edge, {-around * edge, 0, -around * edge});
}

std::set<ElementPoint> points_of(const BoneAttachment& attachment, int bone) {
  std::set<ElementPoint> points;
  for (std::size_t p = 0; p < attachment.bone_of_point.size(); ++p)
    if (attachment.bone_of_point[p] == bone) points.insert(static_cast<ElementPoint>(p));
  return points;
}

/// What holds of every attachment.
void expect_consistent(const BoneAttachment& attachment, const Elements& elements,
                       std::span<const Segment> segments) {
  std::vector<bool> is_used(elements.points.size(), false);
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const ElementPoint corner : elements.corners_of(e)) is_used[corner] = true;
  std::vector<std::size_t> counted(attachment.points.size(), 0);
  ASSERT_EQ(attachment.bone_of_point.size(), elements.points.size());
  for (std::size_t p = 0; p < elements.points.size(); ++p) {
    const int bone = attachment.bone_of_point[p];
    if (bone < 0) continue;
    EXPECT_TRUE(is_used[p]);
    ++counted[static_cast<std::size_t>(bone)];
  }
  EXPECT_EQ(counted, attachment.points);
  std::vector<bool> has_segment(attachment.points.size(), false);
  for (const Segment& segment : segments)
    if (!segment.is_virtual) has_segment[static_cast<std::size_t>(segment.bone)] = true;
  for (int bone = 0; bone < static_cast<int>(counted.size()); ++bone) {
    const auto b = static_cast<std::size_t>(bone);
    const bool is_outside = std::ranges::count(attachment.outside, bone) > 0;
    const bool is_helped = std::ranges::count(attachment.helped, bone) > 0;
    EXPECT_EQ(counted[b] == 0, is_outside || !has_segment[b]) << bone;
    if (is_helped) {
      EXPECT_EQ(counted[b], 1u) << bone;
    }
  }
}

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

TEST(BoneAttachment, RadiusIsAShareOfTheMedianDistanceFromTheSurface) {
  const SurfaceQueries surface = limb_surface();
  const double flat = 0.2 * std::cos(std::numbers::pi / 8);  // the middle of a side of the octagon
  // Half of the second bone and more is deep inside; the ends of the third bone come to the caps.
  const std::vector<Segment> segments{up_the_limb(0, 0.5, 1.5), up_the_limb(1, 0, 0.15),
                                      up_the_limb(2, 0.4, 1.2), up_the_limb(2, 1.2, 1.9)};
  const Elements elements = limb_cubes(0.05);
  const BoneAttachment attachment = attach_bones(elements, surface, segments, 4);
  EXPECT_NEAR(attachment.radius[0], 0.35 * flat, 1e-6);
  EXPECT_NEAR(attachment.radius[1], 0.35 * 0.075, 1e-6);
  EXPECT_NEAR(attachment.radius[2], 0.35 * flat, 1e-6);
  EXPECT_EQ(attachment.radius[3], 0);
  EXPECT_NEAR(attach_bones(elements, surface, segments, 4, {.share = 0.7}).radius[0], 0.7 * flat,
              1e-6);
  EXPECT_EQ(attach_bones(elements, surface, segments, 4, kByVoxels).radius,
            std::vector<double>(4, 0));
}

TEST(BoneAttachment, CapsuleHasTheVolumeOfItsRadiusAsElementsBecomeSmall) {
  const SurfaceQueries surface = limb_surface(32);
  const std::vector<Segment> segments{up_the_limb(0, 0.5, 1.5)};
  const Elements elements = limb_cubes(0.0125);
  const BoneAttachment attachment = attach_bones(elements, surface, segments, 1);
  const double r = attachment.radius[0];
  // Each point stands for a cell; those around the capsule are the corners of its outer cells,
  // which lie about half a cell outside.
  const double outer = r + 0.0125 / 2;
  const double volume = std::numbers::pi * outer * outer * (1 + 4.0 / 3 * outer);
  EXPECT_NEAR(static_cast<double>(attachment.points[0]) * std::pow(0.0125, 3), volume,
              0.1 * volume);
}

TEST(BoneAttachment, WhatBothCapsulesOfAStraightLimbClaimIsFree) {
  const SurfaceQueries surface = limb_surface();
  const Elements elements = limb_cubes(0.025);
  const std::array lower{up_the_limb(0, 0.5, 1)}, upper{up_the_limb(1, 1, 1.5)};
  const std::array both{lower[0], upper[0]};
  const auto of_lower = points_of(attach_bones(elements, surface, lower, 2), 0);
  const auto of_upper = points_of(attach_bones(elements, surface, upper, 2), 1);
  const BoneAttachment attachment = attach_bones(elements, surface, both, 2);
  std::size_t claimed_by_both = 0;
  for (ElementPoint p = 0; p < elements.points.size(); ++p) {
    const bool is_lower = of_lower.contains(p), is_upper = of_upper.contains(p);
    claimed_by_both += is_lower && is_upper ? 1 : 0;
    EXPECT_EQ(attachment.bone_of_point[p], is_lower == is_upper ? -1
                                           : is_lower           ? 0
                                                                : 1)
        << elements.points[p].transpose();
  }
  EXPECT_GT(claimed_by_both, 50u);
  EXPECT_TRUE(attachment.unresolved.empty());
}

TEST(BoneAttachment, BonesByVoxelsMeetInTheJoint) {
  const Elements elements = limb_cubes(0.05);
  const std::array segments{up_the_limb(0, 0.5, 1), up_the_limb(1, 1, 1.5)};
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 2, kByVoxels);
  // The bone runs along an edge: four cells lie around it, and one more at either end.
  for (ElementPoint p = 0; p < elements.points.size(); ++p) {
    const Vec3& point = elements.points[p];
    const bool is_claimed = std::abs(point.x()) < 0.051 && std::abs(point.z()) < 0.051 &&
                            point.y() > 0.449 && point.y() < 1.551;
    const int nearest = std::abs(point.y() - 1) < 1e-9 ? -1 : point.y() < 1 ? 0 : 1;
    EXPECT_EQ(attachment.bone_of_point[p], is_claimed ? nearest : -1) << point.transpose();
  }
}

TEST(BoneAttachment, JointTakesNoMoreThanAThirdOfABone) {
  // Bones of 0.12 in a limb whose capsules are 0.065 thick.
  const Elements elements = limb_cubes(0.01);
  std::vector<Segment> segments;
  for (int bone = 0; bone < 4; ++bone)
    segments.push_back(up_the_limb(bone, 0.8 + 0.12 * bone, 0.8 + 0.12 * (bone + 1)));
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 4);
  for (ElementPoint p = 0; p < elements.points.size(); ++p) {
    const Vec3& point = elements.points[p];
    if (point.x() * point.x() + point.z() * point.z() > 1e-6) continue;
    const double along = (point.y() - 0.8) / 0.12;
    if (along < 0 || along > 4) continue;
    const double from_joint = 0.12 * std::abs(along - std::clamp(std::round(along), 1.0, 3.0));
    if (from_joint < 0.04) {
      EXPECT_EQ(attachment.bone_of_point[p], -1) << along;
    } else if (from_joint > 0.04 + 0.0175) {  // half the diagonal of a cell, twice
      EXPECT_EQ(attachment.bone_of_point[p], std::min(3, static_cast<int>(along))) << along;
    }
  }
}

TEST(BoneAttachment, EndThatIsNoJointKeepsItsPoints) {
  const Elements elements = limb_cubes(0.025);
  const std::array chain{up_the_limb(0, 0.5, 1), up_the_limb(1, 1, 1.5)};
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), chain, 2);
  for (ElementPoint p = 0; p < elements.points.size(); ++p) {
    if ((elements.points[p] - Vec3(0, 0.5, 0)).norm() < 1e-9) {
      EXPECT_EQ(attachment.bone_of_point[p], 0);
    }
    if ((elements.points[p] - Vec3(0, 1.5, 0)).norm() < 1e-9) {
      EXPECT_EQ(attachment.bone_of_point[p], 1);
    }
  }
}

TEST(BoneAttachment, BoneThatStartsOnTheMiddleOfAnotherGivesUpItsOwnEndAlone) {
  const Elements elements = limb_cubes(0.025);
  const std::array segments{up_the_limb(0, 0.4, 1.6), segment_of(1, {0, 1, 0}, {0.15, 1.01, 0.01})};
  const BoneAttachment both = attach_bones(elements, limb_surface(), segments, 2);
  for (ElementPoint p = 0; p < elements.points.size(); ++p) {
    const Vec3& point = elements.points[p];
    const double up = std::abs(point.y() - 1);  // at the joint itself both are equally near
    if (std::hypot(point.x(), point.z()) < 1e-9 && up > 1e-9 && up < 0.3) {
      EXPECT_EQ(both.bone_of_point[p], 0) << point.transpose();
    }
    if ((point - Vec3(0.025, 1, 0)).norm() < 1e-9) {
      EXPECT_EQ(both.bone_of_point[p], -1);
    }
    if ((point - Vec3(0.125, 1, 0)).norm() < 1e-9) {
      EXPECT_EQ(both.bone_of_point[p], 1);
    }
  }
}

TEST(BoneAttachment, PointBetweenTwoEquallyNearBonesIsFree) {
  const Elements elements = limb_cubes(0.05);
  const std::array segments{segment_of(0, {-0.03, 0.5, 0.01}, {-0.03, 1.5, 0.01}),
                            segment_of(1, {0.03, 0.5, 0.01}, {0.03, 1.5, 0.01})};
  for (const BoneRadius& radius : {kByVoxels, BoneRadius{}}) {
    const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 2, radius);
    for (ElementPoint p = 0; p < elements.points.size(); ++p) {
      const double x = elements.points[p].x();
      if (std::abs(x) < 1e-9) {
        EXPECT_EQ(attachment.bone_of_point[p], -1);
      } else if (attachment.bone_of_point[p] >= 0) {
        EXPECT_EQ(attachment.bone_of_point[p], x < 0 ? 0 : 1);
      }
    }
    EXPECT_EQ(attachment.points[0], attachment.points[1]);
    EXPECT_GT(attachment.points[0], 40u);
  }
}

TEST(BoneAttachment, PassesThroughWhatSamplesCouldMiss) {
  // From the upper left cell to the lower right one, past the edge that all four share, by a
  // millionth of a cell on either side.
  const Elements elements = block_of_cubes(2, 2, 1, 1);
  for (const double off : {1e-6, -1e-6}) {
    const std::array segments{segment_of(0, {0.25, 1.75 + off, 0.5}, {1.75, 0.25 + off, 0.5})};
    const auto points =
        points_of(attach_bones(elements, limb_surface(), segments, 1, kByVoxels), 0);
    EXPECT_EQ(points.size(), 16u) << off;
    for (const ElementPoint p : points) {
      const double up = elements.points[p].x() + elements.points[p].y();
      EXPECT_TRUE(off > 0 ? up > 0 : up < 4) << elements.points[p].transpose();
    }
  }
}

TEST(BoneAttachment, BoneInTheFaceBetweenTwoElementsHasBoth) {
  const Elements elements = block_of_cubes(2, 1, 1, 0.1);
  const std::array segments{segment_of(0, {0.1, 0.02, 0.05}, {0.1, 0.08, 0.05})};
  EXPECT_EQ(attach_bones(elements, limb_surface(), segments, 1, kByVoxels).points[0], 12u);
}

TEST(BoneAttachment, RoundingDoesNotDecideWhatABoneTouches) {
  const Elements cubes = block_of_cubes(8, 1, 1, 0.1);
  for (int k = 1; k < 8; ++k) {
    const double x = k / 10.0;  // 0.3 is not 3 × 0.1
    const std::array segments{segment_of(0, {x, 0.02, 0.05}, {x, 0.08, 0.05})};
    EXPECT_EQ(attach_bones(cubes, limb_surface(), segments, 1, kByVoxels).points[0], 12u) << k;
  }
  // A bone on an edge touches all tetrahedra around it.
  const Elements elements = uneven_tetrahedra();
  const SurfaceQueries surface = limb_surface();
  for (std::size_t t = 0; t < elements.tetrahedra.size(); t += 3) {
    const ElementPoint a = elements.tetrahedra[t][0], c = elements.tetrahedra[t][2];
    const Vec3 along = elements.points[c] - elements.points[a];
    const std::array segments{
        segment_of(0, elements.points[a] + 0.31 * along, elements.points[a] + 0.73 * along)};
    const auto held = points_of(attach_bones(elements, surface, segments, 1, kByVoxels), 0);
    for (const Tetrahedron& other : elements.tetrahedra)
      if (std::ranges::count(other, a) > 0 && std::ranges::count(other, c) > 0) {
        for (const ElementPoint corner : other) EXPECT_TRUE(held.contains(corner)) << t;
      }
  }
}

TEST(BoneAttachment, BoneInPiecesIsTheBoneInOne) {
  const SurfaceQueries surface = limb_surface();
  const Elements elements = limb_cubes(0.025);
  const Vec3 head(-0.03, 0.41, 0.02), tail(0.04, 1.63, -0.03);
  const Vec3 middle = (head + tail) / 2;
  const std::array whole{segment_of(0, head, tail)};
  const std::array halves{segment_of(0, head, middle), segment_of(0, middle, tail)};
  EXPECT_EQ(attach_bones(elements, surface, halves, 1, kByVoxels).bone_of_point,
            attach_bones(elements, surface, whole, 1, kByVoxels).bone_of_point);
}

TEST(BoneAttachment, ForkHasThePointsOfItsSpokes) {
  const SurfaceQueries surface = limb_surface();
  const Elements elements = limb_cubes(0.05);
  const Vec3 start(0.01, 0.8, 0.02);
  const std::array<Vec3, 3> ends{Vec3(-0.15, 1.2, 0.03), Vec3(0.14, 1.3, 0.08), Vec3(0.02, 0.5, 0)};
  std::vector<Segment> fork;
  std::set<ElementPoint> spokes;
  for (const Vec3& end : ends) {
    fork.push_back(segment_of(0, start, end));
    const std::array alone{fork.back()};
    spokes.merge(points_of(attach_bones(elements, surface, alone, 1, kByVoxels), 0));
  }
  EXPECT_EQ(points_of(attach_bones(elements, surface, fork, 1, kByVoxels), 0), spokes);
}

TEST(BoneAttachment, VirtualSegmentsHoldNothing) {
  const Elements elements = limb_cubes(0.05);
  std::array segments{up_the_limb(0, 0.5, 1), up_the_limb(1, 1, 1.5)};
  segments[1].is_virtual = true;
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 2);
  EXPECT_EQ(attachment.points[1], 0u);
  EXPECT_TRUE(attachment.helped.empty());
  EXPECT_TRUE(attachment.outside.empty());
  expect_consistent(attachment, elements, segments);
}

TEST(BoneAttachment, BoneWithoutLengthHoldsWhatIsAroundIt) {
  const Elements elements = limb_cubes(0.025);
  const std::array segments{up_the_limb(0, 1, 1)};
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 1);
  EXPECT_GT(attachment.points[0], 27u);
  for (const ElementPoint p : points_of(attachment, 0))
    EXPECT_LE((elements.points[p] - Vec3(0, 1, 0)).norm(),
              attachment.radius[0] + 0.025 * std::sqrt(3) / 2 + 1e-9);
  const auto by_voxels = attach_bones(elements, limb_surface(), segments, 1, kByVoxels);
  EXPECT_EQ(by_voxels.points[0], 27u);
}

TEST(BoneAttachment, TwoJointsAtOnePlaceHaveAPointEach) {
  const Elements elements = limb_cubes(0.05);
  const std::array segments{up_the_limb(0, 0.5, 1), up_the_limb(1, 1, 1), up_the_limb(2, 1, 1),
                            up_the_limb(3, 1, 1.5)};
  for (const BoneRadius& radius : {kByVoxels, BoneRadius{}}) {
    const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 4, radius);
    EXPECT_EQ(attachment.helped, (std::vector<int>{1, 2}));
    EXPECT_GT(attachment.points[0], 20u);
    EXPECT_GT(attachment.points[3], 20u);
    expect_consistent(attachment, elements, segments);
  }
}

TEST(BoneAttachment, HelpedBoneHasTheNearestPointToItsMiddle) {
  // The same bone twice: every point is equally near to both.
  const Elements elements = limb_cubes(0.05);
  const std::array segments{up_the_limb(0, 0.62, 0.67), up_the_limb(1, 0.62, 0.67)};
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 2, kByVoxels);
  EXPECT_EQ(attachment.helped, (std::vector<int>{0, 1}));
  const auto first = points_of(attachment, 0), second = points_of(attachment, 1);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_LT((elements.points[*first.begin()] - Vec3(0, 0.65, 0)).norm(), 1e-9);
  EXPECT_LT((elements.points[*second.begin()] - Vec3(0, 0.6, 0)).norm(), 1e-9);
}

TEST(BoneAttachment, BonesShareWhatPointsThereAre) {
  // Twelve bones at one place, and eight points.
  const Elements elements = block_of_cubes(1, 1, 1, 0.1);
  std::vector<Segment> segments;
  for (int bone = 0; bone < 12; ++bone)
    segments.push_back(segment_of(bone, {0.03, 0.04, 0.05}, {0.05, 0.06, 0.05}));
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 12, kByVoxels);
  EXPECT_EQ(attachment.helped, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(attachment.outside, (std::vector<int>{8, 9, 10, 11}));
  expect_consistent(attachment, elements, segments);
}

TEST(BoneAttachment, BoneThatIsFarFromTheInteriorHoldsNothing) {
  const Elements elements = limb_cubes(0.05);
  const double right = 0.2;
  const std::array segments{
      segment_of(0, {right + 0.09, 0.5, 0}, {right + 0.5, 0.5, 0}),  // its head is near
      segment_of(1, {right + 0.11, 1, 0}, {right + 0.5, 1, 0}),
      segment_of(2, {-0.5, 1.25, 0}, {0.5, 1.25, 0}),  // passes through from outside to outside
      segment_of(3, {9, 9, 9}, {9, 10, 9})};
  const BoneAttachment attachment = attach_bones(elements, limb_surface(), segments, 4, kByVoxels);
  EXPECT_EQ(attachment.helped, (std::vector<int>{0}));
  EXPECT_EQ(attachment.outside, (std::vector<int>{1, 3}));
  EXPECT_GT(attachment.points[2], 8u);
  expect_consistent(attachment, elements, segments);
}

TEST(BoneAttachment, ThinBonesAreToldAndKeepTheElementsTheyPassThrough) {
  const SurfaceQueries surface = limb_surface();
  const std::array segments{up_the_limb(0, 0.5, 1), up_the_limb(1, 1, 1.5)};
  const double radius = 0.35 * 0.2 * std::cos(std::numbers::pi / 8);
  const Elements fine = limb_cubes(0.05), coarse = limb_cubes(0.1);
  ASSERT_GT(radius, 0.75 * 0.05);
  ASSERT_LT(radius, 0.75 * 0.1);
  EXPECT_TRUE(attach_bones(fine, surface, segments, 2).unresolved.empty());
  const BoneAttachment attachment = attach_bones(coarse, surface, segments, 2);
  EXPECT_EQ(attachment.unresolved, (std::vector<int>{0, 1}));
  EXPECT_TRUE(attach_bones(coarse, surface, segments, 2, kByVoxels).unresolved.empty());
  const auto by_voxels = attach_bones(coarse, surface, segments, 2, kByVoxels);
  for (const int bone : {0, 1})
    for (const ElementPoint p : points_of(by_voxels, bone))
      EXPECT_EQ(attachment.bone_of_point[p], bone);
}

TEST(BoneAttachment, NothingIsAttachedWhereThereIsNothing) {
  const std::array segments{up_the_limb(0, 0.5, 1)};
  const BoneAttachment to_nothing = attach_bones(Elements(), limb_surface(), segments, 2);
  EXPECT_TRUE(to_nothing.bone_of_point.empty());
  EXPECT_EQ(to_nothing.outside, (std::vector<int>{0}));
  const Elements elements = limb_cubes(0.1);
  const BoneAttachment of_nothing = attach_bones(elements, limb_surface(), {}, 0);
  EXPECT_EQ(of_nothing.bone_of_point, std::vector<int>(elements.points.size(), -1));
  // Without a surface bones have no radius that anybody could know.
  const SurfaceQueries no_surface{Mesh()};
  const BoneAttachment bare = attach_bones(elements, no_surface, segments, 1);
  EXPECT_EQ(bare.radius, std::vector<double>{0});
  EXPECT_EQ(bare.unresolved, std::vector<int>{0});
  EXPECT_EQ(bare.bone_of_point,
            attach_bones(elements, no_surface, segments, 1, kByVoxels).bone_of_point);
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
