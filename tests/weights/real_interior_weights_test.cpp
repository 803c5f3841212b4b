// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include <gtest/gtest.h>

#include "sinew/formats/import.h"
#include "sinew/gltf/gltf_character.h"
#include "support/character_level.h"
#include "support/checked.h"
#include "support/models.h"

namespace sinew::test {
namespace {

double largest_difference(const BoundedBiharmonicWeights& a, const BoundedBiharmonicWeights& b) {
  double largest = 0;
  for (std::size_t h = 0; h < a.of_handle.size(); ++h)
    largest = std::max(
        largest,
        (Eigen::VectorXd(a.of_handle[h]) - Eigen::VectorXd(b.of_handle[h])).cwiseAbs().maxCoeff());
  return largest;
}

TEST(RealInteriorWeights, FirstLevelOfCesiumManIsAsGoodAsItsTolerance) {
  SINEW_REAL_MODEL(path, "khronos/CesiumMan.glb");
  const Imported imported = checked(read_any(path));
  const CharacterLevel man =
      level_of(checked(read_characters(imported.document)).at(0).character, 1'500);
  ASSERT_EQ(man.bones, 19u);
  EXPECT_GT(man.level.handle.size(), 2'000u);
  const auto solved = [&](const BoundedBiharmonicOptions& options) {
    return checked(bounded_biharmonic_weights(std::span(&man.level, 1), man.bones, options));
  };
  const BoundedBiharmonicWeights exact = solved({.tolerance = 0, .most_rounds = 300});
  ASSERT_EQ(exact.report.unsettled_handles, 0u);
  EXPECT_LE(largest_difference(solved({}), exact), 1e-3);
  EXPECT_LE(largest_difference(solved({.tolerance = 1e-3}), exact), 5e-3);
}

}  // namespace
}  // namespace sinew::test
