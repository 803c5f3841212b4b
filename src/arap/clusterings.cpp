// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/clusterings.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "arap/vertex_clusters.h"
#include "core/parallel.h"

namespace sinew {
namespace {

/// The vertices of a part, and what is between them.
struct Piece {
  std::vector<VertexIndex> members;
  std::vector<Vec3> positions;
  MeshGraph graph;
};

/// `index` is of each vertex in its part. Links to other parts are left out: what sits on something
/// else does not have to turn with it.
Piece piece_of(const WeightProblem& problem, std::vector<VertexIndex> members,
               std::span<const VertexIndex> index) {
  const std::vector<int>& part = problem.turning->part;
  const MeshGraph& whole = problem.graph;
  Piece piece;
  piece.graph.begin.push_back(0);
  for (const VertexIndex i : members) {
    piece.positions.push_back(problem.positions[i]);
    for (std::size_t e = whole.begin[i]; e < whole.begin[i + 1]; ++e) {
      if (part[whole.neighbours[e]] != part[i]) continue;
      piece.graph.neighbours.push_back(index[whole.neighbours[e]]);
      piece.graph.edge_measure.push_back(whole.edge_measure[e]);
    }
    piece.graph.begin.push_back(piece.graph.neighbours.size());
    piece.graph.vertex_measure.push_back(whole.vertex_measure[i]);
  }
  piece.members = std::move(members);
  return piece;
}

/// Clusters of each part by itself, from one seed for all: how a part is clustered depends on
/// nothing but the part.
std::vector<int> cluster_parts(const WeightProblem& problem, std::uint64_t seed) {
  const PartClusters& turning = *problem.turning;
  std::vector<std::vector<VertexIndex>> members(turning.clusters.size());
  std::vector<VertexIndex> index(turning.part.size(), 0);
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (turning.part[i] < 0) continue;
    std::vector<VertexIndex>& of_part = members[static_cast<std::size_t>(turning.part[i])];
    index[i] = static_cast<VertexIndex>(of_part.size());
    of_part.push_back(static_cast<VertexIndex>(i));
  }
  std::vector<int> cluster(index.size(), -1);  // in its part; -1 for one that turns by itself
  std::vector<int> count(members.size(), 0);
  parallel_for(
      members.size(),
      [&](std::size_t p) {
        if (members[p].size() <= static_cast<std::size_t>(turning.clusters[p])) return;
        const Piece piece = piece_of(problem, std::move(members[p]), index);
        ClusterOptions options;
        options.count = turning.clusters[p];
        options.seed = seed;
        const std::vector<int> within = cluster_vertices(piece.positions, piece.graph, options);
        for (std::size_t i = 0; i < within.size(); ++i) cluster[piece.members[i]] = within[i];
        count[p] = 1 + *std::ranges::max_element(within);
      },
      1);
  std::vector<int> first(members.size(), 0);  // cluster of each part
  int next = 0;
  for (std::size_t p = 0; p < first.size(); ++p) {
    first[p] = next;
    next += count[p];
  }
  for (std::size_t i = 0; i < cluster.size(); ++i)
    cluster[i] =
        cluster[i] < 0 ? next++ : cluster[i] + first[static_cast<std::size_t>(turning.part[i])];
  return cluster;
}

/// Which exemplars turn by each of `clusterings`: one after the other goes where most are missing,
/// so that one exemplar more moves none of the others.
std::vector<std::vector<std::size_t>> dealt_out(std::size_t exemplars, double clusterings) {
  const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(clusterings)));
  std::vector<double> share(count, 1);
  share.back() = clusterings - static_cast<double>(count - 1);
  const double all = std::accumulate(share.begin(), share.end(), 0.0);
  std::vector<std::vector<std::size_t>> dealt(count);
  for (std::size_t x = 0; x < exemplars; ++x) {
    const auto missing = [&](std::size_t c) {
      return share[c] / all * static_cast<double>(x + 1) - static_cast<double>(dealt[c].size());
    };
    std::size_t most = 0;
    for (std::size_t c = 1; c < count; ++c)
      if (missing(c) > missing(most)) most = c;
    dealt[most].push_back(x);
  }
  std::erase_if(dealt, [](const std::vector<std::size_t>& each) { return each.empty(); });
  return dealt;
}

}  // namespace

std::vector<Clustering> make_clusterings(const WeightProblem& problem,
                                         const ClusteringOptions& options) {
  if (options.mode == RotationMode::exact) {
    std::vector<std::size_t> all(problem.exemplars.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<int> own(problem.positions.size());
    std::iota(own.begin(), own.end(), 0);
    return {{std::move(own), std::move(all)}};
  }
  std::vector<Clustering> clusterings;
  for (std::vector<std::size_t>& exemplars :
       dealt_out(problem.exemplars.size(), options.clusterings))
    clusterings.push_back({{}, std::move(exemplars)});
  parallel_for(
      clusterings.size(),
      [&](std::size_t c) {
        const std::uint64_t seed = options.seed * 1000 + c;
        clusterings[c].cluster = problem.turning
                                     ? cluster_parts(problem, seed)
                                     : cluster_vertices(problem.positions, problem.graph,
                                                        {.count = options.clusters, .seed = seed});
      },
      1);
  return clusterings;
}

namespace {

/// make(c) of each clustering, side by side.
template <class Make>
std::vector<RotationTables> tables_of(std::size_t count, const Make& make) {
  std::vector<std::optional<RotationTables>> made(count);
  parallel_for(
      count, [&](std::size_t c) { made[c].emplace(make(c)); }, 1);
  std::vector<RotationTables> tables;
  for (std::optional<RotationTables>& table : made) tables.push_back(std::move(*table));
  return tables;
}

}  // namespace

std::vector<RotationTables> rotation_tables(const WeightProblem& problem,
                                            const std::vector<Clustering>& clusterings,
                                            RotationPrecision precision) {
  return tables_of(clusterings.size(), [&](std::size_t c) {
    return RotationTables(problem, clusterings[c].cluster, clusterings[c].exemplars, precision);
  });
}

std::vector<RotationTables> rotation_tables(const WeightProblem& problem,
                                            const std::vector<Clustering>& clusterings,
                                            const std::vector<RotationTables>& before) {
  return tables_of(clusterings.size(), [&](std::size_t c) {
    return RotationTables(problem, clusterings[c].cluster, before[c]);
  });
}

}  // namespace sinew
