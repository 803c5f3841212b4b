// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "bind/kept_weights.h"
#include "bind/optimise_weights.h"
#include "sinew/bind/bind.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/part_links.h"

namespace sinew {

/// Where the first weights end, of all the work of an optimised bind.
inline constexpr double kFirstWeightsEnd = 0.5;

/// Everything that is found before weights are optimised, and the weights to start from.
struct FirstWeights {
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
  Skeleton skeleton;  // effective, with tails
  std::vector<int> guessed_tails;
  PreparedMesh prepared;
  BoneSegments segments;
  BoneCells cells;
  std::vector<PartLink> links;
  std::vector<int> rigid_parts;  // the bone that each part is bound to; -1 for none
  std::vector<int> blind_parts;
  Keeping keeping;
  std::vector<PlannedEdit> edits;  // of those vertices that may change
  SkinWeights weights;             // per welded vertex
};

/// Refuses options that name bones which are not there.
[[nodiscard]] Status check_bones(const Character& character, const BindOptions& options);

/// The stages of bind up to weights, with the check of its input. `displacements` of the joints,
/// per bone, may be empty; which bones deform and what they hang on is found without them, since
/// clips know the joints as they were. Times are added. With weights that are there already, one
/// row per welded vertex, they are not made.
[[nodiscard]] Result<FirstWeights> make_first_weights(const Character& character,
                                                      std::span<const Vec3> displacements,
                                                      const BindOptions& options,
                                                      std::vector<StageTime>& times,
                                                      const Progress& progress,
                                                      const SkinWeights* there_already = nullptr);

/// The weights with every vertex of a rigid part on that part's bone.
[[nodiscard]] SkinWeights bound_to_one_bone(const MeshParts& parts,
                                            const std::vector<int>& bone_of_part,
                                            const SkinWeights& weights);

[[nodiscard]] inline BoundSoFar so_far(const FirstWeights& first, const Character& character,
                                       std::span<const Vec3> displacements) {
  return {character,      displacements, first.prepared,    first.skeleton,       first.segments,
          first.cells,    first.links,   first.rigid_parts, first.keeping.welded, first.roles,
          first.hierarchy};
}

}  // namespace sinew
