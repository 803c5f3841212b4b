// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/volume_job.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/sinew_process.h"
#include "support/tiny_character.h"
#include "support/tiny_crowd.h"
#include "support/vtu_reader.h"

namespace sinew::test {
namespace {

constexpr int kCells = 1'500;

JobInput input_of(const Document& document) {
  JobInput input;
  input.file = "made.glb";
  input.document = document;
  return input;
}

VolumeJobOptions options_of(VolumeElements elements) {
  VolumeJobOptions options;
  options.elements = elements;
  options.interior.cells = kCells;
  return options;
}

VolumeJobResult filled(const Document& document, const VolumeJobOptions& options) {
  JobResult<VolumeJobResult> result = run_volume_job(input_of(document), options);
  if (!result.ok()) throw std::runtime_error(result.error().to_string());
  return *std::move(result);
}

Document hand() { return checked(make_document(example("hand", 2'000))); }

const std::string& text_of(const VolumeJobResult& result, std::size_t character = 0) {
  return result.outputs.main_files.at(character).text;
}

std::string option_refused(const Document& document, const VolumeJobOptions& options) {
  const JobResult<VolumeJobResult> result = run_volume_job(input_of(document), options);
  return result.ok() ? "nothing" : result.error().option;
}

TEST(VolumeJob, WeightsOfEveryBoneSumToOneAtEveryPoint) {
  for (const VolumeElements elements : {VolumeElements::tetrahedra, VolumeElements::cubes}) {
    const VolumeJobResult result = filled(hand(), options_of(elements));
    const FilledCharacter& told = result.characters.at(0);
    const VtuReader read(text_of(result));
    EXPECT_EQ(read.points, told.points);
    EXPECT_EQ(read.cells, told.elements);
    EXPECT_EQ(told.bytes, text_of(result).size());
    EXPECT_EQ(told.unreached_points, 0u);
    EXPECT_GT(told.fields.size(), 10u);
    const auto leads = read.at("PointData/bone_leads").as<std::int32_t>();
    std::vector<double> sums(read.points, 0);
    for (const std::string& name : told.fields) {
      const auto weights = read.at("PointData/" + name).as<float>();
      ASSERT_EQ(weights.size(), read.points);
      EXPECT_GE(*std::ranges::min_element(weights), 0.0F);
      EXPECT_LE(*std::ranges::max_element(weights), 1.0F);
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += static_cast<double>(weights[p]);
    }
    for (const double sum : sums) EXPECT_NEAR(sum, 1, 1e-3) << "but for what nobody would see";
    EXPECT_GE(*std::ranges::min_element(leads), 0);
  }
}

TEST(VolumeJob, PointsThatABoneHoldsAreItsOwn) {
  const Character character = example("hand", 2'000);
  const VolumeJobResult result = filled(hand(), options_of(VolumeElements::cubes));
  const VtuReader read(text_of(result));
  const auto holds = read.at("PointData/bone_holds").as<std::int32_t>();
  std::size_t held = 0;
  for (std::size_t p = 0; p < holds.size(); ++p) {
    if (holds[p] < 0) continue;
    ++held;
    const std::string& name = character.skeleton.bone(holds[p]).name;
    EXPECT_EQ(read.at("PointData/" + name).as<float>()[p], 1.0F);
  }
  EXPECT_GT(held, 50u);
}

TEST(VolumeJob, TetrahedraFillWhatTheCubesFillAndAreTurnedOneWay) {
  const VolumeJobResult cubes = filled(hand(), options_of(VolumeElements::cubes));
  const VolumeJobResult tetrahedra = filled(hand(), options_of(VolumeElements::tetrahedra));
  EXPECT_EQ(cubes.characters[0].elements, cubes.characters[0].cells);
  EXPECT_NEAR(tetrahedra.characters[0].volume / cubes.characters[0].volume, 1, 1e-9);
  EXPECT_EQ(tetrahedra.characters[0].pieces, cubes.characters[0].pieces);
  const VtuReader read(text_of(tetrahedra));
  const auto points = read.at("Points/Points").as<double>();
  const auto corners = read.at("Cells/connectivity").as<std::int32_t>();
  double volume = 0;
  for (std::size_t t = 0; t < read.cells; ++t) {
    const auto corner = [&](std::size_t k) {
      const auto p = 3 * static_cast<std::size_t>(corners[4 * t + k]);
      return Vec3(points[p], points[p + 1], points[p + 2]);
    };
    const double each =
        (corner(1) - corner(0)).cross(corner(2) - corner(0)).dot(corner(3) - corner(0)) / 6;
    EXPECT_GT(each, 0);
    volume += each;
  }
  EXPECT_NEAR(volume / tetrahedra.characters[0].volume, 1, 1e-9);
}

TEST(VolumeJob, PointsAreWhereTheModelIs) {
  const Character character = example("hand", 2'000);
  const VolumeJobResult result = filled(hand(), options_of(VolumeElements::tetrahedra));
  const auto coordinates = VtuReader(text_of(result)).at("Points/Points").as<double>();
  Box filled_box;
  for (std::size_t p = 0; p + 2 < coordinates.size(); p += 3)
    filled_box.extend(Vec3(coordinates[p], coordinates[p + 1], coordinates[p + 2]));
  const Box box = bounding_box(character.mesh.positions());
  const double cell = result.characters[0].cell_size;
  EXPECT_TRUE(filled_box.contains(box));
  EXPECT_LE((filled_box.sizes() - box.sizes()).maxCoeff(), 2 * cell + 1e-9);
}

TEST(VolumeJob, CellsSayOfWhatKindTheyAreAndWhoHoldsThem) {
  const VolumeJobResult result = filled(hand(), options_of(VolumeElements::cubes));
  const VtuReader read(text_of(result));
  const auto kinds = read.at("CellData/kind").as<std::int32_t>();
  EXPECT_GT(std::ranges::count(kinds, 0), 100);
  EXPECT_EQ(
      std::ranges::count(kinds, 0) + std::ranges::count(kinds, 1) + std::ranges::count(kinds, 2),
      static_cast<std::ptrdiff_t>(kinds.size()));
  const auto pieces = read.at("CellData/piece").as<std::int32_t>();
  EXPECT_EQ(static_cast<std::size_t>(*std::ranges::max_element(pieces)) + 1,
            result.characters[0].pieces);
  const auto holds = read.at("CellData/bone_holds").as<std::int32_t>();
  EXPECT_GT(std::ranges::count_if(holds, [](int bone) { return bone >= 0; }), 20);
}

TEST(VolumeJob, WithoutWeightsNothingIsSolved) {
  VolumeJobOptions options = options_of(VolumeElements::tetrahedra);
  options.weights = VolumeWeights::none;
  const VolumeJobResult result = filled(hand(), options);
  EXPECT_TRUE(result.characters[0].fields.empty());
  EXPECT_EQ(result.characters[0].weights, VolumeWeights::none);
  const VtuReader read(text_of(result));
  EXPECT_EQ(read.arrays.count("PointData/bone_leads"), 0u);
  EXPECT_EQ(read.arrays.count("PointData/bone_holds"), 1u);
}

TEST(VolumeJob, AMeshWithoutBonesHasAShapeAlone) {
  Character bare = example("hand", 2'000);
  bare.skeleton = Skeleton();
  bare.weights = SkinWeights(bare.mesh.vertex_count(), 0);
  bare.clips.clear();
  const Document document = checked(make_document(bare));
  const VolumeJobResult result = filled(document, options_of(VolumeElements::tetrahedra));
  EXPECT_EQ(result.characters[0].weights, VolumeWeights::none);
  EXPECT_GT(result.characters[0].elements, 5'000u);
  VolumeJobOptions weighted = options_of(VolumeElements::tetrahedra);
  weighted.weights = VolumeWeights::bbw;
  const auto refused = run_volume_job(input_of(document), weighted);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().error.code, ErrorCode::bad_skin);
}

TEST(VolumeJob, BonesOfOneNameHaveAFieldEach) {
  const Document twins =
      tiny_document({.lower_bone = "bone_holds", .upper_bone = "bone_holds", .rows = 40});
  const VolumeJobResult result = filled(twins, options_of(VolumeElements::tetrahedra));
  EXPECT_EQ(result.characters[0].fields,
            (std::vector<std::string>{"bone_holds #0", "bone_holds #1"}));
  EXPECT_EQ(VtuReader(text_of(result)).arrays.count("PointData/bone_holds #1"), 1u);
}

TEST(VolumeJob, OfSeveralCharactersEachHasAFileOfItsOwn) {
  const TemporaryFolder folder;
  VolumeJobOptions options = options_of(VolumeElements::tetrahedra);
  options.output.path = folder.path() / "two.vtu";
  const VolumeJobResult result = filled(two_characters("Ann", "Bob"), options);
  ASSERT_EQ(result.characters.size(), 2u);
  EXPECT_TRUE(folder.listing().empty()) << "a job writes nothing";
  ASSERT_TRUE(write_outputs(result.outputs).ok());
  EXPECT_EQ(folder.listing(), (std::vector<std::string>{"two.0.vtu", "two.1.vtu"}));
  EXPECT_EQ(folder.read("two.1.vtu"), text_of(result, 1));
  EXPECT_EQ(result.characters[1].name, "Bob");
  EXPECT_EQ(result.characters[1].path, folder.path() / "two.1.vtu");
}

TEST(VolumeJob, WhatAMeshCannotHoldIsRefused) {
  VolumeJobOptions options = options_of(VolumeElements::cubes);
  options.output.path = "out.mesh";
  EXPECT_EQ(option_refused(hand(), options), "elements");
  options.elements = VolumeElements::tetrahedra;
  options.weights = VolumeWeights::bbw;
  EXPECT_EQ(option_refused(hand(), options), "weights");
  options.output.path = "out.stl";
  EXPECT_EQ(option_refused(hand(), options), "output");
  options = options_of(VolumeElements::tetrahedra);
  options.interior.radius.share = -1;
  EXPECT_EQ(option_refused(hand(), options), "bone_radius");
  options = options_of(VolumeElements::tetrahedra);
  options.interior.cells = VoxelGridOptions::kMostCells + 1;
  EXPECT_EQ(option_refused(hand(), options), "cells");
}

TEST(VolumeJob, StopsWhenAsked) {
  std::atomic<bool> stop = false;
  const Progress progress([&](std::string_view, double fraction) { stop = stop || fraction > 0.5; },
                          &stop);
  const auto result =
      run_volume_job(input_of(hand()), options_of(VolumeElements::tetrahedra), progress);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().error.code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace sinew::test
