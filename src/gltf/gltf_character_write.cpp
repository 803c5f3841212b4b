// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "gltf/accessor_uses.h"
#include "gltf/encode_weights.h"
#include "gltf/gltf_compression.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_scene.h"
#include "gltf/gltf_store.h"
#include "math/affine.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/gltf/gltf_character.h"

namespace sinew {
namespace {

constexpr float kRoundingRel = 2.5e-7F;    // two units in the last place
constexpr std::size_t kMaxJoints = 65536;  // JOINTS_n holds 16-bit numbers

class WeightWriter {
 public:
  WeightWriter(Document& document, const LoadedCharacter& loaded, const SkinWeights& weights,
               const WriteWeightsOptions& options)
      : document_(document), loaded_(loaded), weights_(weights), options_(options) {}

  Status write() {
    SINEW_CHECK(check());
    for (std::size_t p = 0; p < loaded_.sources.size(); ++p) {
      PartSource source = loaded_.sources[p];
      source.mesh = own_mesh(source);
      write_part(loaded_.character.parts[p], source, skin_for(source));
    }
    return {};
  }

 private:
  Status check() const {
    const Character& character = loaded_.character;
    if (weights_.vertex_count() != character.mesh.vertex_count() ||
        weights_.bone_count() != character.skeleton.bone_count())
      return Error{ErrorCode::bad_argument, "weights",
                   fmt::format("are for {} vertices and {} bones, the character has {} and {}",
                               weights_.vertex_count(), weights_.bone_count(),
                               character.mesh.vertex_count(), character.skeleton.bone_count())};
    if (character.skeleton.bone_count() > kMaxJoints)
      return Error{ErrorCode::too_large, "joints",
                   fmt::format("glTF has room for {} in a skin", kMaxJoints)};
    if (options_.max_influences < 1)
      return Error{ErrorCode::bad_argument, "max_influences", "is less than 1"};
    for (std::size_t v = 0; v < weights_.vertex_count(); ++v) {
      if (weights_.row(v).empty())
        return Error{ErrorCode::bad_argument, fmt::format("weights[{}]", v),
                     "is empty: a vertex without weights cannot be skinned"};
      if (weights_.row(v).size() > static_cast<std::size_t>(options_.max_influences))
        return Error{ErrorCode::bad_argument, fmt::format("weights[{}]", v),
                     fmt::format("has {} influences, at most {} are allowed",
                                 weights_.row(v).size(), options_.max_influences)};
    }
    for (const PartSource& source : loaded_.sources)
      if (source.skin < 0 && loaded_.skins.empty())
        return Error{ErrorCode::bad_argument, fmt::format("nodes[{}]", source.node),
                     "has no skin, and the file has no skeleton to give it"};
    return {};
  }

  [[nodiscard]] bool keeps_matrices() const {
    return loaded_.bind.from == BindPose::From::inverse_bind_matrices;
  }

  [[nodiscard]] std::vector<int> bones_in_use() const {
    std::vector<int> bones;
    const std::vector<double> sums = weights_.weight_per_bone();
    for (std::size_t b = 0; b < sums.size(); ++b)
      if (sums[b] > 0) bones.push_back(static_cast<int>(b));
    return bones;
  }

  [[nodiscard]] Affine3 inverse_bind(int bone, const Affine3& model_from_part) const {
    return inverse_or_translation(loaded_.character.skeleton.bone(bone).rest) * model_from_part;
  }

  /// Whether a node shows the part: the node itself, and further ones with the same mesh and skin.
  [[nodiscard]] bool shows(const Json& node, int index, const PartSource& source) const {
    if (index == source.node) return true;
    return source.skin >= 0 && index_or_none(node, "mesh") == source.mesh &&
           index_or_none(node, "skin") == source.skin;
  }

  /// The mesh that the weights go to. One that is also shown elsewhere, with another skin or in
  /// another place, stays as it is, and the part gets a copy that shares all other attributes.
  int own_mesh(const PartSource& source) {
    if (const auto known = mesh_of_node_.find(source.node); known != mesh_of_node_.end())
      return known->second;
    Json& nodes = document_.json["nodes"];
    std::vector<std::size_t> ours;
    bool is_shared = false;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (shows(nodes[n], static_cast<int>(n), source))
        ours.push_back(n);
      else
        is_shared = is_shared || index_or_none(nodes[n], "mesh") == source.mesh;
    }
    int mesh = source.mesh;
    if (is_shared) {
      Json& meshes = document_.json["meshes"];
      mesh = static_cast<int>(meshes.size());
      Json copy = meshes[static_cast<std::size_t>(source.mesh)];
      meshes.push_back(std::move(copy));
      for (const std::size_t n : ours) nodes[n]["mesh"] = mesh;
    }
    mesh_of_node_[source.node] = mesh;
    return mesh;
  }

  /// Whether a mesh that this character does not cover is shown with the skin.
  [[nodiscard]] bool is_used_elsewhere(int skin) const {
    const Json& nodes = array_or_empty(document_.json, "nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (index_or_none(nodes[n], "skin") != skin) continue;
      const bool is_ours =
          std::any_of(loaded_.sources.begin(), loaded_.sources.end(), [&](const PartSource& part) {
            return shows(nodes[n], static_cast<int>(n), part) ||
                   (mesh_of_node_.contains(part.node) &&
                    mesh_of_node_.at(part.node) == index_or_none(nodes[n], "mesh"));
          });
      if (!is_ours) return true;
    }
    return false;
  }

  /// The skin that the part will be shown with, complete for every bone that the weights use.
  int skin_for(const PartSource& source) {
    if (source.skin >= 0 && keeps_matrices()) {
      complete_skin(source.skin, source.model_from_part);
      return source.skin;
    }
    // New matrices: they depend on how the part lies in the model. Parts that lie alike share a
    // skin; the first one takes the skin that is there, unless parts outside this character need it
    // as it is.
    for (const auto& [skin, placement] : made_)
      if ((placement.matrix() - source.model_from_part.matrix()).norm() == 0 &&
          (source.skin < 0 || source.skin == origin_[skin]))
        return attach(source, skin);
    const int original = source.skin >= 0 ? source.skin : loaded_.skins.front();
    int skin = original;
    if (origin_.contains(original) || is_used_elsewhere(original)) {
      Json& skins = document_.json["skins"];
      skin = static_cast<int>(skins.size());
      Json copy = skins[static_cast<std::size_t>(original)];
      copy.erase("inverseBindMatrices");
      skins.push_back(std::move(copy));
    }
    made_.emplace_back(skin, source.model_from_part);
    origin_[skin] = original;
    rewrite_matrices(skin, source.model_from_part);
    complete_skin(skin, source.model_from_part);
    return attach(source, skin);
  }

  /// Every node that shows this mesh the way the part is shown gets the skin.
  int attach(const PartSource& source, int skin) {
    Json& nodes = document_.json["nodes"];
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (shows(nodes[n], static_cast<int>(n), source)) nodes[n]["skin"] = skin;
    Json& json = element(document_, "skins", skin);
    const auto extras = json.find("extras");
    if (extras == json.end() || !extras->is_object()) return skin;
    const auto ours = extras->find("sinew");
    if (ours == extras->end() || !ours->is_object()) return skin;
    ours->erase("for_unskinned");
    if (ours->empty()) extras->erase("sinew");
    if (extras->empty()) json.erase("extras");
    return skin;
  }

  void rewrite_matrices(int skin, const Affine3& model_from_part) {
    std::vector<Affine3> matrices;
    for (const Json& joint : element(document_, "skins", skin)["joints"])
      matrices.push_back(inverse_bind(bone_of_node(joint.get<int>()), model_from_part));
    store_matrices(skin, packed_matrices(matrices));
  }

  /// Adds joints that the weights use and the skin does not list: another skin over the same
  /// skeleton had them.
  void complete_skin(int skin, const Affine3& model_from_part) {
    std::set<int> listed;
    for (const Json& joint : element(document_, "skins", skin)["joints"])
      listed.insert(joint.get<int>());
    std::vector<int> missing;
    for (const int bone : bones_in_use())
      if (!listed.contains(loaded_.character.skeleton.bone(bone).source_node))
        missing.push_back(bone);
    if (missing.empty()) return;
    std::vector<float> matrices = stored_matrices(skin);
    Json& json = element(document_, "skins", skin);
    for (const int bone : missing) {
      json["joints"].push_back(loaded_.character.skeleton.bone(bone).source_node);
      const std::vector<float> matrix = packed_matrices({inverse_bind(bone, model_from_part)});
      matrices.insert(matrices.end(), matrix.begin(), matrix.end());
    }
    store_matrices(skin, matrices);
  }

  /// The matrices that the skin has, one per joint; identities where it has none.
  [[nodiscard]] std::vector<float> stored_matrices(int skin) const {
    const Json& json = element(std::as_const(document_), "skins", skin);
    const std::size_t joints = json["joints"].size();
    if (const int accessor = index_or_none(json, "inverseBindMatrices"); accessor >= 0)
      if (auto values = read_floats(document_, accessor, "MAT4"); values.ok()) {
        values->resize(16 * joints);
        return *std::move(values);
      }
    return packed_matrices(std::vector<Affine3>(joints, Affine3::Identity()));
  }

  void store_matrices(int skin, const std::vector<float>& values) {
    AccessorData data;
    data.type = "MAT4";
    data.floats = values;
    const int accessor = index_or_none(element(document_, "skins", skin), "inverseBindMatrices");
    if (accessor >= 0 && count_accessor_uses(document_, accessor) == 1)
      replace_accessor(document_, accessor, data);
    else
      element(document_, "skins", skin)["inverseBindMatrices"] = append_accessor(document_, data);
  }

  [[nodiscard]] int bone_of_node(int node) const {
    const auto& bones = loaded_.character.skeleton.bones();
    const auto found = std::find_if(bones.begin(), bones.end(),
                                    [&](const Bone& bone) { return bone.source_node == node; });
    return static_cast<int>(found - bones.begin());
  }

  void write_part(const MeshPart& part, const PartSource& source, int skin) {
    for (const int primitive : source.primitives)
      store_draco_plainly(document_, source.mesh, primitive);

    std::map<int, int> joint_of_node;
    const Json joints = element(document_, "skins", skin)["joints"];
    for (std::size_t j = 0; j < joints.size(); ++j)
      joint_of_node[joints[j].get<int>()] = static_cast<int>(j);
    std::vector<int> joint_of_bone;
    for (const Bone& bone : loaded_.character.skeleton.bones()) {
      const auto found = joint_of_node.find(bone.source_node);
      joint_of_bone.push_back(found == joint_of_node.end() ? 0 : found->second);
    }
    const int sets = (options_.max_influences + 3) / 4;
    std::vector<EncodedSet> encoded = encode_weights(weights_, part.first_vertex, part.vertex_count,
                                                     sets, options_.format, joint_of_bone);
    if (options_.format == WeightFormat::f32 && skin == source.skin)
      keep_bits(source, part.vertex_count, encoded);
    for (int k = 0; k < sets; ++k) {
      const EncodedSet& set = encoded[static_cast<std::size_t>(k)];
      AccessorData joint_data;
      joint_data.type = "VEC4";
      joint_data.component = joints.size() <= 256 ? ComponentType::u8 : ComponentType::u16;
      joint_data.integers = set.joints;
      joint_data.target = BufferTarget::vertices;
      put_attribute(source, fmt::format("JOINTS_{}", k), joint_data);
      AccessorData weight_data;
      weight_data.type = "VEC4";
      weight_data.component = options_.format == WeightFormat::f32   ? ComponentType::f32
                              : options_.format == WeightFormat::u16 ? ComponentType::u16
                                                                     : ComponentType::u8;
      weight_data.normalized = options_.format != WeightFormat::f32;
      weight_data.floats = set.floats;
      weight_data.integers = set.integers;
      weight_data.target = BufferTarget::vertices;
      put_attribute(source, fmt::format("WEIGHTS_{}", k), weight_data);
    }
    for (const int p : source.primitives) {
      Json& attributes = attributes_of(source, p);
      for (int k = sets;; ++k) {
        const std::size_t removed = attributes.erase(fmt::format("JOINTS_{}", k)) +
                                    attributes.erase(fmt::format("WEIGHTS_{}", k));
        if (removed == 0) break;
      }
    }
  }

  /// Floats that differ from those of the file by rounding alone become those of the file: weights
  /// that were to stay keep their bits, though reading scaled them to a sum of one.
  void keep_bits(const PartSource& source, std::size_t vertices, std::vector<EncodedSet>& encoded) {
    const Json& attributes = attributes_of(source, source.primitives.front());
    for (int k = 0;; ++k) {
      const int joints = index_or_none(attributes, fmt::format("JOINTS_{}", k));
      const int weights = index_or_none(attributes, fmt::format("WEIGHTS_{}", k));
      if (joints < 0 || weights < 0) return;
      if (unsigned_or(element(document_, "accessors", weights), "componentType", 0) !=
          static_cast<std::uint64_t>(ComponentType::f32))
        return;
      const auto old_joints = read_integers(document_, joints, "VEC4");
      const auto old_weights = read_floats(document_, weights, "VEC4");
      if (!old_joints.ok() || !old_weights.ok() || old_joints->size() != 4 * vertices ||
          old_weights->size() != 4 * vertices)
        return;
      for (EncodedSet& set : encoded)
        for (std::size_t i = 0; i < set.floats.size(); ++i)
          for (std::size_t old = i - i % 4; old < i - i % 4 + 4; ++old)
            if (set.joints[i] == (*old_joints)[old] && set.floats[i] > 0 &&
                std::abs(set.floats[i] - (*old_weights)[old]) <= kRoundingRel * (*old_weights)[old])
              set.floats[i] = (*old_weights)[old];
    }
  }

  Json& attributes_of(const PartSource& source, int primitive) {
    return element(document_, "meshes",
                   source.mesh)["primitives"][static_cast<std::size_t>(primitive)]["attributes"];
  }

  /// Under the old index where only this part uses it, else as a new accessor that all primitives
  /// of the part share.
  void put_attribute(const PartSource& source, const std::string& name, const AccessorData& data) {
    const int old = index_or_none(attributes_of(source, source.primitives.front()), name);
    std::size_t own_uses = 0;
    for (const int p : source.primitives)
      own_uses += index_or_none(attributes_of(source, p), name) == old;
    if (old >= 0 && own_uses == source.primitives.size() &&
        count_accessor_uses(document_, old) == own_uses) {
      replace_accessor(document_, old, data);
      return;
    }
    const int fresh = append_accessor(document_, data);
    for (const int p : source.primitives) attributes_of(source, p)[name] = fresh;
  }

  Document& document_;
  const LoadedCharacter& loaded_;
  const SkinWeights& weights_;
  const WriteWeightsOptions& options_;
  std::vector<std::pair<int, Affine3>>
      made_;                         // skins with new matrices, and the placement they are for
  std::map<int, int> mesh_of_node_;  // a part's node to the mesh that its weights go to
  std::map<int, int> origin_;        // a made skin to the one it was copied from
};

}  // namespace

Status write_weights(Document& document, const LoadedCharacter& loaded, const SkinWeights& weights,
                     const WriteWeightsOptions& options) {
  return WeightWriter(document, loaded, weights, options).write();
}

Result<std::size_t> find_written(std::span<const LoadedCharacter> reread,
                                 const LoadedCharacter& written,
                                 const WriteWeightsOptions& options) {
  std::set<int> nodes;
  for (const PartSource& source : written.sources) nodes.insert(source.node);
  const auto is_new = [&](const PartSource& source) { return nodes.contains(source.node); };
  const auto found = std::find_if(reread.begin(), reread.end(), [&](const LoadedCharacter& each) {
    return std::any_of(each.sources.begin(), each.sources.end(), is_new);
  });
  if (found == reread.end())
    return Error{ErrorCode::write_failed, "", "what was written cannot be found again"};
  const bool all_are_new = std::all_of(found->sources.begin(), found->sources.end(), is_new);
  if (all_are_new && found->repairs.any())
    return Error{ErrorCode::write_failed, "", "the new weights had to be mended when read again"};
  for (std::size_t p = 0; p < found->sources.size(); ++p) {
    if (!is_new(found->sources[p])) continue;
    const MeshPart& part = found->character.parts[p];
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      const std::size_t influences = found->character.weights.row(v).size();
      if (influences == 0 || influences > static_cast<std::size_t>(options.max_influences))
        return Error{ErrorCode::write_failed, fmt::format("meshes[{}]", found->sources[p].mesh),
                     fmt::format("vertex {} has {} influences", v - part.first_vertex, influences)};
    }
  }
  return static_cast<std::size_t>(found - reread.begin());
}

}  // namespace sinew
