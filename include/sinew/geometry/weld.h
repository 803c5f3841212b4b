// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/model/mesh.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

struct WeldOptions {
  double tolerance_rel =
      1e-6;  // of the main box's largest side: above float noise, below any detail
};

/// A mesh with one vertex per place, and the way back. File formats split vertices at seams of
/// texture, normal or material; a solver must not see those cuts.
struct WeldedMesh {
  Mesh mesh;  // a place is where its first copy is; faces whose corners fell together are gone
  std::vector<VertexIndex> welded;        // of every original vertex: its place
  std::vector<VertexIndex> copies;        // original vertices, grouped by place, ascending in each
  std::vector<std::size_t> copies_begin;  // places + 1
  std::size_t collapsed_triangles = 0;    // that are gone
};

/// Joins vertices that are within the tolerance of each other. Places are numbered in the order of
/// their first copy. Cost: O(vertices).
[[nodiscard]] WeldedMesh weld(const Mesh& mesh, const WeldOptions& options = {});

/// Weights per place to weights per original vertex: all copies get the same row.
[[nodiscard]] SkinWeights spread_to_copies(const WeldedMesh& welded, const SkinWeights& weights);

/// Weights per original vertex to weights per place: the mean of the copies. Copies without
/// weights do not count.
[[nodiscard]] SkinWeights mean_of_copies(const WeldedMesh& welded, const SkinWeights& weights);

}  // namespace sinew
