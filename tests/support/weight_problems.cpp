// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/weight_problems.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Cholesky>

#include "math/random.h"
#include "rig/leaf_tails.h"
#include "sinew/bind/bind.h"
#include "sinew/poses/exemplars.h"
#include "sinew/weights/heat.h"
#include "sinew/weights/sparsify.h"
#include "support/checked.h"
#include "support/literal_araplbs.h"
#include "support/made_skeletons.h"
#include "support/mesh_zoo.h"
#include "weights/linked_parts.h"

namespace sinew::test {
MadeProblem made_problem(const Character& character, int exemplars) {
  const std::vector<BoneRole> roles = decide_deforming_bones(character, {});
  const EffectiveHierarchy hierarchy =
      find_effective_hierarchy(character, roles, HierarchyChoice::effective);
  const Skeleton skeleton =
      guess_leaf_tails(effective_skeleton(character.skeleton, roles, hierarchy), character.mesh,
                       character.weights)
          .skeleton;
  const PreparedMesh prepared = prepare_mesh(character.mesh);
  const BoneSegments segments(skeleton, prepared.frame);
  MadeProblem made;
  made.cells = find_bone_cells(prepared, segments);
  const std::vector<PartLink> links = checked(find_part_links(prepared, segments, made.cells));
  std::vector<bool> stands(prepared.parts.count(), true);
  for (const PartLink& link : links) stands[static_cast<std::size_t>(link.part)] = false;
  const SkinWeights heat = weights_for_linked_parts(
      prepared, links, checked(heat_weights(prepared, made.cells, stands)).weights);
  ExemplarOptions options;
  options.count = exemplars;
  const std::vector<Exemplar> poses =
      sample_exemplars(character.skeleton, roles, hierarchy, options);
  ConstrainedProblem constrained = constrain_as_paper(
      make_weight_problem(prepared,
                          widen_steep_edges(sparsify(heat, prepared.graph, skeleton),
                                            prepared.graph, BindOptions().steep_edge),
                          poses),
      made.cells, links);
  made.problem = std::move(constrained.problem);
  made.problem.laplacian = prepared.laplacian;
  made.constraints = std::move(constrained.constraints);
  return made;
}

WeightProblem random_problem(const Mesh& mesh, const RandomProblemOptions& options) {
  Random random(options.seed);
  const PreparedMesh prepared = prepare_mesh(mesh);
  WeightProblem problem;
  problem.positions = prepared.mesh.positions();
  problem.graph = prepared.graph;
  problem.laplacian = prepared.laplacian;
  problem.maps.bone_count = options.bones;
  for (std::size_t i = 0; i < problem.positions.size(); ++i) {
    const auto count = static_cast<std::size_t>(random.uniform(
        1, static_cast<double>(std::min(options.bones, options.most_influences)) + 1));
    std::vector<std::uint32_t> bones;
    while (bones.size() < count) {
      const auto bone =
          static_cast<std::uint32_t>(random.uniform(0, static_cast<double>(options.bones)));
      if (std::find(bones.begin(), bones.end(), bone) == bones.end()) bones.push_back(bone);
    }
    std::sort(bones.begin(), bones.end());
    double sum = 0;
    const std::size_t first = problem.maps.weights.size();
    for (const std::uint32_t bone : bones) {
      problem.maps.bones.push_back(bone);
      problem.maps.weights.push_back(random.uniform(0.1, 1));
      sum += problem.maps.weights.back();
    }
    for (std::size_t b = first; b < problem.maps.weights.size(); ++b)
      problem.maps.weights[b] /= sum;
    problem.maps.begin.push_back(problem.maps.bones.size());
  }
  for (int x = 0; x < options.exemplars; ++x) {
    std::vector<Affine3>& transforms = problem.exemplars.emplace_back();
    for (std::size_t bone = 0; bone < options.bones; ++bone) {
      const Quat turn(random.normal(), random.normal(), random.normal(), random.normal());
      Affine3 transform = Affine3::Identity();
      transform.linear() = turn.normalized().toRotationMatrix();
      transform.translation() =
          Vec3(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3));
      transforms.push_back(transform);
    }
  }
  return problem;
}

std::vector<NamedProblem> random_problems() {
  std::vector<NamedProblem> problems;
  for (const ZooMesh& zoo : mesh_zoo())
    problems.push_back({zoo.name, random_problem(zoo.mesh, {.seed = problems.size()})});
  problems.push_back(
      {"cube of tetrahedra", random_problem(tetrahedral_cube().mesh,
                                            {.bones = 2, .most_influences = 2, .exemplars = 8})});
  return problems;
}

Character tetrahedral_cube() {
  MeshData data = tetrahedral_data();
  for (Vec3& position : data.positions) position.y() *= 0.2;  // as high as it is wide
  Character character = limb_character(std::move(data));
  character.skeleton = make_skeleton({{"lower", -1, {0, 0, 0}}, {"upper", 0, {0, 0.2, 0}}});
  return character;
}

Character chain_character() {
  Character character = limb_character(limb_data({8, 17, 0.2, 2}));
  character.skeleton = make_skeleton(
      {{"a", -1, {0, 0, 0}}, {"b", 0, {0, 0.5, 0}}, {"c", 1, {0, 1, 0}}, {"d", 2, {0, 1.5, 0}}});
  character.weights = SkinWeights(character.mesh.vertex_count(), 4);
  return character;
}

WeightSolver made_solver(WeightProblem problem, std::vector<WeightConstraint> constraints,
                         const WeightSolverOptions& options) {
  return checked(WeightSolver::create(std::move(problem), std::move(constraints), options));
}

void solve(WeightSolver& solver) {
  while (!solver.converged())
    if (const Status status = solver.step(); !status.ok())
      throw std::runtime_error(status.error().to_string());
}

WeightSolverOptions plain_solver(RotationMode rotations) {
  WeightSolverOptions options;
  options.rotations = rotations;
  options.positivity = WeightSolverOptions::Positivity::off;
  options.filter = WeightSolverOptions::Filter::off;
  return options;
}

std::vector<int> scattered_clusters(std::size_t vertices, int count, int shift) {
  std::vector<int> clusters(vertices);
  for (std::size_t i = 0; i < vertices; ++i)
    clusters[i] = (static_cast<int>(i) * 7 + shift) % count;
  return clusters;
}

std::vector<std::size_t> strongest_places(const InfluenceMaps& maps) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto weights = maps.weights_of(i);
    places.push_back(static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                              weights.begin()));
  }
  return places;
}

std::vector<double> dense_step(const WeightProblem& problem,
                               const std::vector<WeightConstraint>& constraints, double regulariser,
                               const std::vector<FlatConstraint>& flat) {
  const LiteralAraplbs literal(problem, strongest_places(problem.maps));
  Eigen::MatrixXd quadratic(literal.quadratic());
  Eigen::VectorXd linear = literal.linear(literal.rotations(problem.maps.weights));
  const auto add_row = [&](const LiteralAraplbs::WeightRow& row, double target, double stiffness) {
    quadratic += stiffness * row.factors * row.factors.transpose();
    linear += stiffness * (target - row.constant) * row.factors;
  };
  for (std::size_t i = 0; i < problem.positions.size(); ++i)
    for (std::size_t place = 0; place < problem.maps.bones_of(i).size(); ++place)
      add_row(literal.row(i, problem.maps.bones_of(i)[place]), problem.maps.weights_of(i)[place],
              regulariser * problem.graph.vertex_measure[i] *
                  static_cast<double>(problem.exemplars.size()));
  for (const WeightConstraint& each : constraints)
    add_row(literal.row(each.vertex, each.bone), each.target, each.stiffness);
  const Eigen::MatrixXd laplacian(problem.laplacian);
  for (const FlatConstraint& each : flat) {
    LiteralAraplbs::WeightRow sum{Eigen::VectorXd::Zero(literal.unknown_count()), 0};
    for (Eigen::Index k = 0; k < laplacian.rows(); ++k) {
      const double factor = laplacian(each.vertex, k) / laplacian(each.vertex, each.vertex);
      const LiteralAraplbs::WeightRow row = literal.row(static_cast<std::size_t>(k), each.bone);
      sum.factors += factor * row.factors;
      sum.constant += factor * row.constant;
    }
    add_row(sum, 0, each.stiffness);
  }
  return literal.weights(quadratic.ldlt().solve(linear));
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace sinew::test
