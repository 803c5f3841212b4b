// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/gltf_pose.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "support/deform_scene.h"
#include "support/gltf_samples.h"
#include "support/reference_deform.h"

namespace sinew::test {
namespace {

constexpr double kFloatTolerance = 1e-5;  // the cylinder is four units long

// A cylinder along +Z; bone 0 at its start, bone 1 in the middle, which a clip turns by 120° about
// Z and lifts by 1 within two seconds. A third node below bone 1 carries no skin.
struct Scene {
  DeformScene cylinder = two_bone_cylinder();
  Character character;
  Document document;
};

Affine3 moved(const Vec3& translation) { return Affine3(Eigen::Translation3d(translation)); }

Scene make_scene() {
  Scene scene;
  Character& character = scene.character;
  character.name = "cylinder";
  std::vector<Node> nodes(3);
  nodes[0].name = "base";
  nodes[0].local.translation = Vec3(0, 0, -2);
  nodes[1].name = "top";
  nodes[1].parent = 0;
  nodes[1].local.translation = Vec3(0, 0, 2);
  nodes[2].name = "prop";
  nodes[2].parent = 1;
  character.nodes = *make_node_tree(nodes);
  std::vector<Bone> bones(2);
  bones[0].name = "base";
  bones[0].rest = moved(Vec3(0, 0, -2));
  bones[0].source_node = 0;
  bones[1].name = "top";
  bones[1].parent = 0;
  bones[1].rest = moved(Vec3(0, 0, 0));
  bones[1].source_node = 1;
  character.skeleton = *Skeleton::create(bones);
  MeshData mesh;
  mesh.positions = scene.cylinder.positions;
  for (std::uint32_t v = 0; v + 25 < mesh.positions.size(); ++v)
    mesh.triangles.push_back({v, v + 1, v + 24});
  character.mesh = *Mesh::create(mesh);
  character.weights = scene.cylinder.weights;

  Clip clip{"Twist", {}, 0, 2};
  const double half = M_PI / 3;
  clip.channels.push_back({1,
                           ChannelPath::rotation,
                           Interpolation::linear,
                           4,
                           {0, 2},
                           {0, 0, 0, 1, 0, 0, std::sin(half), std::cos(half)}});
  clip.channels.push_back(
      {1, ChannelPath::translation, Interpolation::linear, 3, {0, 2}, {0, 0, 2, 0, 0, 3}});
  character.clips.push_back(clip);
  character.clips.push_back({"Still", {}, 0, 0});
  scene.document = *make_document(character, scene.cylinder.normals);
  return scene;
}

// What the clip does to the two bones at a time.
std::vector<Affine3> bones_at(double time_s) {
  Affine3 top = moved(Vec3(0, 0, time_s / 2));
  top.rotate(Eigen::AngleAxisd(time_s / 2 * 2 * M_PI / 3, Vec3::UnitZ()));
  return {Affine3::Identity(), top};
}

Document posed(const Document& document, const PoseOptions& options = {}) {
  auto result = pose_document(document, options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
  return result.ok() ? *std::move(result) : Document{};
}

const Json& last_node(const Document& document) { return document.json["nodes"].back(); }

const Json& attributes_of(const Document& document, const Json& node) {
  return document.json["meshes"][node["mesh"].get<std::size_t>()]["primitives"][0]["attributes"];
}

std::vector<float> floats(const Document& document, const Json& accessor, const char* type) {
  return *read_floats(document, accessor.get<int>(), type);
}

int append_vectors(Document& document, const std::vector<float>& values, const char* type) {
  AccessorData data;
  data.type = type;
  data.floats = values;
  data.target = BufferTarget::vertices;
  return append_accessor(document, data);
}

Json& primitive_of(Document& document) { return document.json["meshes"][0]["primitives"][0]; }

void expect_near(const std::vector<Vec3>& expected, const std::vector<float>& actual,
                 double tolerance = kFloatTolerance) {
  ASSERT_EQ(actual.size(), 3 * expected.size());
  for (std::size_t v = 0; v < expected.size(); ++v)
    ASSERT_LT((point_at(actual, v) - expected[v]).norm(), tolerance) << "vertex " << v;
}

TEST(GltfPose, BothDeformersAgreeWithTheReferenceAtEveryTime) {
  const Scene scene = make_scene();
  for (const double time_s : {0.0, 0.7, 1.0, 2.0})
    for (const Deformer deformer : {Deformer::linear_blend, Deformer::dual_quaternion}) {
      const Document out = posed(scene.document, {"Twist", time_s, deformer});
      const auto reference = deformer == Deformer::linear_blend ? reference_linear_blend
                                                                : reference_dual_quaternion_blend;
      const ReferenceDeform expected = reference(scene.cylinder.weights, bones_at(time_s),
                                                 scene.cylinder.positions, scene.cylinder.normals);
      const Json& attributes = attributes_of(out, last_node(out));
      expect_near(expected.positions, floats(out, attributes["POSITION"], "VEC3"));
      expect_near(expected.normals, floats(out, attributes["NORMAL"], "VEC3"));
    }
}

TEST(GltfPose, NothingOfSkinsAndAnimationsIsLeft) {
  const Scene scene = make_scene();
  const Document out = posed(scene.document, {"Twist", 1});
  EXPECT_FALSE(out.json.contains("skins"));
  EXPECT_FALSE(out.json.contains("animations"));
  for (const Json& node : out.json["nodes"]) EXPECT_FALSE(node.contains("skin"));
  const Json& attributes = attributes_of(out, last_node(out));
  EXPECT_FALSE(attributes.contains("JOINTS_0"));
  EXPECT_FALSE(attributes.contains("WEIGHTS_0"));
  EXPECT_EQ(out.json["meshes"].size(), 1u);
}

// Otherwise a NaN in old weights, or a long animation, would live on in an accessor that nothing
// uses.
TEST(GltfPose, TheDataOfWeightsAndAnimationsIsGoneWhileWhatIsSharedStays) {
  Scene scene = make_scene();
  Json& attributes = primitive_of(scene.document)["attributes"];
  const int weights = attributes["WEIGHTS_0"].get<int>();
  const int positions = attributes["POSITION"].get<int>();
  const int indices = primitive_of(scene.document)["indices"].get<int>();
  const auto times = scene.document.json["animations"][0]["samplers"][0]["input"].get<int>();
  scene.document.json["meshes"].push_back(
      {{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}});
  scene.document.json["nodes"][2]["mesh"] = 1;
  const Document out = posed(scene.document, {"Twist", 1});
  EXPECT_EQ(accessor_count(out, weights), 1u);
  EXPECT_EQ(accessor_count(out, times), 1u);
  EXPECT_EQ(accessor_count(out, positions), scene.cylinder.positions.size());
  EXPECT_EQ(*read_integers(out, indices, "SCALAR"),
            *read_integers(scene.document, indices, "SCALAR"));
  const Document again = *parse_gltf(encoded(out), no_files());
  expect_near(scene.cylinder.positions, *read_floats(again, positions, "VEC3"));
  EXPECT_EQ(*read_integers(again, indices, "SCALAR"),
            *read_integers(scene.document, indices, "SCALAR"));
  EXPECT_LT(encoded(out).size(), encoded(scene.document).size());
}

TEST(GltfPose, TheMeshHangsOnANewRootOfTheSceneUnderItsOldName) {
  const Scene scene = make_scene();
  const Document out = posed(scene.document, {"Twist", 1});
  const std::size_t nodes_before = scene.document.json["nodes"].size();
  ASSERT_EQ(out.json["nodes"].size(), nodes_before + 1);
  EXPECT_EQ(last_node(out), Json({{"name", "cylinder"}, {"mesh", 0}}));
  EXPECT_EQ(out.json["scenes"][0]["nodes"].back(), nodes_before);
  EXPECT_EQ(out.json["nodes"][nodes_before - 1], Json({{"name", "cylinder"}}));
}

TEST(GltfPose, OtherNodesStandInTheirPose) {
  const Scene scene = make_scene();
  const Document out = posed(scene.document, {"Twist", 1});
  EXPECT_EQ(out.json["nodes"][1]["translation"], Json::array({0.0, 0.0, 2.5}));
  EXPECT_NEAR(out.json["nodes"][1]["rotation"][2].get<double>(), std::sin(M_PI / 6), 1e-7);
  EXPECT_EQ(out.json["nodes"][0], scene.document.json["nodes"][0]);
}

TEST(GltfPose, WithoutAClipThePoseIsTheStoredOne) {
  Scene scene = make_scene();
  expect_near(
      scene.cylinder.positions,
      floats(posed(scene.document),
             attributes_of(posed(scene.document), last_node(posed(scene.document)))["POSITION"],
             "VEC3"));
  // The stored pose need not be the bind pose.
  scene.document.json["nodes"][1]["translation"] = {0, 0, 3};
  std::vector<Affine3> bones = bones_at(0);
  bones[1].translation() = Vec3(0, 0, 1);
  const Document out = posed(scene.document);
  expect_near(
      reference_linear_blend(scene.cylinder.weights, bones, scene.cylinder.positions).positions,
      floats(out, attributes_of(out, last_node(out))["POSITION"], "VEC3"));
}

TEST(GltfPose, AClipMayBeNamedByItsIndex) {
  const Scene scene = make_scene();
  EXPECT_EQ(posed(scene.document, {"0", 1}).json, posed(scene.document, {"Twist", 1}).json);
}

TEST(GltfPose, AnUnknownClipIsRefusedWithTheNamesThatThereAre) {
  const Scene scene = make_scene();
  const auto result = pose_document(scene.document, {"Walk", 0});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(result.error().message,
            "there is no clip 'Walk', did you mean Twist? (there is Twist and Still)");
  EXPECT_FALSE(pose_document(scene.document, {"2", 0}).ok());
}

TEST(GltfPose, ATimeOutsideTheClipIsItsNearestEndAndIsSaid) {
  const Scene scene = make_scene();
  Notices notices;
  const auto late = pose_document(scene.document, {"Twist", 9}, &notices);
  ASSERT_TRUE(late.ok());
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].code, "time_clamped");
  EXPECT_EQ(late->json, posed(scene.document, {"Twist", 2}).json);
  EXPECT_EQ(posed(scene.document, {"Twist", -1}).json, posed(scene.document, {"Twist", 0}).json);
  EXPECT_FALSE(pose_document(scene.document, {"Twist", NAN}).ok());
}

TEST(GltfPose, OtherAttributesAndMaterialsStay) {
  Scene scene = make_scene();
  const std::size_t count = scene.cylinder.positions.size();
  primitive_of(scene.document)["attributes"]["TEXCOORD_0"] =
      append_vectors(scene.document, std::vector<float>(2 * count, 0.25f), "VEC2");
  primitive_of(scene.document)["material"] = 0;
  scene.document.json["materials"] = Json::array({{{"name", "skin"}}});
  const Document out = posed(scene.document, {"Twist", 1});
  const Json& primitive = out.json["meshes"][0]["primitives"][0];
  EXPECT_EQ(primitive["attributes"]["TEXCOORD_0"],
            primitive_of(scene.document)["attributes"]["TEXCOORD_0"]);
  EXPECT_EQ(primitive["material"], 0);
  EXPECT_EQ(primitive["indices"], primitive_of(scene.document)["indices"]);
}

TEST(GltfPose, TangentsTurnWithTheSurfaceAndKeepTheirSign) {
  Scene scene = make_scene();
  std::vector<float> tangents;
  for (const Vec3& normal : scene.cylinder.normals)
    tangents.insert(tangents.end(),
                    {static_cast<float>(-normal.y()), static_cast<float>(normal.x()), 0, -1});
  primitive_of(scene.document)["attributes"]["TANGENT"] =
      append_vectors(scene.document, tangents, "VEC4");
  for (const Deformer deformer : {Deformer::linear_blend, Deformer::dual_quaternion}) {
    const Document out = posed(scene.document, {"Twist", 1, deformer});
    const Json& attributes = attributes_of(out, last_node(out));
    const std::vector<float> normals = floats(out, attributes["NORMAL"], "VEC3");
    const std::vector<float> turned = floats(out, attributes["TANGENT"], "VEC4");
    for (std::size_t v = 0; v < scene.cylinder.normals.size(); ++v) {
      const Vec3 tangent(turned[4 * v], turned[4 * v + 1], turned[4 * v + 2]);
      const Vec3 expected = Vec3::UnitZ().cross(point_at(normals, v));
      EXPECT_LT((tangent - expected).norm(), 1e-5);
      EXPECT_EQ(turned[4 * v + 3], -1);
    }
  }
}

TEST(GltfPose, MorphTargetsAreAddedBeforeSkinning) {
  Scene scene = make_scene();
  std::vector<float> offsets;
  std::vector<Vec3> morphed = scene.cylinder.positions;
  for (Vec3& position : morphed) {
    offsets.insert(offsets.end(), {1, 0.5f, 0.25f});
    position += 0.5 * Vec3(1, 0.5, 0.25);
  }
  Json& primitive = primitive_of(scene.document);
  primitive["targets"] =
      Json::array({{{"POSITION", append_vectors(scene.document, offsets, "VEC3")}}});
  scene.document.json["meshes"][0]["weights"] = {0.5};
  scene.document.json["meshes"][0]["extras"] = {{"targetNames", {"puff"}}};
  const Document out = posed(scene.document, {"Twist", 1});
  expect_near(reference_linear_blend(scene.cylinder.weights, bones_at(1), morphed).positions,
              floats(out, attributes_of(out, last_node(out))["POSITION"], "VEC3"));
  const Json& mesh = out.json["meshes"][0];
  EXPECT_FALSE(mesh["primitives"][0].contains("targets"));
  EXPECT_FALSE(mesh.contains("weights"));
  EXPECT_FALSE(mesh.contains("extras"));
}

TEST(GltfPose, AMeshWithoutASkinKeepsItsTargetsAndGetsTheWeightsOfTheMoment) {
  Scene scene = make_scene();
  Document& document = scene.document;
  const std::vector<float> triangle{0, 0, 0, 1, 0, 0, 0, 1, 0};
  AccessorData data;
  data.type = "VEC3";
  data.floats = triangle;
  data.with_bounds = true;
  const int positions = append_accessor(document, data);
  document.json["meshes"].push_back(
      {{"primitives",
        {{{"attributes", {{"POSITION", positions}}}, {"targets", {{{"POSITION", positions}}}}}}}});
  document.json["nodes"][2]["mesh"] = 1;
  AccessorData times;
  times.floats = std::vector<float>{0};
  const std::vector<float> keys{0, 2}, weights{0, 1};
  times.floats = keys;
  times.with_bounds = true;
  AccessorData values;
  values.floats = weights;
  Json& animation = document.json["animations"][0];
  animation["channels"].push_back(
      {{"sampler", animation["samplers"].size()}, {"target", {{"node", 2}, {"path", "weights"}}}});
  const int input = append_accessor(document, times), output = append_accessor(document, values);
  document.json["animations"][0]["samplers"].push_back({{"input", input}, {"output", output}});

  const Document out = posed(document, {"Twist", 0.5});
  ASSERT_TRUE(out.json["nodes"][2].contains("weights"));
  EXPECT_NEAR(out.json["nodes"][2]["weights"][0].get<double>(), 0.25, 1e-6);
  EXPECT_EQ(out.json["nodes"][2]["mesh"], 1);
  EXPECT_TRUE(out.json["meshes"][1]["primitives"][0].contains("targets"));
}

TEST(GltfPose, NodesThatShareAMeshGetOneEach) {
  Scene scene = make_scene();
  Json twin = last_node(scene.document);
  twin["name"] = "twin";
  scene.document.json["nodes"].push_back(twin);
  scene.document.json["scenes"][0]["nodes"].push_back(scene.document.json["nodes"].size() - 1);
  const Document out = posed(scene.document, {"Twist", 1});
  EXPECT_EQ(out.json["meshes"].size(), 2u);
  const auto count = out.json["nodes"].size();
  EXPECT_NE(out.json["nodes"][count - 1]["mesh"], out.json["nodes"][count - 2]["mesh"]);
}

TEST(GltfPose, AVertexWithoutWeightsFollowsTheFirstJoint) {
  Scene scene = make_scene();
  const std::size_t count = scene.cylinder.positions.size();
  primitive_of(scene.document)["attributes"]["WEIGHTS_0"] =
      append_vectors(scene.document, std::vector<float>(4 * count, 0.0f), "VEC4");
  scene.document.json["nodes"][0]["translation"] = {5, 0, -2};
  const Document out = posed(scene.document);
  std::vector<Vec3> expected = scene.cylinder.positions;
  for (Vec3& position : expected) position.x() += 5;
  expect_near(expected, floats(out, attributes_of(out, last_node(out))["POSITION"], "VEC3"));
}

TEST(GltfPose, ADocumentWithoutSkinsOnlyLosesItsAnimations) {
  Document document = make_empty_document();
  document.json["nodes"] = Json::parse(R"([{"name": "alone"}])");
  document.json["scenes"][0]["nodes"] = {0};
  EXPECT_EQ(posed(document).json, document.json);
}

// Draco, meshopt, sparse, quantised, several skins: each sample gives a document that can be read
// again, with finite positions and unit normals.
TEST(GltfPose, EveryKindOfFileGivesADocumentThatReadsAgain) {
  for (const Sample& sample : gltf_samples()) {
    SCOPED_TRACE(sample.name);
    const auto document = parse_gltf(sample.file, no_files());
    ASSERT_TRUE(document.ok()) << document.error().to_string();
    for (const Deformer deformer : {Deformer::linear_blend, Deformer::dual_quaternion}) {
      const bool has_clip = document->json.contains("animations");
      const auto out = pose_document(*document, {has_clip ? "0" : "", 0.4, deformer});
      ASSERT_TRUE(out.ok()) << out.error().to_string();
      const auto again = parse_gltf(encoded(*out), no_files());
      ASSERT_TRUE(again.ok()) << again.error().to_string();
      for (const Json& node : again->json["nodes"]) EXPECT_FALSE(node.contains("skin"));
    }
  }
}

}  // namespace
}  // namespace sinew::test
