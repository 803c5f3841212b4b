// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/main_box.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr double kStrayShare = 0.01;     // of the vertices, at either end of an axis
constexpr double kStrayedTimes = 3;      // how much larger all is than its middle when some strayed
constexpr double kWithRounding = 1.01;   // so that no digit decides
constexpr double kMiddleToWhole = 1.25;  // about what the ends of a character add to its middle

/// The positions of vertices that anything has as a corner, in `some` if those are not all.
const std::vector<Vec3>& referenced_positions(const Mesh& mesh, std::vector<Vec3>& some) {
  std::vector<unsigned char> is_used(mesh.vertex_count(), 0);
  const auto mark = [&](const auto& elements) {
    for (const auto& element : elements)
      for (const VertexIndex corner : element) is_used[corner] = 1;
  };
  mark(mesh.triangles());
  mark(mesh.tetrahedra());
  mark(mesh.wires());
  if (std::ranges::find(is_used, 0) == is_used.end()) return mesh.positions();
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    if (is_used[v] != 0) some.push_back(mesh.positions()[v]);
  return some.empty() ? mesh.positions() : some;
}

/// The box of what is left when the outermost vertices along each axis are dropped.
Box middle_box(const std::vector<Vec3>& positions) {
  const auto dropped =
      static_cast<std::ptrdiff_t>(kStrayShare * static_cast<double>(positions.size()));
  Box box;
  box.min().setZero();
  box.max().setZero();
  std::vector<double> values(positions.size());
  for (int axis = 0; axis < 3; ++axis) {
    std::transform(positions.begin(), positions.end(), values.begin(),
                   [&](const Vec3& position) { return position[axis]; });
    std::nth_element(values.begin(), values.begin() + dropped, values.end());
    box.min()[axis] = values[static_cast<std::size_t>(dropped)];
    std::nth_element(values.begin(), values.end() - 1 - dropped, values.end());
    box.max()[axis] = *(values.end() - 1 - dropped);
  }
  return box;
}

/// Whether more vertices than could have strayed lie in the outer parts of every axis, so that the
/// middle box is as large as kStrayedTimes wants it, and need not be found.
bool reaches_all_ends(const std::vector<Vec3>& positions, const Box& whole) {
  const auto dropped =
      static_cast<std::ptrdiff_t>(kStrayShare * static_cast<double>(positions.size()));
  const Vec3 outer = (1 - kWithRounding / kStrayedTimes) / 2 * whole.sizes();
  const Vec3 low = whole.min() + outer;
  const Vec3 high = whole.max() - outer;
  Eigen::Array3i at_low = Eigen::Array3i::Zero();
  Eigen::Array3i at_high = Eigen::Array3i::Zero();
  for (const Vec3& position : positions) {
    at_low += (position.array() <= low.array()).cast<int>();
    at_high += (position.array() >= high.array()).cast<int>();
  }
  return at_low.minCoeff() > dropped && at_high.minCoeff() > dropped;
}

}  // namespace

Box main_box(const Mesh& mesh) {
  std::vector<Vec3> some;
  const std::vector<Vec3>& positions = referenced_positions(mesh, some);
  const Box whole = bounding_box(positions);
  if (whole.isEmpty() || reaches_all_ends(positions, whole)) return whole;
  const Box middle = middle_box(positions);
  if (whole.diagonal().norm() <= kStrayedTimes * middle.diagonal().norm() ||
      !(middle.diagonal().norm() > 0))
    return whole;
  const Vec3 half = kMiddleToWhole * middle.sizes() / 2;
  return {middle.center() - half, middle.center() + half};
}

}  // namespace sinew
