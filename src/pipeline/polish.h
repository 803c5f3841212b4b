// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pipeline/kept_weights.h"
#include "sinew/pipeline/bind.h"

namespace sinew {

struct Polished {
  SkinWeights weights;  // per stored vertex
  PolishReport report;
};

/// The old weights blended with fresh ones as far as that makes them better and nothing worse, on
/// poses that neither was made for; the old ones where nothing does.
[[nodiscard]] Result<Polished> choose_not_worse(const Character& character,
                                                const std::vector<BoneRole>& roles,
                                                const EffectiveHierarchy& hierarchy,
                                                const KeptWeights& stored, const SkinWeights& fresh,
                                                const BindOptions& options,
                                                const Progress& progress);

}  // namespace sinew
