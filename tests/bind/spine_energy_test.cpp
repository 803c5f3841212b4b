// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include "characters/characters.h"
#include "sinew/bind/bind.h"
#include "support/checked.h"

namespace sinew::test {
namespace {

constexpr int kCoarse = 2000;  // vertices
constexpr double kMostRise = 0.01;

struct Bending {
  std::string_view bones;  // by how their names begin
  BoneKind kind = BoneKind::spine;
  Range stretch{1, 1};
};

Character bending(std::string_view example, std::initializer_list<Bending> which) {
  ExampleOptions options;
  options.vertices = kCoarse;
  Character character = checked(make_example(example, options)).character;
  std::vector<Bone> bones = character.skeleton.bones();
  for (Bone& bone : bones)
    for (const Bending& each : which)
      if (bone.name.starts_with(each.bones)) {
        bone.kind = each.kind;
        bone.limits.stretch = each.stretch;
      }
  character.skeleton = checked(Skeleton::create(std::move(bones)));
  return character;
}

/// The whole energy after every half step, in runs of one and the same functional: constraints that
/// are made firmer begin another one, whose first value is that of the weights as they were.
std::vector<std::vector<double>> runs_of(const SolveReport& solve) {
  std::vector<std::vector<double>> runs(1);
  for (std::size_t s = 0; s < solve.steps.size(); ++s) {
    if (std::ranges::any_of(solve.marks,
                            [&](const EditMark& mark) { return mark.after_steps == s; }) &&
        !runs.back().empty())
      runs.emplace_back();
    runs.back().push_back(solve.steps[s].after_rotations);
    runs.back().push_back(solve.steps[s].after_weights);
  }
  return runs;
}

void expect_energy_to_fall(const Character& character) {
  const Bound bound = checked(bind(character));
  const std::vector<std::vector<double>> runs = runs_of(*bound.report.solve);
  for (const std::vector<double>& run : runs)
    for (std::size_t half = 1; half < run.size(); ++half)
      EXPECT_LE(run[half], (1 + kMostRise) * run[half - 1]) << half;
  EXPECT_LT(runs.front().back(), 0.7 * runs.front().front());
  for (const std::vector<double>& run : runs) EXPECT_LE(run.back(), run.front());
}

TEST(SpineEnergy, FallsOnABipedWithATorsoThatBends) {
  expect_energy_to_fall(bending("biped", {{"Spine"}, {"Chest"}}));
}

TEST(SpineEnergy, FallsOnAHoundWithABackAndATailThatBend) {
  expect_energy_to_fall(bending("quadruped", {{"Spine"}, {"Tail1"}, {"Tail3"}}));
}

TEST(SpineEnergy, FallsOnArmsThatStretchBesideRigidHands) {
  expect_energy_to_fall(bending("biped", {{"UpperArm", BoneKind::stretch_twist, {0.5, 4}},
                                          {"Forearm", BoneKind::stretch_twist, {0.5, 4}}}));
}

}  // namespace
}  // namespace sinew::test
