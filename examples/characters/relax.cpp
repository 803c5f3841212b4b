// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/relax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew::sculpt {
namespace {

constexpr double kStep = 0.6;  // of the way to the middle of the neighbours; more would oscillate

// A vertex may move this far in one round, relative to its shortest edge: it cannot cross its neighbours.
constexpr double kMaxMove = 0.45;

// A triangle is sound when the cosine between it and the body's normal, and its shape (twice the area over the longest
// side squared), are above these. One that is not may only get better.
constexpr double kSoundCosine = 0.35;
constexpr double kSoundShape = 0.12;

struct Neighbours {
  std::vector<std::uint32_t> begin;
  std::vector<VertexIndex> list;
};

/// In a closed manifold every neighbour follows the vertex in exactly one triangle.
Neighbours find_neighbours(const Surface& surface) {
  Neighbours n;
  n.begin.assign(surface.positions.size() + 1, 0);
  for (const Triangle& t : surface.triangles)
    for (const VertexIndex v : t) ++n.begin[v + 1];
  std::partial_sum(n.begin.begin(), n.begin.end(), n.begin.begin());
  n.list.resize(surface.triangles.size() * 3);
  std::vector<std::uint32_t> next(n.begin.begin(), n.begin.end() - 1);
  for (const Triangle& t : surface.triangles)
    for (std::size_t c = 0; c < 3; ++c) n.list[next[t[c]]++] = t[(c + 1) % 3];
  return n;
}

struct Soundness {
  double cosine;
  double shape;
};

Soundness soundness(const Triangle& t, const std::vector<Vec3>& positions,
                    const std::vector<Vec3>& normals) {
  const Vec3 &a = positions[t[0]], &b = positions[t[1]], &c = positions[t[2]];
  const Vec3 area2 = (b - a).cross(c - a);
  const double norm = area2.norm();
  const double longest2 =
      std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  if (norm <= 0) return {-1, 0};
  // The least of the three: at a crease one corner may face elsewhere, but no triangle may turn its back on any.
  double cosine = 1;
  for (const VertexIndex v : t) cosine = std::min(cosine, area2.dot(normals[v]) / norm);
  return {cosine, norm / longest2};
}

bool acceptable(const Soundness& before, const Soundness& after) {
  const bool turned = after.cosine < kSoundCosine && after.cosine < before.cosine;
  const bool flattened = after.shape < kSoundShape && after.shape < before.shape;
  return !turned && !flattened;
}

/// Takes back the moves that spoil a triangle, until none is spoilt: taking back a move changes the triangles around.
void take_back_bad_moves(const Surface& before, const std::vector<Vec3>& normals_before,
                         std::vector<Vec3>& moved, std::vector<Vec3>& normals) {
  const std::size_t count = before.triangles.size();
  std::vector<char> spoilt(count);
  for (bool any = true; any;) {
    any = false;
    parallel_for(count, [&](std::size_t i) {
      const Triangle& t = before.triangles[i];
      spoilt[i] = !acceptable(soundness(t, before.positions, normals_before),
                              soundness(t, moved, normals));
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (spoilt[i] == 0) continue;
      for (const VertexIndex v : before.triangles[i]) {
        any = any || moved[v] != before.positions[v];
        moved[v] = before.positions[v];
        normals[v] = normals_before[v];
      }
    }
  }
}

}  // namespace

void relax(Surface& surface, const FieldCache& field, int rounds) {
  const Neighbours neighbours = find_neighbours(surface);
  std::vector<Vec3> normals = surface_normals(surface, field);
  const std::size_t count = surface.positions.size();
  std::vector<Vec3> moved(count);
  std::vector<Vec3> moved_normals(count);
  for (int round = 0; round < rounds; ++round) {
    parallel_for(count, [&](std::size_t i) {
      const Vec3& p = surface.positions[i];
      Vec3 middle = Vec3::Zero();
      double shortest2 = std::numeric_limits<double>::max();
      for (std::uint32_t n = neighbours.begin[i]; n < neighbours.begin[i + 1]; ++n) {
        const Vec3& q = surface.positions[neighbours.list[n]];
        middle += q;
        shortest2 = std::min(shortest2, (q - p).squaredNorm());
      }
      middle /= neighbours.begin[i + 1] - neighbours.begin[i];
      Vec3 step = kStep * (middle - p);
      step -= step.dot(normals[i]) * normals[i];
      const double max_move = kMaxMove * std::sqrt(shortest2);
      const double length = step.norm();
      if (length > max_move) step *= max_move / length;
      moved[i] = field.project(p + step, max_move);
      moved_normals[i] = field.normal(moved[i]);
    });
    take_back_bad_moves(surface, normals, moved, moved_normals);
    std::swap(surface.positions, moved);
    std::swap(normals, moved_normals);
  }
}

std::vector<Vec3> surface_normals(const Surface& surface, const FieldCache& field) {
  std::vector<Vec3> normals(surface.positions.size());
  parallel_for(normals.size(),
               [&](std::size_t i) { normals[i] = field.normal(surface.positions[i]); });
  return normals;
}

}  // namespace sinew::sculpt
