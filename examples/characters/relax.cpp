// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/relax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.h"

namespace sinew::sculpt {
namespace {

constexpr double kStep = 0.6;  // of the way to the middle of the neighbours; more would oscillate

// A vertex may move this far in one round, relative to its shortest edge: it cannot cross its
// neighbours.
constexpr double kMaxMove = 0.45;

// A triangle is sound when the cosine between it and the body's normal, and its shape (twice the
// area over the longest side squared), are above these. One that is not may only get better.
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

std::vector<Vec3> normals_at(const std::vector<Vec3>& positions, const FieldCache& field) {
  std::vector<Vec3> normals(positions.size());
  parallel_for(normals.size(), [&](std::size_t i) { normals[i] = field.normal(positions[i]); });
  return normals;
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
  // The least of the three: at a crease one corner may face elsewhere, but no triangle may turn its
  // back on any.
  double cosine = 1;
  for (const VertexIndex v : t) cosine = std::min(cosine, area2.dot(normals[v]) / norm);
  return {cosine, norm / longest2};
}

bool acceptable(const Soundness& before, const Soundness& after) {
  const bool turned = after.cosine < kSoundCosine && after.cosine < before.cosine;
  const bool flattened = after.shape < kSoundShape && after.shape < before.shape;
  return !turned && !flattened;
}

/// The vertices of a round, before and after it, and what the triangles were worth before.
struct Round {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;
  std::vector<Soundness> worth;
};

void measure(const std::vector<Triangle>& triangles, Round& round) {
  round.worth.resize(triangles.size());
  parallel_for(triangles.size(), [&](std::size_t i) {
    round.worth[i] = soundness(triangles[i], round.positions, round.normals);
  });
}

/// Takes back the moves that spoil a triangle, until none is spoilt: taking back a move changes the
/// triangles around.
void take_back_bad_moves(const std::vector<Triangle>& triangles, const Round& before,
                         Round& after) {
  for (bool any = true; any;) {
    any = false;
    measure(triangles, after);
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      if (acceptable(before.worth[i], after.worth[i])) continue;
      for (const VertexIndex v : triangles[i]) {
        any = any || after.positions[v] != before.positions[v];
        after.positions[v] = before.positions[v];
        after.normals[v] = before.normals[v];
      }
    }
  }
}

/// A step towards the middle of the neighbours within the tangent plane, then onto the body.
FieldCache::Foot relaxed(std::size_t vertex, const Round& now, const Neighbours& neighbours,
                         const FieldCache& field) {
  const Vec3& p = now.positions[vertex];
  const Vec3& normal = now.normals[vertex];
  Vec3 middle = Vec3::Zero();
  double shortest2 = std::numeric_limits<double>::max();
  const std::uint32_t begin = neighbours.begin[vertex], end = neighbours.begin[vertex + 1];
  for (std::uint32_t n = begin; n < end; ++n) {
    const Vec3& q = now.positions[neighbours.list[n]];
    middle += q;
    shortest2 = std::min(shortest2, (q - p).squaredNorm());
  }
  middle /= end - begin;
  Vec3 step = kStep * (middle - p);
  step -= step.dot(normal) * normal;
  const double max_move = kMaxMove * std::sqrt(shortest2);
  const double length = step.norm();
  if (length > max_move) step *= max_move / length;
  return field.project(p + step, max_move);
}

}  // namespace

void relax(Surface& surface, const FieldCache& field, int rounds) {
  const Neighbours neighbours = find_neighbours(surface);
  Round now{std::move(surface.positions), {}, {}};
  Round next;
  now.normals = normals_at(now.positions, field);
  measure(surface.triangles, now);
  next.positions.resize(now.positions.size());
  next.normals.resize(now.positions.size());
  for (int round = 0; round < rounds; ++round) {
    parallel_for(now.positions.size(), [&](std::size_t i) {
      const FieldCache::Foot foot = relaxed(i, now, neighbours, field);
      next.positions[i] = foot.point;
      next.normals[i] = foot.normal;
    });
    take_back_bad_moves(surface.triangles, now, next);
    std::swap(now, next);
  }
  surface.positions = std::move(now.positions);
}

std::vector<Vec3> surface_normals(const Surface& surface, const FieldCache& field) {
  return normals_at(surface.positions, field);
}

}  // namespace sinew::sculpt
