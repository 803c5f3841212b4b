// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/supernodal_factorise.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "math/entry_order.h"
#include "math/matrix_kernels.h"

namespace sinew {
namespace {

using matrix_kernels::Wanted;

/// Columns of a supernode that are made into a factor before the next ones hear of it.
constexpr std::size_t kPanel = 64;
/// Products below which a task costs more than it gains.
constexpr double kLeastProductsToCut = 2e6;
/// Columns or rows of a task where supernodes are cut.
constexpr std::size_t kStripColumns = 64;
constexpr std::size_t kStripRows = 128;
/// Entries of a supernode above all pieces that one task sets to zero.
constexpr std::size_t kClearedEntries = 262'144;

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
  std::vector<std::size_t> places;  // of rows of an update in the other supernode
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

  /// Applies an update to a range of a supernode's columns.
  void apply(std::size_t s, const Update& update, ChunkRange strip,
             const std::vector<std::size_t>& place_of_row, Scratch& scratch) const {
    const std::span<const int> below = structure_.below(update.from);
    const auto place = [&](std::size_t column) {
      const auto found = std::lower_bound(below.begin() + static_cast<std::ptrdiff_t>(update.begin),
                                          below.begin() + static_cast<std::ptrdiff_t>(update.end),
                                          static_cast<int>(column_of(s) + column));
      return static_cast<std::size_t>(found - below.begin());
    };
    const std::size_t first = place(strip.begin);
    const std::size_t last = place(strip.end);
    if (first == last) return;
    const std::size_t rows = below.size() - first;
    const std::size_t columns = last - first;
    const Matrix from = block_of(update.from).at(columns_of(update.from) + first, 0);
    if (scratch.product.size() < rows * columns) scratch.product.resize(rows * columns);
    scratch.places.resize(rows);
    for (std::size_t r = 0; r < rows; ++r)
      scratch.places[r] = place_of_row[static_cast<std::size_t>(below[first + r])];
    const Matrix product{scratch.product.data(), rows};
    kernels_->multiply(rows, columns, columns_of(update.from), from, from, product, Wanted::lower,
                       scratch.packed);
    const Matrix block = block_of(s);
    for (std::size_t c = 0; c < columns; ++c) {
      Scalar* const to = block.data + scratch.places[c] * block.stride;
      const Scalar* const change = product.data + c * rows;
      for (std::size_t r = c; r < rows; ++r) to[scratch.places[r]] -= change[r];
    }
  }

  /// Takes the product of a panel with itself from the columns [from, to) after it.
  void take_panel(std::size_t s, std::size_t first, std::size_t next, std::size_t from,
                  std::size_t to, Scratch& scratch) const {
    if (from == to) return;
    const Matrix block = block_of(s);
    const std::size_t rows = rows_of(s) - from;
    const std::size_t columns = to - from;
    if (scratch.product.size() < rows * columns) scratch.product.resize(rows * columns);
    const Matrix product{scratch.product.data(), rows};
    const Matrix panel = block.at(from, first);
    kernels_->multiply(rows, columns, next - first, panel, panel, product, Wanted::lower,
                       scratch.packed);
    for (std::size_t c = 0; c < columns; ++c) {
      Scalar* const changed = block.at(from, from + c).data;
      const Scalar* const change = product.data + c * rows;
      for (std::size_t r = c; r < rows; ++r) changed[r] -= change[r];
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

  /// Calls body(strip, scratch) for all at once, or in parallel for strips of so many.
  template <class Body>
  static void in_strips(std::size_t count, std::size_t strip, bool cuts, Scratch& scratch,
                        const Body& body) {
    if (!cuts) {
      body(ChunkRange{0, count}, scratch);
      return;
    }
    parallel_for_chunks(count, strip, [&](ChunkRange range) {
      Scratch own;
      body(range, own);
    });
  }

  /// Makes a supernode's part of the factor. One above all pieces is cut into strips where that
  /// pays, since nothing else runs beside it.
  void make(std::size_t s, bool is_top, std::vector<std::size_t>& place_of_row, Scratch& scratch) {
    const auto cuts = [&](double products) { return is_top && products > kLeastProductsToCut; };
    const std::size_t columns = columns_of(s);
    begin(s, is_top, place_of_row);
    const std::vector<Update> updates = updates_of(s);
    in_strips(columns, kStripColumns, cuts(products_of(updates)), scratch,
              [&](ChunkRange strip, Scratch& own) {
                for (const Update& update : updates) apply(s, update, strip, place_of_row, own);
              });
    const Matrix block = block_of(s);
    for (std::size_t first = 0; first < columns; first += kPanel) {
      const std::size_t wide = std::min(kPanel, columns - first);
      const Matrix diagonal = block.at(first, first);
      if (!kernels_->factorise(wide, diagonal)) {
        is_positive_ = false;
        return;
      }
      const std::size_t next = first + wide;
      const std::size_t rows = rows_of(s) - next;
      const auto entries = static_cast<double>(rows * wide);
      in_strips(rows, kStripRows, cuts(entries * static_cast<double>(wide)), scratch,
                [&](ChunkRange strip, Scratch&) {
                  kernels_->solve(strip.end - strip.begin, wide, diagonal,
                                  block.at(next + strip.begin, first));
                });
      const std::size_t left = columns - next;
      in_strips(left, kStripColumns, cuts(entries * static_cast<double>(left)), scratch,
                [&](ChunkRange strip, Scratch& own) {
                  take_panel(s, first, next, next + strip.begin, next + strip.end, own);
                });
    }
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
