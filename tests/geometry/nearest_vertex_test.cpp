// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/nearest_vertex.h"

#include <gtest/gtest.h>

#include "math/random.h"

namespace sinew::test {
namespace {

TEST(NearestVertex, FindsWhatALookAtEveryPointFinds) {
  Random random(3);
  std::vector<Vec3> points;
  std::vector<VertexIndex> members;
  for (VertexIndex v = 0; v < 3000; ++v) {
    // On a grid, so that many are equally near.
    points.emplace_back(std::floor(random.uniform(0, 12)), std::floor(random.uniform(0, 12)),
                        std::floor(random.uniform(0, 12)));
    if (v % 3 != 0) members.push_back(v);
  }
  const NearestVertex nearest(points, members);
  const auto is_even = [](VertexIndex v) { return v % 2 == 0; };
  for (int question = 0; question < 500; ++question) {
    const Vec3 at(std::floor(random.uniform(-1, 13)), random.uniform(-1, 13),
                  std::floor(random.uniform(-1, 13)));
    const double limit = random.uniform(0, 2);
    std::optional<VertexIndex> expected;
    for (const VertexIndex v : members)
      if (is_even(v) && (points[v] - at).norm() < limit &&
          (!expected || (points[v] - at).squaredNorm() < (points[*expected] - at).squaredNorm()))
        expected = v;
    EXPECT_EQ(nearest.find(at, limit, is_even), expected);
  }
}

TEST(NearestVertex, NothingIsFoundAmongNothing) {
  const std::vector<Vec3> points(4, Vec3::Zero());
  const auto any = [](VertexIndex) { return true; };
  EXPECT_FALSE(NearestVertex(points, {}).find(Vec3::Zero(), 1, any));
  EXPECT_EQ(NearestVertex(points, {2, 3}).find(Vec3::Zero(), 1, any), VertexIndex{2});
}

}  // namespace
}  // namespace sinew::test
