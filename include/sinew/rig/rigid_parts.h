// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/rig/bone_cells.h"
#include "sinew/rig/part_links.h"

namespace sinew {

/// Which separate parts of a mesh are bound to one bone each: plates, eyes, a robot's forearm.
enum class RigidParts {
  automatic,  // decided from size, shape and the bones a part serves
  on,         // every part
  off,        // none: all may bend
};
[[nodiscard]] std::string_view to_string(RigidParts choice);
[[nodiscard]] std::optional<RigidParts> rigid_parts_from(std::string_view name);

struct RigidPartOptions {
  RigidParts choice = RigidParts::automatic;
  double sole_share = 0.9;   // of a part's measure: what is that much nearest to one bone is its
  double pivot_rel = 0.15;   // of a part's diagonal: a bone that starts so near to the middle of a
  double round_rel = 0.6;    // round part, one this thick beside its longest side, turns it ...
  double pivot_size = 0.05;  // ... if it is no larger than this, of the character's diagonal
  double aside_rel = 0.3;    // of a part's diagonal: one that is farther from its bones than this
  double aside_size = 0.15;  // and no larger, of the character's diagonal, sits on them: a pad
  double tied_share = 0.6;   // a linked part of which no bone has more moves with its host: a zip
                             // between two hips is of neither
  double machine_bones = 2.5;  // a character whose parts serve fewer bones on average is a machine:
                               // all its parts are rigid ...
  double bending_bones = 2;    // ... but those that serve more than this, and lie close to them, as
  double slender_rel = 1.0 / 6;  // part of their diagonal: cables and fingers
};

/// The bone that each part is bound to, -1 for those that may bend. A character of one part has
/// no rigid ones unless told. `owners` has, per vertex, the bones that it goes by: the nearest,
/// or what a linked part takes from its host. How many bones a part serves is 1 / Σ share² of its
/// owners; it is bound to the one with the largest.
[[nodiscard]] std::vector<int> find_rigid_parts(const PreparedMesh& prepared,
                                                const Skeleton& skeleton, const BoneCells& cells,
                                                const SkinWeights& owners,
                                                std::span<const PartLink> links,
                                                const RigidPartOptions& options = {});

}  // namespace sinew
