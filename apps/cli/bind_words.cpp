// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bind_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "character_lines.h"
#include "skin_words.h"
#include "text.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kListedBones = 6;
constexpr double kWorse = 1.02;  // times the old distortion: below it is the noise of the poses
constexpr std::size_t kListedProps = 3;
constexpr std::size_t kListedLevels = 4;
constexpr std::size_t kListedEdits = 3;
constexpr int kFigureColumn = 17;  // "0.023 -> 0.010" and a gap: the second figure starts below

std::string bone_name(const BoundCharacter& character, int bone) {
  return bone < 0 ? std::string("nothing") : named(character.bound.skeleton.bone(bone).name);
}

std::vector<std::string> bone_names(const BoundCharacter& character, std::span<const int> bones) {
  std::vector<std::string> names;
  for (const int bone : bones) names.push_back(bone_name(character, bone));
  return names;
}

std::string bones_line(const BoundCharacter& character) {
  const std::vector<BoneRole>& roles = character.bound.report.roles;
  std::vector<std::string> skipped;
  for (std::size_t b = 0; b < roles.size(); ++b)
    if (!roles[b].deforms) skipped.push_back(bone_name(character, static_cast<int>(b)));
  std::string line = fmt::format("{} deform", fmt::group_digits(roles.size() - skipped.size()));
  if (!skipped.empty())
    line += fmt::format("; {} skipped: {} (--bones)", fmt::group_digits(skipped.size()),
                        listed(skipped, kListedBones));
  return line;
}

std::string guesses_line(const BoundCharacter& character) {
  const BindReport& report = character.bound.report;
  std::string line;
  if (!report.guessed_tails.empty())
    line = fmt::format("where {} {}: {} (--rig)",
                       counted(report.guessed_tails.size(), "leaf bone", "leaf bones"),
                       report.guessed_tails.size() == 1 ? "ends" : "end",
                       listed(bone_names(character, report.guessed_tails), kListedBones));
  std::vector<std::string> rehung;
  for (const Rehung& each : report.hierarchy.rehung)
    rehung.push_back(
        fmt::format("{} on {}", bone_name(character, each.bone), bone_name(character, each.to)));
  if (!rehung.empty())
    line += fmt::format("{}bones that hang elsewhere: {} (--hierarchy file)",
                        line.empty() ? "" : "; ", listed(rehung, kListedBones));
  return line;
}

std::string parts_line(const BoundCharacter& character) {
  const BindReport& report = character.bound.report;
  std::vector<std::string> facts;
  if (!report.linked.empty())
    facts.push_back(fmt::format("{} linked to what they sit on (--links off)",
                                fmt::group_digits(report.linked.size())));
  if (!report.rigid.empty()) {
    std::map<std::string, std::size_t> bones;
    for (const RigidPart& part : report.rigid) ++bones[part.bone];
    std::vector<std::string> names;
    for (const auto& [bone, count] : bones) names.push_back(bone);
    facts.push_back(fmt::format("{} rigid on {} (--rigid-parts off)",
                                fmt::group_digits(report.rigid.size()),
                                listed(names, kListedProps)));
  }
  if (report.parts_by_distance > 0)
    facts.push_back(
        fmt::format("{} by distance alone", fmt::group_digits(report.parts_by_distance)));
  if (!character.before.props.empty()) {
    std::vector<std::string> props;
    for (const PropSummary& prop : character.before.props)
      props.push_back(fmt::format("{} -> {}", named(prop.name), named(prop.bone)));
    facts.push_back(fmt::format("{} hung on bones ({})", fmt::group_digits(props.size()),
                                listed(props, kListedProps)));
  }
  std::string line = fmt::format("{}", fmt::group_digits(report.parts));
  for (std::size_t i = 0; i < facts.size(); ++i) line += (i == 0 ? ": " : ", ") + facts[i];
  return line;
}

std::string repairs_line(const BoundCharacter& character) {
  const WeightRepairs& old = character.before.repairs;
  const BindReport& report = character.bound.report;
  std::string line;
  const auto add = [&](std::size_t count, std::string_view one, std::string_view many) {
    if (count > 0) line += (line.empty() ? "" : ", ") + counted(count, one, many);
  };
  add(old.not_finite, "NaN old weight", "NaN old weights");
  add(old.negative, "negative old weight", "negative old weights");
  add(old.out_of_range, "old weight on no joint", "old weights on no joint");
  add(old.repeated, "vertex with a joint twice", "vertices with a joint twice");
  add(old.sum_not_one, "old sum that was not 1", "old sums that were not 1");
  if (character.before.weighted > 0)
    add(old.unweighted, "vertex without weight", "vertices without weight");
  add(report.zero_area_triangles, "zero-area triangle", "zero-area triangles");
  add(report.duplicate_triangles, "duplicate triangle", "duplicate triangles");
  add(report.unreferenced_vertices, "vertex in no triangle", "vertices in no triangle");
  return line;
}

/// "11,935 cells of 1.9% of the diagonal (--cells)", or "the mesh's own 29,998 tetrahedra, with
/// edges of 3.2% of the diagonal (--cells N: cubes)".
std::string interior_domain(const InteriorReport& interior) {
  if (interior.kind == InteriorReport::Kind::cubes)
    return fmt::format("{} cells of {:.2g}% of the diagonal (--cells)",
                       fmt::group_digits(interior.cells), 100 * interior.cell_size_rel);
  std::string line = fmt::format(
      "the mesh's own {} tetrahedra, with edges of {:.2g}% of the diagonal (--cells N: "
      "cubes)",
      fmt::group_digits(interior.cells), 100 * interior.cell_size_rel);
  if (interior.flat_tetrahedra > 0)
    line += fmt::format("; {} of no volume left out", fmt::group_digits(interior.flat_tetrahedra));
  if (interior.outside_vertices > 0)
    line += fmt::format("; {} in none of them, moving with the nearest",
                        counted(interior.outside_vertices, "vertex", "vertices"));
  return line;
}

/// What weights were solved on; "; 15 bones as thin as the cells they pass through: L_Toe, R_Toe".
std::string interior_line(const BoundCharacter& character, const InteriorReport& interior) {
  std::string line = interior_domain(interior);
  const auto add_bones = [&](const std::vector<int>& bones, std::string_view what) {
    if (!bones.empty())
      line += fmt::format("; {} {}: {}", counted(bones.size(), "bone", "bones"), what,
                          listed(bone_names(character, bones), kListedBones));
  };
  add_bones(interior.unresolved_bones, "as thin as the cells they pass through");
  add_bones(interior.helped_bones, "with no corner of its own but the nearest");
  add_bones(interior.outside_bones, "outside, with no skin");
  if (interior.tied_pieces > 0)
    line += fmt::format("; {} without a bone, moving with what is near",
                        counted(interior.tied_pieces, "piece", "pieces"));
  return line;
}

double seconds_of(const BindReport& report) {
  return std::accumulate(report.times.begin(), report.times.end(), 0.0,
                         [](double sum, const StageTime& stage) { return sum + stage.seconds; });
}

std::string small_figure(double value) { return fmt::format("{:#.2g}", value); }
std::string plain_figure(double value) { return fmt::format("{:.2f}", value); }

/// "0.023 -> 0.010", or what it is now where nothing was before.
template <class Show>
std::string change(std::optional<double> before, double after, const Show& show) {
  return before ? show(*before) + " -> " + show(after) : show(after);
}

/// "across x, 2,338 of 2,400 vertices".
std::string mirror_line(const BindReport& report) {
  constexpr std::string_view kAxes = "xyz";
  return fmt::format("across {}, {} of {} vertices (--mirror off)",
                     kAxes.substr(static_cast<std::size_t>(*report.solve->mirror_axis), 1),
                     fmt::group_digits(report.solve->mirrored_vertices),
                     fmt::group_digits(report.welded_vertices));
}

/// "; 52 vertices were cut to 2 influences, arap 0.012 -> 0.019", where old weights did not fit.
std::string cut_words(const PolishReport& polish, int max_influences) {
  if (polish.cut == 0) return {};
  return fmt::format("; before that {} cut to {}, arap {} -> {}",
                     counted(polish.cut, "vertex was", "vertices were"),
                     counted(static_cast<std::size_t>(max_influences), "influence", "influences"),
                     small_figure(polish.arap_file), small_figure(polish.arap_before));
}

std::string polish_line(const PolishReport& polish, int max_influences) {
  if (polish.blend > 0)
    return fmt::format("arap {} -> {} on other poses, {:.0f}% of the way to new weights{}",
                       small_figure(polish.arap_before), small_figure(polish.arap_after),
                       100 * polish.blend, cut_words(polish, max_influences));
  std::string line = "nothing was better: the weights came back as they were";
  if (polish.obstacle)
    line += fmt::format(" ({:.0f}% of the way, {} {:.3g} -> {:.3g})", 100 * polish.obstacle->blend,
                        polish.obstacle->figure, polish.obstacle->before, polish.obstacle->after);
  if (polish.cut > 0)
    line += fmt::format(", cut to {}", counted(static_cast<std::size_t>(max_influences),
                                               "influence", "influences"));
  if (polish.skipped > 0) line += ", without those of --skip-bones";
  if (polish.cut > 0)
    line += fmt::format(": arap {} -> {}{}", small_figure(polish.arap_file),
                        small_figure(polish.arap_before),
                        polish.arap_before > polish.arap_file ? ", which is worse" : "");
  return line;
}

/// "34 iterations over 80 poses, 1.9 s", and what became of the distortion on them, unless several
/// caps have rows of their own.
std::string solve_line(const BindOptions& options, const BindReport& report) {
  const std::string seconds = fmt::format("{:.1f} s", seconds_of(report));
  if (!report.solve) return fmt::format("{}, {}", to_string(options.method), seconds);
  const SolveReport& solve = *report.solve;
  std::string line = fmt::format(
      "{} over {}, {}; arap on them {}", counted(solve.steps.size(), "iteration", "iterations"),
      counted(solve.exemplars, "pose", "poses"), seconds, small_figure(solve.arap_start));
  if (report.budgets.size() > 1) return line + " at first";
  return line + fmt::format(" -> {} within {}", small_figure(solve.arap_finished),
                            counted(static_cast<std::size_t>(options.max_influences), "influence",
                                    "influences"));
}

/// "+0.03%", of a distortion that is there.
std::string relative_change(double before, double after) {
  if (!(before > 0)) return after > 0 ? "from nothing" : "+0%";
  const double percent = 100 * (after / before - 1);
  return std::abs(percent) < 10 ? fmt::format("{:+.2g}%", percent)
                                : fmt::format("{:+.0f}%", percent);
}

/// What integers cost, on the poses that the weights were made for.
std::string rounding_line(const RoundingReport& rounding, WeightFormat format) {
  return fmt::format("to {}, sums of exactly {}; arap on the poses {} ({}), {} vertex by vertex",
                     to_string(format), steps_of(format), small_figure(rounding.arap_after),
                     relative_change(rounding.arap_before, rounding.arap_after),
                     relative_change(rounding.arap_before, rounding.arap_nearest));
}

/// Names of the bones that lost most of the vertices that they led.
std::vector<std::string> lost_bones(const BoundCharacter& character, std::size_t budget) {
  std::vector<std::string> lost;
  const std::optional<WeightQuality>& after = character.after[budget].quality;
  if (!character.before.quality || !after) return lost;
  const std::vector<BoneQuality>& then = character.before.quality->bones;
  const std::vector<BoneQuality>& now = after->bones;
  for (std::size_t b = 0; b < std::min(then.size(), now.size()); ++b)
    if (has_lost_its_vertices(then[b].dominated, now[b].dominated))
      lost.push_back(bone_name(character, static_cast<int>(b)));
  return lost;
}

/// Whether old weights distort clearly less.
bool is_worse(const BoundCharacter& character, std::size_t budget) {
  const std::optional<WeightQuality>& then = character.before.quality;
  const std::optional<WeightQuality>& now = character.after[budget].quality;
  return then && now && now->arap > kWorse * then->arap;
}

/// A budget among several, in a row.
std::string budget_line(const BoundCharacter& character, std::size_t budget) {
  const BudgetReport& report = character.bound.report.budgets[budget];
  std::vector<std::string> facts;
  if (const std::optional<WeightQuality>& now = character.after[budget].quality) {
    const std::optional<WeightQuality>& then = character.before.quality;
    facts.push_back(
        "arap " + change(then ? std::optional(then->arap) : std::nullopt, now->arap, small_figure));
    if (now->clips)
      facts.push_back("clips " +
                      change(then ? then->clips : std::nullopt, *now->clips, small_figure));
    facts.push_back("follow " + change(then ? std::optional(then->follow) : std::nullopt,
                                       now->follow, plain_figure));
    if (now->skin)
      if (const std::string words = skin_words(*now->skin); !words.empty()) facts.push_back(words);
  }
  if (report.arap_finished) {
    const BudgetReport& loosest = *std::ranges::max_element(character.bound.report.budgets, {},
                                                            &BudgetReport::max_influences);
    std::string fact = "on the poses " + small_figure(*report.arap_finished);
    if (loosest.arap_finished && &loosest != &report)
      fact += fmt::format(" ({})", relative_change(*loosest.arap_finished, *report.arap_finished));
    facts.push_back(std::move(fact));
  }
  if (report.rounding)
    facts.push_back(fmt::format(
        "rounding {}", relative_change(report.rounding->arap_before, report.rounding->arap_after)));
  if (report.polish)
    facts.push_back((report.polish->blend > 0 ? fmt::format("{:.0f}% of the way to new weights",
                                                            100 * report.polish->blend)
                                              : std::string("nothing was better: as they were")) +
                    cut_words(*report.polish, report.max_influences));
  if (is_worse(character, budget)) facts.push_back("worse than the old weights");
  if (const std::vector<std::string> lost = lost_bones(character, budget); !lost.empty())
    facts.push_back(fmt::format("lost {}", listed(lost, kListedBones)));
  std::string line;
  for (const std::string& fact : facts) line += (line.empty() ? "" : ", ") + fact;
  return line.empty() ? "not judged" : line;
}

/// "3: Body_LOD0 bound, Body_LOD1 and Body_LOD2 took its weights", for each thing that has levels;
/// "Body_LOD1 as it was" of one whose weights stay.
std::string levels_line(const BoundCharacter& character, const DetailGroup& group) {
  const auto part_at = [&](int part) { return character.parts[static_cast<std::size_t>(part)]; };
  const ReportedPart finest = part_at(group.levels.front().front());
  std::vector<std::string> took;
  std::vector<std::string> stay;
  for (std::size_t level = 1; level < group.levels.size(); ++level) {
    const int first = group.levels[level].front();
    const auto coarse = std::ranges::find(character.bound.report.coarse, first, &CoarseLevel::part);
    const bool has_changed = coarse == character.bound.report.coarse.end() || coarse->changed;
    (part_at(first).is_written && has_changed ? took : stay).push_back(named(part_at(first).name));
  }
  std::string line =
      fmt::format("{}: {} {}", group.levels.size(), named(finest.name),
                  finest.is_written ? "bound" : "bound for the others alone (--mesh)");
  if (!took.empty()) line += fmt::format(", {} took its weights", listed(took, kListedLevels));
  if (!stay.empty())
    line += fmt::format(", {} as {} (--lods off)", listed(stay, kListedLevels),
                        stay.size() == 1 ? "it was" : "they were");
  else
    line += " (--lods off)";
  return line;
}

std::string joints_line(const JointUse& use, const Delivery& delivery) {
  std::string line =
      fmt::format("at most {} of {} in a primitive", use.most, delivery.joints_per_primitive);
  if (use.added > 0)
    line += fmt::format(", {} added by splitting", counted(use.added, "primitive", "primitives"));
  return line;
}

/// "set_weights of Hand on 52 vertices after 5 steps", and so on.
std::string edits_line(const BoundCharacter& character) {
  std::vector<std::string> made;
  for (const MadeEdit& edit : character.bound.report.solve->edits) {
    const bool is_wires = edit.kind == EditKind::connect_wires;
    made.push_back(fmt::format(
        "{}{} {} {}", to_string(edit.kind),
        is_wires
            ? std::string(",")
            : fmt::format(" of {} on", listed(bone_names(character, edit.bones), kListedBones)),
        counted(edit.vertices, is_wires ? "wire" : "vertex", is_wires ? "wires" : "vertices"),
        edit.after_steps == 0 ? std::string("at the start")
                              : "after " + counted(edit.after_steps, "step", "steps")));
  }
  return listed(made, kListedEdits);
}

/// What helps where the old weights were better.
std::string worse_line(const BindReport& report) {
  if (!report.polish)
    return fmt::format(
        "the old weights distort less; {}--init existing keeps them unless it makes "
        "them better",
        optimises(*report.plan.strategy) ? "" : "--method araplbs ");
  if (report.polish->cut > 0)
    return "the old weights distort less, with all the influences that they had; a higher "
           "--max-influences keeps them";
  return "the old weights distort less";
}

void print_quality(Session& session, const BoundCharacter& character) {
  const WeightQuality& now = *character.after.front().quality;
  const WeightQuality* then = character.before.quality ? &*character.before.quality : nullptr;
  const auto before = [&](double WeightQuality::*figure) {
    return then == nullptr ? std::nullopt : std::optional(then->*figure);
  };
  std::string arap = change(before(&WeightQuality::arap), now.arap, small_figure);
  if (now.clips)
    arap =
        fmt::format("{:<{}} clips {}", arap, kFigureColumn,
                    change(then == nullptr ? std::nullopt : then->clips, *now.clips, small_figure));
  session.print_row("arap", arap);
  std::string follow = change(before(&WeightQuality::follow), now.follow, plain_figure);
  if (character.bound.report.parts > 1)
    follow = fmt::format("{:<{}} drift {}", follow, kFigureColumn,
                         change(before(&WeightQuality::drift), now.drift, plain_figure));
  session.print_row("follow", follow);
  if (now.worst_bone)
    session.print_row("worst",
                      bone_name(character, *now.worst_bone) + turned(now.worst_bone_turn_deg));
  if (now.limbs)
    session.print_row(
        "limb",
        fmt::format("{} at {}, {}",
                    change(then && then->limbs ? std::optional(then->limbs->arap) : std::nullopt,
                           now.limbs->arap, small_figure),
                    bone_name(character, now.limbs->worst.bone), now.limbs->pose_name));
  if (now.skin)
    print_skin(session, *now.skin, then == nullptr ? std::nullopt : then->skin,
               [&](int bone) { return bone_name(character, bone); });
  if (const std::vector<std::string> lost = lost_bones(character, 0); !lost.empty())
    session.print_row("lost",
                      fmt::format("{} fewer than half of the vertices that {} led before: "
                                  "{}",
                                  counted(lost.size(), "bone leads", "bones lead"),
                                  lost.size() == 1 ? "it" : "they", listed(lost, kListedBones)));
  if (is_worse(character, 0)) session.print_row("worse", worse_line(character.bound.report));
}

/// What differs from budget to budget.
void print_budgets(Session& session, const Delivery& delivery, const BoundCharacter& character) {
  const std::vector<BudgetReport>& budgets = character.bound.report.budgets;
  if (budgets.size() == 1) {
    if (budgets.front().rounding)
      session.print_row("rounded", rounding_line(*budgets.front().rounding, delivery.format));
    if (character.after.front().quality) print_quality(session, character);
  } else {
    for (std::size_t b = 0; b < budgets.size(); ++b)
      session.print_row(fmt::format("within {}", budgets[b].max_influences),
                        budget_line(character, b));
  }
  if (delivery.joints_per_primitive > 0)
    session.print_row("joints", joints_line(character.joints.front(), delivery));
}

void print_character(Session& session, const BindJobResult& result,
                     const BoundCharacter& character) {
  const BindOptions& options = result.asked.bind;
  const BindReport& report = character.bound.report;
  session.print_row("bind pose", bind_pose_line(result.input.bind_pose, character.before.bind));
  session.print_row("bones", bones_line(character));
  if (const std::string line = guesses_line(character); !line.empty())
    session.print_row("guessed", line);
  if (report.parts > 1 || !character.before.props.empty())
    session.print_row("parts", parts_line(character));
  if (const std::string line = repairs_line(character); !line.empty())
    session.print_row("repaired", line);
  for (const DetailGroup& group : character.levels)
    session.print_row("levels", levels_line(character, group));
  if (report.solve && !report.solve->edits.empty())
    session.print_row("edits", edits_line(character));
  if (report.solve && report.solve->mirror_axis) session.print_row("mirror", mirror_line(report));
  if (report.coarse_vertices)
    session.print_row("coarse", fmt::format("solved on {} of {} vertices (--coarse off)",
                                            fmt::group_digits(*report.coarse_vertices),
                                            fmt::group_digits(report.welded_vertices)));
  if (report.interior) session.print_row("interior", interior_line(character, *report.interior));
  session.print_row("solve", solve_line(options, report));
  if (report.polish && report.budgets.size() == 1)
    session.print_row("polish", polish_line(*report.polish, options.max_influences));
  print_budgets(session, result.delivery, character);
}

}  // namespace

void print_plans(Session& session, std::span<const BoundCharacter> characters) {
  for (const BoundCharacter& character : characters) {
    if (characters.size() > 1) session.print_row("plan of", named(character.before.name));
    for (const PlanRow& row : rows_of(character.bound.report.plan))
      session.print_row("plan", fmt::format("{:<13}  {}: {}", row.decision, row.value, row.reason));
    session.print("");
  }
}

void print_bind(Session& session, const BindJobResult& result) {
  const std::vector<BoundCharacter>& characters = result.characters;
  const std::string file = result.input.path.filename().string();
  if (characters.size() == 1) {
    session.print_row(file, counts_line(characters[0].before));
    print_character(session, result, characters[0]);
    return;
  }
  session.print_row(file, counted(characters.size(), "character", "characters"));
  for (const BoundCharacter& character : characters) {
    session.print("");
    session.print_row("character", fmt::format("{}: {}", named(character.before.name),
                                               counts_line(character.before)));
    print_character(session, result, character);
  }
  session.print("");
}

}  // namespace sinew::cli
