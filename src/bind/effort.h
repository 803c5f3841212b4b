// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/rig/bone_cells.h"

namespace sinew {

/// How long edges are beside the bones next to them: of each vertex, the mean length of its edges
/// over the length of its nearest bone, at most 1; of those the geometric mean by area. It does not
/// change when vertices are added where there is no area, and hardly when a few edges are cut.
struct EdgeToBone {
  std::vector<double> of_part;  // of the mesh; 1 for parts without edges
  double whole = 1;
};
[[nodiscard]] EdgeToBone find_edge_to_bone(const PreparedMesh& mesh, const BoneSegments& segments,
                                           const BoneCells& cells);

/// How hard a solve works, by how fine the mesh is for its bones. Where edges are a third as long
/// as bones or more, every vertex turns by itself, bones want every choice, and weights settle
/// slowly; where they are much shorter, neighbours turn alike, and a few steps do. In between
/// everything changes continuously, but for whole numbers, which go one by one. What turns a vertex
/// depends on its part alone, how many steps there are on the whole, and how many bones a vertex
/// may have on both.
struct Effort {
  std::vector<int> clusters;            // of each part, in each clustering
  std::vector<int> clusters_if_asked;   // the same where vertices are to turn together in any case
  bool is_exact = false;                // every one of `clusters` is one vertex
  std::vector<std::size_t> most_bones;  // of a vertex of each part, before the cap
  double clusterings = 1;
  /// Before the cap, where it takes away what more steps would gain.
  double steps_at_cap = 0;
  double reach_at_cap = 1;  // of all but the last whole one: StepOptions::reach
  double tolerance = 0;     // of the distortion: a step that changes it by less is the last
  double finish_rounds = 0;
  int least_finish_rounds = 0;
  double poses_of_mirrored = 0;  // random ones
  std::string reason;
};

/// The ends of the tolerance are those of options: solved to the end, and at the cap.
struct Tolerances {
  double coarse = 0, fine = 0;
};
[[nodiscard]] Effort effort_of(const EdgeToBone& edge_to_bone, const MeshParts& parts,
                               const Tolerances& tolerances);

}  // namespace sinew
