// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/model/character.h"
#include "sinew/weights/bounded_biharmonic.h"

namespace sinew::test {

/// The inside of a character at one resolution, as bounded biharmonic weights of its bones see it.
struct CharacterLevel {
  BiharmonicLevel level;
  std::size_t bones = 0;  // that hold points: the handles
};
[[nodiscard]] CharacterLevel level_of(const Character& character, int cells);

}  // namespace sinew::test
