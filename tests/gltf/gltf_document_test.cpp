// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/gltf_document.h"

#include <fstream>

#include <gtest/gtest.h>

#include "sinew/core/atomic_file.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "support/gltf_samples.h"
#include "support/temporary_folder.h"

namespace sinew {
namespace {

using test::as_bytes;
using test::no_files;

Error error_of(const Bytes& file) {
  const auto parsed = parse_gltf(file, no_files());
  EXPECT_FALSE(parsed.ok());
  return parsed.ok() ? Error{} : parsed.error();
}

Error error_of(const Json& json) { return error_of(as_bytes(json.dump())); }

Json minimal() { return {{"asset", {{"version", "2.0"}}}}; }

TEST(GltfDocument, ACopyOfEverySampleIsEqualInJsonAndBytes) {
  for (const test::Sample& sample : test::gltf_samples()) {
    SCOPED_TRACE(sample.name);
    const auto first = parse_gltf(sample.file, no_files());
    ASSERT_TRUE(first.ok()) << first.error().to_string();
    const auto second = parse_gltf(*encode_glb(*first), no_files());
    ASSERT_TRUE(second.ok()) << second.error().to_string();
    Json expected = first->json;
    if (expected["buffers"][0].contains("uri")) expected["buffers"][0].erase("uri");
    EXPECT_EQ(second->json, expected);
    EXPECT_EQ(second->buffers, first->buffers);
  }
}

TEST(GltfDocument, UnknownChunksAndKeysSurvive) {
  Document document = test::make_tube_document();
  document.json["extras"] = {{"z", 1}, {"a", Json::array({1, 2.5, "ß"})}};
  document.other_chunks.push_back({0x12345678, as_bytes("kept")});
  const auto copy = parse_gltf(*encode_glb(document), no_files());
  ASSERT_TRUE(copy.ok());
  EXPECT_EQ(copy->json["extras"].dump(), document.json["extras"].dump());
  ASSERT_EQ(copy->other_chunks.size(), 1U);
  EXPECT_EQ(copy->other_chunks[0].type, 0x12345678U);
  EXPECT_EQ(copy->other_chunks[0].bytes, as_bytes("kept"));
}

TEST(GltfDocument, SeveralBuffersBecomeOneAndAccessorsStayEqual) {
  Document document = test::make_tube_document();
  // The second buffer holds a copy of the first at an odd place; every other view moves there.
  document.buffers.push_back(Bytes(7, std::byte{1}));
  document.buffers[1].resize(8);
  document.buffers[1].insert(document.buffers[1].end(), document.buffers[0].begin(),
                             document.buffers[0].end());
  document.json["buffers"].push_back(
      {{"byteLength", document.buffers[1].size()}, {"uri", "two.bin"}});
  Json& views = document.json["bufferViews"];
  for (std::size_t v = 0; v < views.size(); v += 2) {
    views[v]["buffer"] = 1;
    views[v]["byteOffset"] = views[v].value("byteOffset", 0) + 8;
  }
  const auto merged = parse_gltf(*encode_glb(document), no_files());
  ASSERT_TRUE(merged.ok()) << merged.error().to_string();
  EXPECT_EQ(merged->json["buffers"].size(), 1U);
  const auto before = read_characters(test::make_tube_document()), after = read_characters(*merged);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ((*after)[0].character.mesh.positions(), (*before)[0].character.mesh.positions());
  EXPECT_EQ((*after)[0].character.weights, (*before)[0].character.weights);
}

TEST(GltfDocument, ReplacingAnAccessorNeverMovesAnIndexAndLeavesNoDeadBytes) {
  Document document = test::make_tube_document();
  const std::size_t size_before = encode_glb(document)->size();
  const int positions =
      document.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].get<int>();
  std::vector<float> xyz = *read_floats(document, positions, "VEC3");
  const std::size_t accessors = document.json["accessors"].size(),
                    views = document.json["bufferViews"].size();
  for (int repeat = 0; repeat < 5; ++repeat) {
    for (float& value : xyz) value += 1;
    AccessorData data;
    data.type = "VEC3";
    data.floats = xyz;
    data.target = BufferTarget::vertices;
    data.with_bounds = true;
    replace_accessor(document, positions, data);
  }
  EXPECT_EQ(document.json["accessors"].size(), accessors);
  EXPECT_EQ(document.json["bufferViews"].size(), views);
  const auto copy = parse_gltf(*encode_glb(document), no_files());
  ASSERT_TRUE(copy.ok()) << copy.error().to_string();
  EXPECT_EQ(*read_floats(*copy, positions, "VEC3"), xyz);
  EXPECT_LE(encode_glb(*copy)->size(), size_before + 64) << "five edits must not grow the file";
  for (std::size_t a = 0; a < accessors; ++a) {
    if (static_cast<int>(a) == positions) continue;
    const std::string type = copy->json["accessors"][a]["type"];
    EXPECT_EQ(*read_floats(*copy, static_cast<int>(a), type),
              *read_floats(document, static_cast<int>(a), type));
  }
}

TEST(GltfDocument, SparseNormalisedAndInterleavedAccessorsReadWhatTheyMean) {
  const auto samples = test::gltf_samples();
  const auto character_of = [&](std::string_view name) {
    for (const test::Sample& sample : samples)
      if (sample.name == name)
        return (*read_characters(*parse_gltf(sample.file, no_files())))[0].character;
    return Character{};
  };
  const Character plain = character_of("plain");
  EXPECT_EQ(character_of("sparse").mesh.positions()[2], Vec3(0.25, 0.5, 0.75));
  EXPECT_EQ(character_of("sparse").mesh.positions()[3], plain.mesh.positions()[3]);
  const Character interleaved = character_of("interleaved");
  for (std::size_t v = 0; v < plain.weights.vertex_count(); ++v) {
    ASSERT_EQ(interleaved.weights.row(v).size(), plain.weights.row(v).size());
    for (std::size_t i = 0; i < plain.weights.row(v).size(); ++i)
      EXPECT_NEAR(interleaved.weights.row(v)[i].weight, plain.weights.row(v)[i].weight, 1.0 / 255);
  }
}

TEST(GltfDocument, CompressedMeshesReadLikePlainOnes) {
  const auto samples = test::gltf_samples();
  const auto area_of = [](const Character& c) {
    double area = 0;
    for (const Triangle& t : c.mesh.triangles()) {
      const auto& p = c.mesh.positions();
      area += 0.5 * (p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).norm();
    }
    return area;
  };
  const Character plain = test::make_tube();
  for (const char* name : {"draco", "meshopt"}) {
    SCOPED_TRACE(name);
    for (const test::Sample& sample : samples) {
      if (sample.name != name) continue;
      const auto document = parse_gltf(sample.file, no_files());
      ASSERT_TRUE(document.ok()) << document.error().to_string();
      const auto characters = read_characters(*document);
      ASSERT_TRUE(characters.ok()) << characters.error().to_string();
      const Character& read = (*characters)[0].character;
      EXPECT_EQ(read.mesh.triangles().size(), plain.mesh.triangles().size());
      EXPECT_NEAR(area_of(read), area_of(plain), 1e-6);
      EXPECT_EQ(read.weights.unweighted_count(), 0U);
      for (std::size_t v = 0; v < read.mesh.vertex_count(); ++v)
        for (const Influence& influence : read.weights.row(v))
          if (influence.bone == 1) {
            EXPECT_NEAR(influence.weight, read.mesh.positions()[v].y() / 2, 1e-6);
          }
    }
  }
}

TEST(GltfDocument, WeightsWrittenIntoADracoMeshLeaveAPlainOne) {
  for (const test::Sample& sample : test::gltf_samples()) {
    if (sample.name != "draco") continue;
    Document document = *parse_gltf(sample.file, no_files());
    const auto loaded = read_characters(document);
    ASSERT_TRUE(write_weights(document, (*loaded)[0], (*loaded)[0].character.weights).ok());
    EXPECT_FALSE(document.json.contains("extensionsRequired"));
    const auto again = read_characters(*parse_gltf(*encode_glb(document), no_files()));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ((*again)[0].character.mesh.triangles(), (*loaded)[0].character.mesh.triangles());
    EXPECT_EQ((*again)[0].character.mesh.positions(), (*loaded)[0].character.mesh.positions());
  }
}

TEST(GltfDocument, RefusalsNameTheirPlace) {
  EXPECT_EQ(error_of(Bytes{}).code, ErrorCode::bad_file);
  EXPECT_EQ(error_of(Json::object()).place, "asset");
  Json old = minimal();
  old["asset"]["version"] = "1.0";
  EXPECT_EQ(error_of(old).place, "asset.version");

  Json cycle = minimal();
  cycle["nodes"] = {{{"children", {1}}}, {{"children", {0}}}};
  EXPECT_TRUE(error_of(cycle).place.starts_with("nodes["));
  Json shared = minimal();
  shared["nodes"] = {{{"children", {2}}}, {{"children", {2}}}, Json::object()};
  EXPECT_EQ(error_of(shared).place, "nodes[1].children[0]");

  Json twice = minimal();
  twice["nodes"] = {Json::object(), Json::object()};
  twice["skins"] = {{{"joints", {1, 0, 1}}}};
  const Error listed_twice = error_of(twice);
  EXPECT_EQ(listed_twice.code, ErrorCode::bad_skin);
  EXPECT_EQ(listed_twice.to_string(), "skins[0].joints[2]: node 1 is listed twice");

  Json overflow = minimal();
  overflow["buffers"] = {{{"byteLength", 16}, {"uri", "data:;base64,AAAAAAAAAAAAAAAAAAAAAA=="}}};
  overflow["bufferViews"] = {{{"buffer", 0}, {"byteOffset", 8}, {"byteLength", 9}}};
  EXPECT_EQ(error_of(overflow).place, "bufferViews[0]");
  overflow["bufferViews"][0]["byteOffset"] = std::uint64_t{0xFFFFFFFFFFFFFFF8};
  EXPECT_EQ(error_of(overflow).place, "bufferViews[0].byteOffset");
  overflow["bufferViews"] = {{{"buffer", 0}, {"byteLength", 16}}};
  overflow["accessors"] = {
      {{"bufferView", 0}, {"componentType", 5126}, {"count", 2}, {"type", "VEC3"}}};
  EXPECT_EQ(error_of(overflow).place, "accessors[0]");
  overflow["accessors"][0]["count"] = 4000000000U;
  EXPECT_EQ(error_of(overflow).place, "accessors[0]");
  overflow["accessors"][0].erase("bufferView");
  EXPECT_EQ(error_of(overflow).code, ErrorCode::too_large);

  std::string deep = R"({"asset":{"version":"2.0"},"extras":)";
  for (int i = 0; i < 5000; ++i) deep += '[';
  EXPECT_EQ(error_of(as_bytes(deep)).code, ErrorCode::bad_file);
  Json chain = minimal();
  for (int i = 0; i < 3000; ++i) chain["nodes"].push_back({{"children", {i + 1}}});
  chain["nodes"].push_back(Json::object());
  EXPECT_TRUE(error_of(chain).place.starts_with("nodes["));
}

TEST(GltfDocument, UrisThatLeaveTheFolderAreNeverFollowed) {
  bool asked = false;
  const ResourceLoader loader = [&](std::string_view, std::uint64_t) -> Result<Bytes> {
    asked = true;
    return Bytes(16);
  };
  for (const char* uri :
       {"/etc/passwd", "../secret.bin", "a/../../b.bin", "file:///etc/passwd", "http://x/y",
        "C:\\x", "a\\b", "%2e%2e/secret", "%2Fetc/passwd", "a//b", "x%00y", "..", ""}) {
    Json json = minimal();
    json["buffers"] = {{{"byteLength", 16}, {"uri", uri}}};
    const auto parsed = parse_gltf(as_bytes(json.dump()), loader);
    ASSERT_FALSE(parsed.ok()) << uri;
    EXPECT_EQ(parsed.error().code, ErrorCode::unsafe_path) << uri;
    EXPECT_EQ(parsed.error().place, "buffers[0].uri");
  }
  EXPECT_FALSE(asked);
  Json json = minimal();
  json["buffers"] = {{{"byteLength", 16}, {"uri", "folder/a%20b..c.bin"}}};
  EXPECT_TRUE(parse_gltf(as_bytes(json.dump()), loader).ok());
  EXPECT_TRUE(asked);
}

TEST(GltfDocument, TextAndItsBufferAreReplacedWithoutAMomentInBetween) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "tübe one.gltf";
  const Document document = test::make_tube_document();
  ASSERT_TRUE(write_gltf(document, path).ok());
  const auto read = read_gltf(path);
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  EXPECT_EQ(read->buffers, document.buffers);

  Document changed = document;
  for (std::byte& byte : changed.buffers[0]) byte ^= std::byte{0};
  changed.buffers[0].back() ^= std::byte{1};
  ASSERT_TRUE(write_gltf(changed, path).ok());
  EXPECT_EQ(read_gltf(path)->buffers, changed.buffers);
  ASSERT_TRUE(write_gltf(document, path).ok());
  EXPECT_EQ(read_gltf(path)->buffers, document.buffers);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ++files;
  EXPECT_EQ(files, 2U) << "the text and one buffer, nothing left over";
}

TEST(GltfDocument, PicturesGoAlongUndecoded) {
  const test::TemporaryFolder folder;
  Document document = test::make_tube_document();
  document.folder = folder.path() / "from";
  std::filesystem::create_directories(document.folder / "textures");
  const Bytes picture = as_bytes("\x89PNG not really a picture");
  ASSERT_TRUE(write_file_atomically(document.folder / "textures" / "skin a.png", picture).ok());
  document.json["images"] = {{{"uri", "textures/skin%20a.png"}}};
  std::filesystem::create_directories(folder.path() / "to");
  ASSERT_TRUE(write_gltf(document, folder.path() / "to" / "tube.gltf").ok());
  EXPECT_EQ(*read_whole_file(folder.path() / "to" / "textures" / "skin a.png", 1000), picture);
  ASSERT_TRUE(write_gltf(document, folder.path() / "to" / "tube.glb").ok());
  const auto embedded = read_gltf(folder.path() / "to" / "tube.glb");
  ASSERT_TRUE(embedded.ok());
  EXPECT_EQ(embedded->json["images"][0]["mimeType"], "image/png");
  EXPECT_FALSE(embedded->json["images"][0].contains("uri"));
}

TEST(GltfDocument, ABufferThatAnythingElseNeedsIsNeverRemoved) {
  const test::TemporaryFolder folder;
  Document first = test::make_tube_document();
  Document second = first;
  second.buffers[0].back() ^= std::byte{1};
  const auto hero = folder.path() / "hero.gltf";
  ASSERT_TRUE(write_gltf(first, hero).ok());
  // Another file over the same buffer, as an artist's second level of detail might be.
  std::filesystem::copy_file(hero, folder.path() / "lod.gltf");
  ASSERT_TRUE(write_gltf(second, hero).ok());
  EXPECT_TRUE(read_gltf(folder.path() / "lod.gltf").ok());
  EXPECT_EQ(read_gltf(hero)->buffers, second.buffers);
  // The artist's own name, which only looks like one of ours.
  std::filesystem::create_directories(folder.path() / "b");
  const auto other = folder.path() / "b" / "hero.gltf";
  ASSERT_TRUE(write_gltf(first, other).ok());
  std::filesystem::rename(folder.path() / "b" / "hero.bin",
                          folder.path() / "b" / "hero-shared.bin");
  Json text = Json::parse(std::ifstream(other));
  text["buffers"][0]["uri"] = "hero-shared.bin";
  std::ofstream(other) << text.dump();
  ASSERT_TRUE(write_gltf(second, other).ok());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "b" / "hero-shared.bin"));
}

TEST(GltfDocument, PicturesAreEmbeddedIntoADocumentThatHasNoBufferYet) {
  Json json = minimal();
  json["images"] = {{{"uri", "data:image/png;base64,iVBORw0KGgo="}}};
  json["textures"] = {{{"source", 0}}};
  const auto document = parse_gltf(as_bytes(json.dump()), no_files());
  ASSERT_TRUE(document.ok());
  const ResourceLoader loader = no_files();
  const auto copy = parse_gltf(*encode_glb(*document, &loader), no_files());
  ASSERT_TRUE(copy.ok()) << copy.error().to_string();
  EXPECT_EQ(copy->json["images"][0]["mimeType"], "image/png");
  EXPECT_EQ(copy->buffers.at(0).size(), 8U);
}

TEST(GltfDocument, EmptyViewsBeforeDeadBytesKeepTheirPlace) {
  Document document = test::make_tube_document();
  Json& views = document.json["bufferViews"];
  views.push_back({{"buffer", 0}, {"byteOffset", 0}, {"byteLength", 0}});
  views[0]["byteOffset"] = views[0].value("byteOffset", 0);
  document.has_dead_bytes = true;
  const auto copy = parse_gltf(*encode_glb(document), no_files());
  ASSERT_TRUE(copy.ok()) << copy.error().to_string();
}

TEST(AtomicFile, WithoutCommitNothingChangesAndNothingIsLeft) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "a.bin";
  ASSERT_TRUE(write_file_atomically(path, as_bytes("old")).ok());
  {
    auto file = AtomicFile::create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write(as_bytes("new")).ok());
  }
  EXPECT_EQ(*read_whole_file(path, 10), as_bytes("old"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  EXPECT_FALSE(write_file_atomically(folder.path() / "no" / "such" / "folder", as_bytes("x")).ok());
  EXPECT_FALSE(write_file_atomically(folder.path(), as_bytes("x")).ok());
}

TEST(WriteGltfFiles, ReplacesNothingUnlessAllCanBeWritten) {
  const test::TemporaryFolder folder;
  const std::filesystem::path first = folder.write("first.glb", "what was here before");
  const Document document = test::make_tube_document();
  const std::vector<DocumentAtPath> one_is_impossible{
      {document, first}, {document, folder.path() / "no such folder" / "second.glb"}};
  EXPECT_FALSE(write_gltf_files(one_is_impossible).ok());
  EXPECT_EQ(std::filesystem::file_size(first), 20u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "something was left behind";
  const std::vector<DocumentAtPath> both{{document, first},
                                         {document, folder.path() / "second.gltf"}};
  ASSERT_TRUE(write_gltf_files(both).ok());
  EXPECT_TRUE(read_gltf(first).ok());
  EXPECT_TRUE(read_gltf(folder.path() / "second.gltf").ok());
}

}  // namespace
}  // namespace sinew
