// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/bounded_biharmonic.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/parallel.h"
#include "weights/bounded_biharmonic_checks.h"
#include "weights/bounded_biharmonic_energy.h"
#include "weights/bounded_biharmonic_sets.h"
#include "weights/bounded_biharmonic_steps.h"

namespace sinew {
namespace {

using SparseWeight = Eigen::SparseVector<double>;
using Clock = std::chrono::steady_clock;

std::vector<std::vector<int>> points_of_handles(const BiharmonicLevel& level,
                                                std::size_t handle_count) {
  std::vector<std::vector<int>> points(handle_count);
  for (std::size_t p = 0; p < level.handle.size(); ++p)
    if (level.handle[p] >= 0)
      points[static_cast<std::size_t>(level.handle[p])].push_back(static_cast<int>(p));
  return points;
}

SparseWeight lifted(const Embedding& embedding, const SparseWeight& coarse) {
  const Eigen::VectorXd values = coarse;
  SparseWeight fine(static_cast<Eigen::Index>(embedding.size()));
  for (std::size_t p = 0; p < embedding.size(); ++p) {
    double value = 0;
    for (std::size_t c = embedding.begin[p]; c < embedding.begin[p + 1]; ++c)
      value += embedding.coefficient[c] * values[embedding.corner[c]];
    if (value > 0) fine.insertBack(static_cast<Eigen::Index>(p)) = value;
  }
  return fine;
}

/// Weights of a level from those of the level before.
Result<std::vector<SparseWeight>> lift_and_polish(const BiharmonicEnergy& energy,
                                                  const BiharmonicLevel& level,
                                                  const std::vector<SparseWeight>& coarse,
                                                  const ProjectedSteps& steps,
                                                  const Progress& progress) {
  const std::vector<std::vector<int>> own = points_of_handles(level, coarse.size());
  std::vector<SparseWeight> fine(coarse.size());
  for (std::size_t first = 0; first < coarse.size(); first += kHandlesAtATime) {
    SINEW_CHECK(progress.checkpoint(
        "weights", static_cast<double>(first) / static_cast<double>(coarse.size())));
    const std::size_t count = std::min(kHandlesAtATime, coarse.size() - first);
    parallel_for(
        count,
        [&](std::size_t h) {
          if (progress.cancelled()) return;
          fine[first + h] = projected_steps(energy, level.handle, own[first + h],
                                            lifted(*level.from_coarser, coarse[first + h]), steps);
        },
        1);
  }
  SINEW_CHECK(progress.checkpoint("weights", 1));
  return fine;
}

BoundedBiharmonicReport::Level reported(const BiharmonicEnergy& energy,
                                        const BiharmonicLevel& level,
                                        const std::vector<SparseWeight>& weights,
                                        Clock::time_point start) {
  std::vector<BiharmonicMeasure> measures(weights.size());
  parallel_for(
      weights.size(),
      [&](std::size_t h) { measures[h] = measure(energy, level.handle, weights[h]); }, 1);
  BoundedBiharmonicReport::Level report{energy.size(), 0, 0, 0};
  for (const BiharmonicMeasure& of_handle : measures) {
    report.energy += of_handle.energy;
    report.residual = std::max(report.residual, of_handle.residual);
  }
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return report;
}

/// What a factor complains about is the matrix that it was given.
Error with_place(Error error, std::string_view place) {
  if (error.place.empty()) error.place = place;
  return error;
}

std::size_t count_unreached(const BiharmonicLevel& level,
                            const std::vector<SparseWeight>& weights) {
  std::vector<bool> is_reached(level.handle.size(), false);
  for (const SparseWeight& weight : weights)
    for (SparseWeight::InnerIterator entry(weight); entry; ++entry)
      is_reached[static_cast<std::size_t>(entry.index())] = true;
  return static_cast<std::size_t>(std::ranges::count(is_reached, false));
}

}  // namespace

Result<BoundedBiharmonicWeights> bounded_biharmonic_weights(std::span<const BiharmonicLevel> levels,
                                                            std::size_t handle_count,
                                                            const BoundedBiharmonicOptions& options,
                                                            const Progress& progress) {
  SINEW_CHECK(check_options(options));
  SINEW_CHECK(check_levels(levels, handle_count));
  const double all_points = std::accumulate(levels.begin(), levels.end(), 0.0,
                                            [](double sum, const BiharmonicLevel& level) {
                                              return sum + static_cast<double>(level.handle.size());
                                            });
  BoundedBiharmonicWeights weights;
  double done = 0;
  for (const BiharmonicLevel& level : levels) {
    const Clock::time_point start = Clock::now();
    const double begin = std::exchange(done, done + static_cast<double>(level.handle.size()));
    const Progress of_level =
        all_points > 0 ? progress.within(begin / all_points, done / all_points) : progress;
    SINEW_CHECK(of_level.checkpoint("weights", 0));
    const BiharmonicEnergy energy = BiharmonicEnergy::of(level);
    const ProjectedSteps steps{options.polish_steps, largest_eigenvalue(energy)};
    if (level.from_coarser) {
      SINEW_TRY(weights.of_handle,
                lift_and_polish(energy, level, weights.of_handle, steps, of_level));
    } else {
      Result<ActiveSetWeights> first = weights_by_active_sets(
          energy, level.handle, points_of_handles(level, handle_count),
          {options.tolerance, options.most_rounds, steps.count, steps.largest_eigenvalue},
          of_level);
      if (!first.ok()) return with_place(std::move(first).error(), "levels[0].stiffness");
      weights.of_handle = std::move(first->of_handle);
      weights.report.unsettled_handles = first->unsettled_handles;
    }
    weights.report.levels.push_back(reported(energy, level, weights.of_handle, start));
  }
  weights.report.unreached_points = count_unreached(levels.back(), weights.of_handle);
  return weights;
}

}  // namespace sinew
