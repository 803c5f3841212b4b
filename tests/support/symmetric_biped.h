// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/model/character.h"

namespace sinew::test {

/// The generated biped with its right half in the image of its left one: what crosses the plane is
/// pressed flat onto it.
struct SymmetricBiped {
  Character character;
  std::vector<std::size_t> image;  // of each vertex
};

[[nodiscard]] SymmetricBiped symmetric_biped(int vertices);

}  // namespace sinew::test
