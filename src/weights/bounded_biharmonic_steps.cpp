// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/bounded_biharmonic_steps.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sinew {
namespace {

/// A weight below this at the start may turn out zero: it does not widen the window.
constexpr double kNoticeable = 1e-3;
/// Rings of neighbours by which the window is wider than what is noticeable: how far the rim of a
/// weight moves when it is smoothed after a lift.
constexpr int kRings = 3;
/// Times that a window is drawn anew where the weight has come to its rim: each time it may go
/// farther by the rings. What is apart on the level before but not on this one takes as many.
constexpr int kMostWindows = 12;

/// A piece of the level, with numbers of its own: first the points that may change, then the
/// fixed ones and those of zero weight that have a neighbour among them.
struct Window {
  std::vector<int> points;
  std::size_t free_count = 0;
  std::vector<std::size_t> begin;  // of the entries of L between its points; one more at the end
  std::vector<int> neighbour;
  std::vector<double> entry;
  std::vector<double> flow_of_own;  // L w of the handle's own points
};

/// The points around those of the start that may change, ascending.
std::vector<int> points_around(const BiharmonicEnergy& energy, std::span<const int> handle_of_point,
                               std::span<const int> own, const Eigen::SparseVector<double>& start) {
  std::vector<bool> is_in(energy.size(), false);
  std::vector<int> points;
  const auto take = [&](int p) {
    if (is_in[static_cast<std::size_t>(p)]) return;
    is_in[static_cast<std::size_t>(p)] = true;
    points.push_back(p);
  };
  for (const int p : own) take(p);
  for (Eigen::SparseVector<double>::InnerIterator entry(start); entry; ++entry)
    if (entry.value() > kNoticeable) take(static_cast<int>(entry.index()));
  for (std::size_t ring = 0, first = 0; ring < kRings; ++ring) {
    const std::size_t end = points.size();
    for (; first < end; ++first)
      for (const int p : energy.neighbours_of(static_cast<std::size_t>(points[first]))) take(p);
  }
  std::erase_if(points, [&](int p) { return handle_of_point[static_cast<std::size_t>(p)] >= 0; });
  std::ranges::sort(points);
  return points;
}

Window window_around(const BiharmonicEnergy& energy, std::span<const int> handle_of_point,
                     std::span<const int> own, const Eigen::SparseVector<double>& start) {
  Window window{points_around(energy, handle_of_point, own, start), 0, {0}, {}, {}, {}};
  window.free_count = window.points.size();
  std::vector<int> number(energy.size(), -1);
  for (std::size_t i = 0; i < window.free_count; ++i)
    number[static_cast<std::size_t>(window.points[i])] = static_cast<int>(i);
  for (std::size_t i = 0; i < window.free_count; ++i)
    for (const int p : energy.neighbours_of(static_cast<std::size_t>(window.points[i])))
      if (number[static_cast<std::size_t>(p)] < 0) {
        number[static_cast<std::size_t>(p)] = static_cast<int>(window.points.size());
        window.points.push_back(p);
      }
  const int handle = handle_of_point[static_cast<std::size_t>(own.front())];
  for (std::size_t i = 0; i < window.points.size(); ++i) {
    const auto p = static_cast<std::size_t>(window.points[i]);
    const std::span<const int> neighbours = energy.neighbours_of(p);
    double flow_of_own = 0;
    for (std::size_t e = 0; e < neighbours.size(); ++e) {
      const auto q = static_cast<std::size_t>(neighbours[e]);
      const double entry = energy.entries_of(p)[e];
      if (handle_of_point[q] == handle) flow_of_own += entry;
      const bool is_used =
          i < window.free_count ||
          (number[q] >= 0 && static_cast<std::size_t>(number[q]) < window.free_count);
      if (!is_used || entry == 0) continue;
      window.neighbour.push_back(number[q]);
      window.entry.push_back(entry);
    }
    window.begin.push_back(window.neighbour.size());
    window.flow_of_own.push_back(flow_of_own);
  }
  return window;
}

/// Whether the weight is noticeable where its window ends, though no handle is there.
bool is_at_rim(const BiharmonicEnergy& energy, std::span<const int> handle_of_point,
               const Window& window, const std::vector<double>& weight) {
  for (std::size_t i = 0; i < window.free_count; ++i) {
    if (weight[i] <= kNoticeable) continue;
    for (const int p : energy.neighbours_of(static_cast<std::size_t>(window.points[i])))
      if (handle_of_point[static_cast<std::size_t>(p)] < 0 &&
          !std::binary_search(
              window.points.begin(),
              window.points.begin() + static_cast<std::ptrdiff_t>(window.free_count), p))
        return true;
  }
  return false;
}

double dot(const Window& window, std::size_t i, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t e = window.begin[i]; e < window.begin[i + 1]; ++e)
    sum += window.entry[e] * values[static_cast<std::size_t>(window.neighbour[e])];
  return sum;
}

void descend(const BiharmonicEnergy& energy, const Window& window, const ProjectedSteps& steps,
             std::vector<double>& weight) {
  // y, w⁺ and t of the paper: where the gradient is taken, where its step leads, and how far the
  // momentum has grown.
  std::vector<double> from(window.points.size(), 0), next(window.free_count),
      flow(window.points.size());
  std::copy(weight.begin(), weight.end(), from.begin());
  std::vector<double> diagonal(window.free_count), inverse_mass(window.points.size());
  for (std::size_t i = 0; i < window.points.size(); ++i)
    inverse_mass[i] = energy.inverse_mass[static_cast<std::size_t>(window.points[i])];
  for (std::size_t i = 0; i < window.free_count; ++i)
    diagonal[i] = energy.diagonal[static_cast<std::size_t>(window.points[i])];
  double momentum = 1;
  for (int step = 0; step < steps.count; ++step) {
    for (std::size_t i = 0; i < window.points.size(); ++i)
      flow[i] = inverse_mass[i] * (dot(window, i, from) + window.flow_of_own[i]);
    double against = 0;
    for (std::size_t i = 0; i < window.free_count; ++i) {
      const double gradient = dot(window, i, flow);
      next[i] = std::clamp(from[i] - gradient / (diagonal[i] * steps.largest_eigenvalue), 0.0, 1.0);
      against += (from[i] - next[i]) * (next[i] - weight[i]) * diagonal[i];
    }
    if (against > 0) momentum = 1;  // the momentum leads uphill
    const double grown = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    const double carried = (momentum - 1) / grown;
    momentum = grown;
    for (std::size_t i = 0; i < window.free_count; ++i)
      from[i] = next[i] + carried * (next[i] - weight[i]);
    std::swap(weight, next);
  }
}

struct InWindow {
  Eigen::SparseVector<double> weight;
  bool is_at_rim = false;
};

InWindow steps_in_window(const BiharmonicEnergy& energy, std::span<const int> handle_of_point,
                         std::span<const int> own, const Eigen::SparseVector<double>& start,
                         const ProjectedSteps& steps) {
  const Window window = window_around(energy, handle_of_point, own, start);
  std::vector<double> dense(energy.size(), 0);
  for (Eigen::SparseVector<double>::InnerIterator entry(start); entry; ++entry)
    dense[static_cast<std::size_t>(entry.index())] = std::clamp(entry.value(), 0.0, 1.0);
  std::vector<double> weight(window.free_count);
  for (std::size_t i = 0; i < window.free_count; ++i)
    weight[i] = dense[static_cast<std::size_t>(window.points[i])];
  descend(energy, window, steps, weight);

  Eigen::SparseVector<double> result(static_cast<Eigen::Index>(energy.size()));
  auto next_own = own.begin();
  for (std::size_t i = 0; i <= window.free_count; ++i) {
    const int point = i < window.free_count ? window.points[i] : static_cast<int>(energy.size());
    for (; next_own != own.end() && *next_own < point; ++next_own) result.insertBack(*next_own) = 1;
    if (i < window.free_count && weight[i] > 0) result.insertBack(point) = weight[i];
  }
  return {std::move(result), is_at_rim(energy, handle_of_point, window, weight)};
}

}  // namespace

Eigen::SparseVector<double> projected_steps(const BiharmonicEnergy& energy,
                                            std::span<const int> handle_of_point,
                                            std::span<const int> own,
                                            const Eigen::SparseVector<double>& start,
                                            const ProjectedSteps& steps) {
  InWindow found = steps_in_window(energy, handle_of_point, own, start, steps);
  for (int windows = 1; windows < kMostWindows && steps.count > 0 && found.is_at_rim; ++windows)
    found = steps_in_window(energy, handle_of_point, own, found.weight, steps);
  return std::move(found.weight);
}

}  // namespace sinew
