// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "sinew/core/result.h"
#include "sinew/formats/imported.h"

namespace sinew {

struct AssimpImportOptions {
  std::uintmax_t max_bytes = std::uintmax_t{2}
                             << 30;  // assimp holds a scene several times over while it reads
};

/// Reads PLY, STL, FBX or COLLADA (by extension) with the assimp library and turns its scene
/// into glTF: metres, +Y up, right-handed.
///
/// - Units and axes: FBX's UnitScaleFactor and axes, COLLADA's unit and up_axis are applied to
/// positions, node
///   translations, bind matrices and keys alike. PLY and STL have neither: their numbers stay.
/// - Meshes: polygons are cut by triangulate_polygon; vertices that agree in every attribute and
/// weight are joined,
///   but for PLY, whose vertices and their order stay; loose edges become LINES. A mesh node of
///   several materials is one mesh of several primitives. STL's facet normals are dropped, so that
///   its surface is connected.
/// - Skins: a skinned mesh is stored where it stands in its bind pose, on a root node of its own,
/// so that all
///   meshes of a skeleton share one skin, whose inverse bind matrices come from the file. Joints
///   that no vertex uses are listed when they lie between or below those that are used. The
///   strongest eight weights are kept.
/// - Clips: every animation, keys in seconds. Assimp gives keys only where the file has them and
/// drops the shape of
///   curves between them.
/// - Materials: name, base colour, and the base colour texture if it is a PNG or JPEG below the
/// file's folder.
/// - Left out, each with a notice: morph targets, embedded textures, lights and cameras, single
/// points.
///
/// Assimp is not hardened against hostile files: an exception of its becomes an error, but a file
/// made for it may still crash or stall the process. It may open nothing outside the file's own
/// folder.
[[nodiscard]] Result<Imported> read_with_assimp(const std::filesystem::path& path,
                                                const AssimpImportOptions& options = {});

}  // namespace sinew
