// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/gltf/gltf_document.h"
#include "sinew/jobs/job_error.h"
#include "sinew/report/inspection.h"

namespace sinew {

enum class Comparison { less, less_or_equal, greater, greater_or_equal, equal };

/// A demand on one figure: "max_influences<=4".
struct Gate {
  std::string text;    // as it was asked for
  std::string figure;  // a name of report/inspection.h
  Comparison comparison = Comparison::less;
  double limit = 0;

  [[nodiscard]] bool met_by(double value) const;
};

/// Reads FIGURE OP NUMBER, where OP is one of < <= > >= = and blanks do not matter. Whether there
/// is such a figure is check_figures' question.
[[nodiscard]] Result<Gate> parse_gate(std::string_view text);

/// Refuses, as option "require", a figure that no inspection has.
[[nodiscard]] JobStatus check_figures(std::span<const Gate> gates);

/// The figures of one character that demands are held against.
struct GatedCharacter {
  std::string name;
  std::vector<Figure> figures;
};

/// A demand on one character, and what came of it.
struct GateCheck {
  std::string demand;  // as it was asked for
  std::string character;
  std::string figure;
  double value = 0;  // NaN where it is not known: then it is not met
  bool met = false;
};

/// Holds every demand against every character.
[[nodiscard]] std::vector<GateCheck> check_gates(std::span<const Gate> gates,
                                                 std::span<const GatedCharacter> characters);

/// The first that is not met, or null.
[[nodiscard]] const GateCheck* first_unmet(std::span<const GateCheck> checks);

/// "arap<0.05 is not met: arap is 0.081".
[[nodiscard]] std::string unmet_words(const GateCheck& check);

/// {"demand", "character", "figure", "value", "met"} of each.
[[nodiscard]] Json to_json(std::span<const GateCheck> checks);

}  // namespace sinew
