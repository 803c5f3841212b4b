// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/touching_skin.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

#include "core/parallel.h"

namespace sinew {
namespace {

/// Of the diagonal: nearer than this, places are seen to touch.
constexpr double kTouchRel = 0.01;
/// Of the diagonal: less of sinking is not seen.
constexpr double kSunkRel = 0.002;
/// Pairs that are looked at: more tell nothing new, and cost as much as the distortion.
constexpr std::size_t kMostPairs = 60'000;
/// Near pairs of vertices that are looked through for them.
constexpr double kMostNearPairs = 4e6;
/// Fewer pairs are the luck of a few.
constexpr std::size_t kMinPairs = 20;
/// The part of the pairs that `apart` is the mean of: a mouth is a small part of a body.
constexpr std::size_t kWorstPart = 100;
/// Of the largest side of the box, as places are welded: coordinates nearer than this are alike.
constexpr double kAlikeRel = 1e-6;
/// Square of the least length that has a direction.
constexpr double kNoNormal = 1e-18;

using Cell = std::array<std::int64_t, 3>;

/// Vertices of faces in cubes as wide as places touch.
class TouchGrid {
 public:
  TouchGrid(const SkinSurface& surface, double width) : surface_(surface), width_(width) {
    for (std::size_t v = 0; v < surface.vertex_count(); ++v)
      if (surface.has_face(v))
        entries_.push_back({cell_of(surface.positions()[v]), static_cast<VertexIndex>(v)});
    std::ranges::sort(entries_);
  }

  /// Calls visit(vertex) for those nearer than the width, itself too.
  template <class Visit>
  void visit_near(VertexIndex vertex, const Visit& visit) const {
    const Vec3& at = surface_.positions()[vertex];
    const Cell middle = cell_of(at);
    for (std::int64_t dx = -1; dx <= 1; ++dx)
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        const Cell first{middle[0] + dx, middle[1] + dy, middle[2] - 1};
        const Cell last{first[0], first[1], middle[2] + 1};
        for (auto entry = std::ranges::lower_bound(entries_, Entry{first, 0});
             entry != entries_.end() && entry->cell <= last; ++entry)
          if ((surface_.positions()[entry->vertex] - at).squaredNorm() <= width_ * width_)
            visit(entry->vertex);
      }
  }

  /// About how many pairs are near: from how full cells are.
  [[nodiscard]] double near_pairs() const {
    double sum = 0;
    for (std::size_t e = 0; e < entries_.size();) {
      std::size_t end = e + 1;
      while (end < entries_.size() && entries_[end].cell == entries_[e].cell) ++end;
      sum += static_cast<double>(end - e) * static_cast<double>(end - e);
      e = end;
    }
    return sum;
  }

 private:
  struct Entry {
    Cell cell;
    VertexIndex vertex = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  [[nodiscard]] Cell cell_of(const Vec3& at) const {
    return {static_cast<std::int64_t>(std::floor(at.x() / width_)),
            static_cast<std::int64_t>(std::floor(at.y() / width_)),
            static_cast<std::int64_t>(std::floor(at.z() / width_))};
  }

  const SkinSurface& surface_;
  double width_ = 0;
  std::vector<Entry> entries_;
};

/// The vertices within two edges of each, itself too, ascending.
std::vector<std::vector<VertexIndex>> within_two_edges(const MeshGraph& graph) {
  std::vector<std::vector<VertexIndex>> within(graph.vertex_count());
  parallel_for(within.size(), [&](std::size_t v) {
    std::vector<VertexIndex>& near = within[v];
    near.push_back(static_cast<VertexIndex>(v));
    for (const VertexIndex k : graph.neighbours_of(v)) {
      near.push_back(k);
      const std::span<const VertexIndex> further = graph.neighbours_of(k);
      near.insert(near.end(), further.begin(), further.end());
    }
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
  });
  return within;
}

bool have_common(std::span<const VertexIndex> a, std::span<const VertexIndex> b) {
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i] == b[k]) return true;
    a[i] < b[k] ? ++i : ++k;
  }
  return false;
}

Cell place_of(const Vec3& at, double alike) {
  return {std::llround(at.x() / alike), std::llround(at.y() / alike), std::llround(at.z() / alike)};
}

/// Every so many of the vertices, by index.
bool is_chosen(std::size_t vertex, double share) {
  return std::floor(static_cast<double>(vertex + 1) * share) >
         std::floor(static_cast<double>(vertex) * share);
}

std::vector<TouchingPair> all_pairs(const SkinSurface& surface) {
  const double touch = kTouchRel * surface.diagonal;
  const TouchGrid grid(surface, touch);
  const std::vector<std::vector<VertexIndex>> within = within_two_edges(surface.graph);
  const double share = std::min(1.0, kMostNearPairs / std::max(grid.near_pairs(), 1.0));
  const std::vector<Vec3>& at = surface.positions();
  const double alike = kAlikeRel * bounding_box(at).sizes().maxCoeff();
  using Pairs = std::vector<TouchingPair>;
  return parallel_reduce(
      surface.vertex_count(), 256, Pairs{},
      [&](ChunkRange range) {
        Pairs found;
        for (std::size_t i = range.begin; i < range.end; ++i) {
          if (!surface.has_face(i) || !is_chosen(i, share)) continue;
          const std::size_t first = found.size();
          const auto v = static_cast<VertexIndex>(i);
          grid.visit_near(v, [&](VertexIndex k) {
            // Two sets of two edges that meet: four edges at the most.
            if (k <= v || have_common(within[v], within[k])) return;
            const bool in_order = place_of(at[v], alike) < place_of(at[k], alike);
            found.push_back({in_order ? v : k, in_order ? k : v,
                             surface.parts.of_vertex[v] != surface.parts.of_vertex[k],
                             (at[v] - at[k]).norm()});
          });
          std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                    [](const TouchingPair& a, const TouchingPair& b) {
                      return a.above != b.above ? a.above < b.above : a.below < b.below;
                    });
        }
        return found;
      },
      [](Pairs total, Pairs part) {
        total.insert(total.end(), part.begin(), part.end());
        return total;
      });
}

double mean_of_worst(std::vector<double> values, std::size_t count) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(count - 1),
                           std::greater());
  std::sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), std::greater());
  return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
         static_cast<double>(count);
}

}  // namespace

std::vector<TouchingPair> touching_pairs(const SkinSurface& surface) {
  if (!(surface.diagonal > 0)) return {};
  std::vector<TouchingPair> pairs = all_pairs(surface);
  if (pairs.size() > kMostPairs) {
    std::vector<TouchingPair> chosen;
    for (std::size_t p = 0; p < kMostPairs; ++p)
      chosen.push_back(pairs[p * pairs.size() / kMostPairs]);
    pairs = std::move(chosen);
  }
  return pairs;
}

PairWatcher::PairWatcher(const SkinSurface& surface, std::span<const TouchingPair> pairs)
    : surface_(surface), pairs_(pairs), begin_(surface.vertex_count() + 1, 0) {
  const std::vector<Triangle>& triangles = surface.welded.mesh.triangles();
  for (const Triangle& triangle : triangles)
    for (const VertexIndex v : triangle) ++begin_[v + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  triangles_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const VertexIndex v : triangles[t]) triangles_[next[v]++] = t;
  starts_outside_.resize(pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    starts_outside_[p] =
        pairs[p].is_of_two_parts && height_of(pairs[p], surface.positions()) > 0 ? 1 : 0;
}

double PairWatcher::height_of(const TouchingPair& pair, std::span<const Vec3> at) const {
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = begin_[pair.below]; i < begin_[pair.below + 1]; ++i) {
    const Triangle& triangle = surface_.welded.mesh.triangles()[triangles_[i]];
    normal += (at[triangle[1]] - at[triangle[0]]).cross(at[triangle[2]] - at[triangle[0]]);
  }
  normal /= std::max(normal.norm(), kNoNormal);
  return (at[pair.above] - at[pair.below]).dot(normal);
}

PairsInPose PairWatcher::look(std::span<const Vec3> deformed) const {
  PairsInPose seen;
  seen.parted.resize(pairs_.size());
  seen.sunk.assign(pairs_.size(), 0);
  parallel_for(pairs_.size(), [&](std::size_t p) {
    const TouchingPair& pair = pairs_[p];
    const double distance = (deformed[pair.above] - deformed[pair.below]).norm();
    seen.parted[p] = std::max(0.0, distance - pair.distance);
    if (starts_outside_[p] != 0 && height_of(pair, deformed) < -kSunkRel * surface_.diagonal)
      seen.sunk[p] = 1;
  });
  return seen;
}

TouchingSkin touching_skin(const SkinSurface& surface, std::span<const TouchingPair> pairs,
                           std::span<const PairsInPose> original,
                           std::span<const PairsInPose> poses) {
  assert(original.size() == poses.size());
  TouchingSkin touching;
  touching.apart_of_vertex.assign(surface.vertex_count(), 0);
  touching.sunk_of_vertex.assign(surface.vertex_count(), 0);
  std::vector<double> farther(pairs.size(), 0);  // in the worst pose, than with the original
  std::vector<int> sinks(pairs.size(), 0);       // in how many poses more
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (std::size_t k = 0; k < poses.size(); ++k) {
      farther[p] = std::max(farther[p], poses[k].parted[p] - original[k].parted[p]);
      sinks[p] += static_cast<int>(poses[k].sunk[p]) - static_cast<int>(original[k].sunk[p]);
    }
  double sunk = 0;
  std::size_t of_two_parts = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const double percent = 100 * farther[p] / surface.diagonal;
    const double share = poses.empty() ? 0 : sinks[p] / static_cast<double>(poses.size());
    for (const VertexIndex v : {pairs[p].above, pairs[p].below}) {
      touching.apart_of_vertex[v] = std::max(touching.apart_of_vertex[v], percent);
      touching.sunk_of_vertex[v] = std::max(touching.sunk_of_vertex[v], share);
    }
    if (!pairs[p].is_of_two_parts) continue;
    ++of_two_parts;
    sunk += share;
  }
  if (pairs.size() >= kMinPairs)
    touching.apart = 100 / surface.diagonal *
                     mean_of_worst(farther, std::max(kMinPairs, pairs.size() / kWorstPart));
  if (of_two_parts >= kMinPairs) touching.sunk = 100 * sunk / static_cast<double>(of_two_parts);
  return touching;
}

}  // namespace sinew
