// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "quality/rows_and_spines.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "sinew/model/driven_spines.h"
#include "sinew/rig/spine_parameters.h"

namespace sinew {

SkinWeights with_rows_as_bones(const SkinWeights& weights, const std::vector<int>& stood_for) {
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (const Influence& influence : weights.row(v)) {
      const auto bone = static_cast<std::uint32_t>(stood_for[influence.bone]);
      const auto known = std::ranges::find(rows[v], bone, &Influence::bone);
      if (known == rows[v].end())
        rows[v].push_back({bone, influence.weight});
      else
        known->weight += influence.weight;
    }
  for (std::vector<Influence>& row : rows) std::ranges::sort(row, {}, &Influence::bone);
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

std::vector<SpineBone> welded_spines(const WeldedMesh& welded, const Skeleton& skeleton,
                                     std::span<const SpineBone> given) {
  std::vector<SpineBone> spines;
  const std::vector<std::optional<SpineSegment>> segments = spine_segments(skeleton);
  for (std::size_t j = 0; j < segments.size(); ++j) {
    if (!segments[j]) continue;
    SpineBone& spine =
        spines.emplace_back(SpineBone{static_cast<int>(j), segments[j]->rest, {}, {}});
    const auto known = std::ranges::find(given, static_cast<int>(j), &SpineBone::bone);
    if (known == given.end()) {
      spine.parameters = linear_parameters(spine.rest, welded.mesh.positions());
      continue;
    }
    assert(known->parameters.size() == welded.welded.size());
    for (std::size_t place = 0; place + 1 < welded.copies_begin.size(); ++place)
      spine.parameters.push_back(known->parameters[welded.copies[welded.copies_begin[place]]]);
  }
  return spines;
}

}  // namespace sinew
