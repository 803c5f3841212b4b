// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/model/skin_weights.h"

namespace sinew {

/// How a file stores weights: as floats, or as normalised integers.
enum class WeightFormat { f32, u16, u8 };
[[nodiscard]] std::string_view to_string(WeightFormat format);
[[nodiscard]] std::optional<WeightFormat> weight_format_from(std::string_view name);

/// What normalised weights are counted in: steps that make up one.
inline constexpr std::uint32_t kSteps8 = 255;
inline constexpr std::uint32_t kSteps16 = 65535;
/// Of a format; 0 for floats.
[[nodiscard]] std::uint32_t steps_of(WeightFormat format);

/// A row in whole steps, beside its influences. The sum is exactly `steps`, each weight moves by
/// less than one step, and those that lie on a step stay there: rounding twice is rounding once.
/// Every weight is rounded down, then those that lost most get one more, the first of equals.
[[nodiscard]] std::vector<std::uint32_t> apportion(std::span<const Influence> row,
                                                   std::uint32_t steps);

}  // namespace sinew
