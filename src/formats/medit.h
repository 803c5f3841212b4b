// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/formats/imported.h"
#include "sinew/math/types.h"

namespace sinew {

struct MeditOptions {
  std::string mesh_name = "mesh";  // MEDIT has no names; callers pass the file's stem
};

/// Reads a tetrahedral mesh in ASCII MEDIT (.mesh): Vertices, Triangles, Quadrilaterals (cut in
/// two), Tetrahedra and Edges; other sections are passed over. The binary sibling (.meshb) is
/// refused.
///
/// All vertices are kept, in the order of the file, in one POSITION accessor:
/// - the triangle primitive has the file's triangles; without any, the boundary of the tetrahedra;
/// - the tetrahedra are an accessor of their own, u32 scalars, four per element, whose index stands
/// in the mesh's
///   extras {"sinew": {"tetrahedra": accessor}};
/// - edges that are sides of no triangle and no tetrahedron are wires: a primitive of mode LINES.
///
/// The place of an error is "line N". Memory is bounded by the size of the file.
[[nodiscard]] Result<Imported> parse_medit(std::span<const std::byte> file,
                                           const MeditOptions& options = {});

/// Tetrahedra, and a whole number for each point and each of them, which MEDIT calls a reference.
struct MeditTetrahedra {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  // of positive volume
  std::vector<int> point_references;                     // one for each
  std::vector<int> tetrahedron_references;               // one for each
};

/// The tetrahedra as an ASCII MEDIT file, which parse_medit, Medit, Gmsh and meshio read.
/// Coordinates come back as the same doubles.
[[nodiscard]] std::string write_medit(const MeditTetrahedra& tetrahedra);

}  // namespace sinew
