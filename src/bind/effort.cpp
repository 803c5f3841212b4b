// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/effort.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sinew/bind/bind_options.h"

namespace sinew {
namespace {

/// Edge to bone. Where it is more, a bone has three rings of vertices or fewer.
constexpr double kCoarse = 0.3;
/// Five rings along a bone are enough that neighbours turn alike.
constexpr double kFine = 0.2;
/// Of a bone: how wide a group is at least. Where edges are shorter than about a thirtieth of a
/// bone, ten vertices would be less, and groups grow instead of getting more.
constexpr double kLeastGroupWidth = 0.1;

/// What is done at the coarse end, and what at the fine one.
struct Ends {
  double coarse, fine;
};

/// Vertices that turn together. On a coarse mesh each has a shape of its own to keep.
constexpr Ends kTogether{1, 10};
/// Who asks for groups where every vertex would turn by itself gets small ones.
constexpr double kTogetherIfAsked = 2.5;
/// Ways to put vertices into groups: the border of a group is within another one's. The second
/// begins half way between the ends, where groups have three vertices or more: smaller ones show no
/// borders.
constexpr Ends kClusterings{1, 2};
/// Before the cap. Weights of fine meshes are smooth from the start; those of coarse ones, where
/// few vertices share the bending, are found by optimising, in as many steps as a solver makes.
constexpr Ends kSteps{WeightSolverOptions().max_iterations, 3};
/// Few steps go farther each.
constexpr Ends kReach{1, 1.2};
/// Of the finish, which undoes what the cap did. Where every vertex counts, all are needed.
constexpr Ends kFinishRounds{6, 3};
/// Of these, those that are made however little they change.
constexpr Ends kLeastFinishRounds{6, 2};
/// Of a vertex, before the cap: where all bones meet at few vertices, the right ones are not yet
/// known; on fine meshes further ones cost time, and are lost to the cap.
constexpr Ends kMostBones{16, 9};
/// Random ones, where both sides share them: the vertices of a fine mesh see enough with half.
constexpr Ends kPosesOfMirrored{BindExemplars::kUsual, BindExemplars::kUsualMirrored};
/// Steps and rounds cost most, and only the coarsest meshes gain by all of them: where other things
/// have gone t of the way to the fine end, these have gone 1 - (1 - t) to this power.
constexpr double kSparedEarly = 4;

double between(const Ends& ends, double t) { return std::lerp(ends.coarse, ends.fine, t); }

/// 0 for coarse, 1 for fine.
double fineness_of(double edge_to_bone) {
  return std::clamp(std::log(kCoarse / edge_to_bone) / std::log(kCoarse / kFine), 0.0, 1.0);
}

double together(double edge_to_bone) {
  const double group =
      kTogether.coarse * std::pow(kTogether.fine / kTogether.coarse, fineness_of(edge_to_bone));
  return std::max(group, std::pow(kLeastGroupWidth / edge_to_bone, 2));
}

int clusters_of(std::size_t vertices, double each) {
  return std::max(1, static_cast<int>(std::ceil(static_cast<double>(vertices) / each)));
}

}  // namespace

EdgeToBone find_edge_to_bone(const PreparedMesh& mesh, const BoneSegments& segments,
                             const BoneCells& cells) {
  const MeshGraph& graph = mesh.graph;
  const std::vector<Vec3>& positions = mesh.mesh.positions();
  std::vector<double> areas(mesh.parts.count(), 0);
  std::vector<double> log_sums(mesh.parts.count(), 0);
  for (std::size_t i = 0; i < graph.vertex_count(); ++i) {
    double lengths = 0;
    double measure = 0;
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      lengths += graph.edge_measure[e] * (positions[graph.neighbours[e]] - positions[i]).norm();
      measure += graph.edge_measure[e];
    }
    if (!(lengths > 0) || mesh.parts.of_vertex[i] < 0) continue;
    const double edge = lengths / measure;
    double log_ratio = 0;  // the mean over the bones that share the vertex
    for (const Influence& owner : cells.owners.row(i))
      log_ratio += owner.weight *
                   std::min(0.0, std::log(edge / segments.length(static_cast<int>(owner.bone))));
    const auto part = static_cast<std::size_t>(mesh.parts.of_vertex[i]);
    areas[part] += graph.vertex_measure[i];
    log_sums[part] += graph.vertex_measure[i] * log_ratio;
  }
  const auto mean = [](double log_sum, double area) {
    return area > 0 ? std::exp(log_sum / area) : 1;
  };
  EdgeToBone result;
  for (std::size_t p = 0; p < areas.size(); ++p)
    result.of_part.push_back(mean(log_sums[p], areas[p]));
  result.whole = mean(std::accumulate(log_sums.begin(), log_sums.end(), 0.0),
                      std::accumulate(areas.begin(), areas.end(), 0.0));
  return result;
}

Effort effort_of(const EdgeToBone& edge_to_bone, const MeshParts& parts,
                 const Tolerances& tolerances) {
  Effort effort;
  effort.is_exact = true;
  const double t = fineness_of(edge_to_bone.whole);
  for (std::size_t p = 0; p < parts.count(); ++p) {
    const std::size_t vertices = parts.members[p].size();
    const double group = together(edge_to_bone.of_part[p]);
    effort.clusters.push_back(clusters_of(vertices, group));
    effort.clusters_if_asked.push_back(clusters_of(vertices, std::max(group, kTogetherIfAsked)));
    effort.is_exact =
        effort.is_exact && static_cast<std::size_t>(effort.clusters.back()) >= vertices;
    // A coarse part of a fine character, such as hair, has many vertices and no need of the choice.
    const double bones = between(kMostBones, std::max(t, fineness_of(edge_to_bone.of_part[p])));
    effort.most_bones.push_back(static_cast<std::size_t>(std::lround(bones)));
  }
  const double early = 1 - std::pow(1 - t, kSparedEarly);
  effort.clusterings = between(kClusterings, std::max(0.0, 2 * t - 1));
  effort.steps_at_cap = between(kSteps, early);
  effort.reach_at_cap = between(kReach, t);
  effort.tolerance = std::pow(tolerances.coarse, 1 - t) * std::pow(tolerances.fine, t);
  effort.finish_rounds = between(kFinishRounds, early);
  effort.least_finish_rounds = static_cast<int>(std::lround(between(kLeastFinishRounds, early)));
  effort.poses_of_mirrored = between(kPosesOfMirrored, t);
  effort.reason =
      fmt::format("edges are {:.2g} times as long as the bones next to them", edge_to_bone.whole);
  return effort;
}

}  // namespace sinew
