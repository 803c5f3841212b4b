// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "sinew/model/skin_weights.h"

namespace sinew {

/// Keeps the strongest bones of every vertex, at most `max_influences`. Bones that weigh the same
/// as the first that goes, as the left and the right one in the plane between them, go with it;
/// where that would be all of them, those that come first stay. What a vertex loses is taken from
/// all of its bones alike: each weight is lowered by the strongest that is dropped, then rows are
/// scaled to one. So where the bones that count change from one vertex to the next, both the one
/// that leaves and the one that enters are at zero, and the weights stay as continuous as they
/// were; cutting alone would tear them. But weights are lowered by no more than 0.65 of their mean:
/// where many bones weigh about the same, what is left of them would be rounding, scaled up. Rows
/// that fit come back as they are. `partners` name each bone's image on the other side, or -1;
/// a bone ties with its partner, and with those that have none.
[[nodiscard]] SkinWeights cap_influences(const SkinWeights& weights, int max_influences,
                                         std::span<const int> partners = {});

/// Vertices that have more influences than that.
[[nodiscard]] std::size_t count_above_cap(const SkinWeights& weights, int max_influences);

}  // namespace sinew
