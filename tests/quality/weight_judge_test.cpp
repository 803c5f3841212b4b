// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/quality/weight_judge.h"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "sinew/core/threads.h"
#include "sinew/poses/judging_poses.h"
#include "src/quality/arap_energy.h"
#include "support/made_skeletons.h"
#include "support/reference_arap.h"
#include "support/tiny_character.h"

namespace sinew::test {
namespace {

std::vector<BoneRole> all_deform(const Character& character) {
  return std::vector<BoneRole>(character.skeleton.bone_count());
}

WeightQuality judge(const Character& character, const SkinWeights& weights,
                    const JudgeOptions& options = {}) {
  return *WeightJudge(character, all_deform(character), options).judge(weights);
}

WeightQuality judge(const Character& character, const JudgeOptions& options = {}) {
  return judge(character, character.weights, options);
}

SkinWeights all_on(const Character& character, int bone) {
  return rigid_weights(std::vector<int>(character.mesh.vertex_count(), bone),
                       character.skeleton.bone_count());
}

/// The same poses as the judge draws.
std::vector<SampledPose> poses_of(const Character& character, int count) {
  EffectiveHierarchy hierarchy;
  for (const Bone& bone : character.skeleton.bones()) hierarchy.parent.push_back(bone.parent);
  return random_poses(character.skeleton, all_deform(character), hierarchy, {.count = count});
}

/// The character with another mesh beside its own, all on one bone.
Character with_part(Character character, const Mesh& part, int bone) {
  MeshData data = character.mesh.data();
  const auto first = static_cast<VertexIndex>(data.positions.size());
  data.positions.insert(data.positions.end(), part.positions().begin(), part.positions().end());
  for (const Triangle& t : part.triangles())
    data.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (std::size_t v = 0; v < data.positions.size(); ++v) {
    if (v < first) {
      const auto row = character.weights.row(v);
      influences.insert(influences.end(), row.begin(), row.end());
    } else {
      influences.push_back({static_cast<std::uint32_t>(bone), 1});
    }
    begin.push_back(influences.size());
  }
  character.weights =
      SkinWeights::mend(character.skeleton.bone_count(), std::move(begin), std::move(influences));
  character.mesh = *Mesh::create(std::move(data));
  return character;
}

TEST(ArapEnergy, OfARigidMotionOfAllBonesIsZero) {
  const Character character = make_tube_character(3, 6, 8);
  const MeshGraph graph = make_mesh_graph(character.mesh);
  Affine3 motion = Affine3::Identity();
  motion.rotate(Eigen::AngleAxisd(2.5, Vec3(1, 2, 3).normalized())).pretranslate(Vec3(4, 5, 6));
  std::vector<Vec3> deformed(character.mesh.vertex_count());
  std::vector<double> energy(deformed.size());
  blend_positions(character.mesh.positions(), character.weights, std::vector<Affine3>(3, motion),
                  deformed);
  arap_energy(graph, character.mesh.positions(), deformed, energy);
  for (const double each : energy) EXPECT_LT(each, 1e-28);
}

TEST(WeightJudge, MeshThatMovesWithOneBoneIsNotDistorted) {
  const Character character = make_tube_character(3, 6, 8);
  for (const int bone : {0, 1, 2}) {
    const WeightQuality quality = judge(character, all_on(character, bone));
    EXPECT_LT(quality.arap, 1e-28);
    EXPECT_LT(quality.arap_worst, 1e-28);
  }
}

TEST(WeightJudge, ArapIsWhatTheDefinitionSays) {
  const Character character = make_tube_character(3, 3, 6);
  const WeightQuality quality = judge(character, {.poses = 5});
  double mean = 0, worst = 0;
  int worst_pose = -1, index = 0;
  for (const SampledPose& pose : poses_of(character, 5)) {
    const double arap = reference_arap(character.mesh, character.weights, pose.transforms);
    mean += arap / 5;
    if (arap > worst) {
      worst = arap;
      worst_pose = index;
    }
    ++index;
  }
  EXPECT_GT(mean, 1e-3);
  EXPECT_NEAR(quality.arap, mean, 1e-13);
  EXPECT_NEAR(quality.arap_worst, worst, 1e-13);
  EXPECT_EQ(quality.worst_pose, worst_pose);
  EXPECT_FALSE(quality.clips.has_value()) << "there are none";
}

TEST(WeightJudge, ClipThatScalesByKDistortsByKMinusOneSquared) {
  Character character = tiny_character();
  Channel scale{.node = 0, .path = ChannelPath::scale, .width = 3, .times = {0}, .values = {}};
  scale.values = {1.5, 1.5, 1.5};
  character.clips = {{"Grow", {scale}, 0, 0}};
  EXPECT_NEAR(*judge(character).clips, 0.25, 1e-12);
}

TEST(WeightJudge, StripBentByAClipIsWhatTheDefinitionSays) {
  const Character character = tiny_character({.rows = 7});
  double mean = 0;
  for (const SampledPose& pose : clip_poses(character, 24))
    mean += reference_arap(character.mesh, character.weights, pose.transforms) / 24;
  EXPECT_NEAR(*judge(character).clips, mean, 1e-13);
}

TEST(WeightJudge, WorstBoneIsTheOneWithTheSharpCrease) {
  const Character character = make_tube_character(2, 8, 8);
  // Both bones share the crease, and the upper one has less of the tube to spread it over.
  std::vector<int> bone_of_vertex;
  for (const Vec3& position : character.mesh.positions())
    bone_of_vertex.push_back(position.y() > 1.5 ? 1 : 0);
  const WeightQuality quality = judge(character, rigid_weights(bone_of_vertex, 2));
  ASSERT_TRUE(quality.worst_bone.has_value());
  EXPECT_EQ(*quality.worst_bone, 1);
  EXPECT_GT(quality.worst_bone_arap, 1.5 * quality.arap);
  EXPECT_GT(quality.bones[0].arap, 0);
  EXPECT_EQ(quality.bones[1].arap, quality.worst_bone_arap);
  EXPECT_GT(quality.worst_bone_turn_deg, 40) << "a crease is worst where it is bent most";
  EXPECT_LE(quality.worst_bone_turn_deg, 61);
}

TEST(WeightJudge, FollowIsOneWhereEveryBoneOwnsItsMiddle) {
  const Character character = make_tube_character(3, 12, 8);
  const WeightQuality obedient = judge(character);
  EXPECT_EQ(obedient.follow, 1);
  EXPECT_FALSE(obedient.bones[2].follow.has_value()) << "a leaf has no middle";
  const WeightQuality lazy = judge(character, all_on(character, 0));
  EXPECT_EQ(lazy.follow, 0.5) << "one of two bones with a middle";
  EXPECT_EQ(lazy.follow_min, 0);
  EXPECT_EQ(lazy.dead, 2u);
}

TEST(WeightJudge, DriftOfAPartBoundRigidlyToItsHostIsZero) {
  const Character tube = make_tube_character(2, 6, 8);
  const Mesh button = box_mesh({0.3, 1.75, -0.02}, {0.33, 1.8, 0.02});
  const Character on_host = with_part(tube, button, 1);
  EXPECT_EQ(WeightJudge(on_host, all_deform(on_host)).parts(), 2u);
  EXPECT_LT(judge(on_host).drift, 1e-12);
  EXPECT_GT(judge(with_part(tube, button, 0)).drift, 1);
}

TEST(WeightJudge, DriftIsTheMeanPartingOfLinkedVertices) {
  const Character tube = make_tube_character(2, 6, 8);
  const Mesh button = box_mesh({0.3, 1.75, -0.02}, {0.33, 1.8, 0.02});
  const Character character = with_part(tube, button, 0);
  const std::vector<Vec3>& rest = character.mesh.positions();
  const double diagonal = bounding_box(rest).diagonal().norm();
  const std::size_t host = tube.mesh.vertex_count();
  double drift = 0;
  const std::vector<SampledPose> poses = poses_of(character, 4);
  for (const SampledPose& pose : poses) {
    const std::vector<Vec3> deformed =
        reference_blend(character.mesh, character.weights, pose.transforms);
    double sum = 0, links = 0;
    for (std::size_t v = host; v < rest.size(); ++v) {
      std::size_t nearest = 0;
      for (std::size_t k = 0; k < host; ++k)
        if ((rest[k] - rest[v]).norm() < (rest[nearest] - rest[v]).norm()) nearest = k;
      const double gap = (rest[nearest] - rest[v]).norm();
      if (gap >= 0.02 * diagonal) continue;
      sum += std::max(0.0, (deformed[nearest] - deformed[v]).norm() - gap);
      ++links;
    }
    ASSERT_GT(links, 0);
    drift += 100 * sum / links / diagonal / static_cast<double>(poses.size());
  }
  EXPECT_NEAR(judge(character, {.poses = 4}).drift, drift, 1e-12);
}

TEST(WeightJudge, StrayPatchIsAnIsland) {
  const Character character = make_tube_character(2, 6, 8);
  std::vector<int> bone_of_vertex;
  for (const Vec3& position : character.mesh.positions())
    bone_of_vertex.push_back(position.y() > 1 ? 1 : 0);
  EXPECT_EQ(judge(character, rigid_weights(bone_of_vertex, 2)).islands, 0u);
  bone_of_vertex.front() = 1;
  EXPECT_EQ(judge(character, rigid_weights(bone_of_vertex, 2)).islands, 1u);
  bone_of_vertex.back() = 0;
  EXPECT_EQ(judge(character, rigid_weights(bone_of_vertex, 2)).islands, 2u);
}

TEST(WeightJudge, PatchOnAnotherPartIsNoIsland) {
  const Character character =
      with_part(make_tube_character(2, 6, 8), box_mesh({5, 5, 5}, {6, 6, 6}), 0);
  EXPECT_EQ(judge(character).islands, 0u);
}

TEST(WeightJudge, RoughIsThePercentileOverAllVerticesAndBones) {
  const Character character = make_tube_character(3, 4, 6);
  std::vector<int> bone_of_vertex;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v)
    bone_of_vertex.push_back(static_cast<int>(v * v % 3));
  const SkinWeights weights = rigid_weights(bone_of_vertex, 3);
  const MeshGraph graph = make_mesh_graph(character.mesh);
  std::vector<double> differences;
  for (std::size_t i = 0; i < bone_of_vertex.size(); ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (const VertexIndex k : graph.neighbours_of(i)) sum += bone_of_vertex[k] == j ? 1 : 0;
      differences.push_back(std::abs((bone_of_vertex[i] == j ? 1 : 0) -
                                     sum / static_cast<double>(graph.neighbours_of(i).size())));
    }
  std::sort(differences.begin(), differences.end());
  const double rank = 0.999 * static_cast<double>(differences.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const double expected =
      differences[low] + (rank - std::floor(rank)) * (differences[low + 1] - differences[low]);
  EXPECT_NEAR(judge(character, weights).rough, expected, 1e-12);
  EXPECT_LT(judge(character, all_on(character, 1)).rough, 1e-15);
}

TEST(WeightJudge, BonesThatLoseHalfOfTheirVerticesAreLost) {
  const Character character = make_tube_character(3, 6, 8);
  const WeightJudge judge_once(character, all_deform(character), {.poses = 1});
  const SkinWeights before = character.weights, after = all_on(character, 0);
  EXPECT_EQ(judge_once.judge(after, &before)->lost, 2u);
  EXPECT_EQ(judge_once.judge(before, &before)->lost, 0u);
  EXPECT_FALSE(judge_once.judge(after)->lost.has_value());
  EXPECT_EQ(count_lost_bones(std::vector<std::size_t>{2, 3, 10}, std::vector<std::size_t>{0, 1, 5}),
            1u);
}

TEST(WeightJudge, WeightOnControlsIsCountedInVertices) {
  const Character character = make_tube_character(2, 6, 8);
  std::vector<BoneRole> roles = all_deform(character);
  roles[1].deforms = false;
  const WeightQuality quality =
      *WeightJudge(character, roles, {.poses = 1}).judge(all_on(character, 1));
  EXPECT_DOUBLE_EQ(quality.control_weight, static_cast<double>(character.mesh.vertex_count()));
  EXPECT_DOUBLE_EQ(quality.control_share, 1);
  EXPECT_EQ(quality.dead, 1u);
}

TEST(WeightJudge, SeamsChangeNothingButTheSpread) {
  const Character whole = make_tube_character(2, 6, 8);
  Character split = whole;
  MeshData data;
  std::vector<std::size_t> begin{0};
  std::vector<Influence> influences;
  for (const Triangle& t : whole.mesh.triangles()) {
    for (const VertexIndex v : t) {
      data.positions.push_back(whole.mesh.positions()[v]);
      const auto row = whole.weights.row(v);
      influences.insert(influences.end(), row.begin(), row.end());
      begin.push_back(influences.size());
    }
    const auto first = static_cast<VertexIndex>(data.positions.size() - 3);
    data.triangles.push_back({first, first + 1, first + 2});
  }
  split.mesh = *Mesh::create(std::move(data));
  split.weights = SkinWeights::mend(2, begin, influences);
  const WeightJudge judge_split(split, all_deform(split));
  EXPECT_EQ(judge_split.welded_vertices(), whole.mesh.vertex_count());
  EXPECT_EQ(judge_split.welded_triangles(), whole.mesh.triangles().size());
  EXPECT_EQ(judge_split.parts(), 1u);
  const WeightQuality quality = *judge_split.judge(split.weights);
  const WeightQuality expected = judge(whole);
  EXPECT_NEAR(quality.arap, expected.arap, 1e-13);
  EXPECT_NEAR(quality.rough, expected.rough, 1e-13);
  EXPECT_LT(quality.seam_spread, 1e-15);

  influences.front().bone = 1;  // one copy of the first vertex goes to the other bone
  const WeightQuality torn = *judge_split.judge(SkinWeights::mend(2, begin, influences));
  EXPECT_GT(torn.seam_spread, 0.5);
}

TEST(WeightJudge, FiguresDoNotDependOnSizeAndPlace) {
  const Character small =
      with_part(make_tube_character(3, 6, 8), box_mesh({0.3, 1.75, 0}, {0.33, 1.8, 0.02}), 0);
  Character large = small;
  const Vec3 offset(700, -300, 2000);
  MeshData data = small.mesh.data();
  for (Vec3& position : data.positions) position = 1000 * position + offset;
  large.mesh = *Mesh::create(std::move(data));
  std::vector<Bone> bones = small.skeleton.bones();
  for (Bone& bone : bones) bone.rest.translation() = 1000 * bone.head() + offset;
  large.skeleton = *Skeleton::create(std::move(bones));
  const WeightQuality a = judge(small), b = judge(large);
  EXPECT_NEAR(a.arap, b.arap, 1e-10 * a.arap);
  EXPECT_NEAR(a.drift, b.drift, 1e-9 * a.drift);
  EXPECT_NEAR(a.follow, b.follow, 1e-12);
  EXPECT_EQ(a.worst_bone, b.worst_bone);
}

TEST(WeightJudge, VertexWithoutWeightsShowsInTheFigures) {
  const Character character = make_tube_character(2, 6, 8);
  std::vector<std::size_t> begin{0, 0};  // the first vertex has none
  std::vector<Influence> influences;
  for (std::size_t v = 1; v < character.mesh.vertex_count(); ++v) {
    const auto row = character.weights.row(v);
    influences.insert(influences.end(), row.begin(), row.end());
    begin.push_back(influences.size());
  }
  const WeightQuality quality =
      judge(character, SkinWeights::mend(2, std::move(begin), std::move(influences)));
  EXPECT_EQ(quality.unweighted, 1u);
  EXPECT_GT(quality.arap, judge(character).arap);
}

TEST(WeightJudge, ThreadsDoNotChangeABit) {
  const Character character =
      with_part(make_tube_character(4, 40, 24), box_mesh({0.3, 1.75, -0.02}, {0.33, 1.8, 0.02}), 0);
  ASSERT_GT(character.mesh.vertex_count(), 3 * kDefaultGrain);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return judge(character, {.poses = 6});
  };
  const WeightQuality one = run(1), two = run(2);
  EXPECT_EQ(one.arap, two.arap);
  EXPECT_EQ(one.arap_worst, two.arap_worst);
  EXPECT_EQ(one.drift, two.drift);
  EXPECT_EQ(one.rough, two.rough);
  EXPECT_EQ(one.follow, two.follow);
  for (std::size_t j = 0; j < one.bones.size(); ++j)
    EXPECT_EQ(one.bones[j].arap, two.bones[j].arap);
}

TEST(WeightJudge, TetrahedraAreJudgedByTheirBoundary) {
  Character character =
      make_boxed_character({{"a", -1, {0, 0, 0}}, {"b", 0, {0, 0.5, 0}}}, {0, 0, 0}, {1, 1, 1});
  MeshData data;
  data.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  data.tetrahedra = {{0, 1, 2, 3}};
  character.mesh = *Mesh::create(std::move(data));
  const WeightJudge judge_tet(character, all_deform(character));
  EXPECT_EQ(judge_tet.welded_triangles(), 4u);
  EXPECT_GT(judge_tet.judge(rigid_weights({0, 0, 1, 0}, 2))->arap, 0.001);
}

TEST(WeightJudge, StopsWhenAsked) {
  const Character character = make_tube_character(2, 6, 8);
  const std::atomic<bool> stop{true};
  const Result<WeightQuality> stopped = WeightJudge(character, all_deform(character))
                                            .judge(character.weights, nullptr, Progress({}, &stop));
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
}

TEST(WeightJudge, EmptyCharacterHasNothingWrong) {
  const Character nothing;
  const WeightQuality quality = *WeightJudge(nothing, {}).judge(SkinWeights(0, 0));
  EXPECT_EQ(quality.arap, 0);
  EXPECT_EQ(quality.follow, 1);
}

TEST(WeightJudge, JudgingOnePoseGivesThatPosesPartOfTheFigures) {
  const Character character = tiny_character({.rows = 12});
  const WeightJudge judged(character, all_deform(character), {.poses = 6});
  const WeightQuality whole = *judged.judge(character.weights);
  ASSERT_EQ(whole.pose_arap.size(), 6u);
  double sum = 0;
  std::vector<double> bones(character.skeleton.bone_count(), 0);
  for (std::size_t p = 0; p < judged.poses().size(); ++p) {
    const PoseQuality pose = judged.judge_pose(character.weights, judged.poses()[p]);
    EXPECT_NEAR(pose.arap, whole.pose_arap[p], 1e-15);
    sum += pose.arap / 6;
    for (std::size_t j = 0; j < bones.size(); ++j) bones[j] += pose.bone_arap[j] / 6;
  }
  EXPECT_NEAR(sum, whole.arap, 1e-15);
  for (std::size_t j = 0; j < bones.size(); ++j) EXPECT_NEAR(bones[j], whole.bones[j].arap, 1e-15);
  EXPECT_EQ(whole.pose_arap[static_cast<std::size_t>(whole.worst_pose)], whole.arap_worst);
}

TEST(WeightJudge, TheWorstPlaceOfABendIsAtTheJoint) {
  const Character character = tiny_character({.rows = 40});
  const WeightJudge judged(character, all_deform(character), {.poses = 0});
  std::vector<Affine3> bend(2, Affine3::Identity());
  const Vec3 knee = character.skeleton.bone(1).head();
  bend[1].linear() = Eigen::AngleAxisd(1.5, Vec3::UnitZ()).toRotationMatrix();
  bend[1].translation() = knee - bend[1].linear() * knee;
  const SkinWeights stiff = rigid_weights(
      [&] {
        std::vector<int> bones;
        for (const Vec3& v : character.mesh.positions()) bones.push_back(v.y() > knee.y());
        return bones;
      }(),
      2);
  const PoseQuality pose = judged.judge_pose(stiff, {bend});
  ASSERT_TRUE(pose.worst);
  EXPECT_NEAR(pose.worst->at_rest.y(), knee.y(), 0.05);
  EXPECT_GE(pose.worst->bone, 0);
}

}  // namespace
}  // namespace sinew::test
