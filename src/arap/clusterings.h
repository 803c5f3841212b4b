// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "arap/rotation_tables.h"
#include "sinew/arap/weight_solver.h"

namespace sinew {

/// Which vertices turn together, in some of the exemplars.
struct Clustering {
  std::vector<int> cluster;  // of each vertex
  std::vector<std::size_t> exemplars;
};

/// As in WeightSolverOptions.
struct ClusteringOptions {
  RotationMode mode = RotationMode::exact;
  double clusterings = 2;
  int clusters = 1000;
  std::uint64_t seed = 1;
};

/// In exact mode one clustering, each vertex a cluster; else exemplars go to several in turn.
[[nodiscard]] std::vector<Clustering> make_clusterings(const WeightProblem& problem,
                                                       const ClusteringOptions& options);

/// One for each clustering.
[[nodiscard]] std::vector<RotationTables> rotation_tables(
    const WeightProblem& problem, const std::vector<Clustering>& clusterings,
    RotationPrecision precision = RotationPrecision::full);

/// The same from those of a problem that differs in its bones alone.
[[nodiscard]] std::vector<RotationTables> rotation_tables(
    const WeightProblem& problem, const std::vector<Clustering>& clusterings,
    const std::vector<RotationTables>& before);

}  // namespace sinew
