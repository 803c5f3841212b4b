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

}  // namespace sinew
