// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/winding_number.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

/// Distance over radius: beyond it a cluster is as good as a point. Twice this makes the error a
/// quarter, and costs about four times as much.
constexpr double kFarRadii = 6;

/// So few triangles are cheaper one by one than in clusters.
constexpr std::size_t kMaxFacesUncut = 8;

/// The solid angle of a triangle, with its corners seen from the point, signed by its side
/// (A. van Oosterom and J. Strackee, IEEE Transactions on Biomedical Engineering 30(2), 1983).
double triangle_solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double y = a.dot(b.cross(c));
  const double x = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(y, x);
}

}  // namespace

WindingNumber::WindingNumber(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  faces_.reserve(triangles.size());
  for (const auto& [a, b, c] : triangles)
    faces_.push_back({positions[a], positions[b], positions[c]});
  if (!faces_.empty()) add_cluster(0, faces_.size());
}

// Halves of equal size: the depth is the logarithm of the number of faces, whatever the mesh.
void WindingNumber::add_cluster(std::size_t begin, std::size_t end) {
  const std::size_t index = clusters_.size();
  clusters_.emplace_back();
  Cluster cluster{begin, end};
  double weight = 0;
  Box box;
  for (std::size_t f = begin; f < end; ++f) {
    const auto& [a, b, c] = faces_[f];
    const Vec3 area = (b - a).cross(c - a) / 2;
    const double size = area.norm();
    cluster.area += area;
    cluster.centre += size * (a + b + c) / 3;
    weight += size;
    box.extend(a).extend(b).extend(c);
  }
  cluster.centre = weight > 0 ? Vec3(cluster.centre / weight) : Vec3(box.center());
  for (std::size_t f = begin; f < end; ++f)
    for (const Vec3& corner : {faces_[f].a, faces_[f].b, faces_[f].c})
      cluster.radius = std::max(cluster.radius, (corner - cluster.centre).norm());

  if (end - begin > kMaxFacesUncut) {
    Eigen::Index axis = 0;
    box.sizes().maxCoeff(&axis);
    const auto place = [axis](const Face& face) {
      return face.a[axis] + face.b[axis] + face.c[axis];
    };
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [this](std::size_t f) {
      return faces_.begin() + static_cast<std::ptrdiff_t>(f);
    };
    std::nth_element(at(begin), at(middle), at(end),
                     [&](const Face& x, const Face& y) { return place(x) < place(y); });
    add_cluster(begin, middle);
    cluster.second = clusters_.size();
    add_cluster(middle, end);
  }
  clusters_[index] = cluster;
}

double WindingNumber::at(const Vec3& point) const {
  return clusters_.empty() ? 0 : solid_angle(0, point) / (4 * std::numbers::pi);
}

double WindingNumber::exactly_at(const Vec3& point) const {
  double sum = 0;
  for (const auto& [a, b, c] : faces_) sum += triangle_solid_angle(a - point, b - point, c - point);
  return sum / (4 * std::numbers::pi);
}

double WindingNumber::solid_angle(std::size_t index, const Vec3& point) const {
  const Cluster& cluster = clusters_[index];
  const Vec3 offset = cluster.centre - point;
  const double distance = offset.norm();
  if (distance > kFarRadii * cluster.radius)
    return cluster.area.dot(offset) / (distance * distance * distance);
  if (cluster.second != 0)
    return solid_angle(index + 1, point) + solid_angle(cluster.second, point);
  double sum = 0;
  for (std::size_t f = cluster.begin; f < cluster.end; ++f)
    sum += triangle_solid_angle(faces_[f].a - point, faces_[f].b - point, faces_[f].c - point);
  return sum;
}

}  // namespace sinew
