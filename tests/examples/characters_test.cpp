// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "characters/characters.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/threads.h"

namespace sinew {
namespace {

constexpr double kFlatTriangleRel = 1e-3;  // twice the area over the longest side squared

ExampleCharacter make(std::string_view name, int vertices) {
  ExampleOptions options;
  options.vertices = vertices;
  auto example = make_example(name, options);
  EXPECT_TRUE(example.ok()) << example.error().to_string();
  return *std::move(example);
}

/// Corners of triangles that face away from the normal given for them.
std::size_t corners_against_normals(const ExampleCharacter& example) {
  const std::vector<Vec3>& positions = example.character.mesh.positions();
  std::size_t against = 0;
  for (const Triangle& t : example.character.mesh.triangles()) {
    const Vec3& a = positions[t[0]];
    const Vec3 face = (positions[t[1]] - a).cross(positions[t[2]] - a);
    for (const VertexIndex v : t) against += face.dot(example.normals[v]) < 0;
  }
  return against;
}

/// For every directed edge, the triangle corner after it. Counts edges that appear twice.
struct EdgeMap {
  std::map<std::pair<VertexIndex, VertexIndex>, VertexIndex> apex;
  std::size_t repeated = 0;

  explicit EdgeMap(const Mesh& mesh) {
    for (const Triangle& t : mesh.triangles())
      for (std::size_t c = 0; c < 3; ++c)
        if (!apex.insert({{t[c], t[(c + 1) % 3]}, t[(c + 2) % 3]}).second) ++repeated;
  }
};

std::size_t edges_without_a_twin(const EdgeMap& edges) {
  return static_cast<std::size_t>(
      std::count_if(edges.apex.begin(), edges.apex.end(), [&](const auto& entry) {
        return !edges.apex.contains({entry.first.second, entry.first.first});
      }));
}

/// Vertices whose triangles do not form one closed fan. Each directed edge leaves one vertex.
std::size_t vertices_without_a_cycle(const Mesh& mesh, const EdgeMap& edges) {
  std::vector<std::size_t> degree(mesh.vertex_count(), 0);
  std::vector<VertexIndex> any(mesh.vertex_count(), 0);
  for (const auto& [edge, apex] : edges.apex) {
    ++degree[edge.first];
    any[edge.first] = edge.second;
  }
  std::size_t bad = 0;
  for (VertexIndex v = 0; v < mesh.vertex_count(); ++v) {
    std::size_t steps = 0;
    VertexIndex at = any[v];
    do {
      const auto next = edges.apex.find({v, at});
      if (next == edges.apex.end()) break;
      at = next->second;
      ++steps;
    } while (at != any[v] && steps <= degree[v]);
    if (degree[v] < 3 || at != any[v] || steps != degree[v]) ++bad;
  }
  return bad;
}

/// The component of every vertex, as the number of one of its vertices.
std::vector<VertexIndex> components(const Mesh& mesh) {
  std::vector<VertexIndex> root(mesh.vertex_count());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](VertexIndex v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Triangle& t : mesh.triangles()) {
    root[find(t[1])] = find(t[0]);
    root[find(t[2])] = find(t[0]);
  }
  for (VertexIndex v = 0; v < root.size(); ++v) root[v] = find(v);
  return root;
}

double signed_volume(const Mesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles())
    sum += mesh.positions()[t[0]].dot(mesh.positions()[t[1]].cross(mesh.positions()[t[2]])) / 6;
  return sum;
}

double flattest_triangle(const Mesh& mesh) {
  double least = 1;
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 &a = mesh.positions()[t[0]], &b = mesh.positions()[t[1]],
               &c = mesh.positions()[t[2]];
    const double longest2 =
        std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    least = std::min(least, (b - a).cross(c - a).norm() / longest2);
  }
  return least;
}

struct SizedExample {
  std::string_view name;
  int vertices;
  std::size_t part_count;
};

void PrintTo(const SizedExample& example, std::ostream* out) {
  *out << example.name << " of " << example.vertices;
}

class ExampleMesh : public testing::TestWithParam<SizedExample> {};

TEST_P(ExampleMesh, IsOneClosedOutwardManifoldPerPartOfTheSizeAskedFor) {
  const auto [name, vertices, part_count] = GetParam();
  const ExampleCharacter example = make(name, vertices);
  const Mesh& mesh = example.character.mesh;
  EXPECT_NEAR(static_cast<double>(mesh.vertex_count()), vertices, 0.05 * vertices);

  const EdgeMap edges(mesh);
  EXPECT_EQ(edges.repeated, 0u);
  EXPECT_EQ(edges_without_a_twin(edges), 0u);
  EXPECT_EQ(vertices_without_a_cycle(mesh, edges), 0u);
  EXPECT_GT(flattest_triangle(mesh), kFlatTriangleRel);
  EXPECT_GT(signed_volume(mesh), 0);

  const std::vector<VertexIndex> component = components(mesh);
  const std::set<VertexIndex> distinct(component.begin(), component.end());
  EXPECT_EQ(distinct.size(), part_count);
  // V - E + F is 2 per sphere: a pair of fingers grown together would be a handle.
  const long euler = static_cast<long>(mesh.vertex_count()) -
                     static_cast<long>(edges.apex.size() / 2) +
                     static_cast<long>(mesh.triangles().size());
  EXPECT_EQ(euler, 2 * static_cast<long>(part_count));

  ASSERT_EQ(example.normals.size(), mesh.vertex_count());
  for (const Vec3& normal : example.normals) ASSERT_NEAR(normal.norm(), 1, 1e-9);
  // Some are against it at creases, where a coarse triangle has no right answer.
  EXPECT_LT(corners_against_normals(example), mesh.triangles().size() / 20);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ExampleMesh,
    testing::Values(SizedExample{"biped", 2'000, 1}, SizedExample{"biped", 10'000, 1},
                    SizedExample{"biped", 40'000, 1}, SizedExample{"quadruped", 2'000, 1},
                    SizedExample{"quadruped", 10'000, 1}, SizedExample{"hand", 2'000, 1},
                    SizedExample{"hand", 10'000, 1}, SizedExample{"tentacle", 2'000, 1},
                    SizedExample{"tentacle", 10'000, 1}, SizedExample{"robot", 2'000, 44},
                    SizedExample{"robot", 10'000, 44}),
    [](const auto& instance) {
      return std::string(instance.param.name) + std::to_string(instance.param.vertices);
    });

void expect_weights_on_every_vertex(const Character& character) {
  const SkinWeights& weights = character.weights;
  ASSERT_EQ(weights.vertex_count(), character.mesh.vertex_count());
  EXPECT_EQ(weights.bone_count(), character.skeleton.bone_count());
  EXPECT_EQ(weights.unweighted_count(), 0u);
  EXPECT_LE(weights.max_influences(), 4u);
  std::size_t idle_bones = 0;
  for (const double sum : weights.weight_per_bone()) idle_bones += sum <= 0;
  EXPECT_EQ(idle_bones, 0u);
}

void expect_bones_inside_that_point_along_their_y(const Character& character) {
  const Box box = bounding_box(character.mesh.positions());
  for (const Bone& bone : character.skeleton.bones()) {
    EXPECT_TRUE(box.contains(bone.head())) << bone.name;
    ASSERT_TRUE(bone.tail.has_value()) << bone.name;
    EXPECT_TRUE(box.contains(*bone.tail)) << bone.name;
    const Vec3 along = (*bone.tail - bone.head()).normalized();
    EXPECT_NEAR(along.dot(bone.rest.linear().col(1)), 1, 1e-9) << bone.name;
    EXPECT_NEAR(bone.rest.linear().determinant(), 1, 1e-9) << bone.name;
    EXPECT_LE(bone.limits.roll_deg.min, 0) << bone.name;
    EXPECT_GE(bone.limits.roll_deg.max, 0) << bone.name;
  }
}

void expect_left_bones_paired_with_mirror_images(const Character& character) {
  std::map<std::string, Vec3> heads;
  for (const Bone& bone : character.skeleton.bones())
    EXPECT_TRUE(heads.emplace(bone.name, bone.head()).second) << bone.name << " is there twice";
  for (const auto& [name, head] : heads) {
    if (!name.ends_with(".L") && !name.ends_with(".R")) continue;
    std::string twin = name;
    twin.back() = name.back() == 'L' ? 'R' : 'L';
    ASSERT_TRUE(heads.contains(twin)) << name;
    EXPECT_TRUE(heads[twin].isApprox(Vec3(-head.x(), head.y(), head.z()), 1e-12)) << name;
  }
}

void expect_a_clip_that_moves(const Character& character) {
  for (const Affine3& m : character.skinning_transforms(character.nodes))
    EXPECT_TRUE(m.matrix().isApprox(Affine3::Identity().matrix(), 1e-9));
  ASSERT_EQ(character.clips.size(), 1u);
  const Clip& clip = character.clips.front();
  EXPECT_GE(clip.end_s, 1);
  EXPECT_LE(clip.end_s, 2);
  double farthest = 0;
  for (int step = 0; step <= 10; ++step) {
    const NodeTree posed = sample_clip(character.nodes, clip, clip.end_s * step / 10);
    for (const Affine3& m : character.skinning_transforms(posed)) {
      ASSERT_TRUE(m.matrix().allFinite());
      farthest = std::max(farthest, (m.linear() - Eigen::Matrix3d::Identity()).norm());
    }
  }
  EXPECT_GT(farthest, 0.2);  // radians, about: something can be seen to move
}

class ExampleRig : public testing::TestWithParam<std::string_view> {};

// One test per character, not per claim: making it is what takes the time.
TEST_P(ExampleRig, IsCompleteAndMoves) {
  const ExampleCharacter example = make(GetParam(), kMinExampleVertices);
  expect_weights_on_every_vertex(example.character);
  expect_bones_inside_that_point_along_their_y(example.character);
  expect_left_bones_paired_with_mirror_images(example.character);
  expect_a_clip_that_moves(example.character);
}

INSTANTIATE_TEST_SUITE_P(All, ExampleRig,
                         testing::Values("biped", "quadruped", "hand", "tentacle", "robot"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(Characters, EveryListedExampleIsTested) {
  std::set<std::string_view> names;
  for (const ExampleInfo& info : example_characters()) {
    names.insert(info.name);
    EXPECT_FALSE(info.description.empty());
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"biped", "quadruped", "hand", "tentacle", "robot"}));
}

TEST(Characters, FingersBeyondTheKnuckleNeverMoveOtherFingers) {
  const ExampleCharacter example = make("hand", 10'000);
  std::size_t shared = 0, beyond = 0;
  for (std::size_t v = 0; v < example.character.weights.vertex_count(); ++v) {
    std::set<std::string> fingers;
    bool beyond_knuckle = false;
    for (const Influence& influence : example.character.weights.row(v)) {
      const std::string& name =
          example.character.skeleton.bone(static_cast<int>(influence.bone)).name;
      if (!std::isdigit(static_cast<unsigned char>(name.back()))) continue;
      fingers.insert(name.substr(0, name.size() - 1));
      beyond_knuckle = beyond_knuckle || name.back() != '1';
    }
    beyond += beyond_knuckle;
    shared += beyond_knuckle && fingers.size() > 1;
  }
  EXPECT_GT(beyond, 1'000u);
  EXPECT_EQ(shared, 0u);
}

TEST(Characters, RobotPartsAreRigidOnOneBone) {
  const ExampleCharacter example = make("robot", kMinExampleVertices);
  EXPECT_EQ(example.character.weights.max_influences(), 1u);
  for (const MeshPart& part : example.character.parts) {
    const std::uint32_t bone = example.character.weights.row(part.first_vertex).front().bone;
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v)
      ASSERT_EQ(example.character.weights.row(v).front().bone, bone) << part.name;
  }
}

TEST(Characters, OneThreadAndTwoMakeTheSameBits) {
  const auto with_threads = [](int threads) {
    const ThreadLimit limit(threads);
    return make("hand", 4'000);
  };
  const ExampleCharacter one = with_threads(1);
  const ExampleCharacter two = with_threads(2);
  EXPECT_TRUE(one.character.mesh.positions() == two.character.mesh.positions());
  EXPECT_TRUE(one.character.mesh.triangles() == two.character.mesh.triangles());
  EXPECT_TRUE(one.normals == two.normals);
  EXPECT_TRUE(one.character.weights == two.character.weights);
}

TEST(Characters, UnknownNameIsRefusedWithTheOnesThatExist) {
  const auto example = make_example("bipad");
  ASSERT_FALSE(example.ok());
  EXPECT_EQ(example.error().code, ErrorCode::bad_argument);
  EXPECT_EQ(example.error().place, "name");
  EXPECT_NE(example.error().message.find("biped"), std::string::npos);
}

TEST(Characters, VertexCountsOutOfRangeAreRefused) {
  for (const int vertices : {-1, 0, kMinExampleVertices - 1, kMaxExampleVertices + 1}) {
    ExampleOptions options;
    options.vertices = vertices;
    const auto example = make_example("tentacle", options);
    ASSERT_FALSE(example.ok()) << vertices;
    EXPECT_EQ(example.error().place, "vertices");
  }
}

TEST(Characters, CancellingStopsTheWork) {
  const std::atomic<bool> stop{true};
  const auto example = make_example("tentacle", {}, Progress({}, &stop));
  ASSERT_FALSE(example.ok());
  EXPECT_EQ(example.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace sinew
