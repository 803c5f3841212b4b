// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/decimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

namespace sinew::sculpt {
namespace {

// Weight of an edge's squared length beside the quadric error: enough to keep flat regions evenly
// meshed.
constexpr double kLengthWeight = 4e-3;

// Pull of the optimum towards the edge's middle, relative to the quadric: decides where planes do
// not.
constexpr double kMiddlePull = 1e-3;

// Twice the area over the longest side squared; 0.87 for an equilateral triangle. A collapse may
// not leave less, unless nothing else is left to do.
constexpr std::array<double, 3> kMinShape = {0.15, 0.08, 0.03};

// The cosine by which a triangle may turn in one collapse, in the same order.
constexpr std::array<double, 3> kMinTurnCosine = {0.4, 0.3, 0.2};

/// x'Ax + 2b'x + c: a weighted sum of squared distances to planes. Kept relative to no origin:
/// bodies are a few metres at most, which doubles carry with ease.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  double x = 0, y = 0, z = 0, constant = 0;

  void add_plane(const Vec3& n, double offset, double weight) {
    xx += weight * n.x() * n.x();
    xy += weight * n.x() * n.y();
    xz += weight * n.x() * n.z();
    yy += weight * n.y() * n.y();
    yz += weight * n.y() * n.z();
    zz += weight * n.z() * n.z();
    x += weight * n.x() * offset;
    y += weight * n.y() * offset;
    z += weight * n.z() * offset;
    constant += weight * offset * offset;
  }

  Quadric& operator+=(const Quadric& o) {
    xx += o.xx, xy += o.xy, xz += o.xz, yy += o.yy, yz += o.yz, zz += o.zz;
    x += o.x, y += o.y, z += o.z, constant += o.constant;
    return *this;
  }

  [[nodiscard]] double trace() const { return xx + yy + zz; }

  [[nodiscard]] double error(const Vec3& p) const {
    const double px = p.x(), py = p.y(), pz = p.z();
    return px * (xx * px + 2 * (xy * py + xz * pz + x)) + py * (yy * py + 2 * (yz * pz + y)) +
           pz * (zz * pz + 2 * z) + constant;
  }

  /// The point of least error, pulled a little towards `middle`, by Cramer's rule.
  [[nodiscard]] Vec3 optimum(const Vec3& middle) const {
    const double pull = kMiddlePull * trace() + 1e-300;
    const double a = xx + pull, d = yy + pull, f = zz + pull;
    const double rx = pull * middle.x() - x, ry = pull * middle.y() - y, rz = pull * middle.z() - z;
    const double c00 = d * f - yz * yz, c01 = xz * yz - xy * f, c02 = xy * yz - xz * d;
    const double c11 = a * f - xz * xz, c12 = xy * xz - a * yz, c22 = a * d - xy * xy;
    const double determinant = a * c00 + xy * c01 + xz * c02;
    if (!(determinant > 0)) return middle;
    return Vec3(c00 * rx + c01 * ry + c02 * rz, c01 * rx + c11 * ry + c12 * rz,
                c02 * rx + c12 * ry + c22 * rz) /
           determinant;
  }
};

struct Candidate {
  double cost;
  VertexIndex a, b;
  std::uint32_t stamp;  // of both ends together, when it was made
};

/// Cheapest first; equal costs by vertex number, so that the order never depends on the heap.
struct CostlierFirst {
  bool operator()(const Candidate& l, const Candidate& r) const {
    if (l.cost != r.cost) return l.cost > r.cost;
    return l.a != r.a ? l.a > r.a : l.b > r.b;
  }
};

class Decimator {
 public:
  explicit Decimator(const Surface& surface)
      : positions_(surface.positions),
        triangles_(surface.triangles),
        quadrics_(positions_.size()),
        faces_(positions_.size()),
        stamps_(positions_.size(), 0),
        alive_(positions_.size()) {
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      const Triangle& triangle = triangles_[t];
      const Vec3& p = positions_[triangle[0]];
      const Vec3 area2 = (positions_[triangle[1]] - p).cross(positions_[triangle[2]] - p);
      const double norm = area2.norm();
      for (const VertexIndex v : triangle) {
        faces_[v].push_back(static_cast<std::uint32_t>(t));
        if (norm > 0) quadrics_[v].add_plane(area2 / norm, -area2.dot(p) / norm, norm);
      }
    }
  }

  void run(std::size_t target) {
    for (std::size_t pass = 0; pass < kMinShape.size() && alive_ > target; ++pass) {
      min_shape_ = kMinShape[pass];
      min_turn_cosine_ = kMinTurnCosine[pass];
      queue_ = {};
      for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c) {
          const VertexIndex a = triangles_[t][c], b = triangles_[t][(c + 1) % 3];
          if (a < b) push(a, b);  // every edge runs both ways; dead triangles are all zeros
        }
      while (alive_ > target && !queue_.empty()) {
        const Candidate next = queue_.top();
        queue_.pop();
        if (next.stamp == stamps_[next.a] + stamps_[next.b] && !faces_[next.a].empty() &&
            !faces_[next.b].empty())
          try_collapse(next.a, next.b);
      }
    }
  }

  [[nodiscard]] Surface compacted() const {
    Surface result;
    std::vector<VertexIndex> number(positions_.size(), 0);
    for (std::size_t v = 0; v < positions_.size(); ++v) {
      if (faces_[v].empty()) continue;
      number[v] = static_cast<VertexIndex>(result.positions.size());
      result.positions.push_back(positions_[v]);
    }
    for (const Triangle& t : triangles_)
      if (t[0] != t[1]) result.triangles.push_back({number[t[0]], number[t[1]], number[t[2]]});
    return result;
  }

 private:
  void push(VertexIndex a, VertexIndex b) {
    Quadric sum = quadrics_[a];
    sum += quadrics_[b];
    const Vec3 middle = (positions_[a] + positions_[b]) / 2;
    const double length2 = (positions_[a] - positions_[b]).squaredNorm();
    const double cost = sum.error(sum.optimum(middle)) + kLengthWeight * length2 * sum.trace();
    queue_.push({cost, std::min(a, b), std::max(a, b), stamps_[a] + stamps_[b]});
  }

  void neighbours(VertexIndex v, std::vector<VertexIndex>& out) const {
    out.clear();
    for (const std::uint32_t f : faces_[v])
      for (const VertexIndex w : triangles_[f])
        if (w != v) out.push_back(w);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  /// True when exactly the two corners opposite the edge are joined to both ends, and neither would
  /// be left with fewer than three triangles: then a collapse keeps the surface a manifold of the
  /// same topology.
  [[nodiscard]] bool keeps_topology(VertexIndex a, VertexIndex b) {
    neighbours(a, ring_a_);
    neighbours(b, ring_b_);
    common_.clear();
    std::set_intersection(ring_a_.begin(), ring_a_.end(), ring_b_.begin(), ring_b_.end(),
                          std::back_inserter(common_));
    if (common_.size() != 2 || ring_a_.size() + ring_b_.size() < 8) return false;
    return faces_[common_[0]].size() > 3 && faces_[common_[1]].size() > 3;
  }

  /// True when no triangle around `v`, other than those of the edge itself, is turned over or
  /// flattened.
  [[nodiscard]] bool keeps_shape(VertexIndex v, VertexIndex other, const Vec3& moved) const {
    for (const std::uint32_t f : faces_[v]) {
      const Triangle& t = triangles_[f];
      const std::size_t corner = t[0] == v ? 0 : t[1] == v ? 1 : 2;
      const VertexIndex b = t[(corner + 1) % 3], c = t[(corner + 2) % 3];
      if (b == other || c == other) continue;
      const Vec3 before = (positions_[b] - positions_[v]).cross(positions_[c] - positions_[v]);
      const Vec3 after = (positions_[b] - moved).cross(positions_[c] - moved);
      const double after_norm = after.norm();
      if (before.dot(after) < min_turn_cosine_ * before.norm() * after_norm) return false;
      const auto longest2 = [&](const Vec3& p) {
        return std::max({(positions_[b] - p).squaredNorm(), (positions_[c] - p).squaredNorm(),
                         (positions_[b] - positions_[c]).squaredNorm()});
      };
      const double shape = after_norm / longest2(moved);
      if (shape < min_shape_ && shape < before.norm() / longest2(positions_[v])) return false;
      if (shape < kMinShape.back()) return false;
    }
    return true;
  }

  void try_collapse(VertexIndex a, VertexIndex b) {
    if (!keeps_topology(a, b)) return;
    Quadric sum = quadrics_[a];
    sum += quadrics_[b];
    const Vec3 middle = (positions_[a] + positions_[b]) / 2;
    Vec3 target = sum.optimum(middle);
    if (!keeps_shape(a, b, target) || !keeps_shape(b, a, target)) {
      target = middle;
      if (!keeps_shape(a, b, target) || !keeps_shape(b, a, target)) return;
    }
    positions_[a] = target;
    quadrics_[a] = sum;
    for (const std::uint32_t f : faces_[b]) {
      Triangle& t = triangles_[f];
      if (t[0] == a || t[1] == a || t[2] == a) {
        for (const VertexIndex v : t)
          if (v != b) std::erase(faces_[v], f);
        t = {0, 0, 0};
        continue;
      }
      for (VertexIndex& v : t)
        if (v == b) v = a;
      faces_[a].push_back(f);
    }
    faces_[b].clear();
    --alive_;
    ++stamps_[a];
    neighbours(a, ring_a_);
    for (const VertexIndex v : ring_a_) push(a, v);
  }

  std::vector<Vec3> positions_;
  std::vector<Triangle> triangles_;
  std::vector<Quadric> quadrics_;
  std::vector<std::vector<std::uint32_t>> faces_;  // of every vertex; empty for one that is gone
  std::vector<std::uint32_t> stamps_;              // counts the moves of a vertex
  std::size_t alive_;
  double min_shape_ = 0;
  double min_turn_cosine_ = 0;
  std::priority_queue<Candidate, std::vector<Candidate>, CostlierFirst> queue_;
  std::vector<VertexIndex> ring_a_, ring_b_, common_;
};

}  // namespace

Surface decimate(const Surface& surface, std::size_t target) {
  Decimator decimator(surface);
  decimator.run(target);
  return decimator.compacted();
}

}  // namespace sinew::sculpt
