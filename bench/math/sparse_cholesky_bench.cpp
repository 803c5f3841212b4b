// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <vector>

#include <benchmark/benchmark.h>

#include "math/random.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {
namespace {

/// Unknowns of a vertex: the weights of the bones that reach it, but for one.
constexpr int kBlock = 3;

/// As many constraints as change between two solves of the weights.
constexpr int kChangedConstraints = 20;

/// A triangulated grid, closed around as a limb is, whose unknowns all meet along an edge.
SparseMatrix limb_matrix(int vertex_count) {
  const int around = 100, along = vertex_count / around;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add_block = [&](int v, int w, double diagonal, double other) {
    for (int a = 0; a < kBlock; ++a)
      for (int b = 0; b < kBlock; ++b)
        if (v * kBlock + a >= w * kBlock + b)
          entries.emplace_back(v * kBlock + a, w * kBlock + b, a == b ? diagonal : other);
  };
  const auto add_edge = [&](int v, int w) {
    for (const int end : {v, w}) add_block(end, end, 1, 0.3);
    add_block(std::max(v, w), std::min(v, w), -1, -0.3);
  };
  for (int y = 0; y < along; ++y)
    for (int x = 0; x < around; ++x) {
      const int v = y * around + x, next = y * around + (x + 1) % around;
      add_block(v, v, 1e-3, 0);
      add_edge(v, next);
      if (y + 1 == along) continue;
      add_edge(v, v + around);
      add_edge(v, next + around);
    }
  const int size = along * around * kBlock;
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// Every other constraint is on one unknown, and every other on the sum of a vertex's unknowns.
SparseMatrix constraints(Eigen::Index rows, int count) {
  Random random(1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < count; ++c) {
    const int v = static_cast<int>(random.uniform(0, static_cast<double>(rows / kBlock)));
    for (int a = 0; a < (c % 2 == 0 ? 1 : kBlock); ++a)
      entries.emplace_back(v * kBlock + a, c, c % 2 == 0 ? 1 : -1);
  }
  SparseMatrix columns(rows, count);
  columns.setFromTriplets(entries.begin(), entries.end());
  return columns;
}

void analyse_and_factorise(benchmark::State& state) {
  const SparseMatrix matrix = limb_matrix(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(SparseCholesky::factor(matrix));
}

void factorise_again(benchmark::State& state) {
  const SparseMatrix matrix = limb_matrix(static_cast<int>(state.range(0)));
  SparseCholesky factor = *SparseCholesky::factor(matrix);
  for (auto _ : state) benchmark::DoNotOptimize(factor.factorise(matrix));
  // The number of constraints from which on the estimate would factorise.
  int changed = 1;
  while (!factor.prefers_refactorisation(changed)) changed += 1 + changed / 20;
  state.counters["worth_from"] = changed;
}

void solve_one_column(benchmark::State& state) {
  const SparseMatrix matrix = limb_matrix(static_cast<int>(state.range(0)));
  const SparseCholesky factor = *SparseCholesky::factor(matrix);
  const Eigen::MatrixXd right = Eigen::MatrixXd::Ones(matrix.rows(), 1);
  for (auto _ : state) benchmark::DoNotOptimize(factor.solve(right));
}

void solve_8_columns(benchmark::State& state) {
  const SparseMatrix matrix = limb_matrix(static_cast<int>(state.range(0)));
  const SparseCholesky factor = *SparseCholesky::factor(matrix);
  const Eigen::MatrixXd right = Eigen::MatrixXd::Ones(matrix.rows(), 8);
  for (auto _ : state) benchmark::DoNotOptimize(factor.solve(right));
}

/// One iteration puts the constraints in and takes them out again.
void update_and_downdate(benchmark::State& state) {
  const SparseMatrix matrix = limb_matrix(static_cast<int>(state.range(0)));
  SparseCholesky factor = *SparseCholesky::factor(matrix);
  const SparseMatrix columns = constraints(matrix.rows(), kChangedConstraints);
  for (auto _ : state) {
    if (!factor.update(columns).ok() || !factor.downdate(columns).ok()) {
      state.SkipWithError("a change was refused");
      return;
    }
  }
  state.counters["per_column"] =
      benchmark::Counter(2 * kChangedConstraints, benchmark::Counter::kIsIterationInvariantRate |
                                                      benchmark::Counter::kInvert);
}

/// What the first change after a factorisation takes, when a factor gets its room for changes.
void first_update(benchmark::State& state) {
  const SparseMatrix matrix = limb_matrix(static_cast<int>(state.range(0)));
  SparseCholesky factor = *SparseCholesky::factor(matrix);
  const SparseMatrix columns = constraints(matrix.rows(), kChangedConstraints);
  for (auto _ : state) {
    benchmark::DoNotOptimize(factor.update(columns));
    state.PauseTiming();
    benchmark::DoNotOptimize(factor.factorise(matrix));
    state.ResumeTiming();
  }
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int vertices : {5'000, 43'000}) bench->Arg(vertices);
  bench->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(analyse_and_factorise)->Apply(sizes);
BENCHMARK(factorise_again)->Apply(sizes);
BENCHMARK(solve_one_column)->Apply(sizes);
BENCHMARK(solve_8_columns)->Apply(sizes);
BENCHMARK(update_and_downdate)->Apply(sizes);
BENCHMARK(first_update)->Apply(sizes);

}  // namespace
}  // namespace sinew
