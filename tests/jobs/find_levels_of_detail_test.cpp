// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "jobs/find_levels_of_detail.h"

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/detail_levels.h"

namespace sinew::test {
namespace {

using Names = std::vector<std::string>;

/// A document whose meshes have these names, and the character that is read from it.
struct Read {
  explicit Read(const Names& names, const std::string& kind = "tentacle")
      : document(checked(make_document(
            character_in_levels(kind, names, std::vector<int>(names.size(), 2'000))))) {
    loaded = std::move(checked(read_characters(document)).front());
  }
  [[nodiscard]] std::vector<DetailGroup> found() const {
    return find_levels_of_detail(document, loaded);
  }
  Document document;
  LoadedCharacter loaded;
};

TEST(FindLevelsOfDetail, AreFoundByTheirNames) {
  const std::vector<Names> cases = {
      {"Body_LOD0", "Body_LOD1", "Body_LOD2"}, {"body_lod2", "BODY_LOD5", "Body_Lod10"},
      {"LOD0_Body", "LOD1_Body", "LOD2_Body"}, {"Body.LOD.0", "Body LOD1", "Body-lod-2"},
      {"BodyLOD0", "BodyLOD1", "BodyLOD2"},    {"LOD0", "LOD1", "LOD2"}};
  for (const Names& names : cases) {
    const std::vector<DetailGroup> groups = Read(names).found();
    ASSERT_EQ(groups.size(), 1u) << names[0];
    EXPECT_EQ(groups[0].levels, (std::vector<std::vector<int>>{{0}, {1}, {2}})) << names[0];
  }
}

TEST(FindLevelsOfDetail, FinestHasTheSmallestNumberWhateverTheOrder) {
  const std::vector<DetailGroup> groups = Read({"Body_LOD2", "Body_LOD0", "Body_LOD1"}).found();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].levels, (std::vector<std::vector<int>>{{1}, {2}, {0}}));
}

TEST(FindLevelsOfDetail, OtherNamesAreNoLevels) {
  for (const Names& names :
       {Names{"Body", "Hat"}, Names{"Body_LOD0", "Hat_LOD1"}, Names{"Explode0", "Explode1"},
        Names{"Lodge1", "Lodge2"}, Names{"Body_LOD0", "Body_LODx"}, Names{"clod1", "clod2"}})
    EXPECT_TRUE(Read(names).found().empty()) << names[0];
}

TEST(FindLevelsOfDetail, ThingsThatHaveLevelsAreToldApart) {
  const std::vector<DetailGroup> groups =
      Read({"Hat_LOD0", "Body_LOD0", "Sword", "Body_LOD1", "Hat_LOD1"}).found();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].levels, (std::vector<std::vector<int>>{{0}, {4}}));
  EXPECT_EQ(groups[1].levels, (std::vector<std::vector<int>>{{1}, {3}}));
}

TEST(FindLevelsOfDetail, AreFoundByTheExtensionWhateverTheirNames) {
  Read read({"fine", "coarse", "coarser"});
  Json& nodes = read.document.json["nodes"];
  const int finest = read.loaded.sources[0].node;
  nodes[static_cast<std::size_t>(finest)]["extensions"]["MSFT_lod"]["ids"] = {
      read.loaded.sources[1].node, read.loaded.sources[2].node};
  const std::vector<DetailGroup> groups = read.found();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].name, "fine");
  EXPECT_EQ(groups[0].levels, (std::vector<std::vector<int>>{{0}, {1}, {2}}));
  EXPECT_EQ(finest_parts(read.loaded.character, groups), std::vector<int>{0});
}

TEST(FindLevelsOfDetail, BrokenExtensionIsNoReasonToFail) {
  Read read({"fine", "coarse"});
  Json& nodes = read.document.json["nodes"];
  for (const Json& ids : {Json(7), Json{-1, 99999, "x", nullptr}, Json::array()}) {
    nodes[static_cast<std::size_t>(read.loaded.sources[0].node)]["extensions"]["MSFT_lod"]["ids"] =
        ids;
    EXPECT_TRUE(read.found().empty()) << ids.dump();
  }
}

}  // namespace
}  // namespace sinew::test
