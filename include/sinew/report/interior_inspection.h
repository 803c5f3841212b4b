// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/bind/boned_mesh.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/character.h"
#include "sinew/rig/bone_contacts.h"
#include "sinew/volume/voxel_grid.h"
#include "sinew/weights/interior.h"

namespace sinew {

/// A piece of an interior that no bone holds, and what it is tied to.
struct LoosePiece {
  std::string mesh;  // that most of its vertices are of; empty where it has no name
  std::size_t cells = 0;
  Vec3 centre = Vec3::Zero();  // model space
  std::string host_mesh;       // of the piece that it is tied to
  int bone = -1;               // of the skeleton: the nearest to where it is tied
  double gap_rel = 0;          // between the two, of the diagonal
  bool is_distant = false;     // beyond contact: it floats
};

/// What the inside of a character looks like to weights that are solved there.
struct InteriorInspection {
  int cells_asked = 0;
  std::size_t cells = 0, points = 0;
  VoxelGridReport grid;            // its volumes in cubed model units
  double cell_size = 0;            // the edge of a cell, in model units
  double cell_size_rel = 0;        // the same, of the diagonal
  std::vector<int> helped_bones;   // left without a point: each was given the nearest
  std::vector<int> outside_bones;  // they hold nothing
  std::vector<int>
      unresolved_bones;              // thinner than 3/4 of a cell: they hold what they pass through
  std::size_t bones_with_cells = 0;  // that hold any point, the helped among them
  std::vector<LoosePiece> loose_pieces;
  std::vector<BoneContact> contacts;
};

/// Looks at the interior that bind would solve on, and solves nothing. The same bits for any number
/// of threads. Fails for a character without a mesh, for options that make no sense, and when
/// cancelled. Cost: that of make_interior.
[[nodiscard]] Result<InteriorInspection> inspect_interior(
    const Character& character, const InteriorOptions& options = {},
    HierarchyChoice hierarchy = HierarchyChoice::effective, const Progress& progress = {});

/// What docs/command-line.md lists as `interior` of a character; bones by the names of `bones`.
[[nodiscard]] Json to_json(const InteriorInspection& interior, const Skeleton& bones);

}  // namespace sinew
