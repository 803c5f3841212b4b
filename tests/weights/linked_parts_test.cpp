// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/linked_parts.h"

#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

constexpr std::size_t kBones = 3;

/// A sheet far from all others, each at a place of its own.
MeshData sheet(double at) {
  MeshData data;
  constexpr VertexIndex kSide = 9;
  for (VertexIndex r = 0; r < kSide; ++r)
    for (VertexIndex c = 0; c < kSide; ++c) data.positions.emplace_back(0.1 * c, 0.1 * r, at);
  for (VertexIndex r = 0; r + 1 < kSide; ++r)
    for (VertexIndex c = 0; c + 1 < kSide; ++c) {
      const VertexIndex v = r * kSide + c;
      data.triangles.push_back({v, v + 1, v + kSide});
      data.triangles.push_back({v + 1, v + kSide + 1, v + kSide});
    }
  return data;
}

struct Layers {
  PreparedMesh prepared;
  std::vector<PartLink> links;
};

/// Six sheets: the first stands, the next sits on it, the third on that one, and three more on the
/// first.
Layers layers() {
  MeshData all = sheet(0);
  for (int n = 1; n < 6; ++n) all = test::together(all, sheet(2.0 * n));
  Layers made{prepare_mesh(test::make_mesh(all)), {}};
  const std::vector<std::vector<VertexIndex>>& members = made.prepared.parts.members;
  for (const auto& [part, host] :
       {std::pair{1, 0}, std::pair{3, 0}, std::pair{2, 1}, std::pair{4, 0}, std::pair{5, 0}}) {
    PartLink& link = made.links.emplace_back();
    link.part = part;
    link.host = host;
    const auto& own = members[static_cast<std::size_t>(part)];
    const auto& theirs = members[static_cast<std::size_t>(host)];
    for (std::size_t v = 0; v < own.size(); v += 4)
      link.links.push_back(
          {own[v], {{theirs[v], 0.75}, {theirs[(v + 1) % theirs.size()], 0.25}}, 0.01});
  }
  return made;
}

SkinWeights on_first(const Layers& made, const auto& row_of) {
  std::vector<std::vector<Influence>> rows(made.prepared.mesh.vertex_count());
  for (const VertexIndex v : made.prepared.parts.members[0]) rows[v] = row_of(v);
  return SkinWeights::from_rows(kBones, rows);
}

TEST(LinkedParts, HostsThatHaveOneRowGiveItToAllThatSitOnThem) {
  const Layers made = layers();
  ASSERT_EQ(made.prepared.parts.count(), 6u);
  const SkinWeights weights =
      weights_for_linked_parts(made.prepared, made.links, on_first(made, [](VertexIndex) {
                                 return std::vector<Influence>{{0, 0.3}, {2, 0.7}};
                               }));
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    ASSERT_EQ(weights.row(v).size(), 2u) << v;
    EXPECT_NEAR(weights.row(v)[0].weight, 0.3, 1e-9) << v;
    EXPECT_EQ(weights.row(v)[1].bone, 2u) << v;
  }
}

TEST(LinkedParts, WhatSitsOnALinkedPartFollowsThatOne) {
  const Layers made = layers();
  const SkinWeights weights = weights_for_linked_parts(
      made.prepared, made.links, on_first(made, [&](VertexIndex v) {
        const double share = 0.1 + 0.8 * made.prepared.welded.mesh.positions()[v].x();
        return std::vector<Influence>{{0, share}, {1, 1 - share}};
      }));
  // Evened out twice: less of a difference between the sides of the third sheet than of the second,
  // and of both in the same direction.
  const auto slope = [&](std::size_t part) {
    const auto& members = made.prepared.parts.members[part];
    return weights.row(members[8])[0].weight - weights.row(members[0])[0].weight;
  };
  EXPECT_GT(slope(1), 0.01);
  EXPECT_GT(slope(2), 0.001);
  EXPECT_LT(slope(2), slope(1));
  EXPECT_NEAR(slope(3), slope(1), 1e-9);
}

TEST(LinkedParts, SameBitsForOneAndTwoThreads) {
  const Layers made = layers();
  const SkinWeights hosts = on_first(made, [&](VertexIndex v) {
    const double share = 0.1 + 0.01 * static_cast<double>(v % 70);
    return std::vector<Influence>{{0, share}, {1, 1 - share}};
  });
  const auto bind = [&](int threads) {
    const ThreadLimit limit(threads);
    return weights_for_linked_parts(made.prepared, made.links, hosts);
  };
  EXPECT_EQ(bind(1), bind(2));
}

}  // namespace
}  // namespace sinew
