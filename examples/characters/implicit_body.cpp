// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/implicit_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace sinew::sculpt {
namespace {

constexpr double kFar = 1e3;  // metres; a distance that no body of ours reaches
constexpr std::size_t kMaxGroups = 32;

// First-order distances of stretched solids can grow a little faster than true ones.
constexpr double kSlopeBound = 1.35;

constexpr double kMaxCellsPerDiagonal = 72;  // finer cells hold fewer solids but cost more to fill
constexpr double kProbeRel = 4e-5;           // of the diagonal: a tenth of a millimetre in a person

/// A union whose crease is rounded off where the two values differ by less than `width`. The cubic
/// falls to exactly zero there, so that a solid farther away has no say at all; that is what makes
/// the cache exact.
double melt(double a, double b, double width) {
  const double lower = std::min(a, b);
  const double gap = std::abs(a - b);
  if (gap >= width) return lower;
  const double overlap = 1 - gap / width;
  return lower - overlap * overlap * overlap * width / 6;
}

double add(double value, double distance, const Primitive& solid) {
  return solid.carve ? -melt(-value, distance, solid.blend) : melt(value, distance, solid.blend);
}

double attachment_width(const Group& group, const Vec3& point) {
  const double t2 =
      (point - group.attach).squaredNorm() / (group.attach_reach * group.attach_reach);
  return t2 >= 1 ? 0 : group.attach_blend * (1 - t2) * (1 - t2);
}

Vec3 to_sculpted_side(Vec3 point, const ImplicitBody& body) {
  if (body.mirrored)
    point.x() = std::sqrt(point.x() * point.x() + body.mirror_softness * body.mirror_softness);
  return point;
}

double round_cone_distance(const Primitive& s, double x, double y, double z) {
  const double inverse_x = 1 / s.stretch.x(), inverse_y = 1 / s.stretch.y(),
               inverse_z = 1 / s.stretch.z();
  x *= inverse_x;
  y *= inverse_y;
  z *= inverse_z;
  // The distance is the least of |p - c(t)| - r(t) over the spheres along the axis; its minimum
  // lies where the line from c(t) to p is at a right angle to the cone's side.
  const double radial2 = x * x + z * z;
  double t = 0;
  double radius = s.radius_head;
  if (s.length > 0) {
    const double sine = (s.radius_head - s.radius_tail) / s.length;
    const double cosine = std::sqrt(std::max(1 - sine * sine, 1e-12));
    t = std::clamp(y - std::sqrt(radial2) * sine / cosine, 0.0, s.length);
    radius -= sine * t;
  }
  const double axial = y - t;
  const double span = std::sqrt(radial2 + axial * axial);
  if (span < 1e-12) return -radius * s.stretch.minCoeff();
  const double gx = x * inverse_x, gy = axial * inverse_y, gz = z * inverse_z;
  const double slope = std::sqrt(gx * gx + gy * gy + gz * gz) / span;
  return (span - radius) / slope;
}

double box_distance(const Primitive& s, double x, double y, double z) {
  const double qx = std::abs(x) - (s.half.x() - s.rounding);
  const double qy = std::abs(y) - (s.half.y() - s.rounding);
  const double qz = std::abs(z) - (s.half.z() - s.rounding);
  const double ox = std::max(qx, 0.0), oy = std::max(qy, 0.0), oz = std::max(qz, 0.0);
  const double outside = std::sqrt(ox * ox + oy * oy + oz * oz);
  return outside + std::min(std::max({qx, qy, qz}), 0.0) - s.rounding;
}

double cylinder_distance(const Primitive& s, double x, double y, double z) {
  const double qr = std::sqrt(x * x + z * z) - (s.half.x() - s.rounding);
  const double qy = std::abs(y) - (s.half.y() - s.rounding);
  const double outside_r = std::max(qr, 0.0), outside_y = std::max(qy, 0.0);
  return std::sqrt(outside_r * outside_r + outside_y * outside_y) +
         std::min(std::max(qr, qy), 0.0) - s.rounding;
}

/// The widest melt at group level that a group takes part in anywhere within `radius` of a point.
std::vector<double> widest_attachments(const ImplicitBody& body, const Vec3& point, double radius) {
  std::vector<double> widest(body.groups.size(), 0.0);
  for (std::size_t g = 1; g < body.groups.size(); ++g) {
    const Group& group = body.groups[g];
    if ((point - group.attach).norm() > group.attach_reach + radius) continue;
    widest[g] = std::max(widest[g], group.attach_blend);
    double& parent = widest[static_cast<std::size_t>(group.parent)];
    parent = std::max(parent, group.attach_blend);
  }
  return widest;
}

/// Melts every group into its parent, last first; the first group ends up as the whole body.
double gather(const ImplicitBody& body, const Vec3& point, std::array<double, kMaxGroups>& value) {
  for (std::size_t g = body.groups.size(); g-- > 1;) {
    if (value[g] >= kFar) continue;
    const Group& group = body.groups[g];
    double& parent = value[static_cast<std::size_t>(group.parent)];
    parent = melt(parent, value[g], attachment_width(group, point));
  }
  return value[0];
}

}  // namespace

double Primitive::distance(const Vec3& point) const {
  const double dx = point.x() - origin.x(), dy = point.y() - origin.y(),
               dz = point.z() - origin.z();
  const double x = axes(0, 0) * dx + axes(1, 0) * dy + axes(2, 0) * dz;
  const double y = axes(0, 1) * dx + axes(1, 1) * dy + axes(2, 1) * dz;
  const double z = axes(0, 2) * dx + axes(1, 2) * dy + axes(2, 2) * dz;
  switch (shape) {
    case Shape::round_cone:
      return round_cone_distance(*this, x, y, z);
    case Shape::box:
      return box_distance(*this, x, y, z);
    case Shape::cylinder:
      return cylinder_distance(*this, x, y, z);
  }
  return kFar;
}

double ImplicitBody::value(const Vec3& point) const {
  const Vec3 p = to_sculpted_side(point, *this);
  std::array<double, kMaxGroups> value;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    value[g] = kFar;
    for (const Primitive& solid : groups[g].primitives)
      value[g] = add(value[g], solid.distance(p), solid);
  }
  return gather(*this, p, value);
}

GroupShares ImplicitBody::shares(const Vec3& point) const {
  const Vec3 p = to_sculpted_side(point, *this);
  std::array<double, kMaxGroups> value;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    value[g] = kFar;
    for (const Primitive& solid : groups[g].primitives)
      value[g] = add(value[g], solid.distance(p), solid);
  }
  // How much of its parent each group takes over, in the order in which they are melted in.
  std::array<double, kMaxGroups> taken{};
  for (std::size_t g = groups.size(); g-- > 1;) {
    double& parent = value[static_cast<std::size_t>(groups[g].parent)];
    const double width = std::max(attachment_width(groups[g], p), 1e-9);
    const double t = std::clamp(0.5 + 0.5 * (parent - value[g]) / width, 0.0, 1.0);
    taken[g] = t * t * (3 - 2 * t);
    parent = melt(parent, value[g], width);
  }
  // The group melted in last takes its part first; the others share what is left of the parent.
  GroupShares share(groups.size(), 0.0);
  share[0] = 1;
  for (std::size_t g = 1; g < groups.size(); ++g) {
    double& parent = share[static_cast<std::size_t>(groups[g].parent)];
    share[g] = parent * taken[g];
    parent -= share[g];
  }
  return share;
}

Box ImplicitBody::bounds() const {
  Box box;
  for (const Group& group : groups)
    for (const Primitive& s : group.primitives) {
      if (s.carve) continue;
      double reach = s.half.norm();
      Vec3 tail = s.origin;
      if (s.shape == Primitive::Shape::round_cone) {
        reach = std::max(s.radius_head, s.radius_tail) * s.stretch.maxCoeff();
        tail += s.axes.col(1) * s.length * s.stretch.y();
      }
      reach += s.blend / 6;  // a melt swells by at most a sixth of its width
      for (const Vec3& end : {s.origin, tail}) {
        box.extend(Vec3(end.array() - reach));
        box.extend(Vec3(end.array() + reach));
      }
    }
  if (mirrored) {
    const double half_width = std::max(std::abs(box.min().x()), std::abs(box.max().x()));
    box.min().x() = -half_width;
    box.max().x() = half_width;
  }
  return box;
}

FieldCache::FieldCache(const ImplicitBody& body, double margin) : body_(&body) {
  bounds_ = body.bounds();
  bounds_.min().array() -= margin;
  bounds_.max().array() += margin;
  const double diagonal = bounds_.diagonal().norm();
  probe_ = diagonal * kProbeRel;
  for (std::size_t g = 0; g < body.groups.size(); ++g)
    for (std::size_t i = 0; i < body.groups[g].primitives.size(); ++i)
      slots_.push_back({static_cast<std::uint16_t>(g), static_cast<std::uint16_t>(i)});
  // A body of a few solids has nothing to leave out.
  cell_ = diagonal / std::min(kMaxCellsPerDiagonal, static_cast<double>(slots_.size()));
  counts_ = (bounds_.diagonal() / cell_).array().ceil().cast<int>().max(1);

  const std::size_t cells = static_cast<std::size_t>(counts_.cast<long>().prod());
  std::vector<std::vector<std::uint16_t>> lists(cells);
  parallel_for(
      cells,
      [&](std::size_t c) {
        const auto nx = static_cast<std::size_t>(counts_.x());
        const auto ny = static_cast<std::size_t>(counts_.y());
        const Vec3 centre = bounds_.min() + cell_ * Vec3(static_cast<double>(c % nx) + 0.5,
                                                         static_cast<double>(c / nx % ny) + 0.5,
                                                         static_cast<double>(c / nx / ny) + 0.5);
        lists[c] = primitives_near(centre, margin);
      },
      64);
  cell_begin_.assign(cells + 1, 0);
  for (std::size_t c = 0; c < cells; ++c) {
    cell_begin_[c + 1] = cell_begin_[c] + static_cast<std::uint32_t>(lists[c].size());
    cell_primitives_.insert(cell_primitives_.end(), lists[c].begin(), lists[c].end());
  }
}

std::vector<std::uint16_t> FieldCache::primitives_near(const Vec3& centre, double margin) const {
  const Vec3 p = to_sculpted_side(centre, *body_);
  const double half_diagonal = cell_ * std::sqrt(3.0) / 2;
  const std::vector<double> attachments = widest_attachments(*body_, p, half_diagonal);
  // Last first: a solid takes part in its own melt and in those of the solids that come after it.
  std::vector<std::uint16_t> found;
  double widest = 0;
  for (std::size_t s = slots_.size(); s-- > 0;) {
    const std::size_t g = slots_[s].group;
    const Group& group = body_->groups[g];
    if (slots_[s].primitive + 1u == group.primitives.size()) widest = attachments[g];
    const Primitive& solid = group.primitives[slots_[s].primitive];
    const double melt_width = std::max(widest, solid.blend);
    if (solid.distance(p) >= kSlopeBound * half_diagonal + melt_width + margin) continue;
    widest = melt_width;
    found.push_back(static_cast<std::uint16_t>(s));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

double FieldCache::value(const Vec3& point) const {
  const Eigen::Array3i cell = ((point - bounds_.min()) / cell_).array().floor().cast<int>();
  if ((cell < 0).any() || (cell >= counts_).any()) return body_->value(point);
  const std::size_t c = static_cast<std::size_t>(
      (static_cast<long>(cell.z()) * counts_.y() + cell.y()) * counts_.x() + cell.x());
  const Vec3 p = to_sculpted_side(point, *body_);
  std::array<double, kMaxGroups> value;
  std::fill_n(value.begin(), body_->groups.size(), kFar);
  for (std::uint32_t i = cell_begin_[c]; i < cell_begin_[c + 1]; ++i) {
    const Slot slot = slots_[cell_primitives_[i]];
    const Primitive& solid = body_->groups[slot.group].primitives[slot.primitive];
    value[slot.group] = add(value[slot.group], solid.distance(p), solid);
  }
  return gather(*body_, p, value);
}

FieldCache::Gradient FieldCache::gradient(const Vec3& point) const {
  // Four probes at the corners of a tetrahedron: their mean is the value, their differences the
  // slope.
  const double e = probe_;
  const double a = value(point + Vec3(e, e, e));
  const double b = value(point + Vec3(e, -e, -e));
  const double c = value(point + Vec3(-e, e, -e));
  const double d = value(point + Vec3(-e, -e, e));
  return {(a + b + c + d) / 4, Vec3(a + b - c - d, a - b + c - d, a - b - c + d) / (4 * e)};
}

Vec3 FieldCache::normal(const Vec3& point) const {
  const Vec3 slope = gradient(point).slope;
  const double norm = slope.norm();
  return norm > 1e-9 ? Vec3(slope / norm) : Vec3::UnitY();
}

FieldCache::Foot FieldCache::project(const Vec3& point, double max_step) const {
  const Gradient g = gradient(point);
  const double slope = g.slope.norm();
  if (slope < 1e-3) return {point, Vec3::UnitY()};
  const Vec3 normal = g.slope / slope;
  return {point - std::clamp(g.value / slope, -max_step, max_step) * normal, normal};
}

}  // namespace sinew::sculpt
