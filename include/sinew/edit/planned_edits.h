// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/core/result.h"
#include "sinew/edit/weight_edits.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/planned_edit.h"
#include "sinew/weights/influence_maps.h"

namespace sinew {

/// What is known of a character when an edit is made.
struct EditScene {
  const PreparedMesh& prepared;
  const InfluenceMaps* maps = nullptr;           // null before there are weights
  const std::vector<double>* weights = nullptr;  // beside maps->bones
};

/// The edits of a solver on welded vertices that a planned one means. Fails with bad_argument when
/// a vertex does not exist, and when vertices are chosen by weights that are not there yet.
[[nodiscard]] Result<std::vector<WeightEdit>> edits_of(const PlannedEdit& planned,
                                                       const EditScene& scene);

}  // namespace sinew
