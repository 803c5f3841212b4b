// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/literal_attachment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "sinew/model/mesh.h"

namespace sinew::test {
namespace {

constexpr double kMargin = 1e-9;
constexpr double kFar = std::numeric_limits<double>::infinity();

double distance_to(const Segment& segment, const Vec3& point) {
  const Vec3 to_head = segment.head - point, to_tail = segment.tail - point;
  const double length = (segment.tail - segment.head).norm();
  if (length == 0) return to_head.norm();
  const Vec3 along = (segment.tail - segment.head) / length;
  if (along.dot(to_head) > 0) return to_head.norm();
  if (along.dot(to_tail) < 0) return to_tail.norm();
  return along.cross(to_head).norm();
}

/// By the axes that can tell a box and a segment apart: three of the box, three across both.
bool box_meets(const Vec3& middle, const Vec3& half, const Segment& segment) {
  const Vec3 centre = (segment.head + segment.tail) / 2 - middle;
  const Vec3 reach = ((segment.tail - segment.head) / 2).cwiseAbs();
  const Vec3 along = (segment.tail - segment.head) / 2;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(centre[axis]) > half[axis] + reach[axis]) return false;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (std::abs(along[u] * centre[v] - along[v] * centre[u]) >
        half[u] * reach[v] + half[v] * reach[u])
      return false;
  }
  return true;
}

/// Barycentric coordinates are linear along the segment: where all are positive.
bool tetrahedron_meets(const Elements& elements, const Tetrahedron& corners,
                       const Segment& segment) {
  Eigen::Matrix4d places;
  for (int k = 0; k < 4; ++k)
    places.col(k) << elements.points[corners[static_cast<std::size_t>(k)]], 1;
  const Eigen::Matrix4d inverse = places.inverse();
  const Eigen::Vector4d at_head = inverse * segment.head.homogeneous();
  const Eigen::Vector4d at_tail = inverse * segment.tail.homogeneous();
  double from = 0, to = 1;
  for (int k = 0; k < 4; ++k) {
    const double slope = at_tail[k] - at_head[k];
    if (slope == 0) {
      if (at_head[k] < 0) return false;
    } else if (slope > 0) {
      from = std::max(from, -at_head[k] / slope);
    } else {
      to = std::min(to, -at_head[k] / slope);
    }
  }
  return from <= to;
}

Box box_around(const Elements& elements, std::size_t element) {
  Box box;
  for (const ElementPoint corner : elements.corners_of(element))
    box.extend(elements.points[corner]);
  return box;
}

class Literal {
 public:
  Literal(const Elements& elements, std::span<const Segment> segments,
          const std::vector<double>& radius_of_bone)
      : elements_(elements), segments_(segments), radius_(radius_of_bone) {}

  LiteralAttachment run() {
    LiteralAttachment result;
    for (std::size_t p = 0; p < elements_.points.size(); ++p)
      result.bone_of_point.push_back(owner_of(static_cast<ElementPoint>(p)));
    for (int bone = 0; bone < static_cast<int>(radius_.size()); ++bone) {
      const bool is_bone = std::ranges::count(segments_, bone, &Segment::bone) > 0;
      if (!is_bone || std::ranges::count(result.bone_of_point, bone) > 0) continue;
      const int point = is_far(bone) ? -1 : point_for(bone, result.bone_of_point);
      if (point < 0) {
        result.outside.push_back(bone);
      } else {
        result.helped.push_back(bone);
        result.bone_of_point[static_cast<std::size_t>(point)] = bone;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] double radius_of(int bone) const { return radius_[static_cast<std::size_t>(bone)]; }

  [[nodiscard]] Vec3 centre(std::size_t element) const {
    Vec3 sum = Vec3::Zero();
    for (const ElementPoint corner : elements_.corners_of(element)) sum += elements_.points[corner];
    return sum / static_cast<double>(elements_.corners_of(element).size());
  }

  [[nodiscard]] bool claims(const Segment& segment, std::size_t element) const {
    const double radius = radius_of(segment.bone);
    if (radius > 0 && distance_to(segment, centre(element)) <= radius) return true;
    if (element >= elements_.hexahedra.size())
      return tetrahedron_meets(elements_,
                               elements_.tetrahedra[element - elements_.hexahedra.size()], segment);
    return box_meets(centre(element), Vec3::Constant(elements_.cell_size * (0.5 + kMargin)),
                     segment);
  }

  [[nodiscard]] double distance(int bone, const Vec3& point) const {
    double least = kFar;
    for (const Segment& segment : segments_)
      if (segment.bone == bone) least = std::min(least, distance_to(segment, point));
    return least;
  }

  [[nodiscard]] bool is_at_joint(int bone, std::size_t element) const {
    if (radius_of(bone) < 0.75 * elements_.cell_size) return false;
    for (const Segment& segment : segments_) {
      if (segment.bone != bone) continue;
      const double third = (segment.head - segment.tail).norm() / 3;
      for (const Vec3& end : {segment.head, segment.tail})
        for (const Segment& other : segments_)
          if (other.bone != bone &&
              distance_to(other, end) <= radius_of(other.bone) + kMargin * elements_.cell_size &&
              (centre(element) - end).norm() <= std::min(radius_of(bone), third))
            return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<std::size_t> elements_at(ElementPoint point) const {
    std::vector<std::size_t> elements;
    for (std::size_t e = 0; e < elements_.size(); ++e)
      if (std::ranges::count(elements_.corners_of(e), point) > 0) elements.push_back(e);
    return elements;
  }

  [[nodiscard]] int owner_of(ElementPoint point) const {
    const std::vector<std::size_t> elements = elements_at(point);
    std::vector<std::pair<double, int>> claimants;
    for (int bone = 0; bone < static_cast<int>(radius_.size()); ++bone) {
      bool is_claimed = false;
      for (const std::size_t e : elements)
        for (const Segment& segment : segments_)
          is_claimed = is_claimed || (segment.bone == bone && claims(segment, e));
      if (is_claimed) claimants.emplace_back(distance(bone, elements_.points[point]), bone);
    }
    std::ranges::sort(claimants);
    if (claimants.empty()) return -1;
    const auto [least, nearest] = claimants[0];
    if (claimants.size() > 1 && claimants[1].first - least <= kMargin * elements_.cell_size)
      return -1;
    for (const std::size_t e : elements)
      if (is_at_joint(nearest, e)) return -1;
    return nearest;
  }

  [[nodiscard]] bool is_far(int bone) const {
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const Box box = box_around(elements_, e);
      for (const Segment& segment : segments_)
        if (segment.bone == bone &&
            box_meets(box.center(), box.sizes() / 2 + Vec3::Constant(2 * elements_.cell_size),
                      segment))
          return false;
    }
    return true;
  }

  [[nodiscard]] int point_for(int bone, const std::vector<int>& bone_of_point) const {
    std::vector<std::pair<double, int>> points;
    for (std::size_t p = 0; p < elements_.points.size(); ++p) {
      const int owner = bone_of_point[p];
      if (owner >= 0 && std::ranges::count(bone_of_point, owner) < 2) continue;
      if (elements_at(static_cast<ElementPoint>(p)).empty()) continue;
      double least = kFar;
      for (const Segment& segment : segments_)
        if (segment.bone == bone)
          least = std::min(least, (elements_.points[p] - (segment.head + segment.tail) / 2).norm());
      points.emplace_back(least, static_cast<int>(p));
    }
    return points.empty() ? -1 : std::ranges::min(points).second;
  }

  const Elements& elements_;
  std::span<const Segment> segments_;
  const std::vector<double>& radius_;
};

}  // namespace

LiteralAttachment literal_attachment(const Elements& elements, std::span<const Segment> segments,
                                     const std::vector<double>& radius_of_bone) {
  return Literal(elements, segments, radius_of_bone).run();
}

}  // namespace sinew::test
