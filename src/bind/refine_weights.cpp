// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/refine_weights.h"

#include <Eigen/IterativeLinearSolvers>

#include "arap/clusterings.h"
#include "arap/weight_system.h"
#include "bind/solve_problem.h"
#include "sinew/arap/finish_weights.h"

namespace sinew {
namespace {

constexpr int kRounds = 3;             // of rotations and weights
constexpr int kGradientSteps = 15;     // of each: errors that are ten vertices wide are the coarse
                                       // mesh's to find
constexpr double kNoResidual = 1e-12;  // the number of steps decides

SkinWeights without_negative(const InfluenceMaps& maps, const std::vector<double>& weights) {
  std::vector<std::vector<Influence>> rows(maps.vertex_count());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
      if (weights[b] > 0) rows[i].push_back({maps.bones[b], weights[b]});
  return SkinWeights::from_rows(maps.bone_count, rows);
}

}  // namespace

Result<SkinWeights> refine_weights(const Character& character, const PreparedBind& prepared,
                                   const SkinWeights& carried, std::span<const Exemplar> exemplars,
                                   const BindPlan& plan, const Progress& progress) {
  SINEW_CHECK(progress.checkpoint("refine", 0));
  const ConstrainedProblem constrained =
      make_refined_problem(character, prepared, carried, exemplars, plan);
  const WeightProblem& problem = constrained.problem;
  SINEW_CHECK(check_size(problem));
  const WeightSolverOptions& solving = plan.solver;
  WeightSystem system(problem, {solving.regulariser, 0, solving.smoothing});
  system.add_constraints(problem.maps, constrained.constraints, 1);
  if (system.unknowns().count() == 0) return carried;
  SINEW_CHECK(progress.checkpoint("refine", 0.3));
  const std::vector<RotationTables> tables = rotation_tables(
      problem,
      make_clusterings(problem,
                       {solving.rotations, solving.clusterings, solving.clusters, solving.seed}),
      solving.rotation_precision);
  Eigen::ConjugateGradient<SparseMatrix, Eigen::Lower> gradients(system.matrix_without_flat());
  gradients.setMaxIterations(kGradientSteps);
  gradients.setTolerance(kNoResidual);
  std::vector<double> weights = problem.maps.weights;
  for (int round = 0; round < kRounds; ++round) {
    SINEW_CHECK(progress.checkpoint("refine", 0.5 + 0.5 * round / kRounds));
    std::vector<double> beta(weights.size(), 0);
    RotationTables::add_linear(tables, problem, weights, beta);
    const Eigen::VectorXd solved =
        gradients.solveWithGuess(system.right_hand_side(problem.maps, beta),
                                 system.unknowns().reduce(problem.maps, weights));
    weights = system.unknowns().expand(problem.maps, solved);
  }
  const std::vector<bool> strays = find_strays(problem, weights, prepared.mesh.parts.of_vertex);
  for (std::size_t b = 0; b < weights.size(); ++b)
    if (strays[b]) weights[b] = 0;
  return without_negative(problem.maps, weights);
}

}  // namespace sinew
