// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/poses/sampled_pose.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/parallel.h"
#include "model/clip_frames.h"
#include "model/spine_driver.h"
#include "model/spine_rows.h"

namespace sinew {

std::vector<SampledPose> clip_poses(const Character& character, int frames) {
  std::vector<int> all(character.clips.size());
  std::iota(all.begin(), all.end(), 0);
  return clip_poses(character, all, frames);
}

std::vector<SampledPose> clip_poses(const Character& character, std::span<const int> clips,
                                    int frames) {
  if (clips.empty() || frames <= 0) return {};
  const int per_clip = std::max(1, frames / static_cast<int>(clips.size()));
  std::vector<ClipFrame> moments;
  for (const int clip : clips) {
    assert(clip >= 0 && static_cast<std::size_t>(clip) < character.clips.size());
    const auto one = std::span(character.clips).subspan(static_cast<std::size_t>(clip), 1);
    for (const ClipFrame& frame : spread_clip_frames(one, per_clip))
      moments.push_back({clip, frame.time_s});
  }
  std::vector<SampledPose> poses(moments.size());
  parallel_for(
      moments.size(),
      [&](std::size_t f) {
        const Clip& clip = character.clips[static_cast<std::size_t>(moments[f].clip)];
        poses[f].transforms =
            character.skinning_transforms(sample_clip(character.nodes, clip, moments[f].time_s));
        poses[f].clip = moments[f].clip;
        poses[f].time_s = moments[f].time_s;
      },
      1);
  return poses;
}

void bend_spines(const Skeleton& skeleton, std::vector<SampledPose>& poses,
                 std::span<const int> hangs_on) {
  if (!has_spines(skeleton)) return;
  parallel_for(
      poses.size(),
      [&](std::size_t p) {
        PosedBones posed = drive_spines(skeleton, std::move(poses[p].transforms), hangs_on);
        poses[p].transforms = std::move(posed.transforms);
        poses[p].spines = std::move(posed.spines);
      },
      1);
}

void bend_spines(const Character& character, std::vector<SampledPose>& frames,
                 std::span<const int> hangs_on) {
  const Skeleton& skeleton = character.skeleton;
  if (!has_spines(skeleton)) return;
  const SpineSegments segments = spine_segments(skeleton, hangs_on);
  parallel_for(
      character.clips.size(),
      [&](std::size_t c) {
        std::vector<SampledPose*> of_clip;
        for (SampledPose& frame : frames)
          if (frame.clip == static_cast<int>(c)) of_clip.push_back(&frame);
        std::ranges::stable_sort(of_clip, {}, &SampledPose::time_s);
        std::vector<double> moments_s;
        for (const SampledPose* frame : of_clip) moments_s.push_back(frame->time_s);
        std::vector<std::vector<Vec3>> turns =
            turns_before(character, skeleton, character.clips[c], moments_s, hangs_on);
        for (std::size_t f = 0; f < of_clip.size(); ++f) {
          PosedBones posed{std::move(of_clip[f]->transforms),
                           std::vector<SpineMotion>(skeleton.bone_count())};
          drive_spines(skeleton, hangs_on, segments, std::vector<bool>(skeleton.bone_count(), true),
                       posed, &turns[f]);
          of_clip[f]->transforms = std::move(posed.transforms);
          of_clip[f]->spines = std::move(posed.spines);
        }
      },
      1);
}

void bend_spines_and_rows(const Skeleton& skeleton, std::vector<SampledPose>& poses,
                          std::span<const int> hangs_on) {
  const std::vector<SpineRow> rows = find_spine_rows(skeleton);
  if (rows.empty()) return bend_spines(skeleton, poses, hangs_on);
  const Skeleton bending = with_rows_as_spines(skeleton);
  const bool keeps_motions = has_spines(skeleton);
  parallel_for(
      poses.size(),
      [&](std::size_t p) {
        PosedBones posed = drive_spines(bending, std::move(poses[p].transforms), hangs_on);
        follow_spines(rows, posed);
        poses[p].transforms = std::move(posed.transforms);
        if (keeps_motions) poses[p].spines = std::move(posed.spines);
      },
      1);
}

}  // namespace sinew
