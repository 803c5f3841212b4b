// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/sparsify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "weights/joined_maps.h"
#include "weights/skeleton_graph.h"

namespace sinew {
namespace {

constexpr std::size_t kGrain = 512;  // vertices per task: some thousand weights

using Slot = std::uint32_t;  // of a stored weight, counted over all rows: by vertex, then bone

constexpr Slot kNoSlot = std::numeric_limits<Slot>::max();

/// Far above what sums of a row differ by with their order, far below any weight.
constexpr double kSumRounding = 1e-12;

struct Place {
  Slot slot = 0;
  std::uint32_t vertex = 0;
};

/// A weight that may go as far as its own row is concerned.
struct Candidate {
  std::uint32_t key = 0;  // the weight as a float: the bits of positive ones rise with the value
  Slot slot = 0;
  std::uint32_t vertex = 0;
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

  /// Decides of every weight whether it stays.
  ///
  /// The order by weight matters only within rows that cannot lose all of their small weights, by
  /// (i) or (ii). Condition (iv) needs none: a weight that stays keeps the larger ones of its bone
  /// at the neighbours, all of which come later, and may say so at once.
  void prune() {
    find_removable();
    keep_beside_what_stays();
    std::vector<double> sum(maps_.vertex_count());
    std::vector<std::size_t> count(maps_.vertex_count());
    for (std::size_t v = 0; v < maps_.vertex_count(); ++v) {
      sum[v] = row_sum(maps_.weights_of(v));
      count[v] = maps_.bones_of(v).size();
    }
    for (const Candidate& candidate : sorted_candidates()) {
      if (stays_[candidate.slot] != 0) continue;
      const std::size_t v = candidate.vertex;
      const double rest = sum[v] - maps_.weights[candidate.slot];
      if (count[v] <= least_bones_ || !(rest > options_.least_sum)) {
        stays_[candidate.slot] = 1;
        keep_beside({candidate.slot, candidate.vertex});
        continue;
      }
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
          if (stays_[s] != 0) kept_bones.push_back(maps_.bones[s]);
        if (v == range.begin || kept_bones != last_bones) {  // neighbours often have the same
          spanned = skeleton_graph.span(kept_bones);
          last_bones = kept_bones;
        }
        append_row(v, spanned, chunk);
      }
    });
    return joined(chunks, maps_.bone_count);
  }

 private:
  /// What stays because of its own row alone: by (iii), and by (i) or (ii) even if it were the
  /// first to go.
  void find_removable() {
    stays_.assign(maps_.bones.size(), 1);
    tight_.assign(maps_.vertex_count(), 0);
    parallel_for(maps_.vertex_count(), [&](std::size_t v) {
      const std::span<const double> row = maps_.weights_of(v);
      if (row.size() <= least_bones_) return;
      const double most = options_.relative_max * *std::max_element(row.begin(), row.end());
      const double sum = row_sum(row);
      double removable_sum = 0;
      std::size_t removable_count = 0;
      for (std::size_t s = 0; s < row.size(); ++s) {
        if (!(row[s] < most && sum - row[s] > options_.least_sum)) continue;
        stays_[maps_.begin[v] + s] = 0;
        removable_sum += row[s];
        ++removable_count;
      }
      tight_[v] = row.size() - removable_count < least_bones_ ||
                  !(sum - removable_sum > options_.least_sum + kSumRounding);
    });
  }

  [[nodiscard]] Slot find_slot(std::size_t vertex, std::uint32_t bone) const {
    const std::optional<std::size_t> found = maps_.find(vertex, bone);
    return found ? static_cast<Slot>(*found) : kNoSlot;
  }

  /// Condition (iv) for the weights that stay because of their own row.
  void keep_beside_what_stays() {
    std::vector<std::vector<Place>> found(chunk_count(maps_.vertex_count(), kGrain));
    parallel_for_chunks(maps_.vertex_count(), kGrain, [&](ChunkRange range) {
      std::vector<Place>& here = found[range.begin / kGrain];
      for (std::size_t v = range.begin; v != range.end; ++v)
        for (const VertexIndex k : graph_.neighbours_of(v))
          for (std::size_t s = maps_.begin[k]; s != maps_.begin[k + 1]; ++s) {
            if (stays_[s] == 0) continue;
            const Slot own = find_slot(v, maps_.bones[s]);
            if (own != kNoSlot && stays_[own] == 0 && maps_.weights[s] < maps_.weights[own])
              here.push_back({own, static_cast<std::uint32_t>(v)});
          }
    });
    for (const std::vector<Place>& places : found)
      for (const Place& place : places) {
        if (std::exchange(stays_[place.slot], 1) == 0) keep_beside(place);
      }
  }

  /// What has to stay since this one does, near and far.
  void keep_beside(const Place& place) {
    open_.assign(1, place);
    while (!open_.empty()) {
      const Place stays = open_.back();
      open_.pop_back();
      const std::uint32_t bone = maps_.bones[stays.slot];
      for (const VertexIndex k : graph_.neighbours_of(stays.vertex)) {
        const Slot other = find_slot(k, bone);
        if (other == kNoSlot || stays_[other] != 0 ||
            !(maps_.weights[stays.slot] < maps_.weights[other]))
          continue;
        stays_[other] = 1;
        open_.push_back({other, k});
      }
    }
  }

  /// What may go from tight rows, by weight; equal ones by vertex and bone.
  [[nodiscard]] std::vector<Candidate> sorted_candidates() const {
    std::vector<Candidate> list;
    for (std::size_t v = 0; v < maps_.vertex_count(); ++v)
      for (std::size_t s = maps_.begin[v]; tight_[v] != 0 && s != maps_.begin[v + 1]; ++s)
        if (stays_[s] == 0)
          list.push_back({std::bit_cast<std::uint32_t>(static_cast<float>(maps_.weights[s])),
                          static_cast<Slot>(s), static_cast<std::uint32_t>(v)});
    // A radix sort by the weights as floats, whose rounding never swaps two; what they cannot tell
    // apart is little.
    constexpr unsigned kDigitBits = 11;
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    std::vector<Candidate> sorted(list.size());
    for (unsigned shift = 0; shift < 32; shift += kDigitBits) {
      std::array<std::size_t, kDigits> next{};
      const auto digit = [&](const Candidate& c) { return (c.key >> shift) & (kDigits - 1); };
      for (const Candidate& candidate : list) ++next[digit(candidate)];
      std::size_t before = 0;
      for (std::size_t& entry : next) before += std::exchange(entry, before);
      for (const Candidate& candidate : list) sorted[next[digit(candidate)]++] = candidate;
      list.swap(sorted);
    }
    const auto lighter = [&](const Candidate& a, const Candidate& b) {
      return std::pair(maps_.weights[a.slot], a.slot) < std::pair(maps_.weights[b.slot], b.slot);
    };
    for (auto run = list.begin(); run != list.end();) {
      const auto end =
          std::find_if(run, list.end(), [&](const Candidate& c) { return c.key != run->key; });
      if (end - run > 1) std::sort(run, end, lighter);
      run = end;
    }
    return list;
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
  std::vector<unsigned char> stays_;  // per slot
  std::vector<unsigned char> tight_;  // per vertex: (i) or (ii) may keep some of what is removable
  std::vector<Place> open_;
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
