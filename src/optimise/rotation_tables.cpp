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
    : exemplars_(std::move(exemplars)) {
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
  revised.entries_.reserve(entries_.size() + fresh.size());
  revised.slots_.reserve(slots_.size() + fresh.size());
  revised.bones_.reserve(bones_.size());
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
  *this = std::move(revised);
}

void RotationTables::append_cluster(const WeightProblem& problem, std::span<const Pull> pulls,
                                    std::vector<std::uint32_t>& place_of_bone) {
  const InfluenceMaps& maps = problem.maps;
  const std::size_t begin = bones_.size();
  for (const Pull& pull : pulls)
    for (const std::uint32_t bone : maps.bones_of(pull.vertex)) bones_.push_back(bone);
  std::sort(bones_.begin() + static_cast<std::ptrdiff_t>(begin), bones_.end());
  bones_.erase(std::unique(bones_.begin() + static_cast<std::ptrdiff_t>(begin), bones_.end()),
               bones_.end());
  for (std::size_t b = begin; b < bones_.size(); ++b)
    place_of_bone[bones_[b]] = static_cast<std::uint32_t>(b - begin);
  for (const Pull& pull : pulls) {
    entries_.push_back({pull.vertex, slots_.size(), pull.pull});
    for (const std::uint32_t bone : maps.bones_of(pull.vertex))
      slots_.push_back(place_of_bone[bone]);
  }
  first_entry_.push_back(entries_.size());
  first_bone_.push_back(bones_.size());
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
  bones_.insert(bones_.end(),
                other.bones_.begin() + static_cast<std::ptrdiff_t>(other.first_bone_[cluster]),
                other.bones_.begin() + static_cast<std::ptrdiff_t>(other.first_bone_[cluster + 1]));
  first_entry_.push_back(entries_.size());
  first_bone_.push_back(bones_.size());
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
                          std::size_t cluster, std::vector<PerBone>& per_bone) const {
  per_bone.assign(first_bone_[cluster + 1] - first_bone_[cluster], PerBone::Zero());
  for (std::size_t e = first_entry_[cluster]; e < first_entry_[cluster + 1]; ++e) {
    const Entry& entry = entries_[e];
    PerBone outer;
    outer.topRows<3>() = problem.positions[entry.vertex] * entry.pull.transpose();
    outer.row(3) = entry.pull.transpose();
    const std::size_t begin = problem.maps.begin[entry.vertex];
    const std::size_t count = problem.maps.begin[entry.vertex + 1] - begin;
    for (std::size_t b = 0; b < count; ++b)
      per_bone[slots_[entry.first_slot + b]] += weights[begin + b] * outer;
  }
}

Eigen::Matrix3d RotationTables::covariance(const WeightProblem& problem,
                                           const std::vector<double>& weights, std::size_t cluster,
                                           std::size_t exemplar) const {
  std::vector<PerBone> per_bone;
  fill(problem, weights, cluster, per_bone);
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (std::size_t b = 0; b < per_bone.size(); ++b)
    sum.noalias() +=
        problem.exemplars[exemplar][bones_[first_bone_[cluster] + b]].matrix() * per_bone[b];
  return sum;
}

std::vector<RotationTables::PerBone> RotationTables::turn(
    const WeightProblem& problem, const std::vector<double>& weights) const {
  std::vector<PerBone> all(bones_.size(), PerBone::Zero());
  parallel_for_chunks(cluster_count(), kClusterGrain, [&](ChunkRange range) {
    std::vector<PerBone> per_bone;
    for (std::size_t c = range.begin; c != range.end; ++c) {
      fill(problem, weights, c, per_bone);
      PerBone* const turned = all.data() + first_bone_[c];
      const std::uint32_t* const bones = bones_.data() + first_bone_[c];
      for (const std::size_t x : exemplars_) {
        const std::vector<Affine3>& transforms = problem.exemplars[x];
        Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
        for (std::size_t b = 0; b < per_bone.size(); ++b)
          covariance.noalias() += transforms[bones[b]].matrix() * per_bone[b];
        const Eigen::Matrix3d rotation = nearest_rotation(covariance);
        for (std::size_t b = 0; b < per_bone.size(); ++b)
          turned[b].noalias() += transforms[bones[b]].matrix().transpose() * rotation;
      }
    }
  });
  return all;
}

void RotationTables::add_linear(const WeightProblem& problem, const std::vector<double>& weights,
                                std::vector<double>& linear) const {
  const std::vector<PerBone> turned = turn(problem, weights);
  parallel_for(problem.positions.size(), [&](std::size_t v) {
    const std::size_t begin = problem.maps.begin[v];
    const std::size_t count = problem.maps.begin[v + 1] - begin;
    const Eigen::Vector4d point = problem.positions[v].homogeneous();
    for (std::size_t n = first_of_vertex_[v]; n < first_of_vertex_[v + 1]; ++n) {
      const auto& [cluster, e] = of_vertex_[n];
      const Entry& entry = entries_[e];
      for (std::size_t b = 0; b < count; ++b)
        linear[begin + b] +=
            point.dot(turned[first_bone_[cluster] + slots_[entry.first_slot + b]] * entry.pull);
    }
  });
}

}  // namespace sinew
