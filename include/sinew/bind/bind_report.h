// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/arap/weight_solver.h"
#include "sinew/bind/bind_plan.h"
#include "sinew/edit/weight_edits.h"
#include "sinew/model/planned_edit.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"
#include "sinew/weights/interior_weights.h"

namespace sinew {

/// A separate part of the mesh that was linked to others, instead of being bound by itself.
struct LinkedPart {
  std::string name;            // of the mesh it is in
  std::size_t vertices = 0;    // welded
  Vec3 centre = Vec3::Zero();  // model space
  std::string bone;            // that most of it moves with
  double gap_rel = 0;          // to what it sits on, of the character's diagonal
  bool far = false;            // too far off for the link to be more than a guess
};

/// A part that shows another one in less detail, and took its weights from it.
struct CoarseLevel {
  int part = -1;  // of the character
  int level = 0;  // 1 is the first below the finest
  bool changed =
      true;            // false: its old weights stay, by what options keep or as nothing was better
  std::string name;    // of its mesh
  std::string finest;  // the mesh whose weights it took
  double gap_rel = 0;  // the farthest of its vertices from that surface, of its diagonal
};

/// What rounding what is delivered to integers did to the distortion over the exemplars.
struct RoundingReport {
  double arap_before = 0;
  double arap_nearest = 0;  // had every vertex been rounded by itself
  double arap_after = 0;
};

/// The figure that kept new weights from taking the place of old ones.
struct PolishObstacle {
  std::string_view figure;  // by the name that reports give it: "arap", "follow", "islands" ...
  double blend = 0;         // how far from old weights to new ones that was
  double before = 0;
  double after = 0;
};

/// What came of making existing weights better.
struct PolishReport {
  double blend = 0;         // how far from the old weights to optimised ones; 0: they came back
  double arap_before = 0;   // on poses that nothing was optimised for; once cut to the limit
  double arap_after = 0;    // before rounding
  double arap_file = 0;     // of all the influences that the old weights had
  std::size_t cut = 0;      // vertices that had more than they may
  std::size_t skipped = 0;  // vertices that lost weights of bones that nothing is bound to
  std::optional<PolishObstacle> obstacle;  // of the least change that was tried, if none served
};

/// How it went for one limit of influences.
struct BudgetReport {
  int max_influences = 0;
  std::optional<double> arap_finished;  // on the exemplars, before rounding; of araplbs
  std::optional<RoundingReport> rounding;
  std::optional<PolishReport> polish;  // of existing weights
};

/// A planned edit as it was made.
struct MadeEdit {
  EditKind kind = EditKind::set_weights;
  std::vector<int> bones;
  std::size_t after_steps = 0;  // 0 for wires that the first weights know
  std::size_t vertices = 0;     // welded, of all of its bones; for wires, how many
};

/// A separate part of the mesh that moves with one bone and never bends.
struct RigidPart {
  std::string name;            // of the mesh it is in
  std::size_t vertices = 0;    // welded
  Vec3 centre = Vec3::Zero();  // model space
  std::string bone;
};

/// How the optimisation went.
struct SolveReport {
  std::size_t exemplars = 0;
  std::size_t unknowns = 0;
  std::size_t attached = 0;  // constraints that have bones lead vertices
  std::size_t fading = 0;    // constraints where influences end
  RotationMode rotations = RotationMode::exact;
  std::optional<int> mirror_axis;     // 0 for x; nothing where the sides were solved apart
  std::size_t mirrored_vertices = 0;  // welded, that have an image
  bool is_mirror_missing = false;     // one was asked for, and nothing is symmetric
  std::vector<StepEnergy> steps;
  std::vector<MadeEdit> edits;
  std::vector<EditMark>
      marks;                 // of the same edits, in the history of steps, and of constraints made
                             // firmer for lost bones: another energy is measured from there on
  double arap_start = 0;     // of the weights it started from, on the exemplars
  double arap_free = 0;      // before the finish; without edits by the rotations of the last step.
                             // The finish solves on from there, and can end lower
  double arap_finished = 0;  // of what is delivered, under the cap and the bounds
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

/// What a bind found and guessed on the way.
struct BindReport {
  BindPlan plan;
  std::vector<BoneRole> roles;  // per bone
  EffectiveHierarchy hierarchy;
  std::vector<int> guessed_tails;  // bones whose end the file does not say
  std::size_t welded_vertices = 0;
  std::size_t parts = 0;  // connected, with faces
  std::vector<LinkedPart> linked;
  std::vector<RigidPart> rigid;
  std::size_t parts_by_distance =
      0;  // that no bone sees and nothing is near: weights by distance alone
  std::size_t zero_area_triangles = 0;
  std::size_t duplicate_triangles = 0;
  std::size_t unreferenced_vertices = 0;
  std::size_t vertices_on_bones = 0;                     // welded
  std::vector<std::pair<int, int>> joints_at_one_place;  // deforming bones
  std::vector<int> bones_without_vertices;     // deforming, and no vertex has a weight on them
  std::optional<InteriorReport> interior;      // of weights that are solved there
  std::optional<SolveReport> solve;            // of methods that optimise
  std::optional<PolishReport> polish;          // of existing weights, under max_influences
  std::vector<BudgetReport> budgets;           // max_influences, then each of further_budgets
  std::vector<CoarseLevel> coarse;             // parts that were not bound themselves
  std::optional<std::size_t> coarse_vertices;  // of the simplified mesh that it was solved on, and
                                               // that the figures of `solve` and `budgets` are of
  std::vector<StageTime> times;                // in the order of the work
};

}  // namespace sinew
