// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/weight_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "arap/block_product.h"
#include "core/parallel.h"

namespace sinew {
namespace {

constexpr double kLeastMeasureRel = 1e-3;  // of the mean measure
constexpr std::size_t kColumnGrain = 2048;
constexpr std::size_t kVertexGrain = 512;
constexpr std::size_t kWeightGrain = 16'384;
/// Columns of a product that have sums of their own: each takes as much memory as the rows.
constexpr std::size_t kProductPieces = 8;
/// Entries of the harmonic term before they are added up: bounds its memory.
constexpr std::size_t kEntriesAtATime = 20'000'000;

/// In the vertex's row of bones, which has the constraint's.
std::size_t place_of(const InfluenceMaps& maps, const WeightConstraint& constraint) {
  return *maps.find(constraint.vertex, constraint.bone) - maps.begin[constraint.vertex];
}

double add(double sum, double chunk) { return sum + chunk; }

/// Eigen's sparse matrices are copied where other things move.
void hand_over(SparseMatrix& from, SparseMatrix& to) {
  SparseMatrix().swap(to);
  to.swap(from);
}

/// xᵀ A x of a matrix by its lower triangle, whose diagonal comes first in every column.
double quadratic(const SparseMatrix& lower, const Eigen::VectorXd& x) {
  const int* const begin = lower.outerIndexPtr();
  const int* const rows = lower.innerIndexPtr();
  const double* const values = lower.valuePtr();
  return parallel_reduce(
      static_cast<std::size_t>(lower.cols()), kColumnGrain, 0.0,
      [&](ChunkRange range) {
        double sum = 0;
        for (std::size_t column = range.begin; column != range.end; ++column) {
          double below = 0;
          for (int entry = begin[column] + 1; entry < begin[column + 1]; ++entry)
            below += values[entry] * x[rows[entry]];
          const double own = x[static_cast<Eigen::Index>(column)];
          sum += own * (values[begin[column]] * own + 2 * below);
        }
        return sum;
      },
      add);
}

double dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return parallel_reduce(
      static_cast<std::size_t>(a.size()), kWeightGrain, 0.0,
      [&](ChunkRange range) {
        const auto first = static_cast<Eigen::Index>(range.begin);
        const auto count = static_cast<Eigen::Index>(range.end - range.begin);
        return a.segment(first, count).dot(b.segment(first, count));
      },
      add);
}

/// Vertices within two edges of one, beside those within one, on a regular mesh: 18 and 6.
constexpr double kTwoRings = 3;

}  // namespace

double least_measure(const MeshGraph& graph) {
  double total = 0;
  for (const double measure : graph.vertex_measure) total += measure;
  return kLeastMeasureRel * (total > 0 ? total : 1) /
         static_cast<double>(std::max<std::size_t>(1, graph.vertex_count()));
}

Status check_size(const WeightProblem& problem, bool is_harmonic) {
  const auto unknowns = [&](std::size_t i) {
    return static_cast<double>(problem.maps.bones_of(i).size()) - 1;
  };
  double entries = 0;
  for (std::size_t i = 0; i < problem.positions.size(); ++i) {
    double below = unknowns(i);
    for (const VertexIndex k : problem.graph.neighbours_of(i))
      if (k > i) below += unknowns(k);
    entries += unknowns(i) * below;
  }
  if (is_harmonic) entries *= kTwoRings;
  if (entries < std::numeric_limits<int>::max()) return {};
  return Error{ErrorCode::too_large, "problem",
               "has more weights than the solver can index; fewer bones per vertex may help"};
}

WeightSystem::WeightSystem(const WeightProblem& problem, const WeightTerms& terms)
    : terms_(terms),
      unknowns_(problem.maps),
      pairs_(problem, terms.smoothing),
      arap_(assemble_arap(problem, unknowns_, pairs_)) {
  reset(problem);
}

void WeightSystem::revise(const WeightProblem& problem, std::span<const VertexIndex> vertices) {
  std::vector<bool> dirty(problem.positions.size(), false);
  for (const VertexIndex i : vertices) {
    dirty[i] = true;
    for (const VertexIndex k : problem.graph.neighbours_of(i)) dirty[k] = true;
  }
  WeightUnknowns unknowns(problem.maps);
  pairs_.meet_at(problem, vertices);
  take_arap_back();
  ArapSystem revised = reassemble_arap(problem, unknowns, pairs_, {arap_, unknowns_}, dirty);
  SparseMatrix quadratic;
  hand_over(revised.quadratic, quadratic);
  arap_ = std::move(revised);
  hand_over(quadratic, arap_.quadratic);
  unknowns_ = std::move(unknowns);
  reset(problem);
}

void WeightSystem::reset(const WeightProblem& problem) {
  block_begin_.assign(1, 0);
  block_end_.clear();
  for (std::size_t i = 0; i < problem.positions.size(); ++i) {
    const auto size = static_cast<std::size_t>(unknowns_.count_of(i));
    block_begin_.push_back(block_begin_.back() + size * (size + 1) / 2);
    block_end_.resize(block_end_.size() + size, static_cast<int>(block_end_.size() + size));
  }
  if (terms_.harmonic > 0) {
    matrix_ = arap_.quadratic;
  } else {
    // Beside blocks both are the same, and large: of a million vertices, a gigabyte.
    arap_blocks_ = blocks_of(arap_.quadratic);
    hand_over(arap_.quadratic, matrix_);
  }
  roughness_.reset();
  pulls_ = Eigen::VectorXd::Zero(unknowns_.count());
  constant_ = 0;
  constraint_constant_ = 0;
  const std::vector<double>& measures = problem.graph.vertex_measure;
  const double least =
      terms_.least_measure > 0 ? terms_.least_measure : least_measure(problem.graph);
  const double per_measure = terms_.regulariser * static_cast<double>(problem.exemplars.size());
  for (std::size_t i = 0; i < measures.size(); ++i)
    for (std::size_t place = 0; place < problem.maps.bones_of(i).size(); ++place)
      constant_ += add_term(i, place, problem.maps.weights_of(i)[place],
                            per_measure * std::max(least, measures[i]));
  if (terms_.harmonic > 0) add_harmonic(problem);

  free_pulls_ = pulls_;
  free_blocks_ = blocks_of(matrix_);
  set_flat(problem, {});
}

double WeightSystem::add_term(std::size_t vertex, std::size_t place, double target,
                              double stiffness) {
  const Eigen::Index size = unknowns_.count_of(vertex);
  const Eigen::Index first = unknowns_.first_of(vertex);
  const Eigen::Index unknown = unknowns_.unknown_of(vertex, place);
  if (unknown >= 0) {
    *block_column(unknown) += stiffness;
    pulls_[unknown] += stiffness * target;
    return stiffness * target * target;
  }
  // The base is one minus all others: (1 − Σ w − target)².
  for (Eigen::Index p = 0; p < size; ++p) {
    for (Eigen::Index q = p; q < size; ++q) block_column(first + p)[q - p] += stiffness;
    pulls_[first + p] += stiffness * (1 - target);
  }
  return stiffness * (1 - target) * (1 - target);
}

void WeightSystem::add_constraints(const InfluenceMaps& maps,
                                   std::span<const WeightConstraint> constraints, double sign) {
  for (const WeightConstraint& each : constraints)
    constraint_constant_ +=
        add_term(each.vertex, place_of(maps, each), each.target, sign * each.stiffness);
}

void WeightSystem::replace_constraints(const InfluenceMaps& maps,
                                       std::span<const VertexIndex> vertices,
                                       std::span<const WeightConstraint> constraints) {
  std::vector<bool> is_replaced(maps.vertex_count(), false);
  for (const VertexIndex i : vertices) {
    is_replaced[i] = true;
    const Eigen::Index first = unknowns_.first_of(i);
    const Eigen::Index end = first + unknowns_.count_of(i);
    const double* block = free_blocks_.data() + block_begin_[i];
    for (Eigen::Index column = first; column < end; block += end - column, ++column)
      std::copy_n(block, end - column, block_column(column));
    pulls_.segment(first, end - first) = free_pulls_.segment(first, end - first);
  }
  constraint_constant_ = 0;
  for (const WeightConstraint& each : constraints) {
    const std::size_t place = place_of(maps, each);
    if (is_replaced[each.vertex]) {
      constraint_constant_ += add_term(each.vertex, place, each.target, each.stiffness);
      continue;
    }
    const bool is_base = unknowns_.unknown_of(each.vertex, place) < 0;
    const double offset = is_base ? 1 - each.target : each.target;
    constraint_constant_ += each.stiffness * offset * offset;
  }
}

void WeightSystem::set_flat(const WeightProblem& problem, std::span<const FlatConstraint> flat) {
  flat_columns_ = columns(problem, flat);
  flat_constants_.resize(static_cast<Eigen::Index>(flat.size()));
  for (std::size_t f = 0; f < flat.size(); ++f)
    flat_constants_[static_cast<Eigen::Index>(f)] =
        std::sqrt(flat[f].stiffness) *
        laplacian_row(problem, flat[f].vertex, flat[f].bone).constant;
}

SparseMatrix WeightSystem::matrix() const {
  if (flat_columns_.cols() == 0) return matrix_;
  const SparseMatrix both = flat_columns_ * SparseMatrix(flat_columns_.transpose());
  SparseMatrix sum = matrix_ + SparseMatrix(both.triangularView<Eigen::Lower>());
  sum.makeCompressed();
  return sum;
}

WeightSystem::LaplacianRow WeightSystem::laplacian_row(const WeightProblem& problem,
                                                       std::size_t vertex,
                                                       std::uint32_t bone) const {
  LaplacianRow row;
  const auto i = static_cast<Eigen::Index>(vertex);
  const double own = problem.laplacian.coeff(i, i);
  if (!(own > 0)) return row;
  for (SparseMatrix::InnerIterator entry(problem.laplacian, i); entry; ++entry) {
    const auto k = static_cast<std::size_t>(entry.row());
    const std::optional<std::size_t> found = problem.maps.find(k, bone);
    if (!found) continue;
    const double factor = entry.value() / own;
    const Eigen::Index unknown = unknowns_.unknown_of(k, *found - problem.maps.begin[k]);
    if (unknown >= 0) {
      row.factors.emplace_back(unknown, factor);
      continue;
    }
    row.constant += factor;
    for (Eigen::Index p = 0; p < unknowns_.count_of(k); ++p)
      row.factors.emplace_back(unknowns_.first_of(k) + p, -factor);
  }
  return row;
}

SparseMatrix WeightSystem::columns(const WeightProblem& problem,
                                   std::span<const FlatConstraint> flat) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t f = 0; f < flat.size(); ++f)
    for (const auto& [unknown, factor] :
         laplacian_row(problem, flat[f].vertex, flat[f].bone).factors)
      entries.emplace_back(static_cast<int>(unknown), static_cast<int>(f),
                           std::sqrt(flat[f].stiffness) * factor);
  SparseMatrix result(unknowns_.count(), static_cast<Eigen::Index>(flat.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

SparseMatrix WeightSystem::columns(const InfluenceMaps& maps,
                                   std::span<const WeightConstraint> constraints) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const auto [vertex, bone, target, stiffness] = constraints[c];
    const Eigen::Index unknown = unknowns_.unknown_of(vertex, place_of(maps, constraints[c]));
    const double root = std::sqrt(stiffness);
    if (unknown >= 0) {
      entries.emplace_back(static_cast<int>(unknown), static_cast<int>(c), root);
      continue;
    }
    for (Eigen::Index p = 0; p < unknowns_.count_of(vertex); ++p)
      entries.emplace_back(static_cast<int>(unknowns_.first_of(vertex) + p), static_cast<int>(c),
                           -root);
  }
  SparseMatrix result(unknowns_.count(), static_cast<Eigen::Index>(constraints.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// [araplbs] Eq. 13, with the Laplacian as the difference from the neighbours' mean, as they
/// conduct, so that triangles and tetrahedra of any size count alike.
void WeightSystem::add_harmonic(const WeightProblem& problem) {
  const InfluenceMaps& maps = problem.maps;
  std::vector<Eigen::Triplet<double>> entries;
  // The unknowns of a vertex are neighbours, so that its block stays at the top of its columns.
  const auto add_entries = [&] {
    SparseMatrix added(matrix_.rows(), matrix_.cols());
    added.setFromTriplets(entries.begin(), entries.end());
    matrix_ = matrix_ + added;
    entries.clear();
  };
  std::vector<std::uint32_t> bones;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    if (entries.size() > kEntriesAtATime) add_entries();
    const double stiffness = terms_.harmonic * paper_stiffness(problem, i);
    bones.clear();
    for (SparseMatrix::InnerIterator entry(problem.laplacian, static_cast<Eigen::Index>(i)); entry;
         ++entry)
      for (const std::uint32_t bone : maps.bones_of(static_cast<std::size_t>(entry.row())))
        bones.push_back(bone);
    std::sort(bones.begin(), bones.end());
    bones.erase(std::unique(bones.begin(), bones.end()), bones.end());
    for (const std::uint32_t bone : bones) {
      const LaplacianRow row = laplacian_row(problem, i, bone);
      for (auto column = row.factors.begin(); column != row.factors.end(); ++column) {
        for (auto entry = column; entry != row.factors.end(); ++entry)
          entries.emplace_back(static_cast<int>(entry->first), static_cast<int>(column->first),
                               stiffness * entry->second * column->second);
        pulls_[column->first] -= stiffness * row.constant * column->second;
      }
      constant_ += stiffness * row.constant * row.constant;
    }
  }
  add_entries();
  matrix_.makeCompressed();
}

Eigen::VectorXd WeightSystem::right_hand_side(const InfluenceMaps& maps,
                                              const std::vector<double>& beta) const {
  Eigen::VectorXd result = pulls_ - arap_.linear;
  if (flat_columns_.cols() > 0) result -= flat_columns_ * flat_constants_;
  parallel_for(maps.vertex_count(), [&](std::size_t i) {
    const double of_base = beta[maps.begin[i] + unknowns_.base_of(i)];
    for (std::size_t place = 0; place < maps.bones_of(i).size(); ++place)
      if (place != unknowns_.base_of(i))
        result[unknowns_.unknown_of(i, place)] += beta[maps.begin[i] + place] - of_base;
  });
  return result;
}

Eigen::VectorXd WeightSystem::blocks_of(const SparseMatrix& lower) const {
  Eigen::VectorXd blocks(static_cast<Eigen::Index>(block_begin_.back()));
  parallel_for(
      block_begin_.size() - 1,
      [&](std::size_t i) {
        double* block = blocks.data() + block_begin_[i];
        const Eigen::Index end = unknowns_.first_of(i) + unknowns_.count_of(i);
        for (Eigen::Index p = unknowns_.first_of(i); p < end; block += end - p, ++p)
          std::copy_n(lower.valuePtr() + lower.outerIndexPtr()[p], end - p, block);
      },
      kVertexGrain);
  return blocks;
}

void WeightSystem::take_arap_back() {
  if (terms_.harmonic > 0) return;
  const double* block = arap_blocks_.data();
  for (std::size_t i = 0; i + 1 < block_begin_.size(); ++i) {
    const Eigen::Index end = unknowns_.first_of(i) + unknowns_.count_of(i);
    for (Eigen::Index p = unknowns_.first_of(i); p < end; block += end - p, ++p)
      std::copy_n(block, end - p, block_column(p));
  }
  hand_over(matrix_, arap_.quadratic);
}

/// Pieces of the columns have sums of their own for the rows that they reach, which are added up in
/// their order.
Eigen::VectorXd WeightSystem::product_between(const Eigen::VectorXd& x) const {
  const int* const begin = matrix_.outerIndexPtr();
  const int* const rows = matrix_.innerIndexPtr();
  const double* const values = matrix_.valuePtr();
  struct Piece {
    Eigen::Index first = 0;
    std::vector<double> sums;  // of rows from the first column on
  };
  const std::size_t vertices = block_begin_.size() - 1;
  const std::size_t grain = std::max(kVertexGrain, chunk_count(vertices, kProductPieces));
  std::vector<Piece> pieces(chunk_count(vertices, grain));
  parallel_for_chunks(vertices, grain, [&](ChunkRange range) {
    Piece& piece = pieces[range.begin / grain];
    piece.first = unknowns_.first_of(range.begin);
    const Eigen::Index columns_end = unknowns_.first_of(range.end);
    Eigen::Index rows_end = columns_end;
    for (Eigen::Index c = piece.first; c < columns_end; ++c)
      rows_end = std::max<Eigen::Index>(rows_end, rows[begin[c + 1] - 1] + 1);
    piece.sums.assign(static_cast<std::size_t>(rows_end - piece.first), 0);
    double* const sums = piece.sums.data();
    // Without a harmonic term, the columns of a vertex have entries in the same rows.
    std::vector<const double*> columns;
    for (std::size_t i = range.begin; i != range.end; ++i) {
      const Eigen::Index first = unknowns_.first_of(i);
      const Eigen::Index size = unknowns_.count_of(i);
      if (size == 0) continue;
      if (terms_.harmonic > 0) {
        for (Eigen::Index c = first; c < first + size; ++c)
          for (Eigen::Index entry = begin[c] + (first + size - c); entry < begin[c + 1]; ++entry) {
            sums[c - piece.first] += values[entry] * x[rows[entry]];
            sums[rows[entry] - piece.first] += values[entry] * x[c];
          }
        continue;
      }
      columns.clear();
      for (Eigen::Index p = 0; p < size; ++p)
        columns.push_back(values + begin[first + p] + (size - p));
      block_product::add({.first = static_cast<std::size_t>(first),
                          .size = static_cast<std::size_t>(size),
                          .columns = columns.data(),
                          .rows = rows + begin[first] + size,
                          .below = static_cast<std::size_t>(begin[first + 1] - begin[first] - size),
                          .block_end = block_end_.data()},
                         x.data(), static_cast<std::size_t>(piece.first), sums);
    }
  });
  Eigen::VectorXd product = Eigen::VectorXd::Zero(matrix_.cols());
  parallel_for_chunks(static_cast<std::size_t>(product.size()), kColumnGrain,
                      [&](ChunkRange range) {
                        for (const Piece& piece : pieces) {
                          const auto first = static_cast<std::size_t>(piece.first);
                          const std::size_t end = std::min(range.end, first + piece.sums.size());
                          for (std::size_t r = std::max(range.begin, first); r < end; ++r)
                            product[static_cast<Eigen::Index>(r)] += piece.sums[r - first];
                        }
                      });
  return product;
}

WeightSystem::Product WeightSystem::product(const InfluenceMaps& maps,
                                            const std::vector<double>& weights) const {
  const Eigen::VectorXd x = unknowns_.reduce(maps, weights);
  Product product;
  product.between = product_between(x);
  product.all = product.between;
  parallel_for(
      block_begin_.size() - 1,
      [&](std::size_t i) {
        const Eigen::Index end = unknowns_.first_of(i) + unknowns_.count_of(i);
        for (Eigen::Index p = unknowns_.first_of(i); p < end; ++p) {
          const double* const column = matrix_.valuePtr() + matrix_.outerIndexPtr()[p];
          product.all[p] += column[0] * x[p];
          for (Eigen::Index q = p + 1; q < end; ++q) {
            product.all[p] += column[q - p] * x[q];
            product.all[q] += column[q - p] * x[p];
          }
        }
      },
      kVertexGrain);
  if (flat_columns_.cols() > 0)
    product.all += flat_columns_ * Eigen::VectorXd(flat_columns_.transpose() * x);
  return product;
}

WeightSystem::OfBlocks WeightSystem::quadratics_of_blocks(const Eigen::VectorXd& x) const {
  return parallel_reduce(
      block_begin_.size() - 1, kVertexGrain, OfBlocks(),
      [&](ChunkRange range) {
        OfBlocks sum;
        for (std::size_t i = range.begin; i != range.end; ++i) {
          const Eigen::Index end = unknowns_.first_of(i) + unknowns_.count_of(i);
          const auto of_block = [&](const auto& column_of) {
            double of_vertex = 0;
            for (Eigen::Index p = unknowns_.first_of(i); p < end; ++p) {
              const double* const column = column_of(p);
              double below = 0;
              for (Eigen::Index q = p + 1; q < end; ++q) below += column[q - p] * x[q];
              of_vertex += x[p] * (column[0] * x[p] + 2 * below);
            }
            return of_vertex;
          };
          sum.all += of_block(
              [&](Eigen::Index p) { return matrix_.valuePtr() + matrix_.outerIndexPtr()[p]; });
          if (terms_.harmonic > 0) continue;
          const double* next = arap_blocks_.data() + block_begin_[i];
          sum.arap +=
              of_block([&](Eigen::Index p) { return std::exchange(next, next + (end - p)); });
        }
        return sum;
      },
      [](const OfBlocks& sum, const OfBlocks& chunk) {
        return OfBlocks{sum.arap + chunk.arap, sum.all + chunk.all};
      });
}

WeightSystem::FixedEnergy WeightSystem::with_smoothing(const InfluenceMaps& maps,
                                                       const std::vector<double>& weights,
                                                       const Product& product) const {
  const Eigen::VectorXd x = unknowns_.reduce(maps, weights);
  const double between = dot(x, product.between);
  const OfBlocks of_blocks = quadratics_of_blocks(x);
  const double of_arap =
      terms_.harmonic > 0 ? quadratic(arap_.quadratic, x) : between + of_blocks.arap;
  double flat = 0;
  if (flat_columns_.cols() > 0)
    flat = (flat_columns_.transpose() * x + flat_constants_).squaredNorm();
  const double of_rest = 2 * dot(arap_.linear, x) + arap_.constant + arap_.rest_energy;
  return {between + of_blocks.all + flat - 2 * dot(pulls_, x) + constant_ + constraint_constant_ +
              of_rest,
          of_arap + of_rest};
}

WeightSystem::FixedEnergy WeightSystem::fixed_energy(const WeightProblem& problem,
                                                     const std::vector<double>& weights,
                                                     const Product& product) const {
  FixedEnergy energy = with_smoothing(problem.maps, weights, product);
  if (terms_.smoothing > 0) {
    if (!roughness_) roughness_.emplace(problem);
    energy.arap -= terms_.smoothing * terms_.smoothing *
                   static_cast<double>(problem.exemplars.size()) *
                   roughness_->of(problem.maps, weights);
  }
  return energy;
}

double WeightSystem::taken_by_rotations(const std::vector<double>& weights,
                                        const std::vector<double>& beta) {
  return 2 * parallel_reduce(
                 weights.size(), kWeightGrain, 0.0,
                 [&](ChunkRange range) {
                   double sum = 0;
                   for (std::size_t b = range.begin; b != range.end; ++b)
                     sum += weights[b] * beta[b];
                   return sum;
                 },
                 add);
}

}  // namespace sinew
