// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/line_crossings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kTriangleGrain = 2048;  // as many as make a chunk worth a task

/// A corner as lines along an axis see it, in units of pieces.
struct Corner {
  double u = 0, v = 0;
  VertexIndex place = 0;
};

/// On which side of an edge a line passes, weighted by the area between them: positive to the left.
/// The ends are taken in one order for both triangles at the edge, so that they see one number.
double area_beside(const Corner& from, const Corner& to, double u, double v) {
  const bool is_upward = from.place < to.place;
  const Corner& a = is_upward ? from : to;
  const Corner& b = is_upward ? to : from;
  const double area = (b.u - a.u) * (v - a.v) - (b.v - a.v) * (u - a.u);
  return is_upward ? area : -area;
}

/// The same as a sign. A line in the edge passes beside it, as if it stood a little further along u
/// and much less further along v.
int side_of(const Corner& from, const Corner& to, double area) {
  if (area != 0) return area > 0 ? 1 : -1;
  if (from.v != to.v) return from.v > to.v ? 1 : -1;
  if (from.u != to.u) return to.u > from.u ? 1 : -1;
  return 0;
}

struct Found {
  std::uint64_t line = 0;
  Crossing crossing;
};

std::uint64_t line_at(int u, int v) {
  return static_cast<std::uint64_t>(u) << 32 | static_cast<std::uint64_t>(v);
}

/// The lines along v that may meet a triangle at one u: those between its sides there, and one
/// more at either end for rounding.
std::array<int, 2> range_at(const std::array<Corner, 3>& corners, double u, int count) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t k = 0; k < 3; ++k) {
    const Corner& a = corners[k];
    const Corner& b = corners[(k + 1) % 3];
    if (u < std::min(a.u, b.u) - 1 || u > std::max(a.u, b.u) + 1) continue;
    const double share = a.u == b.u ? 0 : std::clamp((u - a.u) / (b.u - a.u), 0.0, 1.0);
    const double v = a.v + share * (b.v - a.v);
    low = std::min({low, v, a.u == b.u ? b.v : v});
    high = std::max({high, v, a.u == b.u ? b.v : v});
  }
  if (low > high) return {0, -1};
  const double last = count - 1;
  return {static_cast<int>(std::clamp(std::ceil(low - 0.5) - 1, 0.0, last)),
          static_cast<int>(std::clamp(std::floor(high - 0.5) + 1, 0.0, last))};
}

void append_crossings(const std::array<Corner, 3>& corners, const std::array<double, 3>& depths,
                      std::array<int, 2> counts, std::uint32_t triangle,
                      std::vector<Found>& found) {
  const auto [low, high] = std::minmax({corners[0].u, corners[1].u, corners[2].u});
  const auto [shallow, deep] = std::minmax({depths[0], depths[1], depths[2]});
  const double last = counts[0] - 1;
  const int first_u = static_cast<int>(std::clamp(std::ceil(low - 0.5), 0.0, last));
  const int last_u = static_cast<int>(std::clamp(std::floor(high - 0.5), -1.0, last));
  for (int u = first_u; u <= last_u; ++u) {
    const auto [first_v, last_v] = range_at(corners, u + 0.5, counts[1]);
    for (int v = first_v; v <= last_v; ++v) {
      std::array<double, 3> areas{};  // beside the edge opposite of each corner
      int sides = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Corner& from = corners[(k + 1) % 3];
        const Corner& to = corners[(k + 2) % 3];
        areas[k] = area_beside(from, to, u + 0.5, v + 0.5);
        sides += side_of(from, to, areas[k]);
      }
      if (std::abs(sides) != 3) continue;
      const double area = areas[0] + areas[1] + areas[2];
      const double depth =
          area == 0 ? (shallow + deep) / 2
                    : (areas[0] * depths[0] + areas[1] * depths[1] + areas[2] * depths[2]) / area;
      // Who goes the way that a triangle faces comes out there.
      found.push_back({line_at(u, v), {std::clamp(depth, shallow, deep), -sides / 3, triangle}});
    }
  }
}

}  // namespace

LineCrossings::LineCrossings(const std::vector<Triangle>& triangles,
                             const std::vector<Vec3>& places_in_cells, const CellLattice& lattice,
                             int axis, int pieces) {
  const int axis_u = (axis + 1) % 3, axis_v = (axis + 2) % 3;
  const std::array<int, 2> counts{lattice.count[static_cast<std::size_t>(axis_u)] * pieces,
                                  lattice.count[static_cast<std::size_t>(axis_v)] * pieces};
  std::vector<std::vector<Found>> of_chunk(chunk_count(triangles.size(), kTriangleGrain));
  parallel_for_chunks(triangles.size(), kTriangleGrain, [&](ChunkRange range) {
    for (std::size_t t = range.begin; t < range.end; ++t) {
      std::array<Corner, 3> corners;
      std::array<double, 3> depths{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& place = places_in_cells[triangles[t][k]];
        corners[k] = {place[axis_u] * pieces, place[axis_v] * pieces, triangles[t][k]};
        depths[k] = place[axis];
      }
      append_crossings(corners, depths, counts, static_cast<std::uint32_t>(t),
                       of_chunk[range.begin / kTriangleGrain]);
    }
  });
  std::vector<Found> all;
  for (const auto& found : of_chunk) all.insert(all.end(), found.begin(), found.end());
  std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
    return std::tie(a.line, a.crossing.depth, a.crossing.triangle) <
           std::tie(b.line, b.crossing.depth, b.crossing.triangle);
  });
  crossings_.reserve(all.size());
  for (const Found& found : all) {
    if (lines_.empty() || lines_.back() != found.line) {
      lines_.push_back(found.line);
      begin_.push_back(crossings_.size());
    }
    crossings_.push_back(found.crossing);
  }
  begin_.push_back(crossings_.size());
}

std::span<const Crossing> LineCrossings::on_line(int u, int v) const {
  const std::uint64_t key = line_at(u, v);
  const auto found = std::lower_bound(lines_.begin(), lines_.end(), key);
  if (found == lines_.end() || *found != key) return {};
  return line(static_cast<std::size_t>(found - lines_.begin())).crossings;
}

LineCrossings::Line LineCrossings::line(std::size_t index) const {
  return {static_cast<int>(lines_[index] >> 32), static_cast<int>(lines_[index] & 0xFFFFFFFFu),
          std::span(crossings_).subspan(begin_[index], begin_[index + 1] - begin_[index])};
}

LineWinding winding_at(std::span<const Crossing> crossings, double depth) {
  LineWinding winding;
  for (const Crossing& crossing : crossings)
    (crossing.depth < depth ? winding.from_below : winding.from_above) += crossing.step;
  winding.from_above = -winding.from_above;
  return winding;
}

}  // namespace sinew
