// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "optimise/weight_system.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

/// Of the mean measure: a vertex without any would leave the matrix singular.
constexpr double kLeastMeasureRel = 1e-3;
/// Entries of the harmonic term before they are added up: bounds its memory.
constexpr std::size_t kEntriesAtATime = 20'000'000;

/// In the vertex's row of bones, which has the constraint's.
std::size_t place_of(const InfluenceMaps& maps, const WeightConstraint& constraint) {
  return *maps.find(constraint.vertex, constraint.bone) - maps.begin[constraint.vertex];
}

/// Σ_ik a_ik |w_k − w_i|².
double roughness(const WeightProblem& problem, const std::vector<double>& weights) {
  const InfluenceMaps& maps = problem.maps;
  return parallel_reduce(
      maps.vertex_count(), kDefaultGrain / 4, 0.0,
      [&](ChunkRange range) {
        double sum = 0;
        for (std::size_t i = range.begin; i != range.end; ++i)
          for (std::size_t e = problem.graph.begin[i]; e < problem.graph.begin[i + 1]; ++e) {
            const std::size_t k = problem.graph.neighbours[e];
            double squares = 0;
            std::size_t a = maps.begin[i];
            std::size_t b = maps.begin[k];
            while (a < maps.begin[i + 1] || b < maps.begin[k + 1]) {
              const bool has_i = a < maps.begin[i + 1] &&
                                 (b == maps.begin[k + 1] || maps.bones[a] <= maps.bones[b]);
              const bool has_k = b < maps.begin[k + 1] &&
                                 (a == maps.begin[i + 1] || maps.bones[b] <= maps.bones[a]);
              const double difference = (has_k ? weights[b] : 0) - (has_i ? weights[a] : 0);
              squares += difference * difference;
              a += has_i ? 1 : 0;
              b += has_k ? 1 : 0;
            }
            sum += problem.graph.edge_measure[e] * squares;
          }
        return sum;
      },
      [](double sum, double chunk) { return sum + chunk; });
}

double quadratic(const SparseMatrix& lower, const Eigen::VectorXd& x) {
  return x.dot(lower.selfadjointView<Eigen::Lower>() * x);
}

}  // namespace

WeightSystem::WeightSystem(const WeightProblem& problem, const WeightTerms& terms)
    : unknowns_(problem.maps),
      arap_(assemble_arap(problem, unknowns_, BonePairs(problem, terms.smoothing))),
      matrix_(arap_.quadratic),
      pulls_(Eigen::VectorXd::Zero(unknowns_.count())),
      smoothing_(terms.smoothing) {
  const std::vector<double>& measures = problem.graph.vertex_measure;
  double total = 0;
  for (const double measure : measures) total += measure;
  const double least = kLeastMeasureRel * (total > 0 ? total : 1) /
                       static_cast<double>(std::max<std::size_t>(1, measures.size()));
  const double per_measure = terms.regulariser * static_cast<double>(problem.exemplars.size());
  for (std::size_t i = 0; i < measures.size(); ++i)
    for (std::size_t place = 0; place < problem.maps.bones_of(i).size(); ++place)
      add_term(i, place, problem.maps.weights_of(i)[place],
               per_measure * std::max(least, measures[i]));
  if (terms.harmonic > 0) add_harmonic(problem, terms.harmonic);
}

void WeightSystem::add_term(std::size_t vertex, std::size_t place, double target,
                            double stiffness) {
  const Eigen::Index size = unknowns_.count_of(vertex);
  const Eigen::Index first = unknowns_.first_of(vertex);
  const Eigen::Index unknown = unknowns_.unknown_of(vertex, place);
  const auto diagonal = [&](Eigen::Index p) {
    return matrix_.valuePtr() + matrix_.outerIndexPtr()[first + p];
  };
  if (unknown >= 0) {
    *diagonal(unknown - first) += stiffness;
    pulls_[unknown] += stiffness * target;
    constant_ += stiffness * target * target;
    return;
  }
  // The base is one minus all others: (1 − Σ w − target)².
  for (Eigen::Index p = 0; p < size; ++p) {
    for (Eigen::Index q = p; q < size; ++q) diagonal(p)[q - p] += stiffness;
    pulls_[first + p] += stiffness * (1 - target);
  }
  constant_ += stiffness * (1 - target) * (1 - target);
}

void WeightSystem::add_constraints(const InfluenceMaps& maps,
                                   std::span<const WeightConstraint> constraints, double sign) {
  for (const WeightConstraint& each : constraints)
    add_term(each.vertex, place_of(maps, each), each.target, sign * each.stiffness);
}

SparseMatrix WeightSystem::columns(const InfluenceMaps& maps,
                                   std::span<const WeightConstraint> constraints) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const auto [vertex, bone, target, stiffness] = constraints[c];
    const Eigen::Index unknown = unknowns_.unknown_of(vertex, place_of(maps, constraints[c]));
    const double root = std::sqrt(stiffness);
    if (unknown >= 0) {
      entries.emplace_back(static_cast<int>(unknown), static_cast<int>(c), root);
      continue;
    }
    for (Eigen::Index p = 0; p < unknowns_.count_of(vertex); ++p)
      entries.emplace_back(static_cast<int>(unknowns_.first_of(vertex) + p), static_cast<int>(c),
                           -root);
  }
  SparseMatrix result(unknowns_.count(), static_cast<Eigen::Index>(constraints.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// [araplbs] Eq. 13, with the Laplacian as the difference from the neighbours' mean, as they
/// conduct, so that triangles and tetrahedra of any size count alike.
void WeightSystem::add_harmonic(const WeightProblem& problem, double harmonic) {
  const InfluenceMaps& maps = problem.maps;
  std::vector<Eigen::Triplet<double>> entries;
  // The unknowns of a vertex are neighbours, so that its block stays at the top of its columns.
  const auto add_entries = [&] {
    SparseMatrix added(matrix_.rows(), matrix_.cols());
    added.setFromTriplets(entries.begin(), entries.end());
    matrix_ = matrix_ + added;
    entries.clear();
  };
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    if (entries.size() > kEntriesAtATime) add_entries();
    const double stiffness = harmonic * paper_stiffness(problem, i);
    const double own =
        problem.laplacian.coeff(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
    if (!(own > 0)) continue;
    struct Row {
      std::map<Eigen::Index, double> factors;
      double constant = 0;
    };
    std::map<std::uint32_t, Row> rows;  // of each bone: Δ_i(w) = factors · unknowns + constant
    for (SparseMatrix::InnerIterator entry(problem.laplacian, static_cast<Eigen::Index>(i)); entry;
         ++entry) {
      const auto k = static_cast<std::size_t>(entry.row());
      const double factor = entry.value() / own;
      for (std::size_t place = 0; place < maps.bones_of(k).size(); ++place) {
        Row& row = rows[maps.bones_of(k)[place]];
        const Eigen::Index unknown = unknowns_.unknown_of(k, place);
        if (unknown >= 0) {
          row.factors[unknown] += factor;
          continue;
        }
        row.constant += factor;
        for (Eigen::Index p = 0; p < unknowns_.count_of(k); ++p)
          row.factors[unknowns_.first_of(k) + p] -= factor;
      }
    }
    for (const auto& [bone, row] : rows) {
      for (auto column = row.factors.begin(); column != row.factors.end(); ++column) {
        for (auto entry = column; entry != row.factors.end(); ++entry)
          entries.emplace_back(static_cast<int>(entry->first), static_cast<int>(column->first),
                               stiffness * entry->second * column->second);
        pulls_[column->first] -= stiffness * row.constant * column->second;
      }
      constant_ += stiffness * row.constant * row.constant;
    }
  }
  add_entries();
  matrix_.makeCompressed();
}

Eigen::VectorXd WeightSystem::right_hand_side(const InfluenceMaps& maps,
                                              const std::vector<double>& beta) const {
  Eigen::VectorXd result = pulls_ - arap_.linear;
  parallel_for(maps.vertex_count(), [&](std::size_t i) {
    const double of_base = beta[maps.begin[i] + unknowns_.base_of(i)];
    for (std::size_t place = 0; place < maps.bones_of(i).size(); ++place)
      if (place != unknowns_.base_of(i))
        result[unknowns_.unknown_of(i, place)] += beta[maps.begin[i] + place] - of_base;
  });
  return result;
}

double WeightSystem::energy(const InfluenceMaps& maps, const std::vector<double>& weights,
                            const std::vector<double>& beta) const {
  const Eigen::VectorXd x = unknowns_.reduce(maps, weights);
  double of_bases = 0;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    of_bases += beta[maps.begin[i] + unknowns_.base_of(i)];
  return quadratic(matrix_, x) - 2 * right_hand_side(maps, beta).dot(x) + constant_ +
         arap_.constant - 2 * of_bases + arap_.rest_energy;
}

double WeightSystem::arap(const WeightProblem& problem, const std::vector<double>& weights,
                          const std::vector<double>& beta) const {
  const Eigen::VectorXd x = unknowns_.reduce(problem.maps, weights);
  double linear = 0;
  for (std::size_t b = 0; b < weights.size(); ++b) linear += weights[b] * beta[b];
  double smoothness = 0;
  if (smoothing_ > 0)
    smoothness = smoothing_ * smoothing_ * static_cast<double>(problem.exemplars.size()) *
                 roughness(problem, weights);
  return quadratic(arap_.quadratic, x) + 2 * arap_.linear.dot(x) - 2 * linear + arap_.constant +
         arap_.rest_energy - smoothness;
}

}  // namespace sinew
