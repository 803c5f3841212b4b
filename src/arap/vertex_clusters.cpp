// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/vertex_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/random.h"

namespace sinew {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();

/// Sums of chances under changes, to draw from: by blocks, since there are far more changes than
/// draws.
class Chances {
 public:
  explicit Chances(std::size_t count)
      : block_size_(std::max<std::size_t>(
            16, static_cast<std::size_t>(std::sqrt(static_cast<double>(count))))),
        sums_(count / block_size_ + 1, 0),
        chances_(count, 0) {}

  void set(std::size_t index, double chance) {
    sums_[index / block_size_] += chance - chances_[index];
    chances_[index] = chance;
  }

  /// The first index whose running sum exceeds a share of the total; none when nothing is left.
  [[nodiscard]] std::size_t draw(double share) const {
    double total = 0;
    for (const double sum : sums_) total += sum;
    double left = share * total;
    std::size_t block = 0;
    while (block + 1 < sums_.size() && sums_[block] <= left) left -= sums_[block++];
    std::size_t at = block * block_size_;
    const std::size_t end = std::min(at + block_size_, chances_.size());
    while (at < end && chances_[at] <= left) left -= chances_[at++];
    while (at < chances_.size() && !(chances_[at] > 0)) ++at;  // rounding may end on a zero
    return at;
  }

 private:
  std::size_t block_size_;
  std::vector<double> sums_;  // of each block
  std::vector<double> chances_;
};

class Clustering {
 public:
  Clustering(std::span<const Vec3> positions, const MeshGraph& graph)
      : positions_(positions),
        graph_(graph),
        cluster_(positions.size(), -1),
        squared_(positions.size(), kUnreached),
        chances_(positions.size()) {}

  /// A new cluster at a vertex takes every vertex that it is nearer to, along the edges.
  void add_seed(std::size_t seed) {
    const int added = static_cast<int>(centres_.size());
    centres_.push_back(positions_[seed]);
    take(seed, added, 0);
    std::vector<std::size_t> front{seed};
    while (!front.empty()) {
      const std::size_t i = front.back();
      front.pop_back();
      for (const VertexIndex k : graph_.neighbours_of(i)) {
        const double squared = (positions_[k] - centres_.back()).squaredNorm();
        if (!(squared < squared_[k])) continue;
        take(k, added, squared);
        front.push_back(k);
      }
    }
  }

  void seed_every_part() {
    for (std::size_t i = 0; i < cluster_.size(); ++i)
      if (cluster_[i] < 0) add_seed(i);
  }

  void seed_until(std::size_t count, Random& random) {
    while (centres_.size() < std::min(count, cluster_.size())) {
      const std::size_t seed = chances_.draw(random.uniform());
      if (seed >= cluster_.size()) return;  // every vertex lies on a seed
      add_seed(seed);
    }
  }

  /// Centres move to the middle of their vertices, which may then join a neighbour's cluster.
  void settle() {
    std::vector<double> mass(centres_.size(), 0);
    std::fill(centres_.begin(), centres_.end(), Vec3::Zero());
    for (std::size_t i = 0; i < cluster_.size(); ++i) {
      const double measure = std::max(graph_.vertex_measure[i], std::numeric_limits<double>::min());
      centres_[index_of(i)] += measure * positions_[i];
      mass[index_of(i)] += measure;
    }
    for (std::size_t c = 0; c < centres_.size(); ++c)
      if (mass[c] > 0) centres_[c] /= mass[c];
    std::vector<int> joined = cluster_;
    for (std::size_t i = 0; i < cluster_.size(); ++i) {
      double best = (positions_[i] - centres_[index_of(i)]).squaredNorm();
      for (const VertexIndex k : graph_.neighbours_of(i)) {
        const double squared = (positions_[i] - centres_[index_of(k)]).squaredNorm();
        if (!(squared < best)) continue;
        best = squared;
        joined[i] = cluster_[k];
      }
    }
    cluster_ = std::move(joined);
  }

  /// The clusters, numbered without gaps. One that fell apart, when another took its middle, counts
  /// as several: whatever its pieces do, they do not turn together.
  [[nodiscard]] std::vector<int> connected() const {
    std::vector<int> number(cluster_.size(), -1);
    int next = 0;
    std::vector<std::size_t> front;
    for (std::size_t start = 0; start < number.size(); ++start) {
      if (number[start] >= 0) continue;
      number[start] = next;
      front.push_back(start);
      while (!front.empty()) {
        const std::size_t i = front.back();
        front.pop_back();
        for (const VertexIndex k : graph_.neighbours_of(i)) {
          if (number[k] >= 0 || cluster_[k] != cluster_[i]) continue;
          number[k] = next;
          front.push_back(k);
        }
      }
      ++next;
    }
    return number;
  }

 private:
  [[nodiscard]] std::size_t index_of(std::size_t vertex) const {
    return static_cast<std::size_t>(cluster_[vertex]);
  }

  void take(std::size_t vertex, int cluster, double squared) {
    cluster_[vertex] = cluster;
    squared_[vertex] = squared;
    chances_.set(vertex, graph_.vertex_measure[vertex] * squared);
  }

  std::span<const Vec3> positions_;
  const MeshGraph& graph_;
  std::vector<int> cluster_;
  std::vector<double> squared_;  // distance to the seed
  std::vector<Vec3> centres_;
  Chances chances_;
};

}  // namespace

std::vector<int> cluster_vertices(std::span<const Vec3> positions, const MeshGraph& graph,
                                  const ClusterOptions& options) {
  Random random(options.seed);
  Clustering clustering(positions, graph);
  if (!positions.empty())
    clustering.add_seed(
        static_cast<std::size_t>(random.uniform() * static_cast<double>(positions.size())));
  clustering.seed_every_part();
  clustering.seed_until(static_cast<std::size_t>(std::max(1, options.count)), random);
  for (int round = 0; round < options.rounds; ++round) clustering.settle();
  return clustering.connected();
}

}  // namespace sinew
