// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind/first_weights.h"

#include <algorithm>
#include <cmath>

#include "bind/stopwatch.h"
#include "core/parallel.h"
#include "sinew/rig/bone_anchors.h"
#include "sinew/weights/distance.h"
#include "sinew/weights/heat.h"
#include "weights/linked_parts.h"

namespace sinew {
namespace {

/// For weights that are optimised under soft constraints: forks are hubs more often than flesh, and
/// what hides a bone, a coat say, should follow it all the same.
constexpr CellOptions kLeadingCells{.fork_distance = AnchorOptions{}.fork_distance,
                                    .sight = CellOptions::Sight::assumed};

/// Chances are a mean of opinions, and softer than any artist's weights: raised to this they differ
/// least from those.
constexpr double kSharper = 1.5;
/// A bone with less of a chance is none for the solve: it costs artists less than a hundredth of
/// their weight.
constexpr double kRuledOut = 0.005;

SkinWeights sharpened(const SkinWeights& chance) {
  std::vector<std::vector<Influence>> rows(chance.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    for (const Influence& each : chance.row(v))
      if (each.weight >= kRuledOut) rows[v].push_back({each.bone, std::pow(each.weight, kSharper)});
  }
  return SkinWeights::from_rows(chance.bone_count(), rows);
}

/// Of parts that are bound to one bone, that which most likely owns the most of it; but no bone
/// gives away the last that it has.
void bind_to_likeliest(const PreparedMesh& mesh, const SkinWeights& chance,
                       std::vector<int>& bone_of_part) {
  const std::vector<int> likeliest = dominant_bones(chance);
  std::vector<std::size_t> has(chance.bone_count(), 0);  // parts, and vertices of parts that bend
  for (std::size_t v = 0; v < likeliest.size(); ++v)
    if (const int part = mesh.parts.of_vertex[v];
        part >= 0 && likeliest[v] >= 0 && bone_of_part[static_cast<std::size_t>(part)] < 0)
      ++has[static_cast<std::size_t>(likeliest[v])];
  for (const int bone : bone_of_part)
    if (bone >= 0) ++has[static_cast<std::size_t>(bone)];
  for (std::size_t part = 0; part < bone_of_part.size(); ++part) {
    int& bone = bone_of_part[part];
    if (bone < 0 || has[static_cast<std::size_t>(bone)] < 2) continue;
    std::vector<double> owned(chance.bone_count(), 0);
    for (const VertexIndex v : mesh.parts.members[part])
      for (const Influence& each : chance.row(v))
        owned[each.bone] += mesh.graph.vertex_measure[v] * each.weight;
    const auto most = std::ranges::max_element(owned);
    if (!(*most > 0)) continue;
    --has[static_cast<std::size_t>(bone)];
    bone = static_cast<int>(most - owned.begin());
    ++has[static_cast<std::size_t>(bone)];
  }
}

/// Bones that hold nothing in the interior, wings outside it say, start with what they will lead.
void give_led_cells(const std::vector<int>& outside_bones, const BoneCells& led,
                    SkinWeights& weights) {
  if (outside_bones.empty()) return;
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const bool is_led_from_outside = std::ranges::binary_search(outside_bones, led.nearest[v]);
    const auto row = is_led_from_outside ? led.owners.row(v) : weights.row(v);
    rows[v].assign(row.begin(), row.end());
  }
  weights = SkinWeights::from_rows(weights.bone_count(), rows);
}

/// Heat, distance or what is there already, of parts that stand by themselves; the others have
/// what those that they are linked to have.
Status find_weights(const BindPlan& plan, const InteriorOptions& interior_options,
                    PreparedBind& prepared, const Progress& progress) {
  const PreparedMesh& mesh = prepared.mesh;
  FirstWeights& first = prepared.first;
  std::optional<BoneCells> led;
  if (plan.start->is_from_led_cells) led = find_bone_cells(mesh, prepared.segments, kLeadingCells);
  const BoneCells& cells = led ? *led : prepared.cells;
  switch (plan.start->from) {
    case StartPlan::From::interior: {
      SINEW_TRY(InteriorWeights interior,
                interior_weights(mesh, prepared.segments, cells, interior_options, progress));
      if (led) give_led_cells(interior.report.outside_bones, *led, interior.weights);
      first.weights = std::move(interior.weights);
      first.interior = std::move(interior.report);
      return {};
    }
    case StartPlan::From::distance:
      first.weights = distance_weights(mesh, prepared.skeleton, prepared.segments, prepared.cells);
      return {};
    case StartPlan::From::heat:
    case StartPlan::From::owners:  // for which it is evidence
    case StartPlan::From::old:     // where there are none
      break;
  }
  std::vector<bool> stands(mesh.parts.count(), true);
  for (const PartLink& link : prepared.links) stands[static_cast<std::size_t>(link.part)] = false;
  HeatOptions options;
  options.wires = prepared.wires;
  SINEW_TRY(HeatWeights heat, heat_weights(mesh, cells, stands, options, progress));
  first.weights = std::move(heat.weights);
  first.blind_parts = std::move(heat.blind_parts);
  return {};
}

}  // namespace

SkinWeights bound_to_one_bone(const MeshParts& parts, const std::vector<int>& bone_of_part,
                              const SkinWeights& weights) {
  std::vector<std::vector<Influence>> rows(weights.vertex_count());
  for (std::size_t v = 0; v < rows.size(); ++v) {
    const int part = parts.of_vertex[v];
    const int bone = part >= 0 ? bone_of_part[static_cast<std::size_t>(part)] : -1;
    if (bone >= 0)
      rows[v] = {{static_cast<std::uint32_t>(bone), 1}};
    else
      rows[v].assign(weights.row(v).begin(), weights.row(v).end());
  }
  return SkinWeights::from_rows(weights.bone_count(), rows);
}

Status make_first_weights(const Character& character, const BindOptions& options,
                          const BindPlan& plan, PreparedBind& prepared,
                          std::vector<StageTime>& times, const Progress& progress,
                          const SkinWeights* there_already) {
  Stopwatch watch;
  SINEW_CHECK(progress.checkpoint("weights", 0.4));
  const PreparedMesh& mesh = prepared.mesh;
  const std::vector<PartLink>& links = prepared.links;
  FirstWeights& first = prepared.first;
  if (there_already != nullptr) {
    first.weights = *there_already;
  } else {
    const double ends = optimises(*plan.strategy) ? kFirstWeightsEnd : 0.9;
    SINEW_CHECK(find_weights(plan, options.interior, prepared, progress.within(0.4, ends)));
  }
  const std::optional<RigidParts>& wanted = plan.start->rigid_parts;
  SkinWeights owners;  // of linked parts too
  parallel_for(
      2,
      [&](std::size_t task) {
        if (task == 0 && there_already == nullptr)
          first.weights = weights_for_linked_parts(mesh, links, first.weights);
        if (task == 1 && wanted)
          owners = weights_for_linked_parts(mesh, links, prepared.cells.owners);
      },
      1);
  if (plan.start->from == StartPlan::From::owners && there_already == nullptr) {
    SINEW_TRY(first.owners,
              find_skin_owners(mesh, prepared.skeleton, prepared.segments, first.weights));
    first.weights = sharpened(first.owners->chance);
  }
  first.rigid_parts.assign(mesh.parts.count(), -1);
  if (plan.start->from == StartPlan::From::old)
    first.weights = blend(prepared.keeping.welded.old, first.weights, 0);
  if (wanted) {
    RigidPartOptions rigid;
    rigid.choice = *wanted;
    first.rigid_parts =
        find_rigid_parts(mesh, prepared.skeleton, prepared.cells, owners, links, rigid);
    if (first.owners) bind_to_likeliest(mesh, first.owners->chance, first.rigid_parts);
    first.weights = bound_to_one_bone(mesh.parts, first.rigid_parts, first.weights);
  }
  watch.lap("weights", times);
  SINEW_TRY(prepared.spines, find_spines(character, prepared.displacements, mesh, prepared.roles,
                                         first.weights, options));
  return {};
}

}  // namespace sinew
