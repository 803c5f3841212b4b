// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/report.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gltf/gltf_json.h"
#include "model/spine_rows.h"
#include "quality/rows_and_spines.h"
#include "report/plain_glb.h"
#include "report/report_interior.h"
#include "report/report_parts.h"
#include "rig/leaf_tails.h"

namespace sinew {
namespace {

constexpr int kPayloadVersion = 1;
/// How much of the work is done once files are judged and once they are posed; the rest is
/// encoding.
struct Shares {
  double judged, posed, solved;
};
constexpr Shares kPlain{0.7, 0.9, 0.9};
/// Solving weights in the interior takes about as long as judging.
constexpr Shares kWithInterior{0.4, 0.5, 0.95};

/// Other characters of the same document would stand in the picture without moving.
Document without_other_characters(const Document& document, const LoadedCharacter& loaded) {
  Document alone = document;
  if (!alone.json.contains("nodes")) return alone;
  for (Json& node : alone.json["nodes"]) {
    const int skin = index_or_none(node, "skin");
    if (skin < 0 || std::find(loaded.skins.begin(), loaded.skins.end(), skin) != loaded.skins.end())
      continue;
    node.erase("mesh");
    node.erase("skin");
  }
  return alone;
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Where a bone ends: at its tail, at its children, else where it serves the mesh.
Vec3 tail_of(const Skeleton& with_tails, const std::vector<int>& parent, int bone) {
  if (with_tails.bone(bone).tail) return *with_tails.bone(bone).tail;
  Vec3 sum = Vec3::Zero();
  int children = 0;
  for (std::size_t c = 0; c < parent.size(); ++c)
    if (parent[c] == bone) {
      sum += with_tails.bones()[c].head();
      ++children;
    }
  return children > 0 ? Vec3(sum / children) : with_tails.bone(bone).head();
}

/// Counts the weights of joints that are there to show a bone as that bone's: what a reader sees.
void count_as_shown(const ReportFile& file, Inspection& inspection) {
  if (file.shown_for.empty()) return;
  const SkinWeights weights = with_rows_as_bones(file.character->character.weights, file.shown_for);
  inspection.max_influences = weights.max_influences();
  inspection.histogram.assign(inspection.max_influences + 1, 0);
  for (std::size_t v = 0; v < weights.vertex_count(); ++v)
    ++inspection.histogram[weights.row(v).size()];
  if (inspection.weighted > 0)
    inspection.mean_influences =
        static_cast<double>(weights.influence_count()) / static_cast<double>(inspection.weighted);
  for (auto& bone : inspection.bones) bone.dominated = 0;
  for (const int bone : dominant_bones(weights))
    if (bone >= 0) ++inspection.bones[static_cast<std::size_t>(bone)].dominated;
}

Json describe_bones(const JudgedFile& judged, const ReportPoses& poses, bool judged_as_shown) {
  const Character& character = judged.character();
  const Inspection& inspection = judged.inspection();
  const Skeleton with_tails =
      guess_leaf_tails(with_row_tails(character.skeleton), character.mesh, character.weights)
          .skeleton;
  const std::vector<int>& shown_for = judged.file->shown_for;
  Json bones = Json::array();
  for (std::size_t j = 0; j < character.skeleton.bone_count(); ++j) {
    const Bone& bone = character.skeleton.bones()[j];
    Json entry = {{"name", bone.name},
                  {"node", bone.source_node},
                  {"parent", inspection.hierarchy.parent[j]},
                  {"deforms", inspection.roles[j].deforms},
                  {"rest", affine_to_json(bone.rest)},
                  {"head", vector_to_json(bone.head())},
                  {"tail", vector_to_json(tail_of(with_tails, inspection.hierarchy.parent,
                                                  static_cast<int>(j)))},
                  {"dominated", inspection.bones[j].dominated},
                  {"arap", nullptr},
                  {"follow", nullptr},
                  {"worst_pose", nullptr}};
    if (!shown_for.empty() && shown_for[j] != static_cast<int>(j))
      entry["shown_for"] = shown_for[j];
    if (inspection.quality) {
      const BoneQuality& quality = inspection.quality->bones[j];
      entry["arap"] = quality.arap;
      if (quality.follow) entry["follow"] = *quality.follow;
      if (quality.worst_pose >= 0 && judged_as_shown)
        entry["worst_pose"] = poses.first_random + quality.worst_pose;
    }
    bones.push_back(std::move(entry));
  }
  return bones;
}

Json describe_file(const JudgedFile& judged, const ReportPoses& poses, bool judged_as_shown,
                   const ReportOptions& options) {
  const Inspection& inspection = judged.inspection();
  Json values = Json::object();
  for (const Figure& figure : figures(inspection))
    values[std::string(figure.name)] = number_or_null(figure.value);
  if (judged.file->seconds) values["seconds"] = *judged.file->seconds;
  Json entry = {{"name", judged.file->name},
                {"label", judged.file->label},
                {"blob", 0},
                {"size", vector_to_json(inspection.size)},
                {"diagonal", inspection.size.norm()},
                {"vertices", inspection.vertices},
                {"triangles", inspection.triangles},
                {"figures", std::move(values)},
                {"bones", describe_bones(judged, poses, judged_as_shown)},
                {"max_influences_allowed", options.max_influences},
                {"warnings", describe_warnings(judged, options.max_influences)}};
  if (!judged.file->convergence.empty()) {
    Json& points = entry["convergence"] = Json::array();
    for (const ConvergencePoint& point : judged.file->convergence)
      points.push_back({{"iteration", point.iteration}, {"energy", point.energy}});
  }
  if (!judged.failed.empty()) entry["failed"] = judged.failed;
  return entry;
}

std::string title_of(std::span<const ReportFile> files) {
  std::string title;
  for (std::size_t f = 0; f < files.size(); ++f)
    title += (f == 0 ? "" : f + 1 == files.size() ? " and " : ", ") + files[f].label;
  return title;
}

Result<std::vector<JudgedFile>> judge_files(std::span<const ReportFile> files,
                                            const ReportOptions& options,
                                            const Progress& progress) {
  std::vector<JudgedFile> judged;
  for (std::size_t f = 0; f < files.size(); ++f) {
    InspectOptions inspect{options.judging, options.original};
    if (f > 0 && inspect.original == nullptr)
      inspect.original = &files.front().character->character;
    const double step = 1 / static_cast<double>(files.size());
    const double begin = step * static_cast<double>(f);
    SINEW_TRY(JudgedInspection inspected, inspect_with_judge(*files[f].character, inspect,
                                                             progress.within(begin, begin + step)));
    count_as_shown(files[f], inspected.inspection);
    std::string failed = files[f].failed;
    if (failed.empty() && inspected.inspection.weighted == 0 && inspected.inspection.joints > 0)
      failed = "no vertex has any weight";
    judged.push_back({&files[f], std::move(inspected), std::move(failed)});
  }
  return judged;
}

/// What the files are filled with, and which of these belongs to each file. Files that are filled
/// alike have that of the first of them.
struct Interiors {
  Json all = Json::array();
  std::vector<std::size_t> of_file;
};

Result<Interiors> describe_interiors(std::span<const JudgedFile> files,
                                     const InteriorOptions& options, const Progress& progress) {
  Interiors interiors;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const double step = 1 / static_cast<double>(files.size());
    const double begin = step * static_cast<double>(f);
    std::size_t alike = 0;
    while (alike < f && !are_filled_alike(files[alike], files[f])) ++alike;
    if (alike < f) {
      interiors.of_file.push_back(interiors.of_file[alike]);
      continue;
    }
    SINEW_TRY(Json interior,
              describe_interior(files[f], options, progress.within(begin, begin + step)));
    interiors.of_file.push_back(interiors.all.size());
    interiors.all.push_back(std::move(interior));
  }
  return interiors;
}

PoseReference reference_of(std::span<const JudgedFile> files, const ReportOptions& options) {
  if (options.original == nullptr)
    return {&files.front().character(), files.front().inspection().roles,
            files.front().inspection().hierarchy};
  PoseReference reference{options.original, decide_deforming_bones(*options.original), {}};
  reference.hierarchy =
      find_effective_hierarchy(*options.original, reference.roles, options.judging.hierarchy);
  return reference;
}

}  // namespace

Json affine_to_json(const Affine3& affine) {
  Json numbers = Json::array();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) numbers.push_back(affine.matrix()(row, column));
  return numbers;
}

Json vector_to_json(const Vec3& vector) {
  return Json::array({vector.x(), vector.y(), vector.z()});
}

Result<Report> make_report(std::span<const ReportFile> files, const ReportOptions& options,
                           const Progress& progress) {
  assert(!files.empty());
  const Shares shares = options.interior ? kWithInterior : kPlain;
  SINEW_TRY(std::vector<JudgedFile> judged,
            judge_files(files, options, progress.within(0, shares.judged)));
  const PoseReference reference = reference_of(judged, options);
  SINEW_TRY(ReportPoses poses, make_report_poses(judged, reference, options.judging,
                                                 progress.within(shares.judged, shares.posed)));
  Interiors interiors;
  if (options.interior) {
    SINEW_TRY(interiors, describe_interiors(judged, *options.interior,
                                            progress.within(shares.posed, shares.solved)));
  }
  Report report;
  Json entries = Json::array();
  for (std::size_t f = 0; f < files.size(); ++f) {
    SINEW_CHECK(progress.checkpoint("writing", shares.solved));
    SINEW_TRY(PlainGlb glb,
              make_plain_glb(without_other_characters(*files[f].document, *files[f].character),
                             {options.max_texture_bytes / files.size()}));
    Json entry = describe_file(judged[f], poses, poses.judged_as_shown[f], options);
    const auto known = std::find(report.blobs.begin(), report.blobs.end(), glb.bytes);
    entry["blob"] = known - report.blobs.begin();
    if (known == report.blobs.end()) report.blobs.push_back(std::move(glb.bytes));
    if (!glb.textures_note.empty()) entry["textures_note"] = std::move(glb.textures_note);
    if (options.interior) entry["interior"] = interiors.of_file[f];
    entries.push_back(std::move(entry));
  }
  report.payload = {{"version", kPayloadVersion},
                    {"title", options.title.empty() ? title_of(files) : options.title},
                    {"verdict", describe_verdict(judged)},
                    {"generator", options.generator},
                    {"files", std::move(entries)},
                    {"poses", std::move(poses.poses)},
                    {"worst", std::move(poses.worst)}};
  if (options.interior) report.payload["interiors"] = std::move(interiors.all);
  for (JudgedFile& file : judged) report.inspections.push_back(std::move(file.judged.inspection));
  progress.update("writing", 1);
  return report;
}

}  // namespace sinew
