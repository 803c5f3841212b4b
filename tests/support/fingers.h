// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "sinew/model/character.h"
#include "sinew/volume/embedding.h"
#include "sinew/volume/tet_lattice.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew::test {

/// The finger of each vertex, by the artist's weights: that of the bones which have most of it, or
/// none. Fingers are told by the names of their bones, "finger2-3.L" or "ring-finger-tip"; what is
/// in the palm is none.
struct Fingers {
  std::vector<int> of_vertex;      // -1 for none
  std::vector<std::string> names;  // of fingers
};
[[nodiscard]] Fingers fingers_of(const Character& character);

/// Where fingers share cells.
struct FingerContacts {
  std::size_t cells_of_two = 0;        // that hold vertices of two fingers or more
  std::size_t tets_of_two = 0;         // of the lattice in them, too
  std::size_t contacts = 0;            // faces between cells that have no finger in common
  std::set<std::string> names_of_two;  // fingers that share a tetrahedron, "finger2.L finger3.L"
};
[[nodiscard]] FingerContacts finger_contacts(const VoxelGrid& grid, const Fingers& fingers);

}  // namespace sinew::test
