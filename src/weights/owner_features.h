// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/geometry/prepared_mesh.h"
#include "sinew/model/skeleton.h"
#include "sinew/rig/bone_cells.h"

namespace sinew {

/// Bones that may own a vertex, at most: the artist's is among the twelve nearest, practically
/// always.
inline constexpr std::size_t kOwnerCandidates = 12;

/// What is known of a vertex and a bone that may own it. All are free of units: lengths are told as
/// logarithms of their ratios to others. "Girth" of a bone is how far the skin nearest to it is
/// from it, in the median.
inline constexpr std::array kOwnerFeatures{
    std::string_view("distance / least"),   // to the bone, over that to the nearest
    std::string_view("distance / girth"),   //
    std::string_view("distance / length"),  //
    std::string_view("rank"),               // of the distance, among all bones
    std::string_view("lead"),            // of the nearest over the second; how far behind, others
    std::string_view("along"),           // the bone, from its head, 0, to its end, 1
    std::string_view("before"),          // its head, in girths
    std::string_view("past"),            // its end, in girths
    std::string_view("across / girth"),  // from its axis
    std::string_view("outward"),         // the normal, away from the bone
    std::string_view("square"),          // the normal to the axis
    std::string_view("seen"),            // the bone from the vertex
    std::string_view("past cut"),        // at its head, in girths: the plane that halves the joint
    std::string_view("past cut of child"),  // of the nearest bone on it
    std::string_view("child / distance"),
    std::string_view("parent / distance"),
    std::string_view("parent's girth"),
    std::string_view("parent's length"),
    std::string_view("hops"),  // in the skeleton, from the nearest bone
    std::string_view("above nearest"),
    std::string_view("below nearest"),
    std::string_view("leaf"),
    std::string_view("children"),
    std::string_view("depth"),
    std::string_view("subtree"),
    std::string_view("length / median"),
    std::string_view("length / girth"),
    std::string_view("girth / median"),
    std::string_view("nearest skin"),  // its share of all
    std::string_view("has parent"),
    std::string_view("children are leaves"),
    std::string_view("head / girth"),  // the distance to its joint
    std::string_view("reach"),         // the distance in girths of the nearest bone
    std::string_view("part"),          // its share of all skin
    std::string_view("part's share"),  // that is nearest to the bone
    std::string_view("part's largest share"),
    std::string_view("part's bones"),
    std::string_view("joint in part"),  // how far from its middle, in radii of the part
    std::string_view("part / girth"),
    std::string_view("part / length"),
    std::string_view("part's distance / least"),
    std::string_view("parts"),
    std::string_view("bones"),
    std::string_view("heat"),  // the weight by heat
    std::string_view("log heat"),
    std::string_view("hottest"),
    std::string_view("walk"),  // the chance that a walk inside the body meets this bone first
    std::string_view("log walk"),
    std::string_view("likeliest walk"),
};
inline constexpr std::size_t kOwnerFeatureCount = kOwnerFeatures.size();

/// Of each vertex, the bones that may own it, and what is known of them.
struct OwnerEvidence {
  std::vector<std::size_t> begin;   // vertices + 1
  std::vector<std::uint32_t> bone;  // of each vertex together, by how near they are
  std::vector<float> features;      // kOwnerFeatureCount for each of them

  [[nodiscard]] std::size_t vertex_count() const { return begin.size() - 1; }
  [[nodiscard]] std::span<const float> features_of(std::size_t candidate) const {
    return std::span(features).subspan(candidate * kOwnerFeatureCount, kOwnerFeatureCount);
  }
};

/// Of bones with segments alone. `heat` and `walk` have a row for each welded vertex; a row may be
/// empty. A mirrored character gives the same numbers but for rounding; scale and place change
/// nothing, nor does the number of threads. A vertex that nothing refers to has no candidates.
/// Cost: O(vertices × (segments + candidates)), and a ray for each candidate.
[[nodiscard]] OwnerEvidence owner_evidence(const PreparedMesh& prepared, const Skeleton& skeleton,
                                           const BoneSegments& bones, const SkinWeights& heat,
                                           const SkinWeights& walk);

}  // namespace sinew
