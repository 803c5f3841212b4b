// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/bone_attachment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "support/made_elements.h"
#include "support/mesh_zoo.h"
#include "volume/attachment_looks.h"

namespace sinew::test {
namespace {

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

TEST(BoneAttachment, AirIsNoThickness) {
  const SurfaceQueries surface = limb_surface();
  const Elements elements = limb_cubes(0.05);
  // Of the first two bones 1.2 and 0.8 of 2 in length are beyond the end of the limb.
  const std::vector<Segment> segments{up_the_limb(0, 1.2, 3.2), up_the_limb(1, 0.8, 2.8),
                                      segment_of(2, {2, 1, 0}, {3, 1, 0})};
  const BoneAttachment attachment = attach_bones(elements, surface, segments, 3);
  EXPECT_EQ(attachment.radius[0], 0);
  EXPECT_GT(attachment.radius[1], 0);
  EXPECT_LE(attachment.radius[1], 0.35 * 0.2);
  EXPECT_EQ(attachment.radius[2], 0);
  EXPECT_EQ(attachment.outside, std::vector<int>{2});
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

}  // namespace
}  // namespace sinew::test
