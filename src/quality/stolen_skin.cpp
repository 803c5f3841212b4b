// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/stolen_skin.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "core/parallel.h"
#include "math/segment.h"
#include "model/forest.h"
#include "quality/weight_maps.h"

namespace sinew {
namespace {

/// Skin that is bound to a bone by this is that bone's alone: artists' smoothing leaves the rest.
constexpr double kPure = 0.95;
/// Of the diagonal: nearer to a border than this, taste decides.
constexpr double kBorderRel = 0.03;
/// Less of its core's weight than this, and a bone leads it no longer.
constexpr double kLeads = 0.5;
/// A skull that has less of its own bones than this is seen to go with a neck.
constexpr double kHeadLeads = 0.9;

double weight_of_all(const SkinWeights& weights, std::size_t vertex,
                     const std::vector<bool>& is_counted) {
  double sum = 0;
  for (const auto& [bone, weight] : weights.row(vertex))
    if (is_counted[bone]) sum += weight;
  return sum;
}

std::vector<bool> as_set(std::span<const int> bones, std::size_t bone_count) {
  std::vector<bool> is_among(bone_count, false);
  for (const int bone : bones) is_among[static_cast<std::size_t>(bone)] = true;
  return is_among;
}

std::vector<int> hung_on(std::span<const int> parent, int head) {
  std::vector<int> bones;
  for (std::size_t j = 0; j < parent.size(); ++j)
    if (is_below(parent, static_cast<int>(j), head)) bones.push_back(static_cast<int>(j));
  return bones;
}

/// The median of how far these vertices are from a bone.
double limb_radius(const SkinSurface& surface, const Skeleton& skeleton,
                   std::span<const int> parent, int bone, const std::vector<bool>& mine) {
  const Vec3 head = skeleton.bone(bone).head();
  std::vector<Vec3> ends;
  for (std::size_t c = 0; c < parent.size(); ++c)
    if (parent[c] == bone) ends.push_back(skeleton.bones()[c].head());
  if (ends.empty()) ends.push_back(head);
  std::vector<double> distances;
  for (std::size_t v = 0; v < mine.size(); ++v) {
    if (!mine[v]) continue;
    double least2 = std::numeric_limits<double>::infinity();
    for (const Vec3& end : ends)
      least2 = std::min(least2, squared_distance_to_segment(surface.positions()[v], head, end));
    distances.push_back(std::sqrt(least2));
  }
  assert(!distances.empty());
  const auto upper = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), upper, distances.end());
  if (distances.size() % 2 == 1) return *upper;
  return (*std::max_element(distances.begin(), upper) + *upper) / 2;
}

/// In percent, the larger of the shares of vertices and of area of a core that `is_bad`.
template <class IsBad>
double bad_percent(const SkinSurface& surface, const SkinCore& core, const IsBad& is_bad,
                   std::vector<bool>& bad_vertices) {
  std::size_t bad = 0;
  double area = 0;
  double bad_area = 0;
  for (const VertexIndex v : core.vertices) {
    area += surface.rest_energy[v];
    if (!is_bad(v)) continue;
    ++bad;
    bad_area += surface.rest_energy[v];
    bad_vertices[v] = true;
  }
  const double of_vertices = static_cast<double>(bad) / static_cast<double>(core.vertices.size());
  return 100 * std::max(of_vertices, area > 0 ? bad_area / area : 0);
}

std::optional<SkinCore> core_inside(const SkinSurface& surface, const std::vector<bool>& mine,
                                    double reach, std::vector<int> bones) {
  std::vector<VertexIndex> vertices = inside_of(surface, mine, reach);
  if (vertices.size() < kMinCoreVertices) return std::nullopt;
  return SkinCore{std::move(bones), std::move(vertices)};
}

struct OwnedSegment {
  int bone = -1;
  Vec3 head = Vec3::Zero();
  Vec3 tail = Vec3::Zero();
};

/// Of deforming bones, to deforming children; leaves to their tails, or points.
std::vector<OwnedSegment> deforming_segments(const Skeleton& skeleton, std::span<const int> parent,
                                             const std::vector<bool>& deforms) {
  std::vector<OwnedSegment> segments;
  for (std::size_t j = 0; j < parent.size(); ++j) {
    if (!deforms[j]) continue;
    const Bone& bone = skeleton.bones()[j];
    const std::size_t first = segments.size();
    for (std::size_t c = 0; c < parent.size(); ++c)
      if (deforms[c] && parent[c] == static_cast<int>(j))
        segments.push_back({static_cast<int>(j), bone.head(), skeleton.bones()[c].head()});
    if (segments.size() == first)
      segments.push_back({static_cast<int>(j), bone.head(), bone.tail.value_or(bone.head())});
  }
  return segments;
}

}  // namespace

std::vector<VertexIndex> inside_of(const SkinSurface& surface, const std::vector<bool>& mine,
                                   double reach) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  using Reached = std::pair<double, VertexIndex>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  std::vector<double> distance(mine.size(), kFar);
  for (std::size_t v = 0; v < mine.size(); ++v) {
    if (!mine[v]) continue;
    for (const VertexIndex k : surface.graph.neighbours_of(v)) {
      if (mine[k] || distance[k] == 0) continue;
      distance[k] = 0;
      queue.emplace(0, k);
    }
  }
  const std::vector<Vec3>& at = surface.positions();
  while (!queue.empty()) {
    const auto [so_far, v] = queue.top();
    queue.pop();
    if (so_far > distance[v]) continue;
    for (const VertexIndex k : surface.graph.neighbours_of(v)) {
      const double there = so_far + (at[k] - at[v]).norm();
      // Beyond the reach nothing matters, and the way leads through what is mine or next to it.
      if (there > reach || there >= distance[k] || !mine[k]) continue;
      distance[k] = there;
      queue.emplace(there, k);
    }
  }
  std::vector<VertexIndex> inside;
  for (std::size_t v = 0; v < mine.size(); ++v)
    if (mine[v] && distance[v] > reach) inside.push_back(static_cast<VertexIndex>(v));
  return inside;
}

std::vector<SkinCore> bone_cores(const SkinSurface& surface, const Skeleton& skeleton,
                                 std::span<const int> parent, const SurfaceWeights& original) {
  std::vector<std::vector<VertexIndex>> pure(parent.size());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const int bone = original.dominant[v];
    if (bone >= 0 && weight_on(original.of_bones, v, bone) >= kPure)
      pure[static_cast<std::size_t>(bone)].push_back(static_cast<VertexIndex>(v));
  }
  std::vector<std::optional<SkinCore>> found(parent.size());
  parallel_for(
      parent.size(),
      [&](std::size_t j) {
        if (pure[j].size() < kMinCoreVertices) return;
        std::vector<bool> mine(surface.vertex_count(), false);
        for (const VertexIndex v : pure[j]) mine[v] = true;
        const int bone = static_cast<int>(j);
        const double radius = limb_radius(surface, skeleton, parent, bone, mine);
        found[j] =
            core_inside(surface, mine, std::min(kBorderRel * surface.diagonal, radius), {bone});
      },
      1);
  std::vector<SkinCore> cores;
  for (std::optional<SkinCore>& core : found)
    if (core) cores.push_back(*std::move(core));
  return cores;
}

std::optional<SkinCore> head_core(const SkinSurface& surface, std::span<const int> parent, int head,
                                  const SurfaceWeights& original) {
  std::vector<int> bones = hung_on(parent, head);
  const std::vector<bool> is_heads = as_set(bones, parent.size());
  std::vector<bool> mine(surface.vertex_count());
  for (std::size_t v = 0; v < mine.size(); ++v)
    mine[v] = weight_of_all(original.of_bones, v, is_heads) >= kPure;
  return core_inside(surface, mine, kBorderRel * surface.diagonal, std::move(bones));
}

std::optional<SkinCore> head_core_by_place(const SkinSurface& surface, const Skeleton& skeleton,
                                           std::span<const int> parent,
                                           const std::vector<bool>& deforms, int head) {
  std::vector<int> bones = hung_on(parent, head);
  const std::vector<bool> is_heads = as_set(bones, parent.size());
  const std::vector<OwnedSegment> segments = deforming_segments(skeleton, parent, deforms);
  const Vec3 joint = skeleton.bone(head).head();
  const int neck = parent[static_cast<std::size_t>(head)];
  const Vec3 beyond = neck >= 0 ? Vec3(joint - skeleton.bone(neck).head()) : Vec3::Zero();
  std::vector<unsigned char> is_near(surface.vertex_count(), 0);
  parallel_for(is_near.size(), [&](std::size_t v) {
    if (!surface.has_face(v)) return;
    const Vec3& at = surface.positions()[v];
    double to_head2 = std::numeric_limits<double>::infinity();
    double to_others2 = to_head2;
    for (const OwnedSegment& segment : segments) {
      double& least2 = is_heads[static_cast<std::size_t>(segment.bone)] ? to_head2 : to_others2;
      least2 = std::min(least2, squared_distance_to_segment(at, segment.head, segment.tail));
    }
    // Where both are nearest at the joint that they share, the plane across it decides.
    is_near[v] = to_head2 <= to_others2 && (neck < 0 || (at - joint).dot(beyond) > 0);
  });
  const std::vector<bool> mine(is_near.begin(), is_near.end());
  return core_inside(surface, mine, kBorderRel * surface.diagonal, std::move(bones));
}

SkinShare stolen_skin(const SkinSurface& surface, std::span<const SkinCore> cores,
                      const SkinWeights& of_bones) {
  SkinShare stolen;
  stolen.bones.resize(of_bones.bone_count());
  stolen.vertices.assign(surface.vertex_count(), false);
  for (const SkinCore& core : cores) {
    const int bone = core.bones.front();
    const double percent = bad_percent(
        surface, core, [&](VertexIndex v) { return weight_on(of_bones, v, bone) < kLeads; },
        stolen.vertices);
    stolen.bones[static_cast<std::size_t>(bone)] = percent;
    stolen.percent += percent / static_cast<double>(cores.size());
    if (!stolen.most || percent > stolen.most->percent) stolen.most = BoneShare{bone, percent};
  }
  return stolen;
}

HeadSkin head_skin(const SkinSurface& surface, const SkinCore& core, const SkinWeights& of_bones) {
  const std::vector<bool> is_heads = as_set(core.bones, of_bones.bone_count());
  HeadSkin head;
  head.vertices.assign(surface.vertex_count(), false);
  head.percent = bad_percent(
      surface, core,
      [&](VertexIndex v) { return weight_of_all(of_bones, v, is_heads) < kHeadLeads; },
      head.vertices);
  return head;
}

}  // namespace sinew
