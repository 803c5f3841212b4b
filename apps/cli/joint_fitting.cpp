// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "joint_fitting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "character_lines.h"
#include "failure.h"
#include "keeping_options.h"
#include "name_lists.h"
#include "sinew/bind/levels_of_detail.h"
#include "text.h"
#include "value_checks.h"

namespace sinew::cli {
namespace {

constexpr const char* kGroup = "Joints";
constexpr double kFarthestMove = 2;        // bone lengths; beyond it a joint is in another limb
constexpr std::size_t kListedJoints = 12;  // the rest is for --json
constexpr std::size_t kListedReasons = 8;
constexpr double kOneWord = 0.9;        // cosine: nearer than 26 degrees to an axis
constexpr double kTwoWords = 0.95;      // the same for a plane of two axes
constexpr double kSamePlaceRel = 1e-6;  // of the skeleton's size: joints that are one

/// Where a joint went, for a character that looks along +z, as glTF has it; empty where no word or
/// two would do.
std::string direction_words(const Vec3& displacement) {
  constexpr std::array<std::array<const char*, 2>, 3> kWords = {
      {{"right", "left"}, {"down", "up"}, {"back", "forward"}}};
  const Vec3 size = displacement.cwiseAbs();
  std::array<Eigen::Index, 3> by_size{0, 1, 2};
  std::sort(by_size.begin(), by_size.end(),
            [&](Eigen::Index a, Eigen::Index b) { return size[a] > size[b]; });
  const auto word = [&](Eigen::Index axis) {
    return kWords[static_cast<std::size_t>(axis)][displacement[axis] > 0 ? 1 : 0];
  };
  const double all = displacement.norm();
  if (!(all > 0)) return "";
  if (size[by_size[0]] >= kOneWord * all) return word(by_size[0]);
  if (std::hypot(size[by_size[0]], size[by_size[1]]) >= kTwoWords * all)
    return fmt::format("{} and {}", word(by_size[0]), word(by_size[1]));
  return "";
}

std::string length_words(double metres) {
  if (metres < 0.01) return fmt::format("{:.2g} mm", 1000 * metres);
  if (metres < 1) return fmt::format("{:.2g} cm", 100 * metres);
  return fmt::format("{:.3g} m", metres);
}

/// A part of the distortion before, in [0, 1].
double less_distortion(const JointFit& fit, std::size_t bone) {
  const double before = fit.fitted.arap_before;
  return before > 0 ? fit.fitted.joints[bone].gained * (before - fit.fitted.arap_after) / before
                    : 0;
}

/// The bones whose joints moved, those that bought most first; of bones at one joint the first.
std::vector<std::size_t> moved_joints(const JointFit& fit) {
  const std::vector<Bone>& bones = fit.skeleton.bones();
  Box box;
  for (const Bone& bone : bones) box.extend(bone.head());
  const double same_place = bones.empty() ? 0 : kSamePlaceRel * box.diagonal().norm();
  std::vector<std::size_t> moved;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (fit.fitted.displacements[b].isZero(0)) continue;
    const bool is_listed = std::any_of(moved.begin(), moved.end(), [&](std::size_t other) {
      return (bones[other].head() - bones[b].head()).norm() <= same_place;
    });
    if (!is_listed) moved.push_back(b);
  }
  std::stable_sort(moved.begin(), moved.end(), [&](std::size_t a, std::size_t b) {
    const FittedJoint &first = fit.fitted.joints[a], &second = fit.fitted.joints[b];
    if (first.gained != second.gained) return first.gained > second.gained;
    return first.moved_rel > second.moved_rel;
  });
  return moved;
}

std::string joint_line(const JointFit& fit, std::size_t bone) {
  const Vec3& displacement = fit.fitted.displacements[bone];
  const std::string direction = direction_words(displacement);
  const double less = 100 * less_distortion(fit, bone);
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
  const std::size_t moved = fit.moved();
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

/// What holds a joint in spite of --force: in these it has nowhere to go.
bool is_held_anyway(const JointReliance& reliance) {
  return reliance.by == JointReliance::By::flat || reliance.by == JointReliance::By::row;
}

std::string force_words(const JointFit& fit) {
  const auto forced =
      std::ranges::count_if(fit.plan.held, [](const auto& each) { return !is_held_anyway(each); });
  if (forced == 0) return "";
  return forced == static_cast<std::ptrdiff_t>(fit.plan.held.size())
             ? fmt::format("; --force moves {} too", forced == 1 ? "it" : "them")
             : "; --force moves those that something relies on";
}

FittedJoints fitted_or_failed(const Input& input, Result<FittedJoints> fitted) {
  if (!fitted.ok()) throw bind_failure(input.path, "--edits", std::move(fitted).error());
  return *std::move(fitted);
}

}  // namespace

void add_joint_solving_options(CLI::App& app, JointSolving& solving) {
  app.add_option("--mirror", solving.mirror,
                 "auto: joints of skeletons that are symmetric by name and place move alike on "
                 "both sides; x: across x, however little is symmetric; off: each side by "
                 "itself [auto]")
      ->check(one_of({"auto", "x", "off"}))
      ->option_text("ACROSS")
      ->group(kGroup);
  app.add_option(
         "--exemplars", solving.exemplars,
         fmt::format("Random poses that weights are made for [{}, or {} where both sides are "
                     "solved as one]; joints are fitted to three times as many [{}]",
                     BindExemplars::kUsual, BindExemplars::kUsualMirrored,
                     3 * BindExemplars::kUsual))
      ->check(whole_number(1, kMostExemplars))
      ->option_text("N")
      ->group(kGroup);
}

BindOptions JointSolving::bind_options(std::uint64_t seed, HierarchyChoice hierarchy) const {
  BindOptions bind;
  bind.mirror = *mirror_choice_from(mirror);
  bind.exemplars.count = exemplars;
  bind.hierarchy = hierarchy;
  bind.exemplars.seed = bind.solver.seed = seed;
  return bind;
}

void JointFittingOptions::add_to(CLI::App& app) {
  add_list_option(app, "--lock-joints", lock_,
                  "Leave these joints where they are: bones by name or glob, with commas between "
                  "several; may be repeated")
      ->option_text("NAME,...")
      ->group(kGroup);
  app.add_option(
         "--max-move", max_move_,
         fmt::format("How far a joint may move, of the shortest bone at it [{}]", max_move_))
      ->check(number_within(0, kFarthestMove))
      ->option_text("PART")
      ->group(kGroup);
  app.add_flag("--force", force_,
               "Move joints too that something else in the file relies on: props, other skins, "
               "maps to a human body")
      ->group(kGroup);
}

bool JointFittingOptions::has_any() const {
  return !lock_.empty() || force_ || max_move_ != JointSolverOptions{}.max_displacement_rel;
}

MoveJointsOptions JointFittingOptions::moving() const {
  return {force_ ? MoveJointsOptions::Relied::move : MoveJointsOptions::Relied::refuse};
}

std::vector<JointPlan> JointFittingOptions::resolve(const Input& input,
                                                    std::span<const BindOptions> binds) const {
  if (input.bind_pose.from == BindPose::From::clip)
    throw usage_failure("--bind-pose",
                        "joints move in the pose that a file binds in; sinew copy FILE --bind-pose "
                        "CLIP:TIME -o OUT writes it");
  std::vector<const Skeleton*> skeletons;
  for (const LoadedCharacter& loaded : input.characters)
    skeletons.push_back(&loaded.character.skeleton);
  const std::vector<std::vector<int>> locked = match_bone_lists("--lock-joints", lock_, skeletons);
  std::vector<JointPlan> plans;
  for (std::size_t c = 0; c < skeletons.size(); ++c) {
    JointPlan plan;
    plan.options.bind = binds[c];
    plan.options.joints.max_displacement_rel = max_move_;
    plan.options.joints.seed = binds[c].solver.seed;
    plan.named.assign(skeletons[c]->bone_count(), false);
    for (const int bone : locked[c]) plan.named[static_cast<std::size_t>(bone)] = true;
    plan.options.joints.locked = plan.named;
    for (JointReliance& reliance : joints_relied_on(input.document, input.characters[c])) {
      if (force_ && !is_held_anyway(reliance)) continue;
      plan.options.joints.locked[static_cast<std::size_t>(reliance.bone)] = true;
      plan.held.push_back(std::move(reliance));
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::size_t JointFit::moved() const { return moved_joints(*this).size(); }

std::vector<int> parts_to_fit(const Input& input, std::size_t character, Levels levels,
                              std::span<const int> meshes) {
  const LoadedCharacter& loaded = input.characters[character];
  std::vector<DetailGroup> groups;
  if (levels == Levels::finest) groups = find_levels_of_detail(input.document, loaded);
  std::vector<int> parts = finest_parts(loaded.character, groups);
  if (!meshes.empty())
    std::erase_if(parts, [&](int part) {
      return std::find(meshes.begin(), meshes.end(),
                       loaded.sources[static_cast<std::size_t>(part)].mesh) == meshes.end();
    });
  return parts;
}

JointFit fit_joints_of(Session& session, const Input& input, std::size_t character,
                       const JointPlan& plan, std::span<const int> parts) {
  const Character& whole = input.characters[character].character;
  JointFit fit;
  fit.skeleton = whole.skeleton;
  fit.plan = plan;
  fit.covers_all = parts.size() == whole.parts.size();
  if (fit.covers_all) {
    fit.fitted = fitted_or_failed(input, fit_joints(whole, plan.options, session.progress()));
    return fit;
  }
  FitJointsOptions options = plan.options;
  options.bind = take(input.path, options_for_parts(plan.options.bind, whole, parts));
  options.bind.edits.clear();  // they speak of vertices of the whole
  options.bind.further_budgets.clear();
  fit.fitted =
      fitted_or_failed(input, fit_joints(with_parts(whole, parts), options, session.progress()));
  return fit;
}

void move_fitted_joints(Input& input, std::size_t character, const JointFit& fit,
                        const MoveJointsOptions& options) {
  MovedJoints moved = take(input.path, move_joints(input.document, input.characters[character],
                                                   fit.fitted.displacements, options));
  for (LoadedCharacter& loaded : input.characters) {  // they live in one scene
    loaded.character.nodes = moved.loaded.character.nodes;
    loaded.character.clips = moved.loaded.character.clips;
  }
  input.characters[character] = std::move(moved.loaded);
}

void print_joint_fit(Session& session, const JointFit& fit, JointTense tense) {
  session.print_row("fitted", gain_line(fit, tense));
  if (fit.fitted.others && fit.moved() > 0)
    session.print_row("",
                      fmt::format("on other poses {:.3g} -> {:.3g}", fit.fitted.others->arap_before,
                                  fit.fitted.others->arap_after));
  const std::vector<std::size_t> moved = moved_joints(fit);
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

Json to_json(const JointFit& fit) {
  const FittedJoints& fitted = fit.fitted;
  std::vector<Json> reasons(fit.skeleton.bone_count(), Json::array());
  for (const JointReliance& reliance : fit.plan.held)
    reasons[static_cast<std::size_t>(reliance.bone)].push_back(
        {{"place", reliance.place}, {"reason", reliance.reason}});
  std::vector<std::size_t> order(fit.skeleton.bone_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return fitted.joints[a].gained > fitted.joints[b].gained;
  });
  Json list = Json::array();
  for (const std::size_t b : order) {
    const Vec3& d = fitted.displacements[b];
    list.push_back({{"bone", fit.skeleton.bones()[b].name},
                    {"node", fit.skeleton.bones()[b].source_node},
                    {"displacement", {d.x(), d.y(), d.z()}},
                    {"distance", d.norm()},
                    {"direction", direction_words(d)},
                    {"moved_rel", fitted.joints[b].moved_rel},
                    {"less_distortion", less_distortion(fit, b)},
                    {"locked", static_cast<bool>(fit.plan.named[b])},
                    {"relied_on", reasons[b]}});
  }
  Json rounds = Json::array();
  for (const FitRound& round : fitted.history)
    rounds.push_back({{"arap_weights", round.arap_weights},
                      {"arap_joints", round.arap_joints},
                      {"moved_rel", round.moved_rel}});
  Json others;
  if (fitted.others)
    others = {{"arap_before", fitted.others->arap_before},
              {"arap_after", fitted.others->arap_after}};
  return {{"moved", fit.moved()},
          {"part", fitted.part},
          {"others", std::move(others)},
          {"arap_before", fitted.arap_before},
          {"arap_after", fitted.arap_after},
          {"max_move", fit.plan.options.joints.max_displacement_rel},
          {"rounds", std::move(rounds)},
          {"joints", std::move(list)}};
}

}  // namespace sinew::cli
