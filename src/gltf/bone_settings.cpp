// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/bone_settings.h"

#include <array>
#include <string_view>
#include <utility>

#include "gltf/gltf_json.h"
#include "gltf/json_values.h"
#include "math/affine.h"

namespace sinew {
namespace {

constexpr double kFullTurnDeg = 360;

constexpr std::array<std::string_view, 6> kBoneKeys = {"kind", "deform", "tail",
                                                       "axis", "limits", "parameters"};
/// What a bone may carry beside its settings: "part_of" marks a joint of a row that was made for a
/// spine (spines/gltf_spine_joints.h).
constexpr std::array<std::string_view, 7> kKnownBoneKeys = {
    "kind", "deform", "tail", "axis", "limits", "parameters", "part_of"};
constexpr std::string_view kPainted = "painted:";
constexpr std::array<std::string_view, 5> kLimitKeys = {"roll_deg", "roll_axis", "twist_deg",
                                                        "bend_deg", "stretch"};

constexpr std::array<std::pair<std::string_view, int>, 3> kAxisNames = {
    {{"X", 0}, {"Y", 1}, {"Z", 2}}};

Error bad_setting(const std::string& place, std::string message) {
  return {ErrorCode::bad_file, place, std::move(message)};
}

Result<Vec3> parse_axis(const Json& json, const std::string& place) {
  if (!json.is_string()) return reading::json_direction(json, place);
  std::string name = json.get<std::string>();
  const double sign = name.starts_with('-') ? -1 : 1;
  if (name.starts_with('-') || name.starts_with('+')) name.erase(0, 1);
  for (const auto& [known, index] : kAxisNames)
    if (known == name) return Vec3(sign * Vec3::Unit(index));
  return bad_setting(place, "is none of +X, -X, +Y, -Y, +Z, -Z, and not [x, y, z]");
}

struct Bounds {
  double least;
  double most;
  std::string_view words;
};

Result<Range> parse_range(const Json& json, const std::string& place, const Bounds& bounds) {
  if (!json.is_array() || json.size() != 2) return bad_setting(place, "is not [min, max]");
  Range range;
  SINEW_TRY(range.min, reading::json_number(json[0], place + "[0]"));
  SINEW_TRY(range.max, reading::json_number(json[1], place + "[1]"));
  if (range.min > range.max)
    return bad_setting(place, fmt::format("has min {} above max {}", range.min, range.max));
  if (range.min < bounds.least || range.max > bounds.most)
    return bad_setting(place, fmt::format("leaves {}", bounds.words));
  return range;
}

Status parse_limits(const Json& json, const std::string& place, BoneSettings& settings,
                    Notices& notices) {
  constexpr Bounds kAngles{-kFullTurnDeg, kFullTurnDeg, "-360 to 360 degrees"};
  constexpr Bounds kStretches{1e-3, 1e3, "0.001 to 1000 times the length at rest"};
  if (!json.is_object()) return bad_setting(place, "is not an object");
  reading::note_unknown_keys(json, kLimitKeys, place, kUnknownRigKey, notices);
  if (const Json* roll = member(json, "roll_deg")) {
    SINEW_TRY(settings.roll_deg, parse_range(*roll, place + ".roll_deg", kAngles));
  }
  if (const Json* axis = member(json, "roll_axis")) {
    SINEW_TRY(settings.roll_axis, reading::json_direction(*axis, place + ".roll_axis"));
  }
  if (const Json* twist = member(json, "twist_deg")) {
    SINEW_TRY(settings.twist_deg, parse_range(*twist, place + ".twist_deg", kAngles));
  }
  if (const Json* bend = member(json, "bend_deg")) {
    SINEW_TRY(settings.bend_deg, parse_range(*bend, place + ".bend_deg", kAngles));
  }
  if (const Json* stretch = member(json, "stretch")) {
    SINEW_TRY(settings.stretch, parse_range(*stretch, place + ".stretch", kStretches));
  }
  return {};
}

Status parse_parameters(const Json& json, const std::string& place, BoneSettings& settings) {
  const std::string name = json.is_string() ? json.get<std::string>() : std::string();
  if (name.starts_with(kPainted) && name.size() > kPainted.size()) {
    settings.painted_attribute = name.substr(kPainted.size());
    settings.parametrisation = SpineParametrisation::linear;
    return {};
  }
  settings.parametrisation = spine_parametrisation_from(name);
  settings.painted_attribute = std::string();
  if (!settings.parametrisation)
    return bad_setting(place, "is not linear, harmonic or painted:ATTRIBUTE");
  return {};
}

/// The mark of a joint of a row, whose bone is its parent by name; nothing where somebody has hung
/// it elsewhere since.
Result<std::optional<RowPlace>> parse_row_place(const Json& json, const std::string& place,
                                                const std::vector<Bone>& bones, const Bone& joint) {
  if (!json.is_object()) return bad_setting(place, "is not an object");
  const Json* const kind = member(json, "kind");
  const Json* const bone = member(json, "bone");
  const Json* const u = member(json, "u");
  const std::optional<BoneKind> known = kind != nullptr && kind->is_string()
                                            ? bone_kind_from(kind->get<std::string>())
                                            : std::nullopt;
  if (!known || *known == BoneKind::rigid)
    return bad_setting(place + ".kind", "is neither spine nor stretch-twist");
  if (u == nullptr || !u->is_number() || !(u->get<double>() >= 0 && u->get<double>() <= 1))
    return bad_setting(place + ".u", "is not from 0 to 1");
  if (joint.parent < 0 || bone == nullptr ||
      *bone != bones[static_cast<std::size_t>(joint.parent)].name)
    return std::optional<RowPlace>();
  return std::optional(RowPlace{*known, u->get<double>()});
}

Json parameters_json(const Bone& bone) {
  if (!bone.painted_attribute.empty()) return std::string(kPainted) + bone.painted_attribute;
  return to_string(bone.parametrisation);
}

Json vector_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json range_json(const Range& range) { return Json::array({range.min, range.max}); }

Json axis_json(const Vec3& axis) {
  for (const auto& [name, index] : kAxisNames)
    for (const double sign : {1.0, -1.0})
      if (axis == Vec3(sign * Vec3::Unit(index)))
        return fmt::format("{}{}", sign > 0 ? '+' : '-', name);
  return vector_json(axis);
}

Json limits_json(const BoneLimits& limits) {
  const BoneLimits usual;
  Json json = Json::object();
  if (limits.roll_deg != usual.roll_deg) json["roll_deg"] = range_json(limits.roll_deg);
  if (limits.roll_axis) json["roll_axis"] = vector_json(*limits.roll_axis);
  if (limits.twist_deg != usual.twist_deg) json["twist_deg"] = range_json(limits.twist_deg);
  if (limits.bend_deg != usual.bend_deg) json["bend_deg"] = range_json(limits.bend_deg);
  if (limits.stretch != usual.stretch) json["stretch"] = range_json(limits.stretch);
  return json;
}

}  // namespace

Result<BoneSettings> parse_bone_settings(const Json& json, const std::string& place,
                                         Notices& notices) {
  if (!json.is_object()) return bad_setting(place, "is not an object");
  reading::note_unknown_keys(json, kKnownBoneKeys, place, kUnknownRigKey, notices);
  BoneSettings settings;
  if (const Json* kind = member(json, "kind")) {
    if (kind->is_string()) settings.kind = bone_kind_from(kind->get<std::string>());
    if (!settings.kind)
      return bad_setting(
          place + ".kind",
          fmt::format("is none of {}, {}, {}", to_string(BoneKind::rigid),
                      to_string(BoneKind::stretch_twist), to_string(BoneKind::spine)));
  }
  if (const Json* deform = member(json, "deform")) {
    if (!deform->is_boolean()) return bad_setting(place + ".deform", "is not true or false");
    settings.deforms = deform->get<bool>();
  }
  if (const Json* tail = member(json, "tail")) {
    SINEW_TRY(settings.tail, reading::json_vector(*tail, place + ".tail"));
    if (settings.tail->isZero(0))
      return bad_setting(place + ".tail", "is the joint itself: a bone needs a length");
  }
  if (const Json* axis = member(json, "axis")) {
    SINEW_TRY(settings.leaf_axis, parse_axis(*axis, place + ".axis"));
  }
  if (const Json* limits = member(json, "limits"))
    SINEW_CHECK(parse_limits(*limits, place + ".limits", settings, notices));
  if (const Json* parameters = member(json, "parameters"))
    SINEW_CHECK(parse_parameters(*parameters, place + ".parameters", settings));
  return settings;
}

void apply_bone_settings(const BoneSettings& settings, Bone& bone) {
  if (settings.kind) bone.kind = *settings.kind;
  if (settings.deforms) bone.deforms = settings.deforms;
  if (settings.tail) bone.tail = bone.rest * *settings.tail;
  if (settings.leaf_axis) bone.leaf_axis = settings.leaf_axis;
  if (settings.roll_deg) bone.limits.roll_deg = *settings.roll_deg;
  if (settings.roll_axis) bone.limits.roll_axis = settings.roll_axis;
  if (settings.twist_deg) bone.limits.twist_deg = *settings.twist_deg;
  if (settings.bend_deg) bone.limits.bend_deg = *settings.bend_deg;
  if (settings.stretch) bone.limits.stretch = *settings.stretch;
  if (settings.parametrisation) bone.parametrisation = *settings.parametrisation;
  if (settings.painted_attribute) bone.painted_attribute = *settings.painted_attribute;
}

Json bone_settings_json(const Bone& bone) {
  Json json = Json::object();
  if (bone.kind != BoneKind::rigid) json["kind"] = to_string(bone.kind);
  if (bone.deforms) json["deform"] = *bone.deforms;
  if (bone.tail && !!is_invertible(bone.rest))
    json["tail"] = vector_json(bone.rest.inverse(Eigen::Affine) * *bone.tail);
  if (bone.leaf_axis) json["axis"] = axis_json(*bone.leaf_axis);
  if (Json limits = limits_json(bone.limits); !limits.empty()) json["limits"] = std::move(limits);
  if (bone.parametrisation != SpineParametrisation::linear || !bone.painted_attribute.empty())
    json["parameters"] = parameters_json(bone);
  return json;
}

Status read_node_settings(const Document& document, std::vector<Bone>& bones, Notices& notices) {
  for (Bone& bone : bones) {
    if (bone.source_node < 0) continue;
    const Json* extras = member(element(document, "nodes", bone.source_node), "extras");
    const Json* ours = extras == nullptr ? nullptr : member(*extras, "sinew");
    if (ours == nullptr) continue;
    const std::string place = fmt::format("nodes[{}].extras.sinew", bone.source_node);
    SINEW_TRY(const BoneSettings settings, parse_bone_settings(*ours, place, notices));
    apply_bone_settings(settings, bone);
    if (const Json* mark = member(*ours, "part_of")) {
      SINEW_TRY(bone.part_of, parse_row_place(*mark, place + ".part_of", bones, bone));
    }
  }
  return {};
}

void write_node_settings(Document& document, const Skeleton& skeleton) {
  for (const Bone& bone : skeleton.bones()) {
    if (bone.source_node < 0) continue;
    Json& node = element(document, "nodes", bone.source_node);
    Json settings = bone_settings_json(bone);
    const Json* old_extras = member(node, "extras");
    if (settings.empty() && (old_extras == nullptr || member(*old_extras, "sinew") == nullptr))
      continue;
    Json extras = old_extras != nullptr && old_extras->is_object() ? *old_extras : Json::object();
    Json ours =
        extras.contains("sinew") && extras["sinew"].is_object() ? extras["sinew"] : Json::object();
    for (const std::string_view key : kBoneKeys) ours.erase(std::string(key));
    for (auto& [key, value] : settings.items()) ours[key] = value;
    if (ours.empty())
      extras.erase("sinew");
    else
      extras["sinew"] = std::move(ours);
    if (extras.empty())
      node.erase("extras");
    else
      node["extras"] = std::move(extras);
  }
}

}  // namespace sinew
