// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/symmetric_biped.h"

#include <map>

#include "support/binding.h"
#include "support/checked.h"

namespace sinew::test {

SymmetricBiped symmetric_biped(int vertices) {
  SymmetricBiped biped;
  biped.character = example("biped", vertices);
  const std::vector<Vec3>& old = biped.character.mesh.positions();
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  std::map<std::pair<VertexIndex, int>, VertexIndex> made;  // old vertex and side
  const auto vertex = [&](VertexIndex v, int side) {
    const bool in_plane = old[v].x() <= 0;
    const auto [entry, is_new] =
        made.try_emplace({v, in_plane ? 0 : side}, static_cast<VertexIndex>(positions.size()));
    if (is_new) {
      Vec3 position = old[v];
      position.x() = in_plane ? 0 : side * position.x();
      positions.push_back(position);
    }
    return entry->second;
  };
  for (const Triangle& triangle : biped.character.mesh.triangles()) {
    const auto [a, b, c] = triangle;
    if (old[a].x() <= 0 && old[b].x() <= 0 && old[c].x() <= 0) continue;
    triangles.push_back({vertex(a, 1), vertex(b, 1), vertex(c, 1)});
    triangles.push_back({vertex(a, -1), vertex(c, -1), vertex(b, -1)});
  }
  biped.image.resize(positions.size());
  for (const auto& [key, index] : made) biped.image[index] = made.at({key.first, -key.second});
  biped.character.mesh = checked(Mesh::create({positions, triangles, {}, {}}));
  biped.character.weights = SkinWeights(positions.size(), biped.character.skeleton.bone_count());
  biped.character.parts = {{"body", 0, positions.size()}};
  return biped;
}

}  // namespace sinew::test
