// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sinew/gltf/gltf_document.h"
#include "sinew/report/inspection.h"

namespace sinew {

/// What docs/command-line.md lists as a character of `sinew inspect`, but for its notices.
/// `listed_bones` are those that somebody asked about.
[[nodiscard]] Json to_json(const Inspection& inspection, std::span<const int> listed_bones = {});

/// Figures by name; whole numbers as such.
[[nodiscard]] Json to_json(std::span<const Figure> figures);

/// Adds `stolen` and `worse` of one bone; null where it has none.
void add_skin_of_bone(Json& bone, const std::optional<SkinQuality>& skin, std::size_t index);

/// {"from", "scene_scale", "node_deviation"}.
[[nodiscard]] Json to_json(const BindFacts& bind);

/// What hangs elsewhere than in the file: {"bone", "from", "to", "why"}.
[[nodiscard]] Json to_json(const EffectiveHierarchy& hierarchy, std::span<const BoneSummary> bones);

/// A bone that bends, or did before it became joints of the file.
struct RowOfJoints {
  int bone = -1;
  BoneKind kind = BoneKind::spine;
  std::vector<std::size_t> joints;  // from its head to its tail
};
[[nodiscard]] std::vector<RowOfJoints> rows_of_joints(const Inspection& inspection);

}  // namespace sinew
