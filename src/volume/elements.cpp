// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/elements.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/disjoint_sets.h"

namespace sinew {
namespace {

/// Volume, of the cube of the longest edge. Positions that a file stores in floats give a flat
/// tetrahedron about this much, of either sign.
constexpr double kNoVolumeRel = 1e-8;

/// Positive where the last three corners wind clockwise, seen from the first.
double signed_volume(const std::vector<Vec3>& points, const Tetrahedron& tetrahedron) {
  const auto& [a, b, c, d] = tetrahedron;
  return (points[b] - points[a]).dot((points[c] - points[a]).cross(points[d] - points[a])) / 6;
}

std::array<double, 6> edge_lengths(const std::vector<Vec3>& points,
                                   const Tetrahedron& tetrahedron) {
  std::array<double, 6> lengths{};
  std::size_t edge = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = i + 1; k < 4; ++k)
      lengths[edge++] = (points[tetrahedron[i]] - points[tetrahedron[k]]).norm();
  return lengths;
}

}  // namespace

Elements elements_of(const Mesh& mesh) {
  Elements elements;
  elements.points = mesh.positions();
  elements.tetrahedra.reserve(mesh.tetrahedra().size());
  double length_sum = 0;
  for (Tetrahedron tetrahedron : mesh.tetrahedra()) {
    const auto lengths = edge_lengths(elements.points, tetrahedron);
    const double longest = *std::ranges::max_element(lengths);
    const double volume = signed_volume(elements.points, tetrahedron);
    if (!(std::abs(volume) > kNoVolumeRel * longest * longest * longest)) continue;
    if (volume < 0) std::swap(tetrahedron[2], tetrahedron[3]);
    elements.tetrahedra.push_back(tetrahedron);
    for (const double length : lengths) length_sum += length;
  }
  if (!elements.tetrahedra.empty())
    elements.cell_size = length_sum / static_cast<double>(6 * elements.tetrahedra.size());
  return elements;
}

std::vector<int> pieces_of(const Elements& elements) {
  DisjointSets sets(elements.points.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto corners = elements.corners_of(e);
    for (const ElementPoint corner : corners) sets.join(corners[0], corner);
  }
  std::vector<int> piece_of_leader(elements.points.size(), -1);
  std::vector<int> pieces(elements.size());
  int count = 0;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    int& piece = piece_of_leader[sets.find(elements.corners_of(e)[0])];
    if (piece < 0) piece = count++;
    pieces[e] = piece;
  }
  return pieces;
}

double volume_of(const Elements& elements, std::size_t element) {
  if (element < elements.hexahedra.size())
    return elements.cell_size * elements.cell_size * elements.cell_size;
  return signed_volume(elements.points, elements.tetrahedra[element - elements.hexahedra.size()]);
}

}  // namespace sinew
