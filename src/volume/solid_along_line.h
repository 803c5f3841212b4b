// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "volume/line_crossings.h"

namespace sinew {

/// In cells: crossings that are no farther apart are at one place, where what is left comes first.
/// Faces that lie on each other do not hold together.
inline constexpr double kSamePlace = 1e-6;

/// Walks from one point of a line to another through what it crosses, and tells what hangs
/// together: calls joined(i) for every crossing that bounds the solid which the walk is in, or lies
/// in it, and parted() where the walk is not in the solid. It starts and ends in the solid if the
/// winding number there is not zero; between crossings it is in it where the winding number,
/// counted from either end, is at least one: a single sheet in a body parts nothing, the gap
/// between two bodies does.
template <class Joined, class Parted>
void walk_solid(std::span<const Crossing> crossings, int turns_before, int turns_after,
                const Joined& joined, const Parted& parted) {
  const int side = turns_before < 0 || (turns_before == 0 && turns_after < 0) ? -1 : 1;
  int from_before = side * turns_before, from_after = side * turns_after;
  for (const Crossing& crossing : crossings) from_after -= side * crossing.step;
  bool is_solid = from_before >= 1;
  if (!is_solid) parted();

  for (std::size_t begin = 0, end = 0; begin < crossings.size(); begin = end) {
    while (end < crossings.size() && crossings[end].depth - crossings[begin].depth <= kSamePlace)
      ++end;
    for (const int way : {-1, 1}) {  // out of the solid, then into it
      for (std::size_t i = begin; i < end; ++i) {
        if (side * crossings[i].step != way) continue;
        from_before += way;
        from_after += way;
        if (way < 0 && is_solid) joined(i);
      }
      const bool is_last = way > 0 && end == crossings.size();
      is_solid = is_last ? side * turns_after >= 1 : from_before >= 1 || from_after >= 1;
      if (!is_solid) parted();
      for (std::size_t i = begin; i < end && way > 0 && is_solid; ++i)
        if (side * crossings[i].step > 0) joined(i);
    }
  }
  if (side * turns_after < 1) parted();
}

}  // namespace sinew
