// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// Broken and hostile files: an error with a place, or a valid read. Run under the asan preset,
// these also prove memory safety.
#include <random>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "support/gltf_samples.h"
#include "support/read_everything.h"

namespace sinew {
namespace {

constexpr std::size_t kFineBytes = 4096;  // every prefix up to here, then every 37th
constexpr std::size_t kCoarseStep = 37;
constexpr int kMutations = 10'000;  // in all, spread over the samples

/// One to four edits of the kinds that find bugs: flipped bits, extreme numbers, deleted, repeated
/// and moved runs.
Bytes mutated(const Bytes& file, std::mt19937_64& random) {
  Bytes out = file;
  const auto below = [&](std::size_t n) {
    return n == 0 ? 0 : static_cast<std::size_t>(random() % n);
  };
  const std::size_t edits = 1 + below(4);
  for (std::size_t e = 0; e < edits && !out.empty(); ++e) {
    const std::size_t at = below(out.size());
    const std::size_t run = std::min(out.size() - at, 1 + below(16));
    const auto here = out.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(7)) {
      case 0:
        out[at] ^= static_cast<std::byte>(1U << below(8));
        break;
      case 1:
        out[at] = static_cast<std::byte>(below(256));
        break;
      case 2:
        std::fill_n(here, run, static_cast<std::byte>(below(2) * 0xFF));
        break;
      case 3:
        out.erase(here, here + static_cast<std::ptrdiff_t>(run));
        break;
      case 4: {
        const Bytes copy(here, here + static_cast<std::ptrdiff_t>(run));
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(below(out.size())), copy.begin(),
                   copy.end());
        break;
      }
      case 5: {  // a digit of the JSON becomes another, or many
        for (std::size_t i = at; i < out.size() && i < at + 200; ++i)
          if (const char c = static_cast<char>(out[i]); c >= '0' && c <= '9') {
            out[i] = static_cast<std::byte>('0' + below(10));
            if (below(2) == 0)
              out.insert(out.begin() + static_cast<std::ptrdiff_t>(i), below(9), std::byte{'9'});
            break;
          }
        break;
      }
      default:
        out.resize(at);
        break;
    }
  }
  return out;
}

TEST(GltfHostile, EveryTruncatedFileIsRefusedWithAPlace) {
  for (const test::Sample& sample : test::gltf_samples()) {
    SCOPED_TRACE(sample.name);
    ASSERT_FALSE(test::read_everything(sample.file).has_value());
    for (std::size_t size = 0; size < sample.file.size();
         size += size < kFineBytes ? 1 : kCoarseStep)
      ASSERT_TRUE(test::read_everything(std::span(sample.file).first(size)).has_value())
          << size << " bytes";
  }
}

TEST(GltfHostile, TenThousandMutatedFilesAreRefusedOrRead) {
  const std::vector<test::Sample> samples = test::gltf_samples();
  std::mt19937_64 random(20261115);
  int refused = 0, read = 0;
  for (int i = 0; i < kMutations; ++i) {
    const Bytes& file = samples[static_cast<std::size_t>(i) % samples.size()].file;
    (test::read_everything(mutated(file, random)).has_value() ? refused : read) += 1;
  }
  EXPECT_GT(refused, kMutations / 20);
  EXPECT_GT(read, kMutations / 20);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 1 << 20) << "kilobytes";
}

}  // namespace
}  // namespace sinew
