// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/twist_bones.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/affine.h"
#include "math/nearest_rotation.h"
#include "math/segment.h"
#include "math/swing_twist.h"
#include "model/clip_frames.h"
#include "quality/cross_section.h"
#include "sinew/deform/spine_blend.h"

namespace sinew {
namespace {

constexpr double kDegPerRad = 57.29577951308232;

/// The skin is cut from here to here, in lengths of the bone: past the child's joint, where weights
/// pass from one to the other, and not where the bone before it begins.
constexpr double kFirstStation = 0.1;
constexpr double kLastStation = 1.1;

/// A vertex belongs to the limb when the bone and its child carry at least so much of it.
constexpr double kBelongsFrom = 0.5;

/// A cut with less of the largest area is a tip or a stray triangle: its ratio says nothing.
constexpr double kNoSectionRel = 0.05;

/// The one child that deforms, or -1.
int only_deforming_child(const Skeleton& skeleton, const std::vector<BoneRole>& roles, int bone) {
  int only = -1;
  for (const int child : skeleton.children(bone)) {
    if (!roles[static_cast<std::size_t>(child)].deforms) continue;
    if (only >= 0) return -1;
    only = child;
  }
  return only;
}

std::vector<bool> bones_from(const Skeleton& skeleton, int top) {
  std::vector<bool> below(skeleton.bone_count(), false);
  for (const int bone : skeleton.order()) {
    const int parent = skeleton.bone(bone).parent;
    below[static_cast<std::size_t>(bone)] =
        bone == top || (parent >= 0 && below[static_cast<std::size_t>(parent)]);
  }
  return below;
}

/// The furthest that clips twist a child on its bone, to either side; nothing without clips.
std::optional<double> most_clip_twist_deg(const Character& character, int bone, int child,
                                          const Vec3& direction, const TwistOptions& options) {
  std::optional<double> most;
  for (const ClipFrame& frame : spread_clip_frames(character.clips, options.clip_frames)) {
    const NodeTree posed = sample_clip(
        character.nodes, character.clips[static_cast<std::size_t>(frame.clip)], frame.time_s);
    const std::vector<Affine3> transforms = character.skinning_transforms(posed);
    const Affine3 relative = inverse_or_translation(transforms[static_cast<std::size_t>(bone)]) *
                             transforms[static_cast<std::size_t>(child)];
    const Quat turn = Quat(nearest_rotation(relative.linear())).normalized();
    most =
        std::max(most.value_or(0), std::abs(swing_twist(turn, direction).twist_rad) * kDegPerRad);
  }
  return most;
}

/// How far helpers of a limb have to last: as far as limits on what twists it let, where somebody
/// stated them, and as far as clips do in any case.
double lasting_twist_deg(const Bone& child, double clip_twist_deg, const TwistOptions& options) {
  const Range stated = child.limits.twist_deg;
  const double allowed =
      stated == BoneLimits{}.twist_deg ? options.lasting_deg : std::max(-stated.min, stated.max);
  return std::max(allowed, clip_twist_deg);
}

/// Looks at one limb.
class LimbProbe {
 public:
  LimbProbe(const Character& character, const SkinWeights& weights, const TwistOptions& options,
            TwistLimb& limb)
      : character_(character), weights_(weights), options_(options), limb_(limb) {
    head_ = character.skeleton.bone(limb.bone).head();
    tail_ = character.skeleton.bone(limb.child).head();
    length_ = (tail_ - head_).norm();
    direction_ = (tail_ - head_) / length_;
  }

  void measure_elongation(const std::vector<int>& dominant) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t v = 0; v < dominant.size(); ++v) {
      if (dominant[v] != limb_.bone) continue;
      const Vec3 offset = character_.mesh.positions()[v] - head_;
      sum += (offset - direction_ * direction_.dot(offset)).norm();
      ++count;
    }
    limb_.elongation = count > 0 && sum > 0 ? length_ * static_cast<double>(count) / sum : 0;
  }

  void measure_sections() {
    const std::span<const Vec3> rest = character_.mesh.positions();
    const std::vector<bool> is_twisted = bones_from(character_.skeleton, limb_.child);
    std::vector<bool> belongs(rest.size(), false);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      double sum = 0;
      for (const Influence& influence : weights_.row(v))
        if (static_cast<int>(influence.bone) == limb_.bone || is_twisted[influence.bone])
          sum += influence.weight;
      belongs[v] = sum >= kBelongsFrom;
    }
    std::vector<SectionPlane> planes;
    std::vector<double> areas;
    for (int s = 0; s < options_.stations; ++s) {
      const double u = station(s);
      planes.push_back({head_ + u * (tail_ - head_), direction_});
      areas.push_back(
          cross_section_area(rest, rest, character_.mesh.triangles(), planes.back(), belongs));
    }
    const double largest = *std::max_element(areas.begin(), areas.end());
    for (const double side : {-1.0, 1.0}) {
      const std::vector<Vec3> posed = twisted(side * options_.twist_deg / kDegPerRad, is_twisted);
      for (int s = 0; s < options_.stations; ++s) {
        const auto i = static_cast<std::size_t>(s);
        if (!(areas[i] > kNoSectionRel * largest)) continue;
        const double share =
            cross_section_area(rest, posed, character_.mesh.triangles(), planes[i], belongs) /
            areas[i];
        if (share >= limb_.smallest_section) continue;
        limb_.smallest_section = share;
        limb_.smallest_at = station(s);
      }
    }
  }

  /// Whether a clip moves the child at all is told by any turn, however small.
  void measure_clips() {
    const std::optional<double> most =
        most_clip_twist_deg(character_, limb_.bone, limb_.child, direction_, options_);
    has_clips_ = most.has_value();
    limb_.clip_twist_deg = most.value_or(0);
    limb_.lasting_deg =
        lasting_twist_deg(character_.skeleton.bone(limb_.child), limb_.clip_twist_deg, options_);
  }

  void decide(double diagonal) {
    const Range stated = character_.skeleton.bone(limb_.child).limits.twist_deg;
    const bool is_unlimited = stated == BoneLimits{}.twist_deg ||
                              std::max(-stated.min, stated.max) > options_.exercised_deg;
    if (limb_.elongation < options_.elongated_above) {
      limb_.reason =
          fmt::format("is {:.1f} times as long as its skin is wide: no limb", limb_.elongation);
    } else if (length_ < options_.least_length_rel * diagonal) {
      limb_.reason = fmt::format("is {:.1f}% of the character long: too small to be worth joints",
                                 100 * length_ / diagonal);
    } else if (limb_.smallest_section >= options_.collapsed_below) {
      limb_.reason = fmt::format("keeps {:.0f}% of its section when twisted by {:.0f} degrees",
                                 100 * limb_.smallest_section, options_.twist_deg);
    } else if (has_clips_ && limb_.clip_twist_deg < options_.exercised_deg) {
      limb_.reason =
          fmt::format("is twisted by {:.0f} degrees at most in the clips", limb_.clip_twist_deg);
    } else if (!has_clips_ && !is_unlimited) {
      limb_.reason =
          fmt::format("may be twisted from {:.0f} to {:.0f} degrees only", stated.min, stated.max);
    } else {
      limb_.collapses = true;
      limb_.reason = fmt::format(
          "keeps {:.0f}% of its section when twisted by {:.0f} degrees, at {:.0f}% of its length{}",
          100 * limb_.smallest_section, options_.twist_deg, 100 * limb_.smallest_at,
          has_clips_ ? fmt::format("; clips twist it by up to {:.0f}", limb_.clip_twist_deg)
                     : std::string());
    }
  }

 private:
  [[nodiscard]] double station(int index) const {
    return kFirstStation +
           (kLastStation - kFirstStation) * index / std::max(options_.stations - 1, 1);
  }

  /// The mesh with the child, and all below it, turned about the bone.
  [[nodiscard]] std::vector<Vec3> twisted(double angle_rad,
                                          const std::vector<bool>& is_twisted) const {
    PosedBones pose;
    Affine3 turn;
    turn.linear() = Eigen::AngleAxisd(angle_rad, direction_).toRotationMatrix();
    turn.translation() = tail_ - turn.linear() * tail_;
    for (const bool each : is_twisted) pose.transforms.push_back(each ? turn : Affine3::Identity());
    return deform_with_spines(character_.mesh.positions(), weights_, pose, {});
  }

  const Character& character_;
  const SkinWeights& weights_;
  const TwistOptions& options_;
  TwistLimb& limb_;
  Vec3 head_, tail_, direction_;
  double length_ = 0;
  bool has_clips_ = false;
};

}  // namespace

std::vector<TwistLimb> find_twist_limbs(const Character& character,
                                        const std::vector<BoneRole>& roles,
                                        const SkinWeights& weights, const TwistOptions& options) {
  const double diagonal = bounding_box(character.mesh.positions()).diagonal().norm();
  const std::vector<int> dominant = dominant_bones(weights);
  std::vector<TwistLimb> limbs;
  for (int bone = 0; bone < static_cast<int>(character.skeleton.bone_count()); ++bone) {
    if (!roles[static_cast<std::size_t>(bone)].deforms) continue;
    if (character.skeleton.bone(bone).kind != BoneKind::rigid) continue;  // it twists by itself
    TwistLimb limb;
    limb.bone = bone;
    limb.child = only_deforming_child(character.skeleton, roles, bone);
    if (limb.child < 0 ||
        (character.skeleton.bone(limb.child).head() - character.skeleton.bone(bone).head())
                .norm() <= options.least_length_rel * diagonal * 1e-3)
      continue;
    LimbProbe probe(character, weights, options, limb);
    probe.measure_elongation(dominant);
    if (limb.elongation >= options.elongated_above) {
      probe.measure_sections();
      probe.measure_clips();
    }
    probe.decide(diagonal);
    limbs.push_back(std::move(limb));
  }
  return limbs;
}

int twist_joints_for(double twist_deg) {
  return std::clamp(static_cast<int>(std::ceil(twist_deg / kTwistPerHelperDeg)), kFewestTwistJoints,
                    kMostTwistJoints);
}

int twist_joints_of(const Character& character, int bone, const TwistOptions& options) {
  const Result<SpineSegment> segment = spine_segment(character.skeleton, bone);
  if (!segment.ok() || segment->child < 0) return twist_joints_for(options.lasting_deg);
  const Vec3 direction = (segment->rest.tail - segment->rest.head).normalized();
  const std::optional<double> in_clips =
      most_clip_twist_deg(character, bone, segment->child, direction, options);
  return twist_joints_for(
      lasting_twist_deg(character.skeleton.bone(segment->child), in_clips.value_or(0), options));
}

std::vector<SpineRequest> twist_requests(std::span<const TwistLimb> limbs,
                                         std::optional<int> joints) {
  std::vector<SpineRequest> requests;
  for (const TwistLimb& limb : limbs) {
    if (!limb.collapses) continue;
    SpineRequest request;
    request.bone = limb.bone;
    request.kind = BoneKind::stretch_twist;
    request.joints = joints.value_or(twist_joints_for(limb.lasting_deg));
    request.follows = SpineToWrite::Follows::twist;
    requests.push_back(request);
  }
  return requests;
}

}  // namespace sinew
