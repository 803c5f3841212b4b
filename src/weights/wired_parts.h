// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/weights/heat.h"
#include "weights/part_system.h"

namespace sinew {

/// Parts that wires join, directly or through others.
struct WiredGroup {
  std::vector<int> parts;  // ascending; one alone if it has a wire within
  std::vector<Edge> wires;
};
/// Of the parts that are to be solved. Wires that lead elsewhere are left out.
[[nodiscard]] std::vector<WiredGroup> wired_groups(const PreparedMesh& prepared,
                                                   const std::vector<bool>& parts,
                                                   std::span<const Edge> wires);

/// The augmented system of [araplbs] section 6 on one group: where its solution is greater than
/// what a row has, the row takes that. Fails with bad_argument when doubles cannot solve it, and
/// when cancelled.
[[nodiscard]] Status raise_by_wires(const PreparedMesh& prepared, const WiredGroup& group,
                                    std::span<const WeightSource> sources,
                                    const HeatOptions& options, const Progress& progress,
                                    std::vector<std::vector<Influence>>& rows);

}  // namespace sinew
