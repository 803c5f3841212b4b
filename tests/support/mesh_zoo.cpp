// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/mesh_zoo.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"

namespace sinew::test {
namespace {

VertexIndex index(int i) { return static_cast<VertexIndex>(i); }

void scale(MeshData& data, double factor) {
  for (Vec3& position : data.positions) position *= factor;
}

/// A third wing on an edge of the sheet, so that three faces meet there.
MeshData fin() {
  MeshData data = sheet_data(4, 8, 0.5, 2);
  const VertexIndex low = 2 * 5 + 2;  // column 2 of rows 2 and 3
  const VertexIndex high = 3 * 5 + 2;
  data.positions.emplace_back(0.25, 0.6, 0.3);
  data.triangles.push_back({low, high, index(static_cast<int>(data.positions.size()) - 1)});
  return data;
}

/// Faces without area, faces that are there twice, a corner named twice, and a loose vertex.
MeshData degenerate() {
  MeshData data = limb_data();
  const Triangle first = data.triangles[10];
  data.triangles.push_back(first);
  data.triangles.push_back({first[1], first[0], first[2]});
  data.triangles.push_back({first[0], first[0], first[1]});
  const Vec3 middle = (data.positions[first[0]] + data.positions[first[1]]) / 2;
  data.positions.push_back(middle);
  data.triangles.push_back(
      {first[0], first[1], index(static_cast<int>(data.positions.size()) - 1)});
  data.positions.emplace_back(0.1, 0.3, 0.1);
  return data;
}

/// Every triangle has corners of its own, as files with flat shading have.
MeshData soup(const MeshData& data) {
  MeshData split;
  for (const Triangle& triangle : data.triangles) {
    const auto first = static_cast<VertexIndex>(split.positions.size());
    for (const VertexIndex corner : triangle) split.positions.push_back(data.positions[corner]);
    split.triangles.push_back({first, first + 1, first + 2});
  }
  return split;
}

MeshData with_wires() {
  MeshData data = limb_data();
  const auto top = static_cast<VertexIndex>(data.positions.size() - 1);
  for (int i = 1; i <= 3; ++i) {
    data.positions.emplace_back(0, 2 + 0.1 * i, 0);
    const auto here = static_cast<VertexIndex>(data.positions.size() - 1);
    data.wires.push_back({i == 1 ? top : here - 1, here});
  }
  return data;
}

}  // namespace

MeshData limb_data(const LimbOptions& options) {
  MeshData data;
  for (int ring = 0; ring < options.rings; ++ring)
    for (int side = 0; side < options.sides; ++side) {
      const double angle = 2 * std::numbers::pi * side / options.sides;
      data.positions.emplace_back(options.radius * std::cos(angle),
                                  options.height * ring / (options.rings - 1),
                                  options.radius * std::sin(angle));
    }
  const auto at = [&](int ring, int side) {
    return index(ring * options.sides + side % options.sides);
  };
  for (int ring = 0; ring + 1 < options.rings; ++ring)
    for (int side = 0; side < options.sides; ++side) {
      data.triangles.push_back({at(ring, side), at(ring + 1, side), at(ring, side + 1)});
      data.triangles.push_back({at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)});
    }
  const auto bottom = static_cast<VertexIndex>(data.positions.size());
  data.positions.emplace_back(0, 0, 0);
  data.positions.emplace_back(0, options.height, 0);
  for (int side = 0; side < options.sides; ++side) {
    data.triangles.push_back({bottom, at(0, side), at(0, side + 1)});
    data.triangles.push_back(
        {bottom + 1, at(options.rings - 1, side + 1), at(options.rings - 1, side)});
  }
  return data;
}

MeshData sleeve_data(double radius) {
  constexpr int kSides = 12;
  MeshData data = limb_data({kSides, 9, radius, 1.6});
  data.triangles.resize(data.triangles.size() - 2 * kSides);
  data.positions.resize(data.positions.size() - 2);
  for (Vec3& position : data.positions) position.y() += 0.2;
  return data;
}

MeshData ball_data(const Vec3& centre, double radius) {
  MeshData data;
  const Vec3 axes[3] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  for (const Vec3& axis : axes)
    for (const double sign : {-1.0, 1.0}) data.positions.push_back(centre + sign * radius * axis);
  for (const VertexIndex x : {0u, 1u})
    for (const VertexIndex y : {2u, 3u})
      for (const VertexIndex z : {4u, 5u}) {
        const bool turned = (x + y + z) % 2 == 0;
        data.triangles.push_back(turned ? Triangle{x, z, y} : Triangle{x, y, z});
      }
  return data;
}

MeshData sheet_data(int columns, int rows, double width, double height) {
  MeshData data;
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column <= columns; ++column)
      data.positions.emplace_back(width * column / columns, height * row / rows, 0);
  const auto at = [&](int row, int column) { return index(row * (columns + 1) + column); };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      data.triangles.push_back({at(row, column), at(row, column + 1), at(row + 1, column)});
      data.triangles.push_back({at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)});
    }
  return data;
}

MeshData tetrahedral_data() {
  // Six tetrahedra around the diagonal of each cube of a 2 × 8 × 2 grid.
  MeshData data;
  for (int z = 0; z <= 2; ++z)
    for (int y = 0; y <= 8; ++y)
      for (int x = 0; x <= 2; ++x)
        data.positions.emplace_back(0.2 * x - 0.2, 0.25 * y, 0.2 * z - 0.2);
  const auto at = [](int x, int y, int z) { return index((z * 9 + y) * 3 + x); };
  // Ways from one corner to the opposite one, bits: x, y, z. The second three run the other way
  // round.
  const int paths[6][2] = {{1, 3}, {2, 6}, {4, 5}, {1, 5}, {2, 3}, {4, 6}};
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 2; ++x) {
        const auto corner = [&](int bits) {
          return at(x + (bits & 1), y + (bits >> 1 & 1), z + (bits >> 2));
        };
        for (int p = 0; p < 6; ++p) {
          Tetrahedron t{corner(0), corner(paths[p][0]), corner(paths[p][1]), corner(7)};
          if (p >= 3) std::swap(t[1], t[2]);
          data.tetrahedra.push_back(t);
        }
      }
  return data;
}

MeshData together(MeshData first, const MeshData& second) {
  const auto offset = static_cast<VertexIndex>(first.positions.size());
  first.positions.insert(first.positions.end(), second.positions.begin(), second.positions.end());
  const auto append = [&](auto& to, const auto& from) {
    for (auto element : from) {
      for (VertexIndex& corner : element) corner += offset;
      to.push_back(element);
    }
  };
  append(first.triangles, second.triangles);
  append(first.tetrahedra, second.tetrahedra);
  append(first.wires, second.wires);
  return first;
}

Mesh make_mesh(MeshData data) {
  Result<Mesh> mesh = Mesh::create(std::move(data));
  if (!mesh.ok()) throw std::runtime_error(mesh.error().to_string());
  return *std::move(mesh);
}

Character limb_character(MeshData data) {
  Character character;
  character.name = "limb";
  character.mesh = make_mesh(std::move(data));
  character.skeleton = make_skeleton({{"thigh", -1, {0, 0, 0}}, {"shin", 0, {0, 1, 0}}});
  character.weights = SkinWeights(character.mesh.vertex_count(), 2);
  character.parts = {{"limb", 0, character.mesh.vertex_count()}};
  return character;
}

std::vector<ZooMesh> mesh_zoo() {
  MeshData tiny = limb_data();
  scale(tiny, 1e-4);
  MeshData huge = limb_data();
  scale(huge, 1e5);
  MeshData open = limb_data();
  open.triangles.resize(open.triangles.size() - 40);
  std::vector<ZooMesh> zoo;
  const auto add = [&](std::string name, MeshData data) {
    zoo.push_back({std::move(name), make_mesh(std::move(data))});
  };
  add("closed", limb_data());
  add("open", std::move(open));
  add("sheet", sheet_data(4, 8, 0.5, 2));
  add("fin", fin());
  add("degenerate", degenerate());
  add("seamed", soup(limb_data()));
  add("disconnected", together(limb_data(), ball_data({0.25, 0.5, 0}, 0.02)));
  add("crossing", together(limb_data(), limb_data({6, 5, 0.25, 1.3})));
  add("tiny", std::move(tiny));
  add("huge", std::move(huge));
  add("tetrahedral", tetrahedral_data());
  add("wires", with_wires());
  return zoo;
}

}  // namespace sinew::test
