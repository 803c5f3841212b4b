// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/detail_levels.h"

#include "characters/characters.h"
#include "support/checked.h"

namespace sinew::test {

Character character_in_levels(const std::string& example, std::span<const std::string> names,
                              std::span<const int> vertices) {
  Character all;
  MeshData data;
  std::vector<std::vector<Influence>> rows;
  for (std::size_t level = 0; level < names.size(); ++level) {
    const Character one = checked(make_example(example, {.vertices = vertices[level]})).character;
    if (level == 0) all = one;
    const auto base = static_cast<VertexIndex>(data.positions.size());
    data.positions.insert(data.positions.end(), one.mesh.positions().begin(),
                          one.mesh.positions().end());
    for (Triangle triangle : one.mesh.triangles()) {
      for (VertexIndex& corner : triangle) corner += base;
      data.triangles.push_back(triangle);
    }
    for (std::size_t v = 0; v < one.mesh.vertex_count(); ++v)
      rows.emplace_back(one.weights.row(v).begin(), one.weights.row(v).end());
    if (level == 0) all.parts.clear();
    all.parts.push_back({names[level], base, one.mesh.vertex_count()});
  }
  all.mesh = checked(Mesh::create(std::move(data)));
  all.weights = SkinWeights::from_rows(all.skeleton.bone_count(), rows);
  return all;
}

}  // namespace sinew::test
