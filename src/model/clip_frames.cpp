// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "model/clip_frames.h"

#include <algorithm>
#include <limits>

namespace sinew {

std::vector<ClipFrame> spread_clip_frames(std::span<const Clip> clips, int frames) {
  std::vector<ClipFrame> spread;
  if (clips.empty() || frames <= 0) return spread;
  const int per_clip = std::max(1, frames / static_cast<int>(clips.size()));
  for (std::size_t c = 0; c < clips.size(); ++c) {
    double first_s = std::numeric_limits<double>::infinity();
    double last_s = -first_s;
    for (const Channel& channel : clips[c].channels) {
      if (channel.path == ChannelPath::morph_weights) continue;
      first_s = std::min(first_s, channel.times.front());
      last_s = std::max(last_s, channel.times.back());
    }
    if (first_s > last_s) continue;
    for (int k = 1; k <= per_clip; ++k)
      spread.push_back({static_cast<int>(c), first_s + (last_s - first_s) * k / (per_clip + 1)});
  }
  return spread;
}

}  // namespace sinew
