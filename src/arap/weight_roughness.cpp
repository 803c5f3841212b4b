// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/weight_roughness.h"

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kGrain = 256;

}  // namespace

WeightRoughness::WeightRoughness(const WeightProblem& problem)
    : pieces_(chunk_count(problem.maps.vertex_count(), kGrain)) {
  const InfluenceMaps& maps = problem.maps;
  const MeshGraph& graph = problem.graph;
  parallel_for_chunks(maps.vertex_count(), kGrain, [&](ChunkRange range) {
    Piece& piece = pieces_[range.begin / kGrain];
    for (std::size_t i = range.begin; i != range.end; ++i) {
      const std::size_t end = maps.begin[i + 1];
      double sum = 0;
      for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
        const std::size_t k = graph.neighbours[e];
        const double measure = graph.edge_measure[e] + graph.edge_measure[edge_back(graph, i, e)];
        sum += measure;
        if (k < i) continue;
        Run run{.measure = measure};
        const auto close = [&] {
          if (run.count > 0) piece.runs.push_back(run);
          run.count = 0;
        };
        std::size_t one = maps.begin[i];
        std::size_t other = maps.begin[k];
        while (one < end && other < maps.begin[k + 1]) {
          if (maps.bones[one] != maps.bones[other]) {
            close();
            ++(maps.bones[one] < maps.bones[other] ? one : other);
            continue;
          }
          if (run.count == 0) {
            run.one = static_cast<std::uint32_t>(one);
            run.other = static_cast<std::uint32_t>(other);
          }
          ++run.count;
          ++one;
          ++other;
        }
        close();
      }
      piece.measures.push_back(sum);
    }
    piece.runs.shrink_to_fit();
  });
}

double WeightRoughness::of(const InfluenceMaps& maps, const std::vector<double>& weights) const {
  return parallel_reduce(
      pieces_.size(), 1, 0.0,
      [&](ChunkRange range) {
        const Piece& piece = pieces_[range.begin];
        double squares = 0;
        for (std::size_t i = 0; i < piece.measures.size(); ++i) {
          double of_vertex = 0;
          const std::size_t vertex = range.begin * kGrain + i;
          for (std::size_t b = maps.begin[vertex]; b < maps.begin[vertex + 1]; ++b)
            of_vertex += weights[b] * weights[b];
          squares += piece.measures[i] * of_vertex;
        }
        double products = 0;
        for (const Run& run : piece.runs) {
          const double* const one = weights.data() + run.one;
          const double* const other = weights.data() + run.other;
          double of_run = 0;
          for (std::uint32_t n = 0; n < run.count; ++n) of_run += one[n] * other[n];
          products += run.measure * of_run;
        }
        return squares - 2 * products;
      },
      [](double sum, double piece) { return sum + piece; });
}

}  // namespace sinew
