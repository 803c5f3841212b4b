// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <optional>

#include "sinew/jobs/bound_character.h"
#include "sinew/quality/limb_judge.h"
#include "sinew/quality/skin_judge.h"

namespace sinew {
namespace {

/// The same on the vertices of these parts alone, one part after the other.
std::vector<SpineBone> spines_on_parts(std::span<const SpineBone> spines,
                                       std::span<const MeshPart> parts) {
  std::vector<SpineBone> chosen;
  for (const SpineBone& spine : spines) {
    SpineBone& on_parts = chosen.emplace_back(SpineBone{spine.bone, spine.rest, {}, {}});
    for (const MeshPart& part : parts) {
      const auto begin = spine.parameters.begin() + static_cast<std::ptrdiff_t>(part.first_vertex);
      on_parts.parameters.insert(on_parts.parameters.end(), begin,
                                 begin + static_cast<std::ptrdiff_t>(part.vertex_count));
    }
  }
  return chosen;
}

/// Judges weights of a judge's character: what is judged in any case, what a rigger sees, and
/// limbs.
Result<WeightQuality> judge_all(const WeightJudge& judge, const SkinJudge& skin,
                                const Character& character, const std::vector<LimbPose>& limbs,
                                const SkinWeights& weights, const SkinWeights* before,
                                const Progress& progress) {
  SINEW_TRY(WeightQuality quality, judge.judge(weights, before, progress));
  const SurfaceWeights on_surface = weights_on(judge.surface(), weights);
  SINEW_TRY(quality.skin, skin.judge(on_surface, progress));
  SINEW_TRY(quality.limbs, judge_limbs(judge, character.skeleton, on_surface, limbs, progress));
  return quality;
}

/// A judge of skin beside the old weights, where there are some.
Result<SkinJudge> make_skin_judge(const WeightJudge& judge, const Character& character,
                                  const std::vector<BoneRole>& roles, const SkinWeights* before,
                                  const JudgeOptions& judging, const Progress& progress) {
  std::optional<SurfaceWeights> original;
  if (before != nullptr) original = weights_on(judge.surface(), *before);
  return SkinJudge::create(
      {judge, character.skeleton, roles},
      skin_poses(character.skeleton, roles, judge, {.seed = judging.seed + kGentleSeed}),
      std::move(original), progress);
}

Result<WeightQuality> judge_rows(const BindToJudge& bind, const std::vector<int>& finest,
                                 const ConvertedSpines& converted, const Bound& bound,
                                 const JudgeOptions& judging, const Progress& progress) {
  Character with_rows = converted.loaded.character;
  with_rows.parts = bind.whole.parts;
  const SkinWeights before = with_parts(with_rows, finest).weights;
  with_rows.weights = replace_rows(with_rows.weights, converted.weights, bind.written);
  const Character judged = with_parts(with_rows, finest);
  const KnownBones known = known_bones(judged.skeleton, bound);
  const WeightJudge judge(judged, known.roles, known.hierarchy, judging);
  const SkinWeights* const old = before.influence_count() > 0 ? &before : nullptr;
  SINEW_TRY(const SkinJudge skin,
            make_skin_judge(judge, judged, known.roles, old, judging, progress));
  return judge_all(judge, skin, judged, limb_poses(judged.skeleton, known.roles, known.hierarchy),
                   judged.weights, old, progress);
}

}  // namespace

Status judge_bind(const BindToJudge& bind, const JudgeOptions& judging, BoundCharacter& character,
                  const Progress& progress) {
  if (judging.poses == 0) return {};
  const std::vector<int> finest = finest_parts(bind.whole, character.levels);
  const Character judged = with_parts(bind.whole, finest);
  std::vector<MeshPart> parts;
  for (const int part : finest) parts.push_back(bind.whole.parts[static_cast<std::size_t>(part)]);
  JudgeOptions options = judging;
  options.spines = spines_on_parts(bind.spines, parts);
  const BindReport& report = character.bound.report;
  const WeightJudge judge(judged, report.roles, report.hierarchy, options);
  const SkinWeights* before = judged.weights.influence_count() > 0 ? &judged.weights : nullptr;
  if (before != nullptr) {
    std::optional<WeightJudge> before_moving;
    if (bind.has_moved_joints)
      before_moving.emplace(with_parts(bind.as_read, finest), report.roles, report.hierarchy,
                            options);
    const WeightJudge& judge_before = before_moving ? *before_moving : judge;
    SINEW_TRY(character.before.quality, judge_before.judge(*before, nullptr, progress));
  }
  SINEW_TRY(const SkinJudge skin,
            make_skin_judge(judge, judged, report.roles, before, options, progress));
  const std::vector<LimbPose> limbs = limb_poses(judged.skeleton, report.roles, report.hierarchy);
  if (character.before.quality) {
    character.before.quality->skin = skin.original();
    SINEW_TRY(
        character.before.quality->limbs,
        judge_limbs(judge, judged.skeleton, weights_on(judge.surface(), *before), limbs, progress));
  }
  for (std::size_t b = 0; b < character.after.size(); ++b) {
    if (character.spines[b].any()) {
      SINEW_TRY(character.after[b].quality, judge_rows(bind, finest, character.spines[b].converted,
                                                       character.bound, judging, progress));
      continue;
    }
    const SkinWeights after =
        rows_of_parts(replace_rows(bind.whole.weights, character.weights(b), bind.written), parts);
    SINEW_TRY(character.after[b].quality,
              judge_all(judge, skin, judged, limbs, after, before, progress));
  }
  return {};
}

}  // namespace sinew
