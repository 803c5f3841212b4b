// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_problem.h"

#include <algorithm>
#include <cstddef>

#include "core/parallel.h"

namespace sinew {
namespace {

/// Ends of a link that carry less, beside the largest, are left out: they would cost fill and pull
/// at nothing.
constexpr double kLeastShareRel = 0.1;
constexpr std::size_t kVertexGrain = 256;

struct LinkWire {
  VertexIndex to = 0;
  double measure = 0;
};

}  // namespace

MeshGraph with_links(const MeshGraph& graph, std::span<const PartLink> links,
                     double wires_per_link) {
  if (links.empty()) return graph;
  std::vector<std::vector<LinkWire>> added(graph.vertex_count());
  for (const PartLink& part : links)
    for (const VertexLink& link : part.links) {
      const std::span<const double> around = graph.edge_measures_of(link.vertex);
      double sum = 0;
      for (const double measure : around) sum += measure;
      if (!(sum > 0)) continue;
      const double wire =
          wires_per_link * sum * std::min(0.5, 1 / static_cast<double>(around.size()));
      double largest = 0;
      for (const LinkEnd& end : link.ends) largest = std::max(largest, end.share);
      const double least = kLeastShareRel * largest;
      double kept = 0;
      for (const LinkEnd& end : link.ends)
        if (end.share >= least) kept += end.share;
      for (const LinkEnd& end : link.ends) {
        if (end.share < least || end.vertex == link.vertex) continue;
        added[link.vertex].push_back({end.vertex, wire * end.share / kept});
        added[end.vertex].push_back({link.vertex, 0});
      }
    }
  // What an edge had comes last, as it would if it were added to its wires.
  parallel_for(
      graph.vertex_count(),
      [&](std::size_t i) {
        std::vector<LinkWire>& wires = added[i];
        if (wires.empty()) return;
        for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e)
          wires.push_back({graph.neighbours[e], graph.edge_measure[e]});
        std::ranges::stable_sort(wires, {}, &LinkWire::to);
        std::size_t kept = 0;
        for (const LinkWire& wire : wires) {
          if (kept > 0 && wires[kept - 1].to == wire.to)
            wires[kept - 1].measure += wire.measure;
          else
            wires[kept++] = wire;
        }
        wires.resize(kept);
      },
      kVertexGrain);
  MeshGraph result;
  result.vertex_measure = graph.vertex_measure;
  result.begin.reserve(graph.begin.size());
  result.begin.push_back(0);
  for (std::size_t i = 0; i < graph.vertex_count(); ++i)
    result.begin.push_back(result.begin.back() +
                           (added[i].empty() ? graph.neighbours_of(i).size() : added[i].size()));
  result.neighbours.resize(result.begin.back());
  result.edge_measure.resize(result.begin.back());
  parallel_for(
      graph.vertex_count(),
      [&](std::size_t i) {
        const auto at = static_cast<std::ptrdiff_t>(result.begin[i]);
        if (added[i].empty()) {
          std::ranges::copy(graph.neighbours_of(i), result.neighbours.begin() + at);
          std::ranges::copy(graph.edge_measures_of(i), result.edge_measure.begin() + at);
          return;
        }
        std::ranges::transform(added[i], result.neighbours.begin() + at, &LinkWire::to);
        std::ranges::transform(added[i], result.edge_measure.begin() + at, &LinkWire::measure);
      },
      kVertexGrain);
  return result;
}

void add_spine(WeightProblem& problem, SpineBone attached, std::vector<SpineMotion> motions) {
  for (std::size_t x = 0; x < std::min(problem.exemplars.size(), motions.size()); ++x)
    for (std::size_t n = 0; n < kSpineNodes; ++n)
      problem.exemplars[x].push_back(spine_transform(attached.rest, motions[x], spine_node(n)));
  ProblemSpine& spine = problem.spines.emplace_back();
  for (const double u : attached.parameters) spine.coefficients.push_back(spine_coefficients(u));
  spine.attached = std::move(attached);
  spine.motions = std::move(motions);
}

std::vector<int> spine_of_bones(const WeightProblem& problem) {
  if (problem.spines.empty()) return {};
  std::vector<int> spine_of(problem.maps.bone_count, -1);
  for (std::size_t s = 0; s < problem.spines.size(); ++s)
    spine_of[static_cast<std::size_t>(problem.spines[s].attached.bone)] = static_cast<int>(s);
  return spine_of;
}

WeightProblem make_weight_problem(const PreparedMesh& prepared, InfluenceMaps maps,
                                  std::span<const SampledPose> exemplars,
                                  std::span<const SpineBone> spines) {
  WeightProblem problem;
  problem.positions = prepared.mesh.positions();
  problem.graph = prepared.graph;
  problem.maps = std::move(maps);
  for (const SampledPose& exemplar : exemplars) {
    std::vector<Affine3>& transforms = problem.exemplars.emplace_back();
    for (const Affine3& transform : exemplar.transforms)
      transforms.push_back(prepared.frame.motion_from_model(transform));
  }
  for (SpineBone attached : spines) {
    attached.rest.head = prepared.frame.from_model(attached.rest.head);
    attached.rest.tail = prepared.frame.from_model(attached.rest.tail);
    for (Vec3& gradient : attached.gradients) gradient *= prepared.frame.diagonal;
    const auto bone = static_cast<std::size_t>(attached.bone);
    std::vector<SpineMotion> motions;
    for (const SampledPose& exemplar : exemplars) {
      SpineMotion& motion = motions.emplace_back();
      if (!exemplar.spines.empty()) motion = exemplar.spines[bone];
      motion.base = prepared.frame.motion_from_model(exemplar.transforms[bone]);
    }
    add_spine(problem, std::move(attached), std::move(motions));
  }
  return problem;
}

void set_mirror(WeightProblem& problem, Mirror mirror) {
  const InfluenceMaps& maps = problem.maps;
  for (std::size_t v = 0; v < maps.vertex_count(); ++v) {
    const bool fits = std::ranges::all_of(
        maps.bones_of(v), [&](std::uint32_t bone) { return mirror.bone[bone] >= 0; });
    const int image = mirror.vertex[v];
    if (fits || image < 0) continue;
    mirror.vertex[static_cast<std::size_t>(image)] = -1;
    mirror.vertex[v] = -1;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> added;
  for (std::size_t v = 0; v < maps.vertex_count(); ++v)
    if (mirror.vertex[v] >= 0)
      for (const std::uint32_t bone : maps.bones_of(v))
        added.emplace_back(static_cast<std::uint32_t>(mirror.vertex[v]),
                           static_cast<std::uint32_t>(mirror.bone[bone]));
  InfluenceMaps wider = with_more_bones(maps, added);
  std::vector<double> means = wider.weights;
  for (std::size_t v = 0; v < wider.vertex_count(); ++v) {
    if (mirror.vertex[v] < 0) continue;
    for (std::size_t b = wider.begin[v]; b < wider.begin[v + 1]; ++b)
      means[b] =
          (wider.weights[b] +
           wider.weights[*wider.find(static_cast<std::size_t>(mirror.vertex[v]),
                                     static_cast<std::uint32_t>(mirror.bone[wider.bones[b]]))]) /
          2;
  }
  wider.weights = std::move(means);
  problem.maps = std::move(wider);
  problem.mirror = std::move(mirror);
}

Mirror fitting_mirror(Mirror mirror, const InfluenceMaps& maps) {
  for (std::size_t v = 0; v < maps.vertex_count(); ++v) {
    if (mirror.vertex[v] < 0) continue;
    const auto image = static_cast<std::size_t>(mirror.vertex[v]);
    const bool fits =
        maps.bones_of(v).size() == maps.bones_of(image).size() &&
        std::ranges::all_of(maps.bones_of(v), [&](std::uint32_t bone) {
          return mirror.bone[bone] >= 0 &&
                 maps.find(image, static_cast<std::uint32_t>(mirror.bone[bone])).has_value();
        });
    if (fits) continue;
    mirror.vertex[v] = -1;
    mirror.vertex[image] = -1;
  }
  mirror.vertices = static_cast<std::size_t>(
      std::ranges::count_if(mirror.vertex, [](int image) { return image >= 0; }));
  return mirror;
}

void copy_to_images(const Mirror& mirror, const InfluenceMaps& maps, std::vector<double>& weights) {
  parallel_for(maps.vertex_count(), [&](std::size_t v) {
    const int image = mirror.vertex[v];
    if (image < static_cast<int>(v)) return;
    for (std::size_t b = maps.begin[v]; b < maps.begin[v + 1]; ++b) {
      const auto there = maps.find(static_cast<std::size_t>(image),
                                   static_cast<std::uint32_t>(mirror.bone[maps.bones[b]]));
      weights[*there] = weights[b];
    }
  });
}

}  // namespace sinew
