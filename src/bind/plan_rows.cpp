// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sinew/bind/bind_plan.h"

namespace sinew {
namespace {

std::string counted(double count, std::string_view one, std::string_view many) {
  return fmt::format("{:.3g} {}", count, count == 1 ? one : many);
}

std::string words(BindStrategy strategy) { return std::string(to_string(strategy)); }

std::string words(const MeshPlan& mesh) {
  if (mesh.interior_cells)
    return fmt::format("the interior, of about {} cells, sampled at the vertices",
                       *mesh.interior_cells);
  if (!mesh.simplified_to) return "direct";
  return fmt::format("simplified to about {} vertices", *mesh.simplified_to);
}

std::string_view to_string(StartPlan::From from) {
  switch (from) {
    case StartPlan::From::heat:
      return "heat";
    case StartPlan::From::interior:
      return "bounded biharmonic";
    case StartPlan::From::owners:
      return "who owns the skin";
    case StartPlan::From::distance:
      return "distance";
    case StartPlan::From::old:
      break;
  }
  return "the old ones";
}

std::string words(const StartPlan& start) {
  std::string text(to_string(start.from));
  if (start.from == StartPlan::From::heat && start.is_from_led_cells)
    text += " from where bones will lead";
  if (start.from == StartPlan::From::interior) {
    text += start.tetrahedra > 0
                ? fmt::format(", on the mesh's own {} tetrahedra", start.tetrahedra)
                : fmt::format(", on about {} cells", start.cells);
    if (start.is_from_led_cells) text += ", and where bones outside will lead";
  }
  if (start.rigid_parts) text += fmt::format(", rigid parts {}", to_string(*start.rigid_parts));
  return text;
}

std::string words(const SidesPlan& sides) {
  if (!sides.are_one || !sides.axis) return "apart";
  constexpr std::string_view kAxes = "xyz";
  return fmt::format("as one across {}", kAxes.substr(static_cast<std::size_t>(*sides.axis), 1));
}

std::string words(const PosesPlan& poses) { return fmt::format("{} random", poses.random); }

std::string words(const MapsPlan& maps) {
  if (maps.most_bones.empty()) return "any number";
  const auto [least, most] = std::ranges::minmax(maps.most_bones);
  return least == most ? fmt::format("at most {} before the cap", most)
                       : fmt::format("at most {} to {} before the cap, by part", least, most);
}

std::string words(const ConstraintPlan& constraints) {
  if (constraints.set == ConstraintSet::paper) return "paper";
  return fmt::format("soft, obedience {:.3g}", constraints.obedience);
}

std::string listed(const std::vector<int>& counts) {
  std::string text;
  for (const int count : counts) text += fmt::format("{}{}", text.empty() ? "" : ", ", count);
  return text;
}

std::string words(const CapsPlan& caps) {
  if (caps.solved == caps.delivered) return listed(caps.delivered);
  return fmt::format("{}, solved within {}", listed(caps.delivered), listed(caps.solved));
}

std::string words(const RotationPlan& rotations) {
  const std::string_view precision =
      rotations.precision == RotationPrecision::floats ? "floats" : "doubles";
  if (rotations.mode == RotationMode::exact) return fmt::format("exact, in {}", precision);
  return fmt::format("clustered, {} groups, {}, in {}",
                     std::accumulate(rotations.clusters.begin(), rotations.clusters.end(), 0),
                     counted(rotations.clusterings, "clustering", "clusterings"), precision);
}

std::string words(const StepsPlan& steps) {
  if (!steps.most)
    return fmt::format("up to {}, until one changes less than {:.3g}%", steps.max_iterations,
                       100 * steps.tolerance_rel);
  return fmt::format("{:.3g}, reaching {:.3g}, or until one changes less than {:.3g}%", *steps.most,
                     steps.reach, 100 * steps.tolerance_rel);
}

std::string words(const LostBonesPlan& lost) {
  return lost.rounds == 0
             ? std::string("left alone")
             : fmt::format("won back, up to {}", counted(lost.rounds, "round", "rounds"));
}

std::string words(const FinishPlan& finish) {
  if (finish.rounds == 0) return finish.is_filtered ? "evened out once" : "none";
  std::string text = counted(finish.rounds, "round", "rounds");
  if (finish.least_rounds < finish.rounds)
    text += fmt::format(", may end after {}", finish.least_rounds);
  if (finish.rotations) text += fmt::format(", {}", to_string(*finish.rotations));
  return text;
}

std::string_view to_string(OldWeightsPlan::Use use) {
  switch (use) {
    case OldWeightsPlan::Use::replaced:
      return "replaced";
    case OldWeightsPlan::Use::kept:
      return "kept in part";
    case OldWeightsPlan::Use::blended:
      return "blended";
    case OldWeightsPlan::Use::improved:
      break;
  }
  return "improved";
}

std::string words(const OldWeightsPlan& old) {
  const std::string_view use = to_string(old.use);
  return old.mix < 1 ? fmt::format("{}, {:.3g} of the way", use, old.mix) : std::string(use);
}

std::string words(const RoundingPlan& rounding) {
  if (rounding.format == WeightFormat::f32) return "none";
  return fmt::format("to {}", to_string(rounding.format));
}

}  // namespace

std::string_view to_string(BindStrategy strategy) {
  switch (strategy) {
    case BindStrategy::soft:
      return "soft";
    case BindStrategy::existing:
      return "existing";
    case BindStrategy::paper:
      return "paper";
    case BindStrategy::heat:
      return "heat";
    case BindStrategy::bbw:
      return "bbw";
    case BindStrategy::distance:
      break;
  }
  return "distance";
}

std::vector<PlanRow> rows_of(const BindPlan& plan) {
  std::vector<PlanRow> rows;
  const auto add = [&](std::string_view decision, const auto& decided) {
    if (!decided.reason.empty()) rows.push_back({decision, words(*decided), decided.reason});
  };
  add("strategy", plan.strategy);
  add("mesh", plan.mesh);
  add("first weights", plan.start);
  add("sides", plan.sides);
  add("poses", plan.poses);
  add("bones", plan.maps);
  add("constraints", plan.constraints);
  add("influences", plan.caps);
  add("rotations", plan.rotations);
  add("steps", plan.steps);
  add("lost bones", plan.lost_bones);
  add("finish", plan.finish);
  add("old weights", plan.old_weights);
  add("rounding", plan.rounding);
  return rows;
}

}  // namespace sinew
