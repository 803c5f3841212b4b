// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/arap/weight_constraints.h"
#include "sinew/arap/weight_solver.h"
#include "sinew/model/weight_format.h"
#include "sinew/rig/rigid_parts.h"
#include "sinew/weights/sparsify.h"

namespace sinew {

struct BindOptions;
struct Character;
struct PreparedBind;  // what is found before weights are made: src/bind/prepared_bind.h

/// Something that was decided, and why: a short sentence, for people. What there was nothing to
/// decide about has no reason.
template <class Value>
struct Decided {
  Value value{};
  std::string reason;

  [[nodiscard]] const Value& operator*() const { return value; }
  [[nodiscard]] const Value* operator->() const { return &value; }
};

/// The way that weights are made: of BindMethod::araplbs one of the first three, and of methods
/// that optimise nothing, whose first weights are the result, the method itself.
enum class BindStrategy {
  soft,      // made anew: optimised while bones lead the vertices around their middle
  existing,  // the character's own, optimised within their reach, where that makes them better
  paper,     // made anew under the constraints of [araplbs] section 4.3
  heat,
  bbw,
  distance,
};
[[nodiscard]] std::string_view to_string(BindStrategy strategy);
[[nodiscard]] bool optimises(BindStrategy strategy);

/// What the solve is of.
struct MeshPlan {
  std::optional<std::size_t> simplified_to;  // vertices, about
  std::optional<int> interior_cells;         // about; without either, of the mesh itself
};

/// Where weights start.
struct StartPlan {
  enum class From {
    heat,
    interior,
    owners,  // the bones that artists would most likely give the skin to; heat is evidence for it
    distance,
    old
  };
  From from = From::heat;
  int cells = 0;               // of the interior, about, where it is cubes
  std::size_t tetrahedra = 0;  // that the mesh brings, where the interior is those
  /// Heat starts where bones will lead rather than where they are seen from. Of weights of the
  /// interior, bones that hold nothing there start with what they will lead.
  bool is_from_led_cells = false;
  std::optional<RigidParts> rigid_parts = {};  // which parts are put on one bone; nothing: none
};

/// Whether the sides are solved as one.
struct SidesPlan {
  bool are_one = false;
  std::optional<int> axis;   // 0 for x
  std::size_t vertices = 0;  // welded, that have an image
  bool is_missing = false;   // it was asked for, and nothing is symmetric
};

/// What weights are optimised for, beside the frames and poses that were given.
struct PosesPlan {
  int random = 0;
};

/// Which bones may influence which vertices before the cap.
struct MapsPlan {
  enum class From {
    sparsified,  // first weights without those that do not matter ([araplbs] section 3.2)
    as_they_are,
  };
  From from = From::sparsified;
  /// A map that ends at more weight than this widens by a ring (docs/decisions/obedience.md).
  /// Nothing: none does.
  std::optional<double> steep_edge;
  bool reaches_anchors = false;         // bones are given to the vertices that they are to lead
  std::vector<std::size_t> most_bones;  // of a vertex of each part of the mesh; empty: any number
  SparsifyOptions sparsify;
};

/// What keeps the mesh with its bones.
struct ConstraintPlan {
  ConstraintSet set = ConstraintSet::soft;
  double obedience = 0;  // soft
  /// Soft: bones are to lead as much as they do now and by this much of the rest more. Nothing:
  /// all the way.
  std::optional<double> margin;
};

/// How many influences a vertex may have: max_influences, then each of further_budgets.
struct CapsPlan {
  std::vector<int> delivered;
  std::vector<int> solved;  // the same with room for what rows of joints add
};

/// Which vertices turn together while weights are solved, and in which numbers.
struct RotationPlan {
  RotationMode mode = RotationMode::exact;
  double clusterings = 1;
  std::vector<int> clusters;  // of each part of the mesh, in each clustering
  RotationPrecision precision = RotationPrecision::floats;
};

struct StepsPlan {
  /// Before those that win lost bones back; nothing: to the end. The last one of 3.4 goes 0.4 of
  /// its way.
  std::optional<double> most;
  double reach = 1;          // of all but the last whole one of so many: StepOptions::reach
  double tolerance_rel = 0;  // WeightSolverOptions::tolerance_rel
  int max_iterations = 0;    // of all steps
};

/// How often bones that lost their vertices are held more firmly.
struct LostBonesPlan {
  int rounds = 0;
};

struct FinishPlan {
  double rounds = 0;  // FinishOptions::rounds
  int least_rounds = 0;
  std::optional<RotationMode> rotations;  // the solver's own where left out
  bool drops_strays = false;              // patches apart from the rest of their bone on a part
  double even_out_below = 0;              // FinishOptions::even_out_below
  bool is_filtered = false;               // by the Laplacian, once
};

/// What becomes of the weights that the character had.
struct OldWeightsPlan {
  enum class Use {
    replaced,
    kept,      // some stay
    blended,   // new ones are mixed with them
    improved,  // new ones are put beside them, and taken only as far as nothing gets worse
  };
  Use use = Use::replaced;
  double mix = 1;

  [[nodiscard]] bool are_read() const { return use != Use::replaced; }
  /// Whether other weights are made from them, rather than beside them.
  [[nodiscard]] bool are_mixed_in() const { return use == Use::blended || use == Use::improved; }
};

struct RoundingPlan {
  WeightFormat format = WeightFormat::f32;
  int random_poses = 0;  // that it is measured on, beside the given ones
};

/// All that is decided about a bind before weights are optimised. What follows reads it, and
/// decides nothing; limbs that are found to collapse want room under its caps (make_room_for_rows).
struct BindPlan {
  Decided<BindStrategy> strategy;
  Decided<MeshPlan> mesh;
  Decided<StartPlan> start;
  Decided<SidesPlan> sides;
  Decided<PosesPlan> poses;
  Decided<MapsPlan> maps;
  Decided<ConstraintPlan> constraints;
  Decided<CapsPlan> caps;
  Decided<RotationPlan> rotations;
  Decided<StepsPlan> steps;
  Decided<LostBonesPlan> lost_bones;
  Decided<FinishPlan> finish;
  Decided<OldWeightsPlan> old_weights;
  Decided<RoundingPlan> rounding;
  /// Of a solve to its own end, as joints are fitted by and pieces placed: `steps`, and `rotations`
  /// where these differ, are of the solve that makes weights.
  WeightSolverOptions solver;
};

/// What is decided from what was asked for alone.
[[nodiscard]] BindStrategy strategy_of(const BindOptions& options);
[[nodiscard]] Decided<OldWeightsPlan> plan_old_weights(const BindOptions& options);
/// Simplified where there are more vertices than options say, nothing is kept or edited vertex by
/// vertex, and all that there is to bind is triangles of rigid bones.
[[nodiscard]] Decided<MeshPlan> plan_mesh(const Character& character, const BindOptions& options);

/// The whole plan. Of what was prepared it wants to know how long the edges of each part are beside
/// its bones, whether sides have a mirror, and what stays, is edited or becomes a row of joints.
[[nodiscard]] BindPlan plan_bind(const Character& character, const BindOptions& options,
                                 const PreparedBind& prepared);

/// Leaves room under the caps for the rows of joints that bones become: once, where some were asked
/// for, or where limbs were found to collapse after the plan was made.
void make_room_for_rows(BindPlan& plan);

/// The solver for the steps that make weights.
[[nodiscard]] WeightSolverOptions solver_of_steps(const BindPlan& plan);

/// A decision in words: "poses", "40 random", "both sides are solved as one ...".
struct PlanRow {
  std::string_view decision;
  std::string value;
  std::string reason;
};
[[nodiscard]] std::vector<PlanRow> rows_of(const BindPlan& plan);

}  // namespace sinew
