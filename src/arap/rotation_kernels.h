// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "math/nearest_rotation.h"

// The inner loops of RotationTables, over plain arrays, for the best instruction set that the
// processor has; all give the same bits. A 4×3 matrix is twelve doubles, column after column.
namespace sinew::rotation_kernels {

inline constexpr std::size_t kPerMotion = 12;
inline constexpr std::size_t kLanes = Lanes3x3::kCount;
inline constexpr std::ptrdiff_t kFarAhead = 12;  // entries: memory takes about that long
inline constexpr std::ptrdiff_t kNearAhead = 6;
inline constexpr std::size_t kSumLanes = 4;  // side by side in sums over exemplars

/// The 3×4 of one motion in as many exemplars as there are lanes: row by row, each entry's lanes
/// side by side.
struct MotionLanes {
  alignas(64) double entries[12][kLanes];
};

/// One vertex's pull on one cluster.
struct Entry {
  std::uint32_t vertex = 0;
  std::uint32_t first_share = 0;  // where its shares of β go, one per bone of the vertex
  double pull[3] = {0, 0, 0};     // t_kc
};

/// The weights of all vertices, beside their bones; positions are three doubles each.
struct Weighted {
  const double* positions = nullptr;
  const std::size_t* begin = nullptr;  // of each vertex's bones
  const double* weights = nullptr;
  const Entry* last_entry = nullptr;  // the end of all entries, beyond those of a cluster
};

struct KernelSet {
  /// Adds Σ w h tᵀ of a cluster's entries to its motions' products. `slots` are those motions'
  /// places for each bone of the first entry's vertex, then of the next.
  void (*add_products)(const Weighted& weighted, const Entry* begin, const Entry* end,
                       const std::uint32_t* slots, double* products);
  /// Σ_m M_m P_m in the first `count` exemplars; in what is left of half the lanes, zero if the
  /// motions' lanes are.
  void (*covariances)(const MotionLanes* lanes, const std::uint32_t* motions, std::size_t size,
                      const double* products, int count, Lanes3x3& sums);
  /// Adds M_mᵀ R to the sums, kSumLanes beside each other for every entry of Q_m; the first time,
  /// puts it there.
  void (*add_turned)(const MotionLanes* lanes, const std::uint32_t* motions, std::size_t size,
                     const Lanes3x3& rotations, int count, bool is_first, double* sums);
  /// Adds up the lanes of `count` sums.
  void (*add_up)(const double* sums, std::size_t count, double* totals);
  /// A cluster's share of β of each bone of its entries: hᵀ Q_j t.
  void (*linear_shares)(const Weighted& weighted, const Entry* begin, const Entry* end,
                        const std::uint32_t* slots, const double* turned, double* shares);
};

[[nodiscard]] const KernelSet& kernels();

}  // namespace sinew::rotation_kernels
