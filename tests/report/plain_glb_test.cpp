// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "report/plain_glb.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/gltf_samples.h"
#include "support/temporary_folder.h"

namespace sinew::test {
namespace {

Document reread(const PlainGlb& glb) {
  Result<Document> document = parse_gltf(glb.bytes, no_files());
  EXPECT_TRUE(document.ok()) << (document.ok() ? "" : document.error().to_string());
  return document.ok() ? *std::move(document) : Document{};
}

/// A document with one picture per size, each the base colour of a material of its own.
Document with_pictures(const std::vector<std::size_t>& sizes) {
  Document document = make_tube_document();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Bytes picture(sizes[i], std::byte{7});
    const std::string_view magic = "\x89PNG";
    for (std::size_t k = 0; k < magic.size(); ++k) picture[k] = static_cast<std::byte>(magic[k]);
    document.json["buffers"].push_back({{"byteLength", picture.size()}});
    document.json["images"].push_back({{"name", "picture" + std::to_string(i)},
                                       {"mimeType", "image/png"},
                                       {"bufferView", document.json["bufferViews"].size()}});
    document.json["bufferViews"].push_back(
        {{"buffer", document.buffers.size()}, {"byteLength", picture.size()}});
    document.buffers.push_back(std::move(picture));
    document.json["textures"].push_back({{"source", i}});
    document.json["materials"].push_back(
        {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", i}}}}}});
  }
  return document;
}

TEST(PlainGlb, NothingCompressedIsLeftAndEveryCharacterIsTheSame) {
  for (const Sample& sample : gltf_samples()) {
    SCOPED_TRACE(sample.name);
    const Document document = *parse_gltf(sample.file, no_files());
    const Document plain = reread(*make_plain_glb(document));
    EXPECT_EQ(plain.json.dump().find("draco"), std::string::npos);
    EXPECT_EQ(plain.json.dump().find("meshopt"), std::string::npos);
    EXPECT_EQ(plain.json.dump().find("\"uri\""), std::string::npos);
    EXPECT_TRUE(plain.decoded_views.empty());
    EXPECT_TRUE(plain.decoded_accessors.empty());
    EXPECT_LE(plain.buffers.size(), 1u);
    const auto before = *read_characters(document);
    const auto after = *read_characters(plain);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t c = 0; c < after.size(); ++c) {
      EXPECT_EQ(after[c].character.mesh.positions(), before[c].character.mesh.positions());
      EXPECT_EQ(after[c].character.mesh.triangles(), before[c].character.mesh.triangles());
      EXPECT_EQ(after[c].character.weights, before[c].character.weights);
    }
  }
}

TEST(PlainGlb, TheLargestPicturesAreLeftOutUntilTheRestFits) {
  const Document document = with_pictures({1000, 5000, 2000, 9000});
  const PlainGlb glb = *make_plain_glb(document, {.max_texture_bytes = 3000});
  const Document plain = reread(glb);
  ASSERT_EQ(plain.json["images"].size(), 2u);
  EXPECT_EQ(plain.json["images"][0]["name"], "picture0");
  EXPECT_EQ(plain.json["images"][1]["name"], "picture2");
  const auto texture = [&](std::size_t m) {
    return plain.json["materials"][m]["pbrMetallicRoughness"].value("baseColorTexture", Json());
  };
  EXPECT_EQ(texture(0)["index"], 0);
  EXPECT_TRUE(texture(1).is_null());
  EXPECT_EQ(texture(2)["index"], 1);
  EXPECT_TRUE(texture(3).is_null());
  EXPECT_NE(glb.textures_note.find("2 of 4 pictures"), std::string::npos) << glb.textures_note;
  EXPECT_NE(glb.textures_note.find("picture3, picture1"), std::string::npos) << glb.textures_note;
  const std::size_t without = make_plain_glb(make_tube_document())->bytes.size();
  EXPECT_LT(glb.bytes.size(), without + 3000 + 2000) << "what is left out takes no room";
}

TEST(PlainGlb, WhatFitsIsKeptWithoutANote) {
  const PlainGlb glb = *make_plain_glb(with_pictures({1000, 2000}));
  EXPECT_EQ(glb.textures_note, "");
  EXPECT_EQ(reread(glb).json["images"].size(), 2u);
}

TEST(PlainGlb, FourHundredMegabytesBesideTheFileAreNeverRead) {
  const TemporaryFolder folder;
  const std::filesystem::path huge = folder.path() / "body colour.png";
  std::ofstream(huge).put('x');
  std::filesystem::resize_file(huge, 400'000'000);  // a hole: it takes no room on the disk
  Document document = make_tube_document();
  document.folder = folder.path();
  document.json["images"] = Json::array({{{"uri", "body%20colour.png"}}});
  document.json["textures"] = Json::array({{{"source", 0}}});
  document.json["materials"] =
      Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
  const PlainGlb glb = *make_plain_glb(document);
  EXPECT_LT(glb.bytes.size(), 100'000u);
  EXPECT_NE(glb.textures_note.find("400.0 MB"), std::string::npos) << glb.textures_note;
  EXPECT_NE(glb.textures_note.find("body colour.png"), std::string::npos) << glb.textures_note;
}

TEST(PlainGlb, OtherPicturesThanBaseColoursAreLeftOutAndCounted) {
  Document document = with_pictures({1000, 2000});
  Json& material = document.json["materials"][1];
  material["normalTexture"] = material["pbrMetallicRoughness"]["baseColorTexture"];
  material["pbrMetallicRoughness"].erase("baseColorTexture");
  const PlainGlb glb = *make_plain_glb(document);
  EXPECT_EQ(reread(glb).json["images"].size(), 1u);
  EXPECT_FALSE(reread(glb).json["materials"][1].contains("normalTexture"));
  EXPECT_NE(glb.textures_note.find("1 picture with other properties"), std::string::npos)
      << glb.textures_note;
}

}  // namespace
}  // namespace sinew::test
