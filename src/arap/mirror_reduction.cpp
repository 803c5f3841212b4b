// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/mirror_reduction.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "math/entry_order.h"

namespace sinew {
namespace {

/// Vertices that have a note for every vertex together: so many, and few enough pieces to make
/// those notes.
constexpr std::size_t kVerticesGrain = 512;
constexpr std::size_t kMostPieces = 16;

/// A weight as constant + Σ factor · y.
struct Affine {
  double constant = 0;
  std::vector<std::pair<Eigen::Index, double>> factors;  // y ascend
};

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

/// S and s, one unknown after the other.
class MapRows {
 public:
  explicit MapRows(Eigen::VectorXd& constants) : constants_(constants) {}

  void add(Eigen::Index y, double factor) {
    columns_.push_back(static_cast<int>(y));
    factors_.push_back(factor);
  }
  void end_row(double constant) {
    constants_[static_cast<Eigen::Index>(begin_.size()) - 1] = constant;
    begin_.push_back(static_cast<int>(columns_.size()));
  }

  /// Sᵀ of so many y.
  void copy_to(SparseMatrix& transposed, Eigen::Index count) const {
    transposed.resize(count, static_cast<Eigen::Index>(begin_.size()) - 1);
    transposed.resizeNonZeros(static_cast<Eigen::Index>(columns_.size()));
    std::ranges::copy(begin_, transposed.outerIndexPtr());
    std::ranges::copy(columns_, transposed.innerIndexPtr());
    std::ranges::copy(factors_, transposed.valuePtr());
  }

 private:
  Eigen::VectorXd& constants_;
  std::vector<int> begin_{0};
  std::vector<int> columns_;
  std::vector<double> factors_;
};

}  // namespace

MirrorReduction::MirrorReduction(const WeightProblem& problem, const WeightUnknowns& unknowns)
    : first_{0}, constant_(Eigen::VectorXd::Zero(unknowns.count())) {
  const InfluenceMaps& maps = problem.maps;
  const Mirror& mirror = *problem.mirror;
  MapRows rows(constant_);
  // A weight of a vertex that is no image, nor in the plane: an unknown, or what all of them leave.
  const auto add_free_row = [&](std::size_t vertex, std::size_t place) {
    const Eigen::Index first = first_[vertex];
    const std::size_t base = unknowns.base_of(vertex);
    if (place != base) {
      rows.add(first + static_cast<Eigen::Index>(place - (place > base ? 1 : 0)), 1);
      return rows.end_row(0);
    }
    for (Eigen::Index y = first; y < first_[vertex + 1]; ++y) rows.add(y, -1);
    return rows.end_row(1);
  };
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto bones = maps.bones_of(i);
    const std::size_t base = unknowns.base_of(i);
    const int image = mirror.vertex[i];
    const auto for_unknown_places = [&](const auto& add) {
      for (std::size_t place = 0; place < bones.size(); ++place)
        if (place != base) add(place);
    };
    if (image >= 0 && static_cast<std::size_t>(image) < i) {
      const auto k = static_cast<std::size_t>(image);
      first_.push_back(first_.back());
      for_unknown_places([&](std::size_t place) {
        const auto there = maps.find(k, static_cast<std::uint32_t>(mirror.bone[bones[place]]));
        add_free_row(k, *there - maps.begin[k]);
      });
    } else if (image == static_cast<int>(i)) {
      Eigen::Index next = first_.back();
      const std::vector<Affine> row = plane_row(bones, mirror.bone, base, next);
      first_.push_back(next);
      for_unknown_places([&](std::size_t place) {
        for (const auto& [y, factor] : row[place].factors) rows.add(y, factor);
        rows.end_row(row[place].constant);
      });
    } else {
      first_.push_back(first_.back() + unknowns.count_of(i));
      for_unknown_places([&](std::size_t place) { add_free_row(i, place); });
    }
  }
  rows.copy_to(map_rows_, first_.back());
  map_ = map_rows_.transpose();
  find_owners(mirror, unknowns);
}

void MirrorReduction::find_owners(const Mirror& mirror, const WeightUnknowns& unknowns) {
  own_.resize(static_cast<std::size_t>(first_.back()));
  alone_.assign(static_cast<std::size_t>(unknowns.count()), -1);
  for (Eigen::Index x = 0; x < unknowns.count(); ++x) {
    const SparseMatrix::InnerIterator y(map_rows_, x);
    const bool is_alone = map_rows_.outerIndexPtr()[x + 1] - map_rows_.outerIndexPtr()[x] == 1;
    if (!is_alone || y.value() != 1) continue;
    alone_[static_cast<std::size_t>(x)] = static_cast<int>(y.row());
    if (constant_[x] == 0) own_[static_cast<std::size_t>(y.row())] = x;
  }
  owner_.resize(static_cast<std::size_t>(unknowns.count()));
  sources_.resize(mirror.vertex.size());
  for (std::size_t i = 0; i < mirror.vertex.size(); ++i) {
    const auto begin = static_cast<std::size_t>(unknowns.first_of(i));
    const std::size_t end = begin + static_cast<std::size_t>(unknowns.count_of(i));
    const int image = mirror.vertex[i];
    const bool is_image = image >= 0 && image < static_cast<int>(i);
    const std::size_t owner = is_image ? static_cast<std::size_t>(image) : i;
    sources_[owner][is_image ? 1 : 0] = {begin, end};
    std::fill_n(owner_.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
                static_cast<int>(owner));
  }
}

/// Of the upper triangle, what matrix() needs: all in the columns of images, and a vertex's own
/// block. For a vertex that is no image, all else above the diagonal belongs to earlier y.
MirrorReduction::Upper MirrorReduction::upper_needed(const SparseMatrix& lower) const {
  const auto size = static_cast<std::size_t>(lower.cols());
  const int* const offsets = lower.outerIndexPtr();
  const auto for_entries = [&](ChunkRange columns, const auto& use) {
    for (std::size_t j = columns.begin; j != columns.end; ++j)
      for (int e = offsets[j]; e < offsets[j + 1]; ++e) {
        const auto row = static_cast<std::size_t>(lower.innerIndexPtr()[e]);
        if (row > j && (is_of_image(row) ? owner_[j] >= owner_[row] : owner_[j] == owner_[row]))
          use(row, j, e);
      }
  };
  EntryOrder order(size, size, for_entries);
  Upper upper;
  upper.rows.resize(order.count());
  upper.values.resize(order.count());
  order.place(for_entries, [&](std::size_t place, std::size_t column, int entry) {
    upper.rows[place] = static_cast<int>(column);
    upper.values[place] = lower.valuePtr()[entry];
  });
  upper.begin = order.take_begin();
  return upper;
}

/// Hands over (unknown of the vertex, unknown that it meets, entry), but for those whose y come
/// before the vertex's own.
template <class Use>
void MirrorReduction::for_entries_of(std::size_t vertex, const SparseMatrix& lower,
                                     const Upper& upper, const Use& use) const {
  for (const auto& [begin, end] : sources_[vertex])
    for (std::size_t x = begin; x != end; ++x) {
      for (int e = upper.begin[x]; e < upper.begin[x + 1]; ++e)
        use(x, upper.rows[static_cast<std::size_t>(e)], upper.values[static_cast<std::size_t>(e)]);
      for (int e = lower.outerIndexPtr()[x]; e < lower.outerIndexPtr()[x + 1]; ++e)
        if (const int row = lower.innerIndexPtr()[e];
            owner_[static_cast<std::size_t>(row)] >= static_cast<int>(vertex))
          use(x, row, lower.valuePtr()[e]);
    }
}

MirrorReduction::Met MirrorReduction::met_by(ChunkRange range, const SparseMatrix& lower,
                                             const Upper& upper) const {
  const std::size_t vertices = first_.size() - 1;
  Met met;
  std::vector<std::size_t> last_met_by(vertices, vertices);
  for (std::size_t i = range.begin; i != range.end; ++i) {
    const std::size_t first = met.vertices.size();
    int height = 0;
    int last = -1;  // unknowns of a vertex come together
    for_entries_of(i, lower, upper, [&](std::size_t, int row, double) {
      const int owner = owner_[static_cast<std::size_t>(row)];
      if (owner == last || std::exchange(last_met_by[static_cast<std::size_t>(owner)], i) == i)
        return;
      last = owner;
      met.vertices.push_back(owner);
      height += static_cast<int>(count_of(static_cast<std::size_t>(owner)));
    });
    std::sort(met.vertices.begin() + static_cast<std::ptrdiff_t>(first), met.vertices.end());
    met.begin.push_back(met.vertices.size());
    met.height.push_back(height);
  }
  return met;
}

/// The rows of a vertex's columns: all y of those it meets, and in each column those from its own
/// on. `offset_of` gets what a y of each has to be raised by to be its place in the first column.
void MirrorReduction::fill_rows(std::size_t vertex, std::span<const int> met, int height,
                                std::vector<int>& offset_of, SparseMatrix& reduced) const {
  const int* const columns = reduced.outerIndexPtr() + first_[vertex];
  int* const rows = reduced.innerIndexPtr() + columns[0];
  int place = 0;
  for (const int each : met) {
    const auto owner = static_cast<std::size_t>(each);
    offset_of[owner] = place - static_cast<int>(first_of(owner));
    for (Eigen::Index y = first_of(owner); y < first_of(owner + 1); ++y)
      rows[place++] = static_cast<int>(y);
  }
  for (Eigen::Index q = 1; q < count_of(vertex); ++q)
    std::copy_n(rows + q, height - q, reduced.innerIndexPtr() + columns[q]);
}

void MirrorReduction::fill_values(std::size_t vertex, const SparseMatrix& lower, const Upper& upper,
                                  const std::vector<int>& offset_of, SparseMatrix& reduced) const {
  const int* const columns = reduced.outerIndexPtr() + first_[vertex];
  std::fill(reduced.valuePtr() + columns[0], reduced.valuePtr() + columns[count_of(vertex)], 0.0);
  for_entries_of(vertex, lower, upper, [&](std::size_t x, int row, double value) {
    const Eigen::Index offset =
        offset_of[static_cast<std::size_t>(owner_[static_cast<std::size_t>(row)])];
    // Most are a y and nothing else.
    if (const int y = alone_[static_cast<std::size_t>(row)]; y >= 0 && alone_[x] >= 0) {
      const Eigen::Index q = alone_[x] - first_[vertex];
      if (const Eigen::Index r = offset + y; r >= q)
        reduced.valuePtr()[columns[q] - q + r] += value;
      return;
    }
    for (SparseMatrix::InnerIterator of_x(map_rows_, static_cast<Eigen::Index>(x)); of_x; ++of_x) {
      const Eigen::Index q = of_x.row() - first_[vertex];
      double* const column = reduced.valuePtr() + columns[q] - q;
      for (SparseMatrix::InnerIterator of_row(map_rows_, row); of_row; ++of_row)
        if (const Eigen::Index r = offset + of_row.row(); r >= q)
          column[r] += of_row.value() * (of_x.value() * value);
    }
  });
}

/// The y of a vertex have entries in the same rows: those of all y that any of them meets.
SparseMatrix MirrorReduction::matrix(const SparseMatrix& lower) const {
  const Upper upper = upper_needed(lower);
  const std::size_t vertices = first_.size() - 1;
  const std::size_t grain = std::max(kVerticesGrain, chunk_count(vertices, kMostPieces));
  std::vector<Met> met(chunk_count(vertices, grain));
  parallel_for_chunks(vertices, grain, [&](ChunkRange range) {
    met[range.begin / grain] = met_by(range, lower, upper);
  });
  SparseMatrix reduced(count(), count());
  int entries = 0;
  for (std::size_t i = 0; i < vertices; ++i)
    for (Eigen::Index q = 0; q < count_of(i); ++q) {
      reduced.outerIndexPtr()[first_[i] + q] = entries;
      entries += met[i / grain].height[i % grain] - static_cast<int>(q);
    }
  reduced.outerIndexPtr()[count()] = entries;
  reduced.resizeNonZeros(entries);
  parallel_for_chunks(vertices, grain, [&](ChunkRange range) {
    const Met& of_piece = met[range.begin / grain];
    std::vector<int> offset_of(vertices);
    for (std::size_t i = range.begin; i != range.end; ++i) {
      if (count_of(i) == 0) continue;
      const std::size_t n = i - range.begin;
      const auto of_vertex =
          std::span(of_piece.vertices)
              .subspan(of_piece.begin[n], of_piece.begin[n + 1] - of_piece.begin[n]);
      fill_rows(i, of_vertex, of_piece.height[n], offset_of, reduced);
      fill_values(i, lower, upper, offset_of, reduced);
    }
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
  parallel_for(own_.size(),
               [&](std::size_t c) { reduced[static_cast<Eigen::Index>(c)] = full[own_[c]]; });
  return reduced;
}

}  // namespace sinew
