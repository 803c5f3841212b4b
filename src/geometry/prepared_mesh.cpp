// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/geometry/prepared_mesh.h"

#include <optional>

#include "core/parallel.h"
#include "geometry/main_box.h"

namespace sinew {

UnitFrame UnitFrame::of(const Mesh& mesh) {
  UnitFrame frame;
  const Box box = main_box(mesh);
  if (box.isEmpty()) return frame;
  frame.centre = box.center();
  const double diagonal = box.diagonal().norm();
  if (diagonal > 0) frame.diagonal = diagonal;  // a single point has no size to scale by
  return frame;
}

PreparedMesh prepare_mesh(const Mesh& mesh) {
  WeldedMesh welded = weld(mesh);
  const UnitFrame frame = UnitFrame::of(welded.mesh);
  MeshData data = welded.mesh.data();
  for (Vec3& position : data.positions) position = frame.from_model(position);
  Mesh unit = *Mesh::create(std::move(data));  // as valid as the mesh it came from
  // The Laplacian takes about as long as all the others.
  SparseMatrix laplacian;
  MeshGraph graph;
  MeshParts parts;
  std::optional<SurfaceQueries> surface;
  parallel_for(
      2,
      [&](std::size_t task) {
        if (task == 0) {
          laplacian = make_laplacian(unit);
          return;
        }
        graph = make_mesh_graph(unit);
        parts = find_mesh_parts(unit);
        surface.emplace(unit, parts);
      },
      1);
  return {std::move(welded),  frame,
          std::move(unit),    std::move(graph),
          std::move(parts),   std::move(laplacian),
          std::move(*surface)};
}

}  // namespace sinew
