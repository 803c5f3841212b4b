// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/check_problem.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "arap/weight_system.h"

namespace sinew {
namespace {

Error wrong(std::string place, std::string what) {
  return Error{ErrorCode::bad_argument, std::move(place), std::move(what)};
}

Status check_maps(const InfluenceMaps& maps) {
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto place = [&] { return fmt::format("problem.maps[{}]", i); };
    const auto bones = maps.bones_of(i);
    if (bones.empty()) return wrong(place(), "a vertex without bones cannot move");
    if (bones.back() >= maps.bone_count ||
        std::ranges::adjacent_find(bones, std::ranges::greater_equal()) != bones.end())
      return wrong(place(), "bones must exist and ascend");
    for (const double weight : maps.weights_of(i))
      if (!std::isfinite(weight)) return wrong(place(), "weights must be finite");
  }
  return {};
}

Status check_spines(const WeightProblem& problem) {
  const std::size_t count = problem.positions.size();
  std::set<int> bones;
  for (std::size_t s = 0; s < problem.spines.size(); ++s) {
    const auto& [attached, motions, coefficients] = problem.spines[s];
    const auto place = [&] { return fmt::format("problem.spines[{}]", s); };
    if (attached.bone < 0 || attached.bone >= static_cast<int>(problem.maps.bone_count) ||
        !bones.insert(attached.bone).second)
      return wrong(place(), "must be of a bone, and the only one of it");
    if (attached.parameters.size() != count || attached.gradients.size() != count ||
        coefficients.size() != count || motions.size() != problem.exemplars.size())
      return wrong(place(), "is not of the same vertices and exemplars");
    for (std::size_t i = 0; i < count; ++i)
      if (!(attached.parameters[i] >= 0 && attached.parameters[i] <= 1) ||
          !attached.gradients[i].allFinite())
        return wrong(fmt::format("{}.attached[{}]", place(), i),
                     "needs a parameter between 0 and 1 and a finite gradient");
  }
  return {};
}

Status check_turning(const PartClusters& turning, std::size_t vertices) {
  const auto parts = static_cast<int>(turning.clusters.size());
  if (turning.part.size() != vertices ||
      std::ranges::any_of(turning.part, [&](int part) { return part >= parts; }) ||
      std::ranges::any_of(turning.clusters, [](int clusters) { return clusters < 1; }))
    return wrong("problem.turning", "needs a part of each vertex, and clusters of each part");
  return {};
}

}  // namespace

Status check_problem(const WeightProblem& problem, const WeightSolverOptions& options) {
  const std::size_t count = problem.positions.size();
  if (problem.graph.vertex_count() != count || problem.maps.vertex_count() != count)
    return wrong("problem", "positions, graph and maps are not of the same vertices");
  if (problem.exemplars.empty()) return wrong("problem.exemplars", "there is no pose to fit");
  for (std::size_t x = 0; x < problem.exemplars.size(); ++x) {
    const std::vector<Affine3>& transforms = problem.exemplars[x];
    if (transforms.size() != motion_count(problem))
      return wrong(fmt::format("problem.exemplars[{}]", x),
                   "needs one transform per bone, and those of spines");
    if (!std::ranges::all_of(transforms, [](const Affine3& t) { return t.matrix().allFinite(); }))
      return wrong(fmt::format("problem.exemplars[{}]", x), "transforms must be finite");
  }
  if (problem.mirror && (problem.mirror->vertex.size() != count ||
                         problem.mirror->bone.size() != problem.maps.bone_count))
    return wrong("problem.mirror", "is not of the same vertices and bones");
  if (problem.turning) SINEW_CHECK(check_turning(*problem.turning, count));
  SINEW_CHECK(check_spines(problem));
  SINEW_CHECK(check_maps(problem.maps));
  SINEW_CHECK(check_size(problem, options.harmonic > 0));
  if (!(options.clusterings >= 1) || options.clusters < 1 || options.max_iterations < 0 ||
      !(options.regulariser > 0) || !(options.harmonic >= 0) || !(options.smoothing >= 0))
    return wrong(
        "options",
        "needs a clustering, clusters, iterations, a regulariser above zero, and neither smoothing "
        "nor a harmonic term below it");
  if (options.harmonic > 0 && problem.laplacian.rows() != static_cast<Eigen::Index>(count))
    return wrong("problem.laplacian", "the harmonic term needs one");
  return {};
}

Status check_constraints(const WeightProblem& problem,
                         std::span<const WeightConstraint> constraints) {
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const WeightConstraint& constraint = constraints[c];
    if (constraint.vertex >= problem.positions.size() ||
        !problem.maps.find(constraint.vertex, constraint.bone))
      return wrong(fmt::format("constraints[{}]", c), "the bone does not influence the vertex");
    if (!(constraint.stiffness >= 0) || !std::isfinite(constraint.stiffness) ||
        !std::isfinite(constraint.target))
      return wrong(fmt::format("constraints[{}]", c), "needs a finite target and stiffness");
  }
  return {};
}

}  // namespace sinew
