// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/optimise/weight_constraints.h"

#include <algorithm>
#include <optional>

namespace sinew {
namespace {

constexpr double kPaperStiffness = 100;  // [araplbs] section 4.3: far above the energy's own
constexpr double kStrongWeight = 0.5;    // [araplbs] section 4.3: only strong influences attach
constexpr double kMostSeen = 0.5;
constexpr double kAsStrong = 1e-6;  // a weight this close to the largest is as large

/// The weight of a bone on a vertex; nothing where the bone is not in B.
std::optional<double> weight_on(const InfluenceMaps& maps, const std::vector<double>& weights,
                                std::size_t vertex, std::uint32_t bone) {
  const std::optional<std::size_t> found = maps.find(vertex, bone);
  return found ? std::optional(weights[*found]) : std::nullopt;
}

/// Whether a bone is among those that the vertex is nearest to, and it sees most of these.
bool sees(const BoneCells& cells, std::size_t vertex, std::uint32_t bone) {
  if (!(cells.visibility[vertex] > kMostSeen)) return false;
  for (const Influence& owner : cells.owners.row(vertex))
    if (owner.bone == bone) return true;
  return false;
}

}  // namespace

std::string_view to_string(ConstraintSet set) {
  switch (set) {
    case ConstraintSet::paper:
      return "paper";
  }
  return "";
}

std::optional<ConstraintSet> constraint_set_from(std::string_view name) {
  if (name == to_string(ConstraintSet::paper)) return ConstraintSet::paper;
  return std::nullopt;
}

ConstrainedProblem constrain(WeightProblem problem, ConstraintSet set, const BoneCells& cells,
                             std::span<const PartLink> links) {
  ConstrainedProblem constrained;
  switch (set) {
    case ConstraintSet::paper: {
      constrained.constraints = attach_constraints(problem, cells);
      constrained.attached = constrained.constraints.size();
      const std::vector<WeightConstraint> fading = neumann_constraints(problem);
      constrained.fading = fading.size();
      constrained.constraints.insert(constrained.constraints.end(), fading.begin(), fading.end());
      break;
    }
  }
  problem.graph = with_links(problem.graph, links);
  constrained.problem = std::move(problem);
  return constrained;
}

double paper_stiffness(const WeightProblem& problem, std::size_t vertex) {
  return kPaperStiffness * problem.graph.vertex_measure[vertex] *
         static_cast<double>(problem.exemplars.size());
}

std::vector<WeightConstraint> attach_constraints(const WeightProblem& problem,
                                                 const BoneCells& cells) {
  const InfluenceMaps& maps = problem.maps;
  std::vector<WeightConstraint> constraints;
  std::vector<double> strongest(maps.bone_count, 0);  // of what may be attached
  std::vector<bool> is_attached(maps.bone_count, false);
  const auto may_be = [&](std::size_t i, std::size_t b) {
    return problem.graph.vertex_measure[i] > 0 && maps.weights[b] > kStrongWeight &&
           sees(cells, i, maps.bones[b]);
  };
  const auto attach = [&](std::size_t i, std::size_t b) {
    constraints.push_back(
        {static_cast<std::uint32_t>(i), maps.bones[b], 1, paper_stiffness(problem, i)});
  };
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
      if (!may_be(i, b)) continue;
      if (maps.bones_of(i).size() == 1) is_attached[maps.bones[b]] = true;  // with nothing to hold
      strongest[maps.bones[b]] = std::max(strongest[maps.bones[b]], maps.weights[b]);
      bool is_largest = true;
      for (const VertexIndex k : problem.graph.neighbours_of(i))
        is_largest = is_largest &&
                     maps.weights[b] > weight_on(maps, maps.weights, k, maps.bones[b]).value_or(0);
      if (!is_largest) continue;
      attach(i, b);
      is_attached[maps.bones[b]] = true;
    }
  // On a ring where all weigh the same none is a strict maximum, and the bone would be let go.
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b)
      if (!is_attached[maps.bones[b]] && may_be(i, b) &&
          maps.weights[b] >= strongest[maps.bones[b]] - kAsStrong)
        attach(i, b);
  return constraints;
}

std::vector<WeightConstraint> neumann_constraints(const WeightProblem& problem) {
  const InfluenceMaps& maps = problem.maps;
  std::vector<WeightConstraint> constraints;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i) {
    const std::size_t before = constraints.size();
    const auto weights = maps.weights_of(i);
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
      const bool ends_here = std::ranges::any_of(problem.graph.neighbours_of(i), [&](auto k) {
        return !weight_on(maps, maps.weights, k, maps.bones[b]);
      });
      if (ends_here)
        constraints.push_back(
            {static_cast<std::uint32_t>(i), maps.bones[b], 0, paper_stiffness(problem, i)});
    }
    if (constraints.size() - before < weights.size() || weights.empty()) continue;
    const auto strongest = std::max_element(weights.begin(), weights.end()) - weights.begin();
    constraints.erase(constraints.begin() + static_cast<std::ptrdiff_t>(before) + strongest);
  }
  return constraints;
}

std::vector<WeightConstraint> positivity_constraints(const WeightProblem& problem,
                                                     const std::vector<double>& weights,
                                                     double tolerance) {
  const InfluenceMaps& maps = problem.maps;
  std::vector<WeightConstraint> constraints;
  for (std::size_t i = 0; i < maps.vertex_count(); ++i)
    for (std::size_t b = maps.begin[i]; b < maps.begin[i + 1]; ++b) {
      if (!(weights[b] < -tolerance)) continue;
      const bool is_least = std::ranges::all_of(problem.graph.neighbours_of(i), [&](auto k) {
        return weights[b] <= weight_on(maps, weights, k, maps.bones[b]).value_or(0);
      });
      if (is_least)
        constraints.push_back(
            {static_cast<std::uint32_t>(i), maps.bones[b], 0, paper_stiffness(problem, i)});
    }
  return constraints;
}

}  // namespace sinew
