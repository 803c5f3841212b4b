// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/pose.h"

namespace sinew {

/// A pose as a file gives it.
struct NamedPose {
  std::string name;  // may be empty
  Pose pose;
};

struct PoseFileOptions {
  int max_frames = 80;  // of a motion: as many as BindExemplars has random ones at the most
};

/// Poses of a skeleton from a file: our own JSON (docs/pose-format.md), or the frames of a motion
/// in BVH. What the file is its extension says, .json or .bvh. A file without any pose is an error.
[[nodiscard]] Result<std::vector<NamedPose>> read_poses(const std::filesystem::path& path,
                                                        const Skeleton& skeleton, Notices& notices,
                                                        const PoseFileOptions& options = {});

/// {"sinew_poses": 1, "poses": [{"name": ..., "bones": {"Knee*": {"rotation": [x, y, z, w]}}}]}.
/// Keys of `bones` are patterns as in model/bone_names.h; where several match a bone, the last one
/// counts, and one that matches none is an error with the nearest name. Bones that are not named
/// stay as in the bind pose. Only spines may have a `bend`. A key that means nothing gives a notice
/// of code "unknown_pose_key".
[[nodiscard]] Result<std::vector<NamedPose>> parse_poses(const Json& json, const Skeleton& skeleton,
                                                         Notices& notices);

/// Frames of a motion, evenly spread if there are more than max_frames, named "frame 1" and so on.
///
/// Joints are matched with bones by name, case and prefixes ("mixamorig:") aside; of several joints
/// with a name the first counts. A bone gets the turn in space that its joint has against the rest
/// pose of the motion, whatever stands between them in either hierarchy; a bone without a joint
/// moves with its parent. The rest pose of the motion is taken for the bind pose: where bones
/// point elsewhere there, a notice of code "bvh_rest_pose" says how far. Positions are left out:
/// BVH has no unit, and a way through space bends nothing. Notice "unmatched_joints": those that no
/// bone has a name for. No match at all is an error; the place of errors in the text is "line N".
[[nodiscard]] Result<std::vector<NamedPose>> parse_bvh_poses(std::span<const std::byte> file,
                                                             const Skeleton& skeleton,
                                                             Notices& notices,
                                                             const PoseFileOptions& options = {});

}  // namespace sinew
