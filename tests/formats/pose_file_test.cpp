// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/pose_file.h"

#include <functional>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "src/gltf/gltf_json.h"
#include "support/made_skeletons.h"
#include "support/models.h"
#include "support/temporary_folder.h"

namespace sinew {
namespace {

using test::as_bytes;

constexpr std::string_view kPoses = R"({
  "sinew_poses": 1,
  "poses": [
    {"name": "crouch", "bones": {
      "Hips": {"translation": [0, -0.25, 0.5]},
      "*Leg*": {"axis": [2, 0, 0], "angle_deg": 90},
      "LeftLeg": {"rotation": [0, 0, 0.6, 0.8]}}},
    {"bones": {}}
  ]
})";

constexpr std::string_view kWalk = R"(HIERARCHY
ROOT hips
{
  OFFSET 0 10 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Belt
  {
    OFFSET 0 1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT bvh:LeftLeg
    {
      OFFSET 1 -1 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot
      {
        OFFSET 0 -9 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 0 2
        }
      }
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 10 0  0 0 0  0 0 0  0 0 0  0 0 0
0 10 0  0 0 90  0 20 0  0 30 0  0 -50 0
9 10 0  40 0 0  0 0 0  0 0 0  0 0 0
)";

Skeleton body() {
  return test::make_skeleton({{"mixamorig:Hips", -1, {0, 1, 0}},
                              {"mixamorig:LeftLeg", 0, {0.1, 1, 0}},
                              {"mixamorig:LeftCalf", 1, {0.1, 0.5, 0}},
                              {"mixamorig:LeftFoot", 2, {0.1, 0.1, 0}},
                              {"mixamorig:RightLeg", 0, {-0.1, 1, 0}}});
}

std::vector<Affine3> transforms_of(const NamedPose& named) {
  return forward_kinematics(body(), named.pose);
}

Quat turn(double degrees, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis));
}

Result<std::vector<NamedPose>> read_json(std::string_view text, Notices& notices) {
  const test::TemporaryFolder folder;
  return read_poses(folder.write("poses.json", text), body(), notices);
}

std::string error_of(std::string_view text) {
  Notices notices;
  const auto poses = read_json(text, notices);
  return poses.ok() ? "none" : poses.error().to_string();
}

std::string bone_error(const std::string& bone) {
  return error_of(R"({"sinew_poses": 1, "poses": [{"bones": {"Hips": )" + bone + "}}]}");
}

void expect_sound(const std::vector<NamedPose>& poses) {
  EXPECT_FALSE(poses.empty());
  for (const NamedPose& named : poses) {
    ASSERT_EQ(named.pose.bones.size(), body().bone_count());
    for (const BonePose& bone : named.pose.bones) {
      EXPECT_NEAR(bone.rotation.norm(), 1, 1e-12);
      EXPECT_TRUE(bone.translation.allFinite());
      if (!bone.bend) continue;
      EXPECT_NEAR(bone.bend->axis.norm(), 1, 1e-12);
      EXPECT_LE(std::abs(bone.bend->angle_rad), 2 * std::numbers::pi + 1e-12);
      EXPECT_TRUE(bone.bend->stretch >= 1e-3 && bone.bend->stretch <= 1e3);
    }
  }
}

TEST(Poses, BonesThatAreNamedTurnAndOthersStay) {
  Notices notices;
  const auto poses = read_json(kPoses, notices);
  ASSERT_TRUE(poses.ok()) << poses.error().to_string();
  EXPECT_TRUE(notices.empty());
  ASSERT_EQ(poses->size(), 2u);
  const std::vector<BonePose>& bones = poses->front().pose.bones;
  EXPECT_EQ(poses->front().name, "crouch");
  EXPECT_EQ(bones[0].translation, Vec3(0, -0.25, 0.5));
  EXPECT_LT(bones[1].rotation.angularDistance(Quat(0.8, 0, 0, 0.6)), 1e-12) << "the last counts";
  EXPECT_LT(bones[4].rotation.angularDistance(turn(90, Vec3::UnitX())), 1e-12);
  EXPECT_EQ(bones[2].rotation.coeffs(), Quat::Identity().coeffs());
  for (const BonePose& bone : poses->back().pose.bones)
    EXPECT_EQ(bone.rotation.coeffs(), Quat::Identity().coeffs());
  EXPECT_LT((transforms_of(poses->front())[4] * Vec3(-0.1, 0, 0) - Vec3(-0.1, 0.75, -0.5)).norm(),
            1e-12)
      << "a leg turned by 90 degrees about x points back, on hips that went down and forward";
}

TEST(Poses, WhatIsWrongIsRefusedWithItsPlace) {
  EXPECT_EQ(error_of("{}"), "sinew_poses: is missing: this is not a file of poses");
  EXPECT_EQ(error_of(R"({"sinew_poses": 2})"), "sinew_poses: is 2; this program reads version 1");
  EXPECT_EQ(error_of(R"({"sinew_poses": 1, "poses": []})"), "poses: is empty");
  EXPECT_EQ(error_of(R"({"sinew_poses": 1, "poses": {}})"), "poses: is not a list");
  EXPECT_EQ(error_of(R"({"sinew_poses": 1, "poses": [{"bones": {}}, 3]})"),
            "poses[1]: is not an object");
  EXPECT_EQ(error_of(R"({"sinew_poses": 1, "poses": [{}]})"), "poses[0].bones: is missing");
  EXPECT_EQ(error_of(R"({"sinew_poses": 1, "poses": [{"bones": {"Hipps": {}}}]})"),
            "poses[0].bones[\"Hipps\"]: no bone matches 'Hipps'; the nearest name is "
            "'mixamorig:Hips'");
  const std::string hips = "poses[0].bones[\"Hips\"]";
  EXPECT_EQ(bone_error("7"), hips + ": is not an object");
  EXPECT_EQ(bone_error(R"({"rotation": [0, 0, 1]})"), hips + ".rotation: is not [x, y, z, w]");
  EXPECT_EQ(bone_error(R"({"rotation": [0, 0, 0, 2]})"),
            hips + ".rotation: has length 2; a rotation [x, y, z, w] has length 1");
  EXPECT_EQ(bone_error(R"({"rotation": [0, 0, 0, null]})"), hips + ".rotation[3]: is not a number");
  EXPECT_EQ(bone_error(R"({"axis": [0, 0, 0], "angle_deg": 3})"), hips + ".axis: has no direction");
  EXPECT_EQ(bone_error(R"({"axis": [0, 0, 1]})"), hips + ": has an axis and no angle_deg");
  EXPECT_EQ(bone_error(R"({"angle_deg": 1})"), hips + ": has an angle_deg and no axis");
  EXPECT_EQ(bone_error(R"({"axis": [0, 0, 1], "angle_deg": 361})"),
            hips + ".angle_deg: leaves -360 to 360 degrees");
  EXPECT_EQ(bone_error(R"({"axis": [0, 0, 1], "rotation": [0, 0, 0, 1]})"),
            hips + ": has both a rotation and an axis with an angle");
  EXPECT_EQ(bone_error(R"({"translation": [0, 1e30, 0]})"),
            hips + ".translation: is farther than anything can be");
  EXPECT_TRUE(bone_error(R"({"translation": [0, NaN, 0]})").starts_with("JSON: "));
}

TEST(Poses, AKeyThatMeansNothingIsReported) {
  Notices notices;
  const auto poses = read_json(
      R"({"sinew_poses": 1, "poses": [{"bones": {"Hips": {"rotaton": [0, 0, 0, 1]}}}]})", notices);
  ASSERT_TRUE(poses.ok()) << poses.error().to_string();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].code, "unknown_pose_key");
  EXPECT_EQ(notices[0].place, "poses[0].bones[\"Hips\"].rotaton");
}

TEST(Poses, MorePosesThanMemoryIsMeantForAreRefused) {
  std::string text = R"({"sinew_poses": 1, "poses": [{"bones": {}})";
  for (int p = 0; p < 10'000; ++p) text += R"(,{"bones":{}})";
  EXPECT_EQ(error_of(text + "]}"), "poses: has more than 10000 poses");
}

/// The hips are a spine, a leg is a stretch-twist bone.
Skeleton bending_body() {
  std::vector<Bone> bones = body().bones();
  bones[0].kind = BoneKind::spine;
  bones[1].kind = BoneKind::stretch_twist;
  return *Skeleton::create(std::move(bones));
}

constexpr std::string_view kBends = R"({
  "sinew_poses": 1,
  "poses": [{"bones": {
    "Hips": {"bend": {"axis": [0, 0, 2], "angle_deg": 45, "stretch": 1.25}},
    "LeftLeg": {"axis": [1, 0, 0], "angle_deg": 10, "bend": {"angle_deg": -90}}}}]
})";

Result<std::vector<NamedPose>> parse_bends(std::span<const std::byte> file) {
  Notices notices;
  SINEW_TRY(const Json json, parse_json(file));
  return parse_poses(json, bending_body(), notices);
}

std::string bend_error(const std::string& bone, const std::string& bend) {
  const auto poses = parse_bends(as_bytes(R"({"sinew_poses": 1, "poses": [{"bones": {")" + bone +
                                          R"(": {"bend": )" + bend + "}}}]}"));
  return poses.ok() ? "none" : poses.error().to_string();
}

TEST(Poses, SpinesBendAsTheFileSays) {
  const auto poses = parse_bends(as_bytes(std::string(kBends)));
  ASSERT_TRUE(poses.ok()) << poses.error().to_string();
  const std::vector<BonePose>& bones = poses->front().pose.bones;
  ASSERT_TRUE(bones[0].bend && bones[1].bend);
  EXPECT_EQ(bones[0].bend->axis, Vec3(0, 0, 1));
  EXPECT_NEAR(bones[0].bend->angle_rad, std::numbers::pi / 4, 1e-15);
  EXPECT_EQ(bones[0].bend->stretch, 1.25);
  EXPECT_NEAR(bones[1].bend->angle_rad, -std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(bones[1].bend->stretch, 1);
  EXPECT_FALSE(bones[2].bend.has_value());
}

TEST(Poses, ABendThatCannotBeIsRefusedWithItsPlace) {
  const std::string hips = "poses[0].bones[\"Hips\"].bend";
  EXPECT_EQ(bend_error("Hips", "3"), hips + ": is not an object");
  EXPECT_EQ(bend_error("Hips", R"({"axis": [0, 0, 1]})"), hips + ": has an axis and no angle_deg");
  EXPECT_EQ(bend_error("Hips", R"({"angle_deg": 5})"),
            hips + ": has an angle_deg and no axis, and 'mixamorig:Hips' is a spine");
  EXPECT_EQ(bend_error("Hips", R"({"axis": [0, 0, 0], "angle_deg": 5})"),
            hips + ".axis: has no direction");
  EXPECT_EQ(bend_error("Hips", R"({"axis": [0, 0, 1], "angle_deg": 400})"),
            hips + ".angle_deg: leaves -360 to 360 degrees");
  EXPECT_EQ(bend_error("Hips", R"({"stretch": 0})"),
            hips + ".stretch: leaves 0.001 to 1000 times the length at rest");
  EXPECT_EQ(bend_error("Hips", R"({"stretch": "long"})"), hips + ".stretch: is not a number");
  EXPECT_EQ(bend_error("Hips", R"({"stretch": 2})"), "none");
  EXPECT_TRUE(
      bend_error("LeftFoot", R"({"stretch": 2})").find("is a rigid bone and does not bend") !=
      std::string::npos)
      << bend_error("LeftFoot", R"({"stretch": 2})");
}

TEST(BvhPoses, ABoneGetsTheTurnOfItsJointInSpace) {
  Notices notices;
  const auto poses = parse_bvh_poses(as_bytes(kWalk), body(), notices);
  ASSERT_TRUE(poses.ok()) << poses.error().to_string();
  ASSERT_EQ(poses->size(), 3u);
  EXPECT_EQ((*poses)[1].name, "frame 2");
  constexpr double kFloatKeys = 1e-6;
  for (const BonePose& bone : (*poses)[0].pose.bones)
    EXPECT_LT(bone.rotation.angularDistance(Quat::Identity()), kFloatKeys);
  const std::vector<BonePose>& bones = (*poses)[1].pose.bones;
  EXPECT_LT(bones[0].rotation.angularDistance(turn(90, Vec3::UnitY())), kFloatKeys);
  EXPECT_LT(bones[1].rotation.angularDistance(turn(20 + 30, Vec3::UnitX())), kFloatKeys)
      << "the belt stands between hips and leg, and has no bone";
  EXPECT_EQ(bones[2].rotation.coeffs(), Quat::Identity().coeffs()) << "the calf has no joint";
  EXPECT_LT(bones[3].rotation.angularDistance(turn(-50, Vec3::UnitX())), kFloatKeys);
  EXPECT_EQ((*poses)[2].pose.bones[0].translation, Vec3(0, 0, 0));
  EXPECT_LT(
      (transforms_of((*poses)[1])[3].linear() - turn(90, Vec3::UnitY()).toRotationMatrix()).norm(),
      1e-6)
      << "the foot stays level";
}

TEST(BvhPoses, LongMotionsAreThinnedOutEvenly) {
  std::string text(kWalk.substr(0, kWalk.find("Frames:")));
  text += "Frames: 101\nFrame Time: 0.1\n";
  for (int frame = 0; frame <= 100; ++frame)
    text += "0 10 0 " + std::to_string(frame) + " 0 0  0 0 0  0 0 0  0 0 0\n";
  Notices notices;
  const auto poses = parse_bvh_poses(as_bytes(text), body(), notices, {.max_frames = 5});
  ASSERT_TRUE(poses.ok()) << poses.error().to_string();
  ASSERT_EQ(poses->size(), 5u);
  for (std::size_t p = 0; p < 5; ++p)
    EXPECT_LT((*poses)[p].pose.bones[0].rotation.angularDistance(
                  turn(25.0 * static_cast<double>(p), Vec3::UnitZ())),
              1e-6);
  const auto all = parse_bvh_poses(as_bytes(text), body(), notices, {.max_frames = 1000});
  EXPECT_EQ(all->size(), 101u);
}

TEST(BvhPoses, SaysWhichJointsMoveNothing) {
  Notices notices;
  ASSERT_TRUE(parse_bvh_poses(as_bytes(kWalk), body(), notices).ok());
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].code, "unmatched_joints");
  EXPECT_EQ(notices[0].message, "1 of 4 joints have no bone of their name and move nothing: Belt");
}

TEST(BvhPoses, SaysWhenTheRestPoseIsAnother) {
  std::string text(kWalk);
  text.replace(text.find("OFFSET 0 -9 0"), 13, "OFFSET 9 0 0");
  Notices notices;
  ASSERT_TRUE(parse_bvh_poses(as_bytes(text), body(), notices).ok());
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_EQ(notices[1].code, "bvh_rest_pose");
  EXPECT_NE(notices[1].message.find("'mixamorig:LeftLeg' 90"), std::string::npos)
      << notices[1].message;
}

TEST(BvhPoses, WhatIsWrongIsRefusedWithItsPlace) {
  Notices notices;
  const auto place_of = [&](std::string_view text) {
    const auto poses = parse_bvh_poses(as_bytes(text), body(), notices);
    return poses.ok() ? "none" : poses.error().place;
  };
  EXPECT_EQ(place_of(kWalk.substr(0, kWalk.find("MOTION"))), "MOTION");
  std::string strangers(kWalk);
  for (const std::string_view name : {"hips", "LeftLeg", "LeftFoot"})
    strangers.replace(strangers.find(name), name.size(), "x" + std::string(name.size() - 1, 'y'));
  EXPECT_EQ(place_of(strangers), "HIERARCHY");
  std::string broken(kWalk);
  broken.replace(broken.find("0 20 0"), 6, "0 nan 0");
  EXPECT_EQ(place_of(broken), "line 30");
  const auto none = parse_bvh_poses(as_bytes(kWalk), body(), notices, {.max_frames = 0});
  EXPECT_EQ(none.error().code, ErrorCode::bad_argument);
}

TEST(ReadPoses, GoesByTheExtension) {
  const test::TemporaryFolder folder;
  Notices notices;
  EXPECT_EQ(read_poses(folder.write("walk.BVH", kWalk), body(), notices)->size(), 3u);
  EXPECT_EQ(read_poses(folder.write("poses.json", kPoses), body(), notices)->size(), 2u);
  EXPECT_EQ(read_poses(folder.write("walk.txt", kWalk), body(), notices).error().code,
            ErrorCode::unsupported);
  EXPECT_EQ(read_poses(folder.path() / "none.json", body(), notices).error().code,
            ErrorCode::file_not_found);
}

/// Every prefix and many damaged copies of a good file give an error that says something, or poses.
void expect_damage_is_survived(
    std::string_view good,
    const std::function<Result<std::vector<NamedPose>>(std::span<const std::byte>)>& parse) {
  const auto check = [&](const std::string& text) {
    const auto poses = parse(as_bytes(text));
    if (poses.ok())
      expect_sound(*poses);
    else
      EXPECT_FALSE(poses.error().message.empty());
    ASSERT_FALSE(::testing::Test::HasFailure()) << text;
  };
  for (std::size_t length = 0; length < good.size(); ++length)
    check(std::string(good.substr(0, length)));
  constexpr std::string_view kNasty[] = {"-1", "1e308", "1e-320", "null", "[", "}", "\"", ",", "*"};
  std::mt19937 random(7);
  for (int mutation = 0; mutation < 2000; ++mutation) {
    std::string text(good);
    for (unsigned edit = 0; edit < 1 + random() % 3; ++edit) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random() & 0xFF);
          break;
        case 1:
          text.erase(at, 1 + random() % 10);
          break;
        case 2:
          text.insert(at, kNasty[random() % std::size(kNasty)]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), 1 + random() % 30));
          break;
      }
    }
    check(text);
  }
}

TEST(Poses, DamagedFilesGiveAnErrorOrSoundPoses) {
  expect_damage_is_survived(kPoses,
                            [](std::span<const std::byte> file) -> Result<std::vector<NamedPose>> {
                              Notices notices;
                              SINEW_TRY(const Json json, parse_json(file));
                              return parse_poses(json, body(), notices);
                            });
}

TEST(Poses, DamagedBendsGiveAnErrorOrSoundPoses) { expect_damage_is_survived(kBends, parse_bends); }

TEST(BvhPoses, DamagedFilesGiveAnErrorOrSoundPoses) {
  expect_damage_is_survived(kWalk, [](std::span<const std::byte> file) {
    Notices notices;
    return parse_bvh_poses(file, body(), notices);
  });
}

TEST(BvhPoses, TheMakeHumanWalkMovesTheMakeHumanBody) {
  SINEW_REAL_MODEL(walk, "makehuman/walk1.bvh");
  SINEW_REAL_MODEL(file, "makehuman/mh_male_body.glb");
  const auto document = read_gltf(file);
  ASSERT_TRUE(document.ok()) << document.error().to_string();
  const auto characters = read_characters(*document);
  ASSERT_TRUE(characters.ok()) << characters.error().to_string();
  Notices notices;
  const auto poses = read_poses(walk, characters->front().character.skeleton, notices);
  ASSERT_TRUE(poses.ok()) << poses.error().to_string();
  EXPECT_EQ(poses->size(), 14u);
}

}  // namespace
}  // namespace sinew
