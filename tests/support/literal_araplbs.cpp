// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/literal_araplbs.h"

#include <algorithm>
#include <map>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace sinew::test {

LiteralAraplbs::LiteralAraplbs(const WeightProblem& problem, std::vector<std::size_t> eliminated,
                               StretchRule rule)
    : problem_(problem), eliminated_(std::move(eliminated)), rule_(rule), first_{0} {
  for (std::size_t i = 0; i < problem.positions.size(); ++i)
    first_.push_back(first_.back() + static_cast<Eigen::Index>(problem.maps.bones_of(i).size()) -
                     1);
}

Eigen::VectorXd LiteralAraplbs::unknowns(const std::vector<double>& weights) const {
  Eigen::VectorXd result(unknown_count());
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < problem_.positions.size(); ++i)
    for (std::size_t j = 0; j < problem_.maps.bones_of(i).size(); ++j)
      if (j != eliminated_[i]) result[next++] = weights[problem_.maps.begin[i] + j];
  return result;
}

std::vector<double> LiteralAraplbs::weights(const Eigen::VectorXd& unknowns) const {
  std::vector<double> result(problem_.maps.bones.size());
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < problem_.positions.size(); ++i) {
    double others = 0;
    for (std::size_t j = 0; j < problem_.maps.bones_of(i).size(); ++j)
      if (j != eliminated_[i]) others += result[problem_.maps.begin[i] + j] = unknowns[next++];
    result[problem_.maps.begin[i] + eliminated_[i]] = 1 - others;
  }
  return result;
}

LiteralAraplbs::WeightRow LiteralAraplbs::row(std::size_t vertex, std::uint32_t bone) const {
  WeightRow result{Eigen::VectorXd::Zero(unknown_count()), 0};
  const auto bones = problem_.maps.bones_of(vertex);
  Eigen::Index next = first_[vertex];
  for (std::size_t j = 0; j < bones.size(); ++j) {
    if (j == eliminated_[vertex]) continue;
    if (bones[j] == bone) result.factors[next] = 1;
    ++next;
  }
  if (bones[eliminated_[vertex]] == bone) {
    for (Eigen::Index u = first_[vertex]; u < first_[vertex + 1]; ++u) result.factors[u] = -1;
    result.constant = 1;
  }
  return result;
}

Vec3 LiteralAraplbs::phi(std::size_t exemplar, std::size_t vertex, std::size_t place) const {
  const std::uint32_t bone = problem_.maps.bones_of(vertex)[place];
  if (const ProblemSpine* found = spine(bone))
    return spine_transform(found->attached.rest, found->motions[exemplar],
                           found->attached.parameters[vertex]) *
           problem_.positions[vertex];
  return problem_.exemplars[exemplar][bone] * problem_.positions[vertex];
}

const ProblemSpine* LiteralAraplbs::spine(std::uint32_t bone) const {
  for (const ProblemSpine& each : problem_.spines)
    if (each.attached.bone == static_cast<int>(bone)) return &each;
  return nullptr;
}

Eigen::Matrix3d LiteralAraplbs::jacobian(std::size_t exemplar, std::size_t vertex,
                                         std::size_t place) const {
  const ProblemSpine* const found = spine(problem_.maps.bones_of(vertex)[place]);
  if (found == nullptr) return Eigen::Matrix3d::Identity();
  const SpineBone& attached = found->attached;
  return spine_jacobian(attached.rest, found->motions[exemplar], attached.parameters[vertex],
                        problem_.positions[vertex], attached.gradients[vertex]);
}

Vec3 LiteralAraplbs::blended(const std::vector<double>& weights, std::size_t exemplar,
                             std::size_t vertex) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t j = 0; j < problem_.maps.bones_of(vertex).size(); ++j)
    sum += weights[problem_.maps.begin[vertex] + j] * phi(exemplar, vertex, j);
  return sum;
}

template <class Visit>
void LiteralAraplbs::for_each_edge(const Visit& visit) const {
  for (std::size_t i = 0; i < problem_.positions.size(); ++i)
    for (std::size_t n = 0; n < problem_.graph.neighbours_of(i).size(); ++n)
      visit(i, static_cast<std::size_t>(problem_.graph.neighbours_of(i)[n]),
            problem_.graph.edge_measures_of(i)[n]);
}

LiteralAraplbs::EdgeBlock LiteralAraplbs::edge_block(std::size_t exemplar, std::size_t i,
                                                     std::size_t k) const {
  EdgeBlock block;
  const auto add_vertex = [&](std::size_t vertex, double sign) {
    const Vec3 of_eliminated = phi(exemplar, vertex, eliminated_[vertex]);
    block.constant += sign * of_eliminated;
    Eigen::Index next = first_[vertex];
    for (std::size_t j = 0; j < problem_.maps.bones_of(vertex).size(); ++j) {
      if (j == eliminated_[vertex]) continue;
      block.unknowns.push_back(next++);
      block.columns.push_back(sign * (phi(exemplar, vertex, j) - of_eliminated));
    }
  };
  add_vertex(k, 1);
  add_vertex(i, -1);
  return block;
}

Eigen::SparseMatrix<double> LiteralAraplbs::quadratic() const {
  std::vector<std::map<Eigen::Index, double>> columns(static_cast<std::size_t>(unknown_count()));
  for (std::size_t x = 0; x < problem_.exemplars.size(); ++x)
    for_each_edge([&](std::size_t i, std::size_t k, double measure) {
      const EdgeBlock block = edge_block(x, i, k);
      for (std::size_t p = 0; p < block.unknowns.size(); ++p)
        for (std::size_t q = 0; q < block.unknowns.size(); ++q)
          columns[static_cast<std::size_t>(block.unknowns[q])][block.unknowns[p]] +=
              measure * block.columns[p].dot(block.columns[q]);
    });
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t q = 0; q < columns.size(); ++q)
    for (const auto& [p, value] : columns[q])
      entries.emplace_back(static_cast<int>(p), static_cast<int>(q), value);
  Eigen::SparseMatrix<double> matrix(unknown_count(), unknown_count());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Eigen::VectorXd LiteralAraplbs::linear(const Rotations& rotations) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(unknown_count());
  for (std::size_t x = 0; x < problem_.exemplars.size(); ++x)
    for_each_edge([&](std::size_t i, std::size_t k, double measure) {
      const EdgeBlock block = edge_block(x, i, k);
      const Vec3 wanted =
          rotations[x][i] * (problem_.positions[k] - problem_.positions[i]) - block.constant;
      for (std::size_t p = 0; p < block.unknowns.size(); ++p)
        sum[block.unknowns[p]] += measure * block.columns[p].dot(wanted);
    });
  return sum;
}

Eigen::Matrix3d LiteralAraplbs::covariance(const std::vector<double>& weights, std::size_t exemplar,
                                           std::span<const std::size_t> vertices) const {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const std::size_t i : vertices)
    for (std::size_t n = 0; n < problem_.graph.neighbours_of(i).size(); ++n) {
      const std::size_t k = problem_.graph.neighbours_of(i)[n];
      const Vec3 deformed = blended(weights, exemplar, k) - blended(weights, exemplar, i);
      const Vec3 rest = problem_.positions[k] - problem_.positions[i];
      sum += problem_.graph.edge_measures_of(i)[n] * deformed * rest.transpose();
    }
  return sum;
}

template <class Value>
auto LiteralAraplbs::mean_over_bones(const std::vector<double>& weights, std::size_t exemplar,
                                     std::span<const std::size_t> vertices,
                                     const Value& value) const {
  // What only wires hold has no measure.
  const bool has_measure = std::ranges::any_of(
      vertices, [&](std::size_t i) { return problem_.graph.vertex_measure[i] > 0; });
  decltype(value(Eigen::Matrix3d())) sum = value(Eigen::Matrix3d::Identity()) * 0;
  double total = 0;
  for (const std::size_t i : vertices)
    for (std::size_t j = 0; j < problem_.maps.bones_of(i).size(); ++j) {
      const double share = (has_measure ? problem_.graph.vertex_measure[i] : 1) *
                           weights[problem_.maps.begin[i] + j];
      sum += share * value(jacobian(exemplar, i, j));
      total += share;
    }
  return decltype(sum)(sum / total);
}

Eigen::Matrix3d LiteralAraplbs::as_rigid_as_desired(const std::vector<double>& weights,
                                                    std::size_t exemplar,
                                                    std::span<const std::size_t> vertices) const {
  using Svd = Eigen::JacobiSVD<Eigen::Matrix3d>;
  constexpr unsigned kBoth = Eigen::ComputeFullU | Eigen::ComputeFullV;
  const Eigen::Matrix3d cov = covariance(weights, exemplar, vertices);
  if (problem_.spines.empty()) return rotation_by_svd(cov);
  if (rule_ == StretchRule::tensor) {
    const Eigen::Matrix3d stretch =
        mean_over_bones(weights, exemplar, vertices, [](const Eigen::Matrix3d& of_bone) {
          const Svd svd(of_bone, kBoth);
          return Eigen::Matrix3d(svd.matrixV() * svd.singularValues().asDiagonal() *
                                 svd.matrixV().transpose());
        });
    return rotation_by_svd(cov * stretch) * stretch;
  }
  const Svd svd(cov, kBoth);
  Vec3 sigma;
  for (Eigen::Index k = 0; k < 3; ++k)
    sigma[k] = mean_over_bones(weights, exemplar, vertices, [&](const Eigen::Matrix3d& of_bone) {
      return (of_bone * svd.matrixV().col(k)).norm();
    });
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) sigma[2] = -sigma[2];
  return svd.matrixU() * sigma.asDiagonal() * svd.matrixV().transpose();
}

LiteralAraplbs::Rotations LiteralAraplbs::rotations(const std::vector<double>& weights) const {
  std::vector<int> by_itself(problem_.positions.size());
  for (std::size_t i = 0; i < by_itself.size(); ++i) by_itself[i] = static_cast<int>(i);
  return rotations(weights, std::vector(problem_.exemplars.size(), by_itself));
}

LiteralAraplbs::Rotations LiteralAraplbs::rotations(
    const std::vector<double>& weights, const std::vector<std::vector<int>>& cluster_of) const {
  Rotations result;
  for (std::size_t x = 0; x < problem_.exemplars.size(); ++x) {
    std::map<int, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < problem_.positions.size(); ++i)
      members[cluster_of[x][i]].push_back(i);
    std::vector<Eigen::Matrix3d>& of_vertex = result.emplace_back(problem_.positions.size());
    for (const auto& [cluster, vertices] : members) {
      const Eigen::Matrix3d rotation = as_rigid_as_desired(weights, x, vertices);
      for (const std::size_t i : vertices) of_vertex[i] = rotation;
    }
  }
  return result;
}

double LiteralAraplbs::energy(const std::vector<double>& weights,
                              const Rotations& rotations) const {
  double sum = 0;
  for (std::size_t x = 0; x < problem_.exemplars.size(); ++x)
    for_each_edge([&](std::size_t i, std::size_t k, double measure) {
      const Vec3 deformed = blended(weights, x, k) - blended(weights, x, i);
      const Vec3 rest = problem_.positions[k] - problem_.positions[i];
      sum += measure * (deformed - rotations[x][i] * rest).squaredNorm();
    });
  return sum;
}

double LiteralAraplbs::rest_energy() const {
  double sum = 0;
  for_each_edge([&](std::size_t i, std::size_t k, double measure) {
    sum += measure * (problem_.positions[k] - problem_.positions[i]).squaredNorm();
  });
  return sum * static_cast<double>(problem_.exemplars.size());
}

Eigen::Matrix3d rotation_by_svd(const Eigen::Matrix3d& covariance) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance,
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d flip = Eigen::Matrix3d::Identity();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) flip(2, 2) = -1;
  return svd.matrixU() * flip * svd.matrixV().transpose();
}

double rotation_certainty(const Eigen::Matrix3d& covariance) {
  const Vec3 sigma = Eigen::JacobiSVD<Eigen::Matrix3d>(covariance).singularValues();
  if (!(sigma[0] > 0)) return 0;
  return (sigma[1] + (covariance.determinant() < 0 ? -sigma[2] : sigma[2])) / sigma[0];
}

}  // namespace sinew::test
