// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/weights/sparsify.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "math/random.h"
#include "sinew/core/threads.h"
#include "src/weights/skeleton_graph.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"

namespace sinew {
namespace {

using test::make_skeleton;
using BoneSet = std::set<std::uint32_t>;

/// Which bones touch, from points in space: virtual segments make their ends one point.
class TouchingBones {
 public:
  explicit TouchingBones(const Skeleton& skeleton) : reach_(skeleton.bone_count()) {
    for (const Segment& segment : skeleton.segments())
      if (segment.is_virtual && skeleton.bone(segment.bone).deforms.value_or(true))
        merge(segment.head, segment.tail);
    for (std::size_t b = 0; b < reach_.size(); ++b)
      reach_[b].insert(find(point(skeleton.bones()[b].head())));
    for (const Segment& segment : skeleton.segments())
      if (!segment.is_virtual)
        for (const Vec3& end : {segment.head, segment.tail})
          reach_[static_cast<std::size_t>(segment.bone)].insert(find(point(end)));
  }

  [[nodiscard]] bool touch(std::uint32_t a, std::uint32_t b) const {
    return std::any_of(reach_[a].begin(), reach_[a].end(),
                       [&](std::size_t p) { return reach_[b].contains(p); });
  }

  /// The groups of these bones that hang together.
  [[nodiscard]] std::size_t group_count(const BoneSet& bones) const {
    BoneSet left = bones;
    std::size_t groups = 0;
    while (!left.empty()) {
      ++groups;
      std::vector<std::uint32_t> open{*left.begin()};
      left.erase(left.begin());
      while (!open.empty()) {
        const std::uint32_t bone = open.back();
        open.pop_back();
        for (auto it = left.begin(); it != left.end();) {
          if (!touch(bone, *it)) {
            ++it;
            continue;
          }
          open.push_back(*it);
          it = left.erase(it);
        }
      }
    }
    return groups;
  }

 private:
  using Point = std::array<double, 3>;

  std::size_t point(const Vec3& at) {
    const auto [it, is_new] = points_.try_emplace(Point{at.x(), at.y(), at.z()}, merged_.size());
    if (is_new) merged_.push_back(merged_.size());
    return it->second;
  }
  std::size_t find(std::size_t p) const {
    while (merged_[p] != p) p = merged_[p];
    return p;
  }
  void merge(const Vec3& a, const Vec3& b) {
    const std::size_t from = find(point(a)), to = find(point(b));
    merged_[from] = to;
  }

  std::map<Point, std::size_t> points_;
  std::vector<std::size_t> merged_;
  std::vector<std::set<std::size_t>> reach_;
};

/// A trunk with a stated tail from which limbs start at a distance, a fork without a tail, siblings
/// at one place, a bone that starts where its parent does, a second root, and a control.
Skeleton odd_skeleton() {
  std::vector<Bone> bones = make_skeleton({{"Trunk", -1, {0, 0, 0}},
                                           {"ArmL", 0, {1, 2, 0}},
                                           {"ArmR", 0, {-1, 2, 0}},
                                           {"HandL", 1, {2, 2, 0}},
                                           {"FingerA", 3, {3, 2, 0.5}},
                                           {"FingerB", 3, {3, 2, -0.5}},
                                           {"ThumbA", 3, {2.5, 1, 0}},
                                           {"ThumbB", 3, {2.5, 1, 0}},
                                           {"WristR", 2, {-1, 2, 0}},
                                           {"HandR", 8, {-2, 2, 0}},
                                           {"Tail", -1, {0, 0, -5}},
                                           {"TailEnd", 10, {0, 0, -6}},
                                           {"Pole", -1, {7, 7, 7}}})
                                .bones();
  bones[0].tail = Vec3(0, 2, 0);
  bones[12].deforms = false;
  return *Skeleton::create(std::move(bones));
}

TEST(SkeletonGraph, SpansWithAsFewBonesAsAnyConnectedSet) {
  const Skeleton skeleton = odd_skeleton();
  const TouchingBones touching(skeleton);
  const SkeletonGraph graph(skeleton);
  const auto count = static_cast<std::uint32_t>(skeleton.bone_count());
  const BoneSet everything = [&] {
    BoneSet all;
    for (std::uint32_t b = 0; b < count; ++b) all.insert(b);
    return all;
  }();
  ASSERT_EQ(touching.group_count(everything), 3u) << "two trees and a control";
  const auto members = [&](std::uint32_t mask) {
    BoneSet set;
    for (std::uint32_t b = 0; b < count; ++b)
      if ((mask >> b & 1) != 0) set.insert(b);
    return set;
  };
  // A set hangs together if adding bones cannot join its groups.
  std::vector<bool> connected(std::size_t{1} << count);
  for (std::uint32_t mask = 0; mask < connected.size(); ++mask) {
    const BoneSet set = members(mask);
    std::set<int> trees;
    for (const std::uint32_t bone : set) trees.insert(bone < 10 ? 0 : bone < 12 ? 1 : 2);
    connected[mask] = touching.group_count(set) == trees.size();
  }
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const auto given = static_cast<std::uint32_t>(random.next() & random.next() & random.next()) &
                       ((1u << count) - 1);
    const BoneSet set = members(given);
    const std::vector<std::uint32_t> spanned = graph.span(std::vector(set.begin(), set.end()));
    std::uint32_t spanned_mask = 0;
    for (const std::uint32_t bone : spanned) spanned_mask |= 1u << bone;
    EXPECT_TRUE(std::is_sorted(spanned.begin(), spanned.end()));
    EXPECT_EQ(spanned_mask & given, given);
    EXPECT_TRUE(connected[spanned_mask]) << given;
    for (std::uint32_t mask = 0; mask < connected.size(); ++mask)
      if ((mask & given) == given && connected[mask]) {
        ASSERT_GE(std::popcount(mask), std::popcount(spanned_mask)) << given;
      }
  }
}

TEST(SkeletonGraph, SiblingsThatMeetInAJointDoWithoutTheirParent) {
  const SkeletonGraph graph(odd_skeleton());
  using Bones = std::vector<std::uint32_t>;
  EXPECT_EQ(graph.span(Bones{1, 2}), (Bones{1, 2})) << "through the virtual segments of the trunk";
  EXPECT_EQ(graph.span(Bones{6, 7}), (Bones{6, 7})) << "at one place";
  EXPECT_EQ(graph.span(Bones{4, 5}), (Bones{3, 4, 5})) << "a hand lies between its fingers";
  EXPECT_EQ(graph.span(Bones{4, 9}), (Bones{1, 3, 4, 8, 9})) << "the right arm has no length";
  EXPECT_EQ(graph.span(Bones{5, 11}), (Bones{5, 11})) << "nothing joins two components";
}

/// Weights with long tails on every bone, smooth over the mesh, no two of them equal by design.
SkinWeights smooth_weights(const Mesh& mesh, const Skeleton& skeleton, std::uint64_t seed) {
  Random random(seed);
  const Box box = bounding_box(mesh.positions());
  const double size = std::max(box.diagonal().norm(), 1e-30);
  std::vector<Vec3> centres;
  for (std::size_t b = 0; b < skeleton.bone_count(); ++b)
    centres.push_back(box.min() + Vec3(random.uniform(), random.uniform(), random.uniform())
                                      .cwiseProduct(box.max() - box.min()));
  std::vector<std::vector<Influence>> rows(mesh.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (std::uint32_t b = 0; b < centres.size(); ++b) {
      const double away = (mesh.positions()[v] - centres[b]).norm() / size;
      rows[v].push_back({b, std::exp(-8 * away) * (1 + 0.3 * random.uniform())});
    }
  return SkinWeights::from_rows(skeleton.bone_count(), rows);
}

/// [araplbs] section 3.2 as it is written, over a table of all weights.
class LiteralPruning {
 public:
  LiteralPruning(const SkinWeights& weights, const MeshGraph& graph, const SparsifyOptions& options)
      : graph_(graph), options_(options), b_(weights.vertex_count()) {
    std::vector<std::tuple<double, std::size_t, std::uint32_t>> all;
    for (std::size_t i = 0; i < b_.size(); ++i)
      for (const Influence& influence : weights.row(i)) {
        b_[i][influence.bone] = influence.weight;
        all.emplace_back(influence.weight, i, influence.bone);
      }
    std::sort(all.begin(), all.end());
    for (const auto& [weight, i, j] : all)
      if (may_go(i, j)) b_[i].erase(j);
  }

  [[nodiscard]] const std::map<std::uint32_t, double>& row(std::size_t i) const { return b_[i]; }

 private:
  [[nodiscard]] bool may_go(std::size_t i, std::uint32_t j) const {
    double rest = 0, most = 0;
    for (const auto& [bone, weight] : b_[i]) {
      if (bone != j) rest += weight;
      most = std::max(most, weight);
    }
    const double w_ij = b_[i].at(j);
    if (b_[i].size() - 1 < static_cast<std::size_t>(options_.least_bones)) return false;  // (i)
    if (rest <= options_.least_sum) return false;                                         // (ii)
    if (w_ij >= options_.relative_max * most) return false;                               // (iii)
    for (const VertexIndex k : graph_.neighbours_of(i))                                   // (iv)
      if (const auto w_kj = b_[k].find(j); w_kj != b_[k].end() && w_ij > w_kj->second) return false;
    return true;
  }

  const MeshGraph& graph_;
  const SparsifyOptions& options_;
  std::vector<std::map<std::uint32_t, double>> b_;
};

/// What the literal pruning leaves, connected by brute force, is what sparsify says.
void expect_as_literal(const Mesh& mesh, const Skeleton& skeleton, const SparsifyOptions& options) {
  const SkinWeights weights = smooth_weights(mesh, skeleton, 11);
  const MeshGraph graph = make_mesh_graph(mesh);
  const LiteralPruning literal(weights, graph, options);
  const InfluenceMaps maps = sparsify(weights, graph, skeleton, options);
  const TouchingBones touching(skeleton);
  ASSERT_EQ(maps.vertex_count(), mesh.vertex_count());
  std::size_t removed = 0;
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    removed += weights.row(v).size() - literal.row(v).size();
    const auto bones = maps.bones_of(v);
    const BoneSet kept(bones.begin(), bones.end());
    ASSERT_TRUE(std::is_sorted(bones.begin(), bones.end()));
    ASSERT_EQ(kept.size(), bones.size());
    BoneSet needed;
    double literal_sum = 0, own_sum = 0;
    for (const auto& [bone, weight] : literal.row(v)) {
      needed.insert(bone);
      literal_sum += weight;
    }
    EXPECT_GT(literal_sum, options.least_sum);
    for (const Influence& influence : weights.row(v))
      if (kept.contains(influence.bone)) own_sum += influence.weight;
    ASSERT_TRUE(std::includes(kept.begin(), kept.end(), needed.begin(), needed.end())) << v;
    const std::size_t groups = touching.group_count(kept);
    EXPECT_LE(groups, touching.group_count(needed));
    for (const std::uint32_t extra : kept) {
      if (needed.contains(extra)) continue;
      BoneSet without = kept;
      without.erase(extra);
      EXPECT_GT(touching.group_count(without), groups) << "bone " << extra << " connects nothing";
    }
    double sum = 0;
    for (std::size_t s = 0; s < bones.size(); ++s) {
      const auto row = weights.row(v);
      const auto old = std::find_if(row.begin(), row.end(),
                                    [&](const Influence& i) { return i.bone == bones[s]; });
      const double old_weight = old == row.end() ? 0 : old->weight;
      EXPECT_NEAR(maps.weights_of(v)[s], old_weight / own_sum, 1e-14);
      sum += maps.weights_of(v)[s];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
  if (mesh.vertex_count() > 4) {
    EXPECT_GT(removed, 0u) << "nothing was tested";
  }
}

class SparsifyZoo : public ::testing::TestWithParam<test::ZooMesh> {};

TEST_P(SparsifyZoo, RemovesWhatTheFourConditionsOfThePaperRemove) {
  expect_as_literal(GetParam().mesh, odd_skeleton(), {});
}

TEST_P(SparsifyZoo, ObeysOtherSettings) {
  expect_as_literal(GetParam().mesh, odd_skeleton(),
                    {.least_bones = 3, .least_sum = 0.5, .relative_max = 0.4});
}

INSTANTIATE_TEST_SUITE_P(Meshes, SparsifyZoo, ::testing::ValuesIn(test::mesh_zoo()),
                         [](const auto& zoo) { return zoo.param.name; });

TEST(Sparsify, NoMapGetsALocalMinimumThatItDidNotHave) {
  const Mesh mesh = test::make_mesh(test::limb_data({.sides = 24, .rings = 40}));
  const Skeleton skeleton = make_skeleton({{"a", -1, {0, 0, 0}}});  // P2 adds nothing back
  std::vector<Bone> bones(6, skeleton.bone(0));
  const Skeleton joined = *Skeleton::create(std::move(bones));
  const SkinWeights weights = smooth_weights(mesh, joined, 5);
  const MeshGraph graph = make_mesh_graph(mesh);
  const InfluenceMaps maps = sparsify(weights, graph, joined);
  EXPECT_LT(maps.bones.size(), weights.influence_count());
  const auto has = [&](std::size_t v, std::uint32_t bone) {
    const auto row = maps.bones_of(v);
    return std::binary_search(row.begin(), row.end(), bone);
  };
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
    for (const Influence& gone : weights.row(v)) {
      if (has(v, gone.bone)) continue;
      for (const VertexIndex k : graph.neighbours_of(v))
        if (has(k, gone.bone)) {
          EXPECT_GE(weights.row(k)[gone.bone].weight, gone.weight);
        }
    }
}

TEST(Sparsify, ABoneThatOnlyConnectsStartsAtZeroOrAtItsOwnWeight) {
  const Skeleton chain =
      make_skeleton({{"a", -1, {0, 0, 0}}, {"b", 0, {0, 1, 0}}, {"c", 1, {0, 2, 0}}});
  const Mesh mesh = test::make_mesh(test::sheet_data(1, 1, 1, 1));
  const MeshGraph graph = make_mesh_graph(mesh);
  const std::vector<Influence> gap{{0, 0.5}, {2, 0.5}}, faint{{0, 0.5}, {1, 0.01}, {2, 0.49}};
  const InfluenceMaps maps =
      sparsify(SkinWeights::from_rows(3, std::vector{gap, gap, faint, gap}), graph, chain);
  EXPECT_EQ(maps.bones, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(maps.weights_of(0)[1], 0);
  EXPECT_EQ(maps.weights_of(0)[2], 0.5);
  EXPECT_DOUBLE_EQ(maps.weights_of(2)[1], 0.01) << "it went, and came back with what it had";
}

TEST(Sparsify, VerticesWithoutWeightsStayWithout) {
  const Skeleton chain = make_skeleton({{"a", -1, {0, 0, 0}}, {"b", 0, {0, 1, 0}}});
  const Mesh mesh = test::make_mesh(test::sheet_data(1, 1, 1, 1));
  const InfluenceMaps maps = sparsify(SkinWeights(4, 2), make_mesh_graph(mesh), chain);
  EXPECT_EQ(maps.vertex_count(), 4u);
  EXPECT_TRUE(maps.bones.empty());
}

TEST(Sparsify, SameBitsForAnyNumberOfThreads) {
  const Mesh mesh = test::make_mesh(test::limb_data({.sides = 60, .rings = 80}));
  const Skeleton skeleton = odd_skeleton();
  const SkinWeights weights = smooth_weights(mesh, skeleton, 2);
  const MeshGraph graph = make_mesh_graph(mesh);
  const auto on = [&](int threads) {
    const ThreadLimit limit(threads);
    return sparsify(weights, graph, skeleton);
  };
  EXPECT_EQ(on(1), on(4));
}

TEST(Sparsify, DoesNotDependOnTheOrderOfVerticesAndBones) {
  const MeshData data = test::limb_data({.sides = 12, .rings = 30});
  const Skeleton skeleton = odd_skeleton();
  const Mesh mesh = test::make_mesh(data);
  const SkinWeights weights = smooth_weights(mesh, skeleton, 8);
  const InfluenceMaps maps = sparsify(weights, make_mesh_graph(mesh), skeleton);

  const auto count = static_cast<std::uint32_t>(data.positions.size());
  const auto bone_count = static_cast<std::uint32_t>(skeleton.bone_count());
  const auto turned_vertex = [&](std::uint32_t v) { return count - 1 - v; };
  const auto turned_bone = [&](std::uint32_t b) { return bone_count - 1 - b; };
  MeshData turned = data;
  std::reverse(turned.positions.begin(), turned.positions.end());
  for (auto& triangle : turned.triangles)
    for (auto& corner : triangle) corner = turned_vertex(corner);
  std::vector<Bone> bones = skeleton.bones();
  std::reverse(bones.begin(), bones.end());
  for (Bone& bone : bones)
    if (bone.parent >= 0) bone.parent = static_cast<int>(bone_count) - 1 - bone.parent;
  std::vector<std::vector<Influence>> rows(count);
  for (std::uint32_t v = 0; v < count; ++v)
    for (const Influence& influence : weights.row(v))
      rows[turned_vertex(v)].push_back({turned_bone(influence.bone), influence.weight});
  const Mesh turned_mesh = test::make_mesh(turned);
  const InfluenceMaps turned_maps =
      sparsify(SkinWeights::from_rows(bone_count, rows), make_mesh_graph(turned_mesh),
               *Skeleton::create(std::move(bones)));
  for (std::uint32_t v = 0; v < count; ++v) {
    const auto bones_here = maps.bones_of(v);
    const auto bones_there = turned_maps.bones_of(turned_vertex(v));
    ASSERT_EQ(bones_here.size(), bones_there.size());
    for (std::size_t s = 0; s < bones_here.size(); ++s)
      EXPECT_EQ(bones_here[s], turned_bone(bones_there[bones_there.size() - 1 - s]));
  }
}

}  // namespace
}  // namespace sinew
