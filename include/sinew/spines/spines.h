// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/deform/spine_bones.h"
#include "sinew/model/driven_spines.h"
#include "sinew/rig/spine_parameters.h"
#include "sinew/spines/gltf_spine_joints.h"

namespace sinew {

/// From bones that bend and twist to joints that any program plays.

inline constexpr int kFewestSpineJoints = 2;  // one would be a rigid bone
inline constexpr int kMostSpineJoints = 64;   // a skin has room for few hundred on old hardware
inline constexpr int kUsualSpineJoints = 8;   // off by about 1% of a body that bends by 60 degrees
inline constexpr int kFewestTwistJoints = 3;  // what riggers put into a forearm by hand

/// A bone that is to bend or twist, and what it becomes in the file.
struct SpineRequest {
  int bone = -1;
  BoneKind kind = BoneKind::spine;
  int joints = kUsualSpineJoints;
  std::optional<double> tolerance_rel;  // of the diagonal: as few joints as keep within it
  SpineParametrisation parametrisation = SpineParametrisation::linear;
  std::vector<std::optional<double>> painted;  // u of each vertex of the mesh, instead, where known
  SpineToWrite::Follows follows = SpineToWrite::Follows::spine;
};

/// "8", or "auto:0.01" for a tolerance: the two fields of a request. Fails with an empty place, for
/// the caller to say which flag it came from.
struct SpineJointCount {
  int joints = kUsualSpineJoints;
  std::optional<double> tolerance_rel;
};
[[nodiscard]] Result<SpineJointCount> parse_spine_joint_count(std::string_view text);

/// The skeleton with the kinds that are asked for and tails stated. Refuses, with place "bones[i]",
/// a bone that does not exist, is asked for twice or as two kinds, has no length, is a leaf that
/// nothing says the end of, or is to follow the twist of a child and has none; with place "joints"
/// a number of joints out of range.
[[nodiscard]] Result<Skeleton> with_spines(const Skeleton& skeleton,
                                           std::span<const SpineRequest> requests);

/// Where every vertex of the character sits on each spine; gradients are left empty. The skeleton
/// is one of with_spines.
[[nodiscard]] Result<std::vector<SpineBone>> spine_bones_of(const Mesh& mesh,
                                                            const Skeleton& skeleton,
                                                            std::span<const SpineRequest> requests);

/// Poses to measure a conversion on: every spine, the others straight, at both ends of bend_deg
/// about three axes, a stretch-twist bone about itself, at both ends of its stretch; then about
/// `clip_frames` frames of the clips. Helpers that follow twist are judged at both ends of the
/// twist_deg of what twists them; the default counts as kJudgedTwistDeg: nobody stated it.
inline constexpr double kJudgedTwistDeg = 90;
[[nodiscard]] std::vector<PosedBones> spine_poses(const Character& character,
                                                  const Skeleton& skeleton,
                                                  std::span<const SpineRequest> requests,
                                                  int clip_frames = 24);

/// How far a row of `joints` moves vertices from where the spine does: the largest distance over
/// poses and vertices, as a part of `size`. The weights are those on the spine itself.
[[nodiscard]] double spine_deviation(std::span<const Vec3> positions, const SkinWeights& weights,
                                     const SpineBone& spine, std::span<const PosedBones> poses,
                                     int joints, StretchBy way, double size);

/// What became of one request.
struct SpineReport {
  int bone = -1;
  BoneKind kind = BoneKind::spine;
  int joints = 0;
  StretchBy stretch = StretchBy::translations;
  double deviation_rel = 0;                   // of the diagonal, by the row of joints alone
  std::optional<double> other_deviation_rel;  // stretch-twist bones: by the other way to stretch
  bool within_tolerance = true;               // with a tolerance: whether the most joints suffice
  WrittenSpine written;
};

/// What it cost to keep to the cap on influences after the split.
struct CapReport {
  enum class Way { none, lowered, dropped };  // cap_influences, drop_weakest
  Way way = Way::none;
  std::size_t vertices = 0;        // that had too many
  double deviation_rel = 0;        // all spines, joints and cap together
  double other_deviation_rel = 0;  // by the way that was not taken
};

struct ConvertedSpines {
  LoadedCharacter loaded;  // what `weights` is for: write_weights(document, loaded, weights)
  SkinWeights weights;
  std::vector<SpineReport> spines;  // as they were asked for
  CapReport cap;
  std::vector<TwistDriver> drivers;
  Notices notices;
};

/// Turns spines into rows of joints in the document, with weights that were made for spines.
/// `bones` is one per request (spine_bones_of, or what the weights were optimised with), `poses`
/// what to measure on. Notices are those of add_spine_joints, "spine_tolerance" and
/// "carried_at_base", for bones that the end of a spine moves though they hang on its base. A
/// stretch-twist bone follows a stretch by translations or by scale keys,
/// whichever deviates less; of the two ways to cap influences the one that deviates less is taken.
[[nodiscard]] Result<ConvertedSpines> convert_spines(
    Document& document, const LoadedCharacter& loaded, const SkinWeights& weights,
    std::span<const SpineRequest> requests, std::span<const SpineBone> bones,
    std::span<const PosedBones> poses, int max_influences = 4);

/// A character of the document whose own spines are rows of the most joints, with as many
/// influences as that takes, read again: for programs that only play joints, and as near to the
/// exact spines as can be seen. `deviation_rel` is how near, over spine_poses.
struct SpinesShown {
  LoadedCharacter loaded;
  std::vector<int> shown_for;  // per bone of it: itself, or the spine that a joint is there for
  double deviation_rel = 0;
  std::size_t spines = 0;  // that are shown so; without any, nothing has changed
  Notices notices;         // "spine_without_length": it stays a rigid bone
};
[[nodiscard]] Result<SpinesShown> show_own_spines(Document& document,
                                                  const LoadedCharacter& loaded);

/// The report in words, a line per spine and one for the cap where it did something.
[[nodiscard]] std::vector<std::string> in_words(const ConvertedSpines& converted);

}  // namespace sinew
