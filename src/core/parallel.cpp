// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/parallel.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>
#include <thread>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "sinew/core/threads.h"

namespace sinew {
namespace {

constexpr std::chrono::milliseconds kLongestWait{10};  // longer gaps are worth a wake-up
constexpr int kPauses = 64;                            // between two looks at the clock

// As process-wide as the threads are.
std::atomic<int> g_awake = 0;          // how many AwakeThreads live
std::atomic<int> g_work = 0;           // how many ParallelWork live
std::atomic<std::uint64_t> g_gap = 0;  // the number of the gap between loops, or the next one

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

bool is_in_gap(std::uint64_t gap) {
  return g_awake.load(std::memory_order_relaxed) > 0 &&
         g_work.load(std::memory_order_relaxed) == 0 &&
         g_gap.load(std::memory_order_relaxed) == gap;
}

/// A task without work, so that its thread does not go to sleep. Others may have the processor.
void stay_awake(std::uint64_t gap) {
  const auto until = std::chrono::steady_clock::now() + kLongestWait;
  while (is_in_gap(gap)) {
    for (int n = 0; n < kPauses && is_in_gap(gap); ++n) pause();
    std::this_thread::yield();
    if (std::chrono::steady_clock::now() > until) return;
  }
}

/// Without memory for the tasks, threads sleep as they would.
void keep_threads_awake() try {
  // With a limit of one thread, a task would have another one made.
  const std::size_t threads =
      std::min(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
               static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  const std::uint64_t gap = g_gap.load(std::memory_order_relaxed);
  for (std::size_t n = 1; n < threads; ++n)
    tbb::this_task_arena::enqueue([gap] { stay_awake(gap); });
} catch (const std::bad_alloc&) {
}

}  // namespace

ParallelWork::ParallelWork() {
  if (g_work.fetch_add(1, std::memory_order_relaxed) == 0)
    g_gap.fetch_add(1, std::memory_order_relaxed);
}

ParallelWork::~ParallelWork() {
  if (g_work.fetch_sub(1, std::memory_order_relaxed) > 1) return;
  if (g_awake.load(std::memory_order_relaxed) > 0) keep_threads_awake();
}

AwakeThreads::AwakeThreads() {
  const bool is_first = g_awake.fetch_add(1, std::memory_order_relaxed) == 0;
  if (is_first && g_work.load(std::memory_order_relaxed) == 0) keep_threads_awake();
}
AwakeThreads::~AwakeThreads() { g_awake.fetch_sub(1, std::memory_order_relaxed); }

struct ThreadLimit::State {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads)
    : state_(new State{tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                           static_cast<std::size_t>(std::max(threads, 1)))}) {}

ThreadLimit::~ThreadLimit() = default;

}  // namespace sinew
