// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinew::cli {

enum class Comparison { less, less_or_equal, greater, greater_or_equal, equal };

/// A demand on one figure: "max_influences<=4".
struct Gate {
  std::string text;  // as the user wrote it
  std::string figure;
  Comparison comparison = Comparison::less;
  double limit = 0;

  [[nodiscard]] bool met_by(double value) const;
};

/// Reads FIGURE OP NUMBER, where OP is one of < <= > >= = and blanks do not matter.
/// Throws a usage Failure for text that is none, and for a figure that is not among `known`: it
/// lists them all.
[[nodiscard]] Gate parse_gate(std::string_view text, std::span<const std::string> known);

}  // namespace sinew::cli
