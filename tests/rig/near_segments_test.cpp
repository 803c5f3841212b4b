// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/near_segments.h"

#include <cmath>

#include <gtest/gtest.h>

#include "math/random.h"
#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

/// A fork of two spokes, a chain, and bones without length.
Skeleton skeleton() {
  return make_skeleton({{"Hub", -1, {0, 0, 0}},
                        {"Left", 0, {1, 0.5, 0}},
                        {"Right", 0, {-1, 0.5, 0}},
                        {"Hand", 1, {2, 0.5, 0.3}},
                        {"OnHand", 3, {2, 0.5, 0.3}},
                        {"NearlyHub", 0, {0, 1e-120, 0}}});
}

TEST(NearSegments, SeeBonesAsFarAsACloserLookDoes) {
  const Skeleton made = skeleton();
  const BoneSegments bones(made, UnitFrame{});
  ASSERT_TRUE(bones.is_fork(0));
  Random random(3);
  for (const double fork_distance : {1.0, 2.0}) {
    const NearSegments near(bones, fork_distance);
    NearSegments::Squares squares;
    for (int n = 0; n < 1000; ++n) {
      const bool is_on_joint = n < static_cast<int>(made.bone_count());
      const Vec3 point =
          is_on_joint ? made.bone(n).head()
                      : Vec3(6 * random.uniform() - 3, 6 * random.uniform() - 3, random.uniform());
      near.find(point, squares);
      ASSERT_EQ(squares.of_bones.size(), bones.bones().size());
      for (std::size_t b = 0; b < bones.bones().size(); ++b) {
        const int bone = bones.bones()[b];
        const double distance =
            bones.closest(point, bone).distance * (bones.is_fork(bone) ? fork_distance : 1);
        EXPECT_NEAR(std::sqrt(squares.of_bones[b]), distance, 1e-12) << bone;
      }
    }
  }
}

}  // namespace
}  // namespace sinew::test
