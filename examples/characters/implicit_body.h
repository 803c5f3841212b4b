// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/mesh.h"

namespace sinew::sculpt {

using Mat3 = Eigen::Matrix3d;

/// One solid of a body: a signed distance, negative inside, in metres. For stretched round cones it
/// is the first-order distance value / |gradient|, which is exact on the surface and close to it.
struct Primitive {
  enum class Shape {
    round_cone,  // local origin to (0, length, 0), radius_head to radius_tail; a sphere when length
                 // is 0
    box,         // rounded; `half` includes the rounding
    cylinder,    // along local Y, rounded; half.y() is its half height and half.x() its radius
  };
  Shape shape = Shape::round_cone;
  Vec3 origin = Vec3::Zero();    // body space
  Mat3 axes = Mat3::Identity();  // columns: local X, Y, Z in body space
  Vec3 stretch = Vec3::Ones();   // round cones: local coordinates are divided by it
  double length = 0;             // before the stretch
  double radius_head = 0;
  double radius_tail = 0;
  Vec3 half = Vec3::Zero();
  double rounding = 0;
  double blend = 0;    // how far this solid melts into those of its group before it
  bool carve = false;  // taken away from the solids before it

  [[nodiscard]] double distance(const Vec3& point) const;
};

/// A limb: solids that melt into one another in the order given. It melts into its parent group
/// only around `attach`: two limbs that merely come near each other stay apart.
struct Group {
  int parent = -1;             // an earlier group; -1 for the first
  Vec3 attach = Vec3::Zero();  // body space
  double attach_blend = 0;     // width of the melt at the attachment
  double attach_reach = 1;     // the melt has faded to nothing at this distance from it
  std::vector<Primitive> primitives;
};

/// The share that each group has in a point of the surface; they sum to 1 and change smoothly where
/// groups melt.
using GroupShares = std::vector<double>;

/// A closed body as the zero set of a function that is negative inside. With `mirrored`, what is
/// sculpted at x > 0 exists at x < 0 as well.
struct ImplicitBody {
  std::vector<Group> groups;
  bool mirrored = false;
  double mirror_softness = 0.0025;  // metres; rounds off the crease that a mirror leaves at x = 0

  [[nodiscard]] double value(const Vec3& point) const;
  [[nodiscard]] GroupShares shares(const Vec3& point) const;
  [[nodiscard]] Box bounds() const;
};

/// Evaluates a body near its surface at a fraction of the cost: space is cut into cells, and each
/// knows the few solids that can matter in it. Within `margin` of the surface the values are those
/// of the body.
class FieldCache {
 public:
  FieldCache(const ImplicitBody& body, double margin);

  [[nodiscard]] double value(const Vec3& point) const;
  /// The direction away from the body, a unit vector, by finite differences.
  [[nodiscard]] Vec3 normal(const Vec3& point) const;
  struct Foot {
    Vec3 point;
    Vec3 normal;  // unit; of the level set through the point that was projected
  };
  /// One step along the gradient to the surface, at most `max_step` long.
  [[nodiscard]] Foot project(const Vec3& point, double max_step) const;
  [[nodiscard]] const ImplicitBody& body() const { return *body_; }

 private:
  struct Gradient {
    double value;
    Vec3 slope;
  };
  [[nodiscard]] Gradient gradient(const Vec3& point) const;
  [[nodiscard]] std::vector<std::uint16_t> primitives_near(const Vec3& centre, double margin) const;

  const ImplicitBody* body_;
  Box bounds_;
  double cell_ = 1;
  double probe_ = 1e-4;  // half the width of a finite difference
  Eigen::Array3i counts_ = Eigen::Array3i::Zero();
  std::vector<std::uint32_t> cell_begin_;
  std::vector<std::uint16_t> cell_primitives_;  // packed numbers of primitives, ascending
  struct Slot {
    std::uint16_t group;
    std::uint16_t primitive;
  };
  std::vector<Slot> slots_;
};

}  // namespace sinew::sculpt
