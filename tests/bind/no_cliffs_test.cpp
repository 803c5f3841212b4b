// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "sinew/geometry/weld.h"
#include "support/binding.h"
#include "support/grown_mesh.h"
#include "support/mesh_zoo.h"
#include "support/models.h"

namespace sinew::test {
namespace {

/// What ties leave between bones of which the limit keeps one: docs/decisions/effort.md.
constexpr double kSameWeight = 0.02;
constexpr double kSameNearBadge = 0.1;
constexpr double kNearBadge = 2.5;   // widths from the middle: two from its edge
constexpr double kSmallStep = 0.02;  // of the vertices, each time
/// Of the mean change of the other steps: a line at a number of vertices made one of more than two.
constexpr double kMostOfOthers = 1.8;

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

/// A badge that is drawn more and more finely changes nothing of the body, and little where it sits
/// and on the image of that place: both sides of a symmetric character are solved as one.
void expect_badge_not_to_matter(const Character& character, std::size_t triangle) {
  const std::vector<Vec3>& positions = character.mesh.positions();
  const Badge badge = badge_over(character.mesh, triangle);
  Vec3 image = badge.middle;
  image.x() = 2 * bounding_box(positions).center().x() - image.x();
  std::optional<SkinWeights> first;
  for (const std::size_t vertices : {20, 400, 1000, 2000}) {
    const SkinWeights weights = bound(with_badge(character, triangle, vertices)).weights;
    if (!first) first = weights;
    for (std::size_t v = 0; v < positions.size(); ++v) {
      const double away =
          std::min((positions[v] - badge.middle).norm(), (positions[v] - image).norm());
      ASSERT_LE(change_of(first->row(v), weights.row(v)),
                away <= kNearBadge * badge.width ? kSameNearBadge : kSameWeight)
          << "vertex " << v << " with a badge of " << vertices << " vertices";
    }
  }
}

std::size_t places_of(const Character& character) {
  return weld(character.mesh).mesh.vertex_count();
}

/// With its longest edges cut until it has so many places. A seam is cut on both its sides.
Character cut_to(const Character& character, std::size_t places) {
  std::size_t more = 0;
  for (std::size_t found = places_of(character); found < places;
       found = places_of(with_edges_cut(character, more)))
    more += places - found;
  return with_edges_cut(character, more);
}

/// A mesh that is cut more and more finely, past a number of places, changes at no step by much
/// more than at the others. Weights are compared at the vertices that were there from the start.
void expect_no_leap_at(const Character& character, std::size_t places, const BindOptions& options) {
  const auto step = static_cast<std::size_t>(kSmallStep * static_cast<double>(places));
  ASSERT_LT(places_of(character) + 3 * step, places);
  std::vector<double> changes;
  SkinWeights before;
  for (std::size_t k = 0; k < 5; ++k) {  // the line in the middle of a step
    const SkinWeights weights =
        bound(cut_to(character, places + k * step - 3 * step / 2), options).weights;
    double change = 0;
    for (std::size_t v = 0; k > 0 && v < character.mesh.vertex_count(); ++v)
      change += change_of(before.row(v), weights.row(v));
    if (k > 0) changes.push_back(change);
    before = weights;
  }
  const double all = std::accumulate(changes.begin(), changes.end(), 0.0);
  for (const double change : changes)
    EXPECT_LE(change, kMostOfOthers * (all - change) / static_cast<double>(changes.size() - 1))
        << "around " << places << " places";
}

BindOptions few_poses() {
  BindOptions options;
  options.exemplars.count = 10;
  return options;
}

TEST(NoCliffs, ABadgeOnTheBipedMayHaveAnyNumberOfVertices) {
  const Character biped = example("biped", 4'000);
  expect_badge_not_to_matter(biped, biped.mesh.triangles().size() / 3);
}

/// Where lines at numbers of vertices once were: docs/decisions/effort.md.
TEST(NoCliffs, ABodyMayHaveAnyNumberOfVertices) {
  expect_no_leap_at(limb_character(limb_data({16, 70, 0.3, 2})), 1'500, few_poses());
  expect_no_leap_at(example("biped", 4'600), 5'000, few_poses());
  expect_no_leap_at(example("hand", 7'300), 8'000, few_poses());
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

TEST(NoCliffs, AHorseMayHaveAnyNumberOfVertices) {
  SINEW_REAL_MODEL(path, "quaternius/animals_Horse.glb");
  expect_no_leap_at(load(path).at(0).character, 1'500, {});
}

}  // namespace
}  // namespace sinew::test
