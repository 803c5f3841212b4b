// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/outside_mesh.h"

#include <algorithm>
#include <cmath>

#include "geometry/winding_number.h"

namespace sinew {
namespace {

/// Of the mesh's diagonal: a joint this near to the surface may well belong to it, on whichever
/// side of an open or thin mesh it lies.
constexpr double kNearSurfaceRel = 0.02;

/// With seams closed, which must not tear a closed body into open pieces; in the unit frame.
Mesh unit_surface(const Mesh& mesh) {
  MeshData data = surface_of(weld(mesh).mesh).data();
  const UnitFrame frame = UnitFrame::of(mesh);
  for (Vec3& position : data.positions) position = frame.from_model(position);
  return *Mesh::create(std::move(data));  // as valid as the mesh it came from
}

bool is_within(const Vec3& point, const Box& box, double margin) {
  return ((box.min() - point).array() <= margin).all() &&
         ((point - box.max()).array() <= margin).all();
}

}  // namespace

struct OutsideMesh::Part {
  Box box;
  WindingNumber winding;
};

OutsideMesh::~OutsideMesh() = default;

OutsideMesh::OutsideMesh(const Mesh& mesh) : OutsideMesh(unit_surface(mesh), UnitFrame::of(mesh)) {}

OutsideMesh::OutsideMesh(const Mesh& unit_surface, const UnitFrame& frame)
    : frame_(frame), surface_(unit_surface) {
  const MeshParts parts = find_mesh_parts(unit_surface);
  std::vector<std::vector<Triangle>> triangles(parts.count());
  for (const Triangle& t : unit_surface.triangles())
    triangles[static_cast<std::size_t>(parts.of_vertex[t[0]])].push_back(t);
  for (std::size_t p = 0; p < parts.count(); ++p) {
    Box box;
    for (const VertexIndex v : parts.members[p]) box.extend(unit_surface.positions()[v]);
    parts_.push_back({box, WindingNumber(unit_surface.positions(), triangles[p])});
  }
}

// From the cheapest test to the dearest; most joints of controls end at the first.
bool OutsideMesh::contains(const Vec3& point) const {
  if (parts_.empty()) return false;
  const Vec3 here = frame_.from_model(point);
  if (std::none_of(parts_.begin(), parts_.end(),
                   [&](const Part& part) { return is_within(here, part.box, kNearSurfaceRel); }))
    return true;
  const auto any_triangle = [](std::size_t) { return true; };
  if (surface_.closest_point(here, kNearSurfaceRel, any_triangle)) return false;
  // Part by part, and without regard to sign: parts that face opposite ways must not cancel.
  return std::none_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    return is_within(here, part.box, 0) && std::abs(part.winding.at(here)) >= kInsideTurns;
  });
}

}  // namespace sinew
