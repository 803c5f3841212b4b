// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/geometry/surface_queries.h"
#include "sinew/model/skeleton.h"
#include "sinew/volume/elements.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {

/// How thick bones are. A line has no extent, and what holds to it depends on how small the
/// elements are; a capsule has one: [elasticity] leaves that to future work.
struct BoneRadius {
  enum class Rule {
    thickness,  // a share of how far a bone is from the surface, in the median along it; where no
                // element holds it that is 0
    voxels,     // none: the elements that the bone passes through, the literal rule of [elasticity]
  };
  Rule rule = Rule::thickness;
  double share = 0.35;  // by thickness: what is known of long bones in their limbs

  friend bool operator==(const BoneRadius&, const BoneRadius&) = default;
};

/// Which points of an interior go with which bone as if they were part of it.
struct BoneAttachment {
  std::vector<int> bone_of_point;   // -1 for a point that is free
  std::vector<double> radius;       // of each bone; 0 for those without segments, or by voxels
  std::vector<std::size_t> points;  // how many each bone holds
  std::vector<int> helped;   // bones that were left without a point, and were given one; ascending
  std::vector<int> outside;  // bones that hold nothing: far from the interior, or no point is left
  std::vector<int> unresolved;  // by thickness: whose radius is too small for the elements to show
};

/// Attaches bones to the points of the elements around them: those that a bone passes through or
/// touches, and those whose centre is within its radius. Of several bones that claim a point the
/// nearest has it; it stays free where two are equally near. By thickness, a bone that is resolved
/// leaves the elements around its joints free, as far as its radius reaches, at most a third of the
/// way along: there the flesh of both bones bends. A joint is where an end of it lies in another
/// bone. A bone is resolved from a radius of three quarters of an element on.
/// Guarantee: every bone with a segment has a point, unless it is told to be outside. One that was
/// left without has the point nearest to the middle of its segments, the first of equals, of those
/// that no other bone needs. Outside is what keeps farther from all elements than two of them.
/// `segments` are those of bones that deform, in the frame of the elements and of the surface,
/// which is about of unit size; virtual ones hold nothing. Mirrored input is attached alike, but
/// where the first of equals is taken; the same bits for any number of threads. Cost: O(elements ×
/// segments), by far less where elements in a row are neighbours; fifteen questions to the surface
/// for each segment. Follows L. Kavan and O. Sorkine, [elasticity] section 4.1.
[[nodiscard]] BoneAttachment attach_bones(const Elements& elements, const SurfaceQueries& surface,
                                          std::span<const Segment> segments, std::size_t bone_count,
                                          const BoneRadius& radius = {});
/// The same in a grid, where several cells may share a place: a bone then claims the one alone that
/// holds what is nearest to it there, so that a finger's bone does not hold the finger beside it.
[[nodiscard]] BoneAttachment attach_bones(const VoxelGrid& grid, const SurfaceQueries& surface,
                                          std::span<const Segment> segments, std::size_t bone_count,
                                          const BoneRadius& radius = {});

}  // namespace sinew
