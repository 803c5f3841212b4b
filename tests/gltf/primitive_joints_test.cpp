// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/primitive_joints.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "support/binding.h"
#include "support/gltf_samples.h"

namespace sinew::test {
namespace {

struct Opened {
  explicit Opened(Document read) : document(std::move(read)) {
    loaded = std::move(checked(read_characters(document)).front());
  }
  [[nodiscard]] std::vector<PrimitiveJoints> counted() const {
    return checked(count_primitive_joints(document, loaded));
  }
  [[nodiscard]] Json& primitives() { return document.json["meshes"][0]["primitives"]; }
  Document document;
  LoadedCharacter loaded;
};

Opened hand() { return Opened(checked(make_document(example("hand", 2'000)))); }

/// Every triangle of a mesh's primitives, how often it is drawn.
std::map<std::vector<std::uint32_t>, int> triangles_of(const Document& document) {
  std::map<std::vector<std::uint32_t>, int> triangles;
  for (const Json& primitive : document.json["meshes"][0]["primitives"]) {
    const auto corners =
        checked(read_integers(document, primitive["indices"].get<int>(), "SCALAR"));
    for (std::size_t c = 0; c + 2 < corners.size(); c += 3)
      ++triangles[{corners[c], corners[c + 1], corners[c + 2]}];
  }
  return triangles;
}

TEST(PrimitiveJoints, CountsJointsThatHaveWeightOnDrawnVertices) {
  const Opened tube(make_tube_document());
  const std::vector<PrimitiveJoints> counted = tube.counted();
  ASSERT_EQ(counted.size(), 1u);
  EXPECT_EQ(counted[0].joints, 2u);
  EXPECT_EQ(counted[0].skin, 0);
}

TEST(SplitPrimitives, PiecesKeepToTheLimitAndDrawWhatWasDrawn) {
  Opened before = hand();
  const std::size_t joints = before.counted()[0].joints;
  for (const std::size_t limit : {std::size_t{12}, std::size_t{15}, joints - 1}) {
    Opened split = hand();
    const std::size_t added = checked(split_primitives(split.document, split.loaded, limit));
    EXPECT_GT(added, 0u);
    const std::vector<PrimitiveJoints> counted = split.counted();
    EXPECT_EQ(counted.size(), 1 + added);
    for (const PrimitiveJoints& each : counted) EXPECT_LE(each.joints, limit);
    EXPECT_LE(counted.size(), 2 * (joints + limit - 1) / limit) << "too many pieces";
    EXPECT_EQ(triangles_of(split.document), triangles_of(before.document));
  }
}

TEST(SplitPrimitives, PiecesShareEverythingButTheirIndices) {
  Opened split = hand();
  split.primitives()[0]["extras"] = {{"keep", 1}};
  Json expected = split.primitives()[0];
  ASSERT_GT(checked(split_primitives(split.document, split.loaded, 12)), 0u);
  expected.erase("indices");
  for (Json primitive : split.primitives()) {
    primitive.erase("indices");
    EXPECT_EQ(primitive, expected);
  }
}

TEST(SplitPrimitives, CharacterIsReadAgainAsItWas) {
  Opened split = hand();
  ASSERT_GT(checked(split_primitives(split.document, split.loaded, 12)), 0u);
  const Document stored = checked(parse_gltf(checked(encode_glb(split.document)), no_files()));
  const Opened again(stored);
  EXPECT_EQ(again.loaded.character.mesh.positions(), split.loaded.character.mesh.positions());
  EXPECT_EQ(again.loaded.character.weights, split.loaded.character.weights);
  EXPECT_EQ(again.loaded.character.mesh.triangles().size(),
            split.loaded.character.mesh.triangles().size());
}

TEST(SplitPrimitives, WhatFitsStaysToTheByte) {
  Opened whole = hand();
  const Json before = whole.document.json;
  EXPECT_EQ(checked(split_primitives(whole.document, whole.loaded, whole.counted()[0].joints)), 0u);
  EXPECT_EQ(whole.document.json, before);
}

TEST(SplitPrimitives, TrianglesWithoutIndicesGetSome) {
  Opened split = hand();
  Json& primitive = split.primitives()[0];
  const std::size_t vertices =
      accessor_count(split.document, primitive["attributes"]["POSITION"].get<int>()) / 3 * 3;
  primitive.erase("indices");
  ASSERT_GT(checked(split_primitives(split.document, split.loaded, 12)), 0u);
  std::size_t drawn = 0;
  for (const auto& [triangle, times] : triangles_of(split.document))
    drawn += 3 * std::size_t(times);
  EXPECT_EQ(drawn, vertices);
}

TEST(SplitPrimitives, StripsAreLeftAlone) {
  Opened strip = hand();
  strip.primitives()[0]["mode"] = 5;
  EXPECT_EQ(checked(split_primitives(strip.document, strip.loaded, 12)), 0u);
  EXPECT_EQ(strip.primitives().size(), 1u);
}

}  // namespace
}  // namespace sinew::test
