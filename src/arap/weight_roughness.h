// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/arap/weight_problem.h"

namespace sinew {

/// Σ_ik a_ik |w_k − w_i|², which smoothing adds to the energy and figures do without: how much
/// weights differ from one vertex to the next.
///
/// With s_ik = a_ik + a_ki it is Σ_i (Σ_k s_ik) |w_i|² − 2 Σ s_ik w_i·w_k over edges once. Which
/// weights meet in a product is found once, since every step asks. Cost: O(edges × bones), and in
/// memory 24 bytes for each run of bones that two neighbours share, mostly one per edge.
class WeightRoughness {
 public:
  explicit WeightRoughness(const WeightProblem& problem);

  /// Of weights beside maps.bones, which are those of the problem.
  [[nodiscard]] double of(const InfluenceMaps& maps, const std::vector<double>& weights) const;

 private:
  /// Weights of two neighbours that are of the same bones, one after the other.
  struct Run {
    std::uint32_t one = 0;    // place of the first in maps.bones
    std::uint32_t other = 0;  // the same at the neighbour
    std::uint32_t count = 0;
    double measure = 0;  // s
  };
  /// Vertices that one task looks at, and their edges to later ones.
  struct Piece {
    std::vector<double> measures;  // Σ_k s_ik of each vertex
    std::vector<Run> runs;
  };
  std::vector<Piece> pieces_;
};

}  // namespace sinew
