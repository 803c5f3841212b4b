// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/effective_hierarchy.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

#include "core/parallel.h"
#include "model/clip_frames.h"
#include "model/forest.h"
#include "rig/flat_skeleton.h"
#include "rig/main_root.h"
#include "rig/name_tokens.h"

namespace sinew {
namespace {

constexpr int kFrames = 60;            // over all clips: enough to see every limb bent
constexpr std::size_t kMinFrames = 4;  // fewer may all show one pose
/// Mean distance, of the mesh's diagonal, between where a joint is and where another bone would
/// take it: below it they move together.
constexpr double kMovesWithRel = 0.02;
/// Of the diagonal: gaps that differ by less are the same.
constexpr double kSameGapRel = 1e-4;
/// A new parent must follow the joint this much better than the file's own.
constexpr double kBetterBy = 0.25;
/// Of the skeleton's extent: an end nearer than this to its bone's head gives it no direction.
constexpr double kNoLengthRel = 1e-6;

using Frames = std::vector<std::vector<Affine3>>;  // per frame, per bone: bind pose to posed

Frames sample_frames(const Character& character) {
  const std::vector<ClipFrame> moments = spread_clip_frames(character.clips, kFrames);
  Frames frames(moments.size());
  parallel_for(
      moments.size(),
      [&](std::size_t f) {
        const Clip& clip = character.clips[static_cast<std::size_t>(moments[f].clip)];
        frames[f] =
            character.skinning_transforms(sample_clip(character.nodes, clip, moments[f].time_s));
      },
      1);
  return frames;
}

/// How far, on average, the joint gets from where `carrier` would take it.
double mean_gap(const Frames& frames, const Vec3& head, int joint, int carrier) {
  double sum = 0;
  for (const std::vector<Affine3>& frame : frames)
    sum += (frame[static_cast<std::size_t>(carrier)] * head -
            frame[static_cast<std::size_t>(joint)] * head)
               .norm();
  return sum / static_cast<double>(frames.size());
}

/// Joints of rows, and what hangs on the same bones: clips take them to the ends of arcs, where no
/// rigid bone would, and still they hang where they do.
std::vector<bool> find_what_follows_rows(const Skeleton& skeleton) {
  std::vector<bool> follows(skeleton.bone_count(), false);
  for (const Bone& joint : skeleton.bones())
    if (joint.part_of && joint.parent >= 0)
      for (const int child : skeleton.children(joint.parent))
        follows[static_cast<std::size_t>(child)] = true;
  return follows;
}

/// Joint by joint in the order of the file, each seeing what was decided before it.
void hang_on_what_moves_with(const Character& character, const std::vector<BoneRole>& roles,
                             EffectiveHierarchy& hierarchy) {
  const Skeleton& skeleton = character.skeleton;
  const Box box = bounding_box(character.mesh.positions());
  if (box.isEmpty() || character.clips.empty()) return;
  const Frames frames = sample_frames(character);
  if (frames.size() < kMinFrames) return;
  const double together = kMovesWithRel * box.diagonal().norm();
  const double same = kSameGapRel * box.diagonal().norm();
  const int main_root = find_main_root(hierarchy.parent, roles);
  const auto bones = static_cast<int>(skeleton.bone_count());
  const std::vector<bool> follows_a_row = find_what_follows_rows(skeleton);
  std::vector<int>& parent = hierarchy.parent;
  for (int j = 0; j < bones; ++j) {
    if (!roles[static_cast<std::size_t>(j)].deforms || j == main_root) continue;
    if (follows_a_row[static_cast<std::size_t>(j)]) continue;
    const Vec3 head = skeleton.bone(j).head();
    const int hangs_on = parent[static_cast<std::size_t>(j)];
    const double own_gap = hangs_on >= 0 ? mean_gap(frames, head, j, hangs_on)
                                         : std::numeric_limits<double>::infinity();
    if (own_gap < together) continue;
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < bones; ++k) {
      if (!roles[static_cast<std::size_t>(k)].deforms || skeleton.bone(k).part_of ||
          is_below(parent, k, j))
        continue;
      // A bone that begins where the joint is takes it along as well as the bone above it does:
      // of such equals the last, which is the lowest, and not the one that rounding favours.
      const double gap = mean_gap(frames, head, j, k);
      if (gap > least + same) continue;
      least = std::min(least, gap);
      best = k;
    }
    if (best < 0 || !(least < together && least < kBetterBy * own_gap)) continue;
    hierarchy.rehung.push_back({j, skeleton.bone(j).parent, best, Rehung::Why::moves_with});
    parent[static_cast<std::size_t>(j)] = best;
  }
}

bool ends_a_chain(std::string_view name) {
  const std::vector<std::string> tokens = name_tokens(name);
  return is_end_name(name) || std::find(tokens.begin(), tokens.end(), "tip") != tokens.end();
}

/// Where the chain of a bone without deforming children ends, if a joint says so.
std::optional<Vec3> stated_end(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                               const std::vector<int>& parent, int bone, double no_length) {
  for (std::size_t c = 0; c < parent.size(); ++c) {
    const Bone& child = skeleton.bones()[c];
    if (parent[c] != bone || roles[c].deforms || !ends_a_chain(child.name)) continue;
    if ((child.head() - skeleton.bone(bone).head()).norm() > no_length) return child.head();
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(HierarchyChoice choice) {
  return choice == HierarchyChoice::file ? "file" : "effective";
}

std::optional<HierarchyChoice> hierarchy_choice_from(std::string_view name) {
  for (const HierarchyChoice choice : {HierarchyChoice::effective, HierarchyChoice::file})
    if (name == to_string(choice)) return choice;
  return std::nullopt;
}

EffectiveHierarchy find_effective_hierarchy(const Character& character,
                                            const std::vector<BoneRole>& roles,
                                            HierarchyChoice choice) {
  assert(roles.size() == character.skeleton.bone_count());
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : character.skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  if (choice == HierarchyChoice::file) return hierarchy;
  hang_on_what_moves_with(character, roles, hierarchy);
  hang_flat_joints(character.skeleton, roles, hierarchy);
  return hierarchy;
}

Skeleton effective_skeleton(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                            const EffectiveHierarchy& hierarchy) {
  assert(roles.size() == skeleton.bone_count() && hierarchy.parent.size() == roles.size());
  Box box;
  for (const Bone& bone : skeleton.bones()) box.extend(bone.head());
  const double no_length = box.isEmpty() ? 0 : kNoLengthRel * box.diagonal().norm();

  return skeleton.with([&](std::vector<Bone>& bones) {
    std::vector<bool> has_child(bones.size(), false);
    for (std::size_t j = 0; j < bones.size(); ++j) {
      bones[j].deforms = roles[j].deforms;
      bones[j].parent = -1;
      if (!roles[j].deforms) {
        bones[j].tail.reset();
        continue;
      }
      int above = hierarchy.parent[j];
      while (above >= 0 && !roles[static_cast<std::size_t>(above)].deforms)
        above = hierarchy.parent[static_cast<std::size_t>(above)];
      bones[j].parent = above;
      if (above >= 0) has_child[static_cast<std::size_t>(above)] = true;
    }
    for (std::size_t j = 0; j < bones.size(); ++j)
      if (roles[j].deforms && !has_child[j] && !bones[j].tail)
        bones[j].tail =
            stated_end(skeleton, roles, hierarchy.parent, static_cast<int>(j), no_length);
  });
}

}  // namespace sinew
