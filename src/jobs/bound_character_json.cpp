// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/jobs/bound_character.h"
#include "sinew/report/inspection_json.h"

namespace sinew {
namespace {

std::vector<std::string> names_of(const BoundCharacter& character, std::span<const int> bones) {
  std::vector<std::string> names;
  for (const int bone : bones) names.push_back(character.bound.skeleton.bone(bone).name);
  return names;
}

Json worst_json(const BoundCharacter& character) {
  const std::optional<WeightQuality>& quality = character.after.front().quality;
  if (!quality || !quality->worst_bone) return {};
  return {{"bone", character.bound.skeleton.bone(*quality->worst_bone).name},
          {"arap", quality->worst_bone_arap},
          {"turned_deg", quality->worst_bone_turn_deg}};
}

Json bones_json(const BoundCharacter& character) {
  const BindReport& report = character.bound.report;
  Json bones = Json::array();
  for (std::size_t b = 0; b < report.roles.size(); ++b) {
    const int index = static_cast<int>(b);
    const auto among = [&](const std::vector<int>& list) {
      return std::find(list.begin(), list.end(), index) != list.end();
    };
    Json bone = {{"index", b},
                 {"name", character.bound.skeleton.bone(index).name},
                 {"deforms", report.roles[b].deforms},
                 {"reason", to_string(report.roles[b].reason)},
                 {"guessed_tail", among(report.guessed_tails)},
                 {"without_vertices", among(report.bones_without_vertices)}};
    if (character.before.quality)
      bone["dominated_before"] = character.before.quality->bones[b].dominated;
    if (const std::optional<WeightQuality>& after = character.after.front().quality) {
      const BoneQuality& quality = after->bones[b];
      bone["arap"] = quality.arap;
      bone["follow"] = quality.follow ? Json(*quality.follow) : Json();
      bone["dominated"] = quality.dominated;
      add_skin_of_bone(bone, after->skin, b);
    }
    bones.push_back(std::move(bone));
  }
  return bones;
}

Json interior_json(const BoundCharacter& character, const InteriorReport& interior) {
  const auto names = [&](const std::vector<int>& bones) {
    Json list = Json::array();
    for (const int bone : bones) list.push_back(character.bound.skeleton.bone(bone).name);
    return list;
  };
  Json levels = Json::array();
  for (const BoundedBiharmonicReport::Level& level : interior.solve.levels)
    levels.push_back({{"points", level.points},
                      {"residual", level.residual},
                      {"energy", level.energy},
                      {"seconds", level.seconds}});
  const bool is_own = interior.kind == InteriorReport::Kind::tetrahedra;
  return {{"kind", is_own ? "tetrahedra" : "cubes"},
          {"cells", interior.cells},
          {"points", interior.points},
          {"cell_size", interior.cell_size_rel},
          {"flat_tetrahedra", interior.flat_tetrahedra},
          {"outside_vertices", interior.outside_vertices},
          {"pieces", interior.pieces},
          {"tied_pieces", interior.tied_pieces},
          {"distant_pieces", interior.distant_pieces},
          {"helped_bones", names(interior.helped_bones)},
          {"outside_bones", names(interior.outside_bones)},
          {"unresolved_bones", names(interior.unresolved_bones)},
          {"vertices_by_nearest", interior.vertices_by_nearest},
          {"unsettled_bones", interior.solve.unsettled_handles},
          {"levels", std::move(levels)}};
}

Json linked_json(const BindReport& report) {
  Json linked = Json::array();
  for (const LinkedPart& part : report.linked)
    linked.push_back({{"name", part.name},
                      {"vertices", part.vertices},
                      {"centre", {part.centre.x(), part.centre.y(), part.centre.z()}},
                      {"bone", part.bone},
                      {"gap", part.gap_rel},
                      {"far", part.far}});
  return linked;
}

Json rigid_json(const BindReport& report) {
  Json rigid = Json::array();
  for (const RigidPart& part : report.rigid)
    rigid.push_back({{"name", part.name},
                     {"vertices", part.vertices},
                     {"centre", {part.centre.x(), part.centre.y(), part.centre.z()}},
                     {"bone", part.bone}});
  return rigid;
}

Json edits_json(const BoundCharacter& character, const SolveReport& solve) {
  Json edits = Json::array();
  for (const MadeEdit& edit : solve.edits)
    edits.push_back({{"edit", to_string(edit.kind)},
                     {"bones", names_of(character, edit.bones)},
                     {"after", edit.after_steps},
                     {edit.kind == EditKind::connect_wires ? "wires" : "vertices", edit.vertices}});
  return edits;
}

Json solve_json(const BoundCharacter& character, const SolveReport& solve) {
  Json steps = Json::array();
  for (const StepEnergy& step : solve.steps)
    steps.push_back({{"after_rotations", step.after_rotations},
                     {"after_weights", step.after_weights},
                     {"after_filter", step.after_filter},
                     {"arap", step.arap},
                     {"constraints", step.constraints}});
  return {{"exemplars", solve.exemplars},
          {"unknowns", solve.unknowns},
          {"attached", solve.attached},
          {"fading", solve.fading},
          {"rotations", to_string(solve.rotations)},
          {"arap_start", solve.arap_start},
          {"arap_free", solve.arap_free},
          {"arap_finished", solve.arap_finished},
          {"edits", edits_json(character, solve)},
          {"steps", std::move(steps)}};
}

Json repairs_json(const BoundCharacter& character) {
  const WeightRepairs& old = character.before.repairs;
  const BindReport& report = character.bound.report;
  return {{"not_finite", old.not_finite},
          {"negative", old.negative},
          {"out_of_range", old.out_of_range},
          {"repeated", old.repeated},
          {"sum_not_one", old.sum_not_one},
          {"unweighted", character.before.weighted > 0 ? old.unweighted : 0},
          {"zero_area_triangles", report.zero_area_triangles},
          {"duplicate_triangles", report.duplicate_triangles},
          {"unreferenced_vertices", report.unreferenced_vertices}};
}

Json polish_json(const std::optional<PolishReport>& polish) {
  if (!polish) return {};
  Json json = {{"blend", polish->blend},
               {"arap_file", polish->arap_file},
               {"cut", polish->cut},
               {"arap_before", polish->arap_before},
               {"arap_after", polish->arap_after}};
  if (polish->obstacle)
    json["obstacle"] = {{"figure", polish->obstacle->figure},
                        {"blend", polish->obstacle->blend},
                        {"before", polish->obstacle->before},
                        {"after", polish->obstacle->after}};
  return json;
}

Json budgets_json(const BoundCharacter& character) {
  Json budgets = Json::array();
  for (std::size_t b = 0; b < character.bound.report.budgets.size(); ++b) {
    const BudgetReport& report = character.bound.report.budgets[b];
    Json budget = {{"max_influences", report.max_influences},
                   {"arap_finished", report.arap_finished ? Json(*report.arap_finished) : Json()},
                   {"rounding", Json()},
                   {"polish", polish_json(report.polish)},
                   {"joints", character.joints[b].most},
                   {"added_primitives", character.joints[b].added},
                   {"after", to_json(figures(character.after[b]))}};
    if (report.rounding)
      budget["rounding"] = {{"arap_before", report.rounding->arap_before},
                            {"arap_nearest", report.rounding->arap_nearest},
                            {"arap_after", report.rounding->arap_after}};
    budgets.push_back(std::move(budget));
  }
  return budgets;
}

Json levels_json(const BoundCharacter& character) {
  Json levels = Json::array();
  for (const CoarseLevel& coarse : character.bound.report.coarse)
    if (character.parts[static_cast<std::size_t>(coarse.part)].is_written && coarse.changed)
      levels.push_back({{"name", coarse.name},
                        {"level", coarse.level},
                        {"finest", coarse.finest},
                        {"gap", coarse.gap_rel}});
  return levels;
}

Json plan_json(const BindPlan& plan) {
  Json rows = Json::array();
  for (const PlanRow& row : rows_of(plan))
    rows.push_back({{"decision", row.decision}, {"value", row.value}, {"reason", row.reason}});
  return rows;
}

}  // namespace

Json to_json(const BoundCharacter& character) {
  const BindReport& report = character.bound.report;
  Json json = {{"name", character.before.name}};
  json["plan"] = plan_json(report.plan);
  json["before"] = to_json(figures(character.before));
  json["after"] = to_json(figures(character.after.front()));
  json["budgets"] = budgets_json(character);
  json["levels"] = levels_json(character);
  json["worst"] = worst_json(character);
  json["bind_pose"] = to_json(character.before.bind);
  json["bones"] = bones_json(character);
  json["rehung"] = to_json(report.hierarchy, character.before.bones);
  json["welded_vertices"] = report.welded_vertices;
  if (report.coarse_vertices) json["coarse_vertices"] = *report.coarse_vertices;
  json["vertices_on_bones"] = report.vertices_on_bones;
  json["parts"] = report.parts;
  json["parts_by_distance"] = report.parts_by_distance;
  json["linked"] = linked_json(report);
  json["rigid"] = rigid_json(report);
  json["props"] = Json::array();
  for (const PropSummary& prop : character.before.props)
    json["props"].push_back({{"name", prop.name}, {"bone", prop.bone}});
  json["repairs"] = repairs_json(character);
  json["joints_at_one_place"] = Json::array();
  for (const auto& [a, b] : report.joints_at_one_place)
    json["joints_at_one_place"].push_back(
        {character.bound.skeleton.bone(a).name, character.bound.skeleton.bone(b).name});
  json["interior"] = report.interior ? interior_json(character, *report.interior) : Json();
  json["solve"] = report.solve ? solve_json(character, *report.solve) : Json();
  if (report.solve) json["solve"]["mirrored_vertices"] = report.solve->mirrored_vertices;
  json["polish"] = polish_json(report.polish);
  json["seconds"] = Json::object();
  for (const StageTime& stage : report.times) json["seconds"][stage.stage] = stage.seconds;
  json["spines"] = to_json(character.spines.front(), character.bound.skeleton);
  return json;
}

}  // namespace sinew
