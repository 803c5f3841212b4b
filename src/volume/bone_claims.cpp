// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/bone_claims.h"

#include "core/parallel.h"
#include "math/segment.h"
#include "volume/element_shapes.h"

namespace sinew {
namespace {

/// Elements that are looked at together: few segments come near to all of so few neighbours.
constexpr std::size_t kNeighbours = 256;

/// In cells: so far within a cell a point is in no other, whatever rounding does.
constexpr double kWithin = 1e-6;

bool claims(const Elements& elements, std::size_t element, const ThickSegment& segment,
            double margin) {
  const double reach = segment.radius + margin;
  const bool is_within =
      segment.radius > 0 && squared_distance_to_segment(centre_of(elements, element), segment.head,
                                                        segment.tail) <= reach * reach;
  return is_within || passes_through(elements, element, segment.head, segment.tail);
}

}  // namespace

std::vector<BoneClaim> find_bone_claims(const Elements& elements,
                                        std::span<const ThickSegment> segments) {
  const double margin = kTouchRel * elements.cell_size;
  std::vector<Box> box_of_segment;
  for (const ThickSegment& segment : segments) {
    const Box box(segment.head.cwiseMin(segment.tail), segment.head.cwiseMax(segment.tail));
    box_of_segment.push_back(grown(box, segment.radius + margin));
  }
  std::vector<std::vector<BoneClaim>> of_chunk(chunk_count(elements.size(), kNeighbours));
  parallel_for_chunks(elements.size(), kNeighbours, [&](ChunkRange range) {
    std::vector<Box> boxes;
    Box all;
    for (std::size_t e = range.begin; e < range.end; ++e)
      all.extend(boxes.emplace_back(box_of(elements, e)));
    std::vector<std::uint32_t> near;
    for (std::size_t s = 0; s < segments.size(); ++s)
      if (box_of_segment[s].intersects(all)) near.push_back(static_cast<std::uint32_t>(s));
    for (std::size_t e = range.begin; e < range.end; ++e)
      for (const std::uint32_t s : near)
        if (box_of_segment[s].intersects(boxes[e - range.begin]) &&
            claims(elements, e, segments[s], margin))
          of_chunk[range.begin / kNeighbours].push_back({static_cast<std::uint32_t>(e), s});
  });
  std::vector<BoneClaim> all;
  for (const auto& found : of_chunk) all.insert(all.end(), found.begin(), found.end());
  return all;
}

std::vector<BoneClaim> claims_on_own_cells(const VoxelGrid& grid,
                                           std::span<const ThickSegment> segments,
                                           const std::vector<BoneClaim>& claims) {
  const auto is_shared = [&](std::size_t cell) {
    return (cell > 0 && grid.place[cell - 1] == grid.place[cell]) ||
           (cell + 1 < grid.place.size() && grid.place[cell + 1] == grid.place[cell]);
  };
  std::vector<std::size_t> shared;  // claims on cells that are not alone
  std::vector<Vec3> nearest;        // where the segment is nearest to the middle of each
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (!is_shared(claims[i].element)) continue;
    const auto& [bone, head, tail, radius] = segments[claims[i].segment];
    const Vec3 middle = centre_of(grid.elements, claims[i].element);
    const Vec3 on_segment = head + closest_on_segment(middle, head, tail) * (tail - head);
    const Vec3 half = Vec3::Constant((0.5 - kWithin) * grid.elements.cell_size);
    shared.push_back(i);
    nearest.push_back(on_segment.cwiseMax(middle - half).cwiseMin(middle + half));
  }
  const Embedding embedding = embed_points(grid, nearest);
  std::vector<bool> is_dropped(claims.size(), false);
  for (std::size_t i = 0; i < shared.size(); ++i)
    is_dropped[shared[i]] = embedding.element[i] != claims[shared[i]].element;
  std::vector<BoneClaim> kept;
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (!is_dropped[i]) kept.push_back(claims[i]);
  return kept;
}

}  // namespace sinew
