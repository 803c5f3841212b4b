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

/// Two triangles in a part each, a wire between them, and one inside the second.
Character two_parts() {
  Character character;
  MeshData data;
  for (int v = 0; v < 6; ++v) data.positions.emplace_back(v, v % 2, 0);
  data.triangles = {{0, 1, 2}, {3, 4, 5}};
  data.wires = {{2, 3}, {3, 5}};
  character.mesh = *Mesh::create(std::move(data));
  character.weights = rigid_weights({0, 0, 0, 1, 0, 1}, 2);
  character.parts = {{"a", 0, 3}, {"b", 3, 3}};
  return character;
}

TEST(WithParts, KeepsWhatLiesInThem) {
  const Character second = with_parts(two_parts(), std::vector{1});
  ASSERT_EQ(second.mesh.vertex_count(), 3u);
  EXPECT_EQ(second.mesh.positions()[0].x(), 3);
  EXPECT_EQ(second.mesh.triangles(), (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(second.mesh.wires(), (std::vector<Edge>{{0, 2}}));
  EXPECT_EQ(second.weights, rigid_weights({1, 0, 1}, 2));
  ASSERT_EQ(second.parts.size(), 1u);
  EXPECT_EQ(second.parts[0].name, "b");
  EXPECT_EQ(second.parts[0].first_vertex, 0u);
}

TEST(WithParts, AllOfThemAreTheCharacter) {
  const Character whole = two_parts();
  const Character same = with_parts(whole, std::vector{0, 1});
  EXPECT_EQ(same.mesh.positions(), whole.mesh.positions());
  EXPECT_EQ(same.mesh.triangles(), whole.mesh.triangles());
  EXPECT_EQ(same.mesh.wires(), whole.mesh.wires());
  EXPECT_EQ(same.weights, whole.weights);
}

TEST(RowsOfParts, ComeOnePartAfterTheOther) {
  const Character whole = two_parts();
  EXPECT_EQ(rows_of_parts(whole.weights, std::vector{whole.parts[1], whole.parts[0]}),
            rigid_weights({1, 0, 1, 0, 0, 0}, 2));
}

}  // namespace
}  // namespace sinew::test
