// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "edit/weight_patch.h"

#include <algorithm>

#include "arap/timed.h"

namespace sinew {

WeightPatch::WeightPatch(PatchProblem patch, const WeightTerms& terms)
    : patch_(std::move(patch)),
      tables_(rotation_tables(patch_.problem, patch_.clusterings)),
      system_(patch_.problem, terms) {
  system_.add_constraints(patch_.problem.maps, patch_.constraints, 1);
  system_.set_flat(patch_.problem, patch_.flat);
}

Result<WeightPatch> WeightPatch::create(const WholeProblem& whole,
                                        std::span<const VertexIndex> free,
                                        std::span<const int> vertex_order, const WeightTerms& terms,
                                        NearStep& report) {
  std::optional<WeightPatch> made;
  {
    const Timed timed(report.assemble_s);
    made = WeightPatch(make_patch_problem(whole, free), terms);
  }
  const Timed timed(report.factor_s);
  SINEW_CHECK(made->factorise(vertex_order));
  return *std::move(made);
}

Status WeightPatch::factorise(std::span<const int> vertex_order) {
  const WeightUnknowns& unknowns = system_.unknowns();
  const Eigen::Index free = unknowns.first_of(patch_.free_count);
  if (free == 0) return {};
  const SparseMatrix all = system_.matrix();
  coupling_ = all.block(free, 0, all.rows() - free, free);
  // What keeps the whole factor sparse does so for a part of it.
  std::vector<int> place(vertex_order.size(), -1);
  for (std::size_t p = 0; p < patch_.free_count; ++p)
    place[patch_.vertices[p]] = static_cast<int>(p);
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(free));
  for (const int vertex : vertex_order) {
    const int p = place[static_cast<std::size_t>(vertex)];
    if (p < 0) continue;
    const auto i = static_cast<std::size_t>(p);
    for (Eigen::Index u = 0; u < unknowns.count_of(i); ++u)
      order.push_back(static_cast<int>(unknowns.first_of(i) + u));
  }
  // In doubles: it is small, and solutions are not refined.
  SINEW_TRY(SparseCholesky made,
            SparseCholesky::factor(SparseMatrix(all.block(0, 0, free, free)), order));
  factor_.emplace(std::move(made));
  return {};
}

Result<WeightPatch::Energies> WeightPatch::step(const InfluenceMaps& whole_maps,
                                                std::vector<double>& weights,
                                                NearStep& report) const {
  if (!factor_) return Energies{};
  const InfluenceMaps& maps = patch_.problem.maps;
  const WeightUnknowns& unknowns = system_.unknowns();
  const Eigen::Index free = unknowns.first_of(patch_.free_count);
  std::vector<double> here(maps.bones.size());
  for (std::size_t p = 0; p < patch_.vertices.size(); ++p)
    std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(whole_maps.begin[patch_.vertices[p]]),
                maps.begin[p + 1] - maps.begin[p],
                here.begin() + static_cast<std::ptrdiff_t>(maps.begin[p]));
  std::vector<double> beta(here.size(), 0);
  double stretch_energy = 0;
  {
    const Timed timed(report.local_s);
    stretch_energy = RotationTables::add_linear(tables_, patch_.problem, here, beta);
  }
  const Timed timed(report.solve_s);
  Energies energies;
  energies.after_rotations = system_.energy(maps, here, beta) + stretch_energy;
  Eigen::VectorXd x = unknowns.reduce(maps, here);
  const Eigen::VectorXd right_hand_side = system_.right_hand_side(maps, beta).head(free) -
                                          coupling_.transpose() * x.tail(unknowns.count() - free);
  x.head(free) = factor_->solve(right_hand_side);
  if (!x.allFinite())
    return Error{ErrorCode::bad_argument, "problem", "the system of weights has no solution"};
  here = unknowns.expand(maps, x);
  energies.after_weights = system_.energy(maps, here, beta) + stretch_energy;
  for (std::size_t p = 0; p < patch_.free_count; ++p)
    std::copy(here.begin() + static_cast<std::ptrdiff_t>(maps.begin[p]),
              here.begin() + static_cast<std::ptrdiff_t>(maps.begin[p + 1]),
              weights.begin() + static_cast<std::ptrdiff_t>(whole_maps.begin[patch_.vertices[p]]));
  return energies;
}

}  // namespace sinew
