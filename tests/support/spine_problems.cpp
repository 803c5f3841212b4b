// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/spine_problems.h"

#include <algorithm>

#include "math/random.h"
#include "math/segment.h"
#include "support/mesh_zoo.h"

namespace sinew::test {
namespace {

Vec3 any_direction(Random& random) {
  return Vec3(random.normal(), random.normal(), random.normal()).normalized();
}

/// A turn about any axis through a point.
Affine3 any_turn(Random& random, const Vec3& about, double most_rad) {
  Affine3 turn = Affine3::Identity();
  turn.translate(about);
  turn.rotate(Eigen::AngleAxisd(random.uniform(-most_rad, most_rad), any_direction(random)));
  turn.translate(-about);
  return turn;
}

constexpr double kSixtyDegrees = std::numbers::pi / 3;

/// Bones along a tube, one after the other, each from its head to the next one's.
struct Tube {
  std::vector<double> heads;  // y; one more than bones
  PreparedMesh prepared;

  explicit Tube(std::vector<double> heads_given)
      : heads(std::move(heads_given)),
        prepared(prepare_mesh(make_mesh(limb_data({10, 33, 0.2, heads.back()})))) {}

  [[nodiscard]] SpineRest segment(std::size_t bone) const {
    return {{0, heads[bone], 0}, {0, heads[bone + 1], 0}};
  }

  /// All bones everywhere, by how near they are.
  [[nodiscard]] InfluenceMaps maps() const {
    InfluenceMaps maps;
    maps.bone_count = heads.size() - 1;
    for (const Vec3& position : prepared.welded.mesh.positions()) {
      const std::size_t first = maps.weights.size();
      double sum = 0;
      for (std::size_t bone = 0; bone < maps.bone_count; ++bone) {
        const auto [head, tail] = segment(bone);
        maps.bones.push_back(static_cast<std::uint32_t>(bone));
        maps.weights.push_back(1 / (1e-3 + squared_distance_to_segment(position, head, tail)));
        sum += maps.weights.back();
      }
      for (std::size_t b = first; b < maps.weights.size(); ++b) maps.weights[b] /= sum;
      maps.begin.push_back(maps.bones.size());
    }
    return maps;
  }

  /// The problem, and in the middle third of each bone its weight drawn to one.
  [[nodiscard]] HeldProblem held(std::span<const SampledPose> poses, int spine) const {
    const SpineBone attached = attached_to(spine, segment(static_cast<std::size_t>(spine)),
                                           prepared.welded.mesh.positions());
    HeldProblem held{make_weight_problem(prepared, maps(), poses, {&attached, 1}), {}};
    for (std::size_t i = 0; i < held.problem.positions.size(); ++i)
      for (std::size_t bone = 0; bone + 1 < heads.size(); ++bone) {
        const double along = (prepared.welded.mesh.positions()[i].y() - heads[bone]) /
                             (heads[bone + 1] - heads[bone]);
        if (along > 1.0 / 3 && along < 2.0 / 3)
          held.constraints.push_back({static_cast<std::uint32_t>(i),
                                      static_cast<std::uint32_t>(bone), 1,
                                      1e-3 * paper_stiffness(held.problem, i)});
      }
    return held;
  }
};

}  // namespace

SpineBone attached_to(int bone, const SpineRest& rest, std::span<const Vec3> positions) {
  SpineBone attached{bone, rest, {}, {}};
  const Vec3 along = rest.tail - rest.head;
  for (const Vec3& position : positions) {
    const double u = spine_parameter(rest, position);
    attached.parameters.push_back(u);
    attached.gradients.push_back(u > 0 && u < 1 ? Vec3(along / along.squaredNorm()) : Vec3::Zero());
  }
  return attached;
}

WeightProblem with_random_spines(WeightProblem problem, const RandomSpineOptions& options) {
  Random random(options.seed);
  for (std::size_t s = 0; s < options.spines; ++s) {
    const SpineRest rest{0.2 * any_direction(random), 0.3 * any_direction(random)};
    std::vector<SpineMotion> motions;
    for (const std::vector<Affine3>& exemplar : problem.exemplars)
      motions.push_back({exemplar[s], any_direction(random),
                         random.uniform(-options.angle_max_rad, options.angle_max_rad),
                         random.uniform(options.stretch_min, options.stretch_max)});
    add_spine(problem, attached_to(static_cast<int>(s), rest, problem.positions),
              std::move(motions));
  }
  return problem;
}

std::vector<NamedProblem> random_spine_problems(const RandomSpineOptions& options) {
  std::vector<NamedProblem> problems = random_problems();
  for (std::size_t p = 0; p < problems.size(); ++p) {
    RandomSpineOptions each = options;
    each.seed = options.seed + p;
    each.spines = std::min(options.spines, problems[p].problem.maps.bone_count - 1);
    problems[p].problem = with_random_spines(std::move(problems[p].problem), each);
  }
  return problems;
}

HeldProblem torso_problem(int exemplars) {
  const Tube tube({0, 0.5, 1.5, 2});
  Random random(7);
  std::vector<SampledPose> poses(static_cast<std::size_t>(exemplars));
  for (SampledPose& pose : poses) {
    pose.spines.resize(3);
    const Affine3 hips = any_turn(random, {0, 0, 0}, kSixtyDegrees);
    pose.spines[1] = {hips * any_turn(random, {0, 0.5, 0}, kSixtyDegrees / 4),
                      any_direction(random), random.uniform(-kSixtyDegrees, kSixtyDegrees), 1};
    const Affine3 end = spine_transform(tube.segment(1), pose.spines[1], 1);
    const Affine3 chest = end * any_turn(random, {0, 1.5, 0}, kSixtyDegrees / 4);
    pose.transforms = {hips, pose.spines[1].base, chest};
    pose.spines[0].base = hips;
    pose.spines[2].base = chest;
  }
  return tube.held(poses, 1);
}

HeldProblem stretchy_arm_problem(int exemplars) {
  const Tube tube({0, 1.4, 2});
  Random random(11);
  std::vector<SampledPose> poses(static_cast<std::size_t>(exemplars));
  for (SampledPose& pose : poses) {
    pose.spines.resize(2);
    pose.spines[0] = {any_turn(random, {0, 0, 0}, kSixtyDegrees), Vec3::UnitY(),
                      random.uniform(-kSixtyDegrees, kSixtyDegrees), random.uniform(0.5, 4)};
    const Affine3 end = spine_transform(tube.segment(0), pose.spines[0], 1);
    pose.spines[1].base = end * any_turn(random, {0, 1.4, 0}, kSixtyDegrees);
    pose.transforms = {pose.spines[0].base, pose.spines[1].base};
  }
  return tube.held(poses, 0);
}

}  // namespace sinew::test
