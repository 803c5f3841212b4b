// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/choose_cell_size.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

/// Of the number that is asked for. Nobody needs it nearer, and steps of the lattice are as large.
constexpr double kCloseEnoughRel = 0.01;
constexpr int kMostTries = 16;  // about six are needed

/// The first size: 24 cells along the longest side cost next to nothing.
constexpr double kFirstEdge = 2.0 / 24;
/// One cell holds all of a mesh that did not stray.
constexpr double kCoarsestEdge = 4;

/// As cells are halved: what grows by less is a handful of points.
constexpr double kStillGrowing = 1.1;

/// Between two sizes, on the way from one to the other: the guess stays so far from both.
constexpr double kBracketMargin = 0.1;

struct Try {
  double edge = 0;
  double cells = 0;
};

/// Where a power law through two tries has the number that is wanted.
double between(const Try& coarse, const Try& fine, double wanted) {
  const double share =
      std::log(wanted / coarse.cells) / std::log(std::max(fine.cells / coarse.cells, 1.0 + 1e-9));
  return coarse.edge *
         std::pow(fine.edge / coarse.edge, std::clamp(share, kBracketMargin, 1 - kBracketMargin));
}

}  // namespace

Result<double> choose_cell_size(const InteriorQueries& queries, std::size_t cells,
                                const Progress& progress) {
  const auto wanted = static_cast<double>(cells);
  const double finest = 2 * queries.surface.reach.maxCoeff() / kMostCellsPerAxis;
  Try coarse{kCoarsestEdge, 1}, fine{}, best{};
  bool has_coarse = false;
  double edge = std::max(kFirstEdge, finest);
  for (int tried = 0; tried < kMostTries; ++tried) {
    SINEW_CHECK(progress.checkpoint("cell size", static_cast<double>(tried) / kMostTries));
    const auto found = interior_cells(queries, CellLattice::over(queries.surface, edge));
    const Try now{edge, found ? static_cast<double>(found->cells.size())
                              : std::numeric_limits<double>::max()};
    const auto miss = [&](const Try& t) { return std::abs(std::log(t.cells / wanted)); };
    if (best.edge == 0 || miss(now) < miss(best)) best = now;
    if (std::abs(now.cells - wanted) <= kCloseEnoughRel * wanted) break;
    if (now.cells < wanted) {
      const bool still_grows =
          !has_coarse ||
          now.cells >= coarse.cells * std::pow(coarse.edge / edge, std::log2(kStillGrowing));
      if (!still_grows && fine.edge == 0) return coarse.edge;
      if (edge <= finest || edge >= kCoarsestEdge) break;
      coarse = now;
      has_coarse = true;
    } else {
      if (edge >= kCoarsestEdge) break;
      fine = now;
    }
    if (fine.edge != 0)
      edge = between(coarse, fine, wanted);
    else  // a solid grows with the third power: nothing overshoots
      edge = std::max(edge * std::cbrt(now.cells / wanted), finest);
  }
  return best.edge;
}

}  // namespace sinew
