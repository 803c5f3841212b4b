// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/volume/bone_attachment.h"
#include "support/made_elements.h"
#include "support/mesh_zoo.h"

namespace sinew::test {

inline constexpr BoneRadius kByVoxels{BoneRadius::Rule::voxels, 0};

inline Segment segment_of(int bone, const Vec3& head, const Vec3& tail) {
  return {bone, -1, head, tail, false};
}

/// Along the axis of limb_data, whose radius is 0.2 and height 2.
inline Segment up_the_limb(int bone, double from, double to) {
  return segment_of(bone, {0, from, 0}, {0, to, 0});
}

inline SurfaceQueries limb_surface(int sides = 8) {
  return SurfaceQueries(make_mesh(limb_data({.sides = sides, .rings = 33})));
}

/// Cubes around the axis of the limb, with a plane of points at every multiple of the edge.
inline Elements limb_cubes(double edge) {
  const int around = static_cast<int>(std::ceil(0.2 / edge));
  std::vector<PlacedCube> cubes =
      block_of_places(2 * around, static_cast<int>(2 / edge), 2 * around);
  return placed_cubes(cubes, edge, {-around * edge, 0, -around * edge});
}

inline std::set<ElementPoint> points_of(const BoneAttachment& attachment, int bone) {
  std::set<ElementPoint> points;
  for (std::size_t p = 0; p < attachment.bone_of_point.size(); ++p)
    if (attachment.bone_of_point[p] == bone) points.insert(static_cast<ElementPoint>(p));
  return points;
}

/// What holds of every attachment.
inline void expect_consistent(const BoneAttachment& attachment, const Elements& elements,
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

}  // namespace sinew::test
