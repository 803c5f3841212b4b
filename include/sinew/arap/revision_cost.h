// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sinew {

/// What it took to bring tables, matrix and factor of a WeightSolver up to date, after its problem
/// or its constraints were revised.
struct RevisionCost {
  enum class Factor {
    kept,        // nothing that is factorised has changed
    updated,     // changed in place, by `columns` columns
    factorised,  // made anew, on the same places
    analysed,    // made anew on other places, which first had to be put in order
    postponed,   // is left for the next step of the whole mesh
  };
  Factor factor = Factor::kept;
  std::size_t columns = 0;
  double tables_s = 0;  // the rows of rotation tables, and all that is numbered by weights
  double matrix_s = 0;
  double factor_s = 0;
};

}  // namespace sinew
