// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/tufted_cover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "geometry/sort_by_ends.h"

namespace sinew {
namespace {

/// How far every triangle must be from flat, relative to the mean edge: below it cotangents carry
/// no digits.
constexpr double kFlatTriangleRel = 1e-5;
/// Cotangent sums above this count as Delaunay: rounding must not flip an edge back and forth.
constexpr double kDelaunaySlack = 1e-10;
/// Flips per edge before giving up. Delaunay flips end; this guards against rounding that makes
/// them go round.
constexpr std::size_t kFlipsPerEdge = 50;

/// Area by Heron's formula, arranged so that needles keep their digits (W. Kahan).
double area_of_lengths(double a, double b, double c) {
  if (a < b) std::swap(a, b);
  if (b < c) std::swap(b, c);
  if (a < b) std::swap(a, b);
  const double product = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
  return 0.25 * std::sqrt(std::max(product, 0.0));
}

}  // namespace

TuftedCover::TuftedCover(const std::vector<Triangle>& triangles,
                         const std::vector<Vec3>& positions) {
  const std::size_t count = 6 * triangles.size();
  from_.resize(count);
  next_.resize(count);
  length_.resize(count);
  // Half-edges of triangle t: 6t + s runs from corner s of its front to the next one, and 6t + 3 +
  // s is the same side of its back, run the other way.
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t s = 0; s < 3; ++s) {
      const VertexIndex a = triangles[t][s];
      const VertexIndex b = triangles[t][(s + 1) % 3];
      const std::size_t front = 6 * t + s;
      const std::size_t back = front + 3;
      from_[front] = a;
      from_[back] = b;
      next_[front] = static_cast<HalfEdge>(6 * t + (s + 1) % 3);
      next_[back] = static_cast<HalfEdge>(6 * t + 3 + (s + 2) % 3);
      length_[front] = length_[back] = (positions[a] - positions[b]).norm();
    }
  }
  glue(triangles, positions);
  stretch_lengths();
  cotangent_.resize(count);
  for (HalfEdge h = 0; h < count; h += 3) find_cotangents(h);
}

void TuftedCover::glue(const std::vector<Triangle>& triangles, const std::vector<Vec3>& positions) {
  struct Side {
    VertexIndex low = 0;  // ends of the edge
    VertexIndex high = 0;
    HalfEdge up = 0;  // the copy that runs from low to high: its face looks along the turn
  };
  const auto is_front = [](HalfEdge h) { return h % 6 < 3; };
  const auto other_copy = [&](HalfEdge h) { return is_front(h) ? h + 3 : h - 3; };
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t s = 0; s < 3; ++s) {
      const auto front = static_cast<HalfEdge>(6 * t + s);
      const VertexIndex a = triangles[t][s];
      const VertexIndex b = triangles[t][(s + 1) % 3];
      sides.push_back(a < b ? Side{a, b, front} : Side{b, a, other_copy(front)});
    }
  sort_by_ends(
      sides, positions.size(), [](const Side& side) { return side.low; },
      [](const Side& side) { return side.high; });

  const auto apex_of = [&](const Side& side) {
    const HalfEdge front = is_front(side.up) ? side.up : other_copy(side.up);
    return positions[triangles[front / 6][(front % 6 + 2) % 3]];
  };
  std::vector<std::pair<double, Side>> around;  // an edge, by the angle in radians
  twin_.resize(6 * triangles.size());
  for (auto first = sides.begin(); first != sides.end();) {
    const auto last = std::find_if(first, sides.end(), [&](const Side& side) {
      return side.low != first->low || side.high != first->high;
    });
    if (last - first > 2) {  // one or two faces have only one order around their edge
      const Vec3 axis = (positions[first->high] - positions[first->low]).normalized();
      const Vec3 zero = axis.unitOrthogonal();
      around.clear();
      for (auto side = first; side != last; ++side) {
        const Vec3 to_apex = apex_of(*side) - positions[side->low];
        around.emplace_back(std::atan2(to_apex.dot(axis.cross(zero)), to_apex.dot(zero)), *side);
      }
      std::ranges::stable_sort(around, {}, [](const auto& each) { return each.first; });
      std::ranges::transform(around, first, [](const auto& each) { return each.second; });
    }
    for (auto side = first; side != last; ++side) {
      const HalfEdge down = other_copy((side + 1 == last ? *first : *(side + 1)).up);
      twin_[side->up] = down;
      twin_[down] = side->up;
    }
    first = last;
  }
}

void TuftedCover::stretch_lengths() {
  double total = 0;
  for (const double length : length_) total += length;
  const double margin =
      kFlatTriangleRel * total / std::max(1.0, static_cast<double>(length_.size()));
  double missing = 0;
  for (HalfEdge h = 0; h < length_.size(); ++h) {
    const double slack = length_[next_[h]] + length_[next_[next_[h]]] - length_[h];
    missing = std::max(missing, margin - slack);
  }
  for (double& length : length_) length += missing;
}

void TuftedCover::find_cotangents(HalfEdge h) {
  const std::array<HalfEdge, 3> sides{h, next_[h], next_[next_[h]]};
  const double area = area_of_lengths(length_[sides[0]], length_[sides[1]], length_[sides[2]]);
  for (std::size_t s = 0; s < 3; ++s) {
    const double a = length_[sides[s]];
    const double b = length_[sides[(s + 1) % 3]];
    const double c = length_[sides[(s + 2) % 3]];
    // Rounding can still flatten one.
    cotangent_[sides[s]] = area > 0 ? (b * b + c * c - a * a) / (4 * area) : 0;
  }
}

void TuftedCover::flip(HalfEdge h) {
  // h runs u→v with apex w, its twin t runs v→u with apex x. The new edge joins w and x.
  const HalfEdge t = twin_[h];
  const HalfEdge vw = next_[h];
  const HalfEdge wu = next_[vw];
  const HalfEdge ux = next_[t];
  const HalfEdge xv = next_[ux];
  const double uv = length_[h];
  const auto along = [&](double from_u, double from_v) {
    return (uv * uv + from_u * from_u - from_v * from_v) / (2 * uv);
  };
  const double height_w = 2 * area_of_lengths(uv, length_[vw], length_[wu]) / uv;
  const double height_x = 2 * area_of_lengths(uv, length_[ux], length_[xv]) / uv;
  const double offset = along(length_[wu], length_[vw]) - along(length_[ux], length_[xv]);
  length_[h] = length_[t] = std::hypot(offset, height_w + height_x);

  from_[h] = from_[wu];
  from_[t] = from_[xv];
  next_[h] = xv;
  next_[xv] = vw;
  next_[vw] = h;
  next_[t] = wu;
  next_[wu] = ux;
  next_[ux] = t;
  find_cotangents(h);
  find_cotangents(t);
}

void TuftedCover::flip_to_delaunay() {
  std::vector<HalfEdge> stack;
  std::vector<bool> is_waiting(from_.size(), false);
  const auto push = [&](HalfEdge h) {
    h = std::min(h, twin_[h]);
    if (is_waiting[h]) return;
    is_waiting[h] = true;
    stack.push_back(h);
  };
  for (auto h = static_cast<HalfEdge>(from_.size()); h-- > 0;) push(h);

  std::size_t flips_left = kFlipsPerEdge * from_.size();
  while (!stack.empty() && flips_left > 0) {
    const HalfEdge h = stack.back();
    stack.pop_back();
    is_waiting[h] = false;
    if (is_in_one_triangle(h) || cotangent_sum(h) >= -kDelaunaySlack) continue;
    flip(h);
    --flips_left;
    for (const HalfEdge side : {h, twin_[h]}) {
      push(next_[side]);
      push(next_[next_[side]]);
    }
  }
}

}  // namespace sinew
