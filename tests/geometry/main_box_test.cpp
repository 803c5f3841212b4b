// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/main_box.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "math/random.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

/// By sorting: without a hundredth of the vertices at either end, and a little larger again, where
/// all of them would take three times the room.
Box literal_box(const std::vector<Vec3>& positions) {
  const Box whole = bounding_box(positions);
  const auto dropped = static_cast<std::size_t>(0.01 * static_cast<double>(positions.size()));
  Box middle = whole;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> values;
    for (const Vec3& position : positions) values.push_back(position[axis]);
    std::ranges::sort(values);
    middle.min()[axis] = values[dropped];
    middle.max()[axis] = values[values.size() - 1 - dropped];
  }
  if (whole.diagonal().norm() <= 3 * middle.diagonal().norm()) return whole;
  const Vec3 half = 1.25 * middle.sizes() / 2;
  return {middle.center() - half, middle.center() + half};
}

TEST(MainBox, IsWhatSortingFindsWhereverVerticesHaveStrayed) {
  Random random(5);
  std::size_t cut = 0;
  for (int sample = 0; sample < 200; ++sample) {
    std::vector<Vec3> positions;
    for (int n = 0; n < 300; ++n)
      positions.emplace_back(random.uniform(0, 1), random.uniform(0, 0.3), random.uniform(0, 2));
    const double far = random.uniform(1, 12);
    for (int stray = 0; stray < sample % 9; ++stray)
      positions.emplace_back(random.uniform(0, far), 0.1, random.uniform(-far, 0));
    const Box expected = literal_box(positions);
    const Box found = main_box(test::make_mesh({positions, {}, {}, {}}));
    EXPECT_EQ(found.min(), expected.min()) << sample;
    EXPECT_EQ(found.max(), expected.max()) << sample;
    cut += found.max() != bounding_box(positions).max();
  }
  EXPECT_GT(cut, 10u);
  EXPECT_LT(cut, 190u);
}

TEST(MainBox, VerticesThatNothingUsesDoNotCount) {
  MeshData data{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}}, {{0, 1, 2}}, {}, {}};
  EXPECT_EQ(main_box(test::make_mesh(data)).max(), Vec3(1, 1, 0));
  data.triangles.clear();
  EXPECT_EQ(main_box(test::make_mesh(data)).max(), Vec3(5, 5, 5)) << "all where all are unused";
}

}  // namespace
}  // namespace sinew
