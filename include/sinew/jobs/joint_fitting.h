// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bind/fit_joints.h"
#include "sinew/gltf/move_joints.h"
#include "sinew/jobs/job_input.h"

namespace sinew {

/// What joints may do.
struct JointFittingOptions {
  std::vector<std::string> lock;  // bones whose joints stay, as match_bone_lists takes them
  double max_move = JointSolverOptions{}.max_displacement_rel;  // of the shortest bone at a joint
  MoveJointsOptions::Relied relied = MoveJointsOptions::Relied::refuse;
};

/// The same for the joints of one character, with what else holds them.
struct JointPlan {
  FitJointsOptions options;
  std::vector<bool> named;          // per bone: held by JointFittingOptions::lock
  std::vector<JointReliance> held;  // what holds others; where these may move, what nothing can
};

/// One per character; `binds` says how their weights are made. Errors: "lock_joints", "bind_pose".
[[nodiscard]] JobResult<std::vector<JointPlan>> plan_joints(const JointFittingOptions& fitting,
                                                            const LoadedInput& input,
                                                            std::span<const BindOptions> binds);

/// A character's joints with the places that suit them; nothing is moved yet.
struct JointFit {
  Skeleton skeleton;  // as it was
  JointPlan plan;
  FittedJoints fitted;
  bool covers_all = false;  // its weights are of the whole character, not of some parts alone

  /// The bones whose joints moved, those that bought most first; of bones at one joint the first.
  [[nodiscard]] std::vector<std::size_t> moved() const;
  /// What moving this joint bought, as a part of the distortion before, in [0, 1].
  [[nodiscard]] double less_distortion(std::size_t bone) const;
};

/// The parts of a character that its joints are fitted to: those of these meshes, without any all.
enum class FitLevels { finest, all };  // of detail
[[nodiscard]] std::vector<int> parts_to_fit(const LoadedInput& input, std::size_t character,
                                            FitLevels levels, std::span<const int> meshes = {});

/// Fits the joints to these parts. `edits` is the file that edits of the plan came from.
[[nodiscard]] JobResult<JointFit> fit_joints_to_parts(const LoadedInput& input,
                                                      std::size_t character, const JointPlan& plan,
                                                      std::span<const int> parts,
                                                      const std::filesystem::path& edits = {},
                                                      const Progress& progress = {});

/// Moves them in the input: in its document and in all of its characters.
[[nodiscard]] JobStatus move_fitted_joints(LoadedInput& input, std::size_t character,
                                           const JointFit& fit, MoveJointsOptions::Relied relied);

/// Where a joint went, for a character that looks along +z, as glTF has it: "up and forward"; empty
/// where no word or two would do.
[[nodiscard]] std::string direction_words(const Vec3& displacement);

/// What holds a joint even where those that something relies on may move: it has nowhere to go.
[[nodiscard]] bool is_held_anyway(const JointReliance& reliance);

/// For a report; every joint, those that bought most first.
[[nodiscard]] Json to_json(const JointFit& fit);

/// What a bind, or a fit of joints, refused: what is about an option names it, what is about edits
/// names their file.
[[nodiscard]] JobError bind_error(const std::filesystem::path& input,
                                  const std::filesystem::path& edits, Error error);

}  // namespace sinew
