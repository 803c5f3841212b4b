// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/poses/limb_bones.h"
#include "sinew/poses/raised_arms.h"
#include "sinew/quality/skin_quality.h"
#include "sinew/quality/weight_judge.h"

namespace sinew {

/// Added to the seed of the poses that weights are judged in, so that these are others.
inline constexpr std::uint64_t kGentleSeed = 2;

struct SkinPoseOptions {
  int count = 12;  // random ones, beside the frames of clips: these are gentle, and enough
  double roll_max_deg = 40;  // farther, all weights distort, and what is worse does not stand out
  std::uint64_t seed = 1 + kGentleSeed;
};

/// The poses that weights are compared in, unless a caller has others: those in which `judge` sees
/// the clips, and gentle random ones.
[[nodiscard]] std::vector<SampledPose> skin_poses(const Skeleton& skeleton,
                                                  const std::vector<BoneRole>& roles,
                                                  const WeightJudge& judge,
                                                  const SkinPoseOptions& options = {});

/// Weights of another file on the vertices of a surface: by place, those of its nearest vertex; by
/// name, its bones. Bones that are not in `skeleton` are left out, and of several with a name the
/// last one counts.
[[nodiscard]] SurfaceWeights weights_by_place(const Character& original, const SkinSurface& surface,
                                              const Skeleton& skeleton);

/// Sees what a rigger sees (SkinQuality), alone or beside other weights of the same character. Made
/// once for many sets of weights: what the original does in each pose is kept. `stolen`, `worse`
/// and what touches are compared with the original; without one they are absent. `head` is of the
/// original's head, else of what lies around the bones of the head.
///
/// Cost: a judgement poses the character as often as there are poses and arms, and distorts it;
/// with an original as much again, once. Memory: 9 bytes per pair and pose.
class SkinJudge {
 public:
  /// What is judged; `judge` and `skeleton` must outlive it. Arms are raised beside the poses.
  struct Subject {
    const WeightJudge& judge;
    const Skeleton& skeleton;
    const std::vector<BoneRole>& roles;
  };

  /// Fails only when cancelled.
  [[nodiscard]] static Result<SkinJudge> create(const Subject& subject,
                                                std::vector<SampledPose> poses,
                                                std::optional<SurfaceWeights> original,
                                                const Progress& progress = {});
  ~SkinJudge();
  SkinJudge(SkinJudge&&) noexcept;
  SkinJudge& operator=(SkinJudge&&) noexcept;

  /// `weights` are of the judge's surface. Fails only when cancelled.
  [[nodiscard]] Result<SkinQuality> judge(const SurfaceWeights& weights,
                                          const Progress& progress = {}) const;
  /// The original beside itself: nothing is stolen, worse or apart, but it may fold. Absent without
  /// one.
  [[nodiscard]] const std::optional<SkinQuality>& original() const;

  /// All that it looks at: the poses, then the arms.
  [[nodiscard]] const std::vector<SampledPose>& poses() const;

 private:
  struct State;
  explicit SkinJudge(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sinew
