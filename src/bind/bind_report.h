// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/bind/bind.h"
#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/part_links.h"

namespace sinew {

/// What a bind knows at its end.
struct BindFindings {
  const Character& character;
  const PreparedMesh& prepared;
  const BoneSegments& segments;
  const BoneCells& cells;
  std::span<const PartLink> links;
  std::span<const int> rigid_parts;  // the bone of each part; -1 for those that may bend
  std::span<const int> blind_parts;
  const SkinWeights& weights;  // per welded vertex
};

/// Fills in what the stages did not write themselves.
void describe_bind(const BindFindings& findings, BindReport& report);

/// What a rigger would want to know of it, in words.
[[nodiscard]] Notices bind_notices(const Character& character, const BindReport& report);

}  // namespace sinew
