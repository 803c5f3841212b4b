// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/inspection.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "support/made_skeletons.h"
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

TEST(Inspection, JudgesTheWeightsUnlessToldNotTo) {
  const Inspection judged = inspect(loaded_strip());
  ASSERT_TRUE(judged.quality.has_value());
  EXPECT_EQ(figure(judged, "arap"), judged.quality->arap);
  EXPECT_GT(figure(judged, "arap"), 0);
  EXPECT_GT(figure(judged, "clips"), 0);
  EXPECT_EQ(figure(judged, "clip_count"), 1);
  EXPECT_TRUE(std::isnan(figure(judged, "lost"))) << "nothing to compare with";
  const Inspection quick = inspect(loaded_strip(), {.judging = {.poses = 0}, .original = nullptr});
  EXPECT_FALSE(quick.quality.has_value());
  EXPECT_TRUE(std::isnan(figure(quick, "arap")));
  EXPECT_TRUE(std::isnan(figure(quick, "follow")));
  for (const char* known : {"welded_vertices", "welded_triangles", "parts", "deforming", "rehung"})
    EXPECT_EQ(figure(quick, known), figure(judged, known)) << known;
}

TEST(Inspection, DescriptionHasEveryFigureButThoseOfQuality) {
  const LoadedCharacter loaded = loaded_strip();
  const Inspection judged = inspect(loaded);
  const Inspection described = describe_character(loaded, judged.roles, judged.hierarchy);
  EXPECT_FALSE(described.quality.has_value());
  const std::vector<Figure> quick = figures(inspect(loaded, {.judging = {.poses = 0}}));
  for (std::size_t f = 0; f < quick.size(); ++f) {
    const Figure same = figures(described)[f];
    EXPECT_TRUE(same.value == quick[f].value ||
                (std::isnan(same.value) && std::isnan(quick[f].value)))
        << same.name;
  }
  std::vector<BoneRole> roles = judged.roles;
  roles[1].deforms = false;
  EXPECT_EQ(figure(describe_character(loaded, roles, judged.hierarchy), "deforming"), 1);
}

TEST(Inspection, WeldsCopiesForItsCounts) {
  LoadedCharacter loaded = loaded_strip();
  MeshData data;
  for (const Triangle& t : loaded.character.mesh.triangles())
    for (const VertexIndex v : t) data.positions.push_back(loaded.character.mesh.positions()[v]);
  for (VertexIndex v = 0; v < data.positions.size(); v += 3)
    data.triangles.push_back({v, v + 1, v + 2});
  loaded.character.weights = SkinWeights(data.positions.size(), 2);
  loaded.character.mesh = *Mesh::create(std::move(data));
  const Inspection inspection = inspect(loaded);
  EXPECT_EQ(inspection.vertices, 18u);
  EXPECT_EQ(inspection.welded_vertices, 8u);
  EXPECT_EQ(inspection.welded_triangles, 6u);
  EXPECT_EQ(inspection.parts, 1u);
  EXPECT_FALSE(inspection.quality.has_value()) << "there are no weights to judge";
}

TEST(Inspection, RolesComeFromTheOriginalByName) {
  LoadedCharacter bound = loaded_strip();
  const Character original = bound.character;
  // New weights that put everything on the lower bone: by themselves, the upper one is unused.
  bound.character.weights = rigid_weights(std::vector<int>(8, 0), 2);
  EXPECT_EQ(figure(inspect(bound), "deforming"), 1);
  EXPECT_EQ(figure(inspect(bound), "dead"), 0);
  const Inspection against = inspect(bound, {.judging = {}, .original = &original});
  EXPECT_EQ(figure(against, "deforming"), 2);
  EXPECT_EQ(figure(against, "dead"), 1);
  EXPECT_EQ(figure(against, "lost"), 1);
  EXPECT_EQ(figure(inspect(bound, {.judging = {}, .original = &bound.character}), "lost"), 0);
}

TEST(Inspection, WhatTheFileSaysOfABoneWinsOverItsWeights) {
  LoadedCharacter loaded = loaded_strip();
  std::vector<Bone> bones = loaded.character.skeleton.bones();
  bones[1].deforms = false;
  loaded.character.skeleton = *Skeleton::create(std::move(bones));
  const Inspection inspection = inspect(loaded);
  EXPECT_EQ(figure(inspection, "deforming"), 1);
  EXPECT_GT(figure(inspection, "control_weight"), 0);
}

}  // namespace
}  // namespace sinew::test
