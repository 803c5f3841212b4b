// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/skin_owners.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "characters/characters.h"
#include "sinew/rig/mirror.h"
#include "sinew/weights/heat.h"
#include "support/checked.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "support/symmetric_biped.h"
#include "weights/interior_walk.h"
#include "weights/owner_features.h"

namespace sinew::test {
namespace {

constexpr int kBipedVertices = 3000;

SkinWeights heat_of(const PreparedCharacter& character) {
  const BoneCells cells = find_bone_cells(character.prepared, character.segments);
  return checked(heat_weights(character.prepared, cells,
                              std::vector<bool>(character.prepared.parts.count(), true)))
      .weights;
}

SkinOwners owners_of(const PreparedCharacter& character) {
  return checked(find_skin_owners(character.prepared, character.skeleton, character.segments,
                                  heat_of(character)));
}

double chance_of(const SkinWeights& chance, std::size_t vertex, std::uint32_t bone) {
  for (const Influence& each : chance.row(vertex))
    if (each.bone == bone) return each.weight;
  return 0;
}

Character biped() {
  ExampleOptions options;
  options.vertices = kBipedVertices;
  return make_example("biped", options)->character;
}

TEST(SkinOwners, ChancesAreOfTwelveBonesAtMostAndSumToOne) {
  const PreparedCharacter character = prepared(biped());
  const SkinOwners owners = owners_of(character);
  ASSERT_EQ(owners.chance.vertex_count(), character.prepared.mesh.vertex_count());
  for (std::size_t v = 0; v < owners.chance.vertex_count(); ++v) {
    const auto row = owners.chance.row(v);
    ASSERT_GE(row.size(), 1U);
    ASSERT_LE(row.size(), kOwnerCandidates);
    double sum = 0;
    for (const Influence& each : row) sum += each.weight;
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(SkinOwners, OwnWhatTheMakerOfTheBipedGaveThem) {
  const Character made = biped();
  const PreparedCharacter character = prepared(made);
  const SkinWeights given = mean_of_copies(character.prepared.welded, made.weights);
  const std::vector<int> owner = dominant_bones(owners_of(character).chance);
  const std::vector<int> strongest = dominant_bones(given);
  double right = 0;
  for (std::size_t v = 0; v < owner.size(); ++v) right += owner[v] == strongest[v] ? 1 : 0;
  EXPECT_GT(right / static_cast<double>(owner.size()), 0.85);
}

TEST(SkinOwners, AreTheSameInAnyUnitAndPlace) {
  const Character made = biped();
  const std::vector<int> here = dominant_bones(owners_of(prepared(made)).chance);
  const std::vector<int> there =
      dominant_bones(owners_of(prepared(moved(made, 1000, {300, -20, 7000}))).chance);
  double same = 0;
  for (std::size_t v = 0; v < here.size(); ++v) same += here[v] == there[v] ? 1 : 0;
  EXPECT_GT(same / static_cast<double>(here.size()), 0.99)
      << "where rounding puts a cube decides about next to nothing";
}

TEST(SkinOwners, OfAMirroredBodyAreMirrored) {
  const SymmetricBiped symmetric = symmetric_biped(kBipedVertices);
  const PreparedCharacter character = prepared(symmetric.character);
  const SkinOwners owners = owners_of(character);
  const std::vector<int> partner = bones_of_mirrored_names(character.skeleton);
  const WeldedMesh& welded = character.prepared.welded;
  const std::vector<int> likeliest = dominant_bones(owners.chance);
  double alike = 0;
  for (std::size_t v = 0; v < symmetric.image.size(); ++v) {
    const auto bone = static_cast<std::size_t>(likeliest[welded.welded[v]]);
    const int of_image = likeliest[welded.welded[symmetric.image[v]]];
    alike += (partner[bone] < 0 ? likeliest[welded.welded[v]] : partner[bone]) == of_image ? 1 : 0;
  }
  EXPECT_GT(alike / static_cast<double>(symmetric.image.size()), 0.97)
      << "all but the midline, where either side may have it";
}

TEST(SkinOwners, AreFoundOnWhateverMesh) {
  for (const ZooMesh& animal : mesh_zoo()) {
    SCOPED_TRACE(animal.name);
    const Box box = bounding_box(animal.mesh.positions());
    if (box.isEmpty()) continue;
    const Vec3 step = box.diagonal() / 3;
    const PreparedCharacter character =
        prepared(animal.mesh, placed_skeleton({{"a", -1, box.min(), std::nullopt},
                                               {"b", 0, box.min() + step, std::nullopt},
                                               {"c", 1, box.min() + 2 * step, box.max()}}));
    const SkinOwners owners = owners_of(character);
    for (std::size_t v = 0; v < owners.chance.vertex_count(); ++v)
      EXPECT_EQ(owners.chance.row(v).empty(), !(character.prepared.graph.vertex_measure[v] > 0) ||
                                                  character.prepared.parts.of_vertex[v] < 0);
  }
}

TEST(InteriorWalk, MeetsTheTwoHalvesOfARodInTheMiddle) {
  const MeshData rod = limb_data({.sides = 16, .rings = 33});
  const Box box = bounding_box(rod.positions);
  const Vec3 middle = box.center();
  const Vec3 low(middle.x(), box.min().y(), middle.z()),
      high(middle.x(), box.max().y(), middle.z());
  const PreparedCharacter character = prepared(
      checked(Mesh::create(rod)), placed_skeleton({{"low", -1, low, low + (high - low) / 4},
                                                   {"high", 0, high - (high - low) / 4, high}}));
  const SkinWeights walk = checked(interior_walk(character.prepared, character.segments));
  for (std::size_t v = 0; v < walk.vertex_count(); ++v) {
    const double up = (character.in_model(static_cast<VertexIndex>(v)) - low).dot(high - low) /
                      (high - low).squaredNorm();
    const double chance = chance_of(walk, v, 1);
    EXPECT_NEAR(chance, std::clamp((up - 0.25) / 0.5, 0.0, 1.0), 0.15)
        << "but for the way from the axis to the skin";
    EXPECT_NEAR(chance + chance_of(walk, v, 0), 1, 1e-9);
  }
}

}  // namespace
}  // namespace sinew::test
