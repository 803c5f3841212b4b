// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/character.h"
#include "sinew/model/planned_edit.h"

namespace sinew {

/// Edits of a character's weights from a file: docs/edits-format.md.
[[nodiscard]] Result<std::vector<PlannedEdit>> read_edits(const std::filesystem::path& path,
                                                          const Character& character);

/// {"sinew_edits": 1, "edits": [{"edit": "set_weights", "bone": "Hand_L", "weight": 1,
/// "where": {"sphere": {"centre": [x, y, z], "radius": r}}, "after": 5}]}.
/// Bones and meshes are named as in model/bone_names.h. A key that means nothing is an error, and
/// so is whatever else is wrong, with its place: "edits[0].where.box.min[2]".
[[nodiscard]] Result<std::vector<PlannedEdit>> parse_edits(const Json& json,
                                                           const Character& character);

}  // namespace sinew
