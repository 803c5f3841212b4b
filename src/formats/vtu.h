// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sinew/math/types.h"

namespace sinew {

/// Values at the points of a grid, or of its cells; one each.
struct GridField {
  std::string name;  // any text; writers escape it
  std::variant<std::vector<float>, std::vector<std::int32_t>> values;
};

/// Cells between points, with what is known of both, as programs that look at volumes take it.
struct UnstructuredGrid {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  // of positive volume
  /// Corner k stands further along x where k & 1, along y where k & 2, along z where k & 4.
  std::vector<std::array<std::uint32_t, 8>> hexahedra;
  std::vector<GridField> point_fields;
  std::vector<GridField> cell_fields;  // of the hexahedra, then of the tetrahedra
};

/// The grid as a VTK XML file of type UnstructuredGrid (.vtu), for ParaView, VTK and meshio. Arrays
/// are appended, in base64: the file is XML all through. Points are doubles. Fields come in their
/// order, and need a name each of their own: programs take the last of several. Control characters
/// in a name, which XML cannot hold, become '_'; bytes that are no UTF-8 are taken for Latin-1.
[[nodiscard]] std::string write_vtu(const UnstructuredGrid& grid);

}  // namespace sinew
