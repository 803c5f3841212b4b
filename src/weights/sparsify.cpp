// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/sparsify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

#include "sinew/core/parallel.h"
#include "weights/skeleton_graph.h"

namespace sinew {
namespace {

constexpr std::size_t kGrain = 512;  // vertices per task; a task keeps a list as long as the bones

using Slot = std::uint32_t;  // of a stored weight, counted over all rows: by vertex, then bone

/// A weight that may go as far as its own row is concerned, and the slots of the neighbours'
/// weights of that bone that must go before it.
struct Candidate {
  std::uint64_t order = 0;  // the bits of a positive double rise with its value
  Slot slot = 0;
  std::uint32_t vertex = 0;
  std::uint32_t blockers_begin = 0;
  std::uint32_t blockers_end = 0;
};

struct Candidates {
  std::vector<Candidate> list;  // by slot
  std::vector<Slot> blockers;
};

double row_sum(std::span<const double> row) {
  double sum = 0;
  for (const double weight : row) sum += weight;
  return sum;
}

class Sparsifier {
 public:
  Sparsifier(const SkinWeights& weights, const MeshGraph& graph, const SparsifyOptions& options)
      : maps_(influence_maps(weights)),
        graph_(graph),
        options_(options),
        least_bones_(static_cast<std::size_t>(std::max(1, options.least_bones))) {
    assert(graph.vertex_count() == maps_.vertex_count());
    assert(maps_.bones.size() < std::numeric_limits<Slot>::max());
  }

  /// Afterwards kept() says which weights stay.
  void prune() {
    find_removable();
    Candidates candidates = gather();
    sort_by_weight(candidates.list);

    kept_.assign(maps_.bones.size(), 1);
    std::vector<double> sum(maps_.vertex_count());
    std::vector<std::size_t> count(maps_.vertex_count());
    for (std::size_t v = 0; v < maps_.vertex_count(); ++v) {
      sum[v] = row_sum(maps_.weights_of(v));
      count[v] = maps_.bones_of(v).size();
    }
    for (const Candidate& candidate : candidates.list) {
      const std::size_t v = candidate.vertex;
      const double rest = sum[v] - maps_.weights[candidate.slot];
      if (count[v] <= least_bones_ || !(rest > options_.least_sum)) continue;
      const auto blockers =
          std::span(candidates.blockers)
              .subspan(candidate.blockers_begin, candidate.blockers_end - candidate.blockers_begin);
      if (std::any_of(blockers.begin(), blockers.end(), [&](Slot s) { return kept_[s] != 0; }))
        continue;
      kept_[candidate.slot] = 0;
      sum[v] = rest;
      --count[v];
    }
  }

  /// Property P2, and rows that sum to one again.
  [[nodiscard]] InfluenceMaps connect(const Skeleton& skeleton) const {
    const SkeletonGraph skeleton_graph(skeleton);
    std::vector<InfluenceMaps> chunks(chunk_count(maps_.vertex_count(), kGrain));
    parallel_for_chunks(maps_.vertex_count(), kGrain, [&](ChunkRange range) {
      InfluenceMaps& chunk = chunks[range.begin / kGrain];
      std::vector<std::uint32_t> kept_bones, spanned, last_bones;
      for (std::size_t v = range.begin; v != range.end; ++v) {
        kept_bones.clear();
        for (std::size_t s = maps_.begin[v]; s != maps_.begin[v + 1]; ++s)
          if (kept_[s] != 0) kept_bones.push_back(maps_.bones[s]);
        if (v == range.begin || kept_bones != last_bones) {  // neighbours often have the same
          spanned = skeleton_graph.span(kept_bones);
          last_bones = kept_bones;
        }
        append_row(v, spanned, chunk);
      }
    });
    InfluenceMaps all;
    all.bone_count = maps_.bone_count;
    for (const InfluenceMaps& chunk : chunks) {
      const std::size_t before = all.bones.size();
      for (std::size_t r = 1; r < chunk.begin.size(); ++r)
        all.begin.push_back(before + chunk.begin[r]);
      all.bones.insert(all.bones.end(), chunk.bones.begin(), chunk.bones.end());
      all.weights.insert(all.weights.end(), chunk.weights.begin(), chunk.weights.end());
    }
    return all;
  }

 private:
  /// Conditions that a row alone decides: (iii), and (i) and (ii) for a weight that is the first to
  /// go.
  void find_removable() {
    removable_.assign(maps_.bones.size(), 0);
    parallel_for(maps_.vertex_count(), [&](std::size_t v) {
      const std::span<const double> row = maps_.weights_of(v);
      if (row.size() <= least_bones_) return;
      const double most = options_.relative_max * *std::max_element(row.begin(), row.end());
      const double sum = row_sum(row);
      for (std::size_t s = 0; s < row.size(); ++s)
        removable_[maps_.begin[v] + s] = row[s] < most && sum - row[s] > options_.least_sum;
    });
  }

  /// Candidates and their blockers, condition (iv). Lower weights come first, so that those of the
  /// neighbours are decided when they are asked for; one that can never go settles it now.
  [[nodiscard]] Candidates gather() const {
    std::vector<Candidates> chunks(chunk_count(maps_.vertex_count(), kGrain));
    parallel_for_chunks(maps_.vertex_count(), kGrain, [&](ChunkRange range) {
      constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
      std::vector<std::uint32_t> place_of_bone(maps_.bone_count, kNone);
      std::vector<std::vector<Slot>> blockers;
      std::vector<Slot> open;  // slots of this row that may still go; their places index blockers
      Candidates& chunk = chunks[range.begin / kGrain];
      for (std::size_t v = range.begin; v != range.end; ++v) {
        open.clear();
        for (std::size_t s = maps_.begin[v]; s != maps_.begin[v + 1]; ++s) {
          if (removable_[s] == 0) continue;
          place_of_bone[maps_.bones[s]] = static_cast<std::uint32_t>(open.size());
          open.push_back(static_cast<Slot>(s));
          if (blockers.size() < open.size()) blockers.emplace_back();
          blockers[open.size() - 1].clear();
        }
        if (open.empty()) continue;
        for (const VertexIndex k : graph_.neighbours_of(v)) {
          for (std::size_t s = maps_.begin[k]; s != maps_.begin[k + 1]; ++s) {
            const std::uint32_t place = place_of_bone[maps_.bones[s]];
            if (place == kNone || !(maps_.weights[s] < maps_.weights[open[place]])) continue;
            if (removable_[s] == 0)
              place_of_bone[maps_.bones[s]] = kNone;
            else
              blockers[place].push_back(static_cast<Slot>(s));
          }
        }
        for (std::size_t place = 0; place < open.size(); ++place) {
          std::uint32_t& place_of = place_of_bone[maps_.bones[open[place]]];
          if (place_of == kNone) continue;
          place_of = kNone;
          const auto begin = static_cast<std::uint32_t>(chunk.blockers.size());
          chunk.blockers.insert(chunk.blockers.end(), blockers[place].begin(),
                                blockers[place].end());
          chunk.list.push_back({std::bit_cast<std::uint64_t>(maps_.weights[open[place]]),
                                open[place], static_cast<std::uint32_t>(v), begin,
                                static_cast<std::uint32_t>(chunk.blockers.size())});
        }
      }
    });
    Candidates all;
    for (const Candidates& chunk : chunks) {
      const auto shift = static_cast<std::uint32_t>(all.blockers.size());
      for (Candidate candidate : chunk.list) {
        candidate.blockers_begin += shift;
        candidate.blockers_end += shift;
        all.list.push_back(candidate);
      }
      all.blockers.insert(all.blockers.end(), chunk.blockers.begin(), chunk.blockers.end());
    }
    return all;
  }

  /// A radix sort, which keeps equal weights in the order of their slots.
  static void sort_by_weight(std::vector<Candidate>& list) {
    constexpr unsigned kDigitBits = 11;
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    std::vector<Candidate> sorted(list.size());
    for (unsigned shift = 0; shift < 64; shift += kDigitBits) {
      std::array<std::size_t, kDigits> next{};
      const auto digit = [&](const Candidate& candidate) {
        return static_cast<std::size_t>(candidate.order >> shift) & (kDigits - 1);
      };
      for (const Candidate& candidate : list) ++next[digit(candidate)];
      std::size_t before = 0;
      for (std::size_t& entry : next) before += std::exchange(entry, before);
      for (const Candidate& candidate : list) sorted[next[digit(candidate)]++] = candidate;
      list.swap(sorted);
    }
  }

  void append_row(std::size_t v, std::span<const std::uint32_t> bones, InfluenceMaps& to) const {
    const std::span<const std::uint32_t> old_bones = maps_.bones_of(v);
    const std::span<const double> old_weights = maps_.weights_of(v);
    const std::size_t first = to.weights.size();
    std::size_t s = 0;
    for (const std::uint32_t bone : bones) {
      while (s < old_bones.size() && old_bones[s] < bone) ++s;
      to.bones.push_back(bone);
      to.weights.push_back(s < old_bones.size() && old_bones[s] == bone ? old_weights[s] : 0);
    }
    const double sum = row_sum(std::span(to.weights).subspan(first));
    for (double& weight : std::span(to.weights).subspan(first)) weight /= sum;
    to.begin.push_back(to.bones.size());
  }

  const InfluenceMaps maps_;
  const MeshGraph& graph_;
  const SparsifyOptions& options_;
  const std::size_t least_bones_;
  std::vector<unsigned char> removable_;  // beside maps_.bones
  std::vector<unsigned char> kept_;
};

}  // namespace

InfluenceMaps sparsify(const SkinWeights& weights, const MeshGraph& graph, const Skeleton& skeleton,
                       const SparsifyOptions& options) {
  assert(weights.bone_count() == skeleton.bone_count());
  Sparsifier sparsifier(weights, graph, options);
  sparsifier.prune();
  return sparsifier.connect(skeleton);
}

}  // namespace sinew
