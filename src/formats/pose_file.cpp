// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/pose_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/bvh.h"
#include "formats/text_reader.h"
#include "gltf/gltf_json.h"
#include "gltf/json_values.h"
#include "math/nearest_rotation.h"
#include "sinew/core/atomic_file.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/model/bone_names.h"

namespace sinew {
namespace {

constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{64} << 20;  // parsed, it takes ten times that
constexpr std::uint64_t kMaxBvhBytes = std::uint64_t{1} << 30;    // hours of motion capture
constexpr std::size_t kMaxPoses = 10'000;  // a pose of few letters holds numbers for every bone
constexpr double kFullTurnDeg = 360;
/// Of a quaternion's length: written with three digits it is still one; an axis with an angle is
/// not.
constexpr double kUnitTolerance = 0.01;
/// Mean angle between the bones of two rest poses: below it they are the same pose.
constexpr double kSameRestPoseDeg = 15;
constexpr std::size_t kNamesInNotice = 5;  // more would not fit a line or two

constexpr std::string_view kUnknownKeyCode = "unknown_pose_key";
constexpr std::array<std::string_view, 2> kFileKeys = {"sinew_poses", "poses"};
constexpr std::array<std::string_view, 2> kPoseKeys = {"name", "bones"};
constexpr std::array<std::string_view, 5> kBoneKeys = {"rotation", "axis", "angle_deg",
                                                       "translation", "bend"};
constexpr std::array<std::string_view, 3> kBendKeys = {"axis", "angle_deg", "stretch"};
constexpr double kLeastStretch = 1e-3, kMostStretch = 1e3;  // as limits of a rig allow

Error bad_value(const std::string& place, std::string message) {
  return {ErrorCode::bad_file, place, std::move(message)};
}

Result<Quat> parse_quaternion(const Json& json, const std::string& place) {
  if (!json.is_array() || json.size() != 4) return bad_value(place, "is not [x, y, z, w]");
  Eigen::Vector4d xyzw;
  for (std::size_t k = 0; k < 4; ++k) {
    SINEW_TRY(xyzw[static_cast<Eigen::Index>(k)],
              reading::json_number(json[k], fmt::format("{}[{}]", place, k)));
  }
  if (!(std::abs(xyzw.stableNorm() - 1) <= kUnitTolerance))
    return bad_value(place, fmt::format("has length {:.4g}; a rotation [x, y, z, w] has length 1",
                                        xyzw.stableNorm()));
  return Quat(xyzw).normalized();
}

Result<double> parse_angle_rad(const Json& json, const std::string& place) {
  SINEW_TRY(const double degrees, reading::json_number(json, place));
  if (std::abs(degrees) > kFullTurnDeg) return bad_value(place, "leaves -360 to 360 degrees");
  return degrees * std::numbers::pi / 180;
}

Result<Quat> parse_axis_angle(const Json* axis, const Json* angle_deg, const std::string& place) {
  if (axis == nullptr || angle_deg == nullptr)
    return bad_value(
        place, axis == nullptr ? "has an angle_deg and no axis" : "has an axis and no angle_deg");
  SINEW_TRY(const Vec3 direction, reading::json_direction(*axis, place + ".axis"));
  SINEW_TRY(const double angle_rad, parse_angle_rad(*angle_deg, place + ".angle_deg"));
  return Quat(Eigen::AngleAxisd(angle_rad, direction));
}

/// `bones` are those that it is meant for.
Result<SpineBend> parse_bend(const Json& json, const Skeleton& skeleton, std::span<const int> bones,
                             const std::string& place, Notices& notices) {
  if (!json.is_object()) return bad_value(place, "is not an object");
  reading::note_unknown_keys(json, kBendKeys, place, kUnknownKeyCode, notices);
  const Json *axis = member(json, "axis"), *angle_deg = member(json, "angle_deg");
  SpineBend bend;
  if (axis != nullptr) {
    SINEW_TRY(bend.axis, reading::json_direction(*axis, place + ".axis"));
    if (angle_deg == nullptr) return bad_value(place, "has an axis and no angle_deg");
  }
  if (angle_deg != nullptr) {
    SINEW_TRY(bend.angle_rad, parse_angle_rad(*angle_deg, place + ".angle_deg"));
  }
  if (const Json* stretch = member(json, "stretch")) {
    SINEW_TRY(bend.stretch, reading::json_number(*stretch, place + ".stretch"));
    if (bend.stretch < kLeastStretch || bend.stretch > kMostStretch)
      return bad_value(place + ".stretch", "leaves 0.001 to 1000 times the length at rest");
  }
  for (const int index : bones) {
    const Bone& bone = skeleton.bone(index);
    if (bone.kind == BoneKind::rigid)
      return bad_value(place, fmt::format("'{}' is a rigid bone and does not bend; a rig file can "
                                          "make it a spine",
                                          reading::shown(bone.name)));
    if (bone.kind == BoneKind::spine && angle_deg != nullptr && axis == nullptr)
      return bad_value(place, fmt::format("has an angle_deg and no axis, and '{}' is a spine",
                                          reading::shown(bone.name)));
  }
  return bend;
}

Result<BonePose> parse_bone(const Json& json, const Skeleton& skeleton, std::span<const int> bones,
                            const std::string& place, Notices& notices) {
  if (!json.is_object()) return bad_value(place, "is not an object");
  reading::note_unknown_keys(json, kBoneKeys, place, kUnknownKeyCode, notices);
  const Json *rotation = member(json, "rotation"), *axis = member(json, "axis");
  const Json* angle_deg = member(json, "angle_deg");
  BonePose bone;
  if (rotation != nullptr && (axis != nullptr || angle_deg != nullptr))
    return bad_value(place, "has both a rotation and an axis with an angle");
  if (rotation != nullptr) {
    SINEW_TRY(bone.rotation, parse_quaternion(*rotation, place + ".rotation"));
  } else if (axis != nullptr || angle_deg != nullptr) {
    SINEW_TRY(bone.rotation, parse_axis_angle(axis, angle_deg, place));
  }
  if (const Json* translation = member(json, "translation")) {
    SINEW_TRY(bone.translation, reading::json_vector(*translation, place + ".translation"));
    if (!(bone.translation.cwiseAbs().maxCoeff() <= reading::kLargestCoordinate))
      return bad_value(place + ".translation", "is farther than anything can be");
  }
  if (const Json* bend = member(json, "bend")) {
    SINEW_TRY(bone.bend, parse_bend(*bend, skeleton, bones, place + ".bend", notices));
  }
  return bone;
}

Result<NamedPose> parse_pose(const Json& json, const Skeleton& skeleton, const std::string& place,
                             Notices& notices) {
  if (!json.is_object()) return bad_value(place, "is not an object");
  reading::note_unknown_keys(json, kPoseKeys, place, kUnknownKeyCode, notices);
  NamedPose named{"", Pose::rest(skeleton)};
  if (const Json* name = member(json, "name")) {
    if (!name->is_string()) return bad_value(place + ".name", "is not a text");
    named.name = name->get<std::string>();
  }
  const Json* bones = member(json, "bones");
  if (bones == nullptr || !bones->is_object())
    return bad_value(place + ".bones", bones == nullptr ? "is missing" : "is not an object");
  for (const auto& [pattern, value] : bones->items()) {
    const std::string bone_place = fmt::format("{}.bones[\"{}\"]", place, reading::shown(pattern));
    Result<std::vector<int>> matched = match_bones(skeleton, std::array{std::string(pattern)});
    if (!matched.ok()) return bad_value(bone_place, matched.error().message);
    SINEW_TRY(const BonePose bone, parse_bone(value, skeleton, *matched, bone_place, notices));
    for (const int each : *matched) named.pose.bones[static_cast<std::size_t>(each)] = bone;
  }
  return named;
}

std::vector<int> bones_of_joint(const Skeleton& skeleton, std::string_view joint) {
  std::vector<int> bones = bones_matching(skeleton, joint);
  return bones.empty() ? bones_matching(skeleton, without_prefix(joint)) : bones;
}

/// The joint that moves each bone, -1 without one.
Result<std::vector<int>> match_joints(const Skeleton& joints, const Skeleton& skeleton,
                                      Notices& notices) {
  std::vector<int> joint_of(skeleton.bone_count(), -1);
  std::vector<std::string> unmatched;
  for (std::size_t j = 0; j < joints.bone_count(); ++j) {
    const std::string& name = joints.bones()[j].name;
    const std::vector<int> bones = bones_of_joint(skeleton, name);
    if (bones.empty()) unmatched.push_back(reading::shown(name));
    for (const int bone : bones)
      if (int& joint = joint_of[static_cast<std::size_t>(bone)]; joint < 0)
        joint = static_cast<int>(j);
  }
  const std::size_t count = unmatched.size();
  if (count == joints.bone_count())
    return Error{
        ErrorCode::bad_file, "HIERARCHY",
        fmt::format(
            "no joint has the name of a bone; the first joint is '{}'{}", unmatched.front(),
            skeleton.bone_count() == 0
                ? std::string(", and there are no bones")
                : fmt::format(", the first bone '{}'", reading::shown(skeleton.bone(0).name)))};
  if (count > 0) {
    unmatched.resize(std::min(count, kNamesInNotice));
    const bool is_most = 2 * count > joints.bone_count();
    notices.push_back({is_most ? Notice::Level::warning : Notice::Level::note, "unmatched_joints",
                       "",
                       fmt::format("{} of {} joints have no bone of their name and move nothing: "
                                   "{}{}",
                                   count, joints.bone_count(), fmt::join(unmatched, ", "),
                                   count > kNamesInNotice ? ", ..." : "")});
  }
  return joint_of;
}

/// Says so when bones point elsewhere in the motion's rest pose than in the bind pose.
void compare_rest_poses(const Skeleton& joints, const Skeleton& skeleton,
                        const std::vector<int>& joint_of, Notices& notices) {
  double sum_deg = 0, worst_deg = 0;
  int compared = 0, worst = -1;
  for (const int bone : skeleton.order()) {
    int above = skeleton.bone(bone).parent;
    while (above >= 0 && joint_of[static_cast<std::size_t>(above)] < 0)
      above = skeleton.bone(above).parent;
    const int joint = joint_of[static_cast<std::size_t>(bone)];
    if (joint < 0 || above < 0) continue;
    const Vec3 own = skeleton.bone(bone).head() - skeleton.bone(above).head();
    const Vec3 theirs =
        joints.bone(joint).head() - joints.bone(joint_of[static_cast<std::size_t>(above)]).head();
    if (own.isZero(0) || theirs.isZero(0)) continue;
    const double angle_deg =
        std::atan2(own.stableNormalized().cross(theirs.stableNormalized()).norm(),
                   own.stableNormalized().dot(theirs.stableNormalized())) *
        180 / std::numbers::pi;
    sum_deg += angle_deg;
    ++compared;
    if (angle_deg <= worst_deg) continue;
    worst_deg = angle_deg;
    worst = above;
  }
  if (compared == 0 || sum_deg / compared <= kSameRestPoseDeg) return;
  notices.push_back(
      {Notice::Level::warning, "bvh_rest_pose", "HIERARCHY",
       fmt::format("bones point {:.0f} degrees away from the bind pose on average, '{}' {:.0f}: "
                   "turns are taken from there",
                   sum_deg / compared, reading::shown(skeleton.bone(worst).name), worst_deg)});
}

/// Every frame, or as many as allowed, evenly and with both ends.
std::vector<std::size_t> spread_frames(std::size_t frames, std::size_t most) {
  std::vector<std::size_t> picked(std::min(frames, most));
  for (std::size_t k = 0; k < picked.size(); ++k)
    picked[k] = picked.size() < 2 ? 0 : k * (frames - 1) / (picked.size() - 1);
  return picked;
}

/// Turns of bones against their parents from turns of joints in space.
Pose pose_from_joints(const Skeleton& skeleton, const std::vector<int>& joint_of,
                      const std::vector<Affine3>& joint_transforms) {
  Pose pose = Pose::rest(skeleton);
  std::vector<Quat> turn_in_space(skeleton.bone_count(), Quat::Identity());
  for (const int bone : skeleton.order()) {
    const auto b = static_cast<std::size_t>(bone);
    const int parent = skeleton.bone(bone).parent;
    const Quat carried =
        parent < 0 ? Quat::Identity() : turn_in_space[static_cast<std::size_t>(parent)];
    turn_in_space[b] = carried;
    if (joint_of[b] < 0) continue;
    const Affine3& joint = joint_transforms[static_cast<std::size_t>(joint_of[b])];
    turn_in_space[b] = Quat(nearest_rotation(joint.linear()));
    pose.bones[b].rotation = (carried.conjugate() * turn_in_space[b]).normalized();
  }
  return pose;
}

}  // namespace

Result<std::vector<NamedPose>> parse_poses(const Json& json, const Skeleton& skeleton,
                                           Notices& notices) {
  const Json* version = member(json, "sinew_poses");
  if (version == nullptr)
    return Error{ErrorCode::bad_file, "sinew_poses", "is missing: this is not a file of poses"};
  if (*version != 1)
    return Error{
        ErrorCode::unsupported, "sinew_poses",
        fmt::format("is {}; this program reads version 1",
                    reading::shown(version->dump(-1, ' ', false, Json::error_handler_t::replace)))};
  reading::note_unknown_keys(json, kFileKeys, "", kUnknownKeyCode, notices);
  const Json* list = member(json, "poses");
  if (list == nullptr || !list->is_array() || list->empty())
    return bad_value("poses", list == nullptr     ? "is missing"
                              : !list->is_array() ? "is not a list"
                                                  : "is empty");
  if (list->size() > kMaxPoses)
    return Error{ErrorCode::too_large, "poses", fmt::format("has more than {} poses", kMaxPoses)};
  std::vector<NamedPose> poses;
  for (std::size_t p = 0; p < list->size(); ++p) {
    SINEW_TRY(NamedPose pose,
              parse_pose((*list)[p], skeleton, fmt::format("poses[{}]", p), notices));
    poses.push_back(std::move(pose));
  }
  return poses;
}

Result<std::vector<NamedPose>> parse_bvh_poses(std::span<const std::byte> file,
                                               const Skeleton& skeleton, Notices& notices,
                                               const PoseFileOptions& options) {
  if (options.max_frames < 1)
    return Error{ErrorCode::bad_argument, "max_frames", "at least one frame must be allowed"};
  SINEW_TRY(const Imported imported, parse_bvh(file));
  SINEW_TRY(const std::vector<LoadedCharacter> loaded, read_characters(imported.document));
  if (loaded.empty() || loaded[0].character.clips.empty() ||
      loaded[0].character.clips[0].channels.empty())
    return Error{ErrorCode::bad_file, "MOTION", "the file has no frames in which anything turns"};
  const Character& motion = loaded[0].character;
  const Clip& clip = motion.clips[0];
  SINEW_TRY(const std::vector<int> joint_of, match_joints(motion.skeleton, skeleton, notices));
  compare_rest_poses(motion.skeleton, skeleton, joint_of, notices);

  const std::vector<double>& times = clip.channels[0].times;  // the same for all channels of a BVH
  std::vector<NamedPose> poses;
  for (const std::size_t frame :
       spread_frames(times.size(), static_cast<std::size_t>(options.max_frames))) {
    const NodeTree posed = sample_clip(motion.nodes, clip, times[frame]);
    poses.push_back({fmt::format("frame {}", frame + 1),
                     pose_from_joints(skeleton, joint_of, motion.skinning_transforms(posed))});
  }
  return poses;
}

Result<std::vector<NamedPose>> read_poses(const std::filesystem::path& path,
                                          const Skeleton& skeleton, Notices& notices,
                                          const PoseFileOptions& options) {
  const std::string extension = path.extension().string();
  const bool is_bvh = reading::equals_ignoring_case(extension, ".bvh");
  if (!is_bvh && !reading::equals_ignoring_case(extension, ".json"))
    return Error{ErrorCode::unsupported, path.filename().string(),
                 fmt::format("poses are read from .json and .bvh, not from '{}'",
                             reading::shown(extension))};
  SINEW_TRY(const Bytes file, read_whole_file(path, is_bvh ? kMaxBvhBytes : kMaxJsonBytes));
  if (is_bvh) return parse_bvh_poses(file, skeleton, notices, options);
  SINEW_TRY(const Json json, parse_json(file));
  return parse_poses(json, skeleton, notices);
}

}  // namespace sinew
