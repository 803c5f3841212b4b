// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <assimp/scene.h>

#include "formats/vertex_table.h"
#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/math/types.h"
#include "sinew/model/mesh.h"
#include "sinew/model/skin_weights.h"

namespace sinew::reading {

struct MeshImport {
  Affine3 placement = Affine3::Identity();  // mesh space of the file to the space that is written
  bool join_identical = true;
  bool keep_normals = true;
  std::size_t joint_count = 0;     // of the skin; 0 for a mesh without one
  std::vector<int> joint_of_bone;  // per bone of the mesh, its position among the skin's joints
};

/// Totals over the meshes of a file, for notices that say one thing once.
struct MeshLosses {
  std::size_t points = 0;  // faces of one corner
  std::size_t morph_targets = 0;
  std::size_t cut_vertices = 0;       // had more than kMaxImportedInfluences weights
  std::size_t rescaled_vertices = 0;  // weights did not sum to 1
  std::size_t bad_normals = 0;
};

/// Writes one mesh of assimp into the document as primitives: triangles, and lines for loose edges.
/// Both share their attributes. The place of an error is that of the mesh.
[[nodiscard]] Result<std::vector<Json>> add_primitives(Document& document, const aiMesh& mesh,
                                                       const MeshImport& import,
                                                       const std::string& place,
                                                       MeshLosses& losses);

void report(const MeshLosses& losses, Notices& notices);

}  // namespace sinew::reading
