// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/rotation_tables.h"

#include <algorithm>
#include <optional>
#include <span>
#include <type_traits>

#include "core/parallel.h"
#include "math/nearest_rotation.h"

namespace sinew {
namespace {

constexpr std::size_t kClusterGrain = 16;
constexpr double kRigidTolerance = 1e-9;  // of what turns have in their products with themselves
constexpr std::size_t kVertexGrain = 512;

/// Σ_x M(x)ᵀ R(x) of each motion, with R its own turn: what fits best where nothing else moves a
/// cluster, since no edge measure is below zero. Nothing for motions that scale or shear.
std::vector<std::optional<RotationTables::PerMotion>> turned_by_themselves(
    const WeightProblem& problem, std::span<const std::size_t> exemplars) {
  std::vector<std::optional<RotationTables::PerMotion>> turned(motion_count(problem));
  parallel_for(
      turned.size(),
      [&](std::size_t m) {
        RotationTables::PerMotion sum = RotationTables::PerMotion::Zero();
        for (const std::size_t x : exemplars) {
          const Affine3& motion = problem.exemplars[x][m];
          const Eigen::Matrix3d linear = motion.linear();
          const bool turns =
              linear.determinant() > 0 && (linear.transpose() * linear).isIdentity(kRigidTolerance);
          if (!turns) return;
          sum.noalias() += motion.matrix().topRows<3>().transpose() * linear;
        }
        turned[m] = sum;
      },
      1);
  return turned;
}

}  // namespace

/// t_kc = Σ_{i∈c} a_ik (v_k − v_i), and, for the cluster that k is in, Σ_m a_km (v_k − v_m) as
/// well.
void RotationTables::add_pulls_of(const WeightProblem& problem, const std::vector<int>& cluster,
                                  std::size_t k, std::vector<Pull>& pulls) {
  const MeshGraph& graph = problem.graph;
  const auto first = static_cast<std::ptrdiff_t>(pulls.size());
  if (cluster[k] != kNoCluster)
    pulls.push_back({cluster[k], static_cast<VertexIndex>(k), Vec3::Zero()});
  const auto add = [&](int c, const Vec3& pull) {
    if (c == kNoCluster) return;
    const auto found = std::find_if(pulls.begin() + first, pulls.end(),
                                    [&](const Pull& p) { return p.cluster == c; });
    if (found == pulls.end())
      pulls.push_back({c, static_cast<VertexIndex>(k), pull});
    else
      found->pull += pull;
  };
  for (std::size_t e = graph.begin[k]; e < graph.begin[k + 1]; ++e) {
    const VertexIndex i = graph.neighbours[e];
    const Vec3 from_i = problem.positions[k] - problem.positions[i];
    add(cluster[k], graph.edge_measure[e] * from_i);
    add(cluster[i], graph.edge_measure[edge_back(graph, k, e)] * from_i);
  }
}

RotationTables::RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                               std::vector<std::size_t> exemplars, RotationPrecision precision)
    : precision_(precision), exemplars_(std::move(exemplars)), spine_of_(spine_of_bones(problem)) {
  if (!spine_of_.empty()) precision_ = RotationPrecision::full;
  const std::size_t vertices = problem.positions.size();
  std::vector<std::vector<Pull>> of_chunk(chunk_count(vertices, kVertexGrain));
  parallel_for_chunks(vertices, kVertexGrain, [&](ChunkRange range) {
    for (std::size_t k = range.begin; k != range.end; ++k)
      add_pulls_of(problem, cluster, k, of_chunk[range.begin / kVertexGrain]);
  });
  const auto count = static_cast<std::size_t>(
      cluster.empty() ? 0 : 1 + *std::max_element(cluster.begin(), cluster.end()));
  // By cluster, and within one by vertex, as they come.
  std::vector<std::size_t> end(count + 1, 0);
  for (const std::vector<Pull>& pulls : of_chunk)
    for (const Pull& pull : pulls) ++end[static_cast<std::size_t>(pull.cluster) + 1];
  for (std::size_t c = 0; c < count; ++c) end[c + 1] += end[c];
  std::vector<Pull> sorted(end.back());
  for (std::vector<Pull>& pulls : of_chunk) {
    for (const Pull& pull : pulls) sorted[end[static_cast<std::size_t>(pull.cluster)]++] = pull;
    pulls = {};
  }
  entries_.reserve(sorted.size());
  std::size_t slots = 0;
  for (const Pull& pull : sorted) slots += problem.maps.bones_of(pull.vertex).size();
  slots_.reserve(slots);
  BonePlaces places{std::vector<std::uint32_t>(problem.maps.bone_count),
                    std::vector<bool>(problem.maps.bone_count, false)};
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t begin = c == 0 ? 0 : end[c - 1];
    append_cluster(problem, std::span(sorted).subspan(begin, end[c] - begin), places);
  }
  index_vertices(problem.maps);
  stretch_ = StretchTables(problem, cluster, cluster_count());
  settle(problem);
}

RotationTables::RotationTables(const WeightProblem& problem, const std::vector<int>& cluster,
                               const RotationTables& before)
    : precision_(before.precision_),
      exemplars_(before.exemplars_),
      spine_of_(spine_of_bones(problem)) {
  entries_.reserve(before.entries_.size());
  std::size_t slots = 0;
  for (const Entry& entry : before.entries_) slots += problem.maps.bones_of(entry.vertex).size();
  slots_.reserve(slots);
  BonePlaces places{std::vector<std::uint32_t>(problem.maps.bone_count),
                    std::vector<bool>(problem.maps.bone_count, false)};
  std::vector<Pull> pulls;
  for (std::size_t c = 0; c < before.cluster_count(); ++c) {
    pulls.clear();
    for (std::size_t e = before.first_entry_[c]; e < before.first_entry_[c + 1]; ++e)
      pulls.push_back(
          {static_cast<int>(c), before.entries_[e].vertex, Vec3(before.entries_[e].pull)});
    append_cluster(problem, pulls, places);
  }
  index_vertices(problem.maps);
  stretch_ = StretchTables(problem, cluster, cluster_count());
  settle(problem);
}

void RotationTables::revise(const WeightProblem& problem, const std::vector<int>& cluster,
                            std::span<const VertexIndex> changed) {
  std::vector<Pull> fresh;
  std::vector<bool> is_changed(problem.positions.size(), false);
  std::vector<bool> is_touched(cluster_count(), false);
  for (const VertexIndex k : changed) {
    is_changed[k] = true;
    for (std::size_t n = first_of_vertex_[k]; n < first_of_vertex_[k + 1]; ++n)
      is_touched[of_vertex_[n]] = true;
    const std::size_t first = fresh.size();
    add_pulls_of(problem, cluster, k, fresh);
    for (std::size_t p = first; p < fresh.size(); ++p)
      is_touched[static_cast<std::size_t>(fresh[p].cluster)] = true;
  }
  std::stable_sort(fresh.begin(), fresh.end(),
                   [](const Pull& a, const Pull& b) { return a.cluster < b.cluster; });

  RotationTables revised;
  revised.precision_ = precision_;
  revised.exemplars_ = std::move(exemplars_);
  revised.spine_of_ = spine_of_;
  revised.entries_.reserve(entries_.size() + fresh.size());
  revised.slots_.reserve(slots_.size() + fresh.size());
  revised.motions_.reserve(motions_.size());
  BonePlaces places{std::vector<std::uint32_t>(problem.maps.bone_count),
                    std::vector<bool>(problem.maps.bone_count, false)};
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
      pulls.push_back({static_cast<int>(c), entries_[e].vertex, Vec3(entries_[e].pull)});
    }
    add_fresh_before(static_cast<VertexIndex>(problem.positions.size()));
    revised.append_cluster(problem, pulls, places);
  }
  revised.index_vertices(problem.maps);
  revised.stretch_ = StretchTables(problem, cluster, cluster_count());
  revised.settle(problem, *this, is_touched);
  *this = std::move(revised);
}

void RotationTables::append_cluster(const WeightProblem& problem, std::span<const Pull> pulls,
                                    BonePlaces& places) {
  const InfluenceMaps& maps = problem.maps;
  const std::size_t begin = motions_.size();
  for (const Pull& pull : pulls)
    for (const std::uint32_t bone : maps.bones_of(pull.vertex)) {
      if (places.is_met[bone]) continue;
      places.is_met[bone] = true;
      motions_.push_back(bone);
    }
  std::sort(motions_.begin() + static_cast<std::ptrdiff_t>(begin), motions_.end());
  std::size_t place = 0;
  for (std::size_t b = begin; b < motions_.size(); ++b) {
    places.is_met[motions_[b]] = false;
    places.place[motions_[b]] = static_cast<std::uint32_t>(place);
    place += spine_of_.empty() || spine_of_[motions_[b]] < 0 ? 1 : kSpineNodes;
  }
  if (!spine_of_.empty()) expand_spines(problem, begin);
  for (const Pull& pull : pulls) {
    entries_.push_back({pull.vertex, 0, {pull.pull.x(), pull.pull.y(), pull.pull.z()}});
    for (const std::uint32_t bone : maps.bones_of(pull.vertex))
      slots_.push_back(places.place[bone]);
  }
  first_entry_.push_back(entries_.size());
  first_slot_.push_back(slots_.size());
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
  const auto append = [&](auto& to, const auto& from, std::vector<std::size_t>& first,
                          const std::vector<std::size_t>& first_of_other) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first_of_other[cluster]),
              from.begin() + static_cast<std::ptrdiff_t>(first_of_other[cluster + 1]));
    first.push_back(to.size());
  };
  append(entries_, other.entries_, first_entry_, other.first_entry_);
  append(slots_, other.slots_, first_slot_, other.first_slot_);
  append(motions_, other.motions_, first_motion_, other.first_motion_);
}

void RotationTables::index_vertices(const InfluenceMaps& maps) {
  const std::size_t vertex_count = maps.vertex_count();
  first_of_vertex_.assign(vertex_count + 1, 0);
  for (const Entry& entry : entries_) ++first_of_vertex_[entry.vertex + 1];
  first_share_.assign(1, 0);
  for (std::size_t v = 0; v < vertex_count; ++v) {
    first_share_.push_back(first_share_.back() + first_of_vertex_[v + 1] * maps.bones_of(v).size());
    first_of_vertex_[v + 1] += first_of_vertex_[v];
  }
  of_vertex_.resize(entries_.size());
  std::vector<std::size_t> next(first_of_vertex_.begin(), first_of_vertex_.end() - 1);
  for (std::size_t c = 0; c < cluster_count(); ++c)
    for (std::size_t e = first_entry_[c]; e < first_entry_[c + 1]; ++e) {
      Entry& entry = entries_[e];
      const std::size_t place = next[entry.vertex]++;
      of_vertex_[place] = static_cast<std::uint32_t>(c);
      entry.first_share = static_cast<std::uint32_t>(first_share_[entry.vertex] +
                                                     (place - first_of_vertex_[entry.vertex]) *
                                                         maps.bones_of(entry.vertex).size());
    }
}

void RotationTables::fill(const WeightProblem& problem, const std::vector<double>& weights,
                          std::size_t cluster, std::vector<PerMotion>& per_motion) const {
  per_motion.assign(first_motion_[cluster + 1] - first_motion_[cluster], PerMotion::Zero());
  if (spine_of_.empty()) {
    rotation_kernels::kernels().add_products(
        weighted(problem, weights), entries_.data() + first_entry_[cluster],
        entries_.data() + first_entry_[cluster + 1], slots_.data() + first_slot_[cluster],
        per_motion.data()->data());
    return;
  }
  const std::uint32_t* slot = slots_.data() + first_slot_[cluster];
  for (std::size_t e = first_entry_[cluster]; e < first_entry_[cluster + 1]; ++e) {
    const Entry& entry = entries_[e];
    const Eigen::Vector4d point = problem.positions[entry.vertex].homogeneous();
    const PerMotion outer = point * Vec3(entry.pull).transpose();
    const std::size_t begin = problem.maps.begin[entry.vertex];
    const std::size_t count = problem.maps.begin[entry.vertex + 1] - begin;
    for (std::size_t b = 0; b < count; ++b) {
      PerMotion* const first = per_motion.data() + *slot++;
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

template <class MotionLanes>
std::vector<MotionLanes> RotationTables::motion_lanes(const WeightProblem& problem) const {
  constexpr std::size_t kCount = std::extent_v<decltype(MotionLanes::entries), 1>;
  using Scalar = std::remove_all_extents_t<decltype(MotionLanes::entries)>;
  const std::size_t motions = motion_count(problem);
  // Lanes without an exemplar stay zero, and add nothing to any sum.
  std::vector<MotionLanes> lanes(chunk_count(exemplars_.size(), kCount) * motions);
  for (std::size_t n = 0; n < exemplars_.size(); ++n)
    for (std::size_t m = 0; m < motions; ++m) {
      const auto& matrix = problem.exemplars[exemplars_[n]][m].matrix();
      MotionLanes& to = lanes[n / kCount * motions + m];
      for (int e = 0; e < 12; ++e)
        to.entries[e][n % kCount] = static_cast<Scalar>(matrix(e / 4, e % 4));
    }
  return lanes;
}

double RotationTables::fit_stretched(const WeightProblem& problem,
                                     const std::vector<double>& weights, std::size_t cluster,
                                     std::span<const std::size_t> exemplars,
                                     const Lanes3x3& covariances, Lanes3x3& fits) const {
  double energy = 0;
  fits = covariances;  // zero in lanes without an exemplar
  for (std::size_t n = 0; n < exemplars.size(); ++n) {
    const auto lane = static_cast<int>(n);
    const StretchTables::Fit best =
        stretch_.fit(problem, weights, cluster, exemplars[n], covariances.at(lane));
    fits.set(lane, best.transform);
    energy += best.energy;
  }
  return energy;
}

void RotationTables::add_shares(const WeightProblem& problem, const std::vector<double>& weights,
                                std::size_t cluster, std::span<const PerMotion> turned,
                                std::vector<double>& shares) const {
  const std::uint32_t* slot = slots_.data() + first_slot_[cluster];
  if (spine_of_.empty()) {
    rotation_kernels::kernels().linear_shares(
        weighted(problem, weights), entries_.data() + first_entry_[cluster],
        entries_.data() + first_entry_[cluster + 1], slot, turned.data()->data(), shares.data());
    return;
  }
  for (std::size_t e = first_entry_[cluster]; e < first_entry_[cluster + 1]; ++e) {
    const Entry& entry = entries_[e];
    const std::size_t begin = problem.maps.begin[entry.vertex];
    const std::size_t count = problem.maps.begin[entry.vertex + 1] - begin;
    const Eigen::Vector4d point = problem.positions[entry.vertex].homogeneous();
    for (std::size_t b = 0; b < count; ++b) {
      const PerMotion* const first = turned.data() + *slot++;
      PerMotion mixed = *first;
      if (const ProblemSpine* const spine = spine_at(problem, begin + b)) {
        const SpineCoefficients& coefficients = spine->coefficients[entry.vertex];
        mixed *= coefficients[0];
        for (std::size_t m = 1; m < kSpineNodes; ++m) mixed += coefficients[m] * first[m];
      }
      shares[entry.first_share + b] = point.dot(mixed * Vec3(entry.pull));
    }
  }
}

double RotationTables::fit_cluster(const WeightProblem& problem,
                                   std::span<const rotation_kernels::MotionLanes> all_lanes,
                                   const std::vector<double>& weights, std::size_t cluster,
                                   Scratch& scratch) const {
  using rotation_kernels::kLanes;
  const rotation_kernels::KernelSet& kernels = rotation_kernels::kernels();
  Lanes3x3 covariances = {};
  Lanes3x3 fits;
  double stretch_energy = 0;
  std::vector<PerMotion>& products = scratch.per_motion;
  fill(problem, weights, cluster, products);
  const std::size_t size = products.size();
  scratch.sums.resize(size * rotation_kernels::kPerMotion * rotation_kernels::kSumLanes);
  if (exemplars_.empty()) std::ranges::fill(scratch.sums, 0);
  const std::uint32_t* const motions = motions_.data() + first_motion_[cluster];
  for (std::size_t first = 0; first < exemplars_.size(); first += kLanes) {
    const std::size_t count = std::min(kLanes, exemplars_.size() - first);
    const auto* const lanes = all_lanes.data() + first / kLanes * motion_count(problem);
    kernels.covariances(lanes, motions, size, products.data()->data(), static_cast<int>(count),
                        covariances);
    if (stretch_.may_stretch(cluster))
      stretch_energy +=
          fit_stretched(problem, weights, cluster, std::span(exemplars_).subspan(first, count),
                        covariances, fits);
    else
      nearest_rotations(covariances, static_cast<int>(count), fits);
    kernels.add_turned(lanes, motions, size, fits, static_cast<int>(count), first == 0,
                       scratch.sums.data());
  }
  // From here on products are Q instead of P.
  kernels.add_up(scratch.sums.data(), size * rotation_kernels::kPerMotion, products.data()->data());
  return stretch_energy;
}

void RotationTables::fit_in_floats(const WeightProblem& problem,
                                   std::span<const float_fits::MotionLanes> all_lanes,
                                   const std::vector<double>& weights, std::size_t cluster,
                                   Scratch& scratch) const {
  fill(problem, weights, cluster, scratch.per_motion);
  float_fits::turn({.lanes = all_lanes.data(),
                    .motion_count = motion_count(problem),
                    .groups = chunk_count(exemplars_.size(), float_fits::kLanes),
                    .chosen = motions_.data() + first_motion_[cluster],
                    .size = scratch.per_motion.size()},
                   scratch.per_motion.data()->data(), scratch.floats);
}

void RotationTables::settle(const WeightProblem& problem, const RotationTables& others,
                            const std::vector<bool>& is_touched) {
  if (!spine_of_.empty()) return;
  const auto all_lanes = motion_lanes<rotation_kernels::MotionLanes>(problem);
  const std::vector<double> ones(problem.maps.bones.size(), 1);
  settled_of_.assign(cluster_count(), -1);
  std::vector<std::size_t> clusters;
  for (std::size_t c = 0; c < cluster_count(); ++c) {
    if (first_motion_[c + 1] - first_motion_[c] != 1) continue;
    settled_of_[c] = static_cast<int>(clusters.size());
    clusters.push_back(c);
  }
  settled_.resize(clusters.size());
  const std::vector<std::optional<PerMotion>> of_rigid = turned_by_themselves(problem, exemplars_);
  parallel_for_chunks(clusters.size(), kClusterGrain, [&](ChunkRange range) {
    Scratch scratch;
    for (std::size_t n = range.begin; n != range.end; ++n) {
      if (const auto& turned = of_rigid[motions_[first_motion_[clusters[n]]]]) {
        settled_[n] = *turned;
        continue;
      }
      if (!others.settled_of_.empty() && !is_touched[clusters[n]]) {
        settled_[n] = others.settled_[static_cast<std::size_t>(others.settled_of_[clusters[n]])];
        continue;
      }
      fit_cluster(problem, all_lanes, ones, clusters[n], scratch);
      settled_[n] = scratch.per_motion.front();
    }
  });
}

double RotationTables::turn(const WeightProblem& problem, const std::vector<double>& weights,
                            std::vector<double>& shares, std::vector<double>& linear) const {
  const bool in_floats = precision_ == RotationPrecision::floats;
  std::vector<rotation_kernels::MotionLanes> all_lanes;
  std::vector<float_fits::MotionLanes> float_lanes;
  if (in_floats)
    float_lanes = motion_lanes<float_fits::MotionLanes>(problem);
  else
    all_lanes = motion_lanes<rotation_kernels::MotionLanes>(problem);
  std::vector<double> stretch_energy(cluster_count(), 0);
  shares.resize(first_share_.back());
  parallel_for_chunks(cluster_count(), kClusterGrain, [&](ChunkRange range) {
    Scratch scratch;
    for (std::size_t c = range.begin; c != range.end; ++c) {
      if (!settled_of_.empty() && settled_of_[c] >= 0) {
        add_shares(problem, weights, c,
                   std::span(settled_).subspan(static_cast<std::size_t>(settled_of_[c]), 1),
                   shares);
        continue;
      }
      if (in_floats)
        fit_in_floats(problem, float_lanes, weights, c, scratch);
      else
        stretch_energy[c] = fit_cluster(problem, all_lanes, weights, c, scratch);
      add_shares(problem, weights, c, scratch.per_motion, shares);
    }
  });
  // Clusters come in no order that suits vertices, and the other way round: shares are what is
  // moved least.
  parallel_for(problem.positions.size(), [&](std::size_t v) {
    const std::size_t begin = problem.maps.begin[v];
    const std::size_t bones = problem.maps.begin[v + 1] - begin;
    for (std::size_t share = first_share_[v]; share < first_share_[v + 1]; share += bones)
      for (std::size_t b = 0; b < bones; ++b) linear[begin + b] += shares[share + b];
  });
  double stretched = 0;
  for (const double of_cluster : stretch_energy) stretched += of_cluster;
  return stretched;
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

double RotationTables::add_linear(std::span<const RotationTables> tables,
                                  const WeightProblem& problem, const std::vector<double>& weights,
                                  std::vector<double>& linear) {
  std::vector<double> shares;
  double stretch_energy = 0;
  for (const RotationTables& table : tables)
    stretch_energy += table.turn(problem, weights, shares, linear);
  return stretch_energy;
}

}  // namespace sinew
