// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/interior_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <climits>

#include "core/disjoint_sets.h"
#include "core/parallel.h"
#include "volume/line_crossings.h"
#include "volume/sealed_regions.h"
#include "volume/surface_cells.h"

namespace sinew {
namespace {

/// Turns around a sealed region that is filled though the mesh has cells inside elsewhere: less
/// than this is the air between a body and its clothes.
constexpr double kFilledTurns = 0.25;
/// Turns that leave no doubt: one question then answers for all of a sealed region, through which
/// no surface passes. Below what fills a region by more than a winding number may be wrong by.
constexpr double kClearlyOut = 0.2;
constexpr double kClearlyIn = 0.7;
/// Twice what a winding number that sees far triangles as one may be wrong by: nearer to a half,
/// every triangle is asked, so that a mirrored mesh gets the same answer.
constexpr double kDoubtfulTurns = 0.02;
/// Beyond a half by so little is a half: the open end of a tube, whose rounding decides nothing.
constexpr double kTurnsRounding = 1e-9;

/// Cells in the open that are looked at, or that sealed regions have: more do not fit into a grid.
constexpr std::size_t kMostCandidates = std::size_t{1} << 24;

constexpr std::size_t kWindingGrain = 16;  // of a few microseconds each

std::vector<Triangle> open_triangles_of(const OrientedSurface& surface) {
  std::vector<Triangle> open;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    if (surface.is_open[t]) open.push_back(surface.triangles[t]);
  return open;
}

double turns_around(const Vec3& point, const WindingNumber& winding) {
  const double turns = std::abs(winding.at(point));
  return std::abs(turns - kInsideTurns) < kDoubtfulTurns ? std::abs(winding.exactly_at(point))
                                                         : turns;
}

/// What a search for the cells of an interior knows so far.
struct Search {
  const InteriorQueries& queries;
  const CellLattice& lattice;
  std::vector<CellKey> surface;
  std::vector<std::pair<CellKey, CellKind>> others;
};

std::vector<double> turns_around_all(const Search& search, const std::vector<CellKey>& cells,
                                     const WindingNumber& winding) {
  std::vector<double> turns(cells.size());
  parallel_for(
      cells.size(),
      [&](std::size_t i) { turns[i] = turns_around(search.lattice.centre_of(cells[i]), winding); },
      kWindingGrain);
  return turns;
}

/// The middle of the longest run, the first of equals.
CellKey sample_of(const SealedRegions& sealed, const std::vector<std::size_t>& region) {
  const CellRun* longest = &sealed.runs[region.front()];
  for (const std::size_t run : region)
    if (sealed.runs[run].length > longest->length) longest = &sealed.runs[run];
  return longest->first + longest->length / 2;
}

std::vector<CellKey> cells_of(const SealedRegions& sealed, const std::vector<std::size_t>& region) {
  std::vector<CellKey> cells;
  for (const std::size_t run : region)
    for (std::size_t i = 0; i < sealed.runs[run].length; ++i)
      cells.push_back(sealed.runs[run].first + i);
  return cells;
}

/// Sealed cells that the mesh does not wind around.
struct Hollow {
  CellKey cell = 0;
  double turns = 0;
};

std::vector<Hollow> add_sealed_cells(Search& search, const SealedRegions& sealed) {
  std::vector<CellKey> samples;
  for (const auto& region : sealed.regions) samples.push_back(sample_of(sealed, region));
  const std::vector<double> turns = turns_around_all(search, samples, search.queries.winding);

  std::vector<Hollow> hollows;
  for (std::size_t r = 0; r < sealed.regions.size(); ++r) {
    const std::vector<CellKey> cells = cells_of(sealed, sealed.regions[r]);
    std::vector<double> each(cells.size(), turns[r]);
    if (turns[r] > kClearlyOut && turns[r] < kClearlyIn)
      each = turns_around_all(search, cells, search.queries.winding);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (each[i] > kInsideTurns + kTurnsRounding)
        search.others.emplace_back(cells[i], CellKind::inside);
      else
        hollows.push_back({cells[i], each[i]});
    }
  }
  return hollows;
}

/// Winding numbers at a cell's centre by lines along the three axes, both ways.
struct AxisWindings {
  int least = 0, most = 0;
};

class OpenLines {
 public:
  OpenLines(const InteriorQueries& queries, const std::vector<Vec3>& places_in_cells,
            const CellLattice& lattice)
      : along_{LineCrossings(queries.open_triangles, places_in_cells, lattice, 0, 1),
               LineCrossings(queries.open_triangles, places_in_cells, lattice, 1, 1),
               LineCrossings(queries.open_triangles, places_in_cells, lattice, 2, 1)} {}

  /// The cells that, along some axis, have something to be inside of on both sides; nothing when
  /// they are too many.
  [[nodiscard]] std::optional<std::vector<CellKey>> between_surfaces() const {
    std::vector<CellKey> cells;
    for (int axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < along_[static_cast<std::size_t>(axis)].line_count(); ++i) {
        append_between(axis, along_[static_cast<std::size_t>(axis)].line(i), cells);
        if (cells.size() > kMostCandidates) return std::nullopt;
      }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
  }

  [[nodiscard]] AxisWindings at(CellKey cell) const {
    const std::array<int, 3> place = place_of(cell);
    AxisWindings windings{INT_MAX, INT_MIN};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const LineWinding winding = winding_at(
          along_[axis].on_line(place[(axis + 1) % 3], place[(axis + 2) % 3]), place[axis] + 0.5);
      windings.least = std::min({windings.least, winding.from_below, winding.from_above});
      windings.most = std::max({windings.most, winding.from_below, winding.from_above});
    }
    return windings;
  }

 private:
  static void append_between(int axis, const LineCrossings::Line& line,
                             std::vector<CellKey>& cells) {
    std::array<int, 3> place{};
    place[static_cast<std::size_t>(axis + 1) % 3] = line.u;
    place[static_cast<std::size_t>(axis + 2) % 3] = line.v;
    int below = 0, above = 0;
    for (const Crossing& crossing : line.crossings) above -= crossing.step;
    for (std::size_t i = 0; i + 1 < line.crossings.size(); ++i) {
      below += line.crossings[i].step;
      above += line.crossings[i].step;
      if (below == 0 || above == 0) continue;
      const int first = static_cast<int>(std::ceil(line.crossings[i].depth - 0.5));
      const int last = static_cast<int>(std::floor(line.crossings[i + 1].depth - 0.5));
      for (int at = first; at <= last && cells.size() <= kMostCandidates; ++at) {
        place[static_cast<std::size_t>(axis)] = at;
        cells.push_back(key_of(place));
      }
    }
  }

  std::array<LineCrossings, 3> along_;
};

/// Cells around which shells with a rim wind, in what the surface does not seal.
bool add_open_cells(Search& search, const SealedRegions& sealed,
                    const std::vector<Vec3>& places_in_cells) {
  if (search.queries.open_triangles.empty()) return true;
  const OpenLines lines(search.queries, places_in_cells, search.lattice);
  const std::optional<std::vector<CellKey>> candidates = lines.between_surfaces();
  if (!candidates) return false;

  std::vector<CellKey> inside, doubtful;
  for (const CellKey cell : *candidates) {
    if (find_cell(search.surface, cell) != kNoCell || sealed.contain(cell)) continue;
    const auto [least, most] = lines.at(cell);
    if (least > 0 || most < 0)
      inside.push_back(cell);
    else if (least != most)
      doubtful.push_back(cell);
  }
  const std::vector<double> turns = turns_around_all(search, doubtful, search.queries.open_winding);
  for (std::size_t i = 0; i < doubtful.size(); ++i)
    if (turns[i] > kInsideTurns + kTurnsRounding) inside.push_back(doubtful[i]);
  for (const CellKey cell : inside) search.others.emplace_back(cell, CellKind::inside);
  return true;
}

/// A shell round a hollow, facing both ways, is filled; the air under the clothes of a body is not.
void fill_hollows(Search& search, const std::vector<Hollow>& hollows) {
  if (hollows.empty()) return;
  std::vector<CellKey> cells = search.surface;
  for (const auto& [cell, kind] : search.others) cells.push_back(cell);
  for (const Hollow& hollow : hollows) cells.push_back(hollow.cell);
  std::sort(cells.begin(), cells.end());
  DisjointSets pieces(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (const std::size_t next = find_cell(cells, cells[i] + step_along(axis)); next != kNoCell)
        pieces.join(i, next);

  std::vector<bool> has_inside(cells.size(), false);
  const auto piece_of = [&](CellKey cell) { return pieces.find(find_cell(cells, cell)); };
  for (const auto& [cell, kind] : search.others) has_inside[piece_of(cell)] = true;
  for (const auto& [cell, turns] : hollows)
    if (turns > kFilledTurns || !has_inside[piece_of(cell)])
      search.others.emplace_back(cell, CellKind::enclosed);
}

/// What only tetrahedra refer to lies within their boundary, unless they are turned over.
void add_inner_places(Search& search, const std::vector<Vec3>& places_in_cells) {
  if (search.queries.surface.inner.empty()) return;
  std::vector<CellKey> known = search.surface, added;
  for (const auto& [cell, kind] : search.others) known.push_back(cell);
  std::sort(known.begin(), known.end());
  for (const VertexIndex place : search.queries.surface.inner) {
    const CellKey cell = key_of(search.lattice.place_at(places_in_cells[place]));
    if (find_cell(known, cell) == kNoCell) added.push_back(cell);
  }
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  for (const CellKey cell : added) search.others.emplace_back(cell, CellKind::surface);
}

}  // namespace

InteriorQueries::InteriorQueries(OrientedSurface oriented)
    : surface(std::move(oriented)),
      simplices(simplices_of(surface)),
      open_triangles(open_triangles_of(surface)),
      winding(surface.places, surface.triangles),
      open_winding(surface.places, open_triangles) {}

std::optional<InteriorCells> interior_cells(const InteriorQueries& queries,
                                            const CellLattice& lattice) {
  const std::vector<Vec3> places = lattice.all_in_cells(queries.surface.places);
  std::optional<std::vector<CellKey>> surface = surface_cells(queries.simplices, places, lattice);
  if (!surface) return std::nullopt;
  Search search{queries, lattice, *std::move(surface), {}};

  const SealedRegions sealed = find_sealed_regions(search.surface);
  std::size_t sealed_cells = 0;
  for (std::size_t run = 0; run < sealed.runs.size(); ++run)
    if (sealed.is_sealed[run]) sealed_cells += sealed.runs[run].length;
  if (sealed_cells > kMostCandidates) return std::nullopt;
  const std::vector<Hollow> hollows = add_sealed_cells(search, sealed);
  if (!add_open_cells(search, sealed, places)) return std::nullopt;
  fill_hollows(search, hollows);
  add_inner_places(search, places);

  for (const CellKey cell : search.surface) search.others.emplace_back(cell, CellKind::surface);
  std::sort(search.others.begin(), search.others.end());
  InteriorCells result;
  for (const auto& [cell, kind] : search.others) {
    result.cells.push_back(cell);
    result.kind.push_back(kind);
  }
  return result;
}

}  // namespace sinew
