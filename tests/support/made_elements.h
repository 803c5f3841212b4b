// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/volume/elements.h"

namespace sinew::test {

/// Where a cube stands, in edges from the origin. Cubes of one group share the points where they
/// meet; those of different groups share none, wherever they are.
struct PlacedCube {
  std::array<int, 3> place{};
  int group = 0;
};
[[nodiscard]] Elements placed_cubes(std::span<const PlacedCube> cubes, double edge,
                                    const Vec3& origin = Vec3::Zero());

/// The places of a full block, x fastest.
[[nodiscard]] std::vector<PlacedCube> block_of_places(int across, int up, int deep, int group = 0);

[[nodiscard]] Elements block_of_cubes(int across, int up, int deep, double edge);

/// A block filled with tetrahedra whose inner points are not where a grid would have them.
[[nodiscard]] Elements uneven_tetrahedra();

/// At the points, the linear field that has this gradient and is not zero at the origin.
[[nodiscard]] Eigen::VectorXd field_with_gradient(const Elements& elements, const Vec3& gradient);

}  // namespace sinew::test
