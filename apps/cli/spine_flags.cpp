// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "spine_flags.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "failure.h"
#include "text.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kGroup = "Bones that bend and twist";
constexpr std::size_t kListedLimbs = 4;  // arms and forearms, or thighs and shins; --json has all

/// --twist-bones is a word or names: a bone may be called "auto" only beside another name.
bool is_word(const std::vector<std::string>& values, std::string_view word) {
  return values.size() == 1 && values[0] == word;
}

}  // namespace

void SpineFlags::add_to(CLI::App& app) {
  add_list_option(app, "--spine", options_.spines,
                  "Bend these bones along their length, as a spine or a tail does, named as for "
                  "--bones; each becomes a row of joints; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  add_list_option(app, "--stretch-twist", options_.stretch_twist,
                  "Twist and stretch these bones along their length, named as for --bones; may be "
                  "repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  app.add_option("--spine-bones", row_joints_,
                 fmt::format("Joints of each row, from {} to {}, or auto:TOLERANCE for as few as "
                             "stay within that part of the character's size; also turns bones into "
                             "rows that the file or --rig says are spines [{}]",
                             kFewestSpineJoints, kMostSpineJoints, kUsualSpineJoints))
      ->option_text("N")
      ->group(kGroup);
  app.add_option("--spine-parameters", options_.parameters,
                 "Where on such a bone a vertex sits. linear: where it is nearest; harmonic: "
                 "spread over the surface, for limbs that are curved; painted:ATTRIBUTE: what a "
                 "vertex attribute says, from 0 at the head to 1 at the tail [linear]")
      ->option_text("HOW")
      ->group(kGroup);
  add_list_option(app, "--twist-bones", twist_bones_,
                  "auto: give limbs whose skin collapses when they twist helper joints, so that "
                  "they keep their section; or the bones to give them to; off: none [off]")
      ->option_text("auto|off|NAME,...")
      ->group(kGroup);
  app.add_option(
         "--twist-joints", options_.twist_joints,
         fmt::format("Helper joints of each limb, from {} to {} [as many as its limits and "
                     "the clips take, and without limits {} for {:g} degrees]",
                     kFewestSpineJoints, kMostSpineJoints,
                     twist_joints_for(TwistOptions{}.lasting_deg), TwistOptions{}.lasting_deg))
      ->check(whole_number(kFewestSpineJoints, kMostSpineJoints))
      ->option_text("N")
      ->group(kGroup);
}

SpineOptions SpineFlags::options() const {
  using Twist = SpineOptions::Twist;
  SpineOptions options = options_;
  const bool is_off = twist_bones_.empty() || is_word(twist_bones_, "off");
  options.twist = is_off                          ? Twist::off
                  : is_word(twist_bones_, "auto") ? Twist::automatic
                                                  : Twist::named;
  if (options.twist == Twist::named) options.twist_bones = twist_bones_;
  if (!row_joints_.empty()) {
    const Result<SpineJointCount> parsed = parse_spine_joint_count(row_joints_);
    if (!parsed.ok()) throw usage_failure("--spine-bones", parsed.error().message);
    options.row_joints = *parsed;
  }
  return options;
}

void print_spines(Session& session, const MadeSpines& made, const std::filesystem::path& output) {
  const char* label = "spines";
  for (const std::string& line : in_words(made.converted)) {
    session.print_row(label, line);
    label = "";
  }
  if (!made.converted.drivers.empty())
    session.print_row(
        "drivers",
        fmt::format("{} helper joints follow their limbs in later clips too, by "
                    "VRMC_node_constraint in the file and by {} beside it",
                    made.converted.drivers.size(), drivers_path(output).filename().string()));
}

void print_twist(Session& session, const MadeSpines& made, const Skeleton& skeleton) {
  std::vector<std::string> helped, others;
  for (const TwistLimb& limb : made.limbs)
    (limb.collapses ? helped : others)
        .push_back(fmt::format("{} {}", skeleton.bone(limb.bone).name, limb.reason));
  const char* label = "twist";
  for (const std::string& line : helped) {
    session.print_row(label, line);
    label = "";
  }
  if (!helped.empty()) return;
  session.print_row(
      label,
      others.empty()
          ? std::string("no helper joints: no bone has exactly one below it that deforms")
          : fmt::format("no helper joints, of {} looked at: {}",
                        counted(others.size(), "limb", "limbs"), listed(others, kListedLimbs)));
}

}  // namespace sinew::cli
