// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/bind/bind_plan.h"

namespace sinew {

/// How hard a solve works, by how many vertices there are. Every number of vertices that decides
/// that is read here, and nowhere else.
struct Effort {
  /// For where the limits of influences take more away than last steps, exact rotations and
  /// further clusterings gain.
  struct AtCap {
    bool ends_early = false;
    int steps = 0;
    double reach = 1;     // of all but the last
    int clusterings = 0;  // 0: as many as usual
    std::size_t clustered_above_bending = 0;
  };
  struct Finish {
    int rounds = 0;
    int least_rounds = 0;
    bool is_exact = false;  // every vertex turns by itself
  };
  Decided<bool> is_coarse;          // solved on a simplified mesh
  Decided<std::size_t> most_bones;  // of a vertex before the cap; 0 for any number
  Decided<RotationMode> rotations;
  int clusters = 0;                       // groups, where vertices turn in groups
  std::size_t much_below_influences = 0;  // a limit below this takes much away
  Decided<AtCap> at_cap;
  Decided<Finish> finish;           // where bones lead softly
  Decided<Finish> thorough_finish;  // under the paper's constraints
};

/// `coarse_above` is CoarseToFine::above.
struct BindSize {
  std::size_t stored_vertices = 0;
  std::size_t welded_vertices = 0;
  std::size_t coarse_above = 0;
};
[[nodiscard]] Effort effort_of(const BindSize& size);

}  // namespace sinew
