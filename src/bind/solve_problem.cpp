// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/solve_problem.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

/// From this chance on a bone is more likely the owner than all others together.
constexpr double kLikely = 0.5;
/// A bone that is likely the owner of fewer vertices leads those for which it is likeliest.
constexpr std::size_t kLeastLed = 4;
constexpr double kLeastChanceToLead = 0.02;
constexpr double kShareOfFew = 0.3;  // of such a vertex, as of the end of a leaf

/// Vertices are led by the bone that most likely owns them, as firmly as that is likely.
BoneAnchors owned_anchors(const PreparedBind& prepared, const SkinOwners& owners,
                          const std::vector<bool>& is_free) {
  BoneAnchors found;
  const SkinWeights& chance = owners.chance;
  std::vector<std::size_t> led(chance.bone_count(), 0);
  for (std::size_t v = 0; v < chance.vertex_count(); ++v) {
    if (!is_free[v] || !(prepared.mesh.graph.vertex_measure[v] > 0)) continue;
    for (const Influence& each : chance.row(v))
      if (each.weight > kLikely) {
        const double sure = (each.weight - kLikely) / (1 - kLikely);
        found.anchors.push_back({static_cast<VertexIndex>(v), each.bone, sure * sure});
        ++led[each.bone];
      }
  }
  std::vector<std::vector<std::pair<double, VertexIndex>>> claims(chance.bone_count());
  for (std::size_t v = 0; v < chance.vertex_count(); ++v) {
    if (!is_free[v] || !(prepared.mesh.graph.vertex_measure[v] > 0)) continue;
    for (const Influence& each : chance.row(v))
      if (led[each.bone] < kLeastLed && each.weight > kLeastChanceToLead && each.weight <= kLikely)
        claims[each.bone].emplace_back(-each.weight, static_cast<VertexIndex>(v));
  }
  for (std::size_t bone = 0; bone < claims.size(); ++bone) {
    std::ranges::sort(claims[bone]);
    for (const auto& [chance_below, v] : claims[bone]) {
      if (led[bone] >= kLeastLed) break;
      found.anchors.push_back({v, static_cast<std::uint32_t>(bone), kShareOfFew});
      ++led[bone];
    }
  }
  return found;
}

BoneAnchors find_anchors(const Character& character, const PreparedBind& prepared) {
  const PreparedMesh& mesh = prepared.mesh;
  std::vector<bool> is_free(mesh.mesh.vertex_count(), true);
  for (const PartLink& link : prepared.links)
    for (const VertexIndex v : mesh.parts.members[static_cast<std::size_t>(link.part)])
      is_free[v] = false;
  for (std::size_t part = 0; part < prepared.first.rigid_parts.size(); ++part)
    if (prepared.first.rigid_parts[part] >= 0)
      for (const VertexIndex v : mesh.parts.members[part]) is_free[v] = false;
  if (prepared.first.owners) return owned_anchors(prepared, *prepared.first.owners, is_free);
  const Skeleton bending = prepared.skeleton.with([&](std::vector<Bone>& bones) {
    for (std::size_t j = 0; j < bones.size(); ++j)
      bones[j].kind = prepared.bending(character).skeleton.bones()[j].kind;
  });
  return find_bone_anchors(mesh, bending, prepared.segments, is_free, prepared.first.rigid_parts);
}

/// The weights without those of bones on parts that they only pass by.
SkinWeights without_passers_by(const SkinWeights& weights, const PreparedMesh& prepared,
                               const std::map<int, std::set<int>>& served) {
  if (served.empty()) return weights;
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const auto row = weights.row(v);
    rows[v].assign(row.begin(), row.end());
    const auto of_part = served.find(prepared.parts.of_vertex[v]);
    if (of_part == served.end()) continue;
    std::erase_if(rows[v], [&](const Influence& each) {
      return !of_part->second.contains(static_cast<int>(each.bone));
    });
    if (rows[v].empty()) rows[v].assign(row.begin(), row.end());
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

/// With bones that lead the vertices around their middle; a paper has constraints of its own.
ConstrainedProblem make_problem(const Character& character, const PreparedBind& prepared,
                                const SkinWeights& initial, std::span<const Exemplar> exemplars,
                                const MapsPlan& plan, const ConstraintPlan& constraints,
                                const RotationPlan& rotations) {
  const PreparedMesh& mesh = prepared.mesh;
  const bool lead = constraints.set == ConstraintSet::soft;
  auto [anchors, served] = lead ? find_anchors(character, prepared) : BoneAnchors{};
  InfluenceMaps maps = plan.from == MapsPlan::From::as_they_are
                           ? influence_maps(initial)
                           : sparsify(without_passers_by(initial, mesh, served), mesh.graph,
                                      prepared.skeleton, plan.sparsify);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> led;
  if (plan.reaches_anchors) {
    for (const Anchor& anchor : anchors) led.emplace_back(anchor.vertex, anchor.bone);
    maps = with_more_bones(maps, led);
  }
  if (plan.steep_edge) maps = widen_steep_edges(maps, mesh.graph, *plan.steep_edge);
  if (!plan.most_bones.empty()) {
    std::vector<std::size_t> most(mesh.mesh.vertex_count(), initial.bone_count());
    for (std::size_t i = 0; i < most.size(); ++i)
      if (const int part = mesh.parts.of_vertex[i]; part >= 0)
        most[i] = plan.most_bones[static_cast<std::size_t>(part)];
    maps = with_fewer_bones(maps, mesh.graph, most, led);
  }
  if (!plan.reaches_anchors)
    std::erase_if(anchors, [&](const Anchor& each) { return !maps.find(each.vertex, each.bone); });
  WeightProblem problem =
      make_weight_problem(mesh, std::move(maps), exemplars, prepared.spines.bones);
  problem.turning = {mesh.parts.of_vertex, rotations.clusters};
  if (!lead) return constrain_as_paper(std::move(problem), prepared.cells, prepared.links);
  ConstrainedProblem constrained =
      constrain_softly(std::move(problem), anchors, constraints.obedience, prepared.links);
  if (constraints.margin) {
    const InfluenceMaps& there = constrained.problem.maps;
    for (WeightConstraint& each : constrained.constraints)
      each.target =
          std::lerp(there.weights[*there.find(each.vertex, each.bone)], 1.0, *constraints.margin);
  }
  return constrained;
}

/// What stays of old weights is held where it was, whatever else was asked of it.
void keep(const KeptWeights& kept, ConstrainedProblem& constrained) {
  if (!kept.any()) return;
  WeightProblem& problem = constrained.problem;
  problem.maps = keep_in_maps(problem.maps, kept);
  std::erase_if(constrained.constraints, [&](const WeightConstraint& each) {
    return kept.keeps(each.vertex, each.bone) || !problem.maps.find(each.vertex, each.bone);
  });
  const std::vector<WeightConstraint> held = keeping_constraints(problem, kept);
  constrained.constraints.insert(constrained.constraints.end(), held.begin(), held.end());
}

}  // namespace

PreparedSolve prepare_solve(const Character& character, const PreparedBind& prepared,
                            std::span<const Exemplar> exemplars, const BindPlan& plan,
                            SolveReport& report) {
  ConstrainedProblem constrained =
      make_problem(character, prepared, prepared.first.weights, exemplars, *plan.maps,
                   *plan.constraints, *plan.rotations);
  const KeptWeights& kept = prepared.keeping.welded;
  std::set<std::pair<std::uint32_t, std::uint32_t>> led;
  const bool keeps_any = kept.any();
  for (const WeightConstraint& each : constrained.constraints)
    if (!keeps_any || !kept.keeps(each.vertex, each.bone)) led.emplace(each.vertex, each.bone);
  keep(kept, constrained);
  if (plan.sides->are_one && prepared.mirror) {
    set_mirror(constrained.problem, *prepared.mirror);
    report.mirror_axis = constrained.problem.mirror->axis;
    report.mirrored_vertices = constrained.problem.mirror->vertices;
  }
  report.is_mirror_missing = plan.sides->is_missing;
  const bool flattens = std::ranges::any_of(prepared.edits, [](const PlannedEdit& edit) {
    return edit.kind == EditKind::flatten_weights;
  });
  if (plan.solver.harmonic > 0 || flattens) constrained.problem.laplacian = prepared.mesh.laplacian;
  report.attached = constrained.attached;
  report.fading = constrained.fading;
  return {std::move(constrained), std::move(led)};
}

ConstrainedProblem make_refined_problem(const Character& character, const PreparedBind& prepared,
                                        const SkinWeights& carried,
                                        std::span<const Exemplar> exemplars, const BindPlan& plan) {
  MapsPlan maps;
  maps.from = MapsPlan::From::as_they_are;
  return make_problem(character, prepared, carried, exemplars, maps, *plan.constraints,
                      *plan.rotations);
}

}  // namespace sinew
