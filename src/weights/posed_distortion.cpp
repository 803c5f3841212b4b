// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/posed_distortion.h"

#include <algorithm>
#include <cassert>

#include "core/parallel.h"
#include "math/nearest_rotation.h"

namespace sinew {
namespace {

/// One pose at a time: where vertices go, and how rigid that is.
class Posed {
 public:
  Posed(const SkinWeights& weights, const QuantiseMetric& metric)
      : weights_(weights), metric_(metric) {
    deformed_.resize(metric.positions.size());
  }

  /// The energy of the pose.
  double take(std::span<const Affine3> bones) {
    parallel_for(deformed_.size(), [&](std::size_t i) {
      Vec3 sum = Vec3::Zero();
      for (const auto& [bone, weight] : weights_.row(i))
        sum += weight * (bones[bone] * metric_.positions[i]);
      deformed_[i] = sum;
    });
    return parallel_reduce(
        deformed_.size(), kDefaultGrain, 0.0,
        [&](ChunkRange range) {
          double energy = 0;
          for (std::size_t i = range.begin; i < range.end; ++i) energy += energy_at(i);
          return energy;
        },
        [](double a, double b) { return a + b; });
  }

 private:
  /// What is left of a vertex's energy with the rotation that fits best.
  [[nodiscard]] double energy_at(std::size_t i) const {
    const std::span<const VertexIndex> neighbours = metric_.graph.neighbours_of(i);
    const std::span<const double> measures = metric_.graph.edge_measures_of(i);
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const VertexIndex k = neighbours[n];
      covariance.noalias() += (measures[n] * (deformed_[k] - deformed_[i])) *
                              (metric_.positions[k] - metric_.positions[i]).transpose();
    }
    const Eigen::Matrix3d rotation = nearest_rotation(covariance);
    double energy = 0;
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const VertexIndex k = neighbours[n];
      energy += measures[n] * (deformed_[k] - deformed_[i] -
                               rotation * (metric_.positions[k] - metric_.positions[i]))
                                  .squaredNorm();
    }
    return energy;
  }

  const SkinWeights& weights_;
  const QuantiseMetric& metric_;
  std::vector<Vec3> deformed_;
};

double rest_energy(const QuantiseMetric& metric) {
  double energy = 0;
  for (std::size_t i = 0; i < metric.positions.size(); ++i)
    for (std::size_t edge = metric.graph.begin[i]; edge < metric.graph.begin[i + 1]; ++edge)
      energy +=
          metric.graph.edge_measure[edge] *
          (metric.positions[metric.graph.neighbours[edge]] - metric.positions[i]).squaredNorm();
  return energy;
}

}  // namespace

Result<double> posed_distortion(const SkinWeights& weights, const QuantiseMetric& metric,
                                const Progress& progress) {
  const double rest = rest_energy(metric) * static_cast<double>(metric.poses.size());
  if (!(rest > 0)) return 0.0;
  Posed posed(weights, metric);
  double energy = 0;
  for (const std::vector<Affine3>& bones : metric.poses) {
    if (progress.cancelled()) return Error{ErrorCode::cancelled, "rounding", "stopped on request"};
    energy += posed.take(bones);
  }
  return energy / rest;
}

PosedPairs::PosedPairs(const SkinWeights& weights, const MeshGraph& graph,
                       std::span<const std::vector<Affine3>> poses) {
  std::vector<std::vector<std::uint32_t>> meets(weights.bone_count());
  const auto meet = [&](std::span<const Influence> here, std::span<const Influence> there) {
    for (const Influence& a : here)
      for (const Influence& b : there) {
        std::vector<std::uint32_t>& known = meets[std::min(a.bone, b.bone)];
        const auto at = std::lower_bound(known.begin(), known.end(), std::max(a.bone, b.bone));
        if (at == known.end() || *at != std::max(a.bone, b.bone))
          known.insert(at, std::max(a.bone, b.bone));
      }
  };
  for (std::size_t i = 0; i < weights.vertex_count(); ++i) {
    meet(weights.row(i), weights.row(i));
    for (const VertexIndex k : graph.neighbours_of(i))
      if (k > i) meet(weights.row(i), weights.row(k));
  }
  begin_.push_back(0);
  for (const std::vector<std::uint32_t>& known : meets) {
    other_.insert(other_.end(), known.begin(), known.end());
    begin_.push_back(other_.size());
  }
  pairs_.assign(other_.size(), Eigen::Matrix4d::Zero());
  parallel_for(
      meets.size(),
      [&](std::size_t a) {
        for (std::size_t p = begin_[a]; p < begin_[a + 1]; ++p)
          for (const std::vector<Affine3>& bones : poses)
            pairs_[p].noalias() += bones[a].affine().transpose() * bones[other_[p]].affine();
      },
      1);
}

double PosedPairs::product(const Eigen::Vector4d& g, std::uint32_t a, const Eigen::Vector4d& k,
                           std::uint32_t b) const {
  if (a > b) return product(k, b, g, a);
  const auto first = other_.begin() + static_cast<std::ptrdiff_t>(begin_[a]);
  const auto last = other_.begin() + static_cast<std::ptrdiff_t>(begin_[a + 1]);
  const auto found = std::lower_bound(first, last, b);
  assert(found != last && *found == b);
  return g.dot(pairs_[static_cast<std::size_t>(found - other_.begin())] * k);
}

}  // namespace sinew
