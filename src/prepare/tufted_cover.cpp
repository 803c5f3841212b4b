// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "prepare/tufted_cover.h"

#include <algorithm>
#include <cmath>

#include "prepare/sort_by_ends.h"

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
}

void TuftedCover::glue(const std::vector<Triangle>& triangles, const std::vector<Vec3>& positions) {
  struct Side {
    VertexIndex low = 0;  // ends of the edge
    VertexIndex high = 0;
    VertexIndex apex = 0;
    HalfEdge up = 0;    // the copy that runs from low to high: its face looks along the turn
    HalfEdge down = 0;  // the other copy
    double angle_rad = 0;
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t s = 0; s < 3; ++s) {
      const auto front = static_cast<HalfEdge>(6 * t + s);
      const VertexIndex a = triangles[t][s];
      const VertexIndex b = triangles[t][(s + 1) % 3];
      const VertexIndex apex = triangles[t][(s + 2) % 3];
      if (a < b)
        sides.push_back({a, b, apex, front, front + 3, 0});
      else
        sides.push_back({b, a, apex, front + 3, front, 0});
    }
  sort_by_ends(
      sides, positions.size(), [](const Side& side) { return side.low; },
      [](const Side& side) { return side.high; });

  twin_.resize(6 * triangles.size());
  for (auto first = sides.begin(); first != sides.end();) {
    const auto last = std::find_if(first, sides.end(), [&](const Side& side) {
      return side.low != first->low || side.high != first->high;
    });
    if (last - first > 2) {  // one or two faces have only one order around their edge
      const Vec3 axis = (positions[first->high] - positions[first->low]).normalized();
      const Vec3 zero = axis.unitOrthogonal();
      for (auto side = first; side != last; ++side) {
        const Vec3 to_apex = positions[side->apex] - positions[side->low];
        side->angle_rad = std::atan2(to_apex.dot(axis.cross(zero)), to_apex.dot(zero));
      }
      std::stable_sort(first, last,
                       [](const Side& x, const Side& y) { return x.angle_rad < y.angle_rad; });
    }
    for (auto side = first; side != last; ++side) {
      const Side& next = side + 1 == last ? *first : *(side + 1);
      twin_[side->up] = next.down;
      twin_[next.down] = side->up;
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

double TuftedCover::cotangent_opposite(HalfEdge h) const {
  const double a = length_[h];
  const double b = length_[next_[h]];
  const double c = length_[next_[next_[h]]];
  const double area = area_of_lengths(a, b, c);
  return area > 0 ? (b * b + c * c - a * a) / (4 * area) : 0;  // rounding can still flatten one
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

std::vector<TuftedCover::Conductance> TuftedCover::conductances() const {
  std::vector<Conductance> result;
  result.reserve(from_.size() / 2);
  for (HalfEdge h = 0; h < from_.size(); ++h)
    if (h < twin_[h])  // an edge of the cover is half an edge of the mesh
      result.push_back({from_[h], from_[next_[h]], 0.25 * cotangent_sum(h)});
  return result;
}

}  // namespace sinew
