// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/report/inspection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "model/forest.h"
#include "sinew/geometry/mesh_parts.h"
#include "sinew/geometry/weld.h"
#include "sinew/quality/limb_judge.h"
#include "sinew/quality/skin_judge.h"

namespace sinew {
namespace {

void describe_mesh(const LoadedCharacter& loaded, Inspection& inspection) {
  const Mesh& mesh = loaded.character.mesh;
  std::set<int> meshes;
  for (const PartSource& source : loaded.sources) meshes.insert(source.mesh);
  inspection.meshes = meshes.size();
  inspection.vertices = mesh.vertex_count();
  inspection.triangles = mesh.triangles().size();
  inspection.tetrahedra = mesh.tetrahedra().size();
  inspection.wires = mesh.wires().size();
  Box box = bounding_box(mesh.positions());
  if (box.isEmpty())  // a skeleton alone is as large as its bones
    for (const Bone& bone : loaded.character.skeleton.bones()) {
      box.extend(bone.head());
      if (bone.tail) box.extend(*bone.tail);
    }
  if (!box.isEmpty()) inspection.size = box.sizes();
}

void describe_skeleton(const Character& character, Inspection& inspection) {
  const Skeleton& skeleton = character.skeleton;
  inspection.joints = skeleton.bone_count();
  inspection.roots = skeleton.roots().size();
  for (const Clip& clip : character.clips)
    inspection.clips.push_back({clip.name, clip.start_s, clip.end_s});
  for (const RigidProp& prop : character.props)
    inspection.props.push_back(
        {prop.name, prop.bone < 0 ? std::string() : skeleton.bone(prop.bone).name});
  for (std::size_t i = 0; i < skeleton.bone_count(); ++i) {
    const int index = static_cast<int>(i);
    const Bone& bone = skeleton.bone(index);
    inspection.bones.push_back(
        {bone.name, bone.parent, bone.rest, skeleton.length(index), 0, 0, bone.kind, bone.part_of});
  }
}

void describe_weights(const Character& character, Inspection& inspection) {
  const SkinWeights& weights = character.weights;
  inspection.max_influences = weights.max_influences();
  inspection.histogram.assign(inspection.max_influences + 1, 0);
  for (std::size_t vertex = 0; vertex < weights.vertex_count(); ++vertex) {
    const std::span<const Influence> row = weights.row(vertex);
    ++inspection.histogram[row.size()];
    if (!row.empty()) ++inspection.weighted;
  }
  for (const int bone : dominant_bones(weights))
    if (bone >= 0) ++inspection.bones[static_cast<std::size_t>(bone)].dominated;
  inspection.unweighted = inspection.vertices - inspection.weighted;
  inspection.unused_joints = inspection.joints;
  if (inspection.weighted == 0) return;
  inspection.mean_influences =
      static_cast<double>(weights.influence_count()) / static_cast<double>(inspection.weighted);
  const std::vector<double> per_bone = weights.weight_per_bone();
  for (std::size_t i = 0; i < per_bone.size(); ++i) {
    inspection.bones[i].weight_share = per_bone[i] / static_cast<double>(inspection.weighted);
    if (per_bone[i] > 0) --inspection.unused_joints;
  }
}

/// Whose bones' roles and hierarchy count, brought to the bones of the character that is judged.
struct Reference {
  std::vector<BoneRole> roles;
  EffectiveHierarchy hierarchy;
};

/// The first bone of each name.
std::map<std::string, int> bones_by_name(const Skeleton& skeleton) {
  std::map<std::string, int> by_name;
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j)
    by_name.try_emplace(skeleton.bones()[j].name, static_cast<int>(j));
  return by_name;
}

Reference reference_of(const Character& character, const InspectOptions& options) {
  Reference own;
  if (options.original == nullptr) {
    own.roles = decide_deforming_bones(character);
    own.hierarchy = find_effective_hierarchy(character, own.roles, options.judging.hierarchy);
    return own;
  }
  const Skeleton& skeleton = character.skeleton;
  const std::vector<BoneRole> roles = decide_deforming_bones(*options.original);
  const EffectiveHierarchy hierarchy =
      find_effective_hierarchy(*options.original, roles, options.judging.hierarchy);
  const std::map<std::string, int> here = bones_by_name(skeleton);
  const std::map<std::string, int> there = bones_by_name(options.original->skeleton);
  own.roles.resize(skeleton.bone_count());
  for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
    own.hierarchy.parent.push_back(skeleton.bones()[j].parent);
    if (const auto found = there.find(skeleton.bones()[j].name); found != there.end())
      own.roles[j] = roles[static_cast<std::size_t>(found->second)];
  }
  for (const Rehung& rehung : hierarchy.rehung) {
    const auto bone = here.find(options.original->skeleton.bone(rehung.bone).name);
    const auto to = here.find(options.original->skeleton.bone(rehung.to).name);
    if (bone == here.end() || to == here.end()) continue;
    // Two files may hang the same names on each other the other way round.
    if (is_below(own.hierarchy.parent, to->second, bone->second)) continue;
    own.hierarchy.rehung.push_back(
        {bone->second, skeleton.bone(bone->second).parent, to->second, rehung.why});
    own.hierarchy.parent[static_cast<std::size_t>(bone->second)] = to->second;
  }
  return own;
}

/// Bones of the original that dominate less than half of what they did; those that are no longer
/// there dominate nothing.
std::size_t count_lost(const Character& original, const Skeleton& skeleton,
                       const WeightQuality& quality) {
  const std::vector<std::size_t> before = dominated_vertices(original);
  const std::map<std::string, int> here = bones_by_name(skeleton);
  std::vector<std::size_t> after(before.size(), 0);
  for (std::size_t j = 0; j < after.size(); ++j)
    if (const auto found = here.find(original.skeleton.bones()[j].name); found != here.end())
      after[j] = quality.bones[static_cast<std::size_t>(found->second)].dominated;
  return count_lost_bones(before, after);
}

/// What the file says, without any welding.
Inspection describe_stored(const LoadedCharacter& loaded) {
  Inspection inspection;
  inspection.name = loaded.character.name;
  inspection.bind = loaded.bind;
  inspection.repairs = loaded.repairs;
  inspection.sum_error = std::abs(loaded.repairs.worst_sum - 1);
  inspection.notices = loaded.notices;
  describe_mesh(loaded, inspection);
  describe_skeleton(loaded.character, inspection);
  describe_weights(loaded.character, inspection);
  return inspection;
}

void count_welded(const Mesh& mesh, Inspection& inspection) {
  const Mesh surface = surface_of(weld(mesh).mesh);
  inspection.welded_vertices = surface.vertex_count();
  inspection.welded_triangles = surface.triangles().size();
  inspection.parts = find_mesh_parts(surface).count();
}

Result<SkinQuality> judge_skin(const Character& character, const WeightJudge& judge,
                               const InspectOptions& options, const std::vector<BoneRole>& roles,
                               const Progress& progress) {
  std::optional<SurfaceWeights> original;
  if (options.original != nullptr && options.original->weights.influence_count() > 0)
    original = weights_by_place(*options.original, judge.surface(), character.skeleton);
  std::vector<SampledPose> poses = options.compare_in
                                       ? *options.compare_in
                                       : skin_poses(character.skeleton, roles, judge,
                                                    {.seed = options.judging.seed + kGentleSeed});
  SINEW_TRY(const SkinJudge skin,
            SkinJudge::create({judge, character.skeleton, roles}, std::move(poses),
                              std::move(original), progress));
  return skin.judge(weights_on(judge.surface(), character.weights), progress);
}

Result<WeightJudge> judge_weights(const Character& character, const InspectOptions& options,
                                  const Progress& progress, Inspection& inspection) {
  WeightJudge judge(character, inspection.roles, inspection.hierarchy, options.judging);
  inspection.welded_vertices = judge.welded_vertices();
  inspection.welded_triangles = judge.welded_triangles();
  inspection.parts = judge.parts();
  SINEW_TRY(inspection.quality, judge.judge(character.weights, nullptr, progress));
  if (options.original != nullptr)
    inspection.quality->lost =
        count_lost(*options.original, character.skeleton, *inspection.quality);
  SINEW_TRY(inspection.quality->skin,
            judge_skin(character, judge, options, inspection.roles, progress));
  SINEW_TRY(inspection.quality->limbs,
            judge_limbs(judge, character.skeleton, weights_on(judge.surface(), character.weights),
                        limb_poses(character.skeleton, inspection.roles, inspection.hierarchy),
                        progress));
  return judge;
}

}  // namespace

std::size_t count_warnings(const Notices& notices) {
  return static_cast<std::size_t>(
      std::count_if(notices.begin(), notices.end(),
                    [](const Notice& notice) { return notice.level == Notice::Level::warning; }));
}

std::size_t Inspection::deforming() const {
  return static_cast<std::size_t>(
      std::count_if(roles.begin(), roles.end(), [](const BoneRole& role) { return role.deforms; }));
}

Inspection describe_character(const LoadedCharacter& loaded, std::vector<BoneRole> roles,
                              EffectiveHierarchy hierarchy) {
  Inspection inspection = describe_stored(loaded);
  inspection.roles = std::move(roles);
  inspection.hierarchy = std::move(hierarchy);
  count_welded(loaded.character.mesh, inspection);
  return inspection;
}

Result<JudgedInspection> inspect_with_judge(const LoadedCharacter& loaded,
                                            const InspectOptions& options,
                                            const Progress& progress) {
  SINEW_CHECK(progress.checkpoint("judging", 0));
  Reference reference = reference_of(loaded.character, options);
  JudgedInspection judged{describe_stored(loaded), std::nullopt};
  Inspection& inspection = judged.inspection;
  inspection.roles = std::move(reference.roles);
  inspection.hierarchy = std::move(reference.hierarchy);
  if (options.judging.poses > 0 && inspection.weighted > 0) {  // then the judge has welded anyway
    SINEW_TRY(judged.judge, judge_weights(loaded.character, options, progress, inspection));
  } else {
    count_welded(loaded.character.mesh, inspection);
  }
  return judged;
}

Result<Inspection> inspect_character(const LoadedCharacter& loaded, const InspectOptions& options,
                                     const Progress& progress) {
  SINEW_TRY(JudgedInspection judged, inspect_with_judge(loaded, options, progress));
  return std::move(judged.inspection);
}

std::vector<Figure> figures(const Inspection& inspection) {
  const auto number = [](std::size_t count) { return static_cast<double>(count); };
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const WeightQuality quality = inspection.quality.value_or(WeightQuality{});
  const SkinQuality skin = quality.skin.value_or(SkinQuality{});
  const auto judged = [&](double value) { return inspection.quality ? value : kUnknown; };
  return {
      {"meshes", number(inspection.meshes)},
      {"vertices", number(inspection.vertices)},
      {"triangles", number(inspection.triangles)},
      {"tetrahedra", number(inspection.tetrahedra)},
      {"joints", number(inspection.joints)},
      {"clip_count", number(inspection.clips.size())},
      {"props", number(inspection.props.size())},
      {"height", inspection.size.y()},
      {"max_influences", number(inspection.max_influences)},
      {"mean_influences", inspection.mean_influences},
      {"unweighted", number(inspection.unweighted)},
      {"unused_joints", number(inspection.unused_joints)},
      {"sum_error", inspection.sum_error},
      {"sum_not_one", number(inspection.repairs.sum_not_one)},
      {"negative", number(inspection.repairs.negative)},
      {"not_finite", number(inspection.repairs.not_finite)},
      {"out_of_range", number(inspection.repairs.out_of_range)},
      {"repeated", number(inspection.repairs.repeated)},
      {"welded_vertices", number(inspection.welded_vertices)},
      {"welded_triangles", number(inspection.welded_triangles)},
      {"parts", number(inspection.parts)},
      {"deforming", number(inspection.deforming())},
      {"rehung", number(inspection.hierarchy.rehung.size())},
      {"arap", judged(quality.arap)},
      {"arap_worst", judged(quality.arap_worst)},
      {"clips", judged(quality.clips.value_or(kUnknown))},
      {"worst_bone", judged(quality.worst_bone_arap)},
      {"follow", judged(quality.follow)},
      {"follow_min", judged(quality.follow_min)},
      {"drift", judged(quality.drift)},
      {"dead", judged(number(quality.dead))},
      {"lost", quality.lost ? number(*quality.lost) : kUnknown},
      {"islands", judged(number(quality.islands))},
      {"rough", judged(quality.rough)},
      {"control_weight", judged(quality.control_weight)},
      {"seam_spread", judged(quality.seam_spread)},
      {"limb", quality.limbs ? quality.limbs->arap : kUnknown},
      {"stolen", skin.stolen ? skin.stolen->percent : kUnknown},
      {"head", skin.head ? skin.head->percent : kUnknown},
      {"folded", skin.folded ? skin.folded->percent : kUnknown},
      {"worse", skin.worse ? skin.worse->percent : kUnknown},
      {"apart", skin.touching ? skin.touching->apart : kUnknown},
      {"sunk", skin.touching ? skin.touching->sunk : kUnknown},
      {"warnings", number(inspection.file_warnings + count_warnings(inspection.notices))},
  };
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const Figure& figure : figures(Inspection{})) names.emplace_back(figure.name);
  return names;
}

}  // namespace sinew
