// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/grown_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <queue>
#include <tuple>

#include "support/checked.h"

namespace sinew::test {
namespace {

constexpr double kBadgeRel = 0.02;    // of the diagonal, its width
constexpr double kHeightRel = 0.002;  // over the skin

std::array<Vec3, 3> corners_of(const Mesh& mesh, std::size_t triangle) {
  const Triangle& corners = mesh.triangles()[triangle];
  return {mesh.positions()[corners[0]], mesh.positions()[corners[1]], mesh.positions()[corners[2]]};
}

/// Another mesh whose first vertices are the character's own.
Character with_mesh(const Character& character, MeshData data) {
  const std::size_t own = character.mesh.vertex_count();
  Character grown = character;
  grown.mesh = checked(Mesh::create(std::move(data)));
  std::vector<std::vector<Influence>> rows(grown.mesh.vertex_count());
  for (std::size_t v = 0; v < own; ++v) {
    const auto row = character.weights.row(v);
    rows[v].assign(row.begin(), row.end());
  }
  grown.weights = SkinWeights::from_rows(character.skeleton.bone_count(), rows);
  if (rows.size() > own) grown.parts.push_back({"grown", own, rows.size() - own});
  return grown;
}

/// Edges by the triangles at them, the longest first.
class EdgeCutter {
 public:
  explicit EdgeCutter(MeshData& data) : data_(data) {
    for (std::size_t t = 0; t < data_.triangles.size(); ++t) add(t);
  }

  void cut_longest() {
    while (!queue_.empty()) {
      const auto [length, first, second] = queue_.top();
      queue_.pop();
      const std::vector<std::size_t> around = triangles_[{first, second}];
      if (around.empty()) continue;  // cut already
      const auto middle = static_cast<VertexIndex>(data_.positions.size());
      data_.positions.push_back((data_.positions[first] + data_.positions[second]) / 2);
      for (const std::size_t t : around) cut(t, first, second, middle);
      return;
    }
  }

 private:
  using Cut = std::tuple<double, VertexIndex, VertexIndex>;

  static Edge sorted(VertexIndex a, VertexIndex b) { return {std::min(a, b), std::max(a, b)}; }

  void add(std::size_t triangle) {
    for_edges(triangle, [&](const Edge& edge) {
      std::vector<std::size_t>& around = triangles_[edge];
      around.push_back(triangle);
      if (around.size() > 1) return;
      queue_.emplace((data_.positions[edge[0]] - data_.positions[edge[1]]).norm(), edge[0],
                     edge[1]);
    });
  }

  void cut(std::size_t triangle, VertexIndex first, VertexIndex second, VertexIndex middle) {
    for_edges(triangle, [&](const Edge& edge) { std::erase(triangles_[edge], triangle); });
    Triangle other = data_.triangles[triangle];
    std::ranges::replace(data_.triangles[triangle], first, middle);
    std::ranges::replace(other, second, middle);
    data_.triangles.push_back(other);
    add(triangle);
    add(data_.triangles.size() - 1);
  }

  template <class Use>
  void for_edges(std::size_t triangle, const Use& use) {
    const Triangle corners = data_.triangles[triangle];
    for (std::size_t k = 0; k < 3; ++k) use(sorted(corners[k], corners[(k + 1) % 3]));
  }

  MeshData& data_;
  std::map<Edge, std::vector<std::size_t>> triangles_;
  std::priority_queue<Cut> queue_;
};

}  // namespace

Badge badge_over(const Mesh& mesh, std::size_t triangle) {
  const double diagonal = bounding_box(mesh.positions()).diagonal().norm();
  const auto [a, b, c] = corners_of(mesh, triangle);
  const Vec3 up = (b - a).cross(c - a).normalized();
  return {(a + b + c) / 3 + kHeightRel * diagonal * up, kBadgeRel * diagonal};
}

Character with_badge(const Character& character, std::size_t triangle, std::size_t vertices) {
  const Badge badge = badge_over(character.mesh, triangle);
  const auto [a, b, c] = corners_of(character.mesh, triangle);
  const Vec3 along = (b - a).cross(c - a).unitOrthogonal();
  const Vec3 across = (b - a).cross(c - a).normalized().cross(along);
  const auto side =
      std::max(2, static_cast<int>(std::lround(std::sqrt(static_cast<double>(vertices)))));
  MeshData data = character.mesh.data();
  const auto first = static_cast<VertexIndex>(data.positions.size());
  const auto stride = static_cast<VertexIndex>(side);
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      data.positions.push_back(badge.middle + badge.width * ((column / (side - 1.0) - 0.5) * along +
                                                             (row / (side - 1.0) - 0.5) * across));
  for (VertexIndex row = 0; row + 1 < stride; ++row)
    for (VertexIndex column = 0; column + 1 < stride; ++column) {
      const VertexIndex at = first + row * stride + column;
      data.triangles.push_back({at, at + 1, at + stride});
      data.triangles.push_back({at + 1, at + stride + 1, at + stride});
    }
  return with_mesh(character, std::move(data));
}

Character with_edges_cut(const Character& character, std::size_t more) {
  MeshData data = character.mesh.data();
  EdgeCutter cutter(data);
  for (std::size_t n = 0; n < more; ++n) cutter.cut_longest();
  return with_mesh(character, std::move(data));
}

}  // namespace sinew::test
