// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gltf/gltf_json.h"
#include "math/affine.h"
#include "sinew/gltf/move_joints.h"

namespace sinew {
namespace {

/// Extensions of a node that put something into the scene where the node is.
constexpr std::string_view kShowingExtensions[] = {"KHR_lights_punctual", "EXT_mesh_gpu_instancing",
                                                   "KHR_audio_emitter"};

class RelianceFinder {
 public:
  RelianceFinder(const Document& document, const LoadedCharacter& loaded)
      : document_(document), loaded_(loaded) {
    const std::vector<Bone>& bones = loaded.character.skeleton.bones();
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (bones[b].source_node >= 0) bone_of_node_[bones[b].source_node] = static_cast<int>(b);
  }

  std::vector<JointReliance> find() {
    find_props();
    find_other_skins();
    find_humanoids();
    find_constraints();
    find_attachments();
    find_flat();
    find_rows();
    std::stable_sort(
        found_.begin(), found_.end(),
        [](const JointReliance& a, const JointReliance& b) { return a.bone < b.bone; });
    return std::move(found_);
  }

 private:
  using By = JointReliance::By;

  void add(int bone, By by, std::string place, std::string reason) {
    found_.push_back({bone, by, std::move(place), std::move(reason)});
  }

  void add_node(int node, By by, const std::string& place, std::string reason) {
    if (const auto found = bone_of_node_.find(node); found != bone_of_node_.end())
      add(found->second, by, place, std::move(reason));
  }

  [[nodiscard]] std::string node_words(int node) const {
    const std::string name = string_or(element(document_, "nodes", node), "name", "");
    return name.empty() ? fmt::format("node {}", node) : fmt::format("'{}'", name);
  }

  void find_props() {
    for (const RigidProp& prop : loaded_.character.props)
      add(prop.bone, By::prop, fmt::format("nodes[{}]", prop.source_node),
          fmt::format("carries the mesh {}", node_words(prop.source_node)));
  }

  void find_other_skins() {
    const Json& skins = array_or_empty(document_.json, "skins");
    const std::vector<Node>& nodes = loaded_.character.nodes.nodes;
    std::set<int> shown;  // a skin that nothing is shown with moves nothing
    for (const Json& node : array_or_empty(document_.json, "nodes"))
      if (index_or_none(node, "mesh") >= 0) shown.insert(index_or_none(node, "skin"));
    for (std::size_t s = 0; s < skins.size(); ++s) {
      const bool is_ours = std::find(loaded_.skins.begin(), loaded_.skins.end(),
                                     static_cast<int>(s)) != loaded_.skins.end();
      if (is_ours || !shown.contains(static_cast<int>(s))) continue;
      std::set<int> hung_on;  // one reason per joint, however many of the skin's hang on it
      for (const Json& joint : array_or_empty(skins[s], "joints")) {
        const int node = joint.get<int>();
        const std::string place = fmt::format("skins[{}]", s);
        if (bone_of_node_.contains(node)) {
          add_node(node, By::other_skin, place, fmt::format("is a joint of {} too", place));
          continue;
        }
        int up = nodes[static_cast<std::size_t>(node)].parent;
        while (up >= 0 && !bone_of_node_.contains(up))
          up = nodes[static_cast<std::size_t>(up)].parent;
        if (up >= 0 && hung_on.insert(up).second)
          add_node(up, By::other_character, place, fmt::format("carries joints of {}", place));
      }
    }
  }

  /// VRM 1 maps names to objects with a node, VRM 0 lists objects with a name and a node.
  void find_humanoids() {
    if (const Json* vrm = extension(document_.json, "VRMC_vrm"))
      if (const Json* humanoid = member(*vrm, "humanoid"))
        if (const Json* bones = member(*humanoid, "humanBones"); bones != nullptr)
          for (const auto& [name, bone] : bones->items())
            add_node(index_or_none(bone, "node"), By::humanoid,
                     fmt::format("extensions.VRMC_vrm.humanoid.humanBones.{}", name),
                     fmt::format("is the {} of a VRM humanoid", name));
    if (const Json* vrm = extension(document_.json, "VRM")) {
      if (const Json* humanoid = member(*vrm, "humanoid")) {
        const Json& bones = array_or_empty(*humanoid, "humanBones");
        for (std::size_t b = 0; b < bones.size(); ++b)
          add_node(index_or_none(bones[b], "node"), By::humanoid,
                   fmt::format("extensions.VRM.humanoid.humanBones[{}]", b),
                   fmt::format("is the {} of a VRM humanoid",
                               string_or(bones[b], "bone", "unnamed bone")));
      }
      if (const Json* secondary = member(*vrm, "secondaryAnimation")) {
        const Json& groups = array_or_empty(*secondary, "colliderGroups");
        for (std::size_t g = 0; g < groups.size(); ++g)
          add_node(index_or_none(groups[g], "node"), By::humanoid,
                   fmt::format("extensions.VRM.secondaryAnimation.colliderGroups[{}]", g),
                   "carries colliders of VRM springs");
      }
    }
    if (const Json* springs = extension(document_.json, "VRMC_springBone")) {
      const Json& colliders = array_or_empty(*springs, "colliders");
      for (std::size_t c = 0; c < colliders.size(); ++c)
        add_node(index_or_none(colliders[c], "node"), By::humanoid,
                 fmt::format("extensions.VRMC_springBone.colliders[{}]", c),
                 "carries a collider of VRM springs");
    }
  }

  /// Turns can be copied from anywhere; only who looks at a joint cares where it is.
  void find_constraints() {
    const Json& nodes = array_or_empty(document_.json, "nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Json* node_constraint = extension(nodes[n], "VRMC_node_constraint");
      const Json* constraint =
          node_constraint == nullptr ? nullptr : member(*node_constraint, "constraint");
      const Json* aim = constraint == nullptr ? nullptr : member(*constraint, "aim");
      if (aim == nullptr) continue;
      add_node(index_or_none(*aim, "source"), By::humanoid, fmt::format("nodes[{}]", n),
               fmt::format("is what {} points at", node_words(static_cast<int>(n))));
      add_node(static_cast<int>(n), By::humanoid, fmt::format("nodes[{}]", n),
               "points at another node by a constraint");
    }
  }

  /// A child can be held in place while a joint moves; what the joint's own node shows cannot.
  void find_attachments() {
    for (const auto& [node, bone] : bone_of_node_) {
      const Json& json = element(document_, "nodes", node);
      const std::string place = fmt::format("nodes[{}]", node);
      if (index_or_none(json, "camera") >= 0)
        add(bone, By::attachment, place, "is itself a camera");
      for (const std::string_view name : kShowingExtensions)
        if (extension(json, name) != nullptr)
          add(bone, By::attachment, place, fmt::format("shows something by itself ({})", name));
    }
  }

  void find_flat() {
    const std::vector<Bone>& bones = loaded_.character.skeleton.bones();
    for (std::size_t b = 0; b < bones.size(); ++b)
      if (!is_invertible(bones[b].rest))
        add(static_cast<int>(b), By::flat, fmt::format("nodes[{}]", bones[b].source_node),
            "is scaled to nothing in the bind pose");
  }

  /// The joints of a row lie on their bone, where its clips and drivers were made for: one that
  /// moves by itself, or an end that does, breaks the row.
  void find_rows() {
    const std::vector<Bone>& bones = loaded_.character.skeleton.bones();
    std::set<int> with_rows;
    for (const Bone& bone : bones)
      if (bone.part_of && bone.parent >= 0) with_rows.insert(bone.parent);
    for (std::size_t b = 0; b < bones.size(); ++b) {
      const int own = with_rows.contains(static_cast<int>(b)) ? static_cast<int>(b) : -1;
      const int row = own >= 0 ? own : with_rows.contains(bones[b].parent) ? bones[b].parent : -1;
      if (row < 0) continue;
      add(static_cast<int>(b), By::row, fmt::format("nodes[{}]", bones[b].source_node),
          fmt::format("{} the row of joints of '{}'",
                      bones[b].part_of ? "is of" : "is at an end of",
                      bones[static_cast<std::size_t>(row)].name));
    }
  }

  const Document& document_;
  const LoadedCharacter& loaded_;
  std::map<int, int> bone_of_node_;
  std::vector<JointReliance> found_;
};

}  // namespace

std::vector<JointReliance> joints_relied_on(const Document& document,
                                            const LoadedCharacter& loaded) {
  return RelianceFinder(document, loaded).find();
}

}  // namespace sinew
