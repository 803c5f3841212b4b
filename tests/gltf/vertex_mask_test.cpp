// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/vertex_mask.h"

#include <array>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "support/checked.h"
#include "support/gltf_samples.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

/// Every third vertex, from the first.
bool is_chosen(std::size_t vertex) { return vertex % 3 == 0; }

/// Gives a mesh an attribute of `width` numbers per vertex. The first is above one half where it is
/// chosen, the others where it is not.
void paint(Document& document, const std::string& attribute, int width, std::size_t mesh = 0) {
  constexpr std::array<std::string_view, 5> kTypes{"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  Json& attributes = document.json["meshes"][mesh]["primitives"][0]["attributes"];
  const std::size_t count = accessor_count(document, attributes["POSITION"].get<int>());
  std::vector<float> values;
  for (std::size_t v = 0; v < count; ++v)
    for (int c = 0; c < width; ++c) values.push_back((c == 0) == is_chosen(v) ? 0.6F : 0.4F);
  AccessorData data;
  data.type = kTypes[static_cast<std::size_t>(width)];
  data.floats = values;
  data.target = BufferTarget::vertices;
  attributes[attribute] = append_accessor(document, data);
}

Result<std::vector<bool>> mask_of(const Document& document, const std::string& attribute) {
  const std::vector<LoadedCharacter> loaded = checked(read_characters(document));
  return read_vertex_mask(document, loaded.at(0), attribute);
}

TEST(VertexMask, NumberAboveOneHalfChooses) {
  Document tube = make_tube_document();
  paint(tube, "_MASK", 1);
  const std::vector<bool> mask = checked(mask_of(tube, "_MASK"));
  ASSERT_EQ(mask.size(), make_tube().mesh.vertex_count());
  for (std::size_t v = 0; v < mask.size(); ++v) EXPECT_EQ(mask[v], is_chosen(v)) << v;
}

TEST(VertexMask, OfAColourItsRedDecides) {
  for (const int width : {3, 4}) {
    Document tube = make_tube_document();
    paint(tube, "COLOR_0", width);
    const std::vector<bool> mask = checked(mask_of(tube, "COLOR_0"));
    for (std::size_t v = 0; v < mask.size(); ++v) EXPECT_EQ(mask[v], is_chosen(v)) << v;
  }
}

TEST(VertexMask, NormalisedBytesAreNumbersFromZeroToOne) {
  Document tube = make_tube_document();
  Json& attributes = tube.json["meshes"][0]["primitives"][0]["attributes"];
  const std::size_t count = accessor_count(tube, attributes["POSITION"].get<int>());
  std::vector<std::uint32_t> values;
  for (std::size_t v = 0; v < count; ++v) values.push_back(is_chosen(v) ? 128 : 127);
  AccessorData data;
  data.component = ComponentType::u8;
  data.normalized = true;
  data.integers = values;
  data.target = BufferTarget::vertices;
  attributes["_MASK"] = append_accessor(tube, data);
  const std::vector<bool> mask = checked(mask_of(tube, "_MASK"));
  for (std::size_t v = 0; v < mask.size(); ++v) EXPECT_EQ(mask[v], is_chosen(v)) << v;
}

TEST(VertexMask, PartsWithoutTheAttributeAreNotChosen) {
  Document dressed = two_meshes("body", "shirt");
  paint(dressed, "_MASK", 1, 1);
  const std::vector<LoadedCharacter> loaded = checked(read_characters(dressed));
  const std::vector<bool> mask = checked(read_vertex_mask(dressed, loaded.at(0), "_MASK"));
  ASSERT_EQ(loaded[0].character.parts.size(), 2u);
  for (std::size_t p = 0; p < 2; ++p) {
    const MeshPart& part = loaded[0].character.parts[p];
    for (std::size_t v = 0; v < part.vertex_count; ++v)
      EXPECT_EQ(mask[part.first_vertex + v], loaded[0].sources[p].mesh == 1 && is_chosen(v))
          << p << ", " << v;
  }
}

TEST(VertexMask, AttributeOfAnotherLengthThanTheMeshIsRefusedByItsAccessor) {
  Document tube = make_tube_document();
  const std::vector<float> values(7, 1.0F);
  AccessorData data;
  data.floats = values;
  data.target = BufferTarget::vertices;
  const int accessor = append_accessor(tube, data);
  tube.json["meshes"][0]["primitives"][0]["attributes"]["_MASK"] = accessor;
  const LoadedCharacter loaded = checked(read_characters(tube)).at(0);
  const Result<std::vector<bool>> refused = read_vertex_mask(tube, loaded, "_MASK");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_file);
  EXPECT_EQ(refused.error().place, "accessors[" + std::to_string(accessor) + "]");
  EXPECT_EQ(refused.error().message,
            "_MASK has 7 values, and the mesh '" + loaded.character.parts[0].name + "' " +
                std::to_string(loaded.character.mesh.vertex_count()) + " vertices");
}

TEST(VertexMask, AttributeThatNoMeshHasIsRefusedByName) {
  Document tube = make_tube_document();
  paint(tube, "_MASK", 1);
  const Result<std::vector<bool>> refused = mask_of(tube, "_MAKS");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(refused.error().place, "_MAKS");
}

}  // namespace
}  // namespace sinew::test
