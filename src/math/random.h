// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sinew {

/// Numbers that look random and are the same on every machine for the same seed, which those of the
/// standard library's distributions are not.
///
/// The generator is xoshiro256++ of D. Blackman and S. Vigna (Scrambled linear pseudorandom number
/// generators, ACM Transactions on Mathematical Software 47(4), 2021), its state filled by
/// splitmix64 as they advise, so that any seed will do, 0 too. normal() goes through std::log,
/// whose last bit is the math library's.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = split_mix(seed);
  }

  /// 64 random bits.
  std::uint64_t next() {
    auto& [a, b, c, d] = state_;
    const std::uint64_t bits = std::rotl(a + d, 23) + a;
    const std::uint64_t shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = std::rotl(d, 45);
    return bits;
  }

  /// In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// In [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Mean 0, variance 1: G. Marsaglia's polar method, without keeping its second number, so that
  /// the state is all in the generator.
  double normal() {
    while (true) {
      const double x = uniform(-1, 1), y = uniform(-1, 1);
      const double square = x * x + y * y;
      if (square > 0 && square < 1) return x * std::sqrt(-2 * std::log(square) / square);
    }
  }

 private:
  static std::uint64_t split_mix(std::uint64_t& seed) {
    seed += 0x9E3779B97F4A7C15ull;
    std::uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
    return mixed ^ (mixed >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace sinew
