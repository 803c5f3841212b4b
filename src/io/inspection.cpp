// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/io/inspection.h"

#include <algorithm>
#include <cmath>
#include <set>

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
    inspection.bones.push_back({bone.name, bone.parent, skeleton.length(index), 0, 0});
  }
}

void describe_weights(const Character& character, Inspection& inspection) {
  const SkinWeights& weights = character.weights;
  inspection.max_influences = weights.max_influences();
  inspection.histogram.assign(inspection.max_influences + 1, 0);
  for (std::size_t vertex = 0; vertex < weights.vertex_count(); ++vertex) {
    const std::span<const Influence> row = weights.row(vertex);
    ++inspection.histogram[row.size()];
    if (row.empty()) continue;
    ++inspection.weighted;
    const auto heaviest = std::max_element(
        row.begin(), row.end(),
        [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
    ++inspection.bones[heaviest->bone].dominated;
  }
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

}  // namespace

std::size_t count_warnings(const Notices& notices) {
  return static_cast<std::size_t>(
      std::count_if(notices.begin(), notices.end(),
                    [](const Notice& notice) { return notice.level == Notice::Level::warning; }));
}

Inspection inspect_character(const LoadedCharacter& loaded) {
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

std::vector<Figure> figures(const Inspection& inspection) {
  const auto number = [](std::size_t count) { return static_cast<double>(count); };
  return {
      {"meshes", number(inspection.meshes)},
      {"vertices", number(inspection.vertices)},
      {"triangles", number(inspection.triangles)},
      {"tetrahedra", number(inspection.tetrahedra)},
      {"joints", number(inspection.joints)},
      {"clips", number(inspection.clips.size())},
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
      {"warnings", number(inspection.file_warnings + count_warnings(inspection.notices))},
  };
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const Figure& figure : figures(Inspection{})) names.emplace_back(figure.name);
  return names;
}

}  // namespace sinew
