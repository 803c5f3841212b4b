// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sinew/arap/weight_solver.h"
#include "sinew/model/planned_edit.h"
#include "sinew/model/pose.h"
#include "sinew/model/skin_weights.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"
#include "sinew/rig/mirror.h"
#include "sinew/rig/rigid_parts.h"
#include "sinew/spines/spines.h"
#include "sinew/weights/interior_weights.h"
#include "sinew/weights/quantise.h"
#include "sinew/weights/sparsify.h"

namespace sinew {

enum class BindMethod {
  araplbs,   // optimised for how the mesh deforms, from heat or bounded biharmonic weights
  heat,      // heat that flows from the bones over the surface
  bbw,       // bounded biharmonic weights of the interior
  distance,  // distance to the bones alone
};
inline constexpr std::array kBindMethods{BindMethod::araplbs, BindMethod::heat, BindMethod::bbw,
                                         BindMethod::distance};
[[nodiscard]] std::string_view to_string(BindMethod method);
[[nodiscard]] std::optional<BindMethod> bind_method_from(std::string_view name);

/// What weights are made from.
enum class BindInit {
  fresh,     // nothing that is there; where araplbs starts is up to the plan
  existing,  // the character's own are made better, or come back as they were
  heat,      // as fresh, and araplbs starts with weights that spread over the surface
  bbw,       // as fresh, and araplbs starts with bounded biharmonic weights of the interior
  owners,    // as fresh, and araplbs starts with the bones that artists would most likely give the
             // skin to (weights/skin_owners.h), which lead it where that is likely
};
inline constexpr std::array kBindInits{BindInit::fresh, BindInit::existing, BindInit::heat,
                                       BindInit::bbw, BindInit::owners};
[[nodiscard]] std::string_view to_string(BindInit init);
[[nodiscard]] std::optional<BindInit> bind_init_from(std::string_view name);

/// The poses that weights are optimised for.
struct BindExemplars {
  static constexpr int kUsual = 80;  // the paper's setting
  /// Where both sides are solved as one and edges are short beside bones: each pose counts for
  /// both sides.
  static constexpr int kUsualMirrored = 40;
  std::optional<int> count;  // random ones; unless said, as many as usual
  std::uint64_t seed = 1;    // never the poses that judges draw for the same seed
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

/// What araplbs keeps rigid.
enum class BindDomain {
  automatic,  // as the plan says
  surface,    // the triangles
  volume,     // the interior: cubes that fill the mesh
};
inline constexpr std::array kBindDomains{BindDomain::automatic, BindDomain::surface,
                                         BindDomain::volume};
[[nodiscard]] std::string_view to_string(BindDomain domain);
[[nodiscard]] std::optional<BindDomain> bind_domain_from(std::string_view name);

struct BindOptions {
  BindMethod method = BindMethod::araplbs;
  /// araplbs, made anew under soft constraints: where parts share an interior they move together by
  /// themselves, and the cost does not depend on the triangles. Never with old weights that stay,
  /// edits, bones that bend, or sides that have to be the same.
  BindDomain domain = BindDomain::automatic;
  BindInit init = BindInit::fresh;
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
  double steep_edge = 0.05;  // paper: a map that ends at more weight widens by a ring
  /// Floats are precise enough for rotations: docs/decisions/solver.md. What turns together,
  /// positivity and smoothing are as the plan says, and not as these do.
  WeightSolverOptions solver = {.rotation_precision = RotationPrecision::floats};
  std::optional<RotationMode> rotations;  // in place of the solver's; unless said, by how fine
                                          // the mesh is for its bones
  // Where the limit of influences takes what more steps gain, as StepsPlan says:
  std::optional<double> steps_before_cap;  // at most, before those that win lost bones back; unless
                                           // said, by how fine the mesh is for its bones
  double tolerance_before_cap = 1e-2;      // of fine meshes, where solver.tolerance_rel is less
  CoarseToFine coarse;                     // araplbs
  InteriorOptions interior;                // of methods and starts that are solved there
  int max_influences = 4;                  // what game engines read
  std::vector<int> further_budgets;        // more such limits, for Bound::further
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

/// Whether anything is solved inside the mesh, as BindOptions::interior says.
[[nodiscard]] bool is_solved_inside(const BindOptions& options);

}  // namespace sinew
