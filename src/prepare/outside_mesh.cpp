// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "prepare/outside_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/prepare/mesh_parts.h"
#include "sinew/prepare/weld.h"

namespace sinew {
namespace {

/// Of the mesh's diagonal: a joint this near to the surface may well belong to it, on whichever
/// side of an open or thin mesh it lies.
constexpr double kNearSurfaceRel = 0.02;

/// Turns around a point: 1 inside a closed surface, 0 outside, between them where it is open.
constexpr double kInsideTurns = 0.5;

/// A sum of solid angles of triangles seen from one point, signed by their orientation. Half of one
/// is the argument of x + iy with y = a · (b × c) and x = |a||b||c| + (a · b)|c| + (b · c)|a| + (c
/// · a)|b| (A. van Oosterom and J. Strackee, IEEE Transactions on Biomedical Engineering 30(2),
/// 1983). Small angles are added by multiplying the numbers, since an arc tangent costs far more.
class SolidAngles {
 public:
  /// The corners from the point, and their distances, in units of about the mesh's size.
  void add(const Vec3& a, const Vec3& b, const Vec3& c, double la, double lb, double lc) {
    const double y = a.dot(b.cross(c));
    const double x = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    if (std::abs(y) > x) {  // more than an eighth of a turn
      sum_ += std::atan2(y, x);
      return;
    }
    if (!(x > 0)) return;  // the point is a corner
    // The product so far is within a quarter turn, and this adds an eighth: it never wraps around.
    const double product_x = x_ * x - y_ * y;
    y_ = x_ * y + y_ * x;
    x_ = product_x;
    if (++factors_ == kMaxFactors || !(x_ > 0)) flush();
  }

  [[nodiscard]] double total() {
    flush();
    return 2 * sum_;
  }

 private:
  static constexpr int kMaxFactors = 16;  // more could leave the range of doubles

  void flush() {
    sum_ += std::atan2(y_, x_);
    x_ = 1;
    y_ = 0;
    factors_ = 0;
  }

  double sum_ = 0;  // of half angles
  double x_ = 1, y_ = 0;
  int factors_ = 0;
};

double squared_distance_to_segment(const Vec3& point, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0 ? std::clamp((point - a).dot(along) / length2, 0.0, 1.0) : 0;
  return (point - a - t * along).squaredNorm();
}

double squared_distance_to_triangle(const Vec3& point, const Vec3& a, const Vec3& b,
                                    const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a);
  const double normal2 = normal.squaredNorm();
  const bool over_face = normal2 > 0 && normal.dot((b - a).cross(point - a)) >= 0 &&
                         normal.dot((c - b).cross(point - b)) >= 0 &&
                         normal.dot((a - c).cross(point - c)) >= 0;
  if (over_face) {
    const double height = normal.dot(point - a);
    return height * height / normal2;
  }
  return std::min({squared_distance_to_segment(point, a, b),
                   squared_distance_to_segment(point, b, c),
                   squared_distance_to_segment(point, c, a)});
}

}  // namespace

OutsideMesh::OutsideMesh(const Mesh& mesh) {
  const Mesh welded = weld(mesh).mesh;  // a seam must not tear a closed body into open pieces
  const Box box = bounding_box(welded.positions());
  near_ = box.isEmpty() ? 0 : kNearSurfaceRel * box.diagonal().norm();
  positions_ = welded.positions();
  triangles_ =
      welded.triangles().empty() ? boundary_triangles(welded.tetrahedra()) : welded.triangles();
  const MeshParts parts = find_mesh_parts(welded);
  const auto part_of = [&](const Triangle& t) { return parts.of_vertex[t[0]]; };
  std::stable_sort(triangles_.begin(), triangles_.end(),
                   [&](const Triangle& a, const Triangle& b) { return part_of(a) < part_of(b); });
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    if (t == 0 || part_of(triangles_[t]) != part_of(triangles_[t - 1])) part_begin_.push_back(t);
  part_begin_.push_back(triangles_.size());
}

bool OutsideMesh::contains(const Vec3& point) const {
  return near_ > 0 && !triangles_.empty() && !is_wound_around(point) && !is_near_surface(point);
}

// Part by part, and without regard to sign: parts that face opposite ways must not cancel.
bool OutsideMesh::is_wound_around(const Vec3& point) const {
  const double unit = kNearSurfaceRel / near_;
  std::vector<Vec3> offsets(positions_.size());
  std::vector<double> lengths(positions_.size());
  for (std::size_t v = 0; v < positions_.size(); ++v) {
    offsets[v] = unit * (positions_[v] - point);
    lengths[v] = offsets[v].norm();
  }
  for (std::size_t part = 0; part + 1 < part_begin_.size(); ++part) {
    SolidAngles angles;
    for (std::size_t t = part_begin_[part]; t < part_begin_[part + 1]; ++t) {
      const auto& [a, b, c] = triangles_[t];
      angles.add(offsets[a], offsets[b], offsets[c], lengths[a], lengths[b], lengths[c]);
    }
    if (std::abs(angles.total()) >= kInsideTurns * 4 * std::numbers::pi) return true;
  }
  return false;
}

bool OutsideMesh::is_near_surface(const Vec3& point) const {
  return std::any_of(triangles_.begin(), triangles_.end(), [&](const Triangle& t) {
    return squared_distance_to_triangle(point, positions_[t[0]], positions_[t[1]],
                                        positions_[t[2]]) <= near_ * near_;
  });
}

}  // namespace sinew
