// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/grown_mesh.h"
#include "support/models.h"

namespace sinew::test {
namespace {

constexpr double kSameWeight = 0.02;
constexpr double kSameNearBadge = 0.1;
constexpr double kNearBadge = 2.5;  // widths from the middle: two from its edge

/// The most that one weight of a vertex differs.
double change_of(std::span<const Influence> before, std::span<const Influence> after) {
  double most = 0;
  const auto weight_in = [](std::span<const Influence> row, std::uint32_t bone) {
    const auto found = std::ranges::find(row, bone, &Influence::bone);
    return found == row.end() ? 0.0 : static_cast<double>(found->weight);
  };
  for (const auto& [one, other] : {std::pair(before, after), std::pair(after, before)})
    for (const Influence& each : one)
      most = std::max(most, std::abs(each.weight - weight_in(other, each.bone)));
  return most;
}

/// A badge that is drawn more and more finely changes nothing of the body.
void expect_badge_not_to_matter(const Character& character, std::size_t triangle) {
  const Badge badge = badge_over(character.mesh, triangle);
  std::optional<SkinWeights> first;
  for (const std::size_t vertices : {20, 400, 1000, 2000}) {
    const SkinWeights weights = bound(with_badge(character, triangle, vertices)).weights;
    if (!first) first = weights;
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
      const bool is_near =
          (character.mesh.positions()[v] - badge.middle).norm() <= kNearBadge * badge.width;
      ASSERT_LE(change_of(first->row(v), weights.row(v)), is_near ? kSameNearBadge : kSameWeight)
          << "vertex " << v << " with a badge of " << vertices << " vertices";
    }
  }
}

TEST(NoCliffs, ABadgeOnTheBipedMayHaveAnyNumberOfVertices) {
  const Character biped = example("biped", 4'000);
  expect_badge_not_to_matter(biped, biped.mesh.triangles().size() / 3);
}

class NoCliffsReal : public ::testing::TestWithParam<const char*> {};

TEST_P(NoCliffsReal, ABadgeMayHaveAnyNumberOfVertices) {
  SINEW_REAL_MODEL(path, GetParam());
  const Character character = load(path).at(0).character;
  expect_badge_not_to_matter(character, character.mesh.triangles().size() / 3);
}

INSTANTIATE_TEST_SUITE_P(Characters, NoCliffsReal,
                         ::testing::Values("quaternius/animals_Horse.glb",
                                           "quaternius/dinosaurs_Stegosaurus.glb",
                                           "quaternius/modular_men_King.glb"),
                         [](const auto& character) {
                           const std::string stem =
                               std::filesystem::path(character.param).stem().string();
                           return stem.substr(stem.rfind('_') + 1);
                         });

}  // namespace
}  // namespace sinew::test
