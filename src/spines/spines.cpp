// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/spines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "model/spine_rows.h"
#include "sinew/deform/spine_blend.h"
#include "sinew/model/pose.h"
#include "sinew/poses/sampled_pose.h"
#include "sinew/spines/gltf_spine_bones.h"
#include "sinew/weights/cap_influences.h"
#include "spines/spine_notices.h"

namespace sinew {
namespace {

constexpr int kMostShownInfluences = 16;  // four per vertex, each on a spine, is twice that many

constexpr double kRadPerDeg = 0.017453292519943295;
constexpr std::string_view kAutoPrefix = "auto:";

Error out_of_range(double joints) {
  return {ErrorCode::bad_argument, "joints",
          fmt::format("{:g} is not from {} to {}", joints, kFewestSpineJoints, kMostSpineJoints)};
}

/// The motion of a request's spine in a pose: helpers that follow twist never stretch.
PosedBones as_followed(PosedBones pose, std::span<const SpineRequest> requests) {
  for (const SpineRequest& request : requests)
    if (request.follows == SpineToWrite::Follows::twist)
      pose.spines[static_cast<std::size_t>(request.bone)].stretch = 1;
  return pose;
}

/// How far from one end to the other a row is judged, degrees: as far as the bone may bend, and
/// helpers as far as what hangs on their limb may twist.
Range judged_angle_deg(const Skeleton& skeleton, const SpineRequest& request) {
  if (request.follows == SpineToWrite::Follows::spine)
    return skeleton.bone(request.bone).limits.bend_deg;
  const Result<SpineSegment> segment = spine_segment(skeleton, request.bone);
  const int twists = segment.ok() && segment->child >= 0 ? segment->child : request.bone;
  const Range stated = skeleton.bone(twists).limits.twist_deg;
  return stated == BoneLimits{}.twist_deg ? Range{-kJudgedTwistDeg, kJudgedTwistDeg} : stated;
}

/// A spine at the ends of its limits, as few poses as show how a row of joints fails.
void add_bends(const Skeleton& skeleton, const SpineRequest& request,
               std::vector<PosedBones>& poses) {
  const Bone& bone = skeleton.bone(request.bone);
  const bool twists = request.kind == BoneKind::stretch_twist;
  const Range angle = judged_angle_deg(skeleton, request);
  std::vector<double> stretches{bone.limits.stretch.min};
  if (bone.limits.stretch.max != bone.limits.stretch.min)
    stretches.push_back(bone.limits.stretch.max);
  for (int axis = 0; axis < (twists ? 1 : 3); ++axis)
    for (const double deg : {angle.min, angle.max})
      for (const double stretch : stretches) {
        Pose pose = Pose::rest(skeleton);
        for (BonePose& each : pose.bones) each.bend = SpineBend{};
        pose.bones[static_cast<std::size_t>(request.bone)].bend =
            SpineBend{Vec3::Unit(axis), deg * kRadPerDeg, stretch};
        poses.push_back(pose_bones(skeleton, pose));
      }
}

/// Frames of the clips as a skeleton with spines plays them.
std::vector<PosedBones> driven_frames(const Character& character, const Skeleton& skeleton,
                                      int clip_frames) {
  Character bending;  // a mesh is no part of what is posed
  bending.skeleton = skeleton;
  bending.nodes = character.nodes;
  bending.clips = character.clips;
  std::vector<SampledPose> frames = clip_poses(bending, clip_frames);
  bend_spines(bending, frames);
  std::vector<PosedBones> driven;
  for (SampledPose& frame : frames)
    driven.push_back({std::move(frame.transforms), std::move(frame.spines)});
  return driven;
}

/// The pose for a skeleton with the rows of joints after the old bones.
std::vector<Affine3> with_joints(const PosedBones& pose, std::span<const SpineBone> bones,
                                 std::span<const SpineReport> reports) {
  std::vector<Affine3> transforms = pose.transforms;
  for (std::size_t s = 0; s < bones.size(); ++s)
    for (const double middle : spine_joint_parameters(reports[s].joints))
      transforms.push_back(
          spine_joint_transform(bones[s].rest, pose.spines[static_cast<std::size_t>(bones[s].bone)],
                                middle, reports[s].stretch));
  return transforms;
}

double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, (a[v] - b[v]).norm());
  return largest;
}

/// Measures whole conversions.
class Measure {
 public:
  Measure(std::span<const Vec3> positions, std::span<const PosedBones> poses,
          std::span<const SpineBone> bones, std::span<const SpineReport> reports, double size,
          const SkinWeights& exact)
      : positions_(positions), size_(size) {
    for (const PosedBones& pose : poses) {
      exact_.push_back(deform_with_spines(positions, exact, pose, bones));
      poses_.push_back({with_joints(pose, bones, reports), {}});
    }
  }

  [[nodiscard]] double deviation(const SkinWeights& weights) const {
    double largest = 0;
    for (std::size_t p = 0; p < poses_.size(); ++p)
      largest = std::max(
          largest,
          largest_distance(exact_[p], deform_with_spines(positions_, weights, poses_[p], {})));
    return largest / size_;
  }

 private:
  std::span<const Vec3> positions_;
  double size_;
  std::vector<std::vector<Vec3>> exact_;
  std::vector<PosedBones> poses_;
};

double size_of(const Mesh& mesh) {
  const double diagonal = bounding_box(mesh.positions()).diagonal().norm();
  return diagonal > 0 ? diagonal : 1;
}

/// How many joints, and how they stretch.
SpineReport plan(const SpineRequest& request, const SpineBone& bone, const Mesh& mesh,
                 const SkinWeights& weights, std::span<const PosedBones> poses, double size) {
  SpineReport report;
  report.bone = request.bone;
  report.kind = request.kind;
  const auto deviation = [&](int joints, StretchBy way) {
    return spine_deviation(mesh.positions(), weights, bone, poses, joints, way, size);
  };
  const bool may_scale =
      request.kind == BoneKind::stretch_twist && request.follows == SpineToWrite::Follows::spine;
  const auto take = [&](int joints) {
    report.joints = joints;
    report.stretch = StretchBy::translations;
    report.deviation_rel = deviation(joints, StretchBy::translations);
    if (!may_scale) return;
    report.other_deviation_rel = deviation(joints, StretchBy::scale_keys);
    if (!(*report.other_deviation_rel < report.deviation_rel)) return;
    report.stretch = StretchBy::scale_keys;
    std::swap(*report.other_deviation_rel, report.deviation_rel);
  };
  if (!request.tolerance_rel) {
    take(request.joints);
    return report;
  }
  for (int joints = kFewestSpineJoints; joints <= kMostSpineJoints; ++joints) {
    take(joints);
    if (report.deviation_rel <= *request.tolerance_rel) return report;
  }
  report.within_tolerance = false;
  return report;
}

Result<std::vector<SpineToWrite>> rows_of(const Skeleton& skeleton,
                                          std::span<const SpineRequest> requests,
                                          std::span<const SpineReport> reports) {
  std::vector<SpineToWrite> rows;
  for (std::size_t s = 0; s < requests.size(); ++s) {
    SINEW_TRY(const SpineSegment segment, spine_segment(skeleton, requests[s].bone));
    rows.push_back({requests[s].bone, requests[s].kind, segment, reports[s].joints,
                    reports[s].stretch, requests[s].follows});
  }
  return rows;
}

void take_joints(SpineJoints joints, ConvertedSpines& converted) {
  converted.loaded = std::move(joints.loaded);
  converted.drivers = std::move(joints.drivers);
  for (Notice& notice : joints.notices) converted.notices.push_back(std::move(notice));
  for (std::size_t s = 0; s < joints.spines.size(); ++s)
    converted.spines[s].written = joints.spines[s];
}

SkinWeights weights_on_rows(const SkinWeights& weights, std::span<const SpineBone> bones,
                            const ConvertedSpines& converted) {
  std::vector<SplitSpine> splits;
  for (std::size_t s = 0; s < bones.size(); ++s) {
    const WrittenSpine& written = converted.spines[s].written;
    splits.push_back({&bones[s], written.first_joint, written.joints});
  }
  return split_spine_weights(weights, converted.loaded.character.skeleton.bone_count(), splits);
}

/// Leaves each vertex as many influences as there is room for, the way that deviates less.
void cap(const Measure& measure, int max_influences, ConvertedSpines& converted) {
  CapReport& report = converted.cap;
  report.vertices = count_above_cap(converted.weights, max_influences);
  if (report.vertices == 0) {
    report.deviation_rel = measure.deviation(converted.weights);
    return;
  }
  SkinWeights lowered = cap_influences(converted.weights, max_influences);
  SkinWeights dropped = drop_weakest(converted.weights, max_influences);
  const double by_lowering = measure.deviation(lowered);
  const double by_dropping = measure.deviation(dropped);
  const bool lowers = by_lowering < by_dropping;
  report.way = lowers ? CapReport::Way::lowered : CapReport::Way::dropped;
  report.deviation_rel = std::min(by_lowering, by_dropping);
  report.other_deviation_rel = std::max(by_lowering, by_dropping);
  converted.weights = lowers ? std::move(lowered) : std::move(dropped);
}

/// The requests that a character's own spines stand for. Those without a length move rigidly
/// wherever they are posed, and do so here.
std::vector<SpineRequest> requests_of_own(LoadedCharacter& loaded, Notices& notices) {
  const Skeleton skeleton = loaded.character.skeleton;
  const std::vector<std::optional<SpineSegment>> segments = spine_segments(skeleton);
  std::vector<SpineRequest> requests;
  loaded.character.skeleton = skeleton.with([&](std::vector<Bone>& bones) {
    for (std::size_t j = 0; j < bones.size(); ++j) {
      if (bones[j].kind == BoneKind::rigid) continue;
      if (!segments[j]) {
        notices.push_back({Notice::Level::warning, "spine_without_length",
                           fmt::format("bones[{}]", j),
                           spine_segment(skeleton, static_cast<int>(j)).error().message +
                               "; until then it moves rigidly"});
        bones[j].kind = BoneKind::rigid;
        continue;
      }
      SpineRequest own;
      own.bone = static_cast<int>(j);
      own.kind = bones[j].kind;
      own.joints = kMostSpineJoints;
      requests.push_back(own);
    }
  });
  return requests;
}

}  // namespace

Result<SpineJointCount> parse_spine_joint_count(std::string_view text) {
  const bool is_auto = text.starts_with(kAutoPrefix);
  const std::string_view number = is_auto ? text.substr(kAutoPrefix.size()) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(value))
    return Error{ErrorCode::bad_argument, "",
                 fmt::format("'{}' is neither a number of joints nor auto:TOLERANCE", text)};
  SpineJointCount count;
  if (is_auto) {
    if (!(value > 0 && value < 1))
      return Error{
          ErrorCode::bad_argument, "",
          fmt::format("{} is no tolerance: a part of the character's size, 0.01 say", number)};
    count.tolerance_rel = value;
    return count;
  }
  if (value != std::floor(value) || value < kFewestSpineJoints || value > kMostSpineJoints)
    return Error{ErrorCode::bad_argument, "", out_of_range(value).message};
  count.joints = static_cast<int>(value);
  return count;
}

Result<Skeleton> with_spines(const Skeleton& skeleton, std::span<const SpineRequest> requests) {
  std::vector<Bone> bones = skeleton.bones();
  std::vector<const SpineRequest*> asked(bones.size(), nullptr);
  for (const SpineRequest& request : requests) {
    if (request.bone < 0 || request.bone >= static_cast<int>(bones.size()))
      return Error{ErrorCode::bad_argument, fmt::format("bones[{}]", request.bone),
                   fmt::format("there are {} bones", bones.size())};
    const auto index = static_cast<std::size_t>(request.bone);
    const std::string place = fmt::format("bones[{}]", request.bone);
    if (request.kind == BoneKind::rigid)
      return Error{ErrorCode::bad_argument, place, "a rigid bone needs no row of joints"};
    if (asked[index] != nullptr)
      return Error{ErrorCode::bad_argument, place,
                   asked[index]->kind == request.kind
                       ? fmt::format("'{}' is asked for twice", bones[index].name)
                       : fmt::format("'{}' is asked for as spine and as stretch-twist bone; it "
                                     "can be one of them",
                                     bones[index].name)};
    asked[index] = &request;
    const auto is_row = [&](const Bone& each) {
      return each.part_of && each.parent == request.bone;
    };
    if (std::ranges::any_of(bones, is_row))
      return Error{ErrorCode::bad_argument, place,
                   fmt::format("'{}' has its row of joints already", bones[index].name)};
    if (!request.tolerance_rel &&
        (request.joints < kFewestSpineJoints || request.joints > kMostSpineJoints))
      return out_of_range(request.joints);
    bones[index].kind = request.kind;
  }
  SINEW_TRY(const Skeleton with_kinds, Skeleton::create(std::move(bones)));
  SINEW_TRY(Skeleton with_tails, with_spine_tails(with_kinds));
  for (const SpineRequest& request : requests) {
    if (request.follows != SpineToWrite::Follows::twist) continue;
    SINEW_TRY(const SpineSegment segment, spine_segment(with_tails, request.bone));
    if (segment.child < 0)
      return Error{ErrorCode::bad_argument, fmt::format("bones[{}]", request.bone),
                   fmt::format("no bone hangs on '{}' that could twist it, and helper joints would "
                               "never turn; name the bone above what twists",
                               with_tails.bone(request.bone).name)};
  }
  return with_tails;
}

Result<std::vector<SpineBone>> spine_bones_of(const Mesh& mesh, const Skeleton& skeleton,
                                              std::span<const SpineRequest> requests) {
  std::vector<SpineBone> bones;
  for (const SpineRequest& request : requests) {
    SINEW_TRY(const SpineSegment segment, spine_segment(skeleton, request.bone));
    SpineBone bone;
    bone.bone = request.bone;
    bone.rest = segment.rest;
    SINEW_TRY(bone.parameters, spine_parameters(segment.rest, mesh, request.parametrisation));
    if (!request.painted.empty()) SINEW_CHECK(paint_parameters(request.painted, bone.parameters));
    bones.push_back(std::move(bone));
  }
  return bones;
}

std::vector<PosedBones> spine_poses(const Character& character, const Skeleton& skeleton,
                                    std::span<const SpineRequest> requests, int clip_frames) {
  std::vector<PosedBones> poses;
  for (const SpineRequest& request : requests) add_bends(skeleton, request, poses);
  if (clip_frames > 0)
    for (PosedBones& frame : driven_frames(character, skeleton, clip_frames))
      poses.push_back(std::move(frame));
  for (PosedBones& pose : poses) pose = as_followed(std::move(pose), requests);
  return poses;
}

double spine_deviation(std::span<const Vec3> positions, const SkinWeights& weights,
                       const SpineBone& spine, std::span<const PosedBones> poses, int joints,
                       StretchBy way, double size) {
  struct Carried {
    std::size_t vertex;
    double weight;
  };
  std::vector<Carried> carried;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    for (const Influence& influence : weights.row(v))
      if (influence.bone == static_cast<std::uint32_t>(spine.bone))
        carried.push_back({v, influence.weight});
  double largest = 0;
  std::vector<Affine3> row;
  for (const PosedBones& pose : poses) {
    const SpineMotion& motion = pose.spines[static_cast<std::size_t>(spine.bone)];
    row.clear();
    for (const double middle : spine_joint_parameters(joints))
      row.push_back(spine_joint_transform(spine.rest, motion, middle, way));
    for (const auto& [vertex, weight] : carried) {
      const double u = spine.parameters[vertex];
      Vec3 converted = Vec3::Zero();
      for (const JointShare& share : spine_joint_shares(joints, u))
        converted += share.share * (row[static_cast<std::size_t>(share.joint)] * positions[vertex]);
      const Vec3 exact = spine_transform(spine.rest, motion, u) * positions[vertex];
      largest = std::max(largest, weight * (converted - exact).norm());
    }
  }
  return largest / size;
}

Result<ConvertedSpines> convert_spines(Document& document, const LoadedCharacter& loaded,
                                       const SkinWeights& weights,
                                       std::span<const SpineRequest> requests,
                                       std::span<const SpineBone> bones,
                                       std::span<const PosedBones> poses, int max_influences) {
  const Character& character = loaded.character;
  SINEW_TRY(const Skeleton skeleton, with_spines(character.skeleton, requests));
  if (bones.size() != requests.size())
    return Error{ErrorCode::bad_argument, "bones", "needs one entry per request"};
  const double size = size_of(character.mesh);
  ConvertedSpines converted;
  for (std::size_t s = 0; s < requests.size(); ++s)
    converted.spines.push_back(plan(requests[s], bones[s], character.mesh, weights, poses, size));
  SINEW_TRY(const std::vector<SpineToWrite> rows, rows_of(skeleton, requests, converted.spines));
  for (const SpineReport& report : converted.spines) {
    note_tolerance(skeleton, report, converted.notices);
    note_carried_bases(skeleton, report.bone, poses, size, converted.notices);
  }
  SINEW_TRY(SpineJoints joints, add_spine_joints(document, loaded, rows));
  take_joints(std::move(joints), converted);
  converted.weights = weights_on_rows(weights, bones, converted);
  const Measure measure(character.mesh.positions(), poses, bones, converted.spines, size, weights);
  cap(measure, max_influences, converted);
  return converted;
}

Result<SpinesShown> show_own_spines(Document& document, const LoadedCharacter& loaded) {
  SpinesShown shown;
  shown.loaded = loaded;
  LoadedCharacter bending = loaded;
  const std::vector<SpineRequest> requests = requests_of_own(bending, shown.notices);
  const Skeleton& skeleton = bending.character.skeleton;
  shown.shown_for.resize(skeleton.bone_count());
  std::iota(shown.shown_for.begin(), shown.shown_for.end(), 0);
  if (requests.empty()) return shown;
  shown.spines = requests.size();
  SINEW_TRY(const Skeleton with_tails, with_spines(skeleton, requests));
  SINEW_TRY(const std::vector<SpineBone> bones, own_spine_bones(document, bending));
  SINEW_TRY(
      const ConvertedSpines converted,
      convert_spines(document, bending, bending.character.weights, requests, bones,
                     spine_poses(bending.character, with_tails, requests), kMostShownInfluences));
  for (const SpineReport& spine : converted.spines)
    shown.deviation_rel = std::max(shown.deviation_rel, spine.deviation_rel);
  WriteWeightsOptions writing;
  writing.max_influences = kMostShownInfluences;
  SINEW_CHECK(write_weights(document, converted.loaded, converted.weights, writing));
  SINEW_TRY(std::vector<LoadedCharacter> read, read_characters(document));
  SINEW_TRY(const std::size_t at, find_written(read, converted.loaded, writing));
  shown.loaded = std::move(read[at]);
  // Rows that were in the file before are its own, and are seen as what they are.
  const Skeleton& with_rows = shown.loaded.character.skeleton;
  shown.shown_for = bones_stood_for(with_rows);
  std::set<int> spine_nodes;
  for (const SpineRequest& own : requests) spine_nodes.insert(skeleton.bone(own.bone).source_node);
  for (std::size_t j = 0; j < shown.shown_for.size(); ++j)
    if (!spine_nodes.contains(with_rows.bone(shown.shown_for[j]).source_node))
      shown.shown_for[j] = static_cast<int>(j);
  return shown;
}

std::vector<std::string> in_words(const ConvertedSpines& converted) {
  std::vector<std::string> lines;
  for (const SpineReport& spine : converted.spines) {
    const Bone& bone = converted.loaded.character.skeleton.bone(spine.bone);
    std::string line = fmt::format(
        "{}: {} joints for a {} bone, at most {:.2g}% of the diagonal from it", bone.name,
        spine.joints, spine.kind == BoneKind::spine ? "spine" : "stretch-twist",
        100 * spine.deviation_rel);
    if (spine.other_deviation_rel)
      line += fmt::format("; stretched by {} ({:.2g}% otherwise)", to_string(spine.stretch),
                          100 * *spine.other_deviation_rel);
    if (spine.written.clips > 0)
      line += fmt::format("; baked into {} clip{}, {} keys", spine.written.clips,
                          spine.written.clips == 1 ? "" : "s", spine.written.keys);
    lines.push_back(std::move(line));
  }
  const CapReport& cap = converted.cap;
  if (cap.way != CapReport::Way::none)
    lines.push_back(fmt::format(
        "{} vertices had an influence too many; {}: {:.2g}% of the diagonal in all ({:.2g}% the "
        "other way)",
        cap.vertices,
        cap.way == CapReport::Way::lowered ? "all their weights were lowered alike"
                                           : "their weakest were dropped",
        100 * cap.deviation_rel, 100 * cap.other_deviation_rel));
  return lines;
}

}  // namespace sinew
