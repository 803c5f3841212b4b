// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/spine_parameters.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "sinew/deform/spine_blend.h"
#include "sinew/deform/spine_joints.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/spines/gltf_spine_bones.h"
#include "support/capsule_arm.h"
#include "support/checked.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"

namespace sinew::test {
namespace {

constexpr double kFloatTolerance = 1e-5;  // the arm is 0.75 long

/// Where somebody might attach the forearm's skin instead: all of it nearer to the elbow.
double squared(double u) { return u * u; }
double unchanged(double u) { return u; }
double reversed(double u) { return 1 - u; }

/// An arm that bends its hand by 80 degrees, with painted parameters of the forearm in "_U".
class CliSpineParameters : public ::testing::Test {
 protected:
  CliSpineParameters() {
    write_arm("arm.glb", squared);
    folder_.write("rig.json", R"({"sinew_rig": 1, "bones": {"ForeArm": {"kind": "spine"}}})");
  }

  void write_arm(const std::string& name, const std::function<double(double)>& painted) const {
    Document document = checked(make_document(capsule_arm(
        {.rings_per_bone = 10, .around = 12, .hand_twist_deg = 0, .hand_bend_deg = 80})));
    const LoadedCharacter loaded = checked(read_characters(document)).front();
    std::vector<float> values;
    for (const double u : linear(loaded.character))
      values.push_back(static_cast<float>(painted(u)));
    AccessorData data;
    data.floats = values;
    data.target = BufferTarget::vertices;
    const int accessor = append_accessor(document, data);
    document.json["meshes"][0]["primitives"][0]["attributes"]["_U"] = accessor;
    write_document(folder_.path() / name, document);
  }

  /// The forearm lies along x, from 0.3 to 0.6.
  [[nodiscard]] static std::vector<double> linear(const Character& character) {
    std::vector<double> parameters;
    for (const Vec3& p : character.mesh.positions())
      parameters.push_back(std::clamp((p.x() - 0.3) / 0.3, 0.0, 1.0));
    return parameters;
  }
  [[nodiscard]] static std::vector<double> painted(const Character& character) {
    std::vector<double> parameters = linear(character);
    std::ranges::transform(parameters, parameters.begin(), squared);
    return parameters;
  }

  Finished run(const std::vector<std::string>& arguments) const {
    return run_sinew(folder_.path(), arguments);
  }
  [[nodiscard]] Document read(const std::string& name) const {
    return checked(read_gltf(folder_.path() / name));
  }
  [[nodiscard]] Character character_of(const std::string& name) const {
    return checked(read_characters(read(name))).front().character;
  }

  /// Where `sinew pose` puts the vertices at the end of the clip.
  [[nodiscard]] std::vector<Vec3> posed(const std::string& name) const {
    const Finished finished =
        run({"pose", name, "--animation", "Twist", "--time", "1", "-o", "posed.glb"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    const Document document = read("posed.glb");
    std::vector<Vec3> positions;
    for (const Json& node : document.json["nodes"]) {
      if (!node.contains("mesh")) continue;
      const Json& primitive =
          document.json["meshes"][node["mesh"].get<std::size_t>()]["primitives"][0];
      const std::vector<float> floats =
          checked(read_floats(document, primitive["attributes"]["POSITION"].get<int>(), "VEC3"));
      positions.clear();
      for (std::size_t i = 0; i < floats.size(); i += 3)
        positions.emplace_back(floats[i], floats[i + 1], floats[i + 2]);
    }
    return positions;
  }

  /// Where the exact formula puts them, with the file's weights and these parameters.
  [[nodiscard]] static std::vector<Vec3> expected(const Character& character,
                                                  std::vector<double> parameters) {
    const int bone = kForeArm;
    const SpineBone spine{
        bone, checked(spine_segment(character.skeleton, bone)).rest, std::move(parameters), {}};
    const NodeTree tree = sample_clip(character.nodes, character.clips[0], 1);
    return deform_with_spines(character.mesh.positions(), character.weights,
                              drive_spines(character.skeleton, character.skinning_transforms(tree)),
                              {&spine, 1});
  }

  [[nodiscard]] static double furthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t v = 0; v < std::min(a.size(), b.size()); ++v)
      most = std::max(most, (a[v] - b[v]).norm());
    return most;
  }

  TemporaryFolder folder_;
};

TEST_F(CliSpineParameters, PaintedOnesAreKeptByBindAndPosedBy) {
  const Finished finished = run({"bind", "arm.glb", "-o", "exact.glb", "--rig", "rig.json",
                                 "--spine-parameters", "painted:_U", "--poses", "0"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Document document = read("exact.glb");
  const LoadedCharacter loaded = checked(read_characters(document)).front();
  const Character& character = loaded.character;
  EXPECT_EQ(character.skeleton.bone(kForeArm).kind, BoneKind::spine);
  EXPECT_EQ(character.skeleton.bone(kForeArm).painted_attribute, "_U");
  const std::vector<SpineBone> own = checked(own_spine_bones(document, loaded));
  ASSERT_EQ(own.size(), 1U);
  for (std::size_t v = 0; v < own[0].parameters.size(); ++v)
    EXPECT_NEAR(own[0].parameters[v], painted(character)[v], 1e-6);
  EXPECT_LT(furthest(posed("exact.glb"), expected(character, painted(character))), kFloatTolerance);
  EXPECT_GT(furthest(posed("exact.glb"), expected(character, linear(character))), 0.01);
}

TEST_F(CliSpineParameters, HarmonicOnesAreKeptByBindAndPosedBy) {
  const Finished finished = run({"bind", "arm.glb", "-o", "exact.glb", "--rig", "rig.json",
                                 "--spine-parameters", "harmonic", "--poses", "0"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Character character = character_of("exact.glb");
  EXPECT_EQ(character.skeleton.bone(kForeArm).parametrisation, SpineParametrisation::harmonic);
  const std::vector<double> harmonic =
      checked(spine_parameters(checked(spine_segment(character.skeleton, kForeArm)).rest,
                               character.mesh, SpineParametrisation::harmonic));
  EXPECT_LT(furthest(posed("exact.glb"), expected(character, harmonic)), kFloatTolerance);
}

TEST_F(CliSpineParameters, PaintedOnesMakeOtherWeightsAndThoseThatSayWhatIsLinearTheSame) {
  const auto weights_by = [&](const std::string& file, const std::string& how) {
    const Finished finished = run({"bind", file, "-o", "out.glb", "--rig", "rig.json",
                                   "--spine-parameters", how, "--poses", "0"});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return character_of("out.glb").weights;
  };
  const auto furthest_weight = [](const SkinWeights& a, const SkinWeights& b) {
    double most = 0;
    for (std::size_t v = 0; v < a.vertex_count(); ++v) {
      std::map<std::uint32_t, double> difference;
      for (const Influence& influence : a.row(v)) difference[influence.bone] += influence.weight;
      for (const Influence& influence : b.row(v)) difference[influence.bone] -= influence.weight;
      for (const auto& [bone, by] : difference) most = std::max(most, std::abs(by));
    }
    return most;
  };
  const SkinWeights linear_weights = weights_by("arm.glb", "linear");
  write_arm("reversed.glb", reversed);
  EXPECT_GT(furthest_weight(linear_weights, weights_by("reversed.glb", "painted:_U")), 0.02);
  write_arm("plain.glb", unchanged);
  EXPECT_LT(furthest_weight(linear_weights, weights_by("plain.glb", "painted:_U")), 2e-3);
}

TEST_F(CliSpineParameters, ARowOfJointsIsSharedByThePaintedOnes) {
  constexpr int kJoints = 6;
  const Finished finished = run({"bind", "arm.glb", "-o", "row.glb", "--method", "heat", "--spine",
                                 "ForeArm", "--spine-bones", "6", "--spine-parameters",
                                 "painted:_U", "--poses", "0", "--max-influences", "8"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Character character = character_of("row.glb");
  const std::vector<double> middles = spine_joint_parameters(kJoints);
  const std::vector<double> parameters = painted(character);
  std::size_t counted = 0;
  for (std::size_t v = 0; v < character.weights.vertex_count(); ++v) {
    double sum = 0, mean = 0;
    for (const Influence& influence : character.weights.row(v)) {
      const Bone& bone = character.skeleton.bone(static_cast<int>(influence.bone));
      if (!bone.part_of) continue;
      sum += influence.weight;
      mean += influence.weight * bone.part_of->u;
    }
    if (sum < 0.2) continue;
    ++counted;
    EXPECT_NEAR(mean / sum, std::clamp(parameters[v], middles.front(), middles.back()), 0.01);
  }
  EXPECT_GT(counted, 50U);
}

TEST_F(CliSpineParameters, OnlyCharactersWithSuchABoneNeedTheAttribute) {
  Document document = two_characters("first", "second");
  rename_node(document, "mixamorig:Hip", "Back");
  AccessorData data;
  const std::vector<float> along(8, 0.5F);
  data.floats = along;
  data.target = BufferTarget::vertices;
  document.json["meshes"][0]["primitives"][0]["attributes"]["_U"] = append_accessor(document, data);
  write_document(folder_.path() / "crowd.glb", document);
  const auto bind = [&](const std::string& bone) {
    return run({"bind", "crowd.glb", "-o", "out.glb", "--method", "heat", "--poses", "0", "--spine",
                bone, "--spine-parameters", "painted:_U"});
  };
  const Finished finished = bind("Back");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const Finished refused = bind("mixamorig:Hip");  // of the second, which has none
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
}

TEST_F(CliSpineParameters, AnAttributeThatIsNotThereIsRefused) {
  const Finished finished = run({"bind", "arm.glb", "-o", "out.glb", "--spine", "ForeArm",
                                 "--spine-parameters", "painted:_ALONG", "--poses", "0"});
  EXPECT_NE(finished.exit_code, 0);
  EXPECT_TRUE(contains(finished.err, "_ALONG")) << finished.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out.glb"));
}

}  // namespace
}  // namespace sinew::test
