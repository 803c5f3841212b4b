// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/oriented_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "geometry/main_box.h"
#include "sinew/geometry/weld.h"

namespace sinew {
namespace {

/// Volume over area to the power 3/2; a ball has 0.094. A shell with a rim is turned when it is
/// inside out by more than this: a long tube without caps is above it, a cloak is below it.
constexpr double kClearVolumeRel = 0.01;
/// The same for shells without a rim, of which only rounding can be wrong.
constexpr double kClosedVolumeRel = 1e-12;

/// Of the distance from the origin: a mesh that is smaller than this has no digits to tell its
/// vertices apart, and its grid none to tell its corners apart.
constexpr double kSmallestUnitRel = 1e-9;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Side {
  VertexIndex low = 0, high = 0;
  std::uint32_t triangle = 0;
  bool is_upward = false;  // the triangle runs from low to high
};

/// The sides of all triangles, those of one edge together.
std::vector<Side> sorted_sides(const std::vector<Triangle>& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [from, to] = std::pair(triangles[t][k], triangles[t][(k + 1) % 3]);
      sides.push_back({std::min(from, to), std::max(from, to), t, from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

/// Calls body(first, last) for the sides of every edge.
template <class Body>
void for_each_edge(std::vector<Side>& sides, const Body& body) {
  for (auto first = sides.begin(); first != sides.end();) {
    auto last = first;
    while (last != sides.end() && last->low == first->low && last->high == first->high) ++last;
    body(first, last);
    first = last;
  }
}

struct Shells {
  std::vector<std::uint32_t> of_triangle;
  std::vector<bool> is_against;  // of each triangle: it faces otherwise than the first of its shell
  std::size_t count = 0;
};

Shells find_shells(std::vector<Side>& sides, std::size_t triangle_count) {
  struct Neighbour {
    std::uint32_t triangle = kNone;
    bool faces_otherwise = false;
  };
  std::vector<std::array<Neighbour, 3>> neighbours(triangle_count);
  const auto add = [&](std::uint32_t triangle, Neighbour neighbour) {
    for (Neighbour& slot : neighbours[triangle])
      if (slot.triangle == kNone) {
        slot = neighbour;
        return;
      }
  };
  for_each_edge(sides, [&](auto first, auto last) {
    if (last - first != 2 || first->triangle == first[1].triangle) return;
    const bool faces_otherwise = first->is_upward == first[1].is_upward;
    add(first->triangle, {first[1].triangle, faces_otherwise});
    add(first[1].triangle, {first->triangle, faces_otherwise});
  });

  Shells shells;
  shells.of_triangle.assign(triangle_count, kNone);
  shells.is_against.assign(triangle_count, false);
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t start = 0; start < triangle_count; ++start) {
    if (shells.of_triangle[start] != kNone) continue;
    const auto shell = static_cast<std::uint32_t>(shells.count++);
    shells.of_triangle[start] = shell;
    waiting.push_back(start);
    while (!waiting.empty()) {
      const std::uint32_t at = waiting.back();
      waiting.pop_back();
      for (const Neighbour& next : neighbours[at]) {
        if (next.triangle == kNone || shells.of_triangle[next.triangle] != kNone) continue;
        shells.of_triangle[next.triangle] = shell;
        shells.is_against[next.triangle] = shells.is_against[at] != next.faces_otherwise;
        waiting.push_back(next.triangle);
      }
    }
  }
  return shells;
}

void turn(Triangle& triangle) { std::swap(triangle[1], triangle[2]); }

Vec3 area_of(const std::vector<Vec3>& places, const Triangle& t) {
  return (places[t[1]] - places[t[0]]).cross(places[t[2]] - places[t[0]]) / 2;
}

/// Turns the triangles of each shell the way that most of it faces.
void turn_the_few(OrientedSurface& surface, const Shells& shells) {
  struct Areas {
    double with = 0, against = 0;
  };
  std::vector<Areas> areas(shells.count);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    Areas& of_shell = areas[shells.of_triangle[t]];
    (shells.is_against[t] ? of_shell.against : of_shell.with) +=
        area_of(surface.places, surface.triangles[t]).norm();
  }
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Areas& of_shell = areas[shells.of_triangle[t]];
    if (shells.is_against[t] == (of_shell.against > of_shell.with)) continue;
    turn(surface.triangles[t]);
    ++surface.turned_triangles;
  }
}

/// Whether each shell has a rim: an edge that its triangles do not run along as often one way as
/// the other. A shell without one winds around every point by a whole number.
std::vector<bool> shells_with_rim(const OrientedSurface& surface, const Shells& shells) {
  std::vector<Side> sides = sorted_sides(surface.triangles);
  std::vector<bool> has_rim(shells.count, false);
  const auto shell_of = [&](const Side& side) { return shells.of_triangle[side.triangle]; };
  for_each_edge(sides, [&](auto first, auto last) {
    std::sort(first, last, [&](const Side& a, const Side& b) { return shell_of(a) < shell_of(b); });
    for (auto side = first; side != last;) {
      const std::uint32_t shell = shell_of(*side);
      int net = 0;
      for (; side != last && shell_of(*side) == shell; ++side) net += side->is_upward ? 1 : -1;
      if (net != 0) has_rim[shell] = true;
    }
  });
  return has_rim;
}

void turn_outward(OrientedSurface& surface, const Shells& shells) {
  struct Extent {
    Vec3 middle = Vec3::Zero();
    double area = 0, volume = 0;
    bool is_turned = false;
  };
  std::vector<Extent> extents(shells.count);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Triangle& corners = surface.triangles[t];
    const double area = area_of(surface.places, corners).norm();
    Extent& extent = extents[shells.of_triangle[t]];
    extent.area += area;
    for (const VertexIndex corner : corners) extent.middle += area / 3 * surface.places[corner];
  }
  for (Extent& extent : extents)
    if (extent.area > 0) extent.middle /= extent.area;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    Extent& extent = extents[shells.of_triangle[t]];
    const Vec3 seen = surface.places[surface.triangles[t][0]] - extent.middle;
    extent.volume += area_of(surface.places, surface.triangles[t]).dot(seen) / 3;
  }

  const std::vector<bool> has_rim = shells_with_rim(surface, shells);
  for (std::size_t s = 0; s < shells.count; ++s) {
    Extent& extent = extents[s];
    const double clear = has_rim[s] ? kClearVolumeRel : kClosedVolumeRel;
    extent.is_turned = extent.volume < -clear * std::pow(extent.area, 1.5);
    if (extent.is_turned) ++surface.turned_shells;
  }
  surface.is_open.resize(surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const std::uint32_t shell = shells.of_triangle[t];
    surface.is_open[t] = has_rim[shell];
    if (extents[shell].is_turned) turn(surface.triangles[t]);
  }
}

/// Who refers to a place.
struct Use {
  bool by_any = false;      // in the mesh as it came, before faces whose corners fell together went
  bool by_surface = false;  // a triangle or a wire that is left
  bool by_tetrahedra = false;
};

std::vector<Use> find_uses(const Mesh& mesh, const OrientedSurface& surface) {
  std::vector<Use> uses(surface.places.size());
  const auto mark = [&](const auto& elements, const auto& marked) {
    for (const auto& element : elements)
      for (const VertexIndex corner : element) marked(corner);
  };
  const auto any = [&](VertexIndex v) { uses[surface.place_of_vertex[v]].by_any = true; };
  mark(mesh.triangles(), any);
  mark(mesh.wires(), any);
  mark(mesh.tetrahedra(), [&](VertexIndex v) {
    any(v);
    uses[surface.place_of_vertex[v]].by_tetrahedra = true;
  });
  const auto of_surface = [&](VertexIndex place) { uses[place].by_surface = true; };
  mark(surface.triangles, of_surface);
  mark(surface.wires, of_surface);
  return uses;
}

void list_the_rest(OrientedSurface& surface, std::vector<Use>& uses) {
  const bool nothing_refers =
      std::none_of(uses.begin(), uses.end(), [](const Use& use) { return use.by_any; });
  for (VertexIndex place = 0; place < uses.size(); ++place) {
    Use& use = uses[place];
    use.by_any |= nothing_refers;
    if (!use.by_any || use.by_surface) continue;
    (use.by_tetrahedra ? surface.inner : surface.loose).push_back(place);
  }
}

/// Around the middle of the mesh without what strayed, in units of the half of its longest side.
void centre_and_scale(OrientedSurface& surface, const Mesh& mesh, const std::vector<Use>& uses) {
  const Box box = main_box(mesh);
  // Halves first: a sum of the largest numbers there are would be none.
  surface.centre = box.min() / 2 + box.max() / 2;
  const double half = (box.max() / 2 - box.min() / 2).maxCoeff();
  const double away = surface.centre.cwiseAbs().maxCoeff();
  // A point has no size; it scales with where it is.
  surface.unit = half > 0 ? std::max(half, kSmallestUnitRel * away) : away;
  if (!(surface.unit > 0)) surface.unit = 1;
  for (std::size_t place = 0; place < uses.size(); ++place) {
    surface.places[place] = surface.from_model(surface.places[place]);
    if (uses[place].by_any)
      surface.reach = surface.reach.cwiseMax(surface.places[place].cwiseAbs());
  }
}

}  // namespace

OrientedSurface orient_surface(const Mesh& mesh) {
  WeldedMesh welded = weld(mesh);
  OrientedSurface surface;
  surface.place_of_vertex = std::move(welded.welded);
  surface.places = welded.mesh.positions();
  surface.triangles = surface_triangles(welded.mesh);
  surface.wires = welded.mesh.wires();
  std::vector<Use> uses = find_uses(mesh, surface);
  list_the_rest(surface, uses);
  centre_and_scale(surface, mesh, uses);

  std::vector<Side> sides = sorted_sides(surface.triangles);
  const Shells shells = find_shells(sides, surface.triangles.size());
  turn_the_few(surface, shells);
  turn_outward(surface, shells);
  return surface;
}

}  // namespace sinew
