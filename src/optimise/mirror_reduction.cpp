// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimise/mirror_reduction.h"

#include <algorithm>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

/// Columns that share sums for all rows: so many, and few enough pieces to set those to zero.
constexpr std::size_t kColumnsGrain = 4096;
constexpr std::size_t kMostPieces = 64;

/// A weight as constant + Σ factor · y.
struct Affine {
  double constant = 0;
  std::vector<std::pair<Eigen::Index, double>> factors;
};

/// The weights of a vertex by itself, in the order of its bones: all but the base are unknown.
std::vector<Affine> free_row(std::size_t size, std::size_t base, Eigen::Index first) {
  std::vector<Affine> row(size);
  row[base].constant = 1;
  Eigen::Index next = first;
  for (std::size_t place = 0; place < size; ++place) {
    if (place == base) continue;
    row[place].factors.emplace_back(next, 1);
    row[base].factors.emplace_back(next, -1);
    ++next;
  }
  return row;
}

/// The weights of a vertex in the plane: those of a bone and its image are one unknown, and the
/// pair with the base is what the others leave.
std::vector<Affine> plane_row(std::span<const std::uint32_t> bones, const std::vector<int>& image,
                              std::size_t base, Eigen::Index& next) {
  const auto place_of = [&](int bone) {
    return static_cast<std::size_t>(std::ranges::find(bones, static_cast<std::uint32_t>(bone)) -
                                    bones.begin());
  };
  const std::size_t base_image = place_of(image[bones[base]]);
  const double base_size = base_image == base ? 1 : 2;
  std::vector<Affine> row(bones.size());
  row[base].constant = 1 / base_size;
  for (std::size_t place = 0; place < bones.size(); ++place) {
    const std::size_t other = place_of(image[bones[place]]);
    if (place == base || place == base_image || other < place) continue;
    row[place].factors.emplace_back(next, 1);
    if (other != place) row[other].factors.emplace_back(next, 1);
    row[base].factors.emplace_back(next, -(other == place ? 1 : 2) / base_size);
    ++next;
  }
  row[base_image] = row[base];
  return row;
}

}  // namespace

MirrorReduction::MirrorReduction(const WeightProblem& problem, const WeightUnknowns& unknowns)
    : first_{0}, constant_(Eigen::VectorXd::Zero(unknowns.count())) {
  const InfluenceMaps& maps = problem.maps;
  const Mirror& mirror = *problem.mirror;
  std::vector<std::vector<Affine>> rows(maps.vertex_count());
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto bones = maps.bones_of(i);
    const int image = mirror.vertex[i];
    Eigen::Index next = first_.back();
    if (image >= 0 && static_cast<std::size_t>(image) < i) {
      const auto k = static_cast<std::size_t>(image);
      rows[i].resize(bones.size());
      for (std::size_t place = 0; place < bones.size(); ++place) {
        const auto there = maps.find(k, static_cast<std::uint32_t>(mirror.bone[bones[place]]));
        rows[i][place] = rows[k][*there - maps.begin[k]];
      }
    } else if (image == static_cast<int>(i)) {
      rows[i] = plane_row(bones, mirror.bone, unknowns.base_of(i), next);
    } else {
      rows[i] = free_row(bones.size(), unknowns.base_of(i), next);
      next += static_cast<Eigen::Index>(bones.size()) - 1;
    }
    first_.push_back(next);
  }
  own_.resize(static_cast<std::size_t>(first_.back()));
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (std::size_t place = 0; place < rows[i].size(); ++place) {
      const Eigen::Index unknown = unknowns.unknown_of(i, place);
      if (unknown < 0) continue;
      const auto& [constant, factors] = rows[i][place];
      constant_[unknown] = constant;
      if (constant == 0 && factors.size() == 1 && factors.front().second == 1)
        own_[static_cast<std::size_t>(factors.front().first)] = unknown;
      for (const auto& [column, factor] : factors)
        entries.emplace_back(static_cast<int>(unknown), static_cast<int>(column), factor);
    }
  map_.resize(unknowns.count(), first_.back());
  map_.setFromTriplets(entries.begin(), entries.end());
  map_rows_ = map_.transpose();
}

SparseMatrix MirrorReduction::matrix(const SparseMatrix& lower) const {
  const SparseMatrix upper = lower.transpose();
  const auto size = static_cast<std::size_t>(count());
  struct Column {
    std::vector<int> rows;
    std::vector<double> values;
  };
  std::vector<Column> columns(size);
  parallel_for_chunks(size, std::max(kColumnsGrain, size / kMostPieces), [&](ChunkRange range) {
    std::vector<double> sums(size, 0);
    std::vector<bool> is_met(size, false);
    for (std::size_t c = range.begin; c != range.end; ++c) {
      Column& column = columns[c];
      const auto add = [&](Eigen::Index unknown, double value) {
        for (SparseMatrix::InnerIterator y(map_rows_, unknown); y; ++y) {
          const auto row = static_cast<std::size_t>(y.row());
          if (row < c) continue;
          if (!is_met[row]) {
            is_met[row] = true;
            column.rows.push_back(static_cast<int>(row));
          }
          sums[row] += y.value() * value;
        }
      };
      for (SparseMatrix::InnerIterator x(map_, static_cast<Eigen::Index>(c)); x; ++x) {
        for (SparseMatrix::InnerIterator entry(upper, x.row()); entry; ++entry)
          if (entry.row() < x.row()) add(entry.row(), x.value() * entry.value());
        for (SparseMatrix::InnerIterator entry(lower, x.row()); entry; ++entry)
          add(entry.row(), x.value() * entry.value());
      }
      std::ranges::sort(column.rows);
      for (const int row : column.rows) {
        column.values.push_back(std::exchange(sums[static_cast<std::size_t>(row)], 0.0));
        is_met[static_cast<std::size_t>(row)] = false;
      }
    }
  });
  SparseMatrix reduced(count(), count());
  Eigen::Index entries = 0;
  for (std::size_t c = 0; c < size; ++c) {
    reduced.outerIndexPtr()[c] = static_cast<int>(entries);
    entries += static_cast<Eigen::Index>(columns[c].rows.size());
  }
  reduced.outerIndexPtr()[size] = static_cast<int>(entries);
  reduced.resizeNonZeros(entries);
  parallel_for(size, [&](std::size_t c) {
    std::ranges::copy(columns[c].rows, reduced.innerIndexPtr() + reduced.outerIndexPtr()[c]);
    std::ranges::copy(columns[c].values, reduced.valuePtr() + reduced.outerIndexPtr()[c]);
  });
  return reduced;
}

SparseMatrix MirrorReduction::columns(const SparseMatrix& columns) const {
  return map_rows_ * columns;
}

Eigen::VectorXd MirrorReduction::residual(const Eigen::VectorXd& full) const {
  Eigen::VectorXd reduced(count());
  parallel_for(static_cast<std::size_t>(count()), [&](std::size_t c) {
    double sum = 0;
    for (SparseMatrix::InnerIterator x(map_, static_cast<Eigen::Index>(c)); x; ++x)
      sum += x.value() * full[x.row()];
    reduced[static_cast<Eigen::Index>(c)] = sum;
  });
  return reduced;
}

Eigen::VectorXd MirrorReduction::expand(const Eigen::VectorXd& reduced) const {
  Eigen::VectorXd full = constant_;
  parallel_for(static_cast<std::size_t>(full.size()), [&](std::size_t u) {
    const auto unknown = static_cast<Eigen::Index>(u);
    for (SparseMatrix::InnerIterator y(map_rows_, unknown); y; ++y)
      full[unknown] += y.value() * reduced[y.row()];
  });
  return full;
}

Eigen::VectorXd MirrorReduction::reduce(const Eigen::VectorXd& full) const {
  Eigen::VectorXd reduced(count());
  for (Eigen::Index c = 0; c < reduced.size(); ++c)
    reduced[c] = full[own_[static_cast<std::size_t>(c)]];
  return reduced;
}

}  // namespace sinew
