// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/nearest_vertex.h"

#include <utility>

namespace sinew {

NearestVertex::NearestVertex(std::span<const Vec3> points, std::vector<VertexIndex> members)
    : members_(std::move(members)), axes_(members_.size(), 0) {
  points_.assign(points.begin(), points.end());  // by vertex while the tree is built
  build(0, members_.size());
  std::vector<Vec3> in_order;
  in_order.reserve(members_.size());
  for (const VertexIndex member : members_) in_order.push_back(points_[member]);
  points_ = std::move(in_order);
}

void NearestVertex::build(std::size_t begin, std::size_t end) {
  if (end - begin <= kLeaf) return;
  Box box;
  for (std::size_t i = begin; i < end; ++i) box.extend(points_[members_[i]]);
  Eigen::Index axis = 0;
  box.sizes().maxCoeff(&axis);
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::size_t i) { return members_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](VertexIndex a, VertexIndex b) {
    return std::pair(points_[a][axis], a) < std::pair(points_[b][axis], b);
  });
  axes_[middle] = static_cast<std::uint8_t>(axis);
  build(begin, middle);
  build(middle + 1, end);
}

}  // namespace sinew
