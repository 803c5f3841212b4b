// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/element_matrices.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "core/parallel.h"
#include "volume/elements_of_points.h"

namespace sinew {
namespace {

using CubeMatrix = Eigen::Matrix<double, 8, 8>;

/// Shape functions of a cube are products of one linear function along each axis, and so are the
/// integrals of products of two of them.
CubeMatrix trilinear_stiffness() {
  // Over one edge, for functions of the same end and of opposite ends.
  constexpr std::array<double, 2> kOfValues{1.0 / 3, 1.0 / 6};
  constexpr std::array<double, 2> kOfDerivatives{1, -1};
  CubeMatrix stiffness = CubeMatrix::Zero();
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column)
      for (unsigned derived = 0; derived < 3; ++derived) {
        double product = 1;
        for (unsigned axis = 0; axis < 3; ++axis) {
          const unsigned differs = (row ^ column) >> axis & 1;
          product *= axis == derived ? kOfDerivatives[differs] : kOfValues[differs];
        }
        stiffness(row, column) += product;
      }
  return stiffness;
}

/// Springs between corners that differ along at most so many axes. A field that grows by one along
/// an axis stretches the springs that this axis differs on by one, and has to come to energy one.
CubeMatrix spring_stiffness(int most_axes, double springs_along_an_axis) {
  CubeMatrix stiffness = CubeMatrix::Zero();
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      if (row == column || std::popcount(row ^ column) > most_axes) continue;
      stiffness(row, column) -= 1 / springs_along_an_axis;
      stiffness(row, row) += 1 / springs_along_an_axis;
    }
  return stiffness;
}

/// Columns that stand together, as one chunk makes them.
struct ColumnRun {
  std::vector<int> entry_counts;  // of each column
  std::vector<int> rows;
  std::vector<double> values;
};

class ColumnMaker {
 public:
  ColumnMaker(const Elements& elements, const ElementsOfPoints& of_points, CubeEnergy energy)
      : elements_(elements),
        of_points_(of_points),
        cube_(elements.cell_size * unit_cube_stiffness(energy)) {}

  [[nodiscard]] ColumnRun columns(ChunkRange points) const {
    ColumnRun run;
    std::vector<int> rows;
    for (std::size_t p = points.begin; p < points.end; ++p) {
      const auto around = of_points_.around(p);
      rows.clear();
      for (const ElementCorner& at : around)
        for (const ElementPoint point : elements_.corners_of(at.element))
          rows.push_back(static_cast<int>(point));
      std::ranges::sort(rows);
      const auto repeated = std::ranges::unique(rows);
      rows.erase(repeated.begin(), repeated.end());
      append(rows, around, run);
    }
    return run;
  }

 private:
  /// Elements are added in their order: the two entries of a pair of points are so the same sum.
  void append(const std::vector<int>& rows, std::span<const ElementCorner> around,
              ColumnRun& run) const {
    const std::size_t first = run.values.size();
    run.entry_counts.push_back(static_cast<int>(rows.size()));
    run.rows.insert(run.rows.end(), rows.begin(), rows.end());
    run.values.resize(first + rows.size(), 0);
    for (const ElementCorner& at : around) {
      const std::array<double, 8> column = element_column(at);
      const auto corners = elements_.corners_of(at.element);
      for (std::size_t c = 0; c < corners.size(); ++c) {
        const auto row = std::ranges::lower_bound(rows, static_cast<int>(corners[c]));
        run.values[first + static_cast<std::size_t>(row - rows.begin())] += column[c];
      }
    }
  }

  [[nodiscard]] std::array<double, 8> element_column(const ElementCorner& at) const {
    std::array<double, 8> column{};
    if (at.element < elements_.hexahedra.size()) {
      for (unsigned c = 0; c < 8; ++c) column[c] = cube_(c, at.corner);
      return column;
    }
    std::array<Vec3, 4> gradient;
    integrated_gradients(elements_, at.element, gradient);
    const double volume = volume_of(elements_, at.element);
    for (std::size_t c = 0; c < 4; ++c) column[c] = gradient[c].dot(gradient[at.corner]) / volume;
    return column;
  }

  const Elements& elements_;
  const ElementsOfPoints& of_points_;
  CubeMatrix cube_;
};

SparseMatrix joined(const std::vector<ColumnRun>& runs, std::size_t size) {
  SparseMatrix matrix(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
  int* end = matrix.outerIndexPtr();
  std::vector<int> run_begin;
  for (const ColumnRun& run : runs) {
    run_begin.push_back(*end);
    for (const int count : run.entry_counts) {
      end[1] = *end + count;
      ++end;
    }
  }
  matrix.resizeNonZeros(*end);
  parallel_for(
      runs.size(),
      [&](std::size_t r) {
        std::ranges::copy(runs[r].rows, matrix.innerIndexPtr() + run_begin[r]);
        std::ranges::copy(runs[r].values, matrix.valuePtr() + run_begin[r]);
      },
      1);
  return matrix;
}

}  // namespace

Eigen::Matrix<double, 8, 8> unit_cube_stiffness(CubeEnergy energy) {
  switch (energy) {
    case CubeEnergy::trilinear:
      return trilinear_stiffness();
    case CubeEnergy::edges:
      return spring_stiffness(1, 4);
    case CubeEnergy::pairs:
      return spring_stiffness(3, 16);
  }
  return CubeMatrix::Zero();
}

void integrated_gradients(const Elements& elements, std::size_t element,
                          std::span<Vec3> per_corner) {
  const auto corners = elements.corners_of(element);
  assert(per_corner.size() >= corners.size());
  if (corners.size() == 8) {
    const double quarter_face = elements.cell_size * elements.cell_size / 4;
    for (unsigned k = 0; k < 8; ++k)
      per_corner[k] = quarter_face * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    return;
  }
  // A third of the area of the face opposite to a corner, towards the corner.
  const Vec3& a = elements.points[corners[0]];
  const Vec3 b = elements.points[corners[1]] - a;
  const Vec3 c = elements.points[corners[2]] - a;
  const Vec3 d = elements.points[corners[3]] - a;
  per_corner[1] = c.cross(d) / 6;
  per_corner[2] = d.cross(b) / 6;
  per_corner[3] = b.cross(c) / 6;
  per_corner[0] = -(per_corner[1] + per_corner[2] + per_corner[3]);
}

SparseMatrix stiffness_of(const Elements& elements, CubeEnergy energy) {
  const ElementsOfPoints of_points(elements);
  const ColumnMaker maker(elements, of_points, energy);
  const std::size_t size = elements.points.size();
  std::vector<ColumnRun> runs(chunk_count(size, kDefaultGrain));
  parallel_for_chunks(size, kDefaultGrain, [&](ChunkRange points) {
    runs[points.begin / kDefaultGrain] = maker.columns(points);
  });
  return joined(runs, size);
}

std::vector<double> lumped_mass(const Elements& elements) {
  std::vector<double> mass(elements.points.size(), 0);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto corners = elements.corners_of(e);
    const double share = volume_of(elements, e) / static_cast<double>(corners.size());
    for (const ElementPoint corner : corners) mass[corner] += share;
  }
  return mass;
}

}  // namespace sinew
