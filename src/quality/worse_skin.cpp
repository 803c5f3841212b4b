// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/worse_skin.h"

#include <algorithm>
#include <limits>

#include "core/parallel.h"

namespace sinew {
namespace {

/// Poses per pose that counts.
constexpr std::size_t kTenth = 10;
/// Distortion that is this many times the original's, and by so much more, is seen as worse.
constexpr double kWorseTimes = 2;
constexpr double kWorseBy = 0.05;
/// Bones that lead fewer vertices are the luck of a few.
constexpr std::size_t kMinLed = 8;

}  // namespace

WorstTenth::WorstTenth(std::size_t vertices, std::size_t poses)
    : kept_(std::max<std::size_t>(1, poses / kTenth)),
      worst_(vertices * kept_, -std::numeric_limits<double>::infinity()) {}

void WorstTenth::add(std::span<const double> distortion) {
  ++poses_;
  parallel_for(distortion.size(), [&](std::size_t v) {
    const std::span<double> of_vertex = std::span(worst_).subspan(v * kept_, kept_);
    const auto least = std::ranges::min_element(of_vertex);
    if (distortion[v] > *least) *least = distortion[v];
  });
}

std::vector<double> WorstTenth::mean() const {
  const std::size_t known = std::min(kept_, poses_);
  std::vector<double> mean(worst_.size() / kept_, 0);
  if (known == 0) return mean;
  parallel_for(mean.size(), [&](std::size_t v) {
    std::vector<double> of_vertex(worst_.begin() + static_cast<std::ptrdiff_t>(v * kept_),
                                  worst_.begin() + static_cast<std::ptrdiff_t>((v + 1) * kept_));
    std::ranges::sort(of_vertex, std::greater());
    for (std::size_t k = 0; k < known; ++k) mean[v] += of_vertex[k] / static_cast<double>(known);
  });
  return mean;
}

SkinShare worse_skin(const SkinSurface& surface, std::span<const int> led_by,
                     std::size_t bone_count, std::span<const double> original_distortion,
                     std::span<const double> distortion) {
  SkinShare worse;
  worse.bones.resize(bone_count);
  worse.vertices.assign(led_by.size(), false);
  std::vector<double> area(bone_count, 0);
  std::vector<double> worse_area(bone_count, 0);
  std::vector<std::size_t> led(bone_count, 0);
  for (std::size_t v = 0; v < led_by.size(); ++v) {
    if (led_by[v] < 0) continue;
    const auto bone = static_cast<std::size_t>(led_by[v]);
    ++led[bone];
    area[bone] += surface.rest_energy[v];
    if (!(distortion[v] > kWorseTimes * original_distortion[v] + kWorseBy)) continue;
    worse.vertices[v] = true;
    worse_area[bone] += surface.rest_energy[v];
  }
  std::size_t judged = 0;
  for (std::size_t j = 0; j < bone_count; ++j) {
    if (led[j] < kMinLed) continue;
    ++judged;
    const double percent = area[j] > 0 ? 100 * worse_area[j] / area[j] : 0;
    worse.bones[j] = percent;
    worse.percent += percent;
    if (!worse.most || percent > worse.most->percent)
      worse.most = BoneShare{static_cast<int>(j), percent};
  }
  if (judged > 0) worse.percent /= static_cast<double>(judged);
  return worse;
}

}  // namespace sinew
