// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/mesh.h"

namespace sinew {

/// Tells points that are well outside a mesh, however open or badly oriented it is. To build: O(n
/// log n). A question costs the same few microseconds for small and large meshes, plus the number
/// of parts; questions may run in parallel.
class OutsideMesh {
 public:
  explicit OutsideMesh(const Mesh& mesh);
  ~OutsideMesh();

  /// Whether no connected part winds around the point and the nearest surface is farther away than
  /// a small part of the mesh's diagonal. Nothing is outside a mesh without faces.
  [[nodiscard]] bool contains(const Vec3& point) const;

 private:
  struct Part;
  OutsideMesh(const Mesh& unit_surface, const UnitFrame& frame);

  UnitFrame frame_;
  SurfaceQueries surface_;   // in the unit frame, as all below
  std::vector<Part> parts_;  // connected, with faces
};

}  // namespace sinew
