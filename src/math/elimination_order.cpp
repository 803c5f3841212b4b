// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/elimination_order.h"

#include <amd.h>
#include <limits>
#include <metis.h>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>

#include "math/factor_change.h"
#include "math/supernode_analysis.h"

namespace sinew {
namespace {

/// Products of the factor for each row, empty ones too, from which on dissection is worth its time.
constexpr double kWorthDissecting = 2e5;

/// The neighbours of every row, which ascend; a row is none of its own.
struct Graph {
  std::vector<int> offsets;
  std::vector<int> neighbours;
};

/// Nothing where it has more entries than 32 bits count.
std::optional<Graph> graph_of(const SparseMatrix& lower) {
  if (lower.nonZeros() > std::numeric_limits<int>::max() / 2) return std::nullopt;
  const auto for_edges = [&](const auto& use) {
    for (int column = 0; column < lower.cols(); ++column)
      for (SparseMatrix::InnerIterator entry(lower, column); entry; ++entry)
        if (entry.row() > column) use(static_cast<int>(entry.row()), column);
  };
  Graph graph{std::vector<int>(static_cast<std::size_t>(lower.cols()) + 1, 0), {}};
  for_edges([&](int row, int column) {
    ++graph.offsets[static_cast<std::size_t>(row) + 1];
    ++graph.offsets[static_cast<std::size_t>(column) + 1];
  });
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  graph.neighbours.resize(static_cast<std::size_t>(graph.offsets.back()));
  std::vector<int> next(graph.offsets.begin(), graph.offsets.end() - 1);
  const auto put = [&](int at, int neighbour) {
    graph.neighbours[static_cast<std::size_t>(next[static_cast<std::size_t>(at)]++)] = neighbour;
  };
  for_edges([&](int row, int column) { put(row, column); });  // those before, and then those after
  for_edges([&](int row, int column) { put(column, row); });
  return graph;
}

/// METIS draws from the one stream of random numbers that a process has: of two calls at a time,
/// neither would find the order that it finds alone.
std::mutex& metis_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

AnalysedOrder AnalysedOrder::of(const SparseMatrix& lower, std::vector<int> rows) {
  ColumnAnalysis columns = analyse_columns(pattern_of(lower, RowGroups::of_rows(rows)));
  return {std::move(rows), std::move(columns)};
}

std::vector<int> AnalysedOrder::postordered() const {
  std::vector<int> result(rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j)
    result[static_cast<std::size_t>(columns.place[j])] = rows[j];
  return result;
}

Result<AnalysedOrder> minimum_degree_order(const SparseMatrix& lower) {
  const std::optional<Graph> graph = graph_of(lower);
  if (!graph) return factor_too_large();
  std::vector<int> order(static_cast<std::size_t>(lower.cols()));
  if (order.empty()) return AnalysedOrder::of(lower, order);
  static constexpr int kNoNeighbour = 0;  // AMD takes a null pointer for a missing argument
  const int status = amd_order(static_cast<int>(order.size()), graph->offsets.data(),
                               graph->neighbours.empty() ? &kNoNeighbour : graph->neighbours.data(),
                               order.data(), nullptr, nullptr);
  if (status != AMD_OK) return factor_too_large();
  return AnalysedOrder::of(lower, std::move(order));
}

Result<AnalysedOrder> dissection_order(const SparseMatrix& lower) {
  const std::optional<Graph> graph = graph_of(lower);
  if (!graph) return factor_too_large();
  std::vector<idx_t> offsets(graph->offsets.begin(), graph->offsets.end());
  std::vector<idx_t> neighbours(graph->neighbours.begin(), graph->neighbours.end());
  auto size = static_cast<idx_t>(lower.cols());
  std::vector<idx_t> order(static_cast<std::size_t>(size)), place(order.size());
  std::iota(order.begin(), order.end(), 0);
  if (!neighbours.empty()) {
    const std::lock_guard lock(metis_mutex());
    if (METIS_NodeND(&size, offsets.data(), neighbours.data(), nullptr, nullptr, order.data(),
                     place.data()) != METIS_OK)
      return factor_too_large();
  }
  return AnalysedOrder::of(lower, {order.begin(), order.end()});
}

Result<AnalysedOrder> best_order(const SparseMatrix& lower, double products_each) {
  SINEW_TRY(AnalysedOrder quick, minimum_degree_order(lower));
  const double products = quick.columns.products();
  if (products * products_each < kWorthDissecting * static_cast<double>(lower.rows())) return quick;
  SINEW_TRY(AnalysedOrder dissected, dissection_order(lower));
  return std::move(dissected.columns.products() < products ? dissected : quick);
}

Result<std::vector<int>> elimination_order(const SparseMatrix& matrix, double products_each) {
  if (matrix.rows() != matrix.cols())
    return Error{ErrorCode::bad_argument, "", "the matrix is not square"};
  if (!matrix.isCompressed()) {
    SparseMatrix compressed = matrix;
    compressed.makeCompressed();
    return elimination_order(compressed, products_each);
  }
  try {
    SINEW_TRY(const AnalysedOrder order, best_order(matrix, products_each));
    return order.postordered();
  } catch (const std::bad_alloc&) {
    return factor_too_large();
  }
}

}  // namespace sinew
