// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimise/rotation_tables.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/math/nearest_rotation.h"

namespace sinew {
namespace {

constexpr std::size_t kClusterGrain = 16;

/// One vertex's pull on one cluster.
struct Pull {
  int cluster = 0;
  VertexIndex vertex = 0;
  Vec3 pull = Vec3::Zero();
};

/// t_kc = Σ_{i∈c} a_ik (v_k − v_i), and, for the cluster that k is in, Σ_m a_km (v_k − v_m) as
/// well.
std::vector<Pull> pulls(const WeightProblem& problem, const std::vector<int>& cluster) {
  const MeshGraph& graph = problem.graph;
  const std::vector<std::size_t> back = edges_back(graph);
  std::vector<std::vector<Pull>> of_vertex(problem.positions.size());
  parallel_for(of_vertex.size(), [&](std::size_t k) {
    std::vector<Pull>& mine = of_vertex[k];
    const auto add = [&](int c, const Vec3& pull) {
      const auto found =
          std::find_if(mine.begin(), mine.end(), [&](const Pull& p) { return p.cluster == c; });
      if (found == mine.end())
        mine.push_back({c, static_cast<VertexIndex>(k), pull});
      else
        found->pull += pull;
    };
    add(cluster[k], Vec3::Zero());
    for (std::size_t e = graph.begin[k]; e < graph.begin[k + 1]; ++e) {
      const VertexIndex i = graph.neighbours[e];
      const Vec3 from_i = problem.positions[k] - problem.positions[i];
      add(cluster[k], graph.edge_measure[e] * from_i);
      add(cluster[i], graph.edge_measure[back[e]] * from_i);
    }
  });
  std::vector<Pull> all;
  for (const std::vector<Pull>& mine : of_vertex) all.insert(all.end(), mine.begin(), mine.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Pull& a, const Pull& b) { return a.cluster < b.cluster; });
  return all;
}

}  // namespace

RotationTables::RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                               std::vector<std::size_t> exemplars)
    : exemplars_(std::move(exemplars)) {
  const InfluenceMaps& maps = problem.maps;
  const int count = cluster.empty() ? 0 : 1 + *std::max_element(cluster.begin(), cluster.end());
  first_entry_.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const Pull& pull : pulls(problem, cluster)) {
    ++first_entry_[static_cast<std::size_t>(pull.cluster) + 1];
    entries_.push_back({pull.vertex, slots_.size(), pull.pull});
    slots_.resize(slots_.size() + maps.bones_of(pull.vertex).size());
  }
  for (std::size_t c = 0; c + 1 < first_entry_.size(); ++c) first_entry_[c + 1] += first_entry_[c];

  first_bone_.push_back(0);
  std::vector<std::uint32_t> place(maps.bone_count);
  for (std::size_t c = 0; c < cluster_count(); ++c) {
    const std::size_t begin = bones_.size();
    for (std::size_t e = first_entry_[c]; e < first_entry_[c + 1]; ++e)
      for (const std::uint32_t bone : maps.bones_of(entries_[e].vertex)) bones_.push_back(bone);
    std::sort(bones_.begin() + static_cast<std::ptrdiff_t>(begin), bones_.end());
    bones_.erase(std::unique(bones_.begin() + static_cast<std::ptrdiff_t>(begin), bones_.end()),
                 bones_.end());
    for (std::size_t b = begin; b < bones_.size(); ++b)
      place[bones_[b]] = static_cast<std::uint32_t>(b - begin);
    for (std::size_t e = first_entry_[c]; e < first_entry_[c + 1]; ++e) {
      const auto of_vertex = maps.bones_of(entries_[e].vertex);
      for (std::size_t b = 0; b < of_vertex.size(); ++b)
        slots_[entries_[e].first_slot + b] = place[of_vertex[b]];
    }
    first_bone_.push_back(bones_.size());
  }

  first_of_vertex_.assign(maps.vertex_count() + 1, 0);
  for (const Entry& entry : entries_) ++first_of_vertex_[entry.vertex + 1];
  for (std::size_t v = 0; v < maps.vertex_count(); ++v)
    first_of_vertex_[v + 1] += first_of_vertex_[v];
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
