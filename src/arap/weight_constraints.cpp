// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/arap/weight_constraints.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

constexpr double kPaperStiffness = 100;   // [araplbs] section 4.3: far above the energy's own
constexpr double kStrongWeight = 0.5;     // [araplbs] section 4.3: only strong influences attach
constexpr double kMostSeen = 0.5;         // what sees less of its bone is hidden from it
constexpr double kMiddlingFirmness = 16;  // at an obedience of one half; chosen on real characters
constexpr double kFirmnessRange = 1e4;    // from an obedience of 0 to one of 1
// Of the diagonal: on meshes with longer edges weights change from one vertex to the next, and
// firmness need not grow; where an edge is as long as a bone, anchors are joints too, and it falls.
constexpr double kCoarseEdge = 0.036;
constexpr double kCoarsestEdge = 0.08;
constexpr double kMostCoarse = 12;  // times the square of kCoarseEdge: it falls no further
constexpr double kMostForFew = 10;  // times: a bone with one small anchor is not held like a rock
constexpr double kLeastLargest = 0.6;  // a bone with less has lost the vertices that it should lead
constexpr double kLeastMean = 0.5;     // and so has one whose anchors have less of it on average
constexpr double kFirmerEachRound = 3;  // times: four rounds are 81, and most bones need one or two
constexpr double kAsStrong = 1e-6;      // a weight this close to the largest is as large

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

/// A spine leads all along where other bones lead around the middle third: it counts as three of
/// them, or each of its anchors would be held the less for it.
constexpr double kBonesOfASpine = 3;
constexpr double kAllAlong = 0.7;  // from the first of its anchors to the last, of its length

bool leads_all_along(const SpineBone& spine, std::span<const Anchor> anchors) {
  double first = 1, last = 0;
  for (const Anchor& anchor : anchors) {
    if (static_cast<int>(anchor.bone) != spine.bone) continue;
    first = std::min(first, spine.parameters[anchor.vertex]);
    last = std::max(last, spine.parameters[anchor.vertex]);
  }
  return last - first > kAllAlong;
}

/// Hair that lies in strips over strips comes apart where each is held by one wire per vertex: a
/// dressed body drifted by 0.19% of its size with one, by 0.15% with two, and by 0.14% with three,
/// which distorted it by a fifth more.
constexpr double kWiresPerLink = 2;

}  // namespace

std::string_view to_string(ConstraintSet set) {
  switch (set) {
    case ConstraintSet::soft:
      return "soft";
    case ConstraintSet::paper:
      return "paper";
  }
  return "";
}

std::optional<ConstraintSet> constraint_set_from(std::string_view name) {
  for (const ConstraintSet set : {ConstraintSet::soft, ConstraintSet::paper})
    if (name == to_string(set)) return set;
  return std::nullopt;
}

ConstrainedProblem constrain_as_paper(WeightProblem problem, const BoneCells& cells,
                                      std::span<const PartLink> links) {
  ConstrainedProblem constrained;
  constrained.constraints = attach_constraints(problem, cells);
  constrained.attached = constrained.constraints.size();
  const std::vector<WeightConstraint> fading = neumann_constraints(problem);
  constrained.fading = fading.size();
  constrained.constraints.insert(constrained.constraints.end(), fading.begin(), fading.end());
  problem.graph = with_links(problem.graph, links);
  constrained.problem = std::move(problem);
  return constrained;
}

ConstrainedProblem constrain_softly(WeightProblem problem, std::span<const Anchor> anchors,
                                    double obedience, std::span<const PartLink> links) {
  ConstrainedProblem constrained;
  constrained.constraints = soft_constraints(problem, anchors, obedience);
  constrained.attached = constrained.constraints.size();
  problem.graph = with_links(problem.graph, links, kWiresPerLink);
  constrained.problem = std::move(problem);
  return constrained;
}

std::vector<WeightConstraint> soft_constraints(const WeightProblem& problem,
                                               std::span<const Anchor> anchors, double obedience) {
  const MeshGraph& graph = problem.graph;
  double edges = 0;  // Σ a |e|²
  double measure = 0;
  for (std::size_t i = 0; i < graph.vertex_count(); ++i) {
    measure += graph.vertex_measure[i];
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e)
      edges += graph.edge_measure[e] *
               (problem.positions[graph.neighbours[e]] - problem.positions[i]).squaredNorm();
  }
  std::vector<double> anchored(problem.maps.bone_count, 0);
  double all = 0;
  for (const Anchor& anchor : anchors) {
    anchored[anchor.bone] += anchor.share * graph.vertex_measure[anchor.vertex];
    all += anchor.share * graph.vertex_measure[anchor.vertex];
  }
  auto bones = static_cast<double>(
      std::ranges::count_if(anchored, [](double of_bone) { return of_bone > 0; }));
  for (const ProblemSpine& spine : problem.spines) {
    if (!leads_all_along(spine.attached, anchors)) continue;
    anchored[static_cast<std::size_t>(spine.attached.bone)] /= kBonesOfASpine;
    bones += kBonesOfASpine - 1;
  }
  if (!(edges > 0) || !(all > 0)) return {};
  const double fine = edges / measure;  // mean squared length of an edge
  const double coarse = fine / (kCoarseEdge * kCoarseEdge);
  const double coarsest = std::min(coarse, kMostCoarse) * std::pow(kCoarseEdge / kCoarsestEdge, 2);
  const double firmness = kMiddlingFirmness * std::pow(kFirmnessRange, obedience - 0.5) * fine /
                          (1 + coarse + std::pow(coarsest, 3)) *
                          static_cast<double>(problem.exemplars.size());
  std::vector<WeightConstraint> constraints;
  for (const Anchor& anchor : anchors) {
    const double for_few =
        std::clamp(std::sqrt(all / bones / anchored[anchor.bone]), 1 / kMostForFew, kMostForFew);
    constraints.push_back(
        {anchor.vertex, anchor.bone, 1,
         firmness * for_few * anchor.share * graph.vertex_measure[anchor.vertex]});
  }
  return constraints;
}

std::vector<WeightConstraint> firmer_for_lost(const InfluenceMaps& maps,
                                              const std::vector<double>& weights,
                                              std::span<const WeightConstraint> leading,
                                              int round) {
  struct Led {
    double largest = 0;
    double sum = 0;
    double stiffness = 0;
  };
  std::vector<Led> led(maps.bone_count);
  for (const WeightConstraint& each : leading) {
    const double weight = weight_on(maps, weights, each.vertex, each.bone).value_or(0);
    led[each.bone].largest = std::max(led[each.bone].largest, weight);
    led[each.bone].sum += each.stiffness * weight;
    led[each.bone].stiffness += each.stiffness;
  }
  std::vector<WeightConstraint> firmer;
  for (const WeightConstraint& each : leading) {
    const Led& bone = led[each.bone];
    if (bone.largest >= kLeastLargest && bone.sum >= kLeastMean * bone.stiffness) continue;
    firmer.push_back(each);
    firmer.back().stiffness *= (kFirmerEachRound - 1) * std::pow(kFirmerEachRound, round);
  }
  return firmer;
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
