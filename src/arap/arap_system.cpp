// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// [araplbs] section 4.2, rearranged so that nothing here depends on the number of exemplars. With
// h_i = (v_i, 1), o(i) the base of i and s_ik = a_ik + a_ki:
//   d(ip,kq) = h_iᵀ (G_pq − G_o(i)q − G_po(k) + G_o(i)o(k)) h_k
//   A(ip,iq) = Σ_k s_ik d(ip,iq),  A(ip,kq) = −s_ik d(ip,kq)
//   c(ip) = Σ_k s_ik [h_iᵀ(G_po(i) − G_o(i)o(i)) h_i − h_iᵀ(G_po(k) − G_o(i)o(k)) h_k]
// Where p or q is a spine, G_pq at i and k is Σ_nm φ_n(u_i) φ_m(u_k) G of its motions n and m.
#include "arap/arap_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kVertexGrain = 256;
/// Vertices that note the pairs of bones they meet in a table of their own: so many, and few enough
/// pieces to set those up.
constexpr std::size_t kMarkingGrain = 1024;
constexpr std::size_t kMarkingPieces = 8;

/// h_iᵀ G_pq h_k of one vertex i after the other, with its neighbours k. What a bone q has with all
/// bones p of i is found once: most neighbours have the same bones.
class PairProducts {
 public:
  PairProducts(const WeightProblem& problem, const BonePairs& pairs)
      : problem_(problem), pairs_(pairs), column_(problem.maps.bone_count, kNoColumn) {}

  void set_vertex(std::size_t i) {
    vertex_ = i;
    for (const std::uint32_t bone : bones_) column_[bone] = kNoColumn;
    bones_.clear();
    of_vertex_.clear();
  }

  /// For all bones p of the vertex and these bones q of k.
  void find(std::size_t k, std::span<const std::uint32_t> of_k, Eigen::MatrixXd& products) {
    const auto of_i = problem_.maps.bones_of(vertex_);
    products.resize(static_cast<Eigen::Index>(of_i.size()), static_cast<Eigen::Index>(of_k.size()));
    const Eigen::Vector4d point = problem_.positions[k].homogeneous();
    for (std::size_t q = 0; q < of_k.size(); ++q) {
      const auto column = static_cast<Eigen::Index>(q);
      if (pairs_.has_spines()) {
        for (std::size_t p = 0; p < of_i.size(); ++p)
          products(static_cast<Eigen::Index>(p), column) =
              pairs_.product_at(problem_, vertex_, of_i[p], k, of_k[q]);
        continue;
      }
      const std::size_t first = column_of(of_k[q]);
      const Eigen::Vector4d* const of_bone = of_vertex_.data() + first;
      for (std::size_t p = 0; p < of_i.size(); ++p)
        products(static_cast<Eigen::Index>(p), column) = of_bone[p].dot(point);
    }
  }

 private:
  static constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();

  /// Where G_pqᵀ h_i of all p are.
  std::size_t column_of(std::uint32_t q) {
    if (column_[q] != kNoColumn) return column_[q];
    column_[q] = of_vertex_.size();
    bones_.push_back(q);
    for (const std::uint32_t p : problem_.maps.bones_of(vertex_))
      of_vertex_.push_back(pairs_.transposed_times(problem_.positions[vertex_], p, q));
    return column_[q];
  }

  const WeightProblem& problem_;
  const BonePairs& pairs_;
  std::size_t vertex_ = 0;
  std::vector<std::size_t> column_;         // of each bone, in the next
  std::vector<Eigen::Vector4d> of_vertex_;  // of the bones that were met, for all p
  std::vector<std::uint32_t> bones_;        // those
};

constexpr std::array<double, 1> kRigid{1};

/// How a vertex mixes the motions of a bone.
std::span<const double> coefficients_of(const WeightProblem& problem, int spine, std::size_t i) {
  if (spine < 0) return kRigid;
  return problem.spines[static_cast<std::size_t>(spine)].coefficients[i];
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

/// Fills in one vertex after the other; the pattern of the matrix is there already.
class Assembly {
 public:
  Assembly(const WeightProblem& problem, const WeightUnknowns& unknowns, const BonePairs& pairs,
           ArapSystem& system)
      : problem_(problem), unknowns_(unknowns), pairs_(problem, pairs), system_(system) {}

  void compute(std::size_t i) {
    const MeshGraph& graph = problem_.graph;
    const auto o = static_cast<Eigen::Index>(unknowns_.base_of(i));
    const Eigen::Index size = unknowns_.count_of(i);
    const Eigen::Index first = unknowns_.first_of(i);
    int* const rows = system_.quadratic.innerIndexPtr();
    double* const values = system_.quadratic.valuePtr();
    const int* const columns = system_.quadratic.outerIndexPtr();
    ArapSystem::VertexShare share;
    pairs_.set_vertex(i);
    pairs_.find(i, problem_.maps.bones_of(i), own_);

    next_.assign(static_cast<std::size_t>(size), 0);
    for (Eigen::Index p = 0; p < size; ++p)
      next_[static_cast<std::size_t>(p)] = columns[first + p] + size - p;
    double stiffness = 0;  // Σ_k s_ik
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      const std::size_t k = graph.neighbours[e];
      const double s = graph.edge_measure[e] + graph.edge_measure[edge_back(graph, i, e)];
      stiffness += s;
      // Of an earlier neighbour, which has their block of the matrix, only the base is needed.
      const auto bones = problem_.maps.bones_of(k);
      const std::size_t base = unknowns_.base_of(k);
      const auto u = static_cast<Eigen::Index>(k < i ? 0 : base);
      pairs_.find(k, k < i ? bones.subspan(base, 1) : bones, products_);
      for (Eigen::Index p = 0, row = 0; p < own_.rows(); ++p)
        if (p != o)
          system_.linear[first + row++] +=
              s * ((own_(p, o) - own_(o, o)) - (products_(p, u) - products_(o, u)));
      share.constant += s * (own_(o, o) - products_(o, u));
      share.rest +=
          graph.edge_measure[e] * (problem_.positions[k] - problem_.positions[i]).squaredNorm();
      if (k < i) continue;
      without_bases(products_, unknowns_.base_of(i), base, differences_);
      for (Eigen::Index p = 0; p < size; ++p)
        for (Eigen::Index q = 0; q < unknowns_.count_of(k); ++q) {
          const Eigen::Index entry = next_[static_cast<std::size_t>(p)]++;
          rows[entry] = static_cast<int>(unknowns_.first_of(k) + q);
          values[entry] = -s * differences_(p, q);
        }
    }
    without_bases(own_, unknowns_.base_of(i), unknowns_.base_of(i), differences_);
    for (Eigen::Index p = 0; p < size; ++p)
      for (Eigen::Index q = p; q < size; ++q) {
        const Eigen::Index entry = columns[first + p] + q - p;
        rows[entry] = static_cast<int>(first + q);
        values[entry] = stiffness * differences_(q, p);
      }
    system_.shares[i] = share;
  }

  /// From a system in which neither this vertex nor a neighbour was another.
  void move(std::size_t i, const ArapBefore& before) {
    const Eigen::Index size = unknowns_.count_of(i);
    const Eigen::Index first = unknowns_.first_of(i);
    const Eigen::Index old_first = before.unknowns.first_of(i);
    for (Eigen::Index p = 0; p < size; ++p) {
      const int begin = system_.quadratic.outerIndexPtr()[first + p];
      const int count = system_.quadratic.outerIndexPtr()[first + p + 1] - begin;
      std::copy_n(before.system.quadratic.valuePtr() +
                      before.system.quadratic.outerIndexPtr()[old_first + p],
                  count, system_.quadratic.valuePtr() + begin);
      int* row = system_.quadratic.innerIndexPtr() + begin;
      for (Eigen::Index q = p; q < size; ++q) *row++ = static_cast<int>(first + q);
      for (const VertexIndex k : problem_.graph.neighbours_of(i))
        if (k > i)
          for (Eigen::Index q = 0; q < unknowns_.count_of(k); ++q)
            *row++ = static_cast<int>(unknowns_.first_of(k) + q);
    }
    system_.linear.segment(first, size) = before.system.linear.segment(old_first, size);
    system_.shares[i] = before.system.shares[i];
  }

 private:
  const WeightProblem& problem_;
  const WeightUnknowns& unknowns_;
  PairProducts pairs_;
  ArapSystem& system_;
  Eigen::MatrixXd own_, products_, differences_;
  std::vector<Eigen::Index> next_;
};

/// Calls fill(assembly, vertex) for every vertex, then adds up the shares.
template <class Fill>
ArapSystem assemble(const WeightProblem& problem, const WeightUnknowns& unknowns,
                    const BonePairs& pairs, const Fill& fill) {
  ArapSystem system{.quadratic = empty_pattern(problem, unknowns),
                    .linear = Eigen::VectorXd::Zero(unknowns.count()),
                    .shares = std::vector<ArapSystem::VertexShare>(problem.positions.size())};
  parallel_for_chunks(problem.positions.size(), kVertexGrain, [&](ChunkRange range) {
    Assembly assembly(problem, unknowns, pairs, system);
    for (std::size_t i = range.begin; i != range.end; ++i) fill(assembly, i);
  });
  double rest = 0;
  for (const ArapSystem::VertexShare& share : system.shares) {
    system.constant += share.constant;
    rest += share.rest;
  }
  system.rest_energy = rest * static_cast<double>(problem.exemplars.size());
  return system;
}

/// Ones where vertices are coupled: for_each_coupled(i, take) hands over all that vertex i meets.
/// Vertices that are one by symmetry meet whatever either of them meets: the order of the whole
/// mesh would be a poor one for the half that is solved for.
template <typename ForEachCoupled>
SparseMatrix lower_pattern(const WeightProblem& problem, Ordered ordered,
                           const ForEachCoupled& for_each_coupled) {
  const auto image_of = [&](Eigen::Index i) -> Eigen::Index {
    const int image = problem.mirror ? problem.mirror->vertex[static_cast<std::size_t>(i)] : -1;
    return image < 0 ? i : image;
  };
  const auto is_unknown = [&](Eigen::Index i) {
    return ordered == Ordered::all || problem.maps.bones_of(static_cast<std::size_t>(i)).size() > 1;
  };
  const auto size = static_cast<Eigen::Index>(problem.positions.size());
  SparseMatrix pattern(size, size);
  pattern.reserve(size + static_cast<Eigen::Index>(problem.graph.neighbours.size() / 2));
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < size; ++i) {
    rows.assign(1, i);
    const auto take = [&](Eigen::Index k) {
      if (is_unknown(k)) rows.push_back(std::min(k, image_of(k)));
    };
    if (const Eigen::Index image = image_of(i); image >= i && is_unknown(i)) {
      for_each_coupled(i, take);
      if (image > i) for_each_coupled(image, take);
    }
    std::erase_if(rows, [i](Eigen::Index row) { return row < i; });
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    pattern.startVec(i);
    for (const Eigen::Index row : rows) pattern.insertBack(row, i) = 1;
  }
  pattern.finalize();
  return pattern;
}

/// The mean cube of how many unknowns vertices have.
double products_each(const WeightProblem& problem) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.maps.vertex_count(); ++i)
    sum += std::pow(static_cast<double>(problem.maps.bones_of(i).size()) - 1, 3);
  return sum / static_cast<double>(std::max<std::size_t>(1, problem.maps.vertex_count()));
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
  parallel_for(maps.vertex_count(), [&](std::size_t i) {
    for (std::size_t place = 0; place < maps.bones_of(i).size(); ++place)
      if (place != base_[i]) unknowns[unknown_of(i, place)] = weights[maps.begin[i] + place];
  });
  return unknowns;
}

BonePairs::BonePairs(const WeightProblem& problem, double smoothing)
    : smoothing_(smoothing),
      bone_count_(problem.maps.bone_count),
      spine_of_(spine_of_bones(problem)),
      index_(bone_count_ * bone_count_, kNever) {
  const std::size_t grain =
      std::max(kMarkingGrain, chunk_count(problem.maps.vertex_count(), kMarkingPieces));
  std::vector<std::vector<bool>> met(chunk_count(problem.maps.vertex_count(), grain));
  parallel_for_chunks(problem.maps.vertex_count(), grain, [&](ChunkRange range) {
    std::vector<bool>& pairs = met[range.begin / grain];
    pairs.assign(index_.size(), false);
    const auto meet = [&](std::size_t i, std::size_t k) {
      for_each_pair(problem.maps, i, k, [&](std::size_t pair) { pairs[pair] = true; });
    };
    for (std::size_t i = range.begin; i != range.end; ++i) {
      meet(i, i);
      for (const VertexIndex k : problem.graph.neighbours_of(i))
        if (k > i) meet(i, k);
    }
  });
  for (const std::vector<bool>& pairs : met)
    for (std::size_t pair = 0; pair < index_.size(); ++pair)
      if (pairs[pair]) index_[pair] = kNew;
  add_marked(problem);
}

void BonePairs::meet_at(const WeightProblem& problem, std::span<const VertexIndex> vertices) {
  const auto mark = [&](std::size_t i, std::size_t k) {
    for_each_pair(problem.maps, i, k, [&](std::size_t pair) {
      if (index_[pair] == kNever) index_[pair] = kNew;
    });
  };
  for (const VertexIndex i : vertices) {
    mark(i, i);
    for (const VertexIndex k : problem.graph.neighbours_of(i)) mark(i, k);
  }
  add_marked(problem);
}

template <class Use>
void BonePairs::for_each_pair(const InfluenceMaps& maps, std::size_t i, std::size_t k,
                              const Use& use) const {
  for (const std::uint32_t a : maps.bones_of(i))
    for (const std::uint32_t b : maps.bones_of(k))
      use(std::min(a, b) * bone_count_ + std::max(a, b));
}

void BonePairs::add_marked(const WeightProblem& problem) {
  std::vector<std::size_t> met;
  std::size_t count = pairs_.size();
  for (std::size_t pair = 0; pair < index_.size(); ++pair) {
    if (index_[pair] != kNew) continue;
    index_[pair] = static_cast<int>(count);
    met.push_back(pair);
    count += motions_of(pair / bone_count_) * motions_of(pair % bone_count_);
  }
  pairs_.resize(count, Eigen::Matrix4d::Zero());
  const auto first_of = [&](std::size_t bone) {
    return motions_of(bone) == 1 ? bone
                                 : first_motion(problem, static_cast<std::size_t>(spine_of_[bone]));
  };
  parallel_for(
      met.size(),
      [&](std::size_t m) {
        const std::size_t a = met[m] / bone_count_;
        const std::size_t b = met[m] % bone_count_;
        Eigen::Matrix4d* pair = pairs_.data() + index_[met[m]];
        for (std::size_t n = 0; n < motions_of(a); ++n)
          for (std::size_t o = 0; o < motions_of(b); ++o, ++pair) {
            for (const std::vector<Affine3>& exemplar : problem.exemplars)
              pair->noalias() += exemplar[first_of(a) + n].matrix().transpose() *
                                 exemplar[first_of(b) + o].matrix();
            // Coefficients sum to one, so that a spine is displaced as a whole.
            if (a == b)
              (*pair)(3, 3) +=
                  smoothing_ * smoothing_ * static_cast<double>(problem.exemplars.size());
          }
      },
      64);
}

double BonePairs::product_at(const WeightProblem& problem, std::size_t i, std::uint32_t a,
                             std::size_t k, std::uint32_t b) const {
  if (a > b) return product_at(problem, k, b, i, a);
  if (!has_spines() || (spine_of_[a] < 0 && spine_of_[b] < 0))
    return product(problem.positions[i], a, problem.positions[k], b);
  const std::span<const double> of_a = coefficients_of(problem, spine_of_[a], i);
  const std::span<const double> of_b = coefficients_of(problem, spine_of_[b], k);
  const Eigen::Matrix4d* pair = pairs_.data() + index_[a * bone_count_ + b];
  const Eigen::Vector4d point = problem.positions[k].homogeneous();
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (const double of_i : of_a) {
    Eigen::Matrix4d mixed = Eigen::Matrix4d::Zero();
    if (of_i != 0)
      for (std::size_t m = 0; m < of_b.size(); ++m) mixed += of_b[m] * pair[m];
    sum += of_i * (mixed * point);
    pair += of_b.size();
  }
  return problem.positions[i].homogeneous().dot(sum);
}

double rest_energy(const WeightProblem& problem) {
  const MeshGraph& graph = problem.graph;
  const double rest = parallel_reduce(
      graph.vertex_count(), kDefaultGrain, 0.0,
      [&](ChunkRange range) {
        double sum = 0;
        for (std::size_t i = range.begin; i != range.end; ++i)
          for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e)
            sum += graph.edge_measure[e] *
                   (problem.positions[graph.neighbours[e]] - problem.positions[i]).squaredNorm();
        return sum;
      },
      [](double sum, double chunk) { return sum + chunk; });
  return rest * static_cast<double>(problem.exemplars.size());
}

ArapSystem assemble_arap(const WeightProblem& problem, const WeightUnknowns& unknowns,
                         const BonePairs& pairs) {
  return assemble(problem, unknowns, pairs,
                  [](Assembly& assembly, std::size_t i) { assembly.compute(i); });
}

Result<std::vector<int>> vertex_elimination_order(const WeightProblem& problem, Coupling coupling,
                                                  Ordered ordered) {
  if (coupling == Coupling::harmonic) {
    const SparseMatrix squared = problem.laplacian * problem.laplacian;
    const auto near = [&](Eigen::Index i, const auto& take) {
      for (SparseMatrix::InnerIterator k(squared, i); k; ++k) take(k.row());
    };
    return elimination_order(lower_pattern(problem, ordered, near), products_each(problem));
  }
  const auto beside = [&](Eigen::Index i, const auto& take) {
    for (const VertexIndex k : problem.graph.neighbours_of(static_cast<std::size_t>(i)))
      take(static_cast<Eigen::Index>(k));
  };
  return elimination_order(lower_pattern(problem, ordered, beside), products_each(problem));
}

ArapSystem reassemble_arap(const WeightProblem& problem, const WeightUnknowns& unknowns,
                           const BonePairs& pairs, const ArapBefore& before,
                           const std::vector<bool>& dirty) {
  return assemble(problem, unknowns, pairs, [&](Assembly& assembly, std::size_t i) {
    if (dirty[i])
      assembly.compute(i);
    else
      assembly.move(i, before);
  });
}

}  // namespace sinew
