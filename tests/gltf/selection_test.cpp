// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/selection.h"

#include <gtest/gtest.h>

namespace sinew::test {
namespace {

using Patterns = std::vector<std::string>;
using Indices = std::vector<int>;

Document three_meshes() {
  Document document;
  document.json = Json::parse(R"({
    "meshes": [{"name": "Body"}, {"name": "Eye_L"}, {}],
    "nodes": [{"name": "body node", "mesh": 0, "skin": 0}, {"name": "left", "mesh": 1},
              {"name": "Shoe", "mesh": 2}, {"name": "again", "mesh": 0}, {"name": "empty"}]})");
  return document;
}

TEST(Selection, MeshesAreChosenByNameGlobNodeOrIndex) {
  const Document document = three_meshes();
  EXPECT_EQ(*match_meshes(document, Patterns{"body"}), Indices{0});
  EXPECT_EQ(*match_meshes(document, Patterns{"eye*"}), Indices{1});
  EXPECT_EQ(*match_meshes(document, Patterns{"shoe"}), Indices{2});
  EXPECT_EQ(*match_meshes(document, Patterns{"AGAIN"}), Indices{0});
  EXPECT_EQ(*match_meshes(document, Patterns{"2", "1"}), (Indices{1, 2}));
  EXPECT_EQ(*match_meshes(document, Patterns{"*"}), (Indices{0, 1, 2}));
}

TEST(Selection, NameThatIsANumberWinsOverAnIndex) {
  Document document = three_meshes();
  document.json["meshes"][0]["name"] = "1";
  EXPECT_EQ(*match_meshes(document, Patterns{"1"}), Indices{0});
}

TEST(Selection, PatternThatChoosesNothingListsWhatThereIs) {
  for (const std::string pattern : {"trousers", "3", "-1", ""}) {
    const auto result = match_meshes(three_meshes(), Patterns{"Body", pattern});
    ASSERT_FALSE(result.ok()) << pattern;
    EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
    EXPECT_NE(result.error().message.find("Body, Eye_L, Shoe"), std::string::npos)
        << result.error().message;
  }
  EXPECT_FALSE(match_meshes(Document{}, Patterns{"*"}).ok());
}

TEST(Selection, HiddenMeshesLeaveEveryIndexAsItWas) {
  const Document shown = show_only_meshes(three_meshes(), Indices{0});
  EXPECT_EQ(shown.json["meshes"].size(), 3u);
  ASSERT_EQ(shown.json["nodes"].size(), 5u);
  EXPECT_EQ(shown.json["nodes"][0]["mesh"], 0);
  EXPECT_EQ(shown.json["nodes"][0]["skin"], 0);
  EXPECT_FALSE(shown.json["nodes"][1].contains("mesh"));
  EXPECT_FALSE(shown.json["nodes"][2].contains("mesh"));
  EXPECT_EQ(shown.json["nodes"][3]["mesh"], 0);
}

TEST(Selection, CharacterKeepsItsVerticesAndOnlyTheChosenParts) {
  LoadedCharacter loaded;
  loaded.character.weights = SkinWeights(6, 1);
  loaded.character.parts = {{"a", 0, 2}, {"b", 2, 2}, {"a again", 4, 2}};
  loaded.sources.resize(3);
  loaded.sources[0].mesh = loaded.sources[2].mesh = 7;
  loaded.sources[1].mesh = 3;
  const LoadedCharacter chosen = with_only_meshes(loaded, {7});
  ASSERT_EQ(chosen.character.parts.size(), 2u);
  ASSERT_EQ(chosen.sources.size(), 2u);
  EXPECT_EQ(chosen.character.parts[1].name, "a again");
  EXPECT_EQ(chosen.character.parts[1].first_vertex, 4u);
  EXPECT_EQ(chosen.sources[1].mesh, 7);
  EXPECT_EQ(chosen.character.weights.vertex_count(), 6u);
}

TEST(Selection, CharactersAreChosenByNameOrIndex) {
  std::vector<LoadedCharacter> characters(2);
  characters[0].character.name = "King";
  characters[1].character.name = "Queen";
  EXPECT_EQ(*match_characters(characters, Patterns{"qu*"}), Indices{1});
  EXPECT_EQ(*match_characters(characters, Patterns{"0"}), Indices{0});
  EXPECT_FALSE(match_characters(characters, Patterns{"Jack"}).ok());
}

}  // namespace
}  // namespace sinew::test
