// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/piece_ties.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "geometry/nearest_vertex.h"
#include "volume/element_shapes.h"
#include "volume/elements_of_points.h"

namespace sinew {
namespace {

/// In cells: what is farther than the nearest point of a piece by less is about as near, such as
/// the far corners of a face that lies askew.
constexpr double kAboutAsNear = 0.5;

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Ties pieces one after the other, always the one that is nearest to what is held by then.
class Tying {
 public:
  Tying(const Elements& elements, std::span<const int> bone_of_point,
        const PieceTieOptions& options)
      : elements_(elements), of_points_(elements), nearest_(elements.points.size()) {
    const std::vector<int> piece_of_element = pieces_of(elements);
    for (std::size_t p = 0; p < elements.points.size(); ++p) {
      const auto at = of_points_.around(p);
      if (at.empty()) continue;
      const auto piece = static_cast<std::size_t>(piece_of_element[at.front().element]);
      if (piece >= pieces_.size()) pieces_.resize(piece + 1);
      pieces_[piece].points.push_back(static_cast<ElementPoint>(p));
      pieces_[piece].box.extend(elements.points[p]);
      pieces_[piece].is_held = pieces_[piece].is_held || bone_of_point[p] >= 0;
    }
    piece_of_point_.assign(elements.points.size(), -1);
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      for (const ElementPoint point : pieces_[i].points)
        piece_of_point_[point] = static_cast<int>(i);
    Box held;
    for (const Piece& piece : pieces_)
      if (piece.is_held) held.extend(piece.box);
    if (!held.isEmpty()) contact_ = options.contact_rel * held.diagonal().norm();
  }

  PieceTies run() {
    std::vector<ElementPoint> held;
    std::vector<std::size_t> loose;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].is_held) {
        held.insert(held.end(), pieces_[i].points.begin(), pieces_[i].points.end());
      } else {
        loose.push_back(i);
      }
    }
    if (held.empty() || loose.empty()) return {};
    look_for(held, loose);
    while (true) {
      const auto next =
          std::ranges::min_element(loose, {}, [&](std::size_t i) { return pieces_[i].gap; });
      const std::size_t piece = *next;
      loose.erase(next);
      tie(piece);
      if (loose.empty()) return std::move(ties_);
      std::vector<std::size_t> near;
      for (const std::size_t i : loose)
        if (pieces_[i].box.exteriorDistance(pieces_[piece].box) <= reach_of(pieces_[i]))
          near.push_back(i);
      if (!near.empty()) look_for(pieces_[piece].points, near);
    }
  }

 private:
  struct Piece {
    std::vector<ElementPoint> points;
    Box box;
    bool is_held = false;
    double gap = kFar;  // to what is held, as far as that was looked for
    ElementPoint at_gap = 0;
  };
  struct Nearest {
    double distance = kFar;
    ElementPoint point = 0;
  };

  /// How far from what is held the points of a piece may be that springs hold.
  [[nodiscard]] double reach_of(const Piece& piece) const {
    return std::max(contact_, piece.gap + kAboutAsNear * elements_.cell_size);
  }

  /// Finds the nearest of these points to those of some pieces, where they are nearer than what
  /// was found before.
  void look_for(const std::vector<ElementPoint>& held, std::span<const std::size_t> pieces) {
    std::vector<Vec3> places;
    for (const ElementPoint point : held) places.push_back(elements_.points[point]);
    std::vector<VertexIndex> indices(held.size());
    std::iota(indices.begin(), indices.end(), VertexIndex{0});
    const NearestVertex search(places, std::move(indices));
    for (const std::size_t i : pieces) {
      Piece& piece = pieces_[i];
      parallel_for(piece.points.size(), [&](std::size_t k) {
        const ElementPoint p = piece.points[k];
        const auto found = search.find(elements_.points[p], nearest_[p].distance,
                                       [](VertexIndex) { return true; });
        if (found) nearest_[p] = {(places[*found] - elements_.points[p]).norm(), held[*found]};
      });
      for (const ElementPoint p : piece.points)
        if (nearest_[p].distance < piece.gap) {
          piece.gap = nearest_[p].distance;
          piece.at_gap = p;
        }
    }
  }

  void tie(std::size_t index) {
    const Piece& piece = pieces_[index];
    const Nearest& nearest = nearest_[piece.at_gap];
    std::vector<std::pair<ElementPoint, ElementPoint>> ends =
        ends_at_gap(piece.at_gap, nearest.point);
    for (const ElementPoint p : piece.points)
      if (nearest_[p].distance <= reach_of(piece)) ends.emplace_back(p, nearest_[p].point);
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    PieceTie tie{static_cast<int>(index), piece_of_point_[nearest.point], piece.gap,
                 piece.gap > contact_,    ties_.springs.size(),           0};
    for (const auto& [point, other] : ends)
      ties_.springs.push_back({point, other, elements_.cell_size});
    tie.end = ties_.springs.size();
    ties_.ties.push_back(tie);
  }

  /// The corners of the two elements at the ends of a gap that are nearest to each other, in pairs.
  [[nodiscard]] std::vector<std::pair<ElementPoint, ElementPoint>> ends_at_gap(
      ElementPoint point, ElementPoint other) const {
    std::pair<std::size_t, std::size_t> best;
    double least = kFar;
    for (const auto& [e, corner] : of_points_.around(point))
      for (const auto& [f, other_corner] : of_points_.around(other)) {
        const double apart = (centre_of(elements_, e) - centre_of(elements_, f)).norm();
        if (apart < least) {
          least = apart;
          best = {e, f};
        }
      }
    const auto own = elements_.corners_of(best.first);
    const auto others = elements_.corners_of(best.second);
    std::vector<std::pair<ElementPoint, ElementPoint>> ends;
    for (std::size_t k = 0; k < std::max(own.size(), others.size()); ++k)
      ends.emplace_back(own[k % own.size()], others[k % others.size()]);
    return ends;
  }

  const Elements& elements_;
  const ElementsOfPoints of_points_;
  std::vector<Piece> pieces_;
  std::vector<int> piece_of_point_;  // -1 for points that no element refers to
  std::vector<Nearest> nearest_;     // of points of pieces that are not held: of what is
  double contact_ = 0;
  PieceTies ties_;
};

}  // namespace

PieceTies tie_pieces(const Elements& elements, std::span<const int> bone_of_point,
                     const PieceTieOptions& options) {
  assert(bone_of_point.size() == elements.points.size());
  return Tying(elements, bone_of_point, options).run();
}

SparseMatrix stiffness_with(const SparseMatrix& stiffness, std::span<const PointSpring> springs) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * springs.size());
  for (const auto& [point, other, stiff] : springs) {
    const auto a = static_cast<int>(point), b = static_cast<int>(other);
    entries.insert(entries.end(), {{a, a, stiff}, {b, b, stiff}, {a, b, -stiff}, {b, a, -stiff}});
  }
  SparseMatrix of_springs(stiffness.rows(), stiffness.cols());
  of_springs.setFromTriplets(entries.begin(), entries.end());
  return stiffness + of_springs;
}

}  // namespace sinew
