// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// What is the image of what in the plane between left and right. The image of an image is what it
/// was; what lies in the plane is its own image.
struct Mirror {
  int axis = 0;              // of model space; 0 for x
  double offset = 0;         // where the plane is on it, unit frame
  std::vector<int> vertex;   // the image of each vertex; -1 for none
  std::vector<int> bone;     // the image of each bone; -1 for none
  std::size_t vertices = 0;  // that have an image
  double share = 0;          // of the mesh's area, or what its graph measures, that has one
};

enum class MirrorChoice {
  automatic,  // across x, y or z, whichever the skeleton is symmetric about
  x,          // across x, for as much of the character as is symmetric
  off,
};
[[nodiscard]] std::string_view to_string(MirrorChoice choice);
[[nodiscard]] std::optional<MirrorChoice> mirror_choice_from(std::string_view name);

struct MirrorOptions {
  MirrorChoice choice = MirrorChoice::automatic;
  double joint_rel = 0.01;   // of the diagonal: how far a joint may be from its partner's image
  double vertex_rel = 1e-4;  // the same for a vertex: what exports leave of symmetry
  double least_bones = 0.8;  // of deforming bones with an image, for a character to be symmetric
  double least_share = 0.5;  // the same for the mesh, by area; 0: the skeleton alone decides
};

/// The name with left and right swapped: arm.L and arm.R, LeftFoot and RightFoot, l_eye and r_eye;
/// the name itself when it says neither.
[[nodiscard]] std::string mirrored_name(std::string_view name);

/// The bone that is called like each one on the other side, numerals aside where that leaves no
/// choice; -1 where there is none.
[[nodiscard]] std::vector<int> bones_of_mirrored_names(const Skeleton& skeleton);

/// The mirror of a character whose bones, by name and place, and most of whose area have images;
/// nothing for others. Cost: O(vertices log vertices).
[[nodiscard]] std::optional<Mirror> find_mirror(const PreparedMesh& prepared,
                                                const Skeleton& skeleton,
                                                const MirrorOptions& options = {});

}  // namespace sinew
