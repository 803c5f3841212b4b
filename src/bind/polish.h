// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "bind/kept_weights.h"
#include "sinew/bind/bind.h"

namespace sinew {

/// How new weights come beside the old ones.
struct PutBeside {
  OldWeightsPlan plan;
  int max_influences = 4;
  std::uint64_t seed = 1;  // of the poses that weights were made for: others judge them
};

struct Polished {
  SkinWeights weights;  // per stored vertex
  PolishReport report;
};

/// The old weights within a cap, with what has to stay of them; vertices without any have fresh
/// ones.
[[nodiscard]] SkinWeights old_within_cap(const KeptWeights& stored, const SkinWeights& fresh,
                                         int max_influences);

/// New weights, per stored vertex, with what has to stay of the old ones; of existing ones, only
/// what makes them better.
[[nodiscard]] Result<Polished> put_beside_old(const Character& character,
                                              const std::vector<BoneRole>& roles,
                                              const EffectiveHierarchy& hierarchy,
                                              const KeptWeights& stored, SkinWeights fresh,
                                              const PutBeside& how, const Progress& progress);

/// The old weights blended with fresh ones as far as that makes them better and nothing worse, on
/// poses that neither was made for; the old ones where nothing does, cut to
/// the cap where they have to be.
[[nodiscard]] Result<Polished> choose_not_worse(const Character& character,
                                                const std::vector<BoneRole>& roles,
                                                const EffectiveHierarchy& hierarchy,
                                                const KeptWeights& stored, const SkinWeights& fresh,
                                                const PutBeside& how, const Progress& progress);

}  // namespace sinew
