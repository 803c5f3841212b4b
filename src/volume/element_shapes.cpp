// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/element_shapes.h"

#include <algorithm>

namespace sinew {
namespace {

/// What is left of a segment, from 0 at its head to 1 at its tail, when planes cut parts away.
class CutSegment {
 public:
  /// By how much each end is beyond the plane; what is not beyond stays.
  void cut(double head_beyond, double tail_beyond) {
    if (head_beyond <= 0 && tail_beyond <= 0) return;
    if (head_beyond > 0 && tail_beyond > 0) {
      is_empty_ = true;
      return;
    }
    const double at = head_beyond / (head_beyond - tail_beyond);
    (head_beyond > 0) ? from_ = std::max(from_, at) : to_ = std::min(to_, at);
  }

  [[nodiscard]] bool is_empty() const { return is_empty_ || from_ > to_; }

 private:
  double from_ = 0, to_ = 1;
  bool is_empty_ = false;
};

}  // namespace

Box box_of(const Elements& elements, std::size_t element) {
  Box box;
  for (const ElementPoint corner : elements.corners_of(element))
    box.extend(elements.points[corner]);
  return box;
}

Vec3 centre_of(const Elements& elements, std::size_t element) {
  const auto corners = elements.corners_of(element);
  Vec3 sum = Vec3::Zero();
  for (const ElementPoint corner : corners) sum += elements.points[corner];
  return sum / static_cast<double>(corners.size());
}

bool meets(const Box& box, const Vec3& head, const Vec3& tail) {
  CutSegment left;
  for (int axis = 0; axis < 3; ++axis) {
    left.cut(box.min()[axis] - head[axis], box.min()[axis] - tail[axis]);
    left.cut(head[axis] - box.max()[axis], tail[axis] - box.max()[axis]);
  }
  return !left.is_empty();
}

bool passes_through(const Elements& elements, std::size_t element, const Vec3& head,
                    const Vec3& tail) {
  const double margin = kTouchRel * elements.cell_size;
  const auto corners = elements.corners_of(element);
  if (corners.size() != 4) return meets(grown(box_of(elements, element), margin), head, tail);
  CutSegment left;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3& opposite = elements.points[corners[k]];
    const Vec3& a = elements.points[corners[(k + 1) % 4]];
    const Vec3& b = elements.points[corners[(k + 2) % 4]];
    const Vec3& c = elements.points[corners[(k + 3) % 4]];
    Vec3 outward = (b - a).cross(c - a).normalized();
    if (outward.dot(opposite - a) > 0) outward = -outward;
    left.cut(outward.dot(head - a) - margin, outward.dot(tail - a) - margin);
  }
  return !left.is_empty();
}

}  // namespace sinew
