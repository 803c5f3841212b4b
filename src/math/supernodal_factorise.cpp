// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernodal_factorise.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "math/entry_order.h"
#include "math/matrix_kernels.h"

namespace sinew {
namespace {

using matrix_kernels::Run;
using matrix_kernels::Wanted;

/// Columns of a supernode that are made into a factor before the next ones hear of it.
constexpr std::size_t kPanel = 64;
/// Products below which a task costs more than it gains.
constexpr double kLeastProductsToCut = 5e5;
/// Rows of a task where supernodes are cut, a quarter of all within these: what changes them is
/// read from memory once for each.
constexpr std::size_t kLeastStripRows = 64;
constexpr std::size_t kMostStripRows = 256;
/// Columns of an update that are changed together: product and rows stay in the second cache.
constexpr std::size_t kColumnsAtATime = 128;
/// Entries of a supernode above all pieces that one task sets to zero.
constexpr std::size_t kClearedEntries = 32'768;

/// The lower triangle of a matrix, in the factor's ordering, column after column.
template <class Scalar>
struct OrderedMatrix {
  std::vector<int> begin;       // of each column
  std::unique_ptr<int[]> rows;  // in any order
  std::unique_ptr<Scalar[]> values;
};

template <class Scalar>
OrderedMatrix<Scalar> order_matrix(const SparseMatrix& lower, std::span<const int> place_of) {
  OrderedMatrix<Scalar> ordered;
  const auto size = static_cast<std::size_t>(lower.cols());
  const int* const offsets = lower.outerIndexPtr();
  const auto place = [&](int index) { return place_of[static_cast<std::size_t>(index)]; };
  const auto for_entries = [&](ChunkRange columns, const auto& use) {
    for (std::size_t j = columns.begin; j != columns.end; ++j)
      for (int e = offsets[j]; e < offsets[j + 1]; ++e) {
        const int row = lower.innerIndexPtr()[e];
        if (row < static_cast<int>(j)) continue;  // of the upper triangle
        const int a = place(row);
        const int b = place(static_cast<int>(j));
        use(static_cast<std::size_t>(std::min(a, b)), std::max(a, b), e);
      }
  };
  EntryOrder order(size, size, for_entries);
  ordered.rows = std::make_unique_for_overwrite<int[]>(order.count());
  ordered.values = std::make_unique_for_overwrite<Scalar[]>(order.count());
  order.place(for_entries, [&](std::size_t entry, int row, int from) {
    ordered.rows[entry] = row;
    ordered.values[entry] = static_cast<Scalar>(lower.valuePtr()[from]);
  });
  ordered.begin = order.take_begin();
  return ordered;
}

/// What a supernode further down does to another one.
struct Update {
  std::size_t from;   // the supernode
  std::size_t begin;  // its rows that are columns of the other, by their place in `below` ...
  std::size_t end;    // ... and those after them are rows of the other
};

/// Room to work for one thread.
template <class Scalar>
struct Scratch {
  std::vector<Scalar> packed;
  std::vector<Scalar> product;
  std::vector<Run> runs;  // of an update's rows that are neighbours in the other supernode
};

/// Left-looking: a supernode fetches what those below it do to it when its turn comes, so that
/// nothing but the factor itself has to be kept. Each waits in the list of the next supernode that
/// it changes.
template <class Scalar>
class Factorisation {
  using Matrix = matrix_kernels::Matrix<Scalar>;
  using Scratch = sinew::Scratch<Scalar>;

 public:
  Factorisation(const SupernodeStructure& structure, const SupernodePieces& pieces,
                const OrderedMatrix<Scalar>& matrix, Scalar* values)
      : structure_(structure),
        pieces_(pieces),
        matrix_(matrix),
        values_(values),
        supernode_of_(supernodes_of_columns(structure)),
        applied_(structure.count, 0),
        waiting_(structure.count) {}

  [[nodiscard]] bool run() {
    const std::vector<ChunkRange>& ranges = pieces_.of_supernodes.pieces;
    std::vector<std::vector<std::size_t>> leaving(ranges.size());
    parallel_for(
        ranges.size(),
        [&](std::size_t p) {
          Scratch scratch;
          std::vector<std::size_t> place_of_row(supernode_of_.size());
          for (std::size_t s = ranges[p].begin; s != ranges[p].end && is_positive_; ++s) {
            make(s, /*is_top=*/false, place_of_row, scratch);
            for (const std::size_t done : take_waiting(s)) pass_on(done, ranges[p].end, leaving[p]);
            pass_on(s, ranges[p].end, leaving[p]);
          }
        },
        1);
    for (const std::vector<std::size_t>& of_piece : leaving)
      for (const std::size_t each : of_piece) pass_on(each);
    Scratch scratch;
    std::vector<std::size_t> place_of_row(supernode_of_.size());
    for (const int top : pieces_.of_supernodes.top) {
      if (!is_positive_) break;
      const auto s = static_cast<std::size_t>(top);
      make(s, /*is_top=*/true, place_of_row, scratch);
      for (const std::size_t done : take_waiting(s)) pass_on(done);
      pass_on(s);
    }
    return is_positive_;
  }

 private:
  [[nodiscard]] std::size_t column_of(std::size_t s) const {
    return static_cast<std::size_t>(structure_.first_column[s]);
  }
  [[nodiscard]] std::size_t columns_of(std::size_t s) const {
    return column_of(s + 1) - column_of(s);
  }
  [[nodiscard]] std::size_t rows_of(std::size_t s) const {
    return static_cast<std::size_t>(structure_.first_row[s + 1] - structure_.first_row[s]);
  }
  [[nodiscard]] Matrix block_of(std::size_t s) const {
    return {values_ + structure_.first_value[s], rows_of(s)};
  }

  /// The supernode that a row which was not applied yet is a column of; none after the last.
  [[nodiscard]] int next_of(std::size_t s) const {
    const std::span<const int> below = structure_.below(s);
    if (applied_[s] == below.size()) return -1;
    return supernode_of_[static_cast<std::size_t>(below[applied_[s]])];
  }
  void pass_on(std::size_t s) {
    if (const int next = next_of(s); next >= 0)
      waiting_[static_cast<std::size_t>(next)].push_back(s);
  }
  /// Within a piece, whose supernodes end at `end`.
  void pass_on(std::size_t s, std::size_t end, std::vector<std::size_t>& leaving) {
    const int next = next_of(s);
    if (next >= static_cast<int>(end))
      leaving.push_back(s);
    else if (next >= 0)
      waiting_[static_cast<std::size_t>(next)].push_back(s);
  }
  [[nodiscard]] std::vector<std::size_t> take_waiting(std::size_t s) {
    return std::exchange(waiting_[s], {});
  }

  /// What the supernodes that wait do to this one; they count as applied from here on.
  [[nodiscard]] std::vector<Update> updates_of(std::size_t s) {
    std::vector<Update> updates;
    const int end = structure_.first_column[s + 1];
    for (const std::size_t from : waiting_[s]) {
      const std::span<const int> below = structure_.below(from);
      const auto first = below.begin() + static_cast<std::ptrdiff_t>(applied_[from]);
      const auto last = std::lower_bound(first, below.end(), end);
      updates.push_back({from, applied_[from], static_cast<std::size_t>(last - below.begin())});
      applied_[from] = updates.back().end;
    }
    return updates;
  }

  /// Fills in the matrix, and notes the place of every row.
  void begin(std::size_t s, bool is_top, std::vector<std::size_t>& place_of_row) const {
    const Matrix block = block_of(s);
    const int* const rows = structure_.rows + structure_.first_row[s];
    for (std::size_t r = 0; r < rows_of(s); ++r)
      place_of_row[static_cast<std::size_t>(rows[r])] = r;
    const auto clear = [&](ChunkRange range) {
      std::fill(block.data + range.begin, block.data + range.end, Scalar(0));
    };
    const std::size_t entries = block.stride * columns_of(s);
    if (is_top)
      parallel_for_chunks(entries, kClearedEntries, clear);
    else
      clear({0, entries});
    for (std::size_t c = 0; c < columns_of(s); ++c)
      for (auto e = static_cast<std::size_t>(matrix_.begin[column_of(s) + c]);
           e < static_cast<std::size_t>(matrix_.begin[column_of(s) + c + 1]); ++e)
        block.data[c * block.stride + place_of_row[static_cast<std::size_t>(matrix_.rows[e])]] +=
            matrix_.values[e];
  }

  /// Applies an update to a range of a supernode's rows.
  void apply(std::size_t s, const Update& update, ChunkRange strip,
             const std::vector<std::size_t>& place_of_row, Scratch& scratch) const {
    const std::span<const int> below = structure_.below(update.from);
    const auto place_of = [&](int row) { return place_of_row[static_cast<std::size_t>(row)]; };
    const auto first_at = [&](std::size_t place) {
      const auto found =
          std::partition_point(below.begin() + static_cast<std::ptrdiff_t>(update.begin),
                               below.end(), [&](int row) { return place_of(row) < place; });
      return static_cast<std::size_t>(found - below.begin());
    };
    const std::size_t first = first_at(strip.begin);
    const std::size_t last = first_at(strip.end);
    if (first == last) return;
    scratch.runs.clear();
    for (std::size_t r = first; r < last; ++r) {
      const std::size_t place = place_of(below[r]);
      if (r == first || place != scratch.runs.back().place + (r - scratch.runs.back().begin))
        scratch.runs.push_back({r, r, place});
      scratch.runs.back().end = r + 1;
    }
    const Matrix block = block_of(s);
    const std::size_t columns_end = std::min(update.end, last);
    for (std::size_t column = update.begin, next = 0; column < columns_end; column = next) {
      next = std::min(column + kColumnsAtATime, columns_end);
      if (column < first) next = std::min(next, first);
      // From the diagonal on, where the strip has it.
      const std::size_t top = std::max(first, column);
      const std::size_t rows = last - top;
      if (scratch.product.size() < rows * (next - column))
        scratch.product.resize(rows * (next - column));
      const Matrix from = block_of(update.from).at(columns_of(update.from), 0);
      kernels_->multiply(rows, next - column, columns_of(update.from), from.at(top, 0),
                         from.at(column, 0), {scratch.product.data(), rows},
                         top == column ? Wanted::lower : Wanted::all, scratch.packed);
      for (std::size_t c = column; c < next; ++c) {
        Scalar* const to = block.data + place_of(below[c]) * block.stride;
        const std::size_t from_row = std::max(c, top);
        kernels_->take_runs(scratch.runs.data(), scratch.runs.data() + scratch.runs.size(),
                            from_row,
                            scratch.product.data() + (c - column) * rows + (from_row - top), to);
      }
    }
  }

  /// Takes the product of columns [first, middle) with themselves from those of [middle, end), in a
  /// range of the rows.
  void take_columns(std::size_t s, std::size_t first, std::size_t middle, std::size_t end,
                    ChunkRange strip, Scratch& scratch) const {
    const Matrix block = block_of(s);
    const std::size_t columns_end = std::min(end, strip.end);
    for (std::size_t column = middle, next = 0; column < columns_end; column = next) {
      next = std::min(column + kColumnsAtATime, columns_end);
      if (column < strip.begin) next = std::min(next, strip.begin);
      const std::size_t top = std::max(strip.begin, column);
      kernels_->take_product(strip.end - top, next - column, middle - first, block.at(top, first),
                             block.at(column, first), block.at(top, column),
                             top == column ? Wanted::lower : Wanted::all, scratch.packed);
    }
  }

  [[nodiscard]] double products_of(const std::vector<Update>& updates) const {
    double products = 0;
    for (const Update& update : updates)
      products += static_cast<double>(structure_.below(update.from).size() - update.begin) *
                  static_cast<double>(update.end - update.begin) *
                  static_cast<double>(columns_of(update.from));
    return products;
  }

  /// Calls body(rows, scratch) for all at once, or in parallel for strips of them.
  template <class Body>
  void in_strips(ChunkRange rows, bool cuts, Scratch& scratch, const Body& body) {
    if (!cuts) {
      body(rows, scratch);
      return;
    }
    const std::size_t count = rows.end - rows.begin;
    const std::size_t strip = std::clamp(count / 4, kLeastStripRows, kMostStripRows);
    parallel_for_chunks(count, strip, [&](ChunkRange range) {
      std::unique_ptr<Scratch> own = take_scratch();
      body(ChunkRange{rows.begin + range.begin, rows.begin + range.end}, *own);
      const std::lock_guard lock(spare_mutex_);
      spare_.push_back(std::move(own));
    });
  }
  /// One that nobody uses: what a task had to make room for, the next one has.
  [[nodiscard]] std::unique_ptr<Scratch> take_scratch() {
    const std::lock_guard lock(spare_mutex_);
    if (spare_.empty()) return std::make_unique<Scratch>();
    std::unique_ptr<Scratch> scratch = std::move(spare_.back());
    spare_.pop_back();
    return scratch;
  }

  /// One above all pieces is cut into strips where that pays, since nothing else runs beside it.
  [[nodiscard]] static bool cuts(bool is_top, double products) {
    return is_top && products > kLeastProductsToCut;
  }

  /// Makes the factor of columns [first, end), to which all others before them were applied: first
  /// of one half of them and then of the other, so that most products are of many columns.
  [[nodiscard]] bool make_columns(std::size_t s, std::size_t first, std::size_t end, bool is_top,
                                  Scratch& scratch) {
    const Matrix block = block_of(s);
    const std::size_t wide = end - first;
    if (wide <= kPanel) {
      const Matrix diagonal = block.at(first, first);
      if (!kernels_->factorise(wide, diagonal)) return false;
      const auto entries = static_cast<double>((rows_of(s) - end) * wide);
      in_strips({end, rows_of(s)}, cuts(is_top, entries * static_cast<double>(wide)), scratch,
                [&](ChunkRange strip, Scratch&) {
                  kernels_->solve(strip.end - strip.begin, wide, diagonal,
                                  block.at(strip.begin, first));
                });
      return true;
    }
    const std::size_t middle = first + (wide / 2 + kPanel - 1) / kPanel * kPanel;
    if (!make_columns(s, first, middle, is_top, scratch)) return false;
    const auto products = static_cast<double>((rows_of(s) - middle) * (end - middle)) *
                          static_cast<double>(middle - first);
    in_strips(
        {middle, rows_of(s)}, cuts(is_top, products), scratch,
        [&](ChunkRange strip, Scratch& own) { take_columns(s, first, middle, end, strip, own); });
    return make_columns(s, middle, end, is_top, scratch);
  }

  /// Makes a supernode's part of the factor.
  void make(std::size_t s, bool is_top, std::vector<std::size_t>& place_of_row, Scratch& scratch) {
    begin(s, is_top, place_of_row);
    const std::vector<Update> updates = updates_of(s);
    in_strips({0, rows_of(s)}, cuts(is_top, products_of(updates)), scratch,
              [&](ChunkRange strip, Scratch& own) {
                for (const Update& update : updates) apply(s, update, strip, place_of_row, own);
              });
    if (!make_columns(s, 0, columns_of(s), is_top, scratch)) is_positive_ = false;
  }

  const SupernodeStructure& structure_;
  const SupernodePieces& pieces_;
  const OrderedMatrix<Scalar>& matrix_;
  Scalar* values_;
  const matrix_kernels::KernelSet<Scalar>* kernels_ = &matrix_kernels::kernels<Scalar>();
  std::vector<int> supernode_of_;
  std::vector<std::size_t> applied_;               // of each supernode's rows below
  std::vector<std::vector<std::size_t>> waiting_;  // for each supernode, those that change it next
  std::atomic<bool> is_positive_ = true;
  std::mutex spare_mutex_;
  std::vector<std::unique_ptr<Scratch>> spare_;
};

}  // namespace

template <class Scalar>
bool factorise_supernodes(const SupernodeStructure& structure, const SupernodePieces& pieces,
                          std::span<const int> place_of, const SparseMatrix& lower,
                          Scalar* values) {
  return Factorisation<Scalar>(structure, pieces, order_matrix<Scalar>(lower, place_of), values)
      .run();
}

template bool factorise_supernodes(const SupernodeStructure&, const SupernodePieces&,
                                   std::span<const int>, const SparseMatrix&, float*);
template bool factorise_supernodes(const SupernodeStructure&, const SupernodePieces&,
                                   std::span<const int>, const SparseMatrix&, double*);

}  // namespace sinew
