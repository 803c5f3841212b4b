// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/arap/weight_solver.h"
#include "sinew/core/notice.h"
#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/edit/weight_edits.h"
#include "sinew/model/character.h"
#include "sinew/model/planned_edit.h"
#include "sinew/model/pose.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"
#include "sinew/rig/mirror.h"
#include "sinew/rig/rigid_parts.h"
#include "sinew/spines/spines.h"
#include "sinew/spines/twist_bones.h"
#include "sinew/weights/quantise.h"
#include "sinew/weights/sparsify.h"

namespace sinew {

enum class BindMethod {
  araplbs,   // optimised for how the mesh deforms, from heat
  heat,      // heat that flows from the bones over the surface
  distance,  // distance to the bones alone
};
[[nodiscard]] std::string_view to_string(BindMethod method);
[[nodiscard]] std::optional<BindMethod> bind_method_from(std::string_view name);

/// The poses that weights are optimised for.
struct BindExemplars {
  static constexpr int kUsual = 80;          // the paper's setting
  static constexpr int kUsualMirrored = 40;  // where both sides are solved as one, and each pose
                                             // counts for both of them: decision 21
  std::optional<int> count;                  // random ones; unless said, as many as usual
  std::uint64_t seed = 1;                    // never the poses that judges draw for the same seed
  enum class Limits {
    bones,  // each bone's own, or the paper's default
    clips,  // as far as bones turn in the character's clips, widened
    usual,  // to all sides about any axis, as far as the bone's own, at most the paper's default
  };
  Limits limits = Limits::bones;
  std::vector<int> clips;   // whose frames are added
  int clip_frames = 40;     // of all of them together
  std::vector<Pose> poses;  // added as they are
};

/// A mesh with very many vertices is solved by a simplified one, which its weights are then taken
/// from: its smallest triangles add nothing that bones could do. Never with old weights that stay,
/// edits, bones that bend, tetrahedra or wires, nor where both sides have to be the same.
struct CoarseToFine {
  std::size_t above = 250'000;    // stored vertices: a direct bind takes minutes from there on
  std::size_t vertices = 60'000;  // of the simplified mesh: fingers have hundreds yet
};

struct BindOptions {
  BindMethod method = BindMethod::araplbs;
  enum class Init {
    fresh,     // weights are made anew
    existing,  // the character's own are made better, or come back as they were
  };
  Init init = Init::fresh;
  std::vector<int> lock;         // bones whose weights stay, bit for bit
  std::vector<int> only;         // where there are some: the weights of all other bones stay
  std::vector<bool> may_change;  // per vertex of the character; without any all may
  double mix = 1;                // from the old weights, 0, to new ones, 1
  BindExemplars exemplars;
  SparsifyOptions sparsify;
  ConstraintSet constraints = ConstraintSet::soft;
  double obedience = 0.5;    // soft: from least distortion, 0, to bones that lead all the way, 1
  double smoothing = 0.024;  // soft: WeightSolverOptions::smoothing
  RigidParts rigid_parts = RigidParts::automatic;  // soft: parts that are bound to one bone
  MirrorChoice mirror = MirrorChoice::automatic;   // araplbs: weights that are the same on both
                                                   // sides; automatic: unless something is kept
  double steep_edge = 0.05;  // paper: a map that ends at more weight widens by a ring: decision 11
  WeightSolverOptions solver = {.rotation_precision = RotationPrecision::floats};  // decision 20
  // Soft and fresh, without edits, above 1500 vertices and with at most 8 influences, the limit
  // takes what more steps gain. Rotations are clustered then if more than 500 vertices bend, and
  // below 8000 vertices all poses turn by the same clusters.
  std::optional<int> steps_before_cap;  // at most, before those that win lost bones back; by itself
                                        // 2 below 8000 vertices and 3 above
  double tolerance_before_cap = 1e-2;   // instead of solver.tolerance_rel where that is less
  CoarseToFine coarse;                  // araplbs
  int max_influences = 4;               // what game engines read
  std::vector<int> further_budgets;     // more such limits, for Bound::further
  WeightFormat format = WeightFormat::f32;  // integers: rounded so that the energy moves least
  DeformingOptions deforming;
  enum class Links {
    automatic,  // parts that no bone sees, or that are small, move with what they sit on
    off,        // every part is bound by itself
  };
  Links links = Links::automatic;
  HierarchyChoice hierarchy = HierarchyChoice::effective;
  /// Bones that bend or twist along themselves, beside those that the skeleton says do: methods
  /// that optimise make weights for that. What they become in a file is convert_spines' work.
  std::vector<SpineRequest> spines;
  /// Where vertices sit on the skeleton's own spines (spines/gltf_spine_bones.h); on those that are
  /// not here, as Bone::parametrisation says.
  std::vector<SpineBone> own_spines;
  bool find_twist_bones = false;    // limbs that collapse when twisted are stretch-twist bones too
  std::optional<int> twist_joints;  // helpers of each of those; else as many as its twist takes
  /// What an artist wants otherwise ([araplbs] section 6), for methods that optimise. Wires that
  /// are planned for before the first step belong to the mesh: the first weights know them, and a
  /// part that they join to another is linked by them alone.
  std::vector<PlannedEdit> edits;
};

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
  RotationMode rotations = RotationMode::automatic;
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
  std::optional<SolveReport> solve;            // of methods that optimise
  std::optional<PolishReport> polish;          // of existing weights, under max_influences
  std::vector<BudgetReport> budgets;           // max_influences, then each of further_budgets
  std::vector<CoarseLevel> coarse;             // parts that were not bound themselves
  std::optional<std::size_t> coarse_vertices;  // of the simplified mesh that it was solved on, and
                                               // that the figures of `solve` and `budgets` are of
  std::vector<StageTime> times;                // in the order of the work
};

struct Bound {
  SkinWeights weights;               // one row per vertex of the character; every row has weights
  std::vector<SkinWeights> further;  // the same under each of further_budgets, finished by itself
  Skeleton skeleton;  // the character's own; `deforms` says of every bone what was decided
  std::vector<SpineRequest> spines;  // BindOptions::spines, and the limbs that were found
  std::vector<TwistLimb> limbs;      // with find_twist_bones: all that were looked at
  BindReport report;
  Notices notices;  // what a rigger would want to know of the report, in words
};

/// Weights for every vertex of a character, whatever its mesh is like. Old weights serve to tell
/// which bones deform, and are replaced, but for what the options keep of them. Fails only when
/// there is nothing to bind (no vertices, no bones), when the options are wrong, and when
/// cancelled.
[[nodiscard]] Result<Bound> bind(const Character& character, const BindOptions& options = {},
                                 const Progress& progress = {});

}  // namespace sinew
