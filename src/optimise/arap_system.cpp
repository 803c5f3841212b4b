// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// [araplbs] section 4.2, rearranged so that nothing here depends on the number of exemplars. With
// h_i = (v_i, 1), o(i) the base of i and s_ik = a_ik + a_ki:
//   d(ip,kq) = h_iᵀ (G_pq − G_o(i)q − G_po(k) + G_o(i)o(k)) h_k
//   A(ip,iq) = Σ_k s_ik d(ip,iq),  A(ip,kq) = −s_ik d(ip,kq)
//   c(ip) = Σ_k s_ik [h_iᵀ(G_po(i) − G_o(i)o(i)) h_i − h_iᵀ(G_po(k) − G_o(i)o(k)) h_k]
#include "optimise/arap_system.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kVertexGrain = 256;

/// h_iᵀ G_pq h_k for all bones p of i and q of k.
void pair_products(const WeightProblem& problem, const BonePairs& pairs, std::size_t i,
                   std::size_t k, Eigen::MatrixXd& products) {
  const auto of_i = problem.maps.bones_of(i);
  const auto of_k = problem.maps.bones_of(k);
  products.resize(static_cast<Eigen::Index>(of_i.size()), static_cast<Eigen::Index>(of_k.size()));
  for (std::size_t p = 0; p < of_i.size(); ++p)
    for (std::size_t q = 0; q < of_k.size(); ++q)
      products(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(q)) =
          pairs.product(problem.positions[i], of_i[p], problem.positions[k], of_k[q]);
}

/// The same without the bases: d(ip,kq).
void without_bases(const Eigen::MatrixXd& products, std::size_t base_i, std::size_t base_k,
                   Eigen::MatrixXd& differences) {
  const auto o = static_cast<Eigen::Index>(base_i);
  const auto u = static_cast<Eigen::Index>(base_k);
  differences.resize(products.rows() - 1, products.cols() - 1);
  for (Eigen::Index q = 0, column = 0; q < products.cols(); ++q) {
    if (q == u) continue;
    for (Eigen::Index p = 0, row = 0; p < products.rows(); ++p) {
      if (p == o) continue;
      differences(row++, column) =
          (products(p, q) - products(o, q)) - (products(p, u) - products(o, u));
    }
    ++column;
  }
}

/// The lower triangle's pattern: unknowns are numbered by vertex, so that below the diagonal block
/// of a vertex come those of its later neighbours.
SparseMatrix empty_pattern(const WeightProblem& problem, const WeightUnknowns& unknowns) {
  std::vector<Eigen::Index> column_size(static_cast<std::size_t>(unknowns.count()));
  for (std::size_t i = 0; i < problem.positions.size(); ++i) {
    Eigen::Index below = 0;
    for (const VertexIndex k : problem.graph.neighbours_of(i))
      if (k > i) below += unknowns.count_of(k);
    for (Eigen::Index p = 0; p < unknowns.count_of(i); ++p)
      column_size[static_cast<std::size_t>(unknowns.first_of(i) + p)] =
          unknowns.count_of(i) - p + below;
  }
  SparseMatrix matrix(unknowns.count(), unknowns.count());
  Eigen::Index total = 0;
  for (std::size_t column = 0; column < column_size.size(); ++column) {
    matrix.outerIndexPtr()[column] = static_cast<int>(total);
    total += column_size[column];
  }
  matrix.outerIndexPtr()[column_size.size()] = static_cast<int>(total);
  matrix.resizeNonZeros(total);
  return matrix;
}

}  // namespace

WeightUnknowns::WeightUnknowns(const InfluenceMaps& maps) : first_{0} {
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const auto weights = maps.weights_of(i);
    base_.push_back(static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                             weights.begin()));
    first_.push_back(first_.back() + static_cast<Eigen::Index>(weights.size()) - 1);
  }
}

std::vector<double> WeightUnknowns::expand(const InfluenceMaps& maps,
                                           const Eigen::VectorXd& unknowns) const {
  std::vector<double> weights(maps.bones.size());
  parallel_for(maps.vertex_count(), [&](std::size_t i) {
    double rest = 1;
    for (std::size_t place = 0; place < maps.bones_of(i).size(); ++place) {
      if (place == base_[i]) continue;
      const double weight = unknowns[unknown_of(i, place)];
      weights[maps.begin[i] + place] = weight;
      rest -= weight;
    }
    weights[maps.begin[i] + base_[i]] = rest;
  });
  return weights;
}

Eigen::VectorXd WeightUnknowns::reduce(const InfluenceMaps& maps,
                                       const std::vector<double>& weights) const {
  Eigen::VectorXd unknowns(count());
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (std::size_t place = 0; place < maps.bones_of(i).size(); ++place)
      if (place != base_[i]) unknowns[unknown_of(i, place)] = weights[maps.begin[i] + place];
  return unknowns;
}

BonePairs::BonePairs(const WeightProblem& problem, double smoothing)
    : bone_count_(problem.maps.bone_count), index_(bone_count_ * bone_count_, -1) {
  const InfluenceMaps& maps = problem.maps;
  const auto meet = [&](std::size_t i, std::size_t k) {
    for (const std::uint32_t a : maps.bones_of(i))
      for (const std::uint32_t b : maps.bones_of(k))
        index_[std::min(a, b) * bone_count_ + std::max(a, b)] = 0;
  };
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    meet(i, i);
    for (const VertexIndex k : problem.graph.neighbours_of(i))
      if (k > i) meet(i, k);
  }
  std::vector<std::size_t> met;
  for (std::size_t pair = 0; pair < index_.size(); ++pair) {
    if (index_[pair] < 0) continue;
    index_[pair] = static_cast<int>(met.size());
    met.push_back(pair);
  }
  pairs_.assign(met.size(), Eigen::Matrix4d::Zero());
  parallel_for(
      met.size(),
      [&](std::size_t pair) {
        for (const std::vector<Affine3>& exemplar : problem.exemplars)
          pairs_[pair].noalias() += exemplar[met[pair] / bone_count_].matrix().transpose() *
                                    exemplar[met[pair] % bone_count_].matrix();
        if (met[pair] / bone_count_ == met[pair] % bone_count_)
          pairs_[pair](3, 3) +=
              smoothing * smoothing * static_cast<double>(problem.exemplars.size());
      },
      64);
}

ArapSystem assemble_arap(const WeightProblem& problem, const WeightUnknowns& unknowns,
                         const BonePairs& pairs) {
  const MeshGraph& graph = problem.graph;
  const std::vector<std::size_t> back = edges_back(graph);
  ArapSystem system;
  system.quadratic = empty_pattern(problem, unknowns);
  system.linear = Eigen::VectorXd::Zero(unknowns.count());
  int* const rows = system.quadratic.innerIndexPtr();
  double* const values = system.quadratic.valuePtr();
  const int* const columns = system.quadratic.outerIndexPtr();

  struct Constants {
    double quadratic = 0;
    double rest = 0;
  };
  const auto assemble_chunk = [&](ChunkRange range) {
    Constants constants;
    Eigen::MatrixXd own, products, differences;
    std::vector<Eigen::Index> next;
    for (std::size_t i = range.begin; i != range.end; ++i) {
      const auto o = static_cast<Eigen::Index>(unknowns.base_of(i));
      const Eigen::Index size = unknowns.count_of(i);
      const Eigen::Index first = unknowns.first_of(i);
      pair_products(problem, pairs, i, i, own);

      next.assign(static_cast<std::size_t>(size), 0);
      for (Eigen::Index p = 0; p < size; ++p)
        next[static_cast<std::size_t>(p)] = columns[first + p] + size - p;
      double stiffness = 0;  // Σ_k s_ik
      for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
        const std::size_t k = graph.neighbours[e];
        const double s = graph.edge_measure[e] + graph.edge_measure[back[e]];
        stiffness += s;
        const auto u = static_cast<Eigen::Index>(unknowns.base_of(k));
        pair_products(problem, pairs, i, k, products);
        for (Eigen::Index p = 0, row = 0; p < own.rows(); ++p)
          if (p != o)
            system.linear[first + row++] +=
                s * ((own(p, o) - own(o, o)) - (products(p, u) - products(o, u)));
        constants.quadratic += s * (own(o, o) - products(o, u));
        constants.rest +=
            graph.edge_measure[e] * (problem.positions[k] - problem.positions[i]).squaredNorm();
        if (k < i) continue;
        without_bases(products, unknowns.base_of(i), unknowns.base_of(k), differences);
        for (Eigen::Index p = 0; p < size; ++p)
          for (Eigen::Index q = 0; q < unknowns.count_of(k); ++q) {
            const Eigen::Index entry = next[static_cast<std::size_t>(p)]++;
            rows[entry] = static_cast<int>(unknowns.first_of(k) + q);
            values[entry] = -s * differences(p, q);
          }
      }
      without_bases(own, unknowns.base_of(i), unknowns.base_of(i), differences);
      for (Eigen::Index p = 0; p < size; ++p)
        for (Eigen::Index q = p; q < size; ++q) {
          const Eigen::Index entry = columns[first + p] + q - p;
          rows[entry] = static_cast<int>(first + q);
          values[entry] = stiffness * differences(q, p);
        }
    }
    return constants;
  };
  const Constants constants =
      parallel_reduce(problem.positions.size(), kVertexGrain, Constants{}, assemble_chunk,
                      [](Constants sum, const Constants& chunk) {
                        return Constants{sum.quadratic + chunk.quadratic, sum.rest + chunk.rest};
                      });
  system.constant = constants.quadratic;
  system.rest_energy = constants.rest * static_cast<double>(problem.exemplars.size());
  return system;
}

}  // namespace sinew
