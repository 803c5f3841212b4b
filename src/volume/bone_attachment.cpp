// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/volume/bone_attachment.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/parallel.h"
#include "math/segment.h"
#include "volume/bone_claims.h"
#include "volume/element_shapes.h"

namespace sinew {
namespace {

/// Along each segment, where its distance from the surface is taken; odd, so that there is a
/// median. With 17 times as many, radii of bones of real characters differ by 1% in the mean.
constexpr std::size_t kSamples = 15;
constexpr std::size_t kSampleGrain = 16;  // of some microseconds each, in a detailed mesh

/// Of the cell size: from this radius on a capsule holds more than the elements that its axis
/// passes through. Below, it is a bone by voxels.
constexpr double kResolvedCells = 0.75;

/// Of a segment: as much as a joint may take of it, so that two joints leave its middle third.
constexpr double kMostJoint = 1.0 / 3;

/// In cells: a bone that is farther from all of them moves nothing of the character.
constexpr double kOutsideCells = 2;

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Those that hold something, by bone.
class BonesInSpace {
 public:
  BonesInSpace(std::span<const Segment> segments, std::size_t bone_count)
      : begin_(bone_count + 1, 0) {
    for (const Segment& segment : segments)
      if (!segment.is_virtual) segments_.push_back({segment.bone, segment.head, segment.tail, 0});
    std::stable_sort(segments_.begin(), segments_.end(),
                     [](const ThickSegment& a, const ThickSegment& b) { return a.bone < b.bone; });
    for (const ThickSegment& segment : segments_)
      ++begin_[static_cast<std::size_t>(segment.bone) + 1];
    for (std::size_t b = 0; b < bone_count; ++b) begin_[b + 1] += begin_[b];
  }

  [[nodiscard]] std::size_t bone_count() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<ThickSegment> all() { return segments_; }
  [[nodiscard]] std::span<const ThickSegment> all() const { return segments_; }
  [[nodiscard]] std::span<const ThickSegment> of(int bone) const {
    const auto b = static_cast<std::size_t>(bone);
    return all().subspan(begin_[b], begin_[b + 1] - begin_[b]);
  }
  [[nodiscard]] double distance(const Vec3& point, int bone) const {
    double least = kFar;
    for (const ThickSegment& segment : of(bone))
      least = std::min(least, squared_distance_to_segment(point, segment.head, segment.tail));
    return std::sqrt(least);
  }

 private:
  std::vector<ThickSegment> segments_;
  std::vector<std::size_t> begin_;  // of each bone, and the end
};

struct Sample {
  double distance = 0;  // from the surface
  double length = 0;    // of the bone, that it stands for
};

/// The distance that half of the length is not farther from.
double median(std::vector<Sample> samples) {
  std::ranges::sort(samples, {}, &Sample::distance);
  double total = 0;
  for (const Sample& sample : samples) total += sample.length;
  if (!(total > 0)) return samples[samples.size() / 2].distance;  // all of it is one point
  double sum = 0;
  for (const Sample& sample : samples) {
    sum += sample.length;
    if (sum >= total / 2) return sample.distance;
  }
  return samples.back().distance;
}

/// A place along a segment.
Vec3 sample_of(const ThickSegment& segment, std::size_t sample) {
  const double at = (static_cast<double>(sample) + 0.5) / kSamples;
  return segment.head + at * (segment.tail - segment.head);
}

/// Of each sample of each segment: whether an element holds it.
std::vector<bool> find_samples_inside(const Elements& elements,
                                      std::span<const ThickSegment> segments) {
  std::vector<ThickSegment> lines(segments.begin(), segments.end());
  for (ThickSegment& line : lines) line.radius = 0;
  std::vector<bool> is_inside(lines.size() * kSamples, false);
  for (const auto& [element, s] : find_bone_claims(elements, lines))
    for (std::size_t k = 0; k < kSamples; ++k) {
      const Vec3 sample = sample_of(lines[s], k);
      if (!is_inside[s * kSamples + k] && passes_through(elements, element, sample, sample))
        is_inside[s * kSamples + k] = true;
    }
  return is_inside;
}

/// Of each bone, how far its segments are from the surface; the air around those outside is no
/// flesh of theirs. 0 where there is no surface.
std::vector<double> thickness_of_bones(const Elements& elements, const SurfaceQueries& surface,
                                       const BonesInSpace& bones) {
  const auto segments = bones.all();
  const std::vector<bool> is_inside = find_samples_inside(elements, segments);
  std::vector<Sample> samples(segments.size() * kSamples);
  parallel_for(
      samples.size(),
      [&](std::size_t i) {
        const ThickSegment& segment = segments[i / kSamples];
        samples[i].length = (segment.tail - segment.head).norm();
        if (!is_inside[i]) return;
        const auto nearest = surface.closest_point(sample_of(segment, i % kSamples), kFar,
                                                   [](std::size_t) { return true; });
        if (nearest) samples[i].distance = nearest->distance;
      },
      kSampleGrain);
  std::vector<double> thickness(bones.bone_count(), 0);
  for (std::size_t begin = 0, end = 0; begin < segments.size(); begin = end) {
    const int bone = segments[begin].bone;
    end = begin + bones.of(bone).size();
    thickness[static_cast<std::size_t>(bone)] =
        median({samples.begin() + static_cast<std::ptrdiff_t>(begin * kSamples),
                samples.begin() + static_cast<std::ptrdiff_t>(end * kSamples)});
  }
  return thickness;
}

/// A ball around an end of a bone, where it gives up its claims.
struct JointBall {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

/// Of each bone that is resolved, around those of its ends that lie in another bone.
std::vector<std::vector<JointBall>> find_joint_balls(const BonesInSpace& bones, double cell_size) {
  const double margin = kTouchRel * cell_size;
  std::vector<std::vector<JointBall>> balls(bones.bone_count());
  for (const ThickSegment& segment : bones.all()) {
    if (segment.radius < kResolvedCells * cell_size) continue;
    const double most = kMostJoint * (segment.tail - segment.head).norm();
    for (const Vec3& end : {segment.head, segment.tail}) {
      const bool is_joint = std::ranges::any_of(bones.all(), [&](const ThickSegment& other) {
        const double reach = other.radius + margin;
        return other.bone != segment.bone &&
               squared_distance_to_segment(end, other.head, other.tail) <= reach * reach;
      });
      if (is_joint)
        balls[static_cast<std::size_t>(segment.bone)].push_back(
            {end, std::min(segment.radius, most)});
    }
  }
  return balls;
}

/// The two nearest of the bones that claim a point.
class Claimants {
 public:
  void add(int bone, double distance) {
    if (bone == nearest_.bone || bone == second_.bone) return;
    const Claimant claimant{bone, distance};
    if (distance < nearest_.distance) {
      second_ = std::exchange(nearest_, claimant);
    } else if (distance < second_.distance) {
      second_ = claimant;
    }
  }

  /// Nobody has what two bones are equally near to.
  [[nodiscard]] int owner(double equally_near) const {
    return second_.distance - nearest_.distance <= equally_near ? -1 : nearest_.bone;
  }
  [[nodiscard]] bool any() const { return nearest_.bone >= 0; }

 private:
  struct Claimant {
    int bone = -1;
    double distance = kFar;
  };
  Claimant nearest_, second_;
};

/// Who has each point, before bones are helped.
std::vector<int> owners_of_points(const Elements& elements, const BonesInSpace& bones,
                                  std::span<const BoneClaim> claims) {
  const double margin = kTouchRel * elements.cell_size;
  const auto balls = find_joint_balls(bones, elements.cell_size);
  std::vector<Claimants> claimants(elements.points.size());
  std::vector<std::pair<ElementPoint, int>> given_up;
  for (const BoneClaim& claim : claims) {
    const int bone = bones.all()[claim.segment].bone;
    const Vec3 centre = centre_of(elements, claim.element);
    const bool is_at_joint =
        std::ranges::any_of(balls[static_cast<std::size_t>(bone)], [&](const JointBall& ball) {
          return (centre - ball.centre).norm() <= ball.radius + margin;
        });
    for (const ElementPoint corner : elements.corners_of(claim.element)) {
      claimants[corner].add(bone, bones.distance(elements.points[corner], bone));
      if (is_at_joint) given_up.emplace_back(corner, bone);
    }
  }
  std::vector<int> owners(elements.points.size(), -1);
  for (std::size_t p = 0; p < owners.size(); ++p)
    if (claimants[p].any()) owners[p] = claimants[p].owner(margin);
  for (const auto& [point, bone] : given_up)
    if (owners[point] == bone) owners[point] = -1;
  return owners;
}

bool is_outside(const Elements& elements, std::span<const ThickSegment> segments) {
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const Box near = grown(box_of(elements, e), kOutsideCells * elements.cell_size);
    for (const ThickSegment& segment : segments)
      if (meets(near, segment.head, segment.tail)) return false;
  }
  return true;
}

/// Gives a point to bones that have none, in their order.
class Helper {
 public:
  Helper(const Elements& elements, BoneAttachment& attachment)
      : elements_(elements), attachment_(attachment), is_used_(elements.points.size(), false) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (const ElementPoint corner : elements.corners_of(e)) is_used_[corner] = true;
  }

  /// Of equally near points, those of `preferred` come first. False when no point is left.
  [[nodiscard]] bool help(int bone, std::span<const ThickSegment> segments,
                          std::span<const ElementPoint> preferred) {
    std::optional<ElementPoint> best;
    double least = kFar;
    const auto consider = [&](ElementPoint p) {
      if (!is_used_[p] || is_needed(attachment_.bone_of_point[p])) return;
      const double distance = distance_to_middle(elements_.points[p], segments);
      if (best && !(distance < least - kTouchRel * elements_.cell_size)) return;
      best = p;
      least = distance;
    };
    for (const ElementPoint p : preferred) consider(p);
    for (std::size_t p = 0; p < is_used_.size(); ++p) consider(static_cast<ElementPoint>(p));
    if (!best) return false;
    int& owner = attachment_.bone_of_point[*best];
    if (owner >= 0) --attachment_.points[static_cast<std::size_t>(owner)];
    owner = bone;
    attachment_.points[static_cast<std::size_t>(bone)] = 1;
    return true;
  }

 private:
  /// Whether a bone has no other point.
  [[nodiscard]] bool is_needed(int owner) const {
    return owner >= 0 && attachment_.points[static_cast<std::size_t>(owner)] < 2;
  }

  [[nodiscard]] static double distance_to_middle(const Vec3& point,
                                                 std::span<const ThickSegment> segments) {
    double least = kFar;
    for (const ThickSegment& segment : segments)
      least = std::min(least, (point - (segment.head + segment.tail) / 2).norm());
    return least;
  }

  const Elements& elements_;
  BoneAttachment& attachment_;
  std::vector<bool> is_used_;  // of each point: some element refers to it
};

/// The points of the cells in which the middles of a bone's segments lie.
std::vector<ElementPoint> points_at_middles(const VoxelGrid& grid,
                                            std::span<const ThickSegment> segments) {
  std::vector<Vec3> middles;
  for (const ThickSegment& segment : segments) middles.push_back((segment.head + segment.tail) / 2);
  return embed_points(grid, middles).corner;
}

/// `grid` is where the elements are those of one.
BoneAttachment attach(const Elements& elements, const VoxelGrid* grid,
                      const SurfaceQueries& surface, std::span<const Segment> segments,
                      std::size_t bone_count, const BoneRadius& radius) {
  assert(radius.share >= 0);
  BonesInSpace bones(segments, bone_count);
  BoneAttachment attachment;
  attachment.radius.assign(bone_count, 0);
  attachment.points.assign(bone_count, 0);
  if (radius.rule == BoneRadius::Rule::thickness) {
    const std::vector<double> thickness = thickness_of_bones(elements, surface, bones);
    for (ThickSegment& segment : bones.all()) {
      const auto bone = static_cast<std::size_t>(segment.bone);
      attachment.radius[bone] = segment.radius = radius.share * thickness[bone];
    }
  }
  std::vector<BoneClaim> claims = find_bone_claims(elements, bones.all());
  if (grid != nullptr) claims = claims_on_own_cells(*grid, bones.all(), claims);
  attachment.bone_of_point = owners_of_points(elements, bones, claims);
  for (const int bone : attachment.bone_of_point)
    if (bone >= 0) ++attachment.points[static_cast<std::size_t>(bone)];

  Helper helper(elements, attachment);
  for (int bone = 0; bone < static_cast<int>(bone_count); ++bone) {
    const auto own = bones.of(bone);
    if (own.empty()) continue;
    const auto b = static_cast<std::size_t>(bone);
    if (radius.rule == BoneRadius::Rule::thickness &&
        attachment.radius[b] < kResolvedCells * elements.cell_size)
      attachment.unresolved.push_back(bone);
    if (attachment.points[b] > 0) continue;
    std::vector<ElementPoint> preferred;
    if (grid != nullptr && elements.size() > 0) preferred = points_at_middles(*grid, own);
    const bool is_held = !is_outside(elements, own) && helper.help(bone, own, preferred);
    (is_held ? attachment.helped : attachment.outside).push_back(bone);
  }
  return attachment;
}

}  // namespace

BoneAttachment attach_bones(const Elements& elements, const SurfaceQueries& surface,
                            std::span<const Segment> segments, std::size_t bone_count,
                            const BoneRadius& radius) {
  return attach(elements, nullptr, surface, segments, bone_count, radius);
}

BoneAttachment attach_bones(const VoxelGrid& grid, const SurfaceQueries& surface,
                            std::span<const Segment> segments, std::size_t bone_count,
                            const BoneRadius& radius) {
  return attach(grid.elements, &grid, surface, segments, bone_count, radius);
}

}  // namespace sinew
