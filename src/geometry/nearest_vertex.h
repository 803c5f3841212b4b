// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// Finds the nearest of many points. Made in O(n log n); a question takes O(log n) where few points
/// are turned down.
class NearestVertex {
 public:
  /// Of `points`, those that `members` lists.
  NearestVertex(std::span<const Vec3> points, std::vector<VertexIndex> members);

  /// The nearest member that `accept` takes, closer than `max_distance`; the lowest index of
  /// equals.
  template <class Accept>
  [[nodiscard]] std::optional<VertexIndex> find(const Vec3& point, double max_distance,
                                                const Accept& accept) const {
    Nearest nearest{max_distance * max_distance, std::nullopt};
    search(0, members_.size(), point, accept, nearest);
    return nearest.vertex;
  }

 private:
  struct Nearest {
    double squared = 0;
    std::optional<VertexIndex> vertex;
  };

  /// Ranges of this length are looked through one by one.
  static constexpr std::size_t kLeaf = 8;

  void build(std::size_t begin, std::size_t end);

  template <class Accept>
  void search(std::size_t begin, std::size_t end, const Vec3& point, const Accept& accept,
              Nearest& nearest) const {
    if (end - begin <= kLeaf) {
      for (std::size_t i = begin; i < end; ++i) consider(i, point, accept, nearest);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const double offset = point[axes_[middle]] - points_[middle][axes_[middle]];
    consider(middle, point, accept, nearest);
    const bool left_first = offset < 0;
    for (const bool left : {left_first, !left_first}) {
      if (left != left_first && offset * offset > nearest.squared) break;
      left ? search(begin, middle, point, accept, nearest)
           : search(middle + 1, end, point, accept, nearest);
    }
  }

  template <class Accept>
  void consider(std::size_t i, const Vec3& point, const Accept& accept, Nearest& nearest) const {
    const double squared = (points_[i] - point).squaredNorm();
    const bool is_nearer =
        squared < nearest.squared ||
        (squared == nearest.squared && nearest.vertex && members_[i] < *nearest.vertex);
    if (is_nearer && accept(members_[i])) nearest = {squared, members_[i]};
  }

  std::vector<VertexIndex> members_;  // a balanced tree: the middle of a range parts it in two
  std::vector<Vec3> points_;          // beside members_
  std::vector<std::uint8_t> axes_;    // that a middle parts its range along
};

}  // namespace sinew
