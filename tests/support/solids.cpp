// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/solids.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace sinew::test {
namespace {

/// Two triangles over a quad whose corners run counter-clockwise, seen from outside.
void add_quad(MeshData& data, int a, int b, int c, int d) {
  const auto index = [](int v) { return static_cast<VertexIndex>(v); };
  data.triangles.push_back({index(a), index(b), index(c)});
  data.triangles.push_back({index(a), index(c), index(d)});
}

}  // namespace

MeshData round_ball(const Vec3& centre, double radius, int rings) {
  MeshData data;
  const int sides = 2 * rings;
  for (int ring = 0; ring <= rings; ++ring)
    for (int side = 0; side < sides; ++side) {
      const double down = std::numbers::pi * ring / rings;
      const double turn = 2 * std::numbers::pi * side / sides;
      // The poles are one point each, and weld together.
      const double out = ring == 0 || ring == rings ? 0 : std::sin(down);
      data.positions.push_back(
          centre + radius * Vec3(out * std::cos(turn), out * std::sin(turn), std::cos(down)));
    }
  for (int ring = 0; ring < rings; ++ring)
    for (int side = 0; side < sides; ++side) {
      const int next = (side + 1) % sides;
      add_quad(data, ring * sides + side, (ring + 1) * sides + side, (ring + 1) * sides + next,
               ring * sides + next);
    }
  return data;
}

MeshData ring(double major_radius, double minor_radius, int sides) {
  MeshData data;
  for (int i = 0; i < sides; ++i)
    for (int k = 0; k < sides; ++k) {
      const double around = 2 * std::numbers::pi * i / sides;
      const double about = 2 * std::numbers::pi * k / sides;
      const double out = major_radius + minor_radius * std::cos(about);
      data.positions.emplace_back(out * std::cos(around), out * std::sin(around),
                                  minor_radius * std::sin(about));
    }
  for (int i = 0; i < sides; ++i)
    for (int k = 0; k < sides; ++k) {
      const int i1 = (i + 1) % sides, k1 = (k + 1) % sides;
      add_quad(data, i * sides + k, i1 * sides + k, i1 * sides + k1, i * sides + k1);
    }
  return data;
}

MeshData box_data(const Vec3& low, const Vec3& high) {
  MeshData data;
  for (int k = 0; k < 8; ++k)
    data.positions.emplace_back(k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(),
                                k & 4 ? high.z() : low.z());
  add_quad(data, 0, 2, 3, 1);
  add_quad(data, 0, 1, 5, 4);
  add_quad(data, 1, 3, 7, 5);
  add_quad(data, 3, 2, 6, 7);
  add_quad(data, 2, 0, 4, 6);
  add_quad(data, 4, 5, 7, 6);
  return data;
}

MeshData open_box(const Vec3& low, const Vec3& high) {
  MeshData data = box_data(low, high);
  data.triangles.resize(10);
  return data;
}

MeshData cylinder(double x, double z, double radius, double height, int sides) {
  MeshData data;
  for (int level = 0; level < 2; ++level)
    for (int side = 0; side < sides; ++side) {
      const double turn = 2 * std::numbers::pi * side / sides;
      data.positions.emplace_back(x + radius * std::cos(turn), level * height,
                                  z + radius * std::sin(turn));
    }
  data.positions.emplace_back(x, 0, z);
  data.positions.emplace_back(x, height, z);
  for (int side = 0; side < sides; ++side) {
    const int next = (side + 1) % sides;
    add_quad(data, side, sides + side, sides + next, next);
    const auto index = [](int v) { return static_cast<VertexIndex>(v); };
    data.triangles.push_back({index(2 * sides), index(side), index(next)});
    data.triangles.push_back({index(2 * sides + 1), index(sides + next), index(sides + side)});
  }
  return data;
}

MeshData inside_out(MeshData data) {
  for (Triangle& t : data.triangles) std::swap(t[1], t[2]);
  return data;
}

MeshData mirrored(MeshData data) {
  for (Vec3& p : data.positions) p.x() = -p.x();
  return inside_out(std::move(data));
}

}  // namespace sinew::test
