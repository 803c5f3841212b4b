// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "core/parallel.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"

namespace sinew {
namespace {

using namespace std::chrono_literals;

double harmonic_sum(std::size_t count) {
  return parallel_reduce(
      count, 100, 0.0,
      [](ChunkRange range) {
        double sum = 0;
        for (std::size_t i = range.begin; i < range.end; ++i)
          sum += 1.0 / static_cast<double>(i + 1);
        return sum;
      },
      [](double a, double b) { return a + b; });
}

TEST(Parallel, EveryIndexIsVisitedExactlyOnce) {
  for (const std::size_t count : {0u, 1u, 1023u, 1024u, 1025u, 100000u}) {
    std::vector<int> visits(count, 0);
    parallel_for(count, [&](std::size_t i) { ++visits[i]; });
    for (const int v : visits) ASSERT_EQ(v, 1);
  }
}

TEST(Parallel, SumsAreTheSameBitsForAnyNumberOfThreads) {
  double one_thread = 0;
  {
    const ThreadLimit limit(1);
    one_thread = harmonic_sum(1'000'003);
  }
  for (const int threads : {2, 3, 8}) {
    const ThreadLimit limit(threads);
    for (int repeat = 0; repeat < 5; ++repeat) ASSERT_EQ(harmonic_sum(1'000'003), one_thread);
  }
  EXPECT_NEAR(one_thread, std::log(1'000'003.0) + 0.57721566490153286, 1e-6);
}

TEST(Parallel, ReductionKeepsTheOrderOfChunks) {
  const auto digits = parallel_reduce(
      7, 2, std::vector<std::size_t>{},
      [](ChunkRange range) {
        std::vector<std::size_t> part(range.end - range.begin);
        std::iota(part.begin(), part.end(), range.begin);
        return part;
      },
      [](std::vector<std::size_t> a, const std::vector<std::size_t>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      });
  EXPECT_EQ(digits, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Parallel, ThreadsThatStayAwakeDoTheSameWork) {
  const double asleep = harmonic_sum(100'003);
  const AwakeThreads awake;
  const AwakeThreads once_more;
  for (const std::chrono::microseconds gap :
       {0us, 50us, 500us, 20'000us}) {  // the last is too long
    std::this_thread::sleep_for(gap);
    EXPECT_EQ(harmonic_sum(100'003), asleep);
    std::vector<double> nested(7);
    parallel_for(
        nested.size(), [&](std::size_t n) { nested[n] = harmonic_sum(10'000 + n); }, 1);
    for (std::size_t n = 0; n < nested.size(); ++n) EXPECT_EQ(nested[n], harmonic_sum(10'000 + n));
  }
}

TEST(Parallel, ThreadsThatStayAwakeKeepToTheLimit) {
  const ThreadLimit limit(1);
  std::this_thread::sleep_for(50ms);  // a thread that looks for work in earlier loops may finish
  const AwakeThreads awake;
  const std::thread::id here = std::this_thread::get_id();
  for (int loop = 0; loop < 20; ++loop) {
    std::this_thread::sleep_for(200us);
    parallel_for(
        20,
        [&](std::size_t) {
          std::this_thread::sleep_for(20us);
          EXPECT_EQ(std::this_thread::get_id(), here);
        },
        1);
  }
}

TEST(Parallel, LoopsGoOnAfterOneThatThrew) {
  const AwakeThreads awake;
  for (int loop = 0; loop < 10; ++loop) {
    EXPECT_THROW(parallel_for(
                     100,
                     [](std::size_t n) {
                       if (n == 57) throw std::runtime_error("on purpose");
                     },
                     1),
                 std::runtime_error);
    EXPECT_GT(harmonic_sum(10'000), 9);
  }
}

TEST(Parallel, SeveralUsersMayKeepThreadsAwakeAtOnce) {
  const double expected = harmonic_sum(20'000);
  std::vector<std::thread> users;
  std::atomic<int> right = 0;
  for (int user = 0; user < 3; ++user)
    users.emplace_back([&] {
      for (int loop = 0; loop < 20; ++loop) {
        const AwakeThreads awake;
        right += harmonic_sum(20'000) == expected;
        right += harmonic_sum(20'000) == expected;
      }
    });
  for (std::thread& user : users) user.join();
  EXPECT_EQ(right, 3 * 20 * 2);
}

}  // namespace
}  // namespace sinew
