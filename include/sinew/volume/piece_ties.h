// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/math/sparse_cholesky.h"
#include "sinew/volume/elements.h"

namespace sinew {

struct PieceTieOptions {
  /// Of the diagonal of the pieces that bones hold: what is as near sits on them. That of
  /// rig/part_links.h.
  double contact_rel = 0.02;
};

/// A spring between two points of an interior: of values w at the points, its energy is
/// stiffness × (w(point) − w(other))². Stiff as a cell is, when pulled along an edge.
struct PointSpring {
  ElementPoint point = 0;  // of the piece that is tied
  ElementPoint other = 0;  // of a piece that is held without it
  double stiffness = 0;    // in units of the points, as those of the stiffness matrix
};

/// What holds a piece of the interior that no bone holds.
struct PieceTie {
  int piece = -1;  // as pieces_of numbers them
  int host = -1;   // the piece that is nearest to it, of those that are held without it
  double gap = 0;  // between the nearest points of the two
  bool is_distant =
      false;  // beyond contact: it floats, and is tied to what is nearest all the same
  std::size_t begin = 0, end = 0;  // its springs
};

struct PieceTies {
  std::vector<PieceTie> ties;  // in an order in which hosts are held by a bone or come first
  std::vector<PointSpring> springs;
};

/// Ties the pieces on which no bone holds a point to what they sit on, so that whatever is solved
/// for on the interior is held everywhere: eyes, buttons, hair. Always the nearest piece first, to
/// what is held by then. Springs hold the points of a piece that are within contact of a held
/// piece, or as far from it as the nearest but for half a cell; and the corners of the two elements
/// where the gap is, so that at both ends there are four or more points, not in one plane.
/// Guarantee: with `stiffness_with` the free points of every piece that has elements make a
/// positive definite matrix, as soon as a bone holds one point; without any, nothing is tied.
/// Points that no element refers to are in no piece, have no springs, and are to be left out.
/// Mirrored input gives mirrored ties, but where the first of equally near points is taken; the
/// same bits for any number of threads.
/// Cost: O((points of such pieces) × log(points)), times the pieces that come near to each other.
[[nodiscard]] PieceTies tie_pieces(const Elements& elements, std::span<const int> bone_of_point,
                                   const PieceTieOptions& options = {});

/// The stiffness matrix with the springs in it; both triangles are stored.
[[nodiscard]] SparseMatrix stiffness_with(const SparseMatrix& stiffness,
                                          std::span<const PointSpring> springs);

}  // namespace sinew
