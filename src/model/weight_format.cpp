// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/weight_format.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "model/row_steps.h"

namespace sinew {
namespace {

/// Steps: a weight so near to one lies on it. A float that stores a 16-bit weight is off by 0.004.
constexpr double kOnAStep = 0.01;
/// Steps: what all of a row's weights that lie on steps may be off by together, so that what they
/// leave for the others is whole.
constexpr double kOnStepsTogether = 0.4;
std::vector<std::uint32_t> by_largest_remainder(const RowChoice& choice) {
  std::vector<std::uint32_t> parts = choice.low;
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return choice.remainder[a] > choice.remainder[b];
  });
  for (std::size_t i = 0; i < choice.to_give; ++i) ++parts[order[i]];
  return parts;
}

}  // namespace

RowChoice choices_of(std::span<const Influence> row, std::uint32_t steps) {
  RowChoice choice;
  const double on_a_step = std::min(
      kOnAStep, kOnStepsTogether / static_cast<double>(std::max<std::size_t>(row.size(), 1)));
  std::uint32_t given = 0;
  for (const Influence& influence : row) {
    const double exact = influence.weight * steps;
    const double nearest = std::round(exact);
    const bool stays = std::abs(exact - nearest) <= on_a_step;
    const double low = stays ? nearest : std::floor(exact);
    choice.low.push_back(static_cast<std::uint32_t>(low));
    choice.remainder.push_back(stays ? 0 : exact - low);
    given += choice.low.back();
  }
  assert(row.empty() || given <= steps);
  choice.to_give = row.empty() ? 0 : steps - given;
  return choice;
}

std::string_view to_string(WeightFormat format) {
  constexpr std::array<std::string_view, 3> names{"f32", "u16", "u8"};
  return names[static_cast<std::size_t>(format)];
}

std::optional<WeightFormat> weight_format_from(std::string_view name) {
  for (const WeightFormat format : {WeightFormat::f32, WeightFormat::u16, WeightFormat::u8})
    if (name == to_string(format)) return format;
  return std::nullopt;
}

std::uint32_t steps_of(WeightFormat format) {
  return format == WeightFormat::u8 ? kSteps8 : format == WeightFormat::u16 ? kSteps16 : 0;
}

std::vector<std::uint32_t> apportion(std::span<const Influence> row, std::uint32_t steps) {
  return by_largest_remainder(choices_of(row, steps));
}

}  // namespace sinew
