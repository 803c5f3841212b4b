// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model/animation.h"

namespace sinew {

/// A moment of a clip.
struct ClipFrame {
  int clip = -1;
  double time_s = 0;
};

/// About `frames` moments, as many from each clip and at least one, evenly spread over the time in
/// which its channels move nodes, without its first and last moment. A clip that only morphs or
/// does nothing gives none, but counts as a clip.
[[nodiscard]] std::vector<ClipFrame> spread_clip_frames(std::span<const Clip> clips, int frames);

}  // namespace sinew
