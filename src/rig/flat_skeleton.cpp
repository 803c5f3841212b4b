// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "rig/flat_skeleton.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>

#include "rig/name_tokens.h"

namespace sinew {
namespace {

/// Fewer joints side by side are a fork: a chest with neck and arms.
constexpr std::size_t kFlatMinJoints = 4;
/// Of the deforming joints: a few may hang elsewhere without making chains of the rest.
constexpr double kFlatShare = 0.9;
/// How much nearer joints of one limb count, and how much farther those of two: enough that a long
/// finger bone beats the gap to the next finger.
constexpr double kSameLimb = 1.0 / 8;
constexpr double kOtherLimb = 8;

/// Words that tell where along a limb a joint is, and not which limb it is on.
constexpr std::array<std::string_view, 21> kOrderWords{
    "metacarpal", "metatarsal", "proximal", "intermediate", "medial", "distal", "phalanx",
    "phalange",   "tip",        "end",      "nub",          "upper",  "lower",  "up",
    "low",        "fore",       "base",     "start",        "mid",    "joint",  "bone"};
/// Words for the joint that the others grow from.
constexpr std::array<std::string_view, 10> kTrunkWords{"root", "hips", "hip", "pelvis", "wrist",
                                                       "palm", "body", "cog", "center", "centre"};

std::string limb_name(std::string_view name) {
  std::string limb;
  for (const std::string& token : name_tokens(name))
    if (!is_numeral(token) && !is_among(token, kOrderWords)) limb += token + ' ';
  return limb;
}

/// Index of the limb that a joint shares with others by its name; -1 for a joint of its own.
std::vector<int> find_limbs(const Skeleton& skeleton, const std::vector<int>& joints) {
  std::map<std::string, std::vector<int>> by_name;
  for (const int joint : joints) by_name[limb_name(skeleton.bone(joint).name)].push_back(joint);
  std::vector<int> limb_of(skeleton.bone_count(), -1);
  int limb = 0;
  for (const auto& [name, members] : by_name) {
    if (name.empty() || members.size() < 2) continue;
    for (const int joint : members) limb_of[static_cast<std::size_t>(joint)] = limb;
    ++limb;
  }
  return limb_of;
}

bool is_trunk_name(std::string_view name) {
  const std::vector<std::string> tokens = name_tokens(name);
  return std::any_of(tokens.begin(), tokens.end(),
                     [](const std::string& token) { return is_among(token, kTrunkWords); });
}

/// Of joints without any parent: one that is named as a trunk, else one that is on no limb, else
/// any; of those, the one nearest to the middle of all.
int find_trunk(const Skeleton& skeleton, const std::vector<int>& joints,
               const std::vector<int>& limb_of) {
  Vec3 middle = Vec3::Zero();
  for (const int joint : joints) middle += skeleton.bone(joint).head();
  middle /= static_cast<double>(joints.size());
  int trunk = -1;
  int best_rank = -1;
  double least = 0;
  for (const int joint : joints) {
    const int rank = is_trunk_name(skeleton.bone(joint).name)       ? 2
                     : limb_of[static_cast<std::size_t>(joint)] < 0 ? 1
                                                                    : 0;
    const double distance = (skeleton.bone(joint).head() - middle).norm();
    if (rank < best_rank || (rank == best_rank && distance >= least)) continue;
    trunk = joint;
    best_rank = rank;
    least = distance;
  }
  return trunk;
}

struct FlatJoints {
  int trunk = -1;           // they hang on it; -1 when they hang on nothing
  std::vector<int> joints;  // without it, ascending; empty when the skeleton is not flat
};

FlatJoints find_flat_joints(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                            const std::vector<int>& parent) {
  const std::size_t bones = skeleton.bone_count();
  std::vector<std::vector<int>> children(bones);
  std::vector<int> roots;
  for (std::size_t j = 0; j < bones; ++j)
    (parent[j] < 0 ? roots : children[static_cast<std::size_t>(parent[j])])
        .push_back(static_cast<int>(j));

  FlatJoints flat;
  const std::vector<int>* siblings = &roots;
  for (const int root : roots) {
    const std::vector<int>& below = children[static_cast<std::size_t>(root)];
    if (below.size() <= siblings->size()) continue;
    siblings = &below;
    flat.trunk = root;
  }
  std::size_t side_by_side = 0, deforming = 0;
  for (std::size_t j = 0; j < bones; ++j)
    if (roles[j].deforms && static_cast<int>(j) != flat.trunk) ++deforming;
  for (const int joint : *siblings) {
    const auto j = static_cast<std::size_t>(joint);
    if (!children[j].empty()) continue;
    if (roles[j].deforms) ++side_by_side;
    // The tip of a finger may carry nothing and still ends its chain; a target does neither.
    if (roles[j].deforms || !is_control_name(skeleton.bone(joint).name))
      flat.joints.push_back(joint);
  }
  if (side_by_side < kFlatMinJoints ||
      static_cast<double>(side_by_side) < kFlatShare * static_cast<double>(deforming))
    flat.joints.clear();
  return flat;
}

}  // namespace

void hang_flat_joints(const Skeleton& skeleton, const std::vector<BoneRole>& roles,
                      EffectiveHierarchy& hierarchy) {
  FlatJoints flat = find_flat_joints(skeleton, roles, hierarchy.parent);
  if (flat.joints.empty()) return;
  std::vector<int> open = flat.joints;
  if (flat.trunk >= 0) open.push_back(flat.trunk);
  const std::vector<int> limb_of = find_limbs(skeleton, open);
  const int trunk = flat.trunk >= 0 ? flat.trunk : find_trunk(skeleton, flat.joints, limb_of);
  std::erase(open, trunk);

  // Prim's minimum spanning tree, grown from the trunk.
  std::vector<double> cost(skeleton.bone_count(), std::numeric_limits<double>::infinity());
  std::vector<int> nearest(skeleton.bone_count(), -1);
  for (int added = trunk; !open.empty();) {
    const int limb = limb_of[static_cast<std::size_t>(added)];
    for (const int joint : open) {
      const auto j = static_cast<std::size_t>(joint);
      const bool both_on_limbs = limb >= 0 && limb_of[j] >= 0;
      const double factor = !both_on_limbs ? 1 : limb == limb_of[j] ? kSameLimb : kOtherLimb;
      const double distance =
          factor * (skeleton.bone(joint).head() - skeleton.bone(added).head()).norm();
      if (distance >= cost[j]) continue;
      cost[j] = distance;
      nearest[j] = added;
    }
    added = *std::min_element(open.begin(), open.end(), [&](int a, int b) {
      return cost[static_cast<std::size_t>(a)] < cost[static_cast<std::size_t>(b)];
    });
    std::erase(open, added);
  }
  for (const int joint : flat.joints) {
    const auto j = static_cast<std::size_t>(joint);
    if (joint == trunk || nearest[j] == hierarchy.parent[j]) continue;
    hierarchy.rehung.push_back({joint, skeleton.bone(joint).parent, nearest[j], Rehung::Why::flat});
    hierarchy.parent[j] = nearest[j];
  }
}

}  // namespace sinew
