// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "sinew/core/result.h"
#include "sinew/formats/imported.h"

namespace sinew {

struct ObjOptions {
  std::string mesh_name =
      "mesh";  // for faces outside any object or group; callers pass the file's stem
  std::filesystem::path folder;  // where mtllib and textures are; empty: none are looked for
};

/// Reads a Wavefront OBJ: v (with colours), vt, vn, f, l, o, g, usemtl, mtllib; other statements
/// are passed over.
///
/// - Vertices keep the order of the file. A position that faces use with several texture
/// coordinates or normals
///   becomes several vertices, side by side. In a file of a single object, positions that nothing
///   uses are kept too, so that without seams vertex i is the i-th v: weights stored elsewhere
///   still fit.
/// - Every object and group is a mesh node of its own; faces that come back to it later join it.
/// Its materials are
///   primitives over the same vertices.
/// - Polygons are cut by triangulate_polygon; lines become LINES.
/// - OBJ has no unit and no up axis: numbers stay as they are.
///
/// The place of an error is "line N". Memory is bounded by the size of the file.
[[nodiscard]] Result<Imported> parse_obj(std::span<const std::byte> file,
                                         const ObjOptions& options = {});

}  // namespace sinew
