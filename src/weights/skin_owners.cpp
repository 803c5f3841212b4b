// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/skin_owners.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "weights/interior_walk.h"
#include "weights/owner_features.h"
#include "weights/owner_numbers.h"

namespace sinew {
namespace {

static_assert(kOwnerLinear.size() == kOwnerFeatureCount,
              "the numbers were learnt from other features: script/train-owners");

constexpr float kLeak = 0.05F;  // as in tests/compare/train_owners.py
/// Less is what a softmax says of bones that have no chance.
constexpr double kLeastChance = 1e-4;

/// How much speaks for a bone: what is learnt in one layer of units that leak, and linearly.
double score(std::span<const float> features) {
  constexpr std::size_t kUnits = kOwnerBias.size();
  std::array<float, kUnits> units = kOwnerBias;
  float linear = 0;
  for (std::size_t f = 0; f < kOwnerFeatureCount; ++f) {
    const float value = features[f];
    linear += kOwnerLinear[f] * value;
    for (std::size_t u = 0; u < kUnits; ++u) units[u] += kOwnerUnits[f * kUnits + u] * value;
  }
  float sum = linear;
  for (std::size_t u = 0; u < kUnits; ++u)
    sum += kOwnerOut[u] * std::max(units[u], kLeak * units[u]);
  return static_cast<double>(sum);
}

std::vector<Influence> chances_of(const OwnerEvidence& evidence, std::size_t vertex) {
  std::vector<Influence> row;
  double most = -1e30;
  for (std::size_t c = evidence.begin[vertex]; c < evidence.begin[vertex + 1]; ++c) {
    row.push_back({evidence.bone[c], score(evidence.features_of(c))});
    most = std::max(most, row.back().weight);
  }
  double sum = 0;
  for (Influence& each : row) sum += each.weight = std::exp(each.weight - most);
  for (Influence& each : row) each.weight /= sum;
  std::erase_if(row, [](const Influence& each) { return each.weight < kLeastChance; });
  std::ranges::sort(row, {}, &Influence::bone);
  return row;
}

/// A claim has to be this many times as likely as what stood, for half and for all of the chance.
constexpr double kDoubtfulClaim = 1.0;
constexpr double kCertainClaim = 2.0;
constexpr int kPlacesOnBone = 8;

/// How far a bone is from the skin, in the mean along it.
double depth_of(const PreparedMesh& prepared, const BoneSegments& bones, int bone) {
  double sum = 0;
  int places = 0;
  for (const Segment& each : bones.of(bone))
    for (int p = 0; p < kPlacesOnBone; ++p) {
      const Vec3 place = each.head + (p + 0.5) / kPlacesOnBone * (each.tail - each.head);
      const auto skin = prepared.surface.closest_point(place, 1, [](std::size_t) { return true; });
      if (skin) sum += skin->distance;
      ++places;
    }
  return places > 0 ? sum / places : 0;
}

/// Bones that own the thick flesh around them, however near others are: a root that bones hang on
/// (hips), and an end that is thicker than what bears it (a skull), whatever small bones it has.
std::vector<bool> bones_that_claim(const PreparedMesh& prepared, const Skeleton& skeleton,
                                   const BoneSegments& bones) {
  std::vector<int> above(bones.bone_count(), -1);
  std::vector<std::vector<int>> on(bones.bone_count());
  std::vector<bool> has_segments(bones.bone_count(), false);
  for (const int bone : bones.bones()) has_segments[static_cast<std::size_t>(bone)] = true;
  for (const int bone : bones.bones()) {
    int& parent = above[static_cast<std::size_t>(bone)] = skeleton.bone(bone).parent;
    while (parent >= 0 && !has_segments[static_cast<std::size_t>(parent)])
      parent = skeleton.bone(parent).parent;
    if (parent >= 0) on[static_cast<std::size_t>(parent)].push_back(bone);
  }
  std::vector<bool> claims(bones.bone_count(), false);
  for (const int bone : bones.bones()) {
    const auto b = static_cast<std::size_t>(bone);
    if (above[b] < 0) {
      claims[b] = on[b].size() >= 2;
      continue;
    }
    const bool is_end = std::ranges::all_of(
        on[b], [&](int child) { return on[static_cast<std::size_t>(child)].size() <= 1; });
    claims[b] = is_end && depth_of(prepared, bones, bone) > depth_of(prepared, bones, above[b]);
  }
  return claims;
}

/// Gives bones that claim it what a walk inside the body is likelier to lead to them than to the
/// likeliest owner.
void make_claims(const std::vector<bool>& claims, const SkinWeights& walk, std::size_t vertex,
                 std::vector<Influence>& row) {
  if (row.empty() || vertex >= walk.vertex_count() || walk.row(vertex).empty()) return;
  const auto first = std::ranges::max_element(walk.row(vertex), {}, &Influence::weight);
  if (!claims[first->bone]) return;
  const std::uint32_t owner = std::ranges::max_element(row, {}, &Influence::weight)->bone;
  if (owner == first->bone) return;
  double of_owner = 0;
  for (const Influence& each : walk.row(vertex))
    if (each.bone == owner) of_owner = each.weight;
  const double times = of_owner > 0 ? first->weight / of_owner : kCertainClaim;
  const double share =
      std::clamp((times - kDoubtfulClaim) / (kCertainClaim - kDoubtfulClaim), 0.0, 1.0);
  for (Influence& each : row) each.weight *= 1 - share;
  row.push_back({first->bone, share});
  add_up_repeated(row);
  std::erase_if(row, [](const Influence& each) { return each.weight < kLeastChance; });
}

}  // namespace

Result<SkinOwners> find_skin_owners(const PreparedMesh& prepared, const Skeleton& skeleton,
                                    const BoneSegments& bones, const SkinWeights& heat,
                                    const Progress& progress) {
  SINEW_TRY(const SkinWeights walk, interior_walk(prepared, bones, {}, progress.within(0, 0.6)));
  SINEW_CHECK(progress.checkpoint("owners", 0.6));
  const OwnerEvidence evidence = owner_evidence(prepared, skeleton, bones, heat, walk);
  std::vector<std::vector<Influence>> rows(evidence.vertex_count());
  const std::vector<bool> claims = bones_that_claim(prepared, skeleton, bones);
  parallel_for(rows.size(), [&](std::size_t v) {
    rows[v] = chances_of(evidence, v);
    make_claims(claims, walk, v, rows[v]);
  });
  return SkinOwners{SkinWeights::from_rows(bones.bone_count(), rows)};
}

}  // namespace sinew
