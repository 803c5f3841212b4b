// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/deform/spine_bones.h"
#include "sinew/model/character.h"
#include "sinew/poses/sampled_pose.h"
#include "sinew/quality/skin_quality.h"
#include "sinew/quality/skin_surface.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

struct JudgeOptions {
  int poses = 48;        // leaves 5 to 10% of noise; two sets of weights see the same poses
  int clip_frames = 24;  // over all clips together
  std::uint64_t seed = 1;
  HierarchyChoice hierarchy = HierarchyChoice::effective;
  /// Where the character's vertices sit on its spines; on those that are not here, linearly.
  std::vector<SpineBone> spines = {};
};

struct BoneQuality {
  double arap = 0;               // of the vertices that it dominates; 0 for none
  std::optional<double> follow;  // where it has a middle third with vertices nearest to it
  std::size_t dominated = 0;     // welded vertices on which no bone weighs more; rows: see below
  int worst_pose = -1;           // the random pose in which they are distorted most
};

/// The middle of the patch of the surface that a pose distorts most: where to look first.
struct WorstPlace {
  Vec3 at_rest = Vec3::Zero();  // model space, on the mesh in its bind pose
  int bone = -1;                // that dominates it; -1 where nothing does
};

/// Distortion of one pose.
struct PoseQuality {
  double arap = 0;
  std::vector<double> bone_arap;    // per bone, of the vertices that it dominates; 0 for none
  std::optional<WorstPlace> worst;  // absent for a mesh without faces
};

/// What limbs do to a mesh (quality/limb_judge.h).
struct LimbQuality {
  double arap = 0;        // of the worst place in the worst of the poses; 0 is rigid
  std::string pose_name;  // that pose
  WorstPlace worst;
  std::vector<double> pose_arap;  // of the worst place of each pose
};

/// How good weights are, on poses that they were not made for. Lower is better, but for follow.
/// docs/conventions.md defines every figure. All are of the welded mesh.
///
/// A row of joints (model/spine_rows.h) counts as the one bone that it stands for, in every figure
/// of bones and of their maps: what its joints weigh, that bone weighs, and they are neither dead
/// nor lost nor dominate anything. Only `max_influences` counts them, as programs do.
struct WeightQuality {
  double arap = 0;                // distortion over random poses; 0 is rigid
  double arap_worst = 0;          // in the worst of them
  int worst_pose = -1;            // its index
  std::optional<double> clips;    // distortion over frames of the clips
  std::optional<int> worst_bone;  // the deforming bone whose vertices are distorted most
  double worst_bone_arap = 0;
  double worst_bone_turn_deg = 0;  // how far it is turned in the pose that is worst for it
  double follow = 1;               // obedience: mean weight of bones around their middle
  double follow_min = 1;
  double drift = 0;      // how far parts that touch come apart, in percent of the diagonal
  std::size_t dead = 0;  // deforming bones without a vertex of weight 0.5 or more
  std::optional<std::size_t> lost;  // bones that dominate less than half of what they did before
  std::size_t islands = 0;          // stray patches of a bone's influence
  double rough = 0;           // 99.9th percentile of a weight's difference from its neighbours
  double control_weight = 0;  // weight on bones that should have none, in vertices
  double control_share = 0;   // the same as a part of all vertices, in [0, 1]
  double seam_spread = 0;     // the largest difference of a copy's weight from the copies' mean
  std::size_t max_influences = 0;    // of a welded vertex: copies that differ add up
  std::size_t unweighted = 0;        // welded vertices of faces without weights
  std::optional<LimbQuality> limbs;  // where somebody looked, and there are limbs
  std::optional<SkinQuality> skin;   // where somebody looked: quality/skin_judge.h
  std::vector<BoneQuality> bones;
  std::vector<double> pose_arap;  // of each random pose; arap is their mean
  std::vector<double> clip_arap;  // of each frame of the clips
};

/// Per bone, the welded vertices on which no bone weighs more; the first of equals owns a vertex.
[[nodiscard]] std::vector<std::size_t> dominated_vertices(const Character& character);

/// Whether a bone dominates less than half of what it did, and did dominate some.
[[nodiscard]] bool has_lost_its_vertices(std::size_t before, std::size_t after);

/// Bones, by index, that dominate three or more vertices before and less than half as many after.
[[nodiscard]] std::size_t count_lost_bones(std::span<const std::size_t> dominated_before,
                                           std::span<const std::size_t> dominated_after);

/// Judges weights of one character. Made once, because welding, links and poses serve every set of
/// weights that is compared. Cost of a judgement: O(poses × edges).
class WeightJudge {
 public:
  /// `roles` has one entry per bone. Spines bend and rows follow, in random poses and in clips:
  /// bend_spines_and_rows and bend_spines.
  WeightJudge(const Character& character, std::vector<BoneRole> roles,
              const JudgeOptions& options = {});
  /// The same on a hierarchy that is known already, whatever options.hierarchy says.
  WeightJudge(const Character& character, std::vector<BoneRole> roles, EffectiveHierarchy hierarchy,
              const JudgeOptions& options = {});
  ~WeightJudge();
  WeightJudge(WeightJudge&&) noexcept;
  WeightJudge& operator=(WeightJudge&&) noexcept;

  /// `weights` has one row per vertex of the character; with `before`, bones that lost their
  /// vertices are counted. Fails only when cancelled.
  [[nodiscard]] Result<WeightQuality> judge(const SkinWeights& weights,
                                            const SkinWeights* before = nullptr,
                                            const Progress& progress = {}) const;

  /// The same measure for any pose, bent already: transforms of all bones from the bind pose.
  [[nodiscard]] PoseQuality judge_pose(const SkinWeights& weights, const SampledPose& pose) const;

  /// What judge() poses the character in: at random, and as its clips do.
  [[nodiscard]] const std::vector<SampledPose>& poses() const;
  [[nodiscard]] const std::vector<SampledPose>& frames() const;
  /// What it judges on.
  [[nodiscard]] const SkinSurface& surface() const;

  [[nodiscard]] std::size_t welded_vertices() const;
  [[nodiscard]] std::size_t welded_triangles() const;
  [[nodiscard]] std::size_t parts() const;  // connected parts with faces
  [[nodiscard]] std::size_t deforming() const;
  [[nodiscard]] std::size_t rehung() const;
  [[nodiscard]] const EffectiveHierarchy& hierarchy() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew
