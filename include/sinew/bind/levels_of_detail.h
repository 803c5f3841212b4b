// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bind/bind.h"

namespace sinew {

/// Meshes that show the same thing in more and in less detail. A program draws one of them. What a
/// file says of them jobs/find_levels_of_detail.h reads.
struct DetailGroup {
  std::string name;                      // what the names of the levels share; may be empty
  std::vector<std::vector<int>> levels;  // parts of the character; the finest first
};

/// The parts that are not a coarser level of anything, ascending.
[[nodiscard]] std::vector<int> finest_parts(const Character& character,
                                            std::span<const DetailGroup> groups);

/// Options for some parts of a character alone, as with_parts() has them: what they say of each
/// vertex is cut to size. Fails where they make no sense for the character. Edits stay as they are.
[[nodiscard]] Result<BindOptions> options_for_parts(const BindOptions& options,
                                                    const Character& character,
                                                    std::span<const int> parts);

/// bind() for a character with levels of detail. What finest_parts names is bound, as if there was
/// nothing else: levels solved in one pile would pull at each other. Every coarser part takes the
/// weights of its group's finest level at the closest points of that surface, capped again under
/// each budget, and rounded again. What options keep of old weights stays on every level; existing
/// weights of a coarser one change only where that makes both it and its finest level better.
/// Bound::report is about what was bound; `coarse` tells the rest.
[[nodiscard]] Result<Bound> bind_levels(const Character& character,
                                        std::span<const DetailGroup> groups,
                                        const BindOptions& options = {},
                                        const Progress& progress = {});

}  // namespace sinew
