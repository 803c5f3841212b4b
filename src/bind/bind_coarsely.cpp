// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/bind_coarsely.h"

#include <algorithm>
#include <array>
#include <limits>

#include "arap/vertex_clusters.h"
#include "bind/bind_moved.h"
#include "bind/carried_weights.h"
#include "bind/stopwatch.h"
#include "core/parallel.h"
#include "geometry/simplify_mesh.h"
#include "math/triangle.h"
#include "weights/laplacian_filter.h"

namespace sinew {
namespace {

constexpr int kClusterRounds = 12;         // of settling: until clusters are about round
constexpr std::size_t kLeastOfPart = 100;  // clusters: parts with fewer keep every vertex

/// Which vertices become one. Parts that few clusters would leave nothing of stay as they are.
std::vector<int> clusters_of(const PreparedMesh& prepared, std::size_t wanted, std::uint64_t seed) {
  ClusterOptions clustering;
  clustering.count = static_cast<int>(
      std::min<std::size_t>(wanted, static_cast<std::size_t>(std::numeric_limits<int>::max())));
  clustering.rounds = kClusterRounds;
  clustering.seed = seed;
  std::vector<int> cluster =
      cluster_vertices(prepared.mesh.positions(), prepared.graph, clustering);
  std::vector<std::vector<int>> of_part(prepared.parts.count());
  for (std::size_t v = 0; v < cluster.size(); ++v)
    if (const int part = prepared.parts.of_vertex[v]; part >= 0)
      of_part[static_cast<std::size_t>(part)].push_back(cluster[v]);
  int next = 1 + *std::max_element(cluster.begin(), cluster.end());
  for (std::size_t p = 0; p < of_part.size(); ++p) {
    std::sort(of_part[p].begin(), of_part[p].end());
    const auto last = std::unique(of_part[p].begin(), of_part[p].end());
    if (static_cast<std::size_t>(last - of_part[p].begin()) < kLeastOfPart)
      for (const VertexIndex v : prepared.parts.members[p]) cluster[v] = next++;
  }
  // Numbered without gaps again.
  std::vector<int> number(static_cast<std::size_t>(next), -1);
  int count = 0;
  for (int& each : cluster) {
    int& renumbered = number[static_cast<std::size_t>(each)];
    if (renumbered < 0) renumbered = count++;
    each = renumbered;
  }
  return cluster;
}

/// The simplified mesh as a character of its own: the same bones, clips and old weights.
Character coarse_character(const Character& character, const PreparedMesh& prepared,
                           const SimplifiedMesh& simplified) {
  Character coarse = character;
  MeshData data = simplified.mesh.data();
  std::vector<std::vector<Influence>> rows;
  std::vector<VertexIndex> originals;
  for (std::size_t v = 0; v < simplified.kept.size(); ++v) {
    const VertexIndex place = simplified.kept[v];
    data.positions[v] = prepared.welded.mesh.positions()[place];
    originals.push_back(prepared.welded.copies[prepared.welded.copies_begin[place]]);
    const std::span<const Influence> row = character.weights.row(originals.back());
    rows.emplace_back(row.begin(), row.end());
  }
  coarse.mesh = *Mesh::create(std::move(data));
  coarse.weights = SkinWeights::from_rows(character.skeleton.bone_count(), rows);
  auto next = originals.begin();  // places are numbered by their first copy
  for (MeshPart& part : coarse.parts) {
    const std::size_t end = part.first_vertex + part.vertex_count;
    const auto last = std::lower_bound(next, originals.end(), end);
    part.first_vertex = static_cast<std::size_t>(next - originals.begin());
    part.vertex_count = static_cast<std::size_t>(last - next);
    next = last;
  }
  return coarse;
}

/// Every vertex takes what the closest point of the triangles around its own cluster has: another
/// finger is never nearer.
SkinWeights carry_over(const PreparedMesh& prepared, const std::vector<int>& cluster,
                       const SimplifiedMesh& simplified, const SkinWeights& weights) {
  const std::vector<Triangle>& triangles = simplified.mesh.triangles();
  std::vector<std::size_t> begin(simplified.kept.size() + 1, 0);
  for (const Triangle& triangle : triangles)
    for (const VertexIndex corner : triangle) ++begin[corner + 1];
  for (std::size_t v = 0; v + 1 < begin.size(); ++v) begin[v + 1] += begin[v];
  std::vector<std::size_t> around(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const VertexIndex corner : triangles[t]) around[next[corner]++] = t;
  std::vector<VertexIndex> middle(simplified.kept.size());  // of each cluster
  for (std::size_t k = 0; k < simplified.kept.size(); ++k)
    middle[static_cast<std::size_t>(cluster[simplified.kept[k]])] = static_cast<VertexIndex>(k);

  std::vector<std::vector<Influence>> rows(cluster.size());
  parallel_for(rows.size(), [&](std::size_t v) {
    const VertexIndex own = middle[static_cast<std::size_t>(cluster[v])];
    const std::vector<Vec3>& positions = simplified.mesh.positions();
    const Vec3& point = prepared.mesh.positions()[v];
    double least = std::numeric_limits<double>::infinity();
    std::array<double, 3> shares{1, 0, 0};
    Triangle of{own, own, own};
    for (std::size_t a = begin[own]; a < begin[own + 1]; ++a) {
      const Triangle& triangle = triangles[around[a]];
      const auto corner = [&](std::size_t c) -> const Vec3& { return positions[triangle[c]]; };
      const auto at = closest_on_triangle(point, corner(0), corner(1), corner(2));
      const double distance2 =
          (at[0] * corner(0) + at[1] * corner(1) + at[2] * corner(2) - point).squaredNorm();
      if (!(distance2 < least)) continue;
      least = distance2;
      shares = at;
      of = triangle;
    }
    for (std::size_t c = 0; c < 3; ++c)
      if (shares[c] > 0)
        for (const auto& [bone, weight] : weights.row(of[c]))
          rows[v].push_back({bone, shares[c] * weight});
  });
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

Result<CarriedWeights> bind_simplified(const Character& character, const BindOptions& options,
                                       std::size_t vertices, std::vector<StageTime>& times,
                                       const Progress& progress) {
  Stopwatch watch;
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const std::vector<int> cluster = clusters_of(prepared, vertices, options.solver.seed);
  const SimplifiedMesh simplified = simplify_mesh(prepared.mesh, cluster);
  const Character coarse = coarse_character(character, prepared, simplified);
  watch.lap("simplify", times);
  BindOptions of_coarse = options;
  of_coarse.format = WeightFormat::f32;  // what is carried over is rounded, not what it is from
  SINEW_TRY(Bound bound, bind_moved(coarse, {}, of_coarse, progress));
  watch.lap("coarse bind", times);
  CarriedWeights carried;
  const auto carry = [&](const SkinWeights& weights) {
    carried.under_caps.push_back(
        laplacian_filter(carry_over(prepared, cluster, simplified, weights), prepared.laplacian));
  };
  carry(bound.weights);
  for (const SkinWeights& each : bound.further) carry(each);
  carried.report = std::move(bound.report);
  carried.report.coarse_vertices = carried.report.welded_vertices;
  watch.lap("carry over", times);
  return carried;
}

}  // namespace

Result<Bound> bind_coarsely(const Character& character, const BindOptions& options,
                            std::size_t vertices, const Progress& progress) {
  std::vector<StageTime> times;
  SINEW_CHECK(progress.checkpoint("simplify", 0));
  SINEW_TRY(CarriedWeights carried,
            bind_simplified(character, options, vertices, times, progress.within(0.1, 0.6)));
  SINEW_TRY(PreparedBind prepared,
            prepare_bind(character, {}, options, times, progress.within(0.6, 0.7)));
  return finish_carried(character, options, std::move(prepared), std::move(carried),
                        std::move(times), progress.within(0.6, 1));
}

}  // namespace sinew
