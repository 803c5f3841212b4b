// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bind/kept_weights.h"
#include "bind/spine_stage.h"
#include "sinew/bind/bind.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/mirror.h"
#include "sinew/rig/part_links.h"
#include "sinew/weights/skin_owners.h"

namespace sinew {

/// The weights that a bind starts from.
struct FirstWeights {
  SkinWeights weights;           // per welded vertex
  std::vector<int> rigid_parts;  // the bone that each part is bound to; -1 for none
  std::vector<int> blind_parts;
  std::optional<InteriorReport> interior;  // of weights that are solved there
  /// Who owns the skin, where weights start from that.
  std::optional<SkinOwners> owners;
};

/// Everything that is found before weights are optimised.
struct PreparedBind {
  std::vector<Vec3> displacements;  // of the joints, per bone, model space; may be empty
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
  Skeleton skeleton;  // effective, with tails
  std::vector<int> guessed_tails;
  PreparedMesh mesh;  // with the wires that are there before the first step
  BoneSegments segments;
  BoneCells cells;
  std::vector<PartLink> links;
  Keeping keeping;
  std::vector<PlannedEdit> edits;  // of those vertices that may change
  std::vector<Edge> wires;         // of these, before the first step
  std::optional<Mirror> mirror;    // that both sides are solved in
  FirstWeights first;              // make_first_weights fills in this one
  SpineStage spines;               // and this one

  /// The character with the bones that bend while weights are made.
  [[nodiscard]] const Character& bending(const Character& character) const {
    return spines.bending ? *spines.bending : character;
  }
};

/// Refuses options that name bones which are not there.
[[nodiscard]] Status check_bones(const Character& character, const BindOptions& options);

/// Refuses options that contradict each other or the character, and what cannot be bound at all.
[[nodiscard]] Status check_options(const Character& character, const BindOptions& options);

/// All but first weights and spines, of options that check_options lets through. Which bones deform
/// and what they hang on is found without displacements, since clips know the joints as they were.
/// Times are added.
[[nodiscard]] Result<PreparedBind> prepare_bind(const Character& character,
                                                std::span<const Vec3> displacements,
                                                const BindOptions& options,
                                                std::vector<StageTime>& times,
                                                const Progress& progress);

/// A bone deforms as its role says.
[[nodiscard]] Skeleton with_roles(const Skeleton& skeleton, const std::vector<BoneRole>& roles);

/// The effective skeleton with nothing for bones to carry that rows stand for: their joints, if
/// they deform, carry it. Who asks for such a bone by name has it.
[[nodiscard]] Skeleton with_rows_alone(const Skeleton& effective, const Skeleton& skeleton,
                                       const std::vector<BoneRole>& roles,
                                       const DeformingOptions& asked = {});

/// The mirror that options choose for a mesh, if it has one.
[[nodiscard]] std::optional<Mirror> chosen_mirror(const PreparedMesh& mesh,
                                                  const Skeleton& skeleton, MirrorChoice choice);

}  // namespace sinew
