// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/jobs/joint_fitting.h"
#include "sinew/model/character.h"

namespace sinew {

/// A character of a file, of its levels of detail the finest alone: what a bind solves on.
[[nodiscard]] inline Character finest_character(const LoadedInput& input, std::size_t character) {
  const Character& whole = input.characters[character].character;
  const std::vector<int> parts = parts_to_fit(input, character, FitLevels::finest);
  return parts.size() == whole.parts.size() ? whole : with_parts(whole, parts);
}

}  // namespace sinew
