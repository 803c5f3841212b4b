// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/character.h"

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

TEST(ReplaceRows, ChangesTheVerticesOfThePartsAndNoOthers) {
  const SkinWeights old = rigid_weights({0, 0, 0, 0, 0, 0}, 2);
  const SkinWeights fresh = rigid_weights({1, 1, 1, 1, 1, 1}, 2);
  const std::vector<MeshPart> parts{{"shirt", 1, 2}, {"shoe", 5, 1}};
  EXPECT_EQ(replace_rows(old, fresh, parts), rigid_weights({0, 1, 1, 0, 0, 1}, 2));
  EXPECT_EQ(replace_rows(old, fresh, {}), old);
}

TEST(ReplaceRows, VerticesWithoutWeightsStayWithoutThem) {
  const SkinWeights fresh = rigid_weights({1, 0, 1}, 2);
  const SkinWeights mixed =
      replace_rows(SkinWeights(3, 2), fresh, std::vector<MeshPart>{{"", 2, 1}});
  EXPECT_EQ(mixed.unweighted_count(), 2u);
  EXPECT_EQ(mixed.row(2)[0].bone, 1u);
}

}  // namespace
}  // namespace sinew::test
