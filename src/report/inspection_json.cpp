// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/inspection_json.h"

#include <cmath>
#include <map>

namespace sinew {
namespace {

std::string_view bind_pose_name(BindPose::From from) {
  switch (from) {
    case BindPose::From::inverse_bind_matrices:
      return "ibm";
    case BindPose::From::nodes:
      return "nodes";
    case BindPose::From::clip:
      return "clip";
  }
  return "";
}

Json roles_json(const Inspection& i) {
  Json list = Json::array();
  for (std::size_t j = 0; j < i.roles.size(); ++j)
    if (!i.roles[j].deforms)
      list.push_back(
          {{"index", j}, {"name", i.bones[j].name}, {"reason", to_string(i.roles[j].reason)}});
  return list;
}

Json spines_json(const Inspection& i) {
  Json list = Json::array();
  for (std::size_t j = 0; j < i.bones.size(); ++j)
    if (i.bones[j].kind != BoneKind::rigid)
      list.push_back(
          {{"index", j}, {"name", i.bones[j].name}, {"kind", to_string(i.bones[j].kind)}});
  return list;
}

Json rows_json(const Inspection& i) {
  Json list = Json::array();
  for (const RowOfJoints& row : rows_of_joints(i))
    list.push_back({{"index", row.bone},
                    {"name", i.bones[static_cast<std::size_t>(row.bone)].name},
                    {"kind", to_string(row.kind)},
                    {"joints", row.joints}});
  return list;
}

/// Three rows of four numbers, one after the other.
Json affine_json(const Affine3& affine) {
  Json numbers = Json::array();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) numbers.push_back(affine.matrix()(row, column));
  return numbers;
}

Json quality_json(const Inspection& i) {
  if (!i.quality) return {};
  const WeightQuality& q = *i.quality;
  Json json = {{"worst_pose", q.worst_pose},
               {"worst_bone", nullptr},
               {"worst_bone_turn_deg", q.worst_bone_turn_deg},
               {"welded_max_influences", q.max_influences},
               {"welded_unweighted", q.unweighted}};
  if (q.worst_bone) json["worst_bone"] = i.bones[static_cast<std::size_t>(*q.worst_bone)].name;
  const auto most = [&](const std::optional<SkinShare>& share) -> Json {
    if (!share || !share->most) return {};
    return {{"bone", i.bones[static_cast<std::size_t>(share->most->bone)].name},
            {"percent", share->most->percent}};
  };
  const SkinQuality skin = q.skin.value_or(SkinQuality{});
  json["worst_limb"] = nullptr;
  if (q.limbs) {
    const int bone = q.limbs->worst.bone;
    const Vec3& at = q.limbs->worst.at_rest;
    json["worst_limb"] = {
        {"pose", q.limbs->pose_name},
        {"bone", bone < 0 ? Json() : Json(i.bones[static_cast<std::size_t>(bone)].name)},
        {"at", {at.x(), at.y(), at.z()}}};
  }
  json["stolen_most"] = most(skin.stolen);
  json["worse_most"] = most(skin.worse);
  return json;
}

/// What is known of one bone by how it moves.
void add_bone_quality(Json& json, const Inspection& i, std::size_t bone) {
  json["deforms"] = i.roles[bone].deforms;
  json["reason"] = to_string(i.roles[bone].reason);
  json["hangs_on"] = i.hierarchy.parent[bone];
  if (!i.quality) return;
  const BoneQuality& quality = i.quality->bones[bone];
  json["arap"] = quality.arap;
  json["follow"] = quality.follow ? Json(*quality.follow) : Json();
  add_skin_of_bone(json, i.quality->skin, bone);
}

}  // namespace

std::vector<RowOfJoints> rows_of_joints(const Inspection& i) {
  std::map<int, RowOfJoints> rows;
  for (std::size_t j = 0; j < i.bones.size(); ++j) {
    const BoneSummary& joint = i.bones[j];
    if (!joint.part_of || joint.parent < 0) continue;
    RowOfJoints& row = rows[joint.parent];
    row.bone = joint.parent;
    row.kind = joint.part_of->kind;
    row.joints.push_back(j);
  }
  std::vector<RowOfJoints> by_bone;
  for (auto& [bone, row] : rows) by_bone.push_back(std::move(row));
  return by_bone;
}

void add_skin_of_bone(Json& bone, const std::optional<SkinQuality>& skin, std::size_t index) {
  const auto of_bone = [&](std::optional<SkinShare> SkinQuality::*figure) -> Json {
    if (!skin || !((*skin).*figure)) return {};
    const std::optional<double>& percent = ((*skin).*figure)->bones[index];
    return percent ? Json(*percent) : Json();
  };
  bone["stolen"] = of_bone(&SkinQuality::stolen);
  bone["worse"] = of_bone(&SkinQuality::worse);
}

Json to_json(std::span<const Figure> figures) {
  Json json = Json::object();
  for (const Figure& figure : figures) {
    const bool whole = figure.value == std::floor(figure.value) && std::abs(figure.value) < 1e15;
    json[std::string(figure.name)] =
        whole ? Json(static_cast<std::int64_t>(figure.value)) : Json(figure.value);
  }
  return json;
}

Json to_json(const BindFacts& bind) {
  return {{"from", bind_pose_name(bind.from)},
          {"scene_scale", bind.scene_scale},
          {"node_deviation", bind.node_deviation_rel}};
}

Json to_json(const EffectiveHierarchy& hierarchy, std::span<const BoneSummary> bones) {
  const auto name = [&](int bone) {
    return bone < 0 ? Json() : Json(bones[static_cast<std::size_t>(bone)].name);
  };
  Json list = Json::array();
  for (const Rehung& each : hierarchy.rehung)
    list.push_back({{"bone", name(each.bone)},
                    {"from", name(each.from)},
                    {"to", name(each.to)},
                    {"why", each.why == Rehung::Why::flat ? "flat" : "moves_with"}});
  return list;
}

Json to_json(const Inspection& i, std::span<const int> listed_bones) {
  Json json = {{"name", i.name}, {"size", {i.size.x(), i.size.y(), i.size.z()}}};
  json["figures"] = to_json(figures(i));
  json["wires"] = i.wires;
  json["roots"] = i.roots;
  json["bind_pose"] = to_json(i.bind);
  json["influences"] = i.histogram;
  json["not_deforming"] = roles_json(i);
  json["spines"] = spines_json(i);
  json["rows"] = rows_json(i);
  json["rehung"] = to_json(i.hierarchy, i.bones);
  json["quality"] = quality_json(i);
  json["clips"] = Json::array();
  for (const ClipSummary& clip : i.clips)
    json["clips"].push_back(
        {{"name", clip.name}, {"start_s", clip.start_s}, {"end_s", clip.end_s}});
  json["props"] = Json::array();
  for (const PropSummary& prop : i.props)
    json["props"].push_back({{"name", prop.name}, {"bone", prop.bone}});
  json["bones"] = Json::array();
  for (const int index : listed_bones) {
    const BoneSummary& bone = i.bones[static_cast<std::size_t>(index)];
    json["bones"].push_back({{"index", index},
                             {"name", bone.name},
                             {"parent", bone.parent},
                             {"kind", to_string(bone.kind)},
                             {"rest", affine_json(bone.rest)},
                             {"length", bone.length},
                             {"weight_share", bone.weight_share},
                             {"dominated", bone.dominated}});
    add_bone_quality(json["bones"].back(), i, static_cast<std::size_t>(index));
  }
  return json;
}

}  // namespace sinew
