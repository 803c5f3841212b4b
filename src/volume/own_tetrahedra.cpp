// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/own_tetrahedra.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "sinew/geometry/surface_queries.h"
#include "volume/elements_of_points.h"

namespace sinew {
namespace {

constexpr std::size_t kQuestionGrain = 16;  // of some microseconds each

constexpr ElementPoint kNoPoint = static_cast<ElementPoint>(-1);

/// Leaves out the points that no element refers to. Returns what became of each.
std::vector<ElementPoint> drop_unused_points(Elements& elements) {
  std::vector<ElementPoint> point_of_vertex(elements.points.size(), kNoPoint);
  for (const Tetrahedron& tetrahedron : elements.tetrahedra)
    for (const ElementPoint corner : tetrahedron) point_of_vertex[corner] = 0;
  ElementPoint count = 0;
  for (std::size_t v = 0; v < point_of_vertex.size(); ++v) {
    if (point_of_vertex[v] == kNoPoint) continue;
    elements.points[count] = elements.points[v];
    point_of_vertex[v] = count++;
  }
  elements.points.resize(count);
  for (Tetrahedron& tetrahedron : elements.tetrahedra)
    for (ElementPoint& corner : tetrahedron) corner = point_of_vertex[corner];
  return point_of_vertex;
}

/// Where vertices lie that are no points: on the triangles that bound the elements.
class Boundary {
 public:
  Boundary(const Elements& elements, const ElementsOfPoints& of_points)
      : elements_(elements), of_points_(of_points), surface_(boundary_of(elements)) {}

  struct Place {
    Triangle corners{};
    std::array<double, 3> coefficients{};
    std::uint32_t element = 0;
  };
  [[nodiscard]] Place closest_to(const Vec3& point) const {
    const auto found = surface_.closest_point(point, HUGE_VAL, [](std::size_t) { return true; });
    assert(found);
    const Triangle& corners = surface_.triangles()[found->triangle];
    return {corners, found->barycentric, element_at(corners)};
  }

 private:
  static Mesh boundary_of(const Elements& elements) {
    MeshData data;
    data.positions = elements.points;
    data.triangles = boundary_triangles(elements.tetrahedra);
    // Tetrahedra that are there twice bound nothing.
    if (data.triangles.empty())
      for (const auto& [a, b, c, d] : elements.tetrahedra)
        data.triangles.insert(data.triangles.end(), {{a, b, c}, {a, b, d}, {a, c, d}, {b, c, d}});
    return *Mesh::create(std::move(data));  // as valid as the mesh it came from
  }

  [[nodiscard]] std::uint32_t element_at(const Triangle& face) const {
    for (const auto& [element, corner] : of_points_.around(face[0])) {
      const auto corners = elements_.corners_of(element);
      if (std::ranges::all_of(
              face, [&](ElementPoint p) { return std::ranges::find(corners, p) != corners.end(); }))
        return element;
    }
    assert(false);
    return 0;
  }

  const Elements& elements_;
  const ElementsOfPoints& of_points_;
  SurfaceQueries surface_;
};

}  // namespace

std::optional<OwnTetrahedra> own_tetrahedra(const Mesh& mesh) {
  OwnTetrahedra own;
  own.elements = elements_of(mesh);
  if (own.elements.tetrahedra.empty()) return std::nullopt;
  own.flat_tetrahedra = mesh.tetrahedra().size() - own.elements.tetrahedra.size();
  const std::vector<ElementPoint> point_of_vertex = drop_unused_points(own.elements);
  const ElementsOfPoints of_points(own.elements);
  std::vector<std::size_t> outside;
  for (std::size_t v = 0; v < point_of_vertex.size(); ++v)
    if (point_of_vertex[v] == kNoPoint) outside.push_back(v);
  own.outside_vertices = outside.size();
  std::vector<Boundary::Place> places(outside.size());
  if (!outside.empty()) {
    const Boundary boundary(own.elements, of_points);
    parallel_for(
        outside.size(),
        [&](std::size_t i) { places[i] = boundary.closest_to(mesh.positions()[outside[i]]); },
        kQuestionGrain);
  }
  Embedding& embedding = own.embedding;
  embedding.begin.push_back(0);
  for (std::size_t v = 0, next = 0; v < point_of_vertex.size(); ++v) {
    if (const ElementPoint point = point_of_vertex[v]; point != kNoPoint) {
      embedding.corner.push_back(point);
      embedding.coefficient.push_back(1);
      embedding.element.push_back(of_points.around(point).front().element);
    } else {
      const Boundary::Place& place = places[next++];
      embedding.corner.insert(embedding.corner.end(), place.corners.begin(), place.corners.end());
      embedding.coefficient.insert(embedding.coefficient.end(), place.coefficients.begin(),
                                   place.coefficients.end());
      embedding.element.push_back(place.element);
    }
    embedding.begin.push_back(embedding.corner.size());
  }
  return own;
}

}  // namespace sinew
