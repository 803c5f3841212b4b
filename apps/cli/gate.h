// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"
#include "session.h"
#include "sinew/report/inspection.h"

namespace CLI {
class App;
}

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
[[nodiscard]] std::vector<Gate> parse_gates(std::span<const std::string> texts,
                                            std::span<const std::string> known);

/// --require; `promise` is what happens unless the demand holds.
void add_require_option(CLI::App& app, std::vector<std::string>& texts, const std::string& promise,
                        std::span<const std::string> known);

/// The figures of one character that demands are held against.
struct GatedCharacter {
  std::string name;
  std::vector<Figure> figures;
};

/// Holds every demand against every character: fills report["gates"], and says on stderr and in
/// report["error"] what is not met. A figure that is not known (NaN) meets none.
[[nodiscard]] ExitCode check_gates(Session& session, const std::filesystem::path& file,
                                   std::span<const Gate> gates,
                                   std::span<const GatedCharacter> characters);

}  // namespace sinew::cli
