// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "sinew/volume/elements.h"
#include "sinew/weights/bounded_biharmonic.h"

namespace sinew::test {

using SegmentEnds = std::array<Vec3, 2>;

/// Of each point the nearest segment, where that is within the radius; else -1.
[[nodiscard]] std::vector<int> held_by_segments(std::span<const Vec3> points,
                                                std::span<const SegmentEnds> segments,
                                                double radius);

/// An interior as it is, by finite elements.
[[nodiscard]] BiharmonicLevel level_of(const Elements& elements, std::vector<int> handle_of_point);

/// Where points lie in cubes, which all of them do.
[[nodiscard]] Embedding embedded_in_cubes(const Elements& cubes, std::span<const Vec3> points);

/// A hand of cubes, a palm with five fingers apart, and its bones: four each. `fineness` cubes
/// stand in place of one: 2,000 points for 1, 13,000 for 2, 41,000 for 3.
struct CubeHand {
  Elements elements;
  std::vector<SegmentEnds> bones;
};
[[nodiscard]] CubeHand cube_hand(int fineness);
/// The same hand at several finenesses that grow, each embedded in the one before.
[[nodiscard]] std::vector<BiharmonicLevel> cube_hand_levels(std::span<const int> finenesses);

/// The hand of research/hand.mesh and .tgf: 7,234 vertices, 29,998 tetrahedra and 20 bones, which
/// hold the vertices that lie on them.
struct ResearchHand {
  BiharmonicLevel level;
  std::size_t bone_count = 0;
};
[[nodiscard]] ResearchHand research_hand(const std::filesystem::path& models);

}  // namespace sinew::test
