// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/gltf_character.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "support/gltf_samples.h"

namespace sinew {
namespace {

using test::no_files;

Document sample(std::string_view name) {
  for (const test::Sample& each : test::gltf_samples())
    if (each.name == name) return *parse_gltf(each.file, no_files());
  ADD_FAILURE() << "no sample " << name;
  return {};
}

LoadedCharacter only_character(const Document& document, const ReadOptions& options = {}) {
  auto characters = read_characters(document, options);
  EXPECT_TRUE(characters.ok()) << characters.error().to_string();
  EXPECT_EQ(characters->size(), 1U);
  return characters->front();
}

bool has_notice(const LoadedCharacter& loaded, std::string_view code) {
  return std::any_of(loaded.notices.begin(), loaded.notices.end(),
                     [&](const Notice& n) { return n.code == code; });
}

/// Where the file's own skinning puts every vertex at a time of the first clip.
std::vector<Vec3> skinned(const Character& character, double time_s) {
  const NodeTree posed = character.clips.empty()
                             ? character.nodes
                             : sample_clip(character.nodes, character.clips[0], time_s);
  const std::vector<Affine3> transforms = character.skinning_transforms(posed);
  std::vector<Vec3> out;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    Vec3 sum = Vec3::Zero();
    for (const Influence& i : character.weights.row(v))
      sum += i.weight * (transforms[i.bone] * character.mesh.positions()[v]);
    out.push_back(sum);
  }
  return out;
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

Json& mesh_node(Document& document) {
  for (Json& node : document.json["nodes"])
    if (node.contains("mesh")) return node;
  return document.json["nodes"][0];
}

TEST(ReadCharacters, AMadeDocumentReadsBackAsTheSameCharacter) {
  const Character tube = test::make_tube();
  const LoadedCharacter read =
      only_character(*parse_gltf(test::encoded(test::make_tube_document()), no_files()));
  EXPECT_LT(farthest(read.character.mesh.positions(), tube.mesh.positions()), 1e-7);
  EXPECT_EQ(read.character.mesh.triangles(), tube.mesh.triangles());
  ASSERT_EQ(read.character.skeleton.bone_count(), 2U);
  EXPECT_EQ(read.character.skeleton.bone(1).name, "Knee");
  EXPECT_EQ(read.character.skeleton.bone(1).parent, 0);
  EXPECT_LT((read.character.skeleton.bone(1).head() - Vec3(0, 1, 0)).norm(), 1e-7);
  EXPECT_EQ(read.character.clips.at(0).name, "Bend");
  EXPECT_LT(farthest(skinned(read.character, 0.7), skinned(tube, 0.7)), 1e-6);
}

TEST(ReadCharacters, SkinsThatShareJointsAreOneCharacterAndPropsStayProps) {
  const LoadedCharacter loaded = only_character(sample("two_skins"));
  EXPECT_EQ(loaded.character.parts.size(), 2U);
  EXPECT_EQ(loaded.character.skeleton.bone_count(), 2U);
  ASSERT_EQ(loaded.character.props.size(), 1U);
  EXPECT_EQ(loaded.character.props[0].name, "Buckle");
  EXPECT_EQ(loaded.character.skeleton.bone(loaded.character.props[0].bone).name, "Knee");
  // The second skin lists its joints the other way round over the same attributes, so its weights
  // are the first one's swapped.
  const std::size_t half = loaded.character.mesh.vertex_count() / 2;
  for (std::size_t v = 0; v < half; ++v)
    for (const Influence& influence : loaded.character.weights.row(v)) {
      bool found = false;
      for (const Influence& other : loaded.character.weights.row(half + v))
        found = found || (other.bone == 1 - influence.bone &&
                          std::abs(other.weight - influence.weight) < 1e-6);
      EXPECT_TRUE(found);
    }
}

TEST(ReadCharacters, StripsFansAndLinesMeanWhatTheyDraw) {
  const LoadedCharacter loaded = only_character(sample("modes"));
  const Mesh& mesh = loaded.character.mesh;
  EXPECT_EQ(mesh.vertex_count(), 20U) << "all seven primitives share their vertices";
  EXPECT_EQ(mesh.triangles().size(), 32U + 18U + 18U);
  EXPECT_EQ(mesh.triangles()[32], (Triangle{0, 1, 2}));
  EXPECT_EQ(mesh.triangles()[33], (Triangle{1, 3, 2}))
      << "every other triangle of a strip is turned";
  EXPECT_EQ(mesh.triangles()[50], (Triangle{1, 2, 0}));
  EXPECT_EQ(mesh.wires().size(), 10U + 20U + 19U);
  EXPECT_TRUE(has_notice(loaded, "instance"));
}

TEST(ReadCharacters, TetrahedraAndWiresSurviveAFile) {
  const LoadedCharacter loaded = only_character(sample("tetrahedra"));
  EXPECT_EQ(loaded.character.mesh.tetrahedra().size(), 2U);
  EXPECT_EQ(loaded.character.mesh.tetrahedra()[1], (Tetrahedron{1, 2, 3, 7}));
  EXPECT_EQ(loaded.character.mesh.wires(), (std::vector<Edge>{{0, 19}}));
}

TEST(ReadCharacters, AScaledAndTurnedArmatureDisappearsIntoTheScene) {
  // The same tube stored a hundred times smaller, Z up, under a node that puts it right: what King
  // and Horse do.
  Document document = test::make_tube_document();
  const double root_half = std::sqrt(0.5);
  Json& nodes = document.json["nodes"];
  const std::size_t armature = nodes.size();
  nodes.push_back({{"name", "Armature"},
                   {"scale", {100, 100, 100}},
                   {"rotation", {-root_half, 0, 0, root_half}},
                   {"children", {0}}});
  nodes[0]["rotation"] = {root_half, 0, 0, root_half};
  nodes[1]["translation"] = {0, 0.01, 0};
  document.json["scenes"][0]["nodes"] = {armature, 2};
  Json& attributes = document.json["meshes"][0]["primitives"][0]["attributes"];
  std::vector<float> xyz = *read_floats(document, attributes["POSITION"], "VEC3");
  for (std::size_t i = 0; i < xyz.size(); i += 3) {
    const float y = xyz[i + 1];
    xyz[i] /= 100, xyz[i + 1] = -xyz[i + 2] / 100, xyz[i + 2] = y / 100;
  }
  AccessorData data;
  data.type = "VEC3";
  data.floats = xyz;
  data.with_bounds = true;
  replace_accessor(document, attributes["POSITION"], data);
  std::vector<float> matrices;
  for (const float height : {0.0F, -0.01F})
    for (const float m :
         {1.F, 0.F, 0.F, 0.F, 0.F, 0.F, -1.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, height, 0.F, 1.F})
      matrices.push_back(m);
  AccessorData bind;
  bind.type = "MAT4";
  bind.floats = matrices;
  replace_accessor(document, document.json["skins"][0]["inverseBindMatrices"], bind);

  const LoadedCharacter loaded = only_character(document);
  const Character tube = test::make_tube();
  EXPECT_LT(farthest(loaded.character.mesh.positions(), tube.mesh.positions()), 1e-6);
  EXPECT_LT((loaded.character.skeleton.bone(1).head() - Vec3(0, 1, 0)).norm(), 1e-6);
  EXPECT_NEAR(loaded.bind.scene_scale, 100, 1e-4);
  EXPECT_TRUE(has_notice(loaded, "armature_scale"));
  EXPECT_LT(loaded.bind.node_deviation_rel, 1e-6);
  EXPECT_LT(farthest(skinned(loaded.character, 0.5), skinned(tube, 0.5)), 1e-5);
}

TEST(ReadCharacters, BindPoseComesFromTheMatricesUnlessToldOtherwise) {
  Document document = test::make_tube_document();
  document.json["nodes"][1]["translation"] = {0, 1, 0.5};  // posed away from the bind pose
  const LoadedCharacter by_matrices = only_character(document);
  EXPECT_LT((by_matrices.character.skeleton.bone(1).head() - Vec3(0, 1, 0)).norm(), 1e-7);
  EXPECT_TRUE(has_notice(by_matrices, "posed_nodes"));
  EXPECT_NEAR(by_matrices.bind.node_deviation_rel, 0.5 / std::sqrt(4.5), 1e-6);

  ReadOptions options;
  options.bind_pose = *BindPose::parse("nodes");
  const LoadedCharacter by_nodes = only_character(document, options);
  EXPECT_LT((by_nodes.character.skeleton.bone(1).head() - Vec3(0, 1, 0.5)).norm(), 1e-7);
  EXPECT_LT(farthest(by_nodes.character.mesh.positions(), test::make_tube().mesh.positions()), 1e-7)
      << "the mesh stays as stored";

  options.bind_pose = *BindPose::parse("Bend:1");
  const LoadedCharacter by_clip = only_character(document, options);
  const Vec3 up = by_clip.character.skeleton.bone(1).rest.linear() * Vec3::UnitY();
  EXPECT_LT((up - Vec3::UnitZ()).norm(), 1e-6) << "the knee is bent by 90 degrees about x";

  // Written back, the chosen pose is the one in which nothing moves.
  ASSERT_TRUE(write_weights(document, by_clip, by_clip.character.weights).ok());
  const LoadedCharacter again = only_character(document);
  EXPECT_TRUE(again.character.skeleton.bone(1).rest.linear().isApprox(
      by_clip.character.skeleton.bone(1).rest.linear(), 1e-6));
  EXPECT_LT(farthest(skinned(again.character, 1), test::make_tube().mesh.positions()), 1e-6);

  options.bind_pose = *BindPose::parse("Jump:1");
  const auto unknown = read_characters(document, options);
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("Bend"), std::string::npos) << "the known clips are named";
  for (const char* text : {"", "bind", "Bend:", "Bend:x", ":1", "Bend:nan"})
    EXPECT_FALSE(BindPose::parse(text).ok()) << text;
}

TEST(ReadCharacters, JointsFarFromTheOriginKeepTheirPlacesAmongEachOther) {
  // A matrix of floats knows a joint a thousand sizes away to a ten-thousandth of the size.
  const Character near = test::make_tube();
  const double size = bounding_box(near.mesh.positions()).diagonal().norm();
  const Vec3 offset = 1000 * size * Vec3(0.6, -0.5, 0.62);
  Character far = near;
  MeshData data = near.mesh.data();
  for (Vec3& position : data.positions) position += offset;
  far.mesh = *Mesh::create(std::move(data));
  std::vector<Bone> bones = near.skeleton.bones();
  for (Bone& bone : bones) {
    bone.rest.translation() += offset;
    if (bone.tail) *bone.tail += offset;
  }
  far.skeleton = *Skeleton::create(std::move(bones));
  const Skeleton read = read_characters(*make_document(far))->at(0).character.skeleton;
  ASSERT_EQ(read.bone_count(), near.skeleton.bone_count());
  for (int j = 1; j < static_cast<int>(read.bone_count()); ++j)
    EXPECT_LT(((read.bone(j).head() - read.bone(0).head()) -
               (near.skeleton.bone(j).head() - near.skeleton.bone(0).head()))
                  .norm(),
              1e-6 * size)
        << j;
}

TEST(ReadCharacters, JointsThatAreCloseStayApartWhateverStandsFarAway) {
  // A control a million sizes away is rounded by more than what parts two fingers; they are not.
  Character character = test::make_tube();
  std::vector<Bone> bones = character.skeleton.bones();
  Bone twin = bones.back();
  twin.name = "twin";
  twin.rest.translation() += Vec3(1e-3, 0, 0);
  Bone control = bones.front();
  control.name = "far";
  control.parent = -1;
  control.rest.translation() = Vec3(1e6, 0, 0);
  bones.push_back(twin);
  bones.push_back(control);
  const int count = static_cast<int>(bones.size());
  const Vec3 apart = twin.head() - bones[static_cast<std::size_t>(count) - 3].head();
  character.skeleton = *Skeleton::create(std::move(bones));
  std::vector<std::vector<Influence>> rows(character.mesh.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    rows[v].assign(character.weights.row(v).begin(), character.weights.row(v).end());
  character.weights = SkinWeights::from_rows(static_cast<std::size_t>(count), rows);
  character.clips.clear();
  character.nodes = {};
  const Skeleton read = read_characters(*make_document(character))->at(0).character.skeleton;
  ASSERT_EQ(static_cast<int>(read.bone_count()), count);
  EXPECT_LT(((read.bone(count - 2).head() - read.bone(count - 3).head()) - apart).norm(), 1e-6);
}

TEST(ReadCharacters, BrokenOldWeightsAreAWarningBrokenPositionsARefusal) {
  Document document = test::make_tube_document();
  Json& attributes = document.json["meshes"][0]["primitives"][0]["attributes"];
  std::vector<float> weights = *read_floats(document, attributes["WEIGHTS_0"], "VEC4");
  weights[4 * 3] = std::numeric_limits<float>::quiet_NaN();
  weights[4 * 5] *= 3;
  AccessorData data;
  data.type = "VEC4";
  data.floats = weights;
  data.target = BufferTarget::vertices;
  replace_accessor(document, attributes["WEIGHTS_0"], data);
  std::vector<std::uint32_t> joints = *read_integers(document, attributes["JOINTS_0"], "VEC4");
  joints[4 * 7] = 200;
  AccessorData joint_data;
  joint_data.type = "VEC4";
  joint_data.component = ComponentType::u8;
  joint_data.integers = joints;
  joint_data.target = BufferTarget::vertices;
  replace_accessor(document, attributes["JOINTS_0"], joint_data);
  const LoadedCharacter loaded = only_character(document);
  EXPECT_EQ(loaded.repairs.not_finite, 1U);
  EXPECT_EQ(loaded.repairs.out_of_range, 1U);
  EXPECT_TRUE(has_notice(loaded, "nan_weight"));
  EXPECT_TRUE(has_notice(loaded, "weight_out_of_range"));
  EXPECT_TRUE(has_notice(loaded, "weight_sum"));

  std::vector<float> xyz = *read_floats(document, attributes["POSITION"], "VEC3");
  xyz[3 * 4 + 1] = std::numeric_limits<float>::infinity();
  data.type = "VEC3";
  data.floats = xyz;
  replace_accessor(document, attributes["POSITION"], data);
  const auto refused = read_characters(document);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().to_string(),
            "meshes[0].primitives[0].attributes.POSITION[4]: is not a finite point");
}

TEST(ReadCharacters, FilesWithoutSkinsOrWithoutMeshesStillHoldSomething) {
  Document no_skin = test::make_tube_document();
  no_skin.json.erase("skins");
  mesh_node(no_skin).erase("skin");
  mesh_node(no_skin)["translation"] = {5, 0, 0};
  const LoadedCharacter mesh_only = only_character(no_skin);
  EXPECT_EQ(mesh_only.character.skeleton.bone_count(), 0U);
  EXPECT_NEAR(mesh_only.character.mesh.positions()[0].x(), 4.75, 1e-6) << "placed in the scene";

  Document no_mesh = test::make_tube_document();
  mesh_node(no_mesh).erase("mesh");
  mesh_node(no_mesh).erase("skin");
  no_mesh.json.erase("meshes");
  EXPECT_EQ(only_character(no_mesh).character.skeleton.bone_count(), 2U);
  no_mesh.json.erase("skins");
  EXPECT_EQ(only_character(no_mesh).character.skeleton.bone_count(), 3U) << "every node is a joint";
  EXPECT_EQ(only_character(make_empty_document()).character.mesh.vertex_count(), 0U);
}

TEST(WriteWeights, EightAndSixteenBitWeightsSumExactly) {
  Document document = test::make_tube_document();
  const LoadedCharacter loaded = only_character(document);
  for (const WeightFormat format : {WeightFormat::u8, WeightFormat::u16}) {
    ASSERT_TRUE(write_weights(document, loaded, loaded.character.weights, {format, 4}).ok());
    const Json& accessor =
        document.json["accessors"]
                     [document.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]
                          .get<std::size_t>()];
    EXPECT_EQ(accessor["normalized"], true);
    const auto raw = *read_integers(
        document, document.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"], "VEC4");
    for (std::size_t v = 0; v < raw.size(); v += 4)
      EXPECT_EQ(raw[v] + raw[v + 1] + raw[v + 2] + raw[v + 3],
                format == WeightFormat::u8 ? 255U : 65535U);
  }
}

TEST(WriteWeights, StrongestFirstUnusedSlotsZeroAndFloatsSumToOne) {
  Document document = test::make_tube_document();
  const LoadedCharacter loaded = only_character(document);
  std::mt19937_64 random(5);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<std::size_t> begin{0};
    std::vector<Influence> rows;
    for (std::size_t v = 0; v < loaded.character.mesh.vertex_count(); ++v) {
      const double w = static_cast<double>(random() % 1'000'001) / 1'000'000;
      rows.push_back({0, w});
      rows.push_back({1, 1 - w});
      begin.push_back(rows.size());
    }
    ASSERT_TRUE(write_weights(document, loaded, SkinWeights::mend(2, begin, rows)).ok());
    const Json& attributes = document.json["meshes"][0]["primitives"][0]["attributes"];
    const auto weights = *read_floats(document, attributes["WEIGHTS_0"], "VEC4");
    const auto joints = *read_integers(document, attributes["JOINTS_0"], "VEC4");
    for (std::size_t v = 0; v < weights.size(); v += 4) {
      float sum = 0;
      int used = 0;
      for (std::size_t c = v; c < v + 4; ++c) {
        if (c > v) {
          ASSERT_GE(weights[c - 1], weights[c]);
        }
        if (weights[c] == 0) {
          ASSERT_EQ(joints[c], 0U);
        }
        sum += weights[c];
        used += weights[c] > 0;
      }
      ASSERT_NEAR(sum, 1, 2e-7 * used);
    }
  }
}

TEST(WriteWeights, MoreThanFourInfluencesNeedASecondSetAndGoWhenTheyAreNotNeeded) {
  Character character = test::make_tube();
  std::vector<Bone> bones = character.skeleton.bones();
  std::vector<Node> nodes = character.nodes.nodes;
  for (int b = 2; b < 6; ++b) {
    Bone bone = bones[1];
    bone.name = "extra" + std::to_string(b);
    bone.source_node = b;
    Node node = nodes[1];
    node.name = bone.name;
    bones.push_back(bone);
    nodes.push_back(node);
  }
  character.skeleton = *Skeleton::create(bones);
  character.nodes = *make_node_tree(nodes);
  std::vector<std::size_t> begin{0};
  std::vector<Influence> rows;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    for (std::uint32_t b = 0; b < 6; ++b) rows.push_back({b, 1.0 + b});
    begin.push_back(rows.size());
  }
  character.weights = SkinWeights::mend(6, begin, rows);
  EXPECT_FALSE(make_document(character).ok()) << "six influences do not fit into four";
  Document document = *make_document(character, {}, {WeightFormat::f32, 8});
  const LoadedCharacter loaded = only_character(document);
  EXPECT_EQ(loaded.character.weights.max_influences(), 6U);
  ASSERT_TRUE(write_weights(document, loaded,
                            SkinWeights::mend(6, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
                                                  11, 12, 13, 14, 15, 16, 17, 18, 19, 20},
                                              std::vector<Influence>(20, {3, 1.0})))
                  .ok());
  EXPECT_FALSE(document.json["meshes"][0]["primitives"][0]["attributes"].contains("JOINTS_1"));
  EXPECT_EQ(only_character(document).character.weights.max_influences(), 1U);
}

TEST(FindWritten, IsTheCharacterThatShowsTheWrittenParts) {
  const Document document = *make_document(test::make_tube());
  const LoadedCharacter written = only_character(document);
  LoadedCharacter other = written;
  for (PartSource& source : other.sources) source.node += 100;
  const std::vector<LoadedCharacter> reread{other, written};
  EXPECT_EQ(*find_written(reread, written), 1u);
  EXPECT_EQ(*find_written(reread, other), 0u);
  EXPECT_EQ(find_written(std::span(reread).first(1), written).error().code,
            ErrorCode::write_failed);
}

TEST(FindWritten, RefusesWeightsThatBreakTheRules) {
  const Document document = *make_document(test::make_tube());
  const LoadedCharacter written = only_character(document);
  const auto is_kept = [&](const LoadedCharacter& reread, int max_influences = 4) {
    return find_written(std::span(&reread, 1), written, {WeightFormat::f32, max_influences}).ok();
  };
  ASSERT_TRUE(is_kept(written));
  EXPECT_EQ(written.character.weights.max_influences(), 2u);
  EXPECT_FALSE(is_kept(written, 1)) << "more than the limit";
  LoadedCharacter bare = written;
  bare.character.weights = SkinWeights(written.character.mesh.vertex_count(), 2);
  EXPECT_FALSE(is_kept(bare)) << "no weights";
  LoadedCharacter mended = written;
  mended.repairs.sum_not_one = 1;
  EXPECT_FALSE(is_kept(mended)) << "a repair that the new weights must be the reason of";
  mended.sources.push_back(mended.sources[0]);
  mended.sources.back().node += 100;
  mended.character.parts.push_back({"other", 0, 0});
  EXPECT_TRUE(is_kept(mended)) << "the part that was not written may be the reason";
}

TEST(WriteWeights, ASkinThatLacksABoneGetsIt) {
  Document document = sample("two_skins");
  // The sleeve's skin knows only the knee; the character's weights put it on the hip as well.
  Json& skin = document.json["skins"][1];
  skin["joints"] = Json::array({skin["joints"][0]});
  const LoadedCharacter loaded = only_character(document);
  const std::vector<Vec3> before = loaded.character.mesh.positions();
  std::vector<std::size_t> begin(loaded.character.mesh.vertex_count() + 1);
  std::iota(begin.begin(), begin.end(), std::size_t{0});
  const SkinWeights all_on_hip =
      SkinWeights::mend(2, begin, std::vector<Influence>(before.size(), {0, 1.0}));
  ASSERT_TRUE(write_weights(document, loaded, all_on_hip).ok());
  EXPECT_EQ(document.json["skins"][1]["joints"].size(), 2U);
  const LoadedCharacter again = only_character(*parse_gltf(test::encoded(document), no_files()));
  EXPECT_EQ(again.character.weights, all_on_hip);
  EXPECT_LT(farthest(again.character.mesh.positions(), before), 1e-6);
}

TEST(WriteWeights, ASkeletonThatWaitsForAMeshIsAttachedToIt) {
  Character bare = test::make_tube();
  const SkinWeights weights = bare.weights;
  bare.weights = SkinWeights(bare.mesh.vertex_count(), 2);
  Document document = *make_document(bare);
  EXPECT_FALSE(mesh_node(document).contains("skin"));
  mesh_node(document)["translation"] = {0.5, 0, 0};
  const LoadedCharacter loaded = only_character(document);
  ASSERT_EQ(loaded.character.skeleton.bone_count(), 2U);
  EXPECT_EQ(loaded.character.weights.unweighted_count(), loaded.character.mesh.vertex_count());
  EXPECT_FALSE(write_weights(document, loaded, bare.weights).ok())
      << "empty rows cannot be skinned";
  ASSERT_TRUE(write_weights(document, loaded, weights).ok());
  const LoadedCharacter again = only_character(*parse_gltf(test::encoded(document), no_files()));
  EXPECT_FALSE(document.json["skins"][0].contains("extras"));
  EXPECT_LT(farthest(again.character.mesh.positions(), loaded.character.mesh.positions()), 1e-6)
      << "at rest nothing moves";
  EXPECT_LT(farthest(skinned(again.character, 0), loaded.character.mesh.positions()), 1e-6);
}

TEST(WriteWeights, WritingWhatWasReadChangesNothingButTheStoredOrder) {
  for (const char* name : {"plain", "interleaved", "meshopt", "modes", "morphed", "two_skins"}) {
    SCOPED_TRACE(name);
    Document document = sample(name);
    const LoadedCharacter before = only_character(document);
    ASSERT_TRUE(write_weights(document, before, before.character.weights).ok());
    const LoadedCharacter after = only_character(*parse_gltf(test::encoded(document), no_files()));
    EXPECT_EQ(after.character.mesh.positions(), before.character.mesh.positions());
    EXPECT_EQ(after.character.mesh.triangles(), before.character.mesh.triangles());
    for (std::size_t v = 0; v < before.character.mesh.vertex_count(); ++v) {
      ASSERT_EQ(after.character.weights.row(v).size(), before.character.weights.row(v).size());
      for (std::size_t i = 0; i < before.character.weights.row(v).size(); ++i)
        ASSERT_NEAR(after.character.weights.row(v)[i].weight,
                    before.character.weights.row(v)[i].weight, 1e-7);
    }
  }
}

TEST(WriteWeights, InstancesOfAPlainMeshStandApartAndStayApart) {
  Character bare = test::make_tube();
  const std::size_t count = bare.mesh.vertex_count();
  bare.weights = SkinWeights(count, 2);
  Document document = *make_document(bare);
  Json twin = mesh_node(document);
  twin["name"] = "Twin";
  twin["translation"] = {3, 0, 0};
  document.json["scenes"][0]["nodes"].push_back(document.json["nodes"].size());
  document.json["nodes"].push_back(twin);
  const LoadedCharacter loaded = only_character(document);
  ASSERT_EQ(loaded.character.mesh.vertex_count(), 2 * count);
  EXPECT_NEAR(
      loaded.character.mesh.positions()[count].x() - loaded.character.mesh.positions()[0].x(), 3,
      1e-6);
  std::vector<std::size_t> begin(2 * count + 1);
  std::iota(begin.begin(), begin.end(), std::size_t{0});
  std::vector<Influence> rows(2 * count, {0, 1.0});
  for (std::size_t v = count; v < 2 * count; ++v) rows[v].bone = 1;
  const SkinWeights weights = SkinWeights::mend(2, begin, rows);
  ASSERT_TRUE(write_weights(document, loaded, weights).ok());
  const LoadedCharacter again = only_character(*parse_gltf(test::encoded(document), no_files()));
  EXPECT_LT(farthest(skinned(again.character, 0), loaded.character.mesh.positions()), 1e-6)
      << "at rest nothing moves";
  EXPECT_EQ(again.character.weights.weight_per_bone(), weights.weight_per_bone());
}

TEST(WriteWeights, AMeshThatAnotherSkinShowsIsLeftToIt) {
  Document document = test::make_tube_document();
  Json& json = document.json;
  json["nodes"].push_back({{"name", "Other hip"}});
  json["skins"].push_back({{"joints", {json["nodes"].size() - 1}}});
  json["nodes"].push_back({{"name", "Other"}, {"mesh", 0}, {"skin", 1}});
  const auto before = read_characters(document);
  ASSERT_EQ(before->size(), 2U);
  const Json attributes = json["meshes"][0]["primitives"][0]["attributes"];
  const auto old_weights = *read_floats(document, attributes["WEIGHTS_0"], "VEC4");
  std::vector<std::size_t> begin((*before)[0].character.mesh.vertex_count() + 1);
  std::iota(begin.begin(), begin.end(), std::size_t{0});
  const SkinWeights on_knee =
      SkinWeights::mend(2, begin, std::vector<Influence>(begin.size() - 1, {1, 1.0}));
  ASSERT_TRUE(write_weights(document, (*before)[0], on_knee).ok());
  EXPECT_EQ(*read_floats(document, attributes["WEIGHTS_0"], "VEC4"), old_weights)
      << "the other character keeps its weights";
  const auto after = read_characters(*parse_gltf(test::encoded(document), no_files()));
  ASSERT_TRUE(after.ok());
  EXPECT_EQ((*after)[0].character.weights, on_knee);
}

TEST(WriteWeights, ABoneScaledToNothingNeverPutsNansIntoAFile) {
  Document document = test::make_tube_document();
  document.json["nodes"][1]["scale"] = {0, 0, 0};
  ReadOptions options;
  options.bind_pose = *BindPose::parse("nodes");
  const LoadedCharacter loaded = only_character(document, options);
  ASSERT_TRUE(write_weights(document, loaded, loaded.character.weights).ok());
  EXPECT_TRUE(read_characters(*parse_gltf(test::encoded(document), no_files())).ok());
}

TEST(MakeDocument, ATriangleBetweenTwoPartsIsRefused) {
  Character character = test::make_tube();
  character.parts = {{"Lower", 0, 10}, {"Upper", 10, 10}};
  const auto document = make_document(character);
  ASSERT_FALSE(document.ok());
  EXPECT_TRUE(document.error().place.starts_with("triangles["));
}

}  // namespace
}  // namespace sinew
