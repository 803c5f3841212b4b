// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "edit/patch_problem.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr int kOutside = -1;

/// For each clustering, the clusters that free vertices pull on: their own and their neighbours'.
std::vector<std::vector<bool>> clusters_that_turn(const WholeProblem& whole,
                                                  std::span<const VertexIndex> free) {
  std::vector<std::vector<bool>> turns(whole.clusterings.size());
  parallel_for(
      turns.size(),
      [&](std::size_t c) {
        const std::vector<int>& cluster = whole.clusterings[c].cluster;
        turns[c].assign(1 + static_cast<std::size_t>(*std::ranges::max_element(cluster)), false);
        for (const VertexIndex i : free) {
          turns[c][static_cast<std::size_t>(cluster[i])] = true;
          for (const VertexIndex k : whole.problem.graph.neighbours_of(i))
            turns[c][static_cast<std::size_t>(cluster[k])] = true;
        }
      },
      1);
  return turns;
}

/// The columns of the Laplacian that draw a free weight, as far as they are needed.
std::vector<VertexIndex> laplacian_columns(const WholeProblem& whole,
                                           std::span<const VertexIndex> free,
                                           const std::vector<bool>& is_free) {
  const SparseMatrix& laplacian = whole.problem.laplacian;
  std::vector<VertexIndex> columns;
  const auto draws_a_free_one = [&](VertexIndex v) {
    for (SparseMatrix::InnerIterator entry(laplacian, v); entry; ++entry)
      if (is_free[static_cast<std::size_t>(entry.row())]) return true;
    return false;
  };
  for (const FlatConstraint& each : whole.flat)
    if (draws_a_free_one(each.vertex)) columns.push_back(each.vertex);
  if (whole.coupling == Coupling::harmonic)
    for (const VertexIndex i : free)
      for (SparseMatrix::InnerIterator entry(laplacian, i); entry; ++entry)
        columns.push_back(static_cast<VertexIndex>(entry.row()));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

/// Where the vertices of the whole problem are in the patch.
class Places {
 public:
  Places(std::span<const VertexIndex> vertices, std::size_t count) : place_(count, kOutside) {
    for (std::size_t p = 0; p < vertices.size(); ++p) place_[vertices[p]] = static_cast<int>(p);
  }
  [[nodiscard]] bool has(std::size_t vertex) const { return place_[vertex] != kOutside; }
  [[nodiscard]] VertexIndex of(std::size_t vertex) const {
    return static_cast<VertexIndex>(place_[vertex]);
  }

 private:
  std::vector<int> place_;
};

MeshGraph gather(const MeshGraph& whole, std::span<const VertexIndex> vertices,
                 const Places& places) {
  MeshGraph graph;
  graph.begin.push_back(0);
  std::vector<std::pair<VertexIndex, double>> row;
  for (const VertexIndex i : vertices) {
    row.clear();
    for (std::size_t e = whole.begin[i]; e < whole.begin[i + 1]; ++e)
      if (places.has(whole.neighbours[e]))
        row.emplace_back(places.of(whole.neighbours[e]), whole.edge_measure[e]);
    std::sort(row.begin(), row.end());
    for (const auto& [neighbour, measure] : row) {
      graph.neighbours.push_back(neighbour);
      graph.edge_measure.push_back(measure);
    }
    graph.begin.push_back(graph.neighbours.size());
    graph.vertex_measure.push_back(whole.vertex_measure[i]);
  }
  return graph;
}

InfluenceMaps gather(const InfluenceMaps& whole, std::span<const VertexIndex> vertices) {
  InfluenceMaps maps;
  maps.bone_count = whole.bone_count;
  for (const VertexIndex i : vertices) {
    maps.bones.insert(maps.bones.end(), whole.bones_of(i).begin(), whole.bones_of(i).end());
    maps.weights.insert(maps.weights.end(), whole.weights_of(i).begin(), whole.weights_of(i).end());
    maps.begin.push_back(maps.bones.size());
  }
  return maps;
}

template <class T>
std::vector<T> gather(const std::vector<T>& whole, std::span<const VertexIndex> vertices) {
  std::vector<T> gathered;
  gathered.reserve(vertices.size());
  for (const VertexIndex i : vertices) gathered.push_back(whole[i]);
  return gathered;
}

/// The given columns; all others are empty.
SparseMatrix gather(const SparseMatrix& laplacian, std::span<const VertexIndex> columns,
                    std::size_t count, const Places& places) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const VertexIndex column : columns)
    for (SparseMatrix::InnerIterator entry(laplacian, column); entry; ++entry)
      entries.emplace_back(static_cast<int>(places.of(static_cast<std::size_t>(entry.row()))),
                           static_cast<int>(places.of(column)), entry.value());
  SparseMatrix gathered(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  gathered.setFromTriplets(entries.begin(), entries.end());
  return gathered;
}

/// Clusters are numbered anew, as the vertices meet them.
Clustering gather(const Clustering& whole, std::span<const VertexIndex> vertices,
                  const std::vector<bool>& turns) {
  Clustering clustering{{}, whole.exemplars};
  clustering.cluster.reserve(vertices.size());
  std::vector<int> number(turns.size(), kNoCluster);
  int count = 0;
  for (const VertexIndex i : vertices) {
    const auto c = static_cast<std::size_t>(whole.cluster[i]);
    if (turns[c] && number[c] == kNoCluster) number[c] = count++;
    clustering.cluster.push_back(number[c]);
  }
  return clustering;
}

}  // namespace

std::vector<VertexIndex> within_rings(const MeshGraph& graph, std::span<const VertexIndex> from,
                                      int rings) {
  std::vector<bool> is_within(graph.vertex_count(), false);
  std::vector<VertexIndex> found;
  const auto add = [&](VertexIndex i) {
    if (is_within[i]) return;
    is_within[i] = true;
    found.push_back(i);
  };
  for (const VertexIndex i : from) add(i);
  std::size_t begin = 0;
  for (int ring = 0; ring < rings && begin != found.size(); ++ring) {
    const std::size_t end = found.size();
    for (; begin != end; ++begin)
      for (const VertexIndex k : graph.neighbours_of(found[begin])) add(k);
  }
  std::sort(found.begin(), found.end());
  return found;
}

PatchProblem make_patch_problem(const WholeProblem& whole, std::span<const VertexIndex> free) {
  const WeightProblem& problem = whole.problem;
  const std::size_t count = problem.positions.size();
  std::vector<bool> is_in(count, false);
  for (const VertexIndex i : free) is_in[i] = true;
  const std::vector<VertexIndex> columns = laplacian_columns(whole, free, is_in);
  const std::vector<std::vector<bool>> turns = clusters_that_turn(whole, free);

  PatchProblem patch;
  patch.free_count = free.size();
  patch.vertices.assign(free.begin(), free.end());
  const auto add = [&](std::size_t i) {
    if (is_in[i]) return;
    is_in[i] = true;
    patch.vertices.push_back(static_cast<VertexIndex>(i));
  };
  for (std::size_t c = 0; c < turns.size(); ++c)
    for (std::size_t i = 0; i < count; ++i)
      if (turns[c][static_cast<std::size_t>(whole.clusterings[c].cluster[i])]) {
        add(i);
        for (const VertexIndex k : problem.graph.neighbours_of(i)) add(k);
      }
  for (const VertexIndex column : columns)
    for (SparseMatrix::InnerIterator entry(problem.laplacian, column); entry; ++entry)
      add(static_cast<std::size_t>(entry.row()));
  std::sort(patch.vertices.begin() + static_cast<std::ptrdiff_t>(free.size()),
            patch.vertices.end());

  const std::vector<VertexIndex>& vertices = patch.vertices;
  const Places places(vertices, count);
  patch.problem.positions = gather(problem.positions, vertices);
  patch.problem.graph = gather(problem.graph, vertices, places);
  patch.problem.maps = gather(problem.maps, vertices);
  patch.problem.exemplars = problem.exemplars;
  for (const ProblemSpine& spine : problem.spines)
    patch.problem.spines.push_back(
        {{spine.attached.bone, spine.attached.rest, gather(spine.attached.parameters, vertices),
          gather(spine.attached.gradients, vertices)},
         spine.motions,
         gather(spine.coefficients, vertices)});
  patch.problem.laplacian = gather(problem.laplacian, columns, vertices.size(), places);
  patch.clusterings.resize(turns.size());
  parallel_for(
      turns.size(),
      [&](std::size_t c) {
        patch.clusterings[c] = gather(whole.clusterings[c], vertices, turns[c]);
      },
      1);
  for (const WeightConstraint& each : whole.constraints)
    if (places.has(each.vertex) && places.of(each.vertex) < free.size())
      patch.constraints.push_back({places.of(each.vertex), each.bone, each.target, each.stiffness});
  for (const FlatConstraint& each : whole.flat)
    if (std::ranges::binary_search(columns, each.vertex))
      patch.flat.push_back({places.of(each.vertex), each.bone, each.stiffness});
  return patch;
}

}  // namespace sinew
