// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/bounded_biharmonic_sets.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "core/parallel.h"
#include "weights/bounded_biharmonic_steps.h"

namespace sinew {
namespace {

/// Projected steps before the first round. They save a third of the rounds for what one round
/// takes; a hundred save few more.
constexpr int kStepsBefore = 60;

/// Of the tolerance: how hard a point at a bound has to pull away from it to be let go. The rest is
/// room for what clipping its neighbours does to it.
constexpr double kReleaseShare = 0.5;
/// Of the tolerance: how far a point may be beyond a bound before it is held there. Clipping it
/// moves its neighbours' wishes by a few times this.
constexpr double kBeyondShare = 0.1;
/// The least tolerance, in units of weight: below it a solution in doubles is rounding alone, and
/// sets would change for ever.
constexpr double kLeastTolerance = 1e-13;

using Vector = Eigen::VectorXd;
using SparseWeight = Eigen::SparseVector<double>;

enum class Bound : std::uint8_t { none, lower, upper };

/// The lower triangle of the part of a symmetric matrix between some rows, in their order.
SparseMatrix part_between(const SparseMatrix& matrix, std::span<const int> rows) {
  std::vector<int> place(static_cast<std::size_t>(matrix.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    place[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  std::vector<int> begin{0}, row_of;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (SparseMatrix::InnerIterator entry(matrix, rows[i]); entry; ++entry) {
      const int row = place[static_cast<std::size_t>(entry.row())];
      if (row < static_cast<int>(i)) continue;
      row_of.push_back(row);
      values.push_back(entry.value());
    }
    begin.push_back(static_cast<int>(row_of.size()));
  }
  const auto size = static_cast<Eigen::Index>(rows.size());
  return Eigen::Map<const SparseMatrix>(size, size, static_cast<Eigen::Index>(values.size()),
                                        begin.data(), row_of.data(), values.data());
}

std::vector<int> first_integers(std::size_t count) {
  std::vector<int> integers(count);
  std::iota(integers.begin(), integers.end(), 0);
  return integers;
}

/// What all handles share: Q of the points that are free, which stand at places in the order of
/// their elimination. Some of them, in the order of their places, have a sparse factor too.
struct FreePart {
  std::vector<int> place_of;  // of each point of the level; -1 where it is fixed
  std::size_t size = 0;
  SparseMatrix matrix;      // Q between places, both triangles
  SparseMatrix of_handles;  // Q w at places, of the weight that is one on a handle and else zero
  Vector diagonal;          // of the matrix

  [[nodiscard]] static Result<FreePart> of(const BiharmonicEnergy& energy,
                                           std::span<const int> handle_of_point,
                                           std::size_t handle_count);
};

Result<FreePart> FreePart::of(const BiharmonicEnergy& energy, std::span<const int> handle_of_point,
                              std::size_t handle_count) {
  const SparseMatrix q = matrix_of(energy);
  std::vector<int> free_points;
  for (std::size_t p = 0; p < energy.size(); ++p)
    if (handle_of_point[p] < 0) free_points.push_back(static_cast<int>(p));
  FreePart part{std::vector<int>(energy.size(), -1), free_points.size(), {}, {}, {}};
  SINEW_TRY(const std::vector<int> order, elimination_order(part_between(q, free_points)));
  for (std::size_t place = 0; place < order.size(); ++place)
    part.place_of[static_cast<std::size_t>(free_points[static_cast<std::size_t>(order[place])])] =
        static_cast<int>(place);
  std::vector<Eigen::Triplet<double>> entries, entries_of_handles;
  for (std::size_t p = 0; p < energy.size(); ++p)
    for (SparseMatrix::InnerIterator entry(q, static_cast<Eigen::Index>(p)); entry; ++entry) {
      const int row = part.place_of[static_cast<std::size_t>(entry.row())];
      if (row < 0) continue;
      if (part.place_of[p] >= 0)
        entries.emplace_back(row, part.place_of[p], entry.value());
      else
        entries_of_handles.emplace_back(row, handle_of_point[p], entry.value());
    }
  const auto size = static_cast<Eigen::Index>(part.size);
  part.matrix.resize(size, size);
  part.matrix.setFromTriplets(entries.begin(), entries.end());
  part.of_handles.resize(size, static_cast<Eigen::Index>(handle_count));
  part.of_handles.setFromTriplets(entries_of_handles.begin(), entries_of_handles.end());
  part.diagonal = part.matrix.diagonal();
  return part;
}

/// The sets of one handle, and the weight that belongs to them.
class ActiveSets {
 public:
  /// A weight that keeps the bounds starts the sets: those of its points that are at one.
  ActiveSets(const FreePart& part, std::size_t handle, Vector weight)
      : part_(part),
        of_handle_(part.of_handles.col(static_cast<Eigen::Index>(handle))),
        bound_(part.size),
        weight_(std::move(weight)) {
    for (std::size_t place = 0; place < part.size; ++place) {
      const double value = weight_[static_cast<Eigen::Index>(place)];
      bound_[place] = value <= 0 ? Bound::lower : value >= 1 ? Bound::upper : Bound::none;
    }
  }

  /// The weight of least energy with these sets. Those between may go beyond the bounds.
  [[nodiscard]] Status solve();
  /// Moves points to the sets where they belong. Returns how many.
  std::size_t revise(double tolerance);
  [[nodiscard]] const Vector& weight() const { return weight_; }

 private:
  [[nodiscard]] Vector pull() const;  // Q w

  const FreePart& part_;
  Vector of_handle_;
  std::vector<Bound> bound_;
  Vector weight_;
};

Vector ActiveSets::pull() const {
  Vector sum = of_handle_;
  for (Eigen::Index place = 0; place < weight_.size(); ++place) {
    const double value = weight_[place];
    if (value == 0) continue;  // most are
    for (SparseMatrix::InnerIterator entry(part_.matrix, place); entry; ++entry)
      sum[entry.row()] += value * entry.value();
  }
  return sum;
}

Status ActiveSets::solve() {
  std::vector<int> between;
  for (std::size_t place = 0; place < part_.size; ++place) {
    if (bound_[place] == Bound::none)
      between.push_back(static_cast<int>(place));
    else
      weight_[static_cast<Eigen::Index>(place)] = bound_[place] == Bound::upper ? 1 : 0;
  }
  if (between.empty()) return {};
  SINEW_TRY(const SparseCholesky factor, SparseCholesky::factor(part_between(part_.matrix, between),
                                                                first_integers(between.size())));
  // Of what the weight is short of, so that the digits of the last round are kept.
  const Vector pull = this->pull();
  const Vector missing = factor.solve(-pull(between));
  weight_(between) += missing;
  return {};
}

std::size_t ActiveSets::revise(double tolerance) {
  const Vector pull = this->pull();
  const double least_step = kReleaseShare * tolerance, beyond = kBeyondShare * tolerance;
  const auto revised = [&](Bound bound, double weight, double step) {
    switch (bound) {
      case Bound::none:
        if (weight < -beyond) return Bound::lower;
        return weight > 1 + beyond ? Bound::upper : Bound::none;
      case Bound::lower:
        return step >= least_step ? Bound::none : Bound::lower;
      case Bound::upper:
        return -step >= least_step ? Bound::none : Bound::upper;
    }
    return bound;
  };
  std::size_t moved = 0;
  for (std::size_t p = 0; p < part_.size; ++p) {
    const auto place = static_cast<Eigen::Index>(p);
    const Bound bound = revised(bound_[p], weight_[place], -pull[place] / part_.diagonal[place]);
    if (std::exchange(bound_[p], bound) != bound) ++moved;
  }
  return moved;
}

/// Solves for one handle after the other, in parallel.
class HandleSolver {
 public:
  HandleSolver(const BiharmonicEnergy& energy, std::span<const int> handle_of_point,
               std::span<const std::vector<int>> own, const ActiveSetOptions& options,
               const FreePart& part)
      : energy_(energy),
        handle_of_point_(handle_of_point),
        own_(own),
        options_(options),
        part_(part),
        tolerance_(std::max(options.tolerance, kLeastTolerance)) {}

  struct Outcome {
    Status status;
    bool is_settled = false;
    SparseWeight weight;
  };
  /// From the solution without bounds. Stops early when cancelled.
  [[nodiscard]] Outcome solve(std::size_t handle, const Vector& unbounded,
                              const Progress& progress) const;

 private:
  [[nodiscard]] SparseWeight clipped(std::size_t handle, const Vector& at_places) const;
  [[nodiscard]] SparseWeight stepped(std::size_t handle, const SparseWeight& start,
                                     int count) const {
    return projected_steps(energy_, handle_of_point_, own_[handle], start,
                           {count, options_.largest_eigenvalue});
  }
  [[nodiscard]] Vector at_places(const SparseWeight& weight) const;

  const BiharmonicEnergy& energy_;
  std::span<const int> handle_of_point_;
  std::span<const std::vector<int>> own_;
  const ActiveSetOptions& options_;
  const FreePart& part_;
  double tolerance_;
};

SparseWeight HandleSolver::clipped(std::size_t handle, const Vector& at_places) const {
  SparseWeight weight(static_cast<Eigen::Index>(energy_.size()));
  for (std::size_t p = 0; p < energy_.size(); ++p) {
    const int place = part_.place_of[p];
    const bool is_own = handle_of_point_[p] == static_cast<int>(handle);
    const double value = place < 0 ? (is_own ? 1 : 0) : std::clamp(at_places[place], 0.0, 1.0);
    if (value > 0) weight.insertBack(static_cast<Eigen::Index>(p)) = value;
  }
  return weight;
}

Vector HandleSolver::at_places(const SparseWeight& weight) const {
  Vector values = Vector::Zero(static_cast<Eigen::Index>(part_.size));
  for (SparseWeight::InnerIterator entry(weight); entry; ++entry)
    if (const int place = part_.place_of[static_cast<std::size_t>(entry.index())]; place >= 0)
      values[place] = entry.value();
  return values;
}

HandleSolver::Outcome HandleSolver::solve(std::size_t handle, const Vector& unbounded,
                                          const Progress& progress) const {
  Outcome outcome;
  const SparseWeight start = stepped(handle, clipped(handle, unbounded), kStepsBefore);
  ActiveSets sets(part_, handle, at_places(start));
  for (int round = 0; round < options_.most_rounds && !outcome.is_settled; ++round) {
    if (progress.cancelled()) return outcome;
    if (outcome.status = sets.solve(); !outcome.status.ok()) return outcome;
    outcome.is_settled = sets.revise(tolerance_) == 0;
  }
  outcome.weight = clipped(handle, sets.weight());
  if (!outcome.is_settled) outcome.weight = stepped(handle, outcome.weight, options_.steps_after);
  return outcome;
}

}  // namespace

Result<ActiveSetWeights> weights_by_active_sets(const BiharmonicEnergy& energy,
                                                std::span<const int> handle_of_point,
                                                std::span<const std::vector<int>> own,
                                                const ActiveSetOptions& options,
                                                const Progress& progress) {
  SINEW_CHECK(progress.checkpoint("weights", 0));
  SINEW_TRY(const FreePart part, FreePart::of(energy, handle_of_point, own.size()));
  SINEW_TRY(const SparseCholesky whole,
            SparseCholesky::factor(part.matrix, first_integers(part.size)));
  const HandleSolver solver(energy, handle_of_point, own, options, part);
  ActiveSetWeights weights;
  weights.of_handle.resize(own.size());
  for (std::size_t first = 0; first < own.size(); first += kHandlesAtATime) {
    // The factor of all of it takes about as long as those of one handle.
    SINEW_CHECK(progress.checkpoint(
        "weights", static_cast<double>(first + 1) / static_cast<double>(own.size() + 1)));
    const std::size_t count = std::min(kHandlesAtATime, own.size() - first);
    const Eigen::MatrixXd unbounded = whole.solve(-Eigen::MatrixXd(part.of_handles.middleCols(
        static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count))));
    std::vector<HandleSolver::Outcome> outcomes(count);
    parallel_for(
        count,
        [&](std::size_t h) {
          outcomes[h] =
              solver.solve(first + h, unbounded.col(static_cast<Eigen::Index>(h)), progress);
        },
        1);
    for (std::size_t h = 0; h < count; ++h) {
      SINEW_CHECK(outcomes[h].status);
      if (!outcomes[h].is_settled) ++weights.unsettled_handles;
      weights.of_handle[first + h] = std::move(outcomes[h].weight);
    }
  }
  SINEW_CHECK(progress.checkpoint("weights", 1));
  return weights;
}

}  // namespace sinew
