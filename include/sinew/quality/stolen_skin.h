// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/model/skeleton.h"
#include "sinew/quality/skin_quality.h"
#include "sinew/quality/skin_surface.h"

namespace sinew {

/// Skin that is beyond doubt some bones': well inside of what they lead.
struct SkinCore {
  std::vector<int> bones;
  std::vector<VertexIndex> vertices;  // ascending, kMinCoreVertices at the least
};

/// Fewer vertices are the luck of a few.
inline constexpr std::size_t kMinCoreVertices = 8;

/// Of the vertices that are `mine`, those farther along the surface than `reach` from every
/// neighbour that is not. A part that is mine as a whole is inside as a whole. Cost: O(n log n) in
/// those that are mine.
[[nodiscard]] std::vector<VertexIndex> inside_of(const SkinSurface& surface,
                                                 const std::vector<bool>& mine, double reach);

/// The cores of the bones in an original's weights: what it binds to a bone by 0.95 or more,
/// without what is nearer to skin that it does not than 3% of the diagonal, or the limb's radius
/// where that is less: the median distance from that skin to the bone, up to what hangs on it.
/// Bones whose cores are too small have none. `parent` as in EffectiveHierarchy.
[[nodiscard]] std::vector<SkinCore> bone_cores(const SkinSurface& surface, const Skeleton& skeleton,
                                               std::span<const int> parent,
                                               const SurfaceWeights& original);

/// The core of all that hangs on a head, which is `head` and the bones below it, in an original's
/// weights: where they have 0.95 or more together, 3% of the diagonal inside. Nothing where that is
/// too small.
[[nodiscard]] std::optional<SkinCore> head_core(const SkinSurface& surface,
                                                std::span<const int> parent, int head,
                                                const SurfaceWeights& original);

/// The same without an original: skin that is nearest to one of these bones and beyond the head's
/// joint as the neck leads to it, 3% of the diagonal inside. `deforms` is per bone.
[[nodiscard]] std::optional<SkinCore> head_core_by_place(const SkinSurface& surface,
                                                         const Skeleton& skeleton,
                                                         std::span<const int> parent,
                                                         const std::vector<bool>& deforms,
                                                         int head);

/// How much of each core its bone leads no longer (less than half of the weight): the larger of the
/// shares of vertices and of area.
[[nodiscard]] SkinShare stolen_skin(const SkinSurface& surface, std::span<const SkinCore> cores,
                                    const SkinWeights& of_bones);

/// How much of a head's core has less than 0.9 of the weight on its bones together.
[[nodiscard]] HeadSkin head_skin(const SkinSurface& surface, const SkinCore& core,
                                 const SkinWeights& of_bones);

}  // namespace sinew
