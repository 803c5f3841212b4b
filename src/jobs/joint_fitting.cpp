// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/joint_fitting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "jobs/bone_lists.h"
#include "jobs/find_levels_of_detail.h"
#include "sinew/bind/levels_of_detail.h"

namespace sinew {
namespace {

constexpr double kOneWord = 0.9;        // cosine: nearer than 26 degrees to an axis
constexpr double kTwoWords = 0.95;      // the same for a plane of two axes
constexpr double kSamePlaceRel = 1e-6;  // of the skeleton's size: joints that are one

}  // namespace

JobError bind_error(const std::filesystem::path& input, const std::filesystem::path& edits,
                    Error error) {
  constexpr std::array<std::string_view, 8> kOptions{
      "max_influences", "lock", "only", "skip_bones", "mix", "init", "domain", "edits"};
  if (error.code == ErrorCode::bad_argument &&
      std::ranges::find(kOptions, error.place) != kOptions.end())
    return error_of_option(error.place, std::move(error.message));
  const std::filesystem::path& file = error.place.starts_with("edits[") ? edits : input;
  return error_in_file(file, std::move(error));
}

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

std::vector<std::size_t> JointFit::moved() const {
  const std::vector<Bone>& bones = skeleton.bones();
  Box box;
  for (const Bone& bone : bones) box.extend(bone.head());
  const double same_place = bones.empty() ? 0 : kSamePlaceRel * box.diagonal().norm();
  std::vector<std::size_t> moved;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (fitted.displacements[b].isZero(0)) continue;
    const bool is_listed = std::any_of(moved.begin(), moved.end(), [&](std::size_t other) {
      return (bones[other].head() - bones[b].head()).norm() <= same_place;
    });
    if (!is_listed) moved.push_back(b);
  }
  std::stable_sort(moved.begin(), moved.end(), [&](std::size_t a, std::size_t b) {
    const FittedJoint &first = fitted.joints[a], &second = fitted.joints[b];
    if (first.gained != second.gained) return first.gained > second.gained;
    return first.moved_rel > second.moved_rel;
  });
  return moved;
}

double JointFit::less_distortion(std::size_t bone) const {
  const double before = fitted.arap_before;
  return before > 0 ? fitted.joints[bone].gained * (before - fitted.arap_after) / before : 0;
}

bool is_held_anyway(const JointReliance& reliance) {
  return reliance.by == JointReliance::By::flat || reliance.by == JointReliance::By::row;
}

JobResult<std::vector<JointPlan>> plan_joints(const JointFittingOptions& fitting,
                                              const LoadedInput& input,
                                              std::span<const BindOptions> binds) {
  if (input.bind_pose.from == BindPose::From::clip)
    return error_of_option(
        "bind_pose",
        "joints move in the pose that a file binds in; sinew copy FILE --bind-pose "
        "CLIP:TIME -o OUT writes it");
  SINEW_TRY(const auto locked, match_bone_lists("lock_joints", fitting.lock, input.characters));
  std::vector<JointPlan> plans;
  for (std::size_t c = 0; c < input.characters.size(); ++c) {
    const LoadedCharacter& loaded = input.characters[c];
    JointPlan plan;
    plan.options.bind = binds[c];
    plan.options.joints.max_displacement_rel = fitting.max_move;
    plan.options.joints.seed = binds[c].solver.seed;
    plan.named.assign(loaded.character.skeleton.bone_count(), false);
    for (const int bone : locked[c]) plan.named[static_cast<std::size_t>(bone)] = true;
    plan.options.joints.locked = plan.named;
    for (JointReliance& reliance : joints_relied_on(input.document, loaded)) {
      if (fitting.relied == MoveJointsOptions::Relied::move && !is_held_anyway(reliance)) continue;
      plan.options.joints.locked[static_cast<std::size_t>(reliance.bone)] = true;
      plan.held.push_back(std::move(reliance));
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::vector<int> parts_to_fit(const LoadedInput& input, std::size_t character, FitLevels levels,
                              std::span<const int> meshes) {
  const LoadedCharacter& loaded = input.characters[character];
  std::vector<DetailGroup> groups;
  if (levels == FitLevels::finest) groups = find_levels_of_detail(input.document, loaded);
  std::vector<int> parts = finest_parts(loaded.character, groups);
  if (!meshes.empty())
    std::erase_if(parts, [&](int part) {
      return std::find(meshes.begin(), meshes.end(),
                       loaded.sources[static_cast<std::size_t>(part)].mesh) == meshes.end();
    });
  return parts;
}

JobResult<JointFit> fit_joints_to_parts(const LoadedInput& input, std::size_t character,
                                        const JointPlan& plan, std::span<const int> parts,
                                        const std::filesystem::path& edits,
                                        const Progress& progress) {
  const Character& whole = input.characters[character].character;
  JointFit fit;
  fit.skeleton = whole.skeleton;
  fit.plan = plan;
  fit.covers_all = parts.size() == whole.parts.size();
  if (fit.covers_all) {
    Result<FittedJoints> fitted = fit_joints(whole, plan.options, progress);
    if (!fitted.ok()) return bind_error(input.path, edits, std::move(fitted).error());
    fit.fitted = *std::move(fitted);
    return fit;
  }
  FitJointsOptions options = plan.options;
  SINEW_TRY(options.bind, in_file(input.path, options_for_parts(plan.options.bind, whole, parts)));
  options.bind.edits.clear();  // they speak of vertices of the whole
  options.bind.further_budgets.clear();
  Result<FittedJoints> fitted = fit_joints(with_parts(whole, parts), options, progress);
  if (!fitted.ok()) return bind_error(input.path, edits, std::move(fitted).error());
  fit.fitted = *std::move(fitted);
  return fit;
}

JobStatus move_fitted_joints(LoadedInput& input, std::size_t character, const JointFit& fit,
                             MoveJointsOptions::Relied relied) {
  SINEW_TRY(MovedJoints moved,
            in_file(input.path, move_joints(input.document, input.characters[character],
                                            fit.fitted.displacements, {relied})));
  for (LoadedCharacter& loaded : input.characters) {  // they live in one scene
    loaded.character.nodes = moved.loaded.character.nodes;
    loaded.character.clips = moved.loaded.character.clips;
  }
  input.characters[character] = std::move(moved.loaded);
  return {};
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
                    {"less_distortion", fit.less_distortion(b)},
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
  return {
      {"moved", fit.moved().size()},     {"part", fitted.part},
      {"others", std::move(others)},     {"arap_before", fitted.arap_before},
      {"arap_after", fitted.arap_after}, {"max_move", fit.plan.options.joints.max_displacement_rel},
      {"rounds", std::move(rounds)},     {"joints", std::move(list)}};
}

}  // namespace sinew
