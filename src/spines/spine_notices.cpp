// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "spines/spine_notices.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "math/affine.h"
#include "model/spine_driver.h"

namespace sinew {
namespace {

/// Parts of the character's size: nobody sees bones slide by less.
constexpr double kSlideToldRel = 1e-3;

/// Whether a bone is, or hangs however far below, one of these.
bool is_at_or_below(const Skeleton& skeleton, int bone, const std::vector<int>& tops) {
  for (; bone >= 0; bone = skeleton.bone(bone).parent)
    if (std::ranges::find(tops, bone) != tops.end()) return true;
  return false;
}

/// Bones that hang on a spine, do not drive it, and start on its nearer half.
std::vector<int> bones_at_base(const Skeleton& skeleton, int spine, const SpineSegment& segment) {
  std::vector<int> at_base;
  for (const int child : skeleton.children(spine))
    if (child != segment.child && !std::ranges::binary_search(segment.beside, child) &&
        !skeleton.bone(child).part_of &&
        spine_parameter(segment.rest, skeleton.bone(child).head()) < kAtEndFrom)
      at_base.push_back(child);
  return at_base;
}

struct Slide {
  int bone = -1;
  double distance = 0;
};

/// The joint at or below these bones that the end of a spine takes furthest from where its base
/// would have it.
Slide furthest_slide(const Skeleton& skeleton, int spine, const SpineSegment& segment,
                     const std::vector<int>& at_base, std::span<const PosedBones> poses) {
  Slide furthest;
  for (const PosedBones& pose : poses) {
    SpineMotion motion = pose.spines[static_cast<std::size_t>(spine)];
    const Affine3& base = pose.transforms[static_cast<std::size_t>(spine)];
    if (!is_invertible(base)) continue;
    motion.base = Affine3::Identity();
    const Affine3 carried =
        base * spine_transform(segment.rest, motion, 1) * base.inverse(Eigen::Affine);
    const Affine3 back = carried.inverse(Eigen::Affine);
    for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone) {
      if (!is_at_or_below(skeleton, bone, at_base)) continue;
      const Vec3 now = pose.transforms[static_cast<std::size_t>(bone)] * skeleton.bone(bone).head();
      if (const double distance = (now - back * now).norm(); distance > furthest.distance)
        furthest = {bone, distance};
    }
  }
  return furthest;
}

}  // namespace

void note_tolerance(const Skeleton& skeleton, const SpineReport& report, Notices& notices) {
  if (report.within_tolerance) return;
  notices.push_back(
      {Notice::Level::warning, "spine_tolerance", fmt::format("bones[{}]", report.bone),
       fmt::format("'{}' deviates by {:.2g} of the character's size even with {} joints",
                   skeleton.bone(report.bone).name, report.deviation_rel, report.joints)});
}

void note_carried_bases(const Skeleton& skeleton, int spine, std::span<const PosedBones> poses,
                        double size, Notices& notices) {
  const Result<SpineSegment> segment = spine_segment(skeleton, spine);
  if (skeleton.bone(spine).kind != BoneKind::spine || !segment.ok()) return;
  const std::vector<int> at_base = bones_at_base(skeleton, spine, *segment);
  const Slide furthest = furthest_slide(skeleton, spine, *segment, at_base, poses);
  if (furthest.distance < kSlideToldRel * size) return;
  std::string names;
  for (const int child : at_base)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", skeleton.bone(child).name);
  notices.push_back(
      {Notice::Level::warning, "carried_at_base", fmt::format("bones[{}]", spine),
       fmt::format("what hangs on the base of '{}' goes with its far end ({}): bending it moves "
                   "'{}' by up to {:.2g}% of the character's size",
                   skeleton.bone(spine).name, names, skeleton.bone(furthest.bone).name,
                   100 * furthest.distance / size)});
}

}  // namespace sinew
