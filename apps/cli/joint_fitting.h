// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "input.h"
#include "session.h"
#include "sinew/bind/fit_joints.h"
#include "sinew/gltf/move_joints.h"

namespace CLI {
class App;
}

namespace sinew::cli {

/// What the joints of one character may do: the flags, resolved.
struct JointPlan {
  FitJointsOptions options;
  std::vector<bool> named;          // per bone: held by --lock-joints
  std::vector<JointReliance> held;  // what holds others; with --force, what nothing can move
};

/// How joints are fitted where nothing is bound: --mirror and --exemplars.
struct JointSolving {
  std::string mirror = "auto";
  std::optional<int> exemplars;

  [[nodiscard]] bool has_any() const { return mirror != "auto" || exemplars.has_value(); }
  [[nodiscard]] BindOptions bind_options(std::uint64_t seed, HierarchyChoice hierarchy) const;
};
void add_joint_solving_options(CLI::App& app, JointSolving& solving);

/// Where joints should be, in the verbs that ask for it: the flags, and what they mean.
class JointFittingOptions {
 public:
  /// --lock-joints, --max-move and --force.
  void add_to(CLI::App& app);
  [[nodiscard]] bool has_any() const;  // a flag was given that means nothing unless joints move
  [[nodiscard]] MoveJointsOptions moving() const;

  /// One per character; `binds` says how their weights are made. Throws a usage Failure for joints
  /// that are not there.
  [[nodiscard]] std::vector<JointPlan> resolve(const Input& input,
                                               std::span<const BindOptions> binds) const;

 private:
  std::vector<std::string> lock_;
  double max_move_ = JointSolverOptions{}.max_displacement_rel;
  bool force_ = false;
};

/// A character's joints with the places that suit them; nothing is moved yet.
struct JointFit {
  Skeleton skeleton;  // as it was
  JointPlan plan;
  FittedJoints fitted;
  bool covers_all = false;  // its weights are of the whole character, not of some parts alone

  [[nodiscard]] std::size_t moved() const;
};

/// The parts of a character that its joints are fitted to: those of these meshes, without any all.
enum class Levels { finest, all };  // of detail
[[nodiscard]] std::vector<int> parts_to_fit(const Input& input, std::size_t character,
                                            Levels levels, std::span<const int> meshes = {});

/// Fits the joints to these parts. Throws a Failure.
[[nodiscard]] JointFit fit_joints_of(Session& session, const Input& input, std::size_t character,
                                     const JointPlan& plan, std::span<const int> parts);

/// Moves them in the input: in its document and in all of its characters. Throws a Failure.
void move_fitted_joints(Input& input, std::size_t character, const JointFit& fit,
                        const MoveJointsOptions& options);

enum class JointTense { moved, would_move };
/// Rows for a person: how much was won, each joint that moved, worst first, and what was held.
void print_joint_fit(Session& session, const JointFit& fit, JointTense tense = JointTense::moved);

/// The same for a program. docs/command-line.md lists the fields.
[[nodiscard]] Json to_json(const JointFit& fit);

}  // namespace sinew::cli
