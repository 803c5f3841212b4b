// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/weight_judge.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/parallel.h"
#include "geometry/nearest_vertex.h"
#include "math/segment.h"
#include "model/spine_rows.h"
#include "quality/rows_and_spines.h"
#include "quality/weight_maps.h"
#include "quality/worst_place.h"
#include "sinew/geometry/mesh_parts.h"
#include "sinew/geometry/weld.h"
#include "sinew/poses/judging_poses.h"
#include "sinew/quality/skin_surface.h"

namespace sinew {
namespace {

/// Of the mesh's diagonal: parts nearer than this at rest are taken to touch.
constexpr double kTouchRel = 0.02;
/// Of the whole mesh's energy at rest: a bone with less is too small for its mean to mean anything.
constexpr double kWorstBoneShare = 1e-3;
/// A bone's middle is between these parts of its length, and counts when enough vertices are there.
constexpr double kMiddleBegin = 1.0 / 3;
constexpr double kMiddleEnd = 2.0 / 3;
constexpr std::size_t kMinMiddleVertices = 3;
/// A deforming bone without a vertex of this weight is dead.
constexpr double kDeadWeight = 0.5;
/// A weight that is worth the name of an influence.
constexpr double kInfluenceWeight = 1e-6;
constexpr std::size_t kMinLostVertices = 3;

struct Link {
  VertexIndex from = 0;
  VertexIndex to = 0;
  double length = 0;
};

/// The vertices around the middle of a bone.
struct Middle {
  int bone = -1;
  std::vector<VertexIndex> vertices;
};

struct BoneSegment {
  int bone = -1;
  bool has_middle = false;
  Vec3 head = Vec3::Zero();
  Vec3 tail = Vec3::Zero();
};

/// Every vertex of a part, but for the largest ones, with the nearest vertex of another part, where
/// that is near.
std::vector<Link> link_parts(const Mesh& mesh, const MeshParts& parts, double diagonal) {
  std::size_t largest = 0;
  std::vector<VertexIndex> on_faces;
  for (const std::vector<VertexIndex>& members : parts.members) {
    largest = std::max(largest, members.size());
    on_faces.insert(on_faces.end(), members.begin(), members.end());
  }
  std::vector<Link> links;
  if (parts.count() < 2) return links;
  const std::vector<Vec3>& positions = mesh.positions();
  const NearestVertex nearest(positions, on_faces);
  for (std::size_t part = 0; part < parts.count(); ++part) {
    const std::vector<VertexIndex>& members = parts.members[part];
    if (members.size() == largest) continue;
    std::vector<std::optional<VertexIndex>> found(members.size());
    parallel_for(
        members.size(),
        [&](std::size_t m) {
          found[m] = nearest.find(positions[members[m]], kTouchRel * diagonal, [&](VertexIndex v) {
            return parts.of_vertex[v] != static_cast<int>(part);
          });
        },
        64);
    for (std::size_t m = 0; m < members.size(); ++m)
      if (found[m])
        links.push_back(
            {members[m], *found[m], (positions[members[m]] - positions[*found[m]]).norm()});
  }
  return links;
}

std::vector<BoneSegment> bone_segments(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                                       const std::vector<int>& parent) {
  std::vector<BoneSegment> segments;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (!roles[j].deforms || skeleton.bones()[j].part_of) continue;
    const Vec3 head = skeleton.bones()[j].head();
    const std::size_t first = segments.size();
    for (std::size_t c = 0; c < roles.size(); ++c)
      if (roles[c].deforms && !skeleton.bones()[c].part_of && parent[c] == static_cast<int>(j))
        segments.push_back({static_cast<int>(j), false, head, skeleton.bones()[c].head()});
    if (segments.size() == first) segments.push_back({static_cast<int>(j), false, head, head});
    // A fork has no middle, and a leaf has no length.
    if (segments.size() == first + 1) segments.back().has_middle = segments.back().tail != head;
  }
  return segments;
}

/// For every bone with one child: the vertices that are nearest to the middle third of it.
std::vector<Middle> find_middles(const Mesh& mesh, const std::vector<BoneSegment>& segments,
                                 std::size_t bone_count) {
  std::vector<int> owner(mesh.vertex_count(), -1);
  parallel_for(mesh.vertex_count(), [&](std::size_t v) {
    double least = std::numeric_limits<double>::infinity();
    for (const BoneSegment& segment : segments) {
      const Vec3& point = mesh.positions()[v];
      const double distance2 = squared_distance_to_segment(point, segment.head, segment.tail);
      if (distance2 >= least) continue;
      least = distance2;
      const double t = closest_on_segment(point, segment.head, segment.tail);
      owner[v] = segment.has_middle && t > kMiddleBegin && t < kMiddleEnd ? segment.bone : -1;
    }
  });
  std::vector<Middle> middles(bone_count);
  for (std::size_t v = 0; v < owner.size(); ++v)
    if (owner[v] >= 0)
      middles[static_cast<std::size_t>(owner[v])].vertices.push_back(static_cast<VertexIndex>(v));
  for (std::size_t j = 0; j < middles.size(); ++j) middles[j].bone = static_cast<int>(j);
  std::erase_if(middles, [](const Middle& m) { return m.vertices.size() < kMinMiddleVertices; });
  return middles;
}

double mean_weight(const SkinWeights& weights, const Middle& middle) {
  double sum = 0;
  for (const VertexIndex v : middle.vertices) sum += weight_on(weights, v, middle.bone);
  return sum / static_cast<double>(middle.vertices.size());
}

/// How far apart links have come, mean over them, of the diagonal. What comes closer counts
/// nothing.
double mean_parting(const std::vector<Link>& links, const std::vector<Vec3>& deformed,
                    double diagonal) {
  double sum = 0;
  for (const Link& link : links)
    sum += std::max(0.0, (deformed[link.from] - deformed[link.to]).norm() - link.length);
  return sum / static_cast<double>(links.size()) / diagonal;
}

double turn_deg(const Affine3& carrier, const Affine3& bone) {
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(carrier.linear().transpose() * bone.linear()));
  return std::abs(turn.angle()) * 180 / std::numbers::pi;
}

/// The most influences of a row that are worth the name.
std::size_t largest_count(const SkinWeights& weights) {
  std::size_t most = 0;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    most = std::max(
        most,
        static_cast<std::size_t>(std::ranges::count_if(
            weights.row(v), [](const Influence& each) { return each.weight > kInfluenceWeight; })));
  return most;
}

double largest_seam_difference(const WeldedMesh& welded, const SkinWeights& of_copies,
                               const SkinWeights& mean) {
  double largest = 0;
  for (std::size_t v = 0; v < welded.welded.size(); ++v) {
    for (const auto& [bone, weight] : mean.row(welded.welded[v]))
      largest =
          std::max(largest, std::abs(weight - weight_on(of_copies, v, static_cast<int>(bone))));
  }
  return largest;
}

std::vector<std::size_t> count_dominated(const std::vector<int>& dominant, std::size_t bone_count) {
  std::vector<std::size_t> count(bone_count, 0);
  for (const int bone : dominant)
    if (bone >= 0) ++count[static_cast<std::size_t>(bone)];
  return count;
}

}  // namespace

struct WeightJudge::State {
  SkinSurface surface;
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
  std::vector<Link> links;
  std::vector<Middle> middles;
  std::vector<SampledPose> poses, frames;

  void describe_maps(const SkinWeights& weights, WeightQuality& quality) const;
  void find_worst_bone(const std::vector<std::vector<double>>& energy_of_bone,
                       const std::vector<int>& dominant, WeightQuality& quality) const;
};

WeightJudge::WeightJudge(const Character& character, std::vector<BoneRole> roles,
                         const JudgeOptions& options)
    : WeightJudge(character, roles, find_effective_hierarchy(character, roles, options.hierarchy),
                  options) {}

WeightJudge::WeightJudge(const Character& character, std::vector<BoneRole> roles,
                         EffectiveHierarchy hierarchy, const JudgeOptions& options)
    : state_(std::make_unique<State>()) {
  assert(roles.size() == character.skeleton.bone_count());
  State& s = *state_;
  s.roles = std::move(roles);
  s.hierarchy = std::move(hierarchy);
  s.surface = make_skin_surface(character, options.spines);
  s.links = link_parts(s.surface.welded.mesh, s.surface.parts, s.surface.diagonal);
  s.middles = find_middles(s.surface.welded.mesh,
                           bone_segments(character.skeleton, s.roles, s.hierarchy.parent),
                           character.skeleton.bone_count());
  s.poses = random_poses(character.skeleton, s.roles, s.hierarchy,
                         {.count = options.poses, .seed = options.seed});
  bend_spines_and_rows(character.skeleton, s.poses, s.hierarchy.parent);
  s.frames = clip_poses(character, options.clip_frames);
  bend_spines(character, s.frames);
}

WeightJudge::~WeightJudge() = default;
WeightJudge::WeightJudge(WeightJudge&&) noexcept = default;
WeightJudge& WeightJudge::operator=(WeightJudge&&) noexcept = default;

std::size_t WeightJudge::welded_vertices() const { return state_->surface.vertex_count(); }
std::size_t WeightJudge::welded_triangles() const {
  return state_->surface.welded.mesh.triangles().size();
}
std::size_t WeightJudge::parts() const { return state_->surface.parts.count(); }
std::size_t WeightJudge::deforming() const {
  return static_cast<std::size_t>(std::count_if(state_->roles.begin(), state_->roles.end(),
                                                [](const BoneRole& role) { return role.deforms; }));
}
std::size_t WeightJudge::rehung() const { return state_->hierarchy.rehung.size(); }
const EffectiveHierarchy& WeightJudge::hierarchy() const { return state_->hierarchy; }
const std::vector<SampledPose>& WeightJudge::poses() const { return state_->poses; }
const std::vector<SampledPose>& WeightJudge::frames() const { return state_->frames; }
const SkinSurface& WeightJudge::surface() const { return state_->surface; }

PoseQuality WeightJudge::judge_pose(const SkinWeights& weights, const SampledPose& pose) const {
  const SkinSurface& s = state_->surface;
  const std::size_t bone_count = state_->roles.size();
  assert(weights.vertex_count() == s.welded.welded.size() && pose.transforms.size() == bone_count);
  const auto [mean, of_bones, dominant] = weights_on(s, weights);
  std::vector<Vec3> deformed(s.vertex_count());
  std::vector<double> energy(s.vertex_count());
  deform_surface(s, mean, pose, deformed);
  distort_surface(s, mean, pose, deformed, energy);

  PoseQuality quality;
  double total = 0;
  for (const double each : energy) total += each;
  quality.arap = s.rest_total > 0 ? total / s.rest_total : 0;
  quality.bone_arap.assign(bone_count, 0);
  std::vector<double> rest_of_bone(bone_count, 0);
  for (std::size_t v = 0; v < energy.size(); ++v) {
    if (dominant[v] < 0) continue;
    quality.bone_arap[static_cast<std::size_t>(dominant[v])] += energy[v];
    rest_of_bone[static_cast<std::size_t>(dominant[v])] += s.rest_energy[v];
  }
  for (std::size_t j = 0; j < rest_of_bone.size(); ++j)
    quality.bone_arap[j] = rest_of_bone[j] > 0 ? quality.bone_arap[j] / rest_of_bone[j] : 0;
  if (const auto patch = find_worst_patch(s.positions(), energy, s.rest_energy, s.diagonal))
    quality.worst = WorstPlace{s.positions()[patch->vertex], dominant[patch->vertex]};
  return quality;
}

std::vector<std::size_t> dominated_vertices(const Character& character) {
  const SkinWeights of_bones = with_rows_as_bones(
      mean_of_copies(weld(character.mesh), character.weights), bones_stood_for(character.skeleton));
  return count_dominated(dominant_bones(of_bones), character.skeleton.bone_count());
}

bool has_lost_its_vertices(std::size_t before, std::size_t after) {
  return before >= kMinLostVertices && 2 * after < before;
}

std::size_t count_lost_bones(std::span<const std::size_t> dominated_before,
                             std::span<const std::size_t> dominated_after) {
  std::size_t lost = 0;
  for (std::size_t j = 0; j < dominated_before.size(); ++j)
    if (has_lost_its_vertices(dominated_before[j], dominated_after[j])) ++lost;
  return lost;
}

void WeightJudge::State::describe_maps(const SkinWeights& weights, WeightQuality& quality) const {
  quality.islands = count_islands(weights, surface.graph, surface.parts);
  quality.rough = roughness(weights, surface.graph);
  std::vector<double> largest(roles.size(), 0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    std::size_t influences = 0;
    for (const auto& [bone, weight] : weights.row(v)) {
      largest[bone] = std::max(largest[bone], weight);
      if (!roles[bone].deforms) quality.control_weight += weight;
      if (weight > kInfluenceWeight) ++influences;
    }
    if (influences == 0 && surface.has_face(v)) ++quality.unweighted;
  }
  if (weights.vertex_count() > 0)
    quality.control_share = quality.control_weight / static_cast<double>(weights.vertex_count());
  for (std::size_t j = 0; j < roles.size(); ++j)
    if (roles[j].deforms && surface.stood_for[j] == static_cast<int>(j) && largest[j] < kDeadWeight)
      ++quality.dead;

  if (middles.empty()) return;
  double sum = 0;
  for (const Middle& middle : middles) {
    const double follow = mean_weight(weights, middle);
    quality.bones[static_cast<std::size_t>(middle.bone)].follow = follow;
    quality.follow_min = std::min(quality.follow_min, follow);
    sum += follow;
  }
  quality.follow = sum / static_cast<double>(middles.size());
}

/// `energy_of_bone` is by pose, then by bone.
void WeightJudge::State::find_worst_bone(const std::vector<std::vector<double>>& energy_of_bone,
                                         const std::vector<int>& dominant,
                                         WeightQuality& quality) const {
  std::vector<double> rest_of_bone(roles.size(), 0);
  for (std::size_t v = 0; v < dominant.size(); ++v)
    if (dominant[v] >= 0)
      rest_of_bone[static_cast<std::size_t>(dominant[v])] += surface.rest_energy[v];
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (!(rest_of_bone[j] > 0) || energy_of_bone.empty()) continue;
    double sum = 0;
    for (std::size_t p = 0; p < energy_of_bone.size(); ++p) {
      sum += energy_of_bone[p][j];
      int& worst = quality.bones[j].worst_pose;
      if (worst < 0 || energy_of_bone[p][j] > energy_of_bone[static_cast<std::size_t>(worst)][j])
        worst = static_cast<int>(p);
    }
    quality.bones[j].arap = sum / rest_of_bone[j] / static_cast<double>(energy_of_bone.size());
    if (rest_of_bone[j] <= kWorstBoneShare * surface.rest_total) continue;
    if (quality.worst_bone && quality.bones[j].arap <= quality.worst_bone_arap) continue;
    quality.worst_bone = static_cast<int>(j);
    quality.worst_bone_arap = quality.bones[j].arap;
  }
  if (!quality.worst_bone) return;
  const auto worst = static_cast<std::size_t>(*quality.worst_bone);
  const auto pose = static_cast<std::size_t>(quality.bones[worst].worst_pose);
  if (const int parent = hierarchy.parent[worst]; parent >= 0)
    quality.worst_bone_turn_deg = turn_deg(poses[pose].transforms[static_cast<std::size_t>(parent)],
                                           poses[pose].transforms[worst]);
}

Result<WeightQuality> WeightJudge::judge(const SkinWeights& weights, const SkinWeights* before,
                                         const Progress& progress) const {
  const State& s = *state_;
  assert(weights.vertex_count() == s.surface.welded.welded.size());
  SINEW_CHECK(progress.checkpoint("judging", 0));
  WeightQuality quality;
  quality.bones.resize(s.roles.size());
  const auto [mean, of_bones, dominant] = weights_on(s.surface, weights);
  const std::vector<std::size_t> dominated = count_dominated(dominant, s.roles.size());
  for (std::size_t j = 0; j < dominated.size(); ++j) quality.bones[j].dominated = dominated[j];
  if (before != nullptr)
    quality.lost = count_lost_bones(
        count_dominated(weights_on(s.surface, *before).dominant, s.roles.size()), dominated);
  quality.seam_spread = largest_seam_difference(s.surface.welded, weights, mean);
  s.describe_maps(of_bones, quality);
  quality.max_influences = largest_count(mean);

  std::vector<Vec3> deformed(s.surface.vertex_count());
  std::vector<double> energy(s.surface.vertex_count());
  std::size_t done = 0;
  const auto run = [&](const SampledPose& pose) -> Result<double> {
    SINEW_CHECK(progress.checkpoint(
        "judging",
        static_cast<double>(done++) / static_cast<double>(s.poses.size() + s.frames.size())));
    deform_surface(s.surface, mean, pose, deformed);
    distort_surface(s.surface, mean, pose, deformed, energy);
    double total = 0;
    for (const double each : energy) total += each;
    return s.surface.rest_total > 0 ? total / s.surface.rest_total : 0;
  };

  std::vector<std::vector<double>> energy_of_bone;
  for (std::size_t p = 0; p < s.poses.size(); ++p) {
    SINEW_TRY(const double arap, run(s.poses[p]));
    quality.arap += arap / static_cast<double>(s.poses.size());
    quality.pose_arap.push_back(arap);
    if (quality.worst_pose < 0 || arap > quality.arap_worst) {
      quality.arap_worst = arap;
      quality.worst_pose = static_cast<int>(p);
    }
    if (!s.links.empty())
      quality.drift += 100 * mean_parting(s.links, deformed, s.surface.diagonal) /
                       static_cast<double>(s.poses.size());
    std::vector<double>& of_bone = energy_of_bone.emplace_back(s.roles.size(), 0);
    for (std::size_t v = 0; v < energy.size(); ++v)
      if (dominant[v] >= 0) of_bone[static_cast<std::size_t>(dominant[v])] += energy[v];
  }
  s.find_worst_bone(energy_of_bone, dominant, quality);
  for (const SampledPose& frame : s.frames) {
    SINEW_TRY(const double arap, run(frame));
    quality.clip_arap.push_back(arap);
    quality.clips = quality.clips.value_or(0) + arap / static_cast<double>(s.frames.size());
  }
  progress.update("judging", 1);
  return quality;
}

}  // namespace sinew
