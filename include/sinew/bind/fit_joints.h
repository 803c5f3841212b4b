// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/arap/joint_solver.h"
#include "sinew/bind/bind.h"
#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/model/joint_displacements.h"

namespace sinew {

struct FitJointsOptions {
  BindOptions bind;  // how weights are made; random poses that joints are fitted to have other
                     // limits:
  /// A finger that bends one way only distorts least about a point near its skin, and nobody wants
  /// its joint there. So joints turn to all sides here, alike, each as far as it ever does.
  BindExemplars::Limits limits = BindExemplars::Limits::usual;
  /// How many random poses joints are fitted to, in multiples of bind.exemplars.count, drawn evenly
  /// (ExemplarOptions::Draw::balanced). Weights average over what surrounds a vertex; a joint is
  /// one point, and with fewer poses it goes where these happen to bend most.
  int poses_per_exemplar = 3;
  JointSolverOptions joints;  // locks, materials and limits; rotations as the plan of bind says, in
                              // finer groups
  int alternations = 6;       // at most, of weights and joints
  int rebuilds = 1;  // how often all is made anew, from first weights on, where joints are by then
  double tolerance_rel = 0.02;  // of a bone's length: an alternation that moves no joint farther is
                                // the last
};

/// What became of the joint at a bone's head. Bones that start at one place say the same.
struct FittedJoint {
  double moved_rel = 0;  // how far it moved, of the length of its bone
  /// What of all that moving joints has bought would be lost were this one alone put back, the
  /// weights as they are. Joints help each other: the shares need not sum to one.
  double gained = 0;
};

/// What fitted joints do in poses that neither joints nor weights were made for, drawn as bind
/// draws them: distortion with weights made for the joints as given, and as they are now.
struct FitOnOtherPoses {
  double arap_before = 0;
  double arap_after = 0;
};

/// One alternation. Distortion is on the poses that joints are fitted to.
struct FitRound {
  double arap_weights = 0;  // after the weights were optimised
  double arap_joints = 0;   // after the joints were
  double moved_rel = 0;     // how far, at most, a joint is from where it was given, of its bone
  double step_rel = 0;      // the same from where it was before
};

struct FittedJoints {
  std::vector<Vec3> displacements;  // per bone, model space; all zero where nothing helped
  Skeleton skeleton;                // the character's own with its joints moved
  std::vector<FittedJoint> joints;  // per bone
  Bound bound;                      // weights for the moved skeleton, on poses as bind draws them
  /// What of the way that was found the joints went: all of it, half or a quarter, the most that
  /// serves other poses too, and 0 where nothing does.
  double part = 1;
  std::optional<FitOnOtherPoses> others;  // none where no joint would have moved anyway
  double arap_before = 0;                 // as in FitRound: of weights for the joints as given
  double arap_after = 0;                  // of weights and joints together
  std::vector<FitRound> history;
};

/// Moves joints to where the mesh distorts least when they turn, by turns with weights that suit
/// them, until neither helps ([araplbs] sections 3 and 4.4). Poses keep their rotations.
/// Joints go only as far as poses that they were not fitted to gain from it as well: there the mesh
/// must distort less, and bones lead it and parts hold together as well as before. The
/// character's own hierarchy decides nothing: bones that hang on others in the effective hierarchy
/// stay connected there. Controls stay where they are, but for those that start at the joint of a
/// bone that deforms. Bones that bend do so while joints move. Fails as bind does, for a method
/// that does not optimise, and when `joints` is not of the character's bones.
[[nodiscard]] Result<FittedJoints> fit_joints(const Character& character,
                                              const FitJointsOptions& options = {},
                                              const Progress& progress = {});

}  // namespace sinew
