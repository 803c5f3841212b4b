// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model/skeleton.h"
#include "sinew/volume/elements.h"

namespace sinew::test {

struct LiteralAttachment {
  std::vector<int> bone_of_point;
  std::vector<int> helped;
  std::vector<int> outside;
};

/// What the header of attach_bones says, in its words: every point asks every bone, without any
/// short cut, and other formulas tell what meets what. Bones whose radius is zero are by voxels.
[[nodiscard]] LiteralAttachment literal_attachment(const Elements& elements,
                                                   std::span<const Segment> segments,
                                                   const std::vector<double>& radius_of_bone);

}  // namespace sinew::test
