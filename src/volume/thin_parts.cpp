// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/thin_parts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/disjoint_sets.h"
#include "core/parallel.h"
#include "geometry/winding_number.h"

namespace sinew {
namespace {

constexpr double kInsideTurns = 0.5;  // half way from the outside of a closed surface

struct Part {
  std::vector<Triangle> triangles;
  Box box;
};

/// Connected through triangles and wires; a loose vertex is a part of its own.
std::vector<Part> parts_of(const OrientedSurface& surface) {
  DisjointSets sets(surface.places.size());
  for (const auto& [a, b, c] : surface.triangles) {
    sets.join(a, b);
    sets.join(a, c);
  }
  for (const auto& [a, b] : surface.wires) sets.join(a, b);
  std::vector<std::size_t> part_of_set(surface.places.size(), 0);  // 0: none yet
  std::vector<Part> parts;
  const auto part_at = [&](VertexIndex place) -> Part& {
    std::size_t& part = part_of_set[sets.find(place)];
    if (part == 0) {
      parts.emplace_back();
      part = parts.size();
    }
    return parts[part - 1];
  };
  for (const Triangle& triangle : surface.triangles) {
    Part& part = part_at(triangle[0]);
    part.triangles.push_back(triangle);
    for (const VertexIndex corner : triangle) part.box.extend(surface.places[corner]);
  }
  for (const Edge& wire : surface.wires) part_at(wire[0]);
  for (const VertexIndex place : surface.loose) part_at(place);
  return parts;
}

}  // namespace

std::size_t count_thin_parts(const OrientedSurface& surface, const CellLattice& lattice,
                             std::span<const CellKey> inside_samples) {
  const std::vector<Part> parts = parts_of(surface);
  std::vector<Vec3> samples;
  for (const CellKey cell : inside_samples) samples.push_back(lattice.centre_of(cell));
  std::vector<char> is_thick(parts.size(), 0);
  parallel_for(
      parts.size(),
      [&](std::size_t p) {
        const Part& part = parts[p];
        const auto in_box = [&](const Vec3& point) { return part.box.contains(point); };
        if (std::none_of(samples.begin(), samples.end(), in_box)) return;
        const WindingNumber winding(surface.places, part.triangles);
        is_thick[p] = std::any_of(samples.begin(), samples.end(), [&](const Vec3& point) {
          return in_box(point) && std::abs(winding.at(point)) > kInsideTurns;
        });
      },
      1);
  return static_cast<std::size_t>(std::count(is_thick.begin(), is_thick.end(), 0));
}

}  // namespace sinew
