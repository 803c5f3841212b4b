// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/polish.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "sinew/quality/weight_judge.h"
#include "sinew/weights/cap_influences.h"

namespace sinew {
namespace {

constexpr std::array kBlends{1.0, 0.6, 0.3, 0.1};  // of what was asked for; the first that serves
constexpr double kClearlyLess = 0.999;             // of the distortion: less of a gain is noise
constexpr double kSameFollow = 0.002;
constexpr double kSameDrift = 0.002;         // percent of the diagonal
constexpr std::uint64_t kOtherPoses = 7919;  // added to the seed, so that who judges the result
                                             // does so on poses that chose nothing

/// The first figure by which weights are not better, or nothing.
std::optional<PolishObstacle> obstacle_of(const WeightQuality& now, const WeightQuality& before) {
  struct Bound {
    std::string_view figure;
    double before;
    double after;
    double excess;  // above 0: worse than it may be
  };
  const auto count = [](std::size_t value) { return static_cast<double>(value); };
  const auto at_most = [](std::string_view figure, double old, double fresh, double allowed) {
    return Bound{figure, old, fresh, fresh - old - allowed};
  };
  const std::array bounds{
      Bound{"arap", before.arap, now.arap, now.arap < kClearlyLess * before.arap ? 0.0 : 1.0},
      at_most("clips", before.clips.value_or(0), now.clips.value_or(0), 0),
      Bound{"follow", before.follow, now.follow, before.follow - now.follow - kSameFollow},
      at_most("drift", before.drift, now.drift, kSameDrift),
      at_most("dead", count(before.dead), count(now.dead), 0),
      at_most("islands", count(before.islands), count(now.islands), 0),
      at_most("lost", 0, count(now.lost.value_or(0)), 0)};
  const auto worse =
      std::ranges::find_if(bounds, [](const Bound& each) { return !(each.excess <= 0); });
  if (worse == bounds.end()) return std::nullopt;
  return PolishObstacle{worse->figure, 0, worse->before, worse->after};
}

/// The old weights, and fresh ones where there are none.
SkinWeights old_everywhere(const KeptWeights& stored, const SkinWeights& fresh) {
  return stored.old.unweighted_count() == 0 ? stored.old : blend(stored.old, fresh, 0);
}

}  // namespace

SkinWeights old_within_cap(const KeptWeights& stored, const SkinWeights& fresh,
                           int max_influences) {
  SkinWeights old = old_everywhere(stored, fresh);
  if (count_above_cap(old, max_influences) == 0) return old;
  return put_back(stored, cap_influences(old, max_influences), max_influences);
}

Result<Polished> put_beside_old(const Character& character, const std::vector<BoneRole>& roles,
                                const EffectiveHierarchy& hierarchy, const KeptWeights& stored,
                                SkinWeights fresh, const PutBeside& how, const Progress& progress) {
  if (how.plan.use == OldWeightsPlan::Use::improved)
    return choose_not_worse(character, roles, hierarchy, stored, fresh, how, progress);
  if (how.plan.mix < 1)
    fresh = cap_influences(blend(stored.old, fresh, how.plan.mix), how.max_influences);
  return Polished{put_back(stored, fresh, how.max_influences), {}};
}

Result<Polished> choose_not_worse(const Character& character, const std::vector<BoneRole>& roles,
                                  const EffectiveHierarchy& hierarchy, const KeptWeights& stored,
                                  const SkinWeights& fresh, const PutBeside& how,
                                  const Progress& progress) {
  JudgeOptions judging;
  judging.seed = how.seed + kOtherPoses;
  const WeightJudge judge(character, roles, hierarchy, judging);
  Polished polished;
  const SkinWeights whole = old_everywhere(stored, fresh);
  polished.weights = old_within_cap(stored, fresh, how.max_influences);
  polished.report.cut = count_above_cap(whole, how.max_influences);
  polished.report.skipped = stored.skipped;
  SINEW_TRY(const WeightQuality before, judge.judge(polished.weights));
  polished.report.arap_file = before.arap;
  if (polished.report.cut > 0) {
    SINEW_TRY(const WeightQuality uncut, judge.judge(whole));
    polished.report.arap_file = uncut.arap;
  }
  polished.report.arap_before = before.arap;
  polished.report.arap_after = before.arap;
  for (std::size_t b = 0; b < kBlends.size() && how.plan.mix > 0; ++b) {
    SINEW_CHECK(progress.checkpoint("choose", static_cast<double>(b) / kBlends.size()));
    const double amount = how.plan.mix * kBlends[b];
    const SkinWeights candidate =
        put_back(stored, cap_influences(blend(stored.old, fresh, amount), how.max_influences),
                 how.max_influences);
    SINEW_TRY(const WeightQuality quality, judge.judge(candidate, &polished.weights));
    polished.report.obstacle = obstacle_of(quality, before);
    if (polished.report.obstacle) {
      polished.report.obstacle->blend = amount;
      continue;
    }
    polished.weights = candidate;
    polished.report.blend = amount;
    polished.report.arap_after = quality.arap;
    break;
  }
  return polished;
}

}  // namespace sinew
