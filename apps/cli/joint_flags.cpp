// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "joint_flags.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kGroup = "Joints";
constexpr double kFarthestMove = 2;  // bone lengths; beyond it a joint is in another limb

}  // namespace

void add_joint_solving_options(CLI::App& app, JointSolvingFlags& flags) {
  app.add_option("--mirror", flags.mirror,
                 "auto: joints of skeletons that are symmetric by name and place move alike on "
                 "both sides; x: across x, however little is symmetric; off: each side by "
                 "itself [auto]")
      ->check(one_of({"auto", "x", "off"}))
      ->option_text("ACROSS")
      ->group(kGroup);
  app.add_option(
         "--exemplars", flags.exemplars,
         fmt::format("Random poses that weights are made for [{}, or {} where both sides are "
                     "solved as one]; joints are fitted to three times as many [{}]",
                     BindExemplars::kUsual, BindExemplars::kUsualMirrored,
                     3 * BindExemplars::kUsual))
      ->check(whole_number(1, kMostExemplars))
      ->option_text("N")
      ->group(kGroup);
}

BindOptions JointSolvingFlags::bind_options(HierarchyChoice hierarchy) const {
  BindOptions bind;
  bind.mirror = *mirror_choice_from(mirror);
  bind.exemplars.count = exemplars;
  bind.hierarchy = hierarchy;
  return bind;
}

void JointFittingFlags::add_to(CLI::App& app) {
  add_list_option(app, "--lock-joints", options_.lock,
                  "Leave these joints where they are: bones by name or glob, with commas between "
                  "several; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  app.add_option("--max-move", options_.max_move,
                 fmt::format("How far a joint may move, of the shortest bone at it [{}]",
                             options_.max_move))
      ->check(number_within(0, kFarthestMove))
      ->option_text("PART")
      ->group(kGroup);
  app.add_flag("--force", force_,
               "Move joints too that something else in the file relies on: props, other skins, "
               "maps to a human body")
      ->group(kGroup);
}

bool JointFittingFlags::has_any() const {
  return !options_.lock.empty() || force_ || options_.max_move != JointFittingOptions{}.max_move;
}

JointFittingOptions JointFittingFlags::options() const {
  JointFittingOptions options = options_;
  options.relied = force_ ? MoveJointsOptions::Relied::move : MoveJointsOptions::Relied::refuse;
  return options;
}

}  // namespace sinew::cli
