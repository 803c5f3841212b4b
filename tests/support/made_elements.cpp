// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/made_elements.h"

#include <cmath>
#include <map>

#include "support/mesh_zoo.h"

namespace sinew::test {

Elements placed_cubes(std::span<const PlacedCube> cubes, double edge, const Vec3& origin) {
  Elements elements;
  elements.cell_size = edge;
  std::map<std::array<int, 4>, ElementPoint> point_at;
  for (const PlacedCube& cube : cubes) {
    Hexahedron corners{};
    for (int k = 0; k < 8; ++k) {
      const std::array<int, 4> key{cube.place[0] + (k & 1), cube.place[1] + (k >> 1 & 1),
                                   cube.place[2] + (k >> 2), cube.group};
      const auto [found, is_new] =
          point_at.try_emplace(key, static_cast<ElementPoint>(elements.points.size()));
      if (is_new) elements.points.push_back(origin + edge * Vec3(key[0], key[1], key[2]));
      corners[static_cast<std::size_t>(k)] = found->second;
    }
    elements.hexahedra.push_back(corners);
  }
  return elements;
}

std::vector<PlacedCube> block_of_places(int across, int up, int deep, int group) {
  std::vector<PlacedCube> cubes;
  for (int z = 0; z < deep; ++z)
    for (int y = 0; y < up; ++y)
      for (int x = 0; x < across; ++x) cubes.push_back({{x, y, z}, group});
  return cubes;
}

Elements block_of_cubes(int across, int up, int deep, double edge) {
  return placed_cubes(block_of_places(across, up, deep), edge);
}

Elements uneven_tetrahedra() {
  MeshData data = tetrahedral_data();
  const Box box = bounding_box(data.positions);
  for (std::size_t v = 0; v < data.positions.size(); ++v) {
    Vec3& point = data.positions[v];
    const bool is_inner =
        (point - box.min()).minCoeff() > 1e-6 && (box.max() - point).minCoeff() > 1e-6;
    const double sample = static_cast<double>(v);
    if (is_inner)
      point += 0.03 * Vec3(std::sin(7 * sample), std::sin(3 * sample), std::cos(5 * sample));
  }
  return elements_of(make_mesh(std::move(data)));
}

Eigen::VectorXd field_with_gradient(const Elements& elements, const Vec3& gradient) {
  Eigen::VectorXd field(static_cast<Eigen::Index>(elements.points.size()));
  for (std::size_t p = 0; p < elements.points.size(); ++p)
    field[static_cast<Eigen::Index>(p)] = gradient.dot(elements.points[p]) + 0.7;
  return field;
}

}  // namespace sinew::test
