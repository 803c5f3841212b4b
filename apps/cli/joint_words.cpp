// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "joint_words.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "character_lines.h"
#include "text.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kListedJoints = 12;  // the rest is for --json
constexpr std::size_t kListedReasons = 8;

std::string length_words(double metres) {
  if (metres < 0.01) return fmt::format("{:.2g} mm", 1000 * metres);
  if (metres < 1) return fmt::format("{:.2g} cm", 100 * metres);
  return fmt::format("{:.3g} m", metres);
}

std::string joint_line(const JointFit& fit, std::size_t bone) {
  const Vec3& displacement = fit.fitted.displacements[bone];
  const std::string direction = direction_words(displacement);
  const double less = 100 * fit.less_distortion(bone);
  return fmt::format("{}  {}{}, {:.2g}% of its bone: {}", named(fit.skeleton.bones()[bone].name),
                     length_words(displacement.norm()), direction.empty() ? "" : " " + direction,
                     100 * fit.fitted.joints[bone].moved_rel,
                     less > 0 ? fmt::format("{:.2g}% less distortion", less)
                              : std::string("for the sake of others"));
}

/// How far joints went, where it is not all the way.
std::string part_words(double part) {
  if (part >= 1) return "";
  return fmt::format(", {} of the way that was found, since all of it would not serve other poses",
                     part == 0.5 ? std::string("half") : fmt::format("{:.0f}%", 100 * part));
}

std::string gain_line(const JointFit& fit, JointTense tense) {
  const FittedJoints& fitted = fit.fitted;
  const std::size_t all = fit.skeleton.bone_count();
  const std::size_t moved = fit.moved().size();
  const char* const verb = tense == JointTense::moved ? "moved" : "would move";
  const JointSolverOptions& may = fit.plan.options.joints;
  if (may.max_displacement_rel == 0)
    return fmt::format("none of {} may move: --max-move is 0", all);
  if (std::ranges::find(may.locked, false) == may.locked.end())
    return fmt::format("none of {} may move: all are locked or held", all);
  if (moved == 0 && fitted.others)
    return fmt::format("none of {} {}: the places found would serve the poses fitted to alone", all,
                       verb);
  if (moved == 0)
    return fmt::format("none of {} {}: no places were found that distort less in the end", all,
                       verb);
  return fmt::format(
      "{} of {} {}{}; distortion {:.3g} -> {:.3g}, {:.2g}% less, with weights made "
      "for each",
      moved, all, verb, part_words(fitted.part), fitted.arap_before, fitted.arap_after,
      fitted.arap_before > 0 ? 100 * (fitted.arap_before - fitted.arap_after) / fitted.arap_before
                             : 0.0);
}

/// "hand.R (carries the mesh 'Sword')", each joint once.
std::vector<std::string> held_words(const JointFit& fit) {
  std::map<int, std::string> reasons;
  for (const JointReliance& reliance : fit.plan.held) {
    std::string& text = reasons[reliance.bone];
    text += (text.empty() ? "" : ", ") + reliance.reason;
  }
  std::vector<std::string> words;
  for (const auto& [bone, reason] : reasons)
    words.push_back(fmt::format("{} ({})", named(fit.skeleton.bone(bone).name), reason));
  return words;
}

std::string force_words(const JointFit& fit) {
  const auto forced =
      std::ranges::count_if(fit.plan.held, [](const auto& each) { return !is_held_anyway(each); });
  if (forced == 0) return "";
  return forced == static_cast<std::ptrdiff_t>(fit.plan.held.size())
             ? fmt::format("; --force moves {} too", forced == 1 ? "it" : "them")
             : "; --force moves those that something relies on";
}

}  // namespace

void print_joint_fit(Session& session, const JointFit& fit, JointTense tense) {
  const std::vector<std::size_t> moved = fit.moved();
  session.print_row("fitted", gain_line(fit, tense));
  if (fit.fitted.others && !moved.empty())
    session.print_row("",
                      fmt::format("on other poses {:.3g} -> {:.3g}", fit.fitted.others->arap_before,
                                  fit.fitted.others->arap_after));
  for (std::size_t i = 0; i < std::min(moved.size(), kListedJoints); ++i)
    session.print_row(i > 0                        ? ""
                      : tense == JointTense::moved ? "moved"
                                                   : "advice",
                      joint_line(fit, moved[i]));
  if (moved.size() > kListedJoints)
    session.print_row(
        "", fmt::format("and {} more; --json lists them all", moved.size() - kListedJoints));
  if (const std::vector<std::string> held = held_words(fit); !held.empty())
    session.print_row("held", listed(held, kListedReasons) + force_words(fit));
}

}  // namespace sinew::cli
