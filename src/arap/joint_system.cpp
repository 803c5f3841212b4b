// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "arap/joint_system.h"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "core/parallel.h"

namespace sinew {
namespace {

/// Vertices are summed in so many chunks at most, each with moments of its own.
constexpr std::size_t kMostChunks = 16;
/// Of the largest eigenvalue: components that are held by less float, and stay.
constexpr double kLooseRel = 1e-9;

struct Share {
  std::uint32_t motion = 0;
  double weight = 0;
};

/// What motions carry a vertex, ascending.
void find_shares(const WeightProblem& problem, const std::vector<int>& spine_of,
                 const std::vector<double>& weights, std::size_t vertex,
                 std::vector<Share>& shares) {
  shares.clear();
  const InfluenceMaps& maps = problem.maps;
  for (std::size_t b = maps.begin[vertex]; b < maps.begin[vertex + 1]; ++b) {
    const std::uint32_t bone = maps.bones[b];
    if (spine_of.empty() || spine_of[bone] < 0) {
      shares.push_back({bone, weights[b]});
      continue;
    }
    const auto spine = static_cast<std::size_t>(spine_of[bone]);
    for (std::size_t n = 0; n < kSpineNodes; ++n)
      shares.push_back({static_cast<std::uint32_t>(first_motion(problem, spine) + n),
                        weights[b] * problem.spines[spine].coefficients[vertex][n]});
  }
  if (!spine_of.empty())
    std::ranges::sort(shares, [](const Share& a, const Share& b) { return a.motion < b.motion; });
}

/// Calls visit(edge's two measures together, g of each motion) once for every edge of a range of
/// vertices with vertices after them.
struct Carried {
  std::uint32_t motion = 0;
  Eigen::Vector4d moment = Eigen::Vector4d::Zero();
};
template <class Visit>
void for_each_edge(const WeightProblem& problem, const std::vector<double>& weights,
                   ChunkRange range, const Visit& visit) {
  const std::vector<int> spine_of = spine_of_bones(problem);
  std::vector<Share> mine, theirs;
  std::vector<Carried> carried;
  for (std::size_t i = range.begin; i != range.end; ++i) {
    find_shares(problem, spine_of, weights, i, mine);
    const Eigen::Vector4d here = problem.positions[i].homogeneous();
    for (std::size_t e = problem.graph.begin[i]; e < problem.graph.begin[i + 1]; ++e) {
      const std::size_t k = problem.graph.neighbours[e];
      if (k <= i) continue;
      const double measure = problem.graph.edge_measure[e] +
                             problem.graph.edge_measure[edge_back(problem.graph, i, e)];
      find_shares(problem, spine_of, weights, k, theirs);
      const Eigen::Vector4d there = problem.positions[k].homogeneous();
      carried.clear();
      for (auto a = mine.begin(), b = theirs.begin(); a != mine.end() || b != theirs.end();) {
        const bool takes_a = a != mine.end() && (b == theirs.end() || a->motion <= b->motion);
        const bool takes_b = b != theirs.end() && (a == mine.end() || b->motion <= a->motion);
        Carried each;
        each.motion = takes_a ? a->motion : b->motion;
        if (takes_b) each.moment += (b++)->weight * there;
        if (takes_a) each.moment -= (a++)->weight * here;
        carried.push_back(each);
      }
      visit(measure, carried);
    }
  }
}

}  // namespace

EdgeMoments::EdgeMoments(const WeightProblem& problem, const std::vector<double>& weights)
    : motion_count_(motion_count(problem)) {
  const std::size_t vertices = problem.positions.size();
  std::vector<int> index(motion_count_ * motion_count_, -1);
  for_each_edge(problem, weights, {0, vertices}, [&](double, const std::vector<Carried>& carried) {
    for (std::size_t a = 0; a < carried.size(); ++a)
      for (std::size_t b = a; b < carried.size(); ++b)
        index[carried[a].motion * motion_count_ + carried[b].motion] = 0;
  });
  for (std::size_t at = 0; at < index.size(); ++at) {
    if (index[at] < 0) continue;
    index[at] = static_cast<int>(pairs_.size());
    pairs_.push_back({static_cast<std::uint32_t>(at / motion_count_),
                      static_cast<std::uint32_t>(at % motion_count_), Eigen::Matrix4d::Zero()});
  }
  using Moments = std::vector<Eigen::Matrix4d>;
  const Moments sums = parallel_reduce(
      vertices, std::max(kDefaultGrain, vertices / kMostChunks + 1), Moments(),
      [&](ChunkRange range) {
        Moments moments(pairs_.size(), Eigen::Matrix4d::Zero());
        for_each_edge(problem, weights, range,
                      [&](double measure, const std::vector<Carried>& carried) {
                        for (std::size_t a = 0; a < carried.size(); ++a) {
                          const Eigen::Vector4d scaled = measure * carried[a].moment;
                          const int* const row = index.data() + carried[a].motion * motion_count_;
                          for (std::size_t b = a; b < carried.size(); ++b)
                            moments[static_cast<std::size_t>(row[carried[b].motion])].noalias() +=
                                scaled * carried[b].moment.transpose();
                        }
                      });
        return moments;
      },
      [](Moments total, Moments part) {
        if (total.empty()) return part;
        for (std::size_t p = 0; p < total.size(); ++p) total[p] += part[p];
        return total;
      });
  for (std::size_t p = 0; p < sums.size(); ++p) pairs_[p].moment = sums[p];
}

double EdgeMoments::square(std::span<const Affine3> motions) const {
  double sum = 0;
  for (const Pair& pair : pairs_) {
    const Eigen::Matrix<double, 3, 4> carried = motions[pair.a].matrix() * pair.moment;
    sum += (pair.a == pair.b ? 1 : 2) * carried.cwiseProduct(motions[pair.b].matrix()).sum();
  }
  return sum;
}

void EdgeMoments::subtract_pulls(std::span<const Affine3> motions, std::span<Vec3> from) const {
  for (const Pair& pair : pairs_) {
    from[pair.b] -= motions[pair.a].matrix() * pair.moment.col(3);
    if (pair.a != pair.b) from[pair.a] -= motions[pair.b].matrix() * pair.moment.row(3).transpose();
  }
}

Eigen::MatrixXd EdgeMoments::laplacian() const {
  const auto size = static_cast<Eigen::Index>(motion_count_);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size, size);
  for (const Pair& pair : pairs_) {
    result(pair.a, pair.b) = pair.moment(3, 3);
    result(pair.b, pair.a) = pair.moment(3, 3);
  }
  return result;
}

JointSystem::JointSystem(const JointRelation& relation, const Eigen::MatrixXd& laplacian,
                         std::size_t joint_count, std::size_t component_count)
    : relation_(relation), laplacian_(laplacian) {
  const auto components = static_cast<Eigen::Index>(component_count);
  const auto motions = static_cast<Eigen::Index>(relation.component.size());
  Eigen::MatrixXd pulled = Eigen::MatrixXd::Zero(motions, components);  // L S
  Eigen::MatrixXd between = Eigen::MatrixXd::Zero(components, components);
  for (Eigen::Index m = 0; m < motions; ++m)
    pulled.col(relation.component[static_cast<std::size_t>(m)]) += laplacian_.col(m);
  for (Eigen::Index m = 0; m < motions; ++m)
    between.row(relation.component[static_cast<std::size_t>(m)]) += pulled.row(m);
  // A translation of all components at once costs nothing, so this never has full rank.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(between);
  Eigen::VectorXd inverse = eigen.eigenvalues();
  const double loose = kLooseRel * std::max(laplacian_.diagonal().sum(), 0.0);
  for (double& value : inverse) value = value > loose ? 1 / value : 0;
  components_inverse_ =
      eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
  const Eigen::MatrixXd held = laplacian_ - pulled * components_inverse_ * pulled.transpose();

  const std::vector<JointEffect>& effects = relation.effects;
  const auto effect_count = static_cast<Eigen::Index>(effects.size());
  Eigen::MatrixXd half(motions, effect_count);  // L̃ U
  for (Eigen::Index q = 0; q < effect_count; ++q) {
    half.col(q).setZero();
    for (const int m : effects[static_cast<std::size_t>(q)].motions) half.col(q) += held.col(m);
  }
  const auto size = static_cast<Eigen::Index>(3 * joint_count);
  std::vector<Eigen::MatrixXd> rows(effects.size());  // of each effect against all joints
  parallel_for(
      effects.size(),
      [&](std::size_t q) {
        rows[q] = Eigen::MatrixXd::Zero(3, size);
        for (std::size_t r = 0; r < effects.size(); ++r) {
          double between_effects = 0;
          for (const int m : effects[q].motions)
            between_effects += half(m, static_cast<Eigen::Index>(r));
          if (between_effects == 0) continue;
          Eigen::Matrix3d products = Eigen::Matrix3d::Zero();
          for (std::size_t x = 0; x < effects[q].factors.size(); ++x)
            products.noalias() += effects[q].factors[x].transpose() * effects[r].factors[x];
          rows[q].middleCols<3>(3 * effects[r].joint) += between_effects * products;
        }
      },
      1);
  quadratic_ = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t q = 0; q < effects.size(); ++q)
    quadratic_.middleRows<3>(3 * effects[q].joint) += rows[q];
  quadratic_ = (quadratic_ + quadratic_.transpose()).eval() / 2;
}

Eigen::MatrixX3d JointSystem::by_component(const Eigen::MatrixX3d& motions) const {
  Eigen::MatrixX3d sums = Eigen::MatrixX3d::Zero(components_inverse_.rows(), 3);
  for (Eigen::Index m = 0; m < motions.rows(); ++m)
    sums.row(relation_.component[static_cast<std::size_t>(m)]) += motions.row(m);
  return sums;
}

Eigen::VectorXd JointSystem::linear(const std::vector<std::vector<Vec3>>& pulls) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(quadratic_.rows());
  for (std::size_t x = 0; x < pulls.size(); ++x) {
    Eigen::MatrixX3d free(static_cast<Eigen::Index>(pulls[x].size()), 3);
    for (std::size_t m = 0; m < pulls[x].size(); ++m)
      free.row(static_cast<Eigen::Index>(m)) = pulls[x][m].transpose();
    // What components take up on their own is not for joints to do.
    const Eigen::MatrixX3d taken = components_inverse_ * by_component(free);
    Eigen::MatrixX3d spread(free.rows(), 3);
    for (Eigen::Index m = 0; m < free.rows(); ++m)
      spread.row(m) = taken.row(relation_.component[static_cast<std::size_t>(m)]);
    free -= laplacian_ * spread;
    for (const JointEffect& effect : relation_.effects) {
      Vec3 sum = Vec3::Zero();
      for (const int m : effect.motions) sum += free.row(m).transpose();
      result.segment<3>(3 * effect.joint) += effect.factors[x].transpose() * sum;
    }
  }
  return result;
}

std::vector<Vec3> JointSystem::shifts(std::size_t exemplar, std::span<const Vec3> pulls,
                                      const Eigen::VectorXd& joints) const {
  Eigen::MatrixX3d moved = Eigen::MatrixX3d::Zero(static_cast<Eigen::Index>(pulls.size()), 3);
  for (const JointEffect& effect : relation_.effects) {
    const Vec3 shift = effect.factors[exemplar] * joints.segment<3>(3 * effect.joint);
    for (const int m : effect.motions) moved.row(m) += shift.transpose();
  }
  Eigen::MatrixX3d wanted = -(laplacian_ * moved);
  for (std::size_t m = 0; m < pulls.size(); ++m)
    wanted.row(static_cast<Eigen::Index>(m)) += pulls[m].transpose();
  const Eigen::MatrixX3d components = components_inverse_ * by_component(wanted);
  std::vector<Vec3> result(pulls.size());
  for (std::size_t m = 0; m < result.size(); ++m)
    result[m] = (moved.row(static_cast<Eigen::Index>(m)) + components.row(relation_.component[m]))
                    .transpose();
  return result;
}

}  // namespace sinew
