// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/quantise.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "model/row_steps.h"
#include "weights/posed_distortion.h"

namespace sinew {
namespace {

/// Vertices × poses that distortions are measured on, and poses at least: on a large mesh a few
/// tell as much, and all of them would take longer than the rounding itself.
constexpr std::size_t kMeasured = 1'000'000;
constexpr std::size_t kLeastPoses = 16;
/// Of a vertex's own share of the cost per squared step: a swap that gains less is rounding.
constexpr double kNoGainRel = 1e-9;

/// All rows in whole steps.
struct Rounded {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> parts;  // beside the influences
};

SkinWeights as_weights(const SkinWeights& weights, const Rounded& rounded, std::uint32_t steps) {
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const std::span<const Influence> row = weights.row(v);
    for (std::size_t p = 0; p < row.size(); ++p)
      if (const std::uint32_t part = rounded.parts[rounded.begin[v] + p]; part > 0)
        rows[v].push_back({row[p].bone, static_cast<double>(part) / steps});
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

Rounded round_rows(const SkinWeights& weights, std::uint32_t steps) {
  Rounded rounded;
  rounded.begin.push_back(0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    const std::vector<std::uint32_t> parts = apportion(weights.row(v), steps);
    rounded.parts.insert(rounded.parts.end(), parts.begin(), parts.end());
    rounded.begin.push_back(rounded.parts.size());
  }
  return rounded;
}

/// Poses to measure on, spread evenly over all of them.
std::vector<std::vector<Affine3>> measuring_poses(const QuantiseMetric& metric) {
  const std::size_t all = metric.poses.size();
  const std::size_t count = std::min(
      all, std::max(kLeastPoses, kMeasured / std::max<std::size_t>(metric.positions.size(), 1)));
  std::vector<std::vector<Affine3>> poses;
  for (std::size_t p = 0; p < count; ++p) poses.push_back(metric.poses[p * all / count]);
  return poses;
}

/// Brings the posed mesh back to where exact weights have it, as far as edges show: lowers
/// Σ_x Σ_ik a_ik |d_k − d_i|², d_i = Σ_b δ_ib M_b(x) h_i with δ = rounded − exact, one vertex at a
/// time. It is the energy's second order with the rotations held; its first order is nothing where
/// weights are optimal, and where they are not, no reason to change them.
///
/// With the others held, a vertex's row δ costs s δᵀDδ − 2 cᵀδ: s = Σ_k s_ik, s_ik = a_ik + a_ki,
/// D_ab = h_iᵀ G_ab h_i and c_a = Σ_k s_ik Σ_b δ_kb h_iᵀ G_ab h_k.
class RowDescent {
 public:
  RowDescent(const SkinWeights& weights, const QuantiseMetric& metric, std::uint32_t steps)
      : weights_(weights),
        metric_(metric),
        steps_(steps),
        back_(edges_back(metric.graph)),
        pairs_(weights, metric.graph, metric.poses) {}

  /// Whether the row changed.
  bool improve(std::size_t vertex, Rounded& rounded) {
    const std::span<const Influence> row = weights_.row(vertex);
    const RowChoice choice = choices_of(row, steps_);
    if (choice.to_give == 0) return false;
    const std::span<std::uint32_t> parts =
        std::span(rounded.parts).subspan(rounded.begin[vertex], row.size());
    find_costs(vertex, rounded);
    bool changed = false;
    for (std::size_t swaps = 0; swaps < row.size(); ++swaps) {
      std::size_t best_up = 0;
      std::size_t best_down = 0;
      double best = -least_gain_;
      for (std::size_t up = 0; up < row.size(); ++up) {
        if (choice.remainder[up] == 0 || parts[up] != choice.low[up]) continue;
        for (std::size_t down = 0; down < row.size(); ++down) {
          if (choice.remainder[down] == 0 || parts[down] == choice.low[down]) continue;
          const double change = change_of(up, down);
          if (!(change < best)) continue;
          best = change;
          best_up = up;
          best_down = down;
        }
      }
      if (best_up == best_down) break;
      ++parts[best_up];
      --parts[best_down];
      changed = true;
      const auto count = static_cast<Eigen::Index>(row.size());
      slope_ += (self_.col(static_cast<Eigen::Index>(best_up)).head(count) -
                 self_.col(static_cast<Eigen::Index>(best_down)).head(count)) /
                steps_;
    }
    return changed;
  }

 private:
  /// Of the cost, times squared steps, when a weight goes up by a step and another one down.
  [[nodiscard]] double change_of(std::size_t up, std::size_t down) const {
    const auto a = static_cast<Eigen::Index>(up);
    const auto b = static_cast<Eigen::Index>(down);
    return 2 * (slope_[a] - slope_[b]) * steps_ + self_(a, a) - 2 * self_(a, b) + self_(b, b);
  }

  void find_costs(std::size_t vertex, const Rounded& rounded) {
    const std::span<const Influence> row = weights_.row(vertex);
    const auto count = static_cast<Eigen::Index>(row.size());
    const Eigen::Vector4d here = metric_.positions[vertex].homogeneous();
    const std::size_t first_edge = metric_.graph.begin[vertex];
    double share = 0;
    self_.setZero(count, count);
    slope_.setZero(count);
    const std::span<const VertexIndex> neighbours = metric_.graph.neighbours_of(vertex);
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const std::size_t edge = first_edge + n;
      const double both =
          metric_.graph.edge_measure[edge] + metric_.graph.edge_measure[back_[edge]];
      share += both;
      const VertexIndex k = neighbours[n];
      const Eigen::Vector4d there = metric_.positions[k].homogeneous();
      const std::span<const Influence> other = weights_.row(k);
      for (std::size_t q = 0; q < other.size(); ++q) {
        const double off = deviation(k, q, rounded);
        if (off == 0) continue;
        for (std::size_t p = 0; p < row.size(); ++p)
          slope_[static_cast<Eigen::Index>(p)] -=
              both * off * pairs_.product(here, row[p].bone, there, other[q].bone);
      }
    }
    for (Eigen::Index p = 0; p < count; ++p)
      for (Eigen::Index q = p; q < count; ++q)
        self_(p, q) = self_(q, p) =
            share * pairs_.product(here, row[static_cast<std::size_t>(p)].bone, here,
                                   row[static_cast<std::size_t>(q)].bone);
    least_gain_ = kNoGainRel * share * static_cast<double>(metric_.poses.size());
    for (Eigen::Index q = 0; q < count; ++q)
      slope_ += self_.col(q) * deviation(vertex, static_cast<std::size_t>(q), rounded);
  }

  /// δ of an influence.
  [[nodiscard]] double deviation(std::size_t vertex, std::size_t place,
                                 const Rounded& rounded) const {
    return static_cast<double>(rounded.parts[rounded.begin[vertex] + place]) / steps_ -
           weights_.row(vertex)[place].weight;
  }

  const SkinWeights& weights_;
  const QuantiseMetric& metric_;
  std::uint32_t steps_;
  std::vector<std::size_t> back_;
  PosedPairs pairs_;
  Eigen::MatrixXd self_;   // s D of the vertex at hand
  Eigen::VectorXd slope_;  // s D δ − c
  double least_gain_ = 0;
};

}  // namespace

SkinWeights round_weights(const SkinWeights& weights, std::uint32_t steps) {
  return as_weights(weights, round_rows(weights, steps), steps);
}

Result<QuantisedWeights> quantise_weights(const SkinWeights& weights, const QuantiseMetric& metric,
                                          const QuantiseOptions& options,
                                          const Progress& progress) {
  assert(weights.vertex_count() == metric.positions.size());
  const Rounded nearest = round_rows(weights, options.steps);
  QuantisedWeights result;
  result.weights = as_weights(weights, nearest, options.steps);
  if (metric.poses.empty()) return result;

  SINEW_CHECK(progress.checkpoint("rounding", 0));
  const std::vector<std::vector<Affine3>> some = measuring_poses(metric);
  const QuantiseMetric measure{metric.positions, metric.graph, some};
  SINEW_TRY(result.arap_before, posed_distortion(weights, measure, progress));
  SINEW_CHECK(progress.checkpoint("rounding", 0.3));
  SINEW_TRY(result.arap_nearest, posed_distortion(result.weights, measure, progress));
  result.arap_after = result.arap_nearest;

  RowDescent descent(weights, metric, options.steps);
  Rounded rounded = nearest;
  std::vector<bool> to_visit(weights.vertex_count(), true);  // the rest would stay as it is
  for (int sweep = 0; sweep < options.sweeps; ++sweep) {
    SINEW_CHECK(progress.checkpoint("rounding", 0.5 + 0.25 * sweep / options.sweeps));
    std::size_t changed = 0;
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
      if (!to_visit[v]) continue;
      to_visit[v] = descent.improve(v, rounded);
      if (!to_visit[v]) continue;
      ++changed;
      for (const VertexIndex k : metric.graph.neighbours_of(v)) to_visit[k] = true;
    }
    if (changed == 0) break;
  }
  SINEW_CHECK(progress.checkpoint("rounding", 0.75));
  SkinWeights improved = as_weights(weights, rounded, options.steps);
  SINEW_TRY(const double arap, posed_distortion(improved, measure, progress));
  if (!(arap < result.arap_nearest)) return result;  // where luck has it
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    result.changed +=
        !std::equal(rounded.parts.begin() + static_cast<std::ptrdiff_t>(rounded.begin[v]),
                    rounded.parts.begin() + static_cast<std::ptrdiff_t>(rounded.begin[v + 1]),
                    nearest.parts.begin() + static_cast<std::ptrdiff_t>(rounded.begin[v]));
  result.weights = std::move(improved);
  result.arap_after = arap;
  return result;
}

}  // namespace sinew
