// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "sinew/arap/weight_problem.h"
#include "sinew/math/sparse_cholesky.h"

namespace sinew {

/// Which weight is which unknown: all of a vertex but one, the base, which affinity determines
/// ([araplbs] Eq. 7). The base is the strongest at the start, the first of equals.
class WeightUnknowns {
 public:
  explicit WeightUnknowns(const InfluenceMaps& maps);

  [[nodiscard]] Eigen::Index count() const { return first_.back(); }
  [[nodiscard]] Eigen::Index first_of(std::size_t vertex) const { return first_[vertex]; }
  [[nodiscard]] Eigen::Index count_of(std::size_t vertex) const {
    return first_[vertex + 1] - first_[vertex];
  }
  /// The place of the base in the vertex's row of bones.
  [[nodiscard]] std::size_t base_of(std::size_t vertex) const { return base_[vertex]; }
  /// The unknown of a place in a vertex's row of bones; -1 for the base.
  [[nodiscard]] Eigen::Index unknown_of(std::size_t vertex, std::size_t place) const {
    if (place == base_[vertex]) return -1;
    return first_[vertex] + static_cast<Eigen::Index>(place - (place > base_[vertex] ? 1 : 0));
  }

  /// Weights, beside maps.bones, from unknowns, and back.
  [[nodiscard]] std::vector<double> expand(const InfluenceMaps& maps,
                                           const Eigen::VectorXd& unknowns) const;
  [[nodiscard]] Eigen::VectorXd reduce(const InfluenceMaps& maps,
                                       const std::vector<double>& weights) const;

 private:
  std::vector<Eigen::Index> first_;  // vertices + 1
  std::vector<std::size_t> base_;
};

/// G_ab = Σ_x M_a(x)ᵀ M_b(x), 4×4, for the pairs of bones that meet on a vertex or an edge. All
/// that the quadratic part of the energy knows of the exemplars, however many there are. For spines
/// there is one for each of their motions.
class BonePairs {
 public:
  /// With a smoothing τ, each bone counts as displaced by τ at random beside its motion, so that
  /// X τ² Σ a_ik |w_k − w_i|² is in the quadratic part too.
  explicit BonePairs(const WeightProblem& problem, double smoothing = 0);

  /// Adds the pairs that meet on these vertices or on an edge of theirs, where they are not there
  /// yet.
  void meet_at(const WeightProblem& problem, std::span<const VertexIndex> vertices);

  [[nodiscard]] bool has_spines() const { return !spine_of_.empty(); }
  /// gᵀ G_ab k for homogeneous points g = (v, 1) that rigid bones a and b carry.
  [[nodiscard]] double product(const Vec3& g, std::uint32_t a, const Vec3& k,
                               std::uint32_t b) const {
    if (a > b) return product(k, b, g, a);
    const Eigen::Matrix4d& pair = pairs_[static_cast<std::size_t>(index_[a * bone_count_ + b])];
    return g.homogeneous().dot(pair * k.homogeneous());
  }
  /// G_abᵀ g of the same: what gives gᵀ G_ab k with any k.
  [[nodiscard]] Eigen::Vector4d transposed_times(const Vec3& g, std::uint32_t a,
                                                 std::uint32_t b) const {
    const auto& pair =
        pairs_[static_cast<std::size_t>(index_[std::min(a, b) * bone_count_ + std::max(a, b)])];
    if (a > b) return pair * g.homogeneous();
    return pair.transpose() * g.homogeneous();
  }
  /// h_iᵀ G_ab h_k where vertex i follows bone a and vertex k bone b, of any kind.
  [[nodiscard]] double product_at(const WeightProblem& problem, std::size_t i, std::uint32_t a,
                                  std::size_t k, std::uint32_t b) const;

 private:
  static constexpr int kNever = -1;
  static constexpr int kNew = -2;
  /// Hands over the places in index_ of pairs of a bone of i and one of k.
  template <class Use>
  void for_each_pair(const InfluenceMaps& maps, std::size_t i, std::size_t k, const Use& use) const;
  /// Sums up what is marked.
  void add_marked(const WeightProblem& problem);

  [[nodiscard]] std::size_t motions_of(std::size_t bone) const {
    return has_spines() && spine_of_[bone] >= 0 ? kSpineNodes : 1;
  }

  double smoothing_ = 0;
  std::size_t bone_count_ = 0;
  std::vector<int> spine_of_;  // of each bone; empty without spines
  std::vector<int> index_;     // bones × bones, where a ≤ b: the first of their motions' pairs
  std::vector<Eigen::Matrix4d> pairs_;
};

/// The energy as a quadratic in the unknowns, rotations held: wᵀ A w − 2 (B_rot − c)ᵀ w + constant.
struct ArapSystem {
  SparseMatrix quadratic;  // A, lower triangle
  Eigen::VectorXd linear;  // c
  double constant = 0;     // of the quadratic part, at w = 0: every vertex moves with its base
  double rest_energy = 0;  // X Σ a |e|², what energies are relative to
  struct VertexShare {
    double constant = 0;
    double rest = 0;  // Σ_k a |e|²
  };
  std::vector<VertexShare> shares;  // of each vertex in the two sums
};

/// X Σ a |e|² without a system.
[[nodiscard]] double rest_energy(const WeightProblem& problem);

[[nodiscard]] ArapSystem assemble_arap(const WeightProblem& problem, const WeightUnknowns& unknowns,
                                       const BonePairs& pairs);

/// An order of the vertices in which their unknowns can be eliminated. The unknowns of a vertex are
/// a full block, and blocks have entries where vertices have edges; with a harmonic term also where
/// they have a neighbour in common.
enum class Coupling { edges, harmonic };
/// Whether vertices with one bone, of which nothing is unknown, count as if they had more.
enum class Ordered { all, unknown };
[[nodiscard]] Result<std::vector<int>> vertex_elimination_order(const WeightProblem& problem,
                                                                Coupling coupling = Coupling::edges,
                                                                Ordered ordered = Ordered::all);

/// The system before a change of the bones or edges of some vertices.
struct ArapBefore {
  const ArapSystem& system;
  const WeightUnknowns& unknowns;
};
/// To the bit what assemble_arap gives, with everything but the vertices that are `dirty` (those
/// with a change, and their neighbours) moved from where it was instead of computed.
[[nodiscard]] ArapSystem reassemble_arap(const WeightProblem& problem,
                                         const WeightUnknowns& unknowns, const BonePairs& pairs,
                                         const ArapBefore& before, const std::vector<bool>& dirty);

}  // namespace sinew
