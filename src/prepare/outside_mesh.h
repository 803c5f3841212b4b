// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model/mesh.h"

namespace sinew {

/// Tells points that are well outside a mesh, however open or badly oriented it is. Made for a few
/// hundred questions: O(triangles) each.
class OutsideMesh {
 public:
  explicit OutsideMesh(const Mesh& mesh);

  /// Whether no connected part winds around the point and the nearest surface is farther away than
  /// a small part of the mesh's diagonal. Nothing is outside a mesh without faces.
  [[nodiscard]] bool contains(const Vec3& point) const;

 private:
  [[nodiscard]] bool is_wound_around(const Vec3& point) const;
  [[nodiscard]] bool is_near_surface(const Vec3& point) const;

  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;      // grouped by part
  std::vector<std::size_t> part_begin_;  // parts + 1
  double near_ = 0;
};

}  // namespace sinew
