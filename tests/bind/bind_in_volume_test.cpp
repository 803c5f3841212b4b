// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/bind_in_volume.h"

#include <algorithm>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "sinew/bind/fit_joints.h"
#include "sinew/core/threads.h"
#include "support/binding.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "support/stored_weights.h"

namespace sinew::test {
namespace {

BindOptions in_volume(int cells = 2'000) {
  BindOptions options;
  options.domain = BindDomain::volume;
  options.interior.cells = cells;
  return options;
}

void expect_good(const Character& character, const Bound& result, std::size_t cap,
                 const std::string& name) {
  ASSERT_EQ(result.weights.vertex_count(), character.mesh.vertex_count()) << name;
  EXPECT_EQ(result.weights.unweighted_count(), 0u) << name;
  EXPECT_LE(result.weights.max_influences(), cap) << name;
  for (std::size_t v = 0; v < result.weights.vertex_count(); ++v) {
    double sum = 0;
    for (const Influence& each : result.weights.row(v)) {
      EXPECT_GE(each.weight, 0) << name;
      sum += each.weight;
    }
    EXPECT_NEAR(sum, 1, 1e-9) << name << ' ' << v;
  }
}

TEST(BindInVolume, AnyMeshIsBound) {
  for (const ZooMesh& zoo : mesh_zoo()) {
    const Character character = limb_character(zoo.mesh.data());
    expect_good(character, bound(character, in_volume()), 4, zoo.name);
  }
}

TEST(BindInVolume, EveryBoneLeadsWhatIsAroundIt) {
  for (const char* name : {"biped", "hand", "quadruped", "tentacle"}) {
    const Character character = example(name, 3'000);
    const auto leading = [&](const BindOptions& options) {
      const SkinWeights weights = bound(character, options).weights;
      std::set<std::uint32_t> bones;
      for (std::size_t v = 0; v < weights.vertex_count(); ++v)
        bones.insert(std::ranges::max_element(weights.row(v), {}, &Influence::weight)->bone);
      return bones;
    };
    EXPECT_EQ(leading(in_volume(8'000)), leading({})) << name;
  }
}

TEST(BindInVolume, ItIsToldAndPlanned) {
  const Bound result = bound(example("biped", 3'000), in_volume());
  EXPECT_EQ(result.report.plan.mesh->interior_cells, 2'000);
  EXPECT_EQ(result.report.plan.mesh.reason, "it was asked for");
  ASSERT_TRUE(result.report.interior);
  EXPECT_NEAR(static_cast<double>(result.report.interior->cells), 2'000, 300);
  ASSERT_TRUE(result.report.solve);
  EXPECT_GT(result.report.solve->steps.size(), 0u);
  EXPECT_FALSE(result.report.coarse_vertices);
  EXPECT_FALSE(bound(example("biped", 3'000)).report.plan.mesh->interior_cells);
}

TEST(BindInVolume, TheSolveDoesNotGrowWithTheTriangles) {
  const auto unknowns = [](int vertices) {
    return static_cast<double>(
        bound(example("tentacle", vertices), in_volume()).report.solve->unknowns);
  };
  const double few = unknowns(2'000);
  EXPECT_NEAR(unknowns(30'000) / few, 1, 0.1);
}

/// How much rows differ, at most, between a vertex of a sleeve and the limb's nearest vertex.
double most_apart(const Character& character, std::size_t first_of_sleeve,
                  const SkinWeights& weights) {
  const std::vector<Vec3>& positions = character.mesh.positions();
  double most = 0;
  for (std::size_t v = first_of_sleeve; v < positions.size(); ++v) {
    std::size_t nearest = 0;
    for (std::size_t u = 0; u < first_of_sleeve; ++u)
      if ((positions[u] - positions[v]).norm() < (positions[nearest] - positions[v]).norm())
        nearest = u;
    for (std::uint32_t bone = 0; bone < 2; ++bone)
      most =
          std::max(most, std::abs(weight_of(weights, v, bone) - weight_of(weights, nearest, bone)));
  }
  return most;
}

TEST(BindInVolume, WhatSharesAnInteriorMovesTogetherByItself) {
  const MeshData limb = limb_data({16, 33, 0.2, 2});
  MeshData sleeve = limb_data({16, 17, 0.215, 1});
  for (Vec3& position : sleeve.positions) position.y() += 0.5;
  const Character character = limb_character(together(limb, sleeve));
  BindOptions options = in_volume();
  options.rigid_parts = RigidParts::off;
  EXPECT_LT(most_apart(character, limb.positions.size(), bound(character, options).weights), 0.1);
}

TEST(BindInVolume, SameBitsForAnyNumberOfThreads) {
  const Character hand = example("hand", 2'000);
  std::vector<SkinWeights> weights;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    weights.push_back(bound(hand, in_volume()).weights);
  }
  EXPECT_EQ(weights[0], weights[1]);
}

TEST(BindInVolume, SizeAndPlaceDoNotMatter) {
  const Character hand = example("hand", 2'000);
  const SkinWeights here = bound(hand, in_volume()).weights;
  const SkinWeights there = bound(moved(hand, 100, {3, -7, 20}), in_volume()).weights;
  double apart = 0;
  for (std::size_t v = 0; v < here.vertex_count(); ++v)
    for (std::uint32_t bone = 0; bone < here.bone_count(); ++bone)
      apart += std::abs(weight_of(here, v, bone) - weight_of(there, v, bone));
  EXPECT_LT(apart / static_cast<double>(here.vertex_count()), 0.01);
}

TEST(BindInVolume, EveryLimitAndIntegersHold) {
  const Character hand = example("hand", 2'000);
  BindOptions options = in_volume();
  options.max_influences = 2;
  options.further_budgets = {1, 8};
  options.format = WeightFormat::u8;
  const Bound result = bound(hand, options);
  expect_good(hand, result, 2, "two");
  ASSERT_EQ(result.further.size(), 2u);
  EXPECT_EQ(result.further[0].max_influences(), 1u);
  EXPECT_LE(result.further[1].max_influences(), 8u);
  EXPECT_GT(result.further[1].max_influences(), 2u);
  ASSERT_EQ(result.report.budgets.size(), 3u);
  for (const BudgetReport& budget : result.report.budgets) EXPECT_TRUE(budget.rounding);
}

TEST(BindInVolume, RigidPartsStayWhole) {
  const Character robot = example("robot", 3'000);
  const Bound result = bound(robot, in_volume());
  ASSERT_GT(result.report.rigid.size(), 3u);
  EXPECT_EQ(result.report.rigid.size(), bound(robot).report.rigid.size());
}

TEST(BindInVolume, WhatIsOfVerticesIsRefusedInWords) {
  Character limb = limb_character(limb_data());
  limb.weights = SkinWeights::from_rows(
      2, std::vector<std::vector<Influence>>(limb.mesh.vertex_count(), {{0, 0.5}, {1, 0.5}}));
  const std::vector<std::function<void(BindOptions&)>> wrong{
      [](BindOptions& options) { options.method = BindMethod::heat; },
      [](BindOptions& options) { options.method = BindMethod::bbw; },
      [](BindOptions& options) { options.constraints = ConstraintSet::paper; },
      [](BindOptions& options) { options.init = BindInit::existing; },
      [](BindOptions& options) { options.init = BindInit::bbw; },
      [](BindOptions& options) { options.init = BindInit::heat; },
      [](BindOptions& options) { options.lock = {0}; },
      [](BindOptions& options) { options.mix = 0.5; },
      [](BindOptions& options) { options.mirror = MirrorChoice::x; },
      [](BindOptions& options) { options.links = BindOptions::Links::off; },
      [](BindOptions& options) { options.find_twist_bones = true; },
      [](BindOptions& options) { options.edits.resize(1); }};
  for (std::size_t w = 0; w < wrong.size(); ++w) {
    BindOptions options = in_volume();
    wrong[w](options);
    const Result<Bound> refused = bind(limb, options);
    ASSERT_FALSE(refused.ok()) << w;
    EXPECT_EQ(refused.error().code, ErrorCode::bad_argument) << w;
    EXPECT_EQ(refused.error().place, "domain") << w << ": " << refused.error().message;
  }
  FitJointsOptions fitting;
  fitting.bind = in_volume();
  EXPECT_EQ(fit_joints(limb, fitting).error().place, "domain");
}

}  // namespace
}  // namespace sinew::test
