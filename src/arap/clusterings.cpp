// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/clusterings.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "arap/vertex_clusters.h"
#include "core/parallel.h"
#include "math/random.h"

namespace sinew {
std::vector<Clustering> make_clusterings(const WeightProblem& problem,
                                         const ClusteringOptions& options) {
  std::vector<std::size_t> all(problem.exemplars.size());
  std::iota(all.begin(), all.end(), 0);
  if (options.mode == RotationMode::exact) {
    std::vector<int> own(problem.positions.size());
    std::iota(own.begin(), own.end(), 0);
    return {{std::move(own), std::move(all)}};
  }
  std::vector<Clustering> clusterings(
      std::min(static_cast<std::size_t>(options.clusterings), all.size()));
  Random random(options.seed);
  for (std::size_t x = 0; x < all.size(); ++x) {  // as many on each, in random order
    const auto other =
        x + static_cast<std::size_t>(random.uniform() * static_cast<double>(all.size() - x));
    std::swap(all[x], all[other]);
    clusterings[x % clusterings.size()].exemplars.push_back(all[x]);
  }
  ClusterOptions cluster_options;
  cluster_options.count = options.clusters;
  parallel_for(
      clusterings.size(),
      [&](std::size_t c) {
        ClusterOptions each = cluster_options;
        each.seed = options.seed * 1000 + c;
        clusterings[c].cluster = cluster_vertices(problem.positions, problem.graph, each);
        std::sort(clusterings[c].exemplars.begin(), clusterings[c].exemplars.end());
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
