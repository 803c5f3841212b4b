// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/attach_skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "gltf/document_builder.h"
#include "gltf/gltf_json.h"
#include "math/affine.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew {
namespace {

constexpr double kTypicalRatio = 0.75;  // a skeleton ends short of hands, feet and scalp
constexpr double kPowerOfTenMiss =
    0.35;  // decades: what is left after scaling is 0.33 to 1.7 times the mesh
constexpr int kMostDecades = 3;         // from millimetres to metres: writers mix up no others
constexpr double kBoxMarginRel = 0.02;  // of the diagonal: finger tips and soles may poke out
constexpr double kMostInside = 0.9;     // share of joints in the mesh's box that says "it fits"
constexpr double kFewInside = 0.5;      // and that says "it does not"

struct Turn {
  const char* words;
  Quat rotation;
};

std::array<Turn, 4> quarter_turns() {
  const double quarter = std::numbers::pi / 2;
  const auto about = [](double angle, const Vec3& axis) {
    return Quat(Eigen::AngleAxisd(angle, axis));
  };
  return {{{"a turn of -90 degrees about X (Z up to Y up)", about(-quarter, Vec3::UnitX())},
           {"a turn of 90 degrees about X (Y up to Z up)", about(quarter, Vec3::UnitX())},
           {"a turn of 90 degrees about Z (X up to Y up)", about(quarter, Vec3::UnitZ())},
           {"a turn of -90 degrees about Z (Y up to X up)", about(-quarter, Vec3::UnitZ())}}};
}

/// Decides scale and turn; everything that it finds goes into the notices.
class Fitter {
 public:
  Fitter(std::vector<Vec3> joints, const Box& mesh, AttachOptions::Fit fit,
         AttachedSkeleton& result)
      : joints_(std::move(joints)),
        mesh_(mesh),
        guess_(fit == AttachOptions::Fit::guess),
        result_(result) {}

  void run() {
    const double mesh_size = mesh_.diagonal().norm();
    const double skeleton_size = bounding_box(joints_).diagonal().norm();
    if (!(mesh_size > 0) || !(skeleton_size > 0)) return;
    fit_scale(skeleton_size / mesh_size);
    const Vec3 margin = Vec3::Constant(kBoxMarginRel * mesh_size);
    fit_turn(Box(mesh_.min() - margin, mesh_.max() + margin));
  }

 private:
  void say(const char* code, std::string message) {
    result_.notices.push_back({Notice::Level::warning, code, "skeleton", std::move(message)});
  }

  void fit_scale(double ratio) {
    const double log_ratio = std::log10(ratio / kTypicalRatio);
    const double decades = std::round(log_ratio);
    const double miss = std::abs(log_ratio - decades);
    if (decades == 0 && miss <= kPowerOfTenMiss) return;
    if (miss > kPowerOfTenMiss || std::abs(decades) > kMostDecades) {
      say("skeleton_size",
          fmt::format("the skeleton is {:.3g} times the size of the mesh; it was not scaled",
                      ratio));
      return;
    }
    const double scale = std::pow(10.0, -decades);
    const char* looks = decades == 1   ? ": looks like decimetres"
                        : decades == 2 ? ": looks like centimetres"
                        : decades == 3 ? ": looks like millimetres"
                                       : ": looks like a larger unit than the mesh's";
    say("skeleton_size",
        fmt::format("the skeleton is {:.3g} times the size of the mesh{}; {} {:g}", ratio, looks,
                    guess_ ? "it was scaled by" : "it would fit scaled by", scale));
    if (guess_) result_.scale = scale;
  }

  void fit_turn(const Box& box) {
    const double as_is = share_inside(box, Quat::Identity());
    if (as_is >= kMostInside) return;
    const std::array<Turn, 4> turns = quarter_turns();
    const Turn* best = nullptr;
    double best_share = as_is;
    double second_share = 0;
    for (const Turn& turn : turns) {
      const double share = share_inside(box, turn.rotation);
      second_share = std::max(second_share, std::min(share, best_share));
      if (share <= best_share) continue;
      best = &turn;
      best_share = share;
    }
    if (best != nullptr && best_share >= kMostInside) {
      const bool clear = guess_ && second_share < kFewInside;
      say("skeleton_axes",
          fmt::format("{:.0f}% of the joints lie in the box of the mesh, {:.0f}% after {}; {}",
                      100 * as_is, 100 * best_share, best->words,
                      clear ? "it was turned" : "it was not turned"));
      if (clear) result_.turn = best->rotation;
    } else if (best_share < kFewInside) {
      say("skeleton_place",
          fmt::format("only {:.0f}% of the joints lie in the box of the mesh: the skeleton stands "
                      "elsewhere or in another pose{}; it was left alone",
                      100 * as_is, displaced_fit(box)));
    }
  }

  /// Which turn would fit if the skeleton were also moved to the middle of the mesh, in words.
  [[nodiscard]] std::string displaced_fit(const Box& box) const {
    const Vec3 middle = bounding_box(joints_).center();
    const auto share_moved = [&](const Quat& turn) {
      const Vec3 shift = box.center() - turn * middle * result_.scale;
      return share_inside(Box(box.min() - shift, box.max() - shift), turn);
    };
    std::string fit = "; moved to its middle";
    double best_share = share_moved(Quat::Identity());
    for (const Turn& turn : quarter_turns()) {
      const double share = share_moved(turn.rotation);
      if (share <= best_share) continue;
      best_share = share;
      fit = fmt::format("; moved to its middle after {}", turn.words);
    }
    return best_share < kFewInside ? "" : fmt::format("{}, {:.0f}% would", fit, 100 * best_share);
  }

  [[nodiscard]] double share_inside(const Box& box, const Quat& turn) const {
    const auto inside = std::ranges::count_if(
        joints_, [&](const Vec3& joint) { return box.contains(turn * joint * result_.scale); });
    return static_cast<double>(inside) / static_cast<double>(joints_.size());
  }

  std::vector<Vec3> joints_;
  Box mesh_;
  bool guess_;
  AttachedSkeleton& result_;
};

Json scaled_vector(const Json& vector, double scale) {
  Json scaled = Json::array();
  for (const Json& number : vector) scaled.push_back(number.get<double>() * scale);
  return scaled;
}

/// What of a node belongs to a skeleton, lengths scaled.
Json skeleton_node(const Json& source, double scale) {
  Json node = Json::object();
  for (const char* key : {"name", "translation", "rotation", "scale", "matrix", "extras"})
    if (const Json* found = member(source, key)) node[key] = *found;
  if (scale == 1) return node;
  if (node.contains("translation")) node["translation"] = scaled_vector(node["translation"], scale);
  if (node.contains("matrix"))
    for (std::size_t i = 12; i < 15; ++i)
      node["matrix"][i] = node["matrix"][i].get<double>() * scale;
  const Json* extras = member(node, "extras");
  const Json* sinew = extras == nullptr ? nullptr : member(*extras, "sinew");
  const Json* tail = sinew == nullptr ? nullptr : member(*sinew, "tail");
  if (tail != nullptr && tail->is_array() &&
      std::ranges::all_of(*tail, [](const Json& number) { return number.is_number(); }))
    node["extras"]["sinew"]["tail"] = scaled_vector(*tail, scale);
  return node;
}

class Copier {
 public:
  Copier(const Document& source, const Character& character, AttachedSkeleton& result)
      : source_(source),
        character_(character),
        result_(result),
        new_of_old_(character.nodes.nodes.size(), -1) {}

  Status run() {
    mark_nodes();
    copy_nodes();
    add_skin();
    return copy_animations();
  }

 private:
  void mark_nodes() {
    wanted_.assign(new_of_old_.size(), false);
    for (const Bone& bone : character_.skeleton.bones())
      for (int node = bone.source_node; node >= 0 && !wanted_[static_cast<std::size_t>(node)];
           node = character_.nodes.nodes[static_cast<std::size_t>(node)].parent)
        wanted_[static_cast<std::size_t>(node)] = true;
  }

  void copy_nodes() {
    const std::vector<Node>& nodes = character_.nodes.nodes;
    std::size_t roots = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) roots += wanted_[i] && nodes[i].parent < 0;
    int top = -1;
    if (roots > 1 || !result_.turn.isApprox(Quat::Identity())) {
      Json node = {{"name", "skeleton"}};
      const Quat& turn = result_.turn;
      if (!turn.isApprox(Quat::Identity()))
        node["rotation"] = Json::array({turn.x(), turn.y(), turn.z(), turn.w()});
      top = reading::add_node(result_.document, std::move(node));
    }
    for (const int old : character_.nodes.order) {
      const auto at = static_cast<std::size_t>(old);
      if (!wanted_[at]) continue;
      const int parent = nodes[at].parent;
      new_of_old_[at] = reading::add_node(
          result_.document, skeleton_node(element(source_, "nodes", old), result_.scale),
          parent < 0 ? top : new_of_old_[static_cast<std::size_t>(parent)]);
    }
  }

  void add_skin() {
    std::vector<int> joints;
    std::vector<Affine3> inverse_binds;
    for (const Bone& bone : character_.skeleton.bones()) {
      joints.push_back(new_of_old_[static_cast<std::size_t>(bone.source_node)]);
      Affine3 bind = Affine3(result_.turn) * bone.rest;
      bind.translation() *= result_.scale;
      inverse_binds.push_back(inverse_or_translation(bind));
    }
    result_.skin = reading::add_skin(result_.document, character_.name, joints, inverse_binds);
    element(result_.document, "skins", result_.skin)["extras"]["sinew"]["for_unskinned"] = true;
  }

  Status copy_animations() {
    for (const Json& animation : array_or_empty(source_.json, "animations")) {
      Json copy = Json::object();
      if (const Json* name = member(animation, "name")) copy["name"] = *name;
      copy["channels"] = Json::array();
      copy["samplers"] = Json::array();
      for (const Json& channel : array_or_empty(animation, "channels"))
        SINEW_CHECK(copy_channel(animation, channel, copy));
      if (!copy["channels"].empty()) result_.document.json["animations"].push_back(std::move(copy));
    }
    return {};
  }

  Status copy_channel(const Json& animation, const Json& channel, Json& copy) {
    const Json* target = member(channel, "target");
    const int node = target == nullptr ? -1 : index_or_none(*target, "node");
    if (node < 0 || new_of_old_[static_cast<std::size_t>(node)] < 0) return {};
    const std::string path = string_or(*target, "path", "");
    const bool moves = path == "translation";
    if (!moves && path != "rotation" && path != "scale") return {};
    const Json& sampler = array_or_empty(animation, "samplers")[index_of(channel, "sampler")];
    SINEW_TRY(const std::vector<float> times,
              read_floats(source_, index_or_none(sampler, "input"), "SCALAR"));
    const char* type = path == "rotation" ? "VEC4" : "VEC3";
    SINEW_TRY(std::vector<float> values,
              read_floats(source_, index_or_none(sampler, "output"), type));
    if (moves)
      for (float& value : values) value = static_cast<float>(value * result_.scale);
    copy["channels"].push_back(
        {{"sampler", copy["samplers"].size()},
         {"target", {{"node", new_of_old_[static_cast<std::size_t>(node)]}, {"path", path}}}});
    copy["samplers"].push_back(
        {{"input", copied_times(index_or_none(sampler, "input"), times)},
         {"interpolation", string_or(sampler, "interpolation", "LINEAR")},
         {"output", reading::append_floats(result_.document, type, values)}});
    return {};
  }

  static std::size_t index_of(const Json& object, const char* key) {
    return static_cast<std::size_t>(index_or_none(object, key));
  }

  int copied_times(int accessor, const std::vector<float>& times) {
    const auto known = std::ranges::find(times_, accessor, &std::pair<int, int>::first);
    if (known != times_.end()) return known->second;
    const int copied =
        reading::append_floats(result_.document, "SCALAR", times, reading::Bounds::with);
    times_.emplace_back(accessor, copied);
    return copied;
  }

  const Document& source_;
  const Character& character_;
  AttachedSkeleton& result_;
  std::vector<bool> wanted_;
  std::vector<int> new_of_old_;
  std::vector<std::pair<int, int>> times_;  // accessors of key times: there and here
};

/// Where the bones begin and end, as far as the file says.
std::vector<Vec3> joint_points(const Skeleton& skeleton) {
  std::vector<Vec3> points;
  for (const Bone& bone : skeleton.bones()) {
    points.push_back(bone.head());
    if (bone.tail) points.push_back(*bone.tail);
  }
  return points;
}

}  // namespace

Result<AttachedSkeleton> attach_skeleton(const Document& mesh, const Document& skeleton,
                                         const AttachOptions& options) {
  if (!array_or_empty(mesh.json, "skins").empty())
    return Error{ErrorCode::bad_argument, "skins[0]",
                 "the mesh has a skin already; a skeleton is attached only to meshes without one"};
  SINEW_TRY(const std::vector<LoadedCharacter> bodies, read_characters(mesh));
  SINEW_TRY(const std::vector<LoadedCharacter> rigs, read_characters(skeleton));
  Box box;
  for (const LoadedCharacter& body : bodies)
    box.extend(bounding_box(body.character.mesh.positions()));
  if (box.isEmpty()) return Error{ErrorCode::bad_mesh, "", "there is no mesh to attach to"};
  const auto rig = std::ranges::max_element(rigs, {}, [](const LoadedCharacter& loaded) {
    return loaded.character.skeleton.bone_count();
  });
  if (rig == rigs.end() || rig->character.skeleton.bone_count() == 0)
    return Error{ErrorCode::bad_skin, "skeleton", "the file has no skeleton"};

  AttachedSkeleton result;
  result.document = mesh;
  if (rigs.size() > 1)
    result.notices.push_back({Notice::Level::note, "skeleton_choice", "skeleton",
                              fmt::format("the file has {} skeletons; the one with the most bones, "
                                          "{}, was taken",
                                          rigs.size(), rig->character.skeleton.bone_count())});
  Fitter(joint_points(rig->character.skeleton), box, options.fit, result).run();
  SINEW_CHECK(Copier(skeleton, rig->character, result).run());
  return result;
}

}  // namespace sinew
