// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/round_for_delivery.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kSameWeight = 1e-9;  // what sums in another order leave between images

std::vector<Influence> image_of(std::span<const Influence> row, const Mirror& mirror) {
  std::vector<Influence> image;
  for (const auto& [bone, weight] : row)
    if (mirror.bone[bone] >= 0)
      image.push_back({static_cast<std::uint32_t>(mirror.bone[bone]), weight});
  std::ranges::sort(image, {}, &Influence::bone);
  return image;
}

bool is_same(std::span<const Influence> a, std::span<const Influence> b) {
  return std::ranges::equal(a, b, [](const Influence& one, const Influence& other) {
    return one.bone == other.bone && std::abs(one.weight - other.weight) <= kSameWeight;
  });
}

/// One side's rounded rows for the other, wherever the exact ones are each other's images. All from
/// one side: neighbours were rounded together. Whether any row has changed.
bool mirror_rows(const Mirror& mirror, const PreparedMesh& prepared, const SkinWeights& exact,
                 std::vector<std::vector<Influence>>& rounded) {
  bool has_changed = false;
  for (std::size_t v = 0; v < rounded.size(); ++v) {
    const int image = mirror.vertex[v];
    if (image < 0 || static_cast<std::size_t>(image) == v ||
        !(prepared.mesh.positions()[v][mirror.axis] > mirror.offset))
      continue;
    const auto other = static_cast<std::size_t>(image);
    if (!is_same(image_of(exact.row(v), mirror), exact.row(other))) continue;
    std::vector<Influence> row = image_of(rounded[v], mirror);
    if (row == rounded[other]) continue;
    rounded[other] = std::move(row);
    has_changed = true;
  }
  return has_changed;
}

std::vector<std::vector<Influence>> rows_of(const SkinWeights& weights) {
  std::vector<std::vector<Influence>> rows;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    rows.emplace_back(weights.row(v).begin(), weights.row(v).end());
  return rows;
}

/// Of each place, whether its copies weigh the same.
std::vector<bool> places_of_one_row(const WeldedMesh& welded, const SkinWeights& stored) {
  std::vector<bool> are_same(welded.mesh.vertex_count(), true);
  for (std::size_t v = 0; v < stored.vertex_count(); ++v) {
    const std::size_t place = welded.welded[v];
    const std::size_t first = welded.copies[welded.copies_begin[place]];
    if (!is_same(stored.row(v), stored.row(first))) are_same[place] = false;
  }
  return are_same;
}

/// On the same poses as quantise_weights measures rounded ones.
Result<double> distortion_of(const SkinWeights& weights, const QuantiseMetric& metric,
                             QuantiseOptions options, const Progress& progress) {
  options.sweeps = 0;
  SINEW_TRY(const QuantisedWeights measured, quantise_weights(weights, metric, options, progress));
  return measured.arap_before;
}

}  // namespace

Result<RoundingReport> round_for_delivery(SkinWeights& weights, const PreparedMesh& prepared,
                                          std::span<const std::vector<Affine3>> poses_in_unit_frame,
                                          WeightFormat format, const Progress& progress) {
  QuantiseOptions options;
  options.steps = steps_of(format);
  SINEW_TRY(
      QuantisedWeights rounded,
      quantise_weights(weights, {prepared.mesh.positions(), prepared.graph, poses_in_unit_frame},
                       options, progress));
  weights = std::move(rounded.weights);
  return RoundingReport{rounded.arap_before, rounded.arap_nearest, rounded.arap_after};
}

Result<RoundingReport> round_stored_for_delivery(
    SkinWeights& stored, const PreparedMesh& prepared,
    std::span<const std::vector<Affine3>> poses_in_unit_frame, WeightFormat format,
    const std::optional<Mirror>& mirror, const Progress& progress) {
  const WeldedMesh& welded = prepared.welded;
  const QuantiseMetric metric{prepared.mesh.positions(), prepared.graph, poses_in_unit_frame};
  QuantiseOptions options;
  options.steps = steps_of(format);
  const SkinWeights exact = mean_of_copies(welded, stored);
  SINEW_TRY(QuantisedWeights rounded, quantise_weights(exact, metric, options, progress));
  RoundingReport report{rounded.arap_before, rounded.arap_nearest, rounded.arap_after};

  std::vector<std::vector<Influence>> places = rows_of(rounded.weights);
  const bool is_mirrored = mirror && mirror_rows(*mirror, prepared, exact, places);
  const std::vector<bool> are_same = places_of_one_row(welded, stored);
  std::vector<std::vector<Influence>> rows = rows_of(round_weights(stored, options.steps));
  for (std::size_t v = 0; v < rows.size(); ++v)
    if (are_same[welded.welded[v]]) rows[v] = places[welded.welded[v]];
  stored = SkinWeights::from_rows(stored.bone_count(), rows);

  if (is_mirrored || std::ranges::find(are_same, false) != are_same.end()) {
    SINEW_TRY(report.arap_after,
              distortion_of(mean_of_copies(welded, stored), metric, options, progress));
  }
  return report;
}

}  // namespace sinew
