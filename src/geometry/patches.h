// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/geometry/mesh_graph.h"

namespace sinew {

/// Finds the patches that some vertices of a graph form: those of one patch are joined by edges
/// between members. One finder serves many sets of members, one after the other.
class PatchFinder {
 public:
  explicit PatchFinder(const MeshGraph& graph)
      : graph_(graph), is_waiting_(graph.vertex_count(), 0) {}

  /// Patches come in the order of their first members, and list theirs from that one on, in the
  /// order in which they are reached. Cost: the members and their edges.
  [[nodiscard]] std::vector<std::vector<VertexIndex>> find(std::span<const VertexIndex> members) {
    for (const VertexIndex v : members) is_waiting_[v] = 1;
    std::vector<std::vector<VertexIndex>> patches;
    for (const VertexIndex start : members) {
      if (is_waiting_[start] == 0) continue;
      is_waiting_[start] = 0;
      patches.emplace_back();
      reached_.assign(1, start);
      while (!reached_.empty()) {
        const VertexIndex v = reached_.back();
        reached_.pop_back();
        patches.back().push_back(v);
        for (const VertexIndex k : graph_.neighbours_of(v)) {
          if (is_waiting_[k] == 0) continue;
          is_waiting_[k] = 0;
          reached_.push_back(k);
        }
      }
    }
    return patches;
  }

 private:
  const MeshGraph& graph_;
  std::vector<unsigned char> is_waiting_;
  std::vector<VertexIndex> reached_;
};

}  // namespace sinew
