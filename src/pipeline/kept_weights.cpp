// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "pipeline/kept_weights.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double kKeepingStiffness = 1e3;  // times the paper's: what stays moves by less than 1e-4
constexpr double kNothingLeft = 1e-12;  // of a row: what rounding leaves beside weights that stay
constexpr int kSumRounds = 8;           // of adding what a sum lacks; one is nearly always enough

bool asks_for_old_weights(const BindOptions& options) {
  return options.init == BindOptions::Init::existing || !options.lock.empty() ||
         !options.only.empty() || !options.may_change.empty() || options.mix < 1;
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

}  // namespace

bool KeptWeights::any() const {
  return std::ranges::find(is_locked, true) != is_locked.end() ||
         std::ranges::find(may_change, false) != may_change.end();
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
  if (asks_for_old_weights(options)) {
    if (character.weights.influence_count() == 0)
      return Error{ErrorCode::bad_argument, "init",
                   "there are no weights to start from, to keep or to blend with"};
    stored.old = character.weights;
    keeping.welded.old = mean_of_copies(welded, character.weights);
    if (!options.only.empty()) stored.is_locked.assign(bones, true);
    for (const int bone : options.only) stored.is_locked[static_cast<std::size_t>(bone)] = false;
    for (const int bone : options.lock) stored.is_locked[static_cast<std::size_t>(bone)] = true;
    if (!options.may_change.empty()) {
      stored.may_change = options.may_change;
      keeping.welded.may_change.assign(welded.mesh.vertex_count(), false);
      for (std::size_t v = 0; v < stored.may_change.size(); ++v)
        if (stored.may_change[v]) keeping.welded.may_change[welded.welded[v]] = true;
    }
  }
  keeping.welded.is_locked = stored.is_locked;
  for (std::size_t v = 0; v < stored.old.vertex_count(); ++v) {
    int staying = 0;
    for (const Influence& influence : stored.old.row(v))
      staying += stored.keeps(v, influence.bone) ? 1 : 0;
    if (staying > options.max_influences)
      return Error{ErrorCode::bad_argument, "max_influences",
                   fmt::format("vertex {} has to keep {} bones, and may have {}", v, staying,
                               options.max_influences)};
  }
  return keeping;
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
  std::vector<std::vector<Influence>> rows(fresh.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const auto old = kept.old.row(v);
    if (!old.empty() && !kept.may_change[v]) {
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
    std::vector<Influence> free;
    for (const Influence& influence : fresh.row(v))
      if (!kept.keeps(v, influence.bone)) free.push_back(influence);
    std::stable_sort(free.begin(), free.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    const auto most = static_cast<std::size_t>(max_influences) -
                      std::min(row.size(), static_cast<std::size_t>(max_influences));
    if (free.size() > most) free.resize(most);
    double others = 0;
    for (const Influence& influence : free) others += influence.weight;
    // Nothing is left to share, or nobody to share it: what was there takes it.
    if (!(others > 0) || !(1 - staying > kNothingLeft)) {
      rows[v].assign(old.begin(), old.end());
      continue;
    }
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
