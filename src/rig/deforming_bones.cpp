// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/deforming_bones.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/parallel.h"
#include "geometry/outside_mesh.h"
#include "rig/name_tokens.h"

namespace sinew {
namespace {

/// Sum of a bone's weights over all vertices, in vertices; less is what rounding left behind.
constexpr double kUsedWeight = 1e-9;
/// What is left behind: less than this of the vertices in all, and than this of any of them.
constexpr double kRemnantOfAll = 1e-3;
constexpr double kRemnantOfAny = 0.15;

/// Where a segment is looked at, beside its ends.
constexpr std::array<double, 3> kSegmentSamples{0.25, 0.5, 0.75};

/// Of the bones that names leave: a place that throws out more than these says something about the
/// mesh (a sheet, a wrong scale), and nothing about the bones.
constexpr double kOutsideMostRel = 0.5;

constexpr std::array<std::string_view, 27> kControlWords{
    "ik",      "fk",       "pole",       "poletarget", "iktarget", "target", "tgt",
    "goal",    "aim",      "lookat",     "effector",   "ctrl",     "ctl",    "cntrl",
    "control", "controls", "controller", "socket",     "slot",     "attach", "attachment",
    "weapon",  "locator",  "dummy",      "helper",     "widget",   "wgt"};
/// Prefixes of rigs that keep the bones that deform, those that drive them and those of the
/// original apart.
constexpr std::array<std::string_view, 4> kControlPrefixes{"mch", "org", "wgt", "vis"};
constexpr std::array<std::string_view, 2> kDeformPrefixes{"def", "deform"};
constexpr std::array<std::string_view, 4> kEndWords{"end", "nub", "leaf", "endsite"};
constexpr std::array<std::string_view, 4> kSideWords{"l", "r", "left", "right"};
constexpr std::array<std::string_view, 12> kRootWords{
    "root",  "armature", "master", "global", "world",      "main",
    "scene", "skeleton", "origin", "rig",    "trajectory", "reference"};
/// What names of roots carry besides, from exporters.
constexpr std::array<std::string_view, 7> kRootFillers{"joint", "bone", "jnt",    "b",
                                                       "gltf",  "node", "created"};

bool is_root_name(std::string_view name) {
  bool is_root = false;
  for (const std::string& token : name_tokens(name)) {
    if (is_among(token, kRootWords))
      is_root = true;
    else if (!is_numeral(token) && !is_among(token, kRootFillers))
      return false;
  }
  return is_root;
}

/// A bone that everything hangs on: named so, with nothing but such bones above it.
bool is_root_control(const Skeleton& skeleton, int bone) {
  if (skeleton.children(bone).empty()) return false;
  for (int at = bone; at >= 0; at = skeleton.bone(at).parent)
    if (!is_root_name(skeleton.bone(at).name)) return false;
  return true;
}

bool is_named_control(const Skeleton& skeleton, int bone) {
  const std::string& name = skeleton.bone(bone).name;
  return is_control_name(name) || (is_end_name(name) && skeleton.children(bone).empty()) ||
         is_root_control(skeleton, bone);
}

bool is_outside(const Skeleton& skeleton, int bone, const OutsideMesh& outside) {
  const Bone& here = skeleton.bone(bone);
  if (!outside.contains(here.head())) return false;
  std::vector<Vec3> ends;
  if (here.tail) ends.push_back(*here.tail);
  for (const int child : skeleton.children(bone)) ends.push_back(skeleton.bone(child).head());
  // The far end itself belongs to the next bone.
  for (const Vec3& end : ends)
    for (const double t : kSegmentSamples)
      if (!outside.contains((1 - t) * here.head() + t * end)) return false;
  return true;
}

void take_away_outside(const Character& character, std::vector<BoneRole>& roles) {
  std::vector<std::size_t> asked;
  for (std::size_t j = 0; j < roles.size(); ++j)
    if (roles[j].reason == RoleReason::nothing_against) asked.push_back(j);
  if (asked.empty()) return;
  const OutsideMesh outside(character.mesh);
  std::vector<std::uint8_t> found(asked.size(), 0);
  parallel_for(
      asked.size(),
      [&](std::size_t i) {
        found[i] = is_outside(character.skeleton, static_cast<int>(asked[i]), outside) ? 1 : 0;
      },
      1);
  const auto count = static_cast<double>(std::count(found.begin(), found.end(), 1));
  if (count > kOutsideMostRel * static_cast<double>(asked.size())) return;
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (found[i] != 0) roles[asked[i]] = {false, RoleReason::outside};
}

std::vector<double> largest_weights(const SkinWeights& weights, std::size_t bones) {
  std::vector<double> largest(bones, 0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    for (const Influence& each : weights.row(v))
      largest[each.bone] = std::max(largest[each.bone], static_cast<double>(each.weight));
  return largest;
}

void decide_by_weights(const Character& character, const std::vector<double>& weight_per_bone,
                       bool remnants, std::vector<BoneRole>& roles) {
  const std::vector<double> largest = largest_weights(character.weights, roles.size());
  const double most_in_all = kRemnantOfAll * static_cast<double>(character.weights.vertex_count());
  std::vector<bool> has_prop(roles.size(), false);
  for (const RigidProp& prop : character.props)
    if (prop.bone >= 0) has_prop[static_cast<std::size_t>(prop.bone)] = true;
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (roles[j].reason == RoleReason::said) continue;
    const bool is_remnant = weight_per_bone[j] < most_in_all && largest[j] < kRemnantOfAny;
    if (weight_per_bone[j] > kUsedWeight && (remnants || !is_remnant))
      roles[j] = {true, RoleReason::has_weights};
    else if (weight_per_bone[j] > kUsedWeight)
      roles[j] = {false, RoleReason::hardly_used};
    else
      roles[j] = {false, has_prop[j] ? RoleReason::carries_prop : RoleReason::no_weights};
  }
}

void decide_by_names_and_places(const Character& character, std::vector<BoneRole>& roles) {
  for (std::size_t j = 0; j < roles.size(); ++j)
    if (roles[j].reason != RoleReason::said &&
        is_named_control(character.skeleton, static_cast<int>(j)))
      roles[j] = {false, RoleReason::name};
  take_away_outside(character, roles);
}

}  // namespace

std::string_view to_string(RoleReason reason) {
  switch (reason) {
    case RoleReason::said:
      return "said";
    case RoleReason::has_weights:
      return "has_weights";
    case RoleReason::no_weights:
      return "no_weights";
    case RoleReason::hardly_used:
      return "hardly_used";
    case RoleReason::carries_prop:
      return "carries_prop";
    case RoleReason::name:
      return "name";
    case RoleReason::outside:
      return "outside";
    case RoleReason::nothing_against:
      return "nothing_against";
  }
  return "";
}

bool is_control_name(std::string_view name) {
  const std::vector<std::string> tokens = name_tokens(name);
  if (tokens.empty() || is_among(tokens.front(), kDeformPrefixes)) return false;
  return is_among(tokens.front(), kControlPrefixes) ||
         std::any_of(tokens.begin(), tokens.end(),
                     [](const std::string& token) { return is_among(token, kControlWords); });
}

bool is_end_name(std::string_view name) {
  std::vector<std::string> tokens = name_tokens(name);
  if (!tokens.empty() && is_among(tokens.front(), kDeformPrefixes)) return false;
  while (!tokens.empty() && (is_numeral(tokens.back()) || is_among(tokens.back(), kSideWords)))
    tokens.pop_back();
  if (tokens.size() >= 2 && tokens[tokens.size() - 2] == "end" && tokens.back() == "site")
    return true;
  return !tokens.empty() && is_among(tokens.back(), kEndWords);
}

std::vector<BoneRole> decide_deforming_bones(const Character& character,
                                             const DeformingOptions& options) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<BoneRole> roles(skeleton.bone_count());
  for (std::size_t j = 0; j < roles.size(); ++j)
    if (skeleton.bones()[j].deforms) roles[j] = {*skeleton.bones()[j].deforms, RoleReason::said};
  for (const int bone : options.bones)
    roles[static_cast<std::size_t>(bone)] = {true, RoleReason::said};
  for (const int bone : options.skip)
    roles[static_cast<std::size_t>(bone)] = {false, RoleReason::said};

  std::vector<double> weight_per_bone = character.weights.weight_per_bone();
  weight_per_bone.resize(roles.size(), 0);
  if (std::any_of(weight_per_bone.begin(), weight_per_bone.end(),
                  [](double weight) { return weight > kUsedWeight; }))
    decide_by_weights(character, weight_per_bone, options.remnants, roles);
  else
    decide_by_names_and_places(character, roles);

  if (std::none_of(roles.begin(), roles.end(), [](const BoneRole& role) { return role.deforms; }))
    for (BoneRole& role : roles)
      if (role.reason != RoleReason::said) role = {true, RoleReason::nothing_against};
  return roles;
}

}  // namespace sinew
