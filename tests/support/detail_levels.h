// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::test {

/// A generated character in several finenesses over one skeleton, as parts with these names. The
/// first has the first number of vertices, and so on.
[[nodiscard]] Character character_in_levels(const std::string& example,
                                            std::span<const std::string> names,
                                            std::span<const int> vertices);

}  // namespace sinew::test
