// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

namespace sinew {

/// A loop is cut into chunks by its length and grain alone, never by the number of threads, and
/// sums are taken in the order of the chunks: the same input gives the same bits on any machine
/// setting.

/// The half-open range of one chunk.
struct ChunkRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Items per chunk when the caller has no better idea: enough to hide the cost of a task.
inline constexpr std::size_t kDefaultGrain = 1024;

[[nodiscard]] constexpr std::size_t chunk_count(std::size_t count, std::size_t grain) {
  return grain == 0 ? 0 : count / grain + (count % grain != 0);
}

/// For as long as one lives, threads that AwakeThreads keeps are free to work. Loops here have one;
/// a library with loops of its own needs one around it.
class ParallelWork {
 public:
  ParallelWork();
  ~ParallelWork();
  ParallelWork(const ParallelWork&) = delete;
  ParallelWork& operator=(const ParallelWork&) = delete;
};

/// For as long as one lives, threads that have nothing to do between two loops stay awake for some
/// milliseconds. To wake one takes as long as a short loop, and on a shared machine a millisecond:
/// docs/decisions/speed.md. For work of many loops with little between them. Tasks of oneTBB that
/// somebody else has may wait for such a thread up to 10 ms, unless ParallelWork is around them.
class AwakeThreads {
 public:
  AwakeThreads();
  ~AwakeThreads();
  AwakeThreads(const AwakeThreads&) = delete;
  AwakeThreads& operator=(const AwakeThreads&) = delete;
};

/// Calls body(ChunkRange) for every chunk, in parallel. Chunks must not write to the same place.
template <class Body>
void parallel_for_chunks(std::size_t count, std::size_t grain, const Body& body) {
  const std::size_t chunks = chunk_count(count, grain);
  if (chunks <= 1) {
    if (chunks == 1) body(ChunkRange{0, count});
    return;
  }
  const ParallelWork work;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, chunks, 1),
                    [&](const tbb::blocked_range<std::size_t>& r) {
                      for (std::size_t c = r.begin(); c != r.end(); ++c)
                        body(ChunkRange{c * grain, std::min(count, (c + 1) * grain)});
                    });
}

/// Calls body(i) for every i below count, in parallel. Calls must not write to the same place.
template <class Body>
void parallel_for(std::size_t count, const Body& body, std::size_t grain = kDefaultGrain) {
  parallel_for_chunks(count, grain, [&](ChunkRange range) {
    for (std::size_t i = range.begin; i != range.end; ++i) body(i);
  });
}

/// Folds map(ChunkRange) over all chunks in their order: combine(combine(identity, chunk 0), chunk
/// 1), ... The maps run in parallel; the fold is serial, so that floating-point sums never depend
/// on threads.
template <class T, class Map, class Combine>
[[nodiscard]] T parallel_reduce(std::size_t count, std::size_t grain, T identity, const Map& map,
                                const Combine& combine) {
  std::vector<T> partial(chunk_count(count, grain), identity);
  parallel_for_chunks(count, grain,
                      [&](ChunkRange range) { partial[range.begin / grain] = map(range); });
  T total = std::move(identity);
  for (T& part : partial) total = combine(std::move(total), std::move(part));
  return total;
}

}  // namespace sinew
