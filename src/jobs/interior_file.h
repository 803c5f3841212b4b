// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/medit.h"
#include "formats/vtu.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/jobs/volume_job.h"
#include "sinew/model/skeleton.h"
#include "sinew/weights/interior.h"

namespace sinew {

/// An interior as one kind of elements, with what is told at its points and in its elements.
struct InteriorContents {
  Elements elements;    // in model space
  Embedding from_grid;  // of its points, in the interior's grid
  std::vector<std::int32_t> bone_of_point, bone_of_element;  // that holds it, or -1
  std::vector<std::int32_t> kind, piece;                     // of each element
  int piece_count = 0;
};

[[nodiscard]] InteriorContents contents_of(const Interior& interior, VolumeElements elements,
                                           const UnitFrame& frame);

/// The same for a .vtu. `rows` are weights at each point, of bones that `bones` names; without any
/// there are no fields of weights.
[[nodiscard]] UnstructuredGrid grid_of(const InteriorContents& contents, const Skeleton& bones,
                                       std::span<const std::vector<Influence>> rows);

/// The same for a .mesh; there are no cubes in it.
[[nodiscard]] MeditTetrahedra medit_of(const InteriorContents& contents);

}  // namespace sinew
