// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimise/rotation_tables.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/math/nearest_rotation.h"

namespace sinew {
namespace {

constexpr std::size_t kClusterGrain = 16;

}  // namespace

/// t_kc = Σ_{i∈c} a_ik (v_k − v_i), and, for the cluster that k is in, Σ_m a_km (v_k − v_m) as
/// well.
std::vector<RotationTables::Pull> RotationTables::pulls_of(const WeightProblem& problem,
                                                           const std::vector<int>& cluster,
                                                           std::size_t k) {
  const MeshGraph& graph = problem.graph;
  std::vector<Pull> pulls;
  const auto add = [&](int c, const Vec3& pull) {
    const auto found =
        std::find_if(pulls.begin(), pulls.end(), [&](const Pull& p) { return p.cluster == c; });
    if (found == pulls.end())
      pulls.push_back({c, static_cast<VertexIndex>(k), pull});
    else
      found->pull += pull;
  };
  add(cluster[k], Vec3::Zero());
  for (std::size_t e = graph.begin[k]; e < graph.begin[k + 1]; ++e) {
    const VertexIndex i = graph.neighbours[e];
    const Vec3 from_i = problem.positions[k] - problem.positions[i];
    add(cluster[k], graph.edge_measure[e] * from_i);
    add(cluster[i], graph.edge_measure[edge_back(graph, k, e)] * from_i);
  }
  return pulls;
}

RotationTables::RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                               std::vector<std::size_t> exemplars)
    : exemplars_(std::move(exemplars)), spine_of_(spine_of_bones(problem)) {
  std::vector<std::vector<Pull>> of_vertex(problem.positions.size());
  parallel_for(of_vertex.size(),
               [&](std::size_t k) { of_vertex[k] = pulls_of(problem, cluster, k); });
  std::vector<Pull> all;
  for (const std::vector<Pull>& mine : of_vertex) all.insert(all.end(), mine.begin(), mine.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Pull& a, const Pull& b) { return a.cluster < b.cluster; });
  std::vector<std::uint32_t> place_of_bone(problem.maps.bone_count);
  const int count = cluster.empty() ? 0 : 1 + *std::max_element(cluster.begin(), cluster.end());
  auto begin = all.begin();
  for (int c = 0; c < count; ++c) {
    const auto end = std::find_if(begin, all.end(), [&](const Pull& p) { return p.cluster != c; });
    append_cluster(problem, {begin, end}, place_of_bone);
    begin = end;
  }
  index_vertices(problem.positions.size());
  stretch_ = StretchTables(problem, cluster, cluster_count());
}

void RotationTables::revise(const WeightProblem& problem, const std::vector<int>& cluster,
                            std::span<const VertexIndex> changed) {
  std::vector<Pull> fresh;
  std::vector<bool> is_changed(problem.positions.size(), false);
  std::vector<bool> is_touched(cluster_count(), false);
  for (const VertexIndex k : changed) {
    is_changed[k] = true;
    for (std::size_t n = first_of_vertex_[k]; n < first_of_vertex_[k + 1]; ++n)
      is_touched[of_vertex_[n].first] = true;
    for (const Pull& pull : pulls_of(problem, cluster, k)) {
      is_touched[static_cast<std::size_t>(pull.cluster)] = true;
      fresh.push_back(pull);
    }
  }
  std::stable_sort(fresh.begin(), fresh.end(),
                   [](const Pull& a, const Pull& b) { return a.cluster < b.cluster; });

  RotationTables revised;
  revised.exemplars_ = std::move(exemplars_);
  revised.spine_of_ = spine_of_;
  revised.entries_.reserve(entries_.size() + fresh.size());
  revised.slots_.reserve(slots_.size() + fresh.size());
  revised.motions_.reserve(motions_.size());
  std::vector<std::uint32_t> place_of_bone(problem.maps.bone_count);
  std::vector<Pull> pulls;
  auto next = fresh.begin();
  for (std::size_t c = 0; c < cluster_count(); ++c) {
    if (!is_touched[c]) {
      revised.append_cluster(*this, c);
      continue;
    }
    pulls.clear();
    const auto add_fresh_before = [&](VertexIndex vertex) {
      for (; next != fresh.end() && next->cluster == static_cast<int>(c) && next->vertex < vertex;
           ++next)
        pulls.push_back(*next);
    };
    for (std::size_t e = first_entry_[c]; e < first_entry_[c + 1]; ++e) {
      if (is_changed[entries_[e].vertex]) continue;
      add_fresh_before(entries_[e].vertex);
      pulls.push_back({static_cast<int>(c), entries_[e].vertex, entries_[e].pull});
    }
    add_fresh_before(static_cast<VertexIndex>(problem.positions.size()));
    revised.append_cluster(problem, pulls, place_of_bone);
  }
  revised.index_vertices(problem.positions.size());
  revised.stretch_ = StretchTables(problem, cluster, cluster_count());
  *this = std::move(revised);
}

void RotationTables::append_cluster(const WeightProblem& problem, std::span<const Pull> pulls,
                                    std::vector<std::uint32_t>& place_of_bone) {
  const InfluenceMaps& maps = problem.maps;
  const std::size_t begin = motions_.size();
  for (const Pull& pull : pulls)
    for (const std::uint32_t bone : maps.bones_of(pull.vertex)) motions_.push_back(bone);
  std::sort(motions_.begin() + static_cast<std::ptrdiff_t>(begin), motions_.end());
  motions_.erase(std::unique(motions_.begin() + static_cast<std::ptrdiff_t>(begin), motions_.end()),
                 motions_.end());
  std::size_t place = 0;
  for (std::size_t b = begin; b < motions_.size(); ++b) {
    place_of_bone[motions_[b]] = static_cast<std::uint32_t>(place);
    place += spine_of_.empty() || spine_of_[motions_[b]] < 0 ? 1 : kSpineNodes;
  }
  if (!spine_of_.empty()) expand_spines(problem, begin);
  for (const Pull& pull : pulls) {
    entries_.push_back({pull.vertex, slots_.size(), pull.pull});
    for (const std::uint32_t bone : maps.bones_of(pull.vertex))
      slots_.push_back(place_of_bone[bone]);
  }
  first_entry_.push_back(entries_.size());
  first_motion_.push_back(motions_.size());
}

void RotationTables::expand_spines(const WeightProblem& problem, std::size_t begin) {
  const std::vector<std::uint32_t> bones(motions_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         motions_.end());
  motions_.resize(begin);
  for (const std::uint32_t bone : bones) {
    if (spine_of_[bone] < 0) {
      motions_.push_back(bone);
      continue;
    }
    const std::size_t first = first_motion(problem, static_cast<std::size_t>(spine_of_[bone]));
    for (std::size_t n = 0; n < kSpineNodes; ++n)
      motions_.push_back(static_cast<std::uint32_t>(first + n));
  }
}

void RotationTables::append_cluster(const RotationTables& other, std::size_t cluster) {
  const std::size_t first = other.first_entry_[cluster];
  const std::size_t last = other.first_entry_[cluster + 1];
  const auto slot_at = [&](std::size_t entry) {
    return entry < other.entries_.size() ? other.entries_[entry].first_slot : other.slots_.size();
  };
  const std::size_t first_slot = slot_at(first);
  const std::size_t moved_by = slots_.size() - first_slot;  // modulo 2^64, as it is added again
  slots_.insert(slots_.end(), other.slots_.begin() + static_cast<std::ptrdiff_t>(first_slot),
                other.slots_.begin() + static_cast<std::ptrdiff_t>(slot_at(last)));
  for (std::size_t e = first; e < last; ++e) {
    entries_.push_back(other.entries_[e]);
    entries_.back().first_slot += moved_by;
  }
  motions_.insert(
      motions_.end(),
      other.motions_.begin() + static_cast<std::ptrdiff_t>(other.first_motion_[cluster]),
      other.motions_.begin() + static_cast<std::ptrdiff_t>(other.first_motion_[cluster + 1]));
  first_entry_.push_back(entries_.size());
  first_motion_.push_back(motions_.size());
}

void RotationTables::index_vertices(std::size_t vertex_count) {
  first_of_vertex_.assign(vertex_count + 1, 0);
  for (const Entry& entry : entries_) ++first_of_vertex_[entry.vertex + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) first_of_vertex_[v + 1] += first_of_vertex_[v];
  of_vertex_.resize(entries_.size());
  std::vector<std::size_t> next(first_of_vertex_.begin(), first_of_vertex_.end() - 1);
  for (std::size_t c = 0; c < cluster_count(); ++c)
    for (std::size_t e = first_entry_[c]; e < first_entry_[c + 1]; ++e)
      of_vertex_[next[entries_[e].vertex]++] = {static_cast<std::uint32_t>(c),
                                                static_cast<std::uint32_t>(e)};
}

void RotationTables::fill(const WeightProblem& problem, const std::vector<double>& weights,
                          std::size_t cluster, std::vector<PerMotion>& per_motion) const {
  per_motion.assign(first_motion_[cluster + 1] - first_motion_[cluster], PerMotion::Zero());
  for (std::size_t e = first_entry_[cluster]; e < first_entry_[cluster + 1]; ++e) {
    const Entry& entry = entries_[e];
    PerMotion outer;
    outer.topRows<3>() = problem.positions[entry.vertex] * entry.pull.transpose();
    outer.row(3) = entry.pull.transpose();
    const std::size_t begin = problem.maps.begin[entry.vertex];
    const std::size_t count = problem.maps.begin[entry.vertex + 1] - begin;
    for (std::size_t b = 0; b < count; ++b) {
      PerMotion* const first = per_motion.data() + slots_[entry.first_slot + b];
      if (const ProblemSpine* const spine = spine_at(problem, begin + b)) {
        const SpineCoefficients& coefficients = spine->coefficients[entry.vertex];
        for (std::size_t n = 0; n < kSpineNodes; ++n)
          first[n] += weights[begin + b] * coefficients[n] * outer;
      } else {
        *first += weights[begin + b] * outer;
      }
    }
  }
}

Eigen::Matrix3d RotationTables::covariance(const WeightProblem& problem,
                                           const std::vector<double>& weights, std::size_t cluster,
                                           std::size_t exemplar) const {
  std::vector<PerMotion> per_motion;
  fill(problem, weights, cluster, per_motion);
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (std::size_t b = 0; b < per_motion.size(); ++b)
    sum.noalias() +=
        problem.exemplars[exemplar][motions_[first_motion_[cluster] + b]].matrix() * per_motion[b];
  return sum;
}

StretchTables::Fit RotationTables::fit(const WeightProblem& problem,
                                       const std::vector<double>& weights, std::size_t cluster,
                                       std::size_t exemplar,
                                       const Eigen::Matrix3d& covariance) const {
  if (!stretch_.may_stretch(cluster)) return {nearest_rotation(covariance), 0};
  return stretch_.fit(problem, weights, cluster, exemplar, covariance);
}

RotationTables::Turned RotationTables::turn(const WeightProblem& problem,
                                            const std::vector<double>& weights) const {
  Turned all{std::vector<PerMotion>(motions_.size(), PerMotion::Zero()),
             std::vector<double>(cluster_count(), 0)};
  parallel_for_chunks(cluster_count(), kClusterGrain, [&](ChunkRange range) {
    std::vector<PerMotion> per_motion;
    for (std::size_t c = range.begin; c != range.end; ++c) {
      fill(problem, weights, c, per_motion);
      PerMotion* const turned = all.motions.data() + first_motion_[c];
      const std::uint32_t* const motions = motions_.data() + first_motion_[c];
      for (const std::size_t x : exemplars_) {
        const std::vector<Affine3>& transforms = problem.exemplars[x];
        Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
        for (std::size_t m = 0; m < per_motion.size(); ++m)
          covariance.noalias() += transforms[motions[m]].matrix() * per_motion[m];
        const StretchTables::Fit best = fit(problem, weights, c, x, covariance);
        all.stretch_energy[c] += best.energy;
        for (std::size_t m = 0; m < per_motion.size(); ++m)
          turned[m].noalias() += transforms[motions[m]].matrix().transpose() * best.transform;
      }
    }
  });
  return all;
}

std::vector<RotationTables::PerMotion> RotationTables::products(
    const WeightProblem& problem, const std::vector<double>& weights) const {
  std::vector<PerMotion> all(motions_.size());
  parallel_for_chunks(cluster_count(), kClusterGrain, [&](ChunkRange range) {
    std::vector<PerMotion> per_motion;
    for (std::size_t c = range.begin; c != range.end; ++c) {
      fill(problem, weights, c, per_motion);
      std::ranges::copy(per_motion, all.begin() + static_cast<std::ptrdiff_t>(first_motion_[c]));
    }
  });
  return all;
}

double RotationTables::add_pulls(const WeightProblem& problem, const std::vector<double>& weights,
                                 std::span<const PerMotion> products, std::size_t exemplar,
                                 std::span<Vec3> of_motions) const {
  const std::vector<Affine3>& transforms = problem.exemplars[exemplar];
  double energy = 0;
  for (std::size_t c = 0; c < cluster_count(); ++c) {
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (std::size_t m = first_motion_[c]; m < first_motion_[c + 1]; ++m)
      covariance.noalias() += transforms[motions_[m]].matrix() * products[m];
    const StretchTables::Fit best = fit(problem, weights, c, exemplar, covariance);
    energy += best.energy - 2 * best.transform.cwiseProduct(covariance).sum();
    for (std::size_t m = first_motion_[c]; m < first_motion_[c + 1]; ++m)
      of_motions[motions_[m]].noalias() += best.transform * products[m].row(3).transpose();
  }
  return energy;
}

void RotationTables::revise_stretch(const WeightProblem& problem, const std::vector<int>& cluster) {
  stretch_ = StretchTables(problem, cluster, cluster_count());
}

double RotationTables::add_linear(const WeightProblem& problem, const std::vector<double>& weights,
                                  std::vector<double>& linear) const {
  const Turned turned = turn(problem, weights);
  parallel_for(problem.positions.size(), [&](std::size_t v) {
    const std::size_t begin = problem.maps.begin[v];
    const std::size_t count = problem.maps.begin[v + 1] - begin;
    const Eigen::Vector4d point = problem.positions[v].homogeneous();
    for (std::size_t n = first_of_vertex_[v]; n < first_of_vertex_[v + 1]; ++n) {
      const auto& [cluster, e] = of_vertex_[n];
      const Entry& entry = entries_[e];
      for (std::size_t b = 0; b < count; ++b) {
        const PerMotion* const first =
            turned.motions.data() + first_motion_[cluster] + slots_[entry.first_slot + b];
        if (const ProblemSpine* const spine = spine_at(problem, begin + b)) {
          PerMotion mixed = PerMotion::Zero();
          for (std::size_t m = 0; m < kSpineNodes; ++m)
            mixed += spine->coefficients[v][m] * first[m];
          linear[begin + b] += point.dot(mixed * entry.pull);
        } else {
          linear[begin + b] += point.dot(*first * entry.pull);
        }
      }
    }
  });
  double stretch_energy = 0;
  for (const double of_cluster : turned.stretch_energy) stretch_energy += of_cluster;
  return stretch_energy;
}

}  // namespace sinew
