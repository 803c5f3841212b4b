// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/fingers.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace sinew::test {
namespace {

/// The finger that a bone belongs to, "finger2.L" or "ring"; nothing for other bones.
std::optional<std::string> finger_named_by(std::string_view bone) {
  constexpr std::string_view kNumbered = "finger";
  if (bone.starts_with(kNumbered) && bone.size() > kNumbered.size()) {
    std::string finger(bone.substr(0, kNumbered.size() + 1));
    return finger + std::string(bone.substr(std::min(bone.find('.'), bone.size())));
  }
  if (bone.find("metacarpal") != bone.npos) return std::nullopt;
  for (const std::string_view finger : {"thumb", "index", "middle", "ring", "pinky"})
    if (bone.starts_with(finger)) return std::string(finger);
  return std::nullopt;
}

using FingersOfElement = std::map<std::uint32_t, std::set<int>>;

FingersOfElement fingers_of_elements(const Embedding& embedding, const Fingers& fingers) {
  FingersOfElement held;
  for (std::size_t v = 0; v < fingers.of_vertex.size(); ++v)
    if (fingers.of_vertex[v] >= 0) held[embedding.element[v]].insert(fingers.of_vertex[v]);
  return held;
}

}  // namespace

Fingers fingers_of(const Character& character) {
  constexpr double kMostOfIt = 0.6;
  Fingers fingers;
  std::vector<int> finger_of_bone;
  for (const Bone& bone : character.skeleton.bones()) {
    const std::optional<std::string> name = finger_named_by(bone.name);
    const auto known = name ? std::ranges::find(fingers.names, *name) : fingers.names.end();
    finger_of_bone.push_back(name ? static_cast<int>(known - fingers.names.begin()) : -1);
    if (name && known == fingers.names.end()) fingers.names.push_back(*name);
  }
  fingers.of_vertex.assign(character.mesh.vertex_count(), -1);
  for (std::size_t v = 0; v < fingers.of_vertex.size(); ++v) {
    std::vector<double> share(fingers.names.size(), 0);
    for (const Influence& each : character.weights.row(v))
      if (const int finger = finger_of_bone[each.bone]; finger >= 0)
        share[static_cast<std::size_t>(finger)] += each.weight;
    for (std::size_t finger = 0; finger < share.size(); ++finger)
      if (share[finger] > kMostOfIt) fingers.of_vertex[v] = static_cast<int>(finger);
  }
  return fingers;
}

FingerContacts finger_contacts(const VoxelGrid& grid, const Fingers& fingers) {
  const FingersOfElement held = fingers_of_elements(grid.embedding, fingers);
  std::map<std::array<ElementPoint, 4>, std::uint32_t> cell_at_face;
  FingerContacts result;
  for (const auto& [cell, of_cell] : held) {
    result.cells_of_two += of_cell.size() > 1 ? 1 : 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const std::size_t side : {0u, 1u}) {
        std::array<ElementPoint, 4> face{};
        for (std::size_t k = 0, at = 0; k < 8; ++k)
          if ((k >> axis & 1) == side) face[at++] = grid.elements.hexahedra[cell][k];
        std::ranges::sort(face);
        const auto [other, is_new] = cell_at_face.try_emplace(face, cell);
        if (is_new) continue;
        const std::set<int>& of_other = held.at(other->second);
        result.contacts +=
            std::ranges::none_of(of_cell, [&](int finger) { return of_other.contains(finger); });
      }
  }
  const TetLattice lattice = make_tet_lattice(grid);
  for (const auto& [tet, of_tet] : fingers_of_elements(lattice.embedding, fingers)) {
    if (of_tet.size() < 2) continue;
    ++result.tets_of_two;
    std::string names;
    for (const int finger : of_tet)
      names += (names.empty() ? "" : " ") + fingers.names[static_cast<std::size_t>(finger)];
    result.names_of_two.insert(names);
  }
  return result;
}

}  // namespace sinew::test
