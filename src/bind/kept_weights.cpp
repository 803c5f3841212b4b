// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/kept_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double kKeepingStiffness = 1e3;  // times the paper's: what stays moves by less than 1e-4
constexpr double kNothingLeft = 1e-12;   // of a row: what rounding leaves beside weights that stay
constexpr int kSumRounds = 8;            // of adding what a sum lacks; one is nearly always enough
constexpr double kFloatRounding = 1e-7;  // of a weight: what a file of floats leaves of a step
constexpr int kAnyNumber = std::numeric_limits<int>::max();

constexpr std::size_t kNamedBones = 6;  // in a sentence

bool is_among(const std::vector<int>& bones, int bone) {
  return std::ranges::find(bones, bone) != bones.end();
}

int least_budget(const BindOptions& options) {
  int least = options.max_influences;
  for (const int budget : options.further_budgets) least = std::min(least, budget);
  return least;
}

/// "Head, Neck and 2 more".
std::string bone_names(const Skeleton& skeleton, std::span<const std::uint32_t> bones) {
  std::string text;
  for (std::size_t b = 0; b < std::min(bones.size(), kNamedBones); ++b) {
    const std::string& name = skeleton.bone(static_cast<int>(bones[b])).name;
    text += (b == 0 ? "" : ", ") + (name.empty() ? fmt::format("bone {}", bones[b]) : name);
  }
  if (bones.size() > kNamedBones) text += fmt::format(" and {} more", bones.size() - kNamedBones);
  return text;
}

/// "vertex 32 of mesh Body".
std::string vertex_name(const Character& character, std::size_t vertex) {
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const MeshPart& part = character.parts[p];
    if (vertex < part.first_vertex || vertex >= part.first_vertex + part.vertex_count) continue;
    return fmt::format("vertex {} of {}", vertex - part.first_vertex,
                       part.name.empty() ? fmt::format("part {}", p) : "mesh " + part.name);
  }
  return fmt::format("vertex {}", vertex);
}

/// The flag that a request came from.
std::string_view flag_of(const Character& character, const SpineRequest& request) {
  if (character.skeleton.bone(request.bone).kind != BoneKind::rigid) return "--spine-bones";
  if (request.follows == SpineToWrite::Follows::twist) return "--twist-bones";
  return request.kind == BoneKind::spine ? "--spine" : "--stretch-twist";
}

/// Kept weights need room for themselves, and for one more where they leave something over.
Status check_room(const Character& character, const KeptWeights& stored,
                  const BindOptions& options) {
  const auto most = static_cast<std::size_t>(least_budget(options));
  for (std::size_t v = 0; v < stored.old.vertex_count(); ++v) {
    std::vector<std::uint32_t> staying;
    double sum = 0;
    for (const Influence& influence : stored.old.row(v)) {
      if (!stored.keeps(v, influence.bone)) continue;
      staying.push_back(influence.bone);
      sum += influence.weight;
    }
    const bool leaves_some = !staying.empty() && 1 - sum > kNothingLeft;
    if (staying.size() + (leaves_some ? 1 : 0) <= most) continue;
    const bool is_all_locked = std::ranges::all_of(staying, [&](std::uint32_t bone) {
      return is_among(options.lock, static_cast<int>(bone));
    });
    return Error{ErrorCode::bad_argument, "max_influences",
                 fmt::format("{} is too few: {} keeps {} ({}){}", most, vertex_name(character, v),
                             bone_names(character.skeleton, staying),
                             !stored.may_change[v] ? "--vertices"
                             : is_all_locked       ? "--lock"
                                                   : "--only",
                             leaves_some ? ", and other bones have the rest" : "")};
  }
  return {};
}

/// Takes bones that nothing is to be bound to out of the old weights, where vertices may change and
/// have others.
void leave_out_skipped(const std::vector<int>& skipped, KeptWeights& stored) {
  if (skipped.empty()) return;
  std::vector<std::vector<Influence>> rows(stored.old.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    for (const Influence& influence : stored.old.row(v))
      if (!is_among(skipped, static_cast<int>(influence.bone))) rows[v].push_back(influence);
    if (rows[v].empty()) rows[v].assign(stored.old.row(v).begin(), stored.old.row(v).end());
  }
  const SkinWeights left =
      put_back(stored, SkinWeights::from_rows(stored.old.bone_count(), rows), kAnyNumber);
  for (std::size_t v = 0; v < rows.size(); ++v)
    stored.skipped += left.row(v).size() < stored.old.row(v).size() ? 1 : 0;
  stored.old = left;
}

/// One of the free weights takes what the row's sum, added up in order, is off from one: then
/// SkinWeights need not scale the row, and kept weights keep their bits.
void close_sum(std::vector<Influence>& row, std::span<const char> is_kept) {
  std::size_t largest = row.size();
  for (std::size_t b = 0; b < row.size(); ++b)
    if (is_kept[b] == 0 && (largest == row.size() || row[b].weight > row[largest].weight))
      largest = b;
  if (largest == row.size()) return;
  for (int round = 0; round < kSumRounds; ++round) {
    double sum = 0;
    for (const Influence& influence : row) sum += influence.weight;
    if (sum == 1) return;
    row[largest].weight += 1 - sum;
  }
}

/// Of a row, what need not be what it was: the strongest, as many as there is room for.
std::vector<Influence> strongest_free(const KeptWeights& kept, std::size_t vertex,
                                      std::span<const Influence> row, std::size_t room) {
  std::vector<Influence> free;
  for (const Influence& influence : row)
    if (!kept.keeps(vertex, influence.bone)) free.push_back(influence);
  std::stable_sort(free.begin(), free.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  if (free.size() > room) free.resize(room);
  return free;
}

}  // namespace

bool KeptWeights::any() const {
  return std::ranges::find(is_locked, true) != is_locked.end() ||
         std::ranges::find(may_change, false) != may_change.end();
}

std::vector<bool> locked_bones(std::size_t bone_count, const BindOptions& options) {
  std::vector<bool> is_locked(bone_count, !options.only.empty());
  for (const int bone : options.only) is_locked[static_cast<std::size_t>(bone)] = false;
  for (const int bone : options.lock) is_locked[static_cast<std::size_t>(bone)] = true;
  return is_locked;
}

Status check_keeping(const Character& character, const BindOptions& options) {
  const auto name_of = [&](int bone) { return character.skeleton.bone(bone).name; };
  if (!options.may_change.empty() && options.may_change.size() != character.mesh.vertex_count())
    return Error{ErrorCode::bad_argument, "may_change", "needs an entry per vertex"};
  for (const int bone : options.deforming.skip)
    for (const auto& [bones, flag] :
         {std::pair(&options.lock, "--lock"), std::pair(&options.only, "--only")})
      if (is_among(*bones, bone))
        return Error{
            ErrorCode::bad_argument, "skip_bones",
            fmt::format("'{}' is to have no weights, and {} names it", name_of(bone), flag)};
  const std::vector<bool> is_locked = locked_bones(character.skeleton.bone_count(), options);
  for (const SpineRequest& request : options.spines) {
    if (request.bone < 0 || static_cast<std::size_t>(request.bone) >= is_locked.size() ||
        !is_locked[static_cast<std::size_t>(request.bone)])
      continue;
    return Error{ErrorCode::bad_argument, is_among(options.lock, request.bone) ? "lock" : "only",
                 fmt::format("keeps the weights of '{}', which {} shares out among a row of joints",
                             name_of(request.bone), flag_of(character, request))};
  }
  if (!options.edits.empty() && plan_old_weights(options)->are_mixed_in())
    return Error{ErrorCode::bad_argument, "edits",
                 "are made to weights that are made anew: not with --init existing or --mix"};
  return {};
}

Result<Keeping> find_kept_weights(const Character& character, const WeldedMesh& welded,
                                  const BindOptions& options) {
  const std::size_t bones = character.skeleton.bone_count();
  Keeping keeping;
  KeptWeights& stored = keeping.stored;
  stored.is_locked.assign(bones, false);
  stored.may_change.assign(character.mesh.vertex_count(), true);
  stored.old = SkinWeights(character.mesh.vertex_count(), bones);
  keeping.welded.may_change.assign(welded.mesh.vertex_count(), true);
  keeping.welded.old = SkinWeights(welded.mesh.vertex_count(), bones);
  const OldWeightsPlan plan = *plan_old_weights(options);
  if (plan.are_read()) {
    if (character.weights.influence_count() == 0)
      return Error{ErrorCode::bad_argument, "init",
                   "there are no weights to start from, to keep or to blend with"};
    stored.old = character.weights;
    stored.is_locked = locked_bones(bones, options);
    if (!options.may_change.empty()) {
      keeping.welded.may_change.assign(welded.mesh.vertex_count(), false);
      for (std::size_t v = 0; v < welded.welded.size(); ++v)
        if (options.may_change[v]) keeping.welded.may_change[welded.welded[v]] = true;
      for (std::size_t v = 0; v < welded.welded.size(); ++v)
        stored.may_change[v] = keeping.welded.may_change[welded.welded[v]];
    }
    if (plan.are_mixed_in()) leave_out_skipped(options.deforming.skip, stored);
    keeping.welded.old = mean_of_copies(welded, stored.old);
  }
  keeping.welded.is_locked = stored.is_locked;
  SINEW_CHECK(check_room(character, stored, options));
  return keeping;
}

std::string why_nothing_may_change(const KeptWeights& stored, const std::vector<BoneRole>& roles,
                                   const Skeleton& skeleton, const BindOptions& options) {
  if (!options.spines.empty() || options.find_twist_bones) return {};  // bones do
  if (!plan_old_weights(options)->are_read() || stored.skipped > 0 ||
      stored.old.unweighted_count() > 0 ||
      stored.old.max_influences() > static_cast<std::size_t>(least_budget(options)))
    return {};
  if (options.mix == 0) return "--mix 0 takes nothing of new weights";
  if (std::ranges::find(stored.may_change, true) == stored.may_change.end())
    return "--vertices chooses no vertex";
  std::vector<std::uint32_t> free;
  for (std::size_t bone = 0; bone < roles.size(); ++bone)
    if (roles[bone].deforms && !stored.is_locked[bone])
      free.push_back(static_cast<std::uint32_t>(bone));
  if (free.size() > 1) return {};
  for (std::size_t v = 0; v < stored.old.vertex_count(); ++v)
    for (const Influence& influence : stored.old.row(v))
      if (!stored.keeps(v, influence.bone) && !std::ranges::count(free, influence.bone)) return {};
  const char* flag = options.only.empty() ? "--lock" : "--only";
  if (free.empty()) return fmt::format("{} keeps the weights of every bone", flag);
  return fmt::format("{} leaves {} alone, which has what the other bones do not", flag,
                     bone_names(skeleton, free));
}

std::size_t count_not_kept(const KeptWeights& stored, const SkinWeights& delivered) {
  const auto weight_of = [](std::span<const Influence> row, std::uint32_t bone) {
    const auto found = std::ranges::find(row, bone, &Influence::bone);
    return found == row.end() ? 0.0 : found->weight;
  };
  std::size_t count = 0;
  for (std::size_t v = 0; v < stored.old.vertex_count(); ++v)
    for (const auto& [bone, weight] : stored.old.row(v))
      if (stored.keeps(v, bone) &&
          std::abs(weight_of(delivered.row(v), bone) - weight) > kFloatRounding)
        ++count;
  return count;
}

void notice_nothing_may_change(const std::string& why, Notices& notices) {
  if (!why.empty())
    notices.push_back(
        {Notice::Level::warning, std::string(kNothingMayChange), "", "nothing may change: " + why});
}

void notice_rounded(std::size_t kept_rounded, WeightFormat format, Notices& notices) {
  if (kept_rounded == 0) return;
  const bool is_one = kept_rounded == 1;
  notices.push_back(
      {Notice::Level::warning, std::string(kKeptWeightsRounded), "",
       fmt::format("--quantise {} rounds {} that {} to be kept, and {} not in steps of 1/{}",
                   to_string(format), is_one ? "a weight" : fmt::format("{} weights", kept_rounded),
                   is_one ? "was" : "were", is_one ? "is" : "are", steps_of(format))});
}

InfluenceMaps keep_in_maps(const InfluenceMaps& maps, const KeptWeights& kept) {
  if (!kept.any()) return maps;
  InfluenceMaps result;
  result.bone_count = maps.bone_count;
  for (std::size_t v = 0; v < maps.vertex_count(); ++v) {
    std::map<std::uint32_t, double> row;
    double staying = 0;
    for (const Influence& influence : kept.old.row(v)) {
      if (!kept.keeps(v, influence.bone)) continue;
      row[influence.bone] = influence.weight;
      staying += influence.weight;
    }
    double others = 0;
    for (std::size_t b = maps.begin[v]; b < maps.begin[v + 1]; ++b)
      if (!kept.keeps(v, maps.bones[b])) others += maps.weights[b];
    for (std::size_t b = maps.begin[v]; b < maps.begin[v + 1]; ++b)
      if (!kept.keeps(v, maps.bones[b]))
        row[maps.bones[b]] = others > 0 ? maps.weights[b] / others * (1 - staying) : 0;
    if (!(others > 0))  // nothing else shares what is left: what was there keeps it
      for (const Influence& influence : kept.old.row(v)) row[influence.bone] = influence.weight;
    for (const auto& [bone, weight] : row) {
      result.bones.push_back(bone);
      result.weights.push_back(weight);
    }
    result.begin.push_back(result.bones.size());
  }
  return result;
}

std::vector<WeightConstraint> keeping_constraints(const WeightProblem& problem,
                                                  const KeptWeights& kept) {
  std::vector<WeightConstraint> constraints;
  for (std::size_t v = 0; v < kept.old.vertex_count(); ++v)
    for (const Influence& influence : kept.old.row(v))
      if (kept.keeps(v, influence.bone) && problem.maps.bones_of(v).size() > 1)
        constraints.push_back({static_cast<std::uint32_t>(v), influence.bone, influence.weight,
                               kKeepingStiffness * paper_stiffness(problem, v)});
  return constraints;
}

SkinWeights put_back(const KeptWeights& kept, const SkinWeights& fresh, int max_influences) {
  if (!kept.any()) return fresh;
  const auto most = static_cast<std::size_t>(max_influences);
  std::vector<std::vector<Influence>> rows(fresh.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const auto old = kept.old.row(v);
    const auto now = fresh.row(v);
    if (!old.empty() &&
        (!kept.may_change[v] || (std::ranges::equal(old, now) && now.size() <= most))) {
      rows[v].assign(old.begin(), old.end());
      continue;
    }
    std::map<std::uint32_t, std::pair<double, bool>> row;  // weight, whether it is kept
    double staying = 0;
    for (const Influence& influence : old) {
      if (!kept.keeps(v, influence.bone)) continue;
      row[influence.bone] = {influence.weight, true};
      staying += influence.weight;
    }
    const std::size_t room = most - std::min(row.size(), most);
    std::vector<Influence> free = strongest_free(kept, v, now, room);
    // Nothing is left to share, or nobody to share it: what was there takes it.
    if (free.empty() || !(1 - staying > kNothingLeft)) {
      if (old.size() <= most || row.size() == old.size()) {
        rows[v].assign(old.begin(), old.end());
        continue;
      }
      free = strongest_free(kept, v, old, room);
    }
    double others = 0;
    for (const Influence& influence : free) others += influence.weight;
    for (const Influence& influence : free)
      row[influence.bone] = {influence.weight / others * (1 - staying), false};
    std::vector<char> is_kept;
    for (const auto& [bone, entry] : row) {
      if (!(entry.first > 0)) continue;
      rows[v].push_back({bone, entry.first});
      is_kept.push_back(entry.second ? 1 : 0);
    }
    close_sum(rows[v], is_kept);
  }
  return SkinWeights::from_rows(fresh.bone_count(), rows);
}

SkinWeights blend(const SkinWeights& old, const SkinWeights& fresh, double amount) {
  std::vector<std::vector<Influence>> rows(fresh.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (old.row(v).empty()) {
      rows[v].assign(fresh.row(v).begin(), fresh.row(v).end());
      continue;
    }
    std::map<std::uint32_t, double> row;
    for (const Influence& influence : old.row(v))
      row[influence.bone] += (1 - amount) * influence.weight;
    for (const Influence& influence : fresh.row(v))
      row[influence.bone] += amount * influence.weight;
    for (const auto& [bone, weight] : row)
      if (weight > 0) rows[v].push_back({bone, weight});
  }
  return SkinWeights::from_rows(fresh.bone_count(), rows);
}

}  // namespace sinew
