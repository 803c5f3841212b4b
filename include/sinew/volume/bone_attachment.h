// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/geometry/surface_queries.h"
#include "sinew/model/skeleton.h"
#include "sinew/volume/voxel_grid.h"

namespace sinew {

/// How thick bones are. A line has no extent, and what holds to it depends on how small the cells
/// are; a capsule has one: [elasticity] leaves that to future work.
struct BoneRadius {
  enum class Rule {
    thickness,  // a share of how far a bone is from the surface, in the median along it
    voxels,     // none: the elements that the bone passes through, the literal rule of [elasticity]
  };
  Rule rule = Rule::thickness;
  double share = 0.35;  // by thickness: what is known of long bones in their limbs
};

/// Which points of an interior go with which bone as if they were part of it.
struct BoneAttachment {
  std::vector<int> bone_of_point;      // -1 for a point that is free
  std::vector<double> radius;          // of each bone; 0 for those without segments, or by voxels
  std::vector<std::size_t> points;     // that each bone holds
  std::vector<int> helped;             // bones that no element belonged to: each has one point
  std::vector<int> outside;            // bones that lie outside and hold nothing
  std::vector<int> unresolved;         // whose radius is less than three quarters of an element
};

/// Attaches bones to the points of the elements around them: those that a bone passes through, and
/// those whose centre is within its radius. A point that several bones claim goes to the nearest,
/// and stays free where the bones are equally near. By thickness, the ends of a bone at joints with
/// others stay free, as far as the radius reaches, at most a third of the bone: there the flesh of
/// both bends. A bone without any point gets the one nearest to its middle that no other bone needs;
/// a bone all of which is farther from the interior than two elements gets none.
/// `segments` are those of bones that deform, without virtual ones, in the frame of the elements.
/// Cost: O(elements × segments).
/// Follows L. Kavan and O. Sorkine, [elasticity] section 4.1.
[[nodiscard]] BoneAttachment attach_bones(const VoxelGrid& grid, const SurfaceQueries& surface,
                                          std::span<const Segment> segments,
                                          std::size_t bone_count, const BoneRadius& radius = {});
[[nodiscard]] BoneAttachment attach_bones(const Elements& elements, const SurfaceQueries& surface,
                                          std::span<const Segment> segments,
                                          std::size_t bone_count, const BoneRadius& radius = {});

}  // namespace sinew
