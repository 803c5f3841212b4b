// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/spines/gltf_spine_joints.h"

#include <algorithm>
#include <optional>

#include "gltf/accessor_uses.h"
#include "gltf/document_builder.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_scene.h"
#include "gltf/gltf_store.h"
#include "math/affine.h"
#include "model/node_transforms.h"
#include "spines/spine_baker.h"

namespace sinew {
namespace {

constexpr std::string_view kConstraintExtension = "VRMC_node_constraint";
constexpr std::string_view kAxisNames = "XYZ";

/// How far a bone's rest may be from evenly scaled, relatively, before its joints miss the spine.
constexpr double kUnevenAbove = 1e-3;

/// The numbers of a channel, per key.
std::vector<float> packed(const std::vector<NodeTransform>& keys, ChannelPath path) {
  std::vector<float> values;
  Quat last = Quat::Identity();
  for (const NodeTransform& key : keys) {
    if (path == ChannelPath::rotation) {
      // Programs that blend quaternions as they come need neighbours on the same side.
      Quat rotation = key.rotation;
      if (!values.empty() && rotation.dot(last) < 0) rotation.coeffs() = -rotation.coeffs();
      last = rotation;
      for (int i = 0; i < 4; ++i) values.push_back(static_cast<float>(rotation.coeffs()[i]));
      continue;
    }
    const Vec3& vector = path == ChannelPath::scale ? key.scale : key.translation;
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(vector[i]));
  }
  return values;
}

/// Puts keys into one animation of the document.
class ChannelWriter {
 public:
  ChannelWriter(Document& document, std::size_t animation, const SpineKeys& keys)
      : document_(document), animation_(animation), keys_(keys) {}

  void write(int node, ChannelPath path, const std::vector<NodeTransform>& keys) {
    if (times_ < 0)
      times_ = reading::append_floats(document_, "SCALAR", keys_.times_s, reading::Bounds::with);
    const std::string_view name = path == ChannelPath::rotation ? "rotation"
                                  : path == ChannelPath::scale  ? "scale"
                                                                : "translation";
    const std::vector<float> values = packed(keys, path);
    AccessorData data;
    data.type = path == ChannelPath::rotation ? "VEC4" : "VEC3";
    data.floats = values;
    const std::optional<std::size_t> channel = existing_channel(node, name);
    std::optional<std::size_t> sampler = channel ? sole_sampler(*channel) : std::nullopt;
    int output = sampler ? index_or_none(animation()["samplers"][*sampler], "output") : -1;
    if (output >= 0 && count_accessor_uses(document_, output) == 1)
      replace_accessor(document_, output, data);
    else
      output = append_accessor(document_, data);
    if (!sampler) {
      sampler = animation()["samplers"].size();
      animation()["samplers"].push_back(Json::object());
    }
    Json& json = animation()["samplers"][*sampler];
    json["input"] = times_;
    json["interpolation"] = keys_.interpolation == Interpolation::step ? "STEP" : "LINEAR";
    json["output"] = output;
    if (channel)
      animation()["channels"][*channel]["sampler"] = *sampler;
    else
      animation()["channels"].push_back(
          {{"sampler", *sampler}, {"target", {{"node", node}, {"path", name}}}});
  }

 private:
  Json& animation() { return document_.json["animations"][animation_]; }

  [[nodiscard]] std::optional<std::size_t> existing_channel(int node, std::string_view path) {
    const Json& channels = animation()["channels"];
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (index_or_none(channels[c]["target"], "node") == node &&
          string_or(channels[c]["target"], "path", "") == path)
        return c;
    return std::nullopt;
  }

  /// The channel's sampler, unless another channel plays it too.
  [[nodiscard]] std::optional<std::size_t> sole_sampler(std::size_t channel) {
    const Json& channels = animation()["channels"];
    const int sampler = index_or_none(channels[channel], "sampler");
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (c != channel && index_or_none(channels[c], "sampler") == sampler) return std::nullopt;
    return static_cast<std::size_t>(sampler);
  }

  Document& document_;
  std::size_t animation_;
  const SpineKeys& keys_;
  int times_ = -1;
};

class SpineWriter {
 public:
  SpineWriter(Document& document, const LoadedCharacter& loaded) : document_(document) {
    result_.loaded = loaded;
    bones_ = loaded.character.skeleton.bones();
  }

  Result<SpineJoints> write(std::span<const SpineToWrite> spines) {
    const Character before = result_.loaded.character;
    for (const SpineToWrite& spine : spines) {
      SINEW_CHECK(add(before, spine));
      make_rigid(spine.bone);
    }
    Character& character = result_.loaded.character;
    SINEW_TRY(character.skeleton, Skeleton::create(std::move(bones_)));
    SINEW_TRY(character.nodes, read_nodes(document_));
    Notices again;  // channels that cannot be played were told of when the file was read
    character.clips = read_clips(document_, again);
    character.weights = split_spine_weights(character.weights, character.skeleton.bone_count(), {});
    return std::move(result_);
  }

 private:
  Status add(const Character& character, const SpineToWrite& spine) {
    const Bone& bone = character.skeleton.bone(spine.bone);
    if (bone.source_node < 0)
      return Error{ErrorCode::bad_argument, fmt::format("bones[{}]", spine.bone),
                   fmt::format("'{}' is no node of the file", bone.name)};
    if (spine.joints < 1)
      return Error{ErrorCode::bad_argument, fmt::format("bones[{}]", spine.bone),
                   "a row needs at least one joint"};
    note_uneven(spine, bone);
    const SpineBaker baker(character, spine);
    WrittenSpine written;
    written.joints = spine.joints;
    written.first_joint = static_cast<int>(bones_.size());
    const std::vector<int> nodes = add_nodes(spine, bone, baker);
    add_to_skins(bone.source_node, nodes, baker);
    move_stored(baker);
    for (std::size_t c = 0; c < character.clips.size(); ++c)
      bake(baker, character.clips[c], c, spine, nodes, written);
    if (spine.follows == SpineToWrite::Follows::twist) add_drivers(spine, nodes, baker);
    result_.spines.push_back(written);
    return {};
  }

  /// The row bends now: who reads the file again must not bend the bone as well.
  void make_rigid(int bone) {
    Bone& rigid = bones_[static_cast<std::size_t>(bone)];
    rigid.kind = BoneKind::rigid;
    Json& node = element(document_, "nodes", rigid.source_node);
    if (const Json* extras = member(node, "extras"); extras == nullptr || !extras->is_object())
      return;
    const auto ours = node["extras"].find("sinew");
    if (ours == node["extras"].end() || !ours->is_object()) return;
    ours->erase("kind");
    ours->erase("parameters");
    if (ours->empty()) node["extras"].erase("sinew");
    if (node["extras"].empty()) node.erase("extras");
  }

  void note_uneven(const SpineToWrite& spine, const Bone& bone) {
    const Eigen::Matrix3d gram = bone.rest.linear().transpose() * bone.rest.linear();
    const double unit = gram.trace() / 3;
    if ((gram - unit * Eigen::Matrix3d::Identity()).norm() <= kUnevenAbove * unit) return;
    result_.notices.push_back(
        {Notice::Level::warning, "uneven_bone", fmt::format("bones[{}]", spine.bone),
         fmt::format("'{}' is scaled unevenly at rest; its new joints follow it only nearly",
                     bone.name)});
  }

  std::vector<int> add_nodes(const SpineToWrite& spine, const Bone& bone, const SpineBaker& baker) {
    const std::string_view word = spine.kind == BoneKind::spine ? "spine" : "twist";
    const std::vector<double> middles = spine_joint_parameters(spine.joints);
    const std::vector<NodeTransform> stored = baker.stored().joints;
    const Vec3 along = spine.segment.rest.tail - spine.segment.rest.head;
    std::vector<int> nodes;
    for (std::size_t k = 0; k < middles.size(); ++k) {
      const NodeTransform& at_rest = baker.joints_at_rest()[k];
      Json node = Json::object();
      node["name"] = fmt::format("{}.{}.{}", bone.name, word, k);
      write_node_transform(node, baker.differ(stored[k], at_rest) ? stored[k] : at_rest);
      Json mark = {{"bone", bone.name}, {"kind", to_string(spine.kind)}, {"u", middles[k]}};
      node["extras"]["sinew"]["part_of"] = std::move(mark);
      Bone joint;
      joint.name = node["name"];
      joint.parent = spine.bone;
      joint.part_of = RowPlace{spine.kind, middles[k]};
      joint.rest = bone.rest * at_rest.to_affine();
      joint.tail = joint.rest.translation() + along / (2.0 * spine.joints);
      joint.source_node = reading::add_node(document_, std::move(node), bone.source_node);
      nodes.push_back(joint.source_node);
      bones_.push_back(std::move(joint));
    }
    return nodes;
  }

  /// An inverse bind matrix takes the mesh to the joint: by the bone's own, then from the bone to
  /// the joint.
  void add_to_skins(int bone_node, const std::vector<int>& nodes, const SpineBaker& baker) {
    for (Json& skin : document_.json["skins"]) {
      const Json& joints = skin["joints"];
      const auto found = std::find(joints.begin(), joints.end(), bone_node);
      if (found == joints.end()) continue;
      const auto slot = static_cast<std::size_t>(found - joints.begin());
      const int accessor = index_or_none(skin, "inverseBindMatrices");
      std::vector<float> matrices =
          packed_matrices(std::vector<Affine3>(joints.size(), Affine3::Identity()));
      if (accessor >= 0)
        if (auto stored = read_floats(document_, accessor, "MAT4"); stored.ok()) {
          stored->resize(16 * joints.size());
          matrices = *std::move(stored);
        }
      Affine3 bone_from_mesh;
      for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 3; ++r)
          bone_from_mesh.matrix()(r, c) = matrices[16 * slot + static_cast<std::size_t>(4 * c + r)];
      std::vector<Affine3> added;
      for (const NodeTransform& joint : baker.joints_at_rest())
        added.push_back(joint.to_affine().inverse(Eigen::Affine) * bone_from_mesh);
      const std::vector<float> more = packed_matrices(added);
      matrices.insert(matrices.end(), more.begin(), more.end());
      for (const int node : nodes) skin["joints"].push_back(node);
      AccessorData data;
      data.type = "MAT4";
      data.floats = matrices;
      if (accessor >= 0 && count_accessor_uses(document_, accessor) == 1)
        replace_accessor(document_, accessor, data);
      else
        skin["inverseBindMatrices"] = append_accessor(document_, data);
    }
  }

  /// Where the stored pose is not the bind pose, a spine may be bent in it.
  void move_stored(const SpineBaker& baker) {
    const std::vector<NodeTransform> before = baker.children_before();
    const std::vector<NodeTransform> after = baker.stored().children;
    for (std::size_t c = 0; c < after.size(); ++c)
      if (baker.differ(before[c], after[c]))
        write_node_transform(element(document_, "nodes", baker.children()[c]), after[c]);
  }

  void bake(const SpineBaker& baker, const Clip& clip, std::size_t animation,
            const SpineToWrite& spine, const std::vector<int>& nodes, WrittenSpine& written) {
    const SpineKeys keys = baker.bake(clip);
    if (keys.times_s.empty()) return;
    ChannelWriter writer(document_, animation, keys);
    if (keys.moves_joints) {
      ++written.clips;
      written.keys += keys.times_s.size();
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        writer.write(nodes[k], ChannelPath::rotation, keys.joints[k]);
        if (spine.follows == SpineToWrite::Follows::twist) continue;
        writer.write(nodes[k], ChannelPath::translation, keys.joints[k]);
        if (spine.stretch == StretchBy::scale_keys)
          writer.write(nodes[k], ChannelPath::scale, keys.joints[k]);
      }
    }
    for (std::size_t c = 0; c < baker.children().size(); ++c) {
      if (!keys.moves_children[c]) continue;
      const int node = baker.children()[c];
      ++written.moved_nodes;
      Json& json = element(document_, "nodes", node);
      if (json.contains("matrix"))  // glTF does not let clips move those
        write_node_transform(json, as_trs(baker.stored().children[c]));
      writer.write(node, ChannelPath::translation, keys.children[c]);
      if (baker.is_carried(c)) writer.write(node, ChannelPath::rotation, keys.children[c]);
    }
  }

  void add_drivers(const SpineToWrite& spine, const std::vector<int>& nodes,
                   const SpineBaker& baker) {
    if (!baker.is_main_child_direct()) {
      result_.notices.push_back(
          {Notice::Level::note, "no_driver", fmt::format("bones[{}]", spine.bone),
           fmt::format("what turns '{}' hangs below another node; no driver was written for its "
                       "helper joints",
                       bones_[static_cast<std::size_t>(spine.bone)].name)});
      return;
    }
    const char axis = kAxisNames[static_cast<std::size_t>(baker.bone_axis())];
    const std::vector<double> middles = spine_joint_parameters(spine.joints);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      Json& node = element(document_, "nodes", nodes[k]);
      Json roll = {{"source", baker.main_child()},
                   {"rollAxis", std::string(1, axis)},
                   {"weight", middles[k]}};
      node["extensions"][std::string(kConstraintExtension)] = {
          {"specVersion", "1.0"}, {"constraint", {{"roll", std::move(roll)}}}};
      result_.drivers.push_back(
          {nodes[k], string_or(node, "name", ""), baker.main_child(),
           string_or(element(document_, "nodes", baker.main_child()), "name", ""), axis,
           middles[k]});
    }
    use_extension(document_, kConstraintExtension);
  }

  Document& document_;
  SpineJoints result_;
  std::vector<Bone> bones_;
};

}  // namespace

Result<SpineJoints> add_spine_joints(Document& document, const LoadedCharacter& loaded,
                                     std::span<const SpineToWrite> spines) {
  return SpineWriter(document, loaded).write(spines);
}

Json twist_drivers_json(std::span<const TwistDriver> drivers) {
  Json json = {
      {"sinew_drivers", 1},
      {"about",
       "Helper joints that take a part of the twist of a source. Both hang on the same parent. "
       "Every frame: take the source's rotation relative to its rest, in the parent's space; of "
       "it, the twist about the helper's axis at rest, that is what is left when the shortest turn "
       "that brings the axis where it goes is undone; turn the helper from its rest by that angle "
       "times the weight."},
      {"drivers", Json::array()}};
  for (const TwistDriver& driver : drivers)
    json["drivers"].push_back(
        {{"helper", driver.helper},
         {"helper_node", driver.helper_node},
         {"source", driver.source},
         {"source_node", driver.source_node},
         {"axis", std::string(1, driver.axis)},
         {"weight", driver.weight},
         {"in_words", fmt::format("{} turns about its own {} axis by {:.4g} of the twist of {}",
                                  driver.helper, driver.axis, driver.weight, driver.source)}});
  return json;
}

}  // namespace sinew
