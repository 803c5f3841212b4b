// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/rigid_parts.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/binding.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "support/prepared_character.h"
#include "support/weight_problems.h"

namespace sinew::test {
namespace {

/// Parts are numbered in the order of their first vertices.
std::vector<int> rigid(const PreparedCharacter& made, const RigidPartOptions& options = {}) {
  const BoneCells cells = find_bone_cells(made.prepared, made.segments);
  return find_rigid_parts(made.prepared, made.skeleton, cells, cells.owners, {}, options);
}

MeshData raised(MeshData data, const Vec3& by) {
  for (Vec3& position : data.positions) position += by;
  return data;
}

/// A body over four bones, one half metre each, and whatever comes beside it.
MeshData body() { return limb_data({8, 33, 0.2, 2}); }
std::vector<PlacedBone> body_bones() {
  return {{"a", -1, {0, 0, 0}, {}},
          {"b", 0, {0, 0.5, 0}, {}},
          {"c", 1, {0, 1, 0}, {}},
          {"d", 2, {0, 1.5, 0}, {{0, 2, 0}}}};
}

TEST(RigidParts, CharactersOfOnePartHaveNone) {
  EXPECT_EQ(rigid(prepared(example("hand", 2'000))), std::vector<int>{-1});
  EXPECT_EQ(rigid(prepared(limb_character(limb_data()))), std::vector<int>{-1});
}

TEST(RigidParts, OnBindsEveryPartAndOffNone) {
  const PreparedCharacter pair = prepared(make_mesh(together(body(), raised(body(), {3, 0, 0}))),
                                          placed_skeleton(body_bones()));
  for (const int bone : rigid(pair, {.choice = RigidParts::on})) EXPECT_GE(bone, 0);
  EXPECT_EQ(rigid(pair, {.choice = RigidParts::off}), (std::vector<int>{-1, -1}));
  const PreparedCharacter one = prepared(limb_character(limb_data()));
  EXPECT_GE(rigid(one, {.choice = RigidParts::on}).at(0), 0) << "even if it is all there is";
}

TEST(RigidParts, NamesAreThoseOfTheCommandLine) {
  for (const RigidParts choice : {RigidParts::automatic, RigidParts::on, RigidParts::off})
    EXPECT_EQ(rigid_parts_from(to_string(choice)), choice);
  EXPECT_EQ(to_string(RigidParts::automatic), "auto");
  EXPECT_EQ(rigid_parts_from("some"), std::nullopt);
}

TEST(RigidParts, BallAroundTheHeadOfABoneTurnsWithItWhateverItSitsIn) {
  std::vector<PlacedBone> bones = body_bones();
  const Vec3 socket(0, 1.8, 0.2);
  bones.push_back({"eye", 3, socket, {{0, 1.8, 0.25}}});
  const PreparedCharacter face =
      prepared(make_mesh(together(body(), ball_data(socket, 0.02))), placed_skeleton(bones));
  const BoneCells cells = find_bone_cells(face.prepared, face.segments);
  // A linked part goes by the bones of what it sits on: here the head, d.
  const SkinWeights on_the_head =
      rigid_weights(std::vector<int>(face.prepared.mesh.vertex_count(), 3), 5);
  EXPECT_EQ(find_rigid_parts(face.prepared, face.skeleton, cells, on_the_head, {}).at(1), 4);

  bones.back().head = socket + Vec3(0, 0.3, 0);
  bones.back().tail = bones.back().head + Vec3(0, 0, 0.05);
  const PreparedCharacter elsewhere =
      prepared(make_mesh(together(body(), ball_data(socket, 0.02))), placed_skeleton(bones));
  EXPECT_EQ(
      find_rigid_parts(elsewhere.prepared, elsewhere.skeleton,
                       find_bone_cells(elsewhere.prepared, elsewhere.segments), on_the_head, {})
          .at(1),
      3)
      << "a bone that starts elsewhere does not turn it";
}

TEST(RigidParts, PlateBesideALimbIsRigidThoughItLiesOverAJoint) {
  const MeshData plate = raised(sheet_data(4, 4, 0.2, 0.2), {-0.1, 0.92, 0.3});
  const std::vector<int> found =
      rigid(prepared(make_mesh(together(body(), plate)), placed_skeleton(body_bones())));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], -1) << "the body bends";
  EXPECT_EQ(found[1], 2) << "most of the plate is beside c";
}

TEST(RigidParts, LinkedPlateHalfwayBetweenTwoBonesIsOfNeither) {
  const MeshData plate = raised(sheet_data(4, 4, 0.2, 0.2), {-0.1, 0.9, 0.3});
  const PreparedCharacter made =
      prepared(make_mesh(together(body(), plate)), placed_skeleton(body_bones()));
  const BoneCells cells = find_bone_cells(made.prepared, made.segments);
  const auto shared = [&](double of_second, double of_third) {
    std::vector<std::vector<Influence>> rows;
    for (std::size_t v = 0; v < made.prepared.mesh.vertex_count(); ++v) {
      const auto own = cells.owners.row(v);
      if (made.prepared.parts.of_vertex[v] == 0)
        rows.emplace_back(own.begin(), own.end());
      else
        rows.push_back({{1, of_second}, {2, of_third}});
    }
    return SkinWeights::from_rows(4, rows);
  };
  PartLink link;
  link.part = 1;
  link.host = 0;
  const auto bone_of_plate = [&](const SkinWeights& owners, std::span<const PartLink> links) {
    return find_rigid_parts(made.prepared, made.skeleton, cells, owners, links).at(1);
  };
  EXPECT_EQ(bone_of_plate(shared(0.5, 0.5), {&link, 1}), -1);
  EXPECT_EQ(bone_of_plate(shared(0.5, 0.5), {}), 1)
      << "what stands by itself has no host to move with";
  EXPECT_EQ(bone_of_plate(shared(0.4, 0.6), {&link, 1}), 2);
}

TEST(RigidParts, TubeOverTwoBonesBends) {
  std::vector<PlacedBone> bones = body_bones();
  bones.push_back({"hose", 1, {1, 0.5, 0}, {}});
  bones.push_back({"nozzle", 4, {1, 1, 0}, {{1, 1.5, 0}}});
  const MeshData hose = raised(limb_data({8, 21, 0.05, 1}), {1, 0.5, 0});
  EXPECT_EQ(rigid(prepared(make_mesh(together(body(), hose)), placed_skeleton(bones))),
            (std::vector<int>{-1, -1}));
}

TEST(RigidParts, PartNearOneBoneAloneIsItsOwn) {
  std::vector<PlacedBone> bones = body_bones();
  bones.push_back({"staff", 3, {1, 0, 0}, {{1, 2, 0}}});
  const MeshData staff = raised(limb_data({8, 21, 0.05, 2}), {1, 0, 0});
  EXPECT_EQ(rigid(prepared(make_mesh(together(body(), staff)), placed_skeleton(bones))),
            (std::vector<int>{-1, 4}));
}

/// Three links of a robot's arm, each of which reaches a third into the next one's bone.
MeshData links_of_an_arm() {
  const MeshData link = limb_data({4, 31, 0.2, 0.9});
  return together(together(raised(link, {0, 0.4, 0}), raised(link, {0, 1.4, 0})),
                  raised(link, {0, 2.4, 0}));
}
std::vector<PlacedBone> arm_bones() {
  return {{"a", -1, {0, 0, 0}, {}},
          {"b", 0, {0, 1, 0}, {}},
          {"c", 1, {0, 2, 0}, {}},
          {"d", 2, {0, 3, 0}, {{0, 4, 0}}}};
}

TEST(RigidParts, MachineMadeOfBoxesIsAllRigid) {
  RigidPartOptions options;
  const PreparedCharacter arm =
      prepared(make_mesh(links_of_an_arm()), placed_skeleton(arm_bones()));
  EXPECT_EQ(rigid(arm, options), (std::vector<int>{0, 1, 2}));
  options.machine_bones = 0;
  EXPECT_EQ(rigid(arm, options), (std::vector<int>{-1, -1, -1}))
      << "of flesh, each would bend over its joint";
}

TEST(RigidParts, CableOfAMachineBends) {
  // Over all four bones and close to them, beside boxes that outweigh it.
  MeshData machine = links_of_an_arm();
  const MeshData cable = limb_data({4, 41, 0.02, 4});
  const std::vector<int> found =
      rigid(prepared(make_mesh(together(std::move(machine), cable)), placed_skeleton(arm_bones())));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[3], -1);
  EXPECT_GE(*std::min_element(found.begin(), found.begin() + 3), 0);
}

TEST(RigidParts, BoneThatWouldBeLeftWithNothingGetsAPart) {
  // Two plates that are mostly beside a, and a little beside b.
  const MeshData plate = limb_data({4, 31, 0.2, 0.8});
  const PreparedCharacter pair =
      prepared(make_mesh(together(raised(plate, {0, 0.4, 0}), raised(plate, {1, 0.3, 0}))),
               placed_skeleton({{"a", -1, {0.5, 0, 0}, {}}, {"b", 0, {0.5, 1, 0}, {{0.5, 2, 0}}}}));
  std::vector<int> found = rigid(pair);
  EXPECT_EQ(found, (std::vector<int>{1, 0})) << "the one that is nearer to the middle of b";
}

TEST(RigidParts, EveryPartOfTheRobotIsRigid) {
  for (const int vertices : {2'000, 4'000, 16'000}) {
    const PreparedCharacter robot = prepared(example("robot", vertices));
    const BoneCells cells = find_bone_cells(robot.prepared, robot.segments);
    for (const int bone : find_rigid_parts(robot.prepared, robot.skeleton, cells, cells.owners, {}))
      EXPECT_GE(bone, 0) << vertices;
  }
}

TEST(RigidParts, EveryBoneOfTheRobotStaysServed) {
  const PreparedCharacter robot = prepared(example("robot", 2'000));
  const BoneCells cells = find_bone_cells(robot.prepared, robot.segments);
  const std::vector<int> found =
      find_rigid_parts(robot.prepared, robot.skeleton, cells, cells.owners, {});
  EXPECT_GT(std::ranges::count_if(found, [](int bone) { return bone >= 0; }), 0);
  std::vector<bool> is_near(robot.skeleton.bone_count(), false);
  std::vector<bool> is_served(robot.skeleton.bone_count(), false);
  for (std::size_t v = 0; v < robot.prepared.mesh.vertex_count(); ++v) {
    const int bone = found[static_cast<std::size_t>(robot.prepared.parts.of_vertex[v])];
    for (const Influence& owner : cells.owners.row(v)) {
      is_near[owner.bone] = true;
      if (bone < 0) is_served[owner.bone] = true;
    }
    if (bone >= 0) is_served[static_cast<std::size_t>(bone)] = true;
  }
  for (std::size_t bone = 0; bone < is_near.size(); ++bone)
    EXPECT_TRUE(is_served[bone] || !is_near[bone]) << robot.skeleton.bones()[bone].name;
}

}  // namespace
}  // namespace sinew::test
