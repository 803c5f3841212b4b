// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "session.h"
#include "sinew/quality/skin_quality.h"

namespace sinew::cli {

/// Rows for what a rigger would see: what was stolen, head, folds, and what is worse, apart or sunk
/// beside other weights. `before` are those other weights, where they have figures of their own.
/// `bone_name` gives the name of a bone by its index, as it is printed.
void print_skin(Session& session, const SkinQuality& skin, const std::optional<SkinQuality>& before,
                const std::function<std::string(int)>& bone_name);

/// "stolen 4.2%, head 0.0%, folded 0.40%, worse 3.1%, apart 0.40%, sunk 0.10%", as far as known.
[[nodiscard]] std::string skin_words(const SkinQuality& skin);

}  // namespace sinew::cli
