// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sinew/bind/bind.h"
#include "sinew/jobs/job_input.h"
#include "sinew/spines/spines.h"
#include "sinew/spines/twist_bones.h"

namespace sinew {

/// Bones that bend and twist, by name, as match_bone_lists takes them; and what they become.
struct SpineOptions {
  std::vector<std::string> spines;
  std::vector<std::string> stretch_twist;
  enum class Twist {
    off,
    automatic,  // limbs whose skin collapses when they twist get helper joints
    named,      // those of twist_bones do
  };
  Twist twist = Twist::off;
  std::vector<std::string> twist_bones;
  std::optional<int> twist_joints;  // helpers of each; else as many as its twist takes
  /// Joints of each row; where it is said, bones that the file calls spines become rows too.
  std::optional<SpineJointCount> row_joints;
  /// Where on such a bone a vertex sits: "linear", "harmonic" or "painted:ATTRIBUTE"; empty: as the
  /// file says of its own, linear of others.
  std::string parameters;
};

/// Puts `parameters` into the bones that the file or its rig says are spines. Error:
/// "spine_parameters".
[[nodiscard]] JobStatus set_spine_parameters(const SpineOptions& spines, LoadedInput& input);

/// Puts what bends and twists into the options of each character. `meshes` are those that get new
/// weights. Errors, as "spine", "stretch_twist", "twist_bones", "twist_joints", "spine_bones" and
/// "spine_parameters": bones that are not there, cannot be spines, are asked for as two things, or
/// whose row would tear a mesh that keeps its weights.
[[nodiscard]] JobStatus plan_spines(const SpineOptions& spines, const LoadedInput& input,
                                    const std::set<int>& meshes, std::span<BindOptions> options);

/// A notice of what nothing in these options, as planned, goes by.
void tell_ignored_spine_options(const SpineOptions& spines, std::span<const BindOptions> options,
                                Notices& notices);

/// What was made of them, in one document.
struct MadeSpines {
  ConvertedSpines converted;
  std::vector<TwistLimb> limbs;  // that were looked at
  [[nodiscard]] bool any() const { return !converted.spines.empty(); }
};

/// Turns the spines of a bind into joints of the document. Without any, nothing changes.
[[nodiscard]] Result<MadeSpines> make_spine_joints(Document& document,
                                                   const LoadedCharacter& loaded,
                                                   const SkinWeights& weights, const Bound& bound,
                                                   int max_influences);

/// The bones that were turned into rows are rigid from here on.
[[nodiscard]] Skeleton without_spines(const Skeleton& skeleton, const MadeSpines& made);

/// What is known of the bones, for a file that was read again and may have more of them.
struct KnownBones {
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
};
[[nodiscard]] KnownBones known_bones(const Skeleton& reread, const Bound& bound);

/// NAME.drivers.json beside NAME.glb: where the helper joints of a document say, for later clips,
/// what they follow.
[[nodiscard]] std::filesystem::path drivers_path(std::filesystem::path document);

/// The rows and the limbs for a report. `before` is the skeleton that was bound.
[[nodiscard]] Json to_json(const MadeSpines& made, const Skeleton& before);

}  // namespace sinew
