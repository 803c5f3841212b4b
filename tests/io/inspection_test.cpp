// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/io/inspection.h"

#include <set>

#include <gtest/gtest.h>

#include "support/tiny_character.h"

namespace sinew::test {
namespace {

LoadedCharacter loaded_strip() {
  LoadedCharacter loaded;
  loaded.character = tiny_character({.rows = 4});
  loaded.sources.resize(1);
  loaded.sources[0].mesh = 0;
  return loaded;
}

Inspection inspect(const LoadedCharacter& loaded, const InspectOptions& options = {}) {
  return *inspect_character(loaded, options);
}

double figure(const Inspection& inspection, std::string_view name) {
  for (const Figure& each : figures(inspection))
    if (each.name == name) return each.value;
  ADD_FAILURE() << "no figure " << name;
  return -1;
}

TEST(Inspection, CountsWhatIsThere) {
  const Inspection inspection = inspect(loaded_strip());
  EXPECT_EQ(inspection.meshes, 1u);
  EXPECT_EQ(inspection.vertices, 8u);
  EXPECT_EQ(inspection.triangles, 6u);
  EXPECT_EQ(inspection.joints, 2u);
  EXPECT_EQ(inspection.roots, 1u);
  EXPECT_EQ(inspection.clips.size(), 1u);
  EXPECT_NEAR(inspection.size.x(), 0.2, 1e-12);
  EXPECT_NEAR(inspection.size.y(), 1, 1e-12);
}

TEST(Inspection, InfluencesAddUpToTheVertices) {
  const Inspection inspection = inspect(loaded_strip());
  EXPECT_EQ(inspection.max_influences, 2u);
  EXPECT_EQ(inspection.histogram, (std::vector<std::size_t>{0, 6, 2}));
  EXPECT_DOUBLE_EQ(inspection.mean_influences, 10.0 / 8);
  EXPECT_EQ(inspection.unweighted, 0u);
  EXPECT_EQ(inspection.bones[0].dominated + inspection.bones[1].dominated, 8u);
  EXPECT_NEAR(inspection.bones[0].weight_share + inspection.bones[1].weight_share, 1, 1e-12);
}

TEST(Inspection, VertexHeldEquallyBelongsToTheFirstBone) {
  const Inspection inspection = inspect(loaded_strip());
  EXPECT_EQ(inspection.bones[0].dominated, 4u);
  EXPECT_EQ(inspection.bones[1].dominated, 4u);
}

TEST(Inspection, CharacterWithoutWeightsHasOnlyUnweightedVerticesAndUnusedJoints) {
  LoadedCharacter loaded = loaded_strip();
  loaded.character.weights = SkinWeights(8, 2);
  const Inspection inspection = inspect(loaded);
  EXPECT_EQ(inspection.weighted, 0u);
  EXPECT_EQ(inspection.unweighted, 8u);
  EXPECT_EQ(inspection.unused_joints, 2u);
  EXPECT_EQ(inspection.mean_influences, 0);
}

TEST(Inspection, SumErrorIsTheDistanceOfTheWorstStoredSumFromOne) {
  LoadedCharacter loaded = loaded_strip();
  loaded.repairs.worst_sum = 0.75;
  EXPECT_DOUBLE_EQ(inspect(loaded).sum_error, 0.25);
  loaded.repairs.worst_sum = 1.5;
  EXPECT_DOUBLE_EQ(inspect(loaded).sum_error, 0.5);
}

TEST(Inspection, InstancesOfAMeshCountOnce) {
  LoadedCharacter loaded = loaded_strip();
  loaded.sources.resize(3);
  loaded.sources[1].mesh = 0;
  loaded.sources[2].mesh = 5;
  EXPECT_EQ(inspect(loaded).meshes, 2u);
}

TEST(Inspection, EmptyCharacterIsDescribedToo) {
  const Inspection inspection = inspect({});
  EXPECT_EQ(inspection.vertices, 0u);
  EXPECT_EQ(inspection.size, Vec3::Zero());
}

TEST(Inspection, FiguresHaveDistinctNamesAndTheValuesOfTheReport) {
  LoadedCharacter loaded = loaded_strip();
  loaded.notices = {{Notice::Level::warning, "a", "", ""}, {Notice::Level::note, "b", "", ""}};
  const Inspection inspection = inspect(loaded);
  const std::vector<std::string> names = figure_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(figure(inspection, "vertices"), 8);
  EXPECT_EQ(figure(inspection, "max_influences"), 2);
  EXPECT_EQ(figure(inspection, "warnings"), 1);
}

}  // namespace
}  // namespace sinew::test
