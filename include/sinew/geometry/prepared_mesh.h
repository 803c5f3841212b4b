// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/geometry/laplacian.h"
#include "sinew/geometry/mesh_graph.h"
#include "sinew/geometry/mesh_parts.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/geometry/weld.h"

namespace sinew {

/// Centred on the mesh and scaled to a unit diagonal, of the mesh without what strayed: real files
/// are 0.02 or 155 units tall, and no tolerance of ours may notice.
struct UnitFrame {
  Vec3 centre = Vec3::Zero();  // model space
  double diagonal = 1;         // model units

  [[nodiscard]] static UnitFrame of(const Mesh& mesh);
  [[nodiscard]] Vec3 from_model(const Vec3& point) const { return (point - centre) / diagonal; }
  /// The same motion of points of this frame, which a transform makes of points of the model.
  [[nodiscard]] Affine3 motion_from_model(const Affine3& transform) const {
    Affine3 motion = transform;
    motion.translation() = from_model(Vec3(transform * centre));
    return motion;
  }
};

/// Everything about a mesh that weights are made from, all of it welded and in the unit frame.
struct PreparedMesh {
  WeldedMesh welded;  // model space; the way back to the vertices of the file
  UnitFrame frame;
  Mesh mesh;  // welded.mesh in the unit frame
  MeshGraph graph;
  MeshParts parts;
  SparseMatrix laplacian;
  SurfaceQueries surface;
};

[[nodiscard]] PreparedMesh prepare_mesh(const Mesh& mesh);

}  // namespace sinew
