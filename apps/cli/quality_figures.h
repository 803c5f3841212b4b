// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/io/inspection.h"
#include "sinew/quality/weight_judge.h"

namespace sinew::cli {

/// The figures of a judgement that a limit can be set on, in a fixed order. Those that a character
/// cannot have are left out: without clips there is no clips_arap.
[[nodiscard]] std::vector<Figure> quality_figures(const WeightQuality& quality);

/// The names of all of them.
[[nodiscard]] std::vector<std::string> quality_figure_names();

}  // namespace sinew::cli
