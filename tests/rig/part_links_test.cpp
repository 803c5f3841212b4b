// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/rig/part_links.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "rig/leaf_tails.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::ball_data;
using test::limb_data;
using test::sleeve_data;
using test::together;

struct Linked {
  PreparedMesh prepared;
  BoneCells cells;
  std::vector<PartLink> links;
};

Linked link(const MeshData& data) {
  const Character character = test::limb_character(data);
  const Skeleton skeleton =
      guess_leaf_tails(character.skeleton, character.mesh, character.weights).skeleton;
  PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneSegments bones(skeleton, prepared.frame);
  BoneCells cells = find_bone_cells(prepared, bones);
  std::vector<PartLink> links = *find_part_links(prepared, bones, cells);
  return {std::move(prepared), std::move(cells), std::move(links)};
}

TEST(BoneCells, VerticesBelongToTheNearerBoneAndShareAtTheJoint) {
  const Linked limb = link(limb_data());
  for (std::size_t v = 0; v < limb.prepared.mesh.vertex_count(); ++v) {
    const double y = limb.prepared.welded.mesh.positions()[v].y();
    const auto owners = limb.cells.owners.row(v);
    if (std::abs(y - 1) < 1e-9) {
      ASSERT_EQ(owners.size(), 2u) << "both bones end there";
      EXPECT_NEAR(owners[0].weight, 0.5, 1e-9);
    } else {
      ASSERT_EQ(owners.size(), 1u);
      EXPECT_EQ(owners[0].bone, y < 1 ? 0u : 1u);
    }
  }
}

TEST(BoneCells, VertexThatIsHiddenFromItsBoneDoesNotSeeIt) {
  const Linked coat = link(together(limb_data(), sleeve_data(0.3)));
  for (std::size_t v = 0; v < coat.cells.visibility.size(); ++v) {
    const Vec3& position = coat.prepared.welded.mesh.positions()[v];
    const bool is_on_coat = std::hypot(position.x(), position.z()) > 0.25;
    EXPECT_EQ(coat.cells.visibility[v], is_on_coat ? 0 : 1) << position.transpose();
  }
}

TEST(PartLinks, WholeBodyNeedsNone) { EXPECT_TRUE(link(limb_data()).links.empty()); }

TEST(PartLinks, ButtonSitsOnTheBody) {
  const Linked button = link(together(limb_data(), ball_data({0.21, 0.6, 0}, 0.01)));
  ASSERT_EQ(button.links.size(), 1u);
  EXPECT_EQ(button.links[0].part, 1);
  EXPECT_EQ(button.links[0].host, 0);
  EXPECT_TRUE(button.links[0].is_small);
  EXPECT_EQ(button.links[0].links.size(), 6u) << "every vertex of it is near enough";
}

TEST(PartLinks, CoatThatNoBoneSeesSitsOnTheBody) {
  const Linked coat = link(together(limb_data(), sleeve_data(0.3)));
  ASSERT_EQ(coat.links.size(), 1u);
  EXPECT_EQ(coat.links[0].part, 1);
  EXPECT_FALSE(coat.links[0].is_small);
}

TEST(PartLinks, LinksLoseTheirHoldTowardsTheEndOfTheReach) {
  MeshData bell = sleeve_data(0.21);
  for (Vec3& position : bell.positions) {  // open at the top, where it is farther than the reach
    position.x() *= 1 + 0.2 * position.y();
    position.z() *= 1 + 0.2 * position.y();
  }
  const Linked coat = link(together(limb_data(), bell));
  ASSERT_EQ(coat.links.size(), 1u);
  const double reach = PartLinkOptions{}.contact_rel;
  double least = 1;
  for (const VertexLink& each : coat.links[0].links) {
    EXPECT_LE(each.distance, reach);
    if (each.distance < 0.7 * reach) {
      EXPECT_EQ(each.hold, 1);
    }
    EXPECT_LE(each.hold, 4 * (1 - each.distance / reach) + 1e-3);
    EXPECT_GT(each.hold, 0);
    least = std::min(least, each.hold);
  }
  EXPECT_LT(least, 0.9) << "some are near the end";
  EXPECT_LT(coat.links[0].links.size(), coat.prepared.parts.members[1].size()) << "some beyond";
}

TEST(PartLinks, ReachEndsNowhereAllAtOnce) {
  // A ball that floats off: just within reach, and just beyond it.
  const double diagonal = bounding_box(limb_data().positions).diagonal().norm();
  std::vector<double> holds;
  for (const double gap_rel : {0.0198, 0.0202}) {
    const double x = 0.2 + gap_rel * diagonal + 0.01;
    const Linked ball = link(together(limb_data(), ball_data({x, 0.6, 0}, 0.01)));
    ASSERT_EQ(ball.links.size(), 1u);
    double most = 0;
    for (const VertexLink& each : ball.links[0].links) most = std::max(most, each.hold);
    holds.push_back(most);
  }
  EXPECT_NEAR(holds[0], holds[1], 0.05);
}

TEST(PartLinks, ButtonOnACoatHangsOnTheCoatAndComesAfterIt) {
  const Linked dressed =
      link(together(together(ball_data({0.31, 0.7, 0}, 0.02), limb_data()), sleeve_data(0.3)));
  ASSERT_EQ(dressed.links.size(), 2u);
  EXPECT_EQ(dressed.links[0].part, 2) << "the coat";
  EXPECT_EQ(dressed.links[1].part, 0) << "the button";
  EXPECT_EQ(dressed.links[1].host, 2);
}

TEST(PartLinks, SpeckFarFromEverythingIsLinkedByItsNearestVertex) {
  const Linked speck = link(together(limb_data(), ball_data({1.5, 1.9, 0}, 0.01)));
  ASSERT_EQ(speck.links.size(), 1u);
  EXPECT_GT(speck.links[0].gap, 0.3);
  EXPECT_FALSE(speck.links[0].links.empty());
}

TEST(PartLinks, PlateUnderARivetHasLinksThoughItsCornersAreFar) {
  // The rivet is nearest to the middle of the plate's only two triangles.
  MeshData plate = test::sheet_data(1, 1, 1.5, 1.5);
  for (Vec3& position : plate.positions) position += Vec3(0.5, 0.2, 0.5);
  const Linked plated =
      link(together(together(limb_data(), plate), ball_data({1.25, 0.95, 0.505}, 0.004)));
  ASSERT_EQ(plated.links.size(), 2u);
  for (const PartLink& each : plated.links) EXPECT_FALSE(each.links.empty());
}

TEST(PartLinks, OfPartsThatNoBoneSeesOneStillStands) {
  // Two balls beside the bones, each turned away from them by the other's bulk.
  const Linked balls = link(together(ball_data({3, 0.5, 0}, 0.02), ball_data({3, 0.9, 0}, 0.02)));
  EXPECT_EQ(balls.links.size(), 1u);
}

}  // namespace
}  // namespace sinew
