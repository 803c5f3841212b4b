// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/move_joints.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "gltf/accessor_uses.h"
#include "gltf/document_builder.h"
#include "gltf/gltf_json.h"
#include "gltf/gltf_scene.h"
#include "math/affine.h"
#include "sinew/gltf/gltf_accessor.h"
#include "sinew/model/joint_displacements.h"

namespace sinew {
namespace {

constexpr std::string_view kPointerExtension = "KHR_animation_pointer";
constexpr double kLargestOffset = 1e30;              // in any space; files hold floats
constexpr std::size_t kFirstTranslationNumber = 12;  // in a matrix of 16, columns first

/// The node whose translation a channel moves, or -1.
int translated_node(const Json& channel) {
  const Json* target = member(channel, "target");
  if (target == nullptr) return -1;
  const std::string path = string_or(*target, "path", "");
  if (path == "translation") return index_or_none(*target, "node");
  const Json* by_pointer = extension(*target, kPointerExtension);
  if (path != "pointer" || by_pointer == nullptr) return -1;
  const std::string pointer = string_or(*by_pointer, "pointer", "");
  constexpr std::string_view kBefore = "/nodes/", kAfter = "/translation";
  if (!pointer.starts_with(kBefore) || !pointer.ends_with(kAfter)) return -1;
  int node = -1;
  const char* end = pointer.data() + pointer.size() - kAfter.size();
  const auto [stop, error] = std::from_chars(pointer.data() + kBefore.size(), end, node);
  return error == std::errc() && stop == end ? node : -1;
}

/// New contents of an accessor, and who is to read them.
struct NewContents {
  int old_accessor = -1;  // -1: there was none
  std::string_view type;
  std::vector<float> values;
  std::size_t readers = 0;  // of the old accessor that go over to the new contents
};

class JointMover {
 public:
  JointMover(Document& document, const LoadedCharacter& loaded, std::span<const Vec3> displacements)
      : document_(document), loaded_(loaded), displacements_(displacements) {}

  Result<MovedJoints> move(const MoveJointsOptions& options) {
    SINEW_CHECK(check(options));
    SINEW_CHECK(plan_nodes());
    SINEW_CHECK(plan_skins());
    plan_channels();
    return apply();
  }

 private:
  [[nodiscard]] const std::vector<Bone>& bones() const {
    return loaded_.character.skeleton.bones();
  }
  [[nodiscard]] const std::vector<Node>& nodes() const { return loaded_.character.nodes.nodes; }

  Status check(const MoveJointsOptions& options) const {
    if (displacements_.size() != bones().size())
      return refuse(ErrorCode::bad_argument, "displacements", "{} for {} bones",
                    displacements_.size(), bones().size());
    if (loaded_.bind.from == BindPose::From::clip)
      return refuse(ErrorCode::bad_argument, "bind pose",
                    "is a moment of a clip; it has to be written before joints can move");
    for (std::size_t b = 0; b < bones().size(); ++b) {
      if (!displacements_[b].allFinite())
        return refuse(ErrorCode::bad_argument, fmt::format("displacements[{}]", b),
                      "is not finite");
      if (bones()[b].source_node < 0 && !displacements_[b].isZero(0))
        return refuse(ErrorCode::bad_argument, fmt::format("bones[{}]", b),
                      "'{}' is no node of the file", bones()[b].name);
    }
    for (const JointReliance& reliance : joints_relied_on(document_, loaded_)) {
      const auto bone = static_cast<std::size_t>(reliance.bone);
      const bool may_move = options.relied == MoveJointsOptions::Relied::move &&
                            reliance.by != JointReliance::By::flat &&
                            reliance.by != JointReliance::By::row;
      if (displacements_[bone].isZero(0) || may_move) continue;
      return refuse(ErrorCode::unsupported, reliance.place, "the joint '{}' was to move, but it {}",
                    bones()[bone].name, reliance.reason);
    }
    return {};
  }

  /// What to add to each node's translation. Joints move; what else hangs on them stays; a skinned
  /// mesh is where its joints are, so that its node may go along.
  Status plan_nodes() {
    std::vector<Affine3> bind(nodes().size(), Affine3::Identity());
    std::vector<Vec3> displaced(nodes().size(), Vec3::Zero());
    offsets_.assign(nodes().size(), Vec3::Zero());
    std::vector<int> bone_of_node(nodes().size(), -1);
    for (std::size_t b = 0; b < bones().size(); ++b)
      if (bones()[b].source_node >= 0)
        bone_of_node[static_cast<std::size_t>(bones()[b].source_node)] = static_cast<int>(b);
    for (const int index : loaded_.character.nodes.order) {
      const auto node = static_cast<std::size_t>(index);
      const int parent = nodes()[node].parent;
      const Affine3 parent_bind =
          parent < 0 ? Affine3::Identity() : bind[static_cast<std::size_t>(parent)];
      const Vec3 parent_displaced =
          parent < 0 ? Vec3::Zero() : displaced[static_cast<std::size_t>(parent)];
      if (const int bone = bone_of_node[node]; bone >= 0) {
        bind[node] = loaded_.character.skeleton.bone(bone).rest;
        displaced[node] = displacements_[static_cast<std::size_t>(bone)];
      } else {
        bind[node] = parent_bind * nodes()[node].local.to_affine();
        if (index_or_none(element(document_, "nodes", index), "skin") >= 0)
          displaced[node] = parent_displaced;
      }
      const Vec3 relative = displaced[node] - parent_displaced;
      if (relative.isZero(0)) continue;
      SINEW_TRY(offsets_[node], seen_from(parent_bind, relative, parent));
    }
    return {};
  }

  /// A vector of model space in the space of a node.
  static Result<Vec3> seen_from(const Affine3& node_bind, const Vec3& vector, int node) {
    const Vec3 seen = is_invertible(node_bind)
                          ? Vec3(node_bind.linear().partialPivLu().solve(vector))
                          : Vec3::Constant(std::numeric_limits<double>::infinity());
    if (!(seen.cwiseAbs().maxCoeff() < kLargestOffset))
      return refuse(ErrorCode::unsupported, fmt::format("nodes[{}]", node),
                    "is scaled to nothing in the bind pose; nothing can be moved in its space");
    return seen;
  }

  /// inverse_bind' = rest'⁻¹ · model_from_mesh with rest' = T(d) · rest: whatever the mesh's space
  /// is, the joint's own takes T(−rest⁻¹ d) in front.
  Status plan_skins() {
    std::map<int, Vec3> joint_offset;  // by node, joint space
    for (std::size_t b = 0; b < bones().size(); ++b) {
      if (displacements_[b].isZero(0)) continue;
      const int node = bones()[b].source_node;
      SINEW_TRY(joint_offset[node], seen_from(bones()[b].rest, displacements_[b], node));
    }
    std::map<std::pair<int, std::vector<int>>, std::size_t> known;  // accessor and joints
    const Json& skins = array_or_empty(document_.json, "skins");
    for (std::size_t s = 0; s < skins.size(); ++s) {
      const std::vector<int> joints = skins[s]["joints"].get<std::vector<int>>();
      const bool moves = std::any_of(joints.begin(), joints.end(),
                                     [&](int joint) { return joint_offset.contains(joint); });
      if (!moves) continue;
      const int accessor = index_or_none(skins[s], "inverseBindMatrices");
      const auto [entry, is_new] = known.try_emplace({accessor, joints}, contents_.size());
      skins_[s] = entry->second;
      if (is_new) {
        NewContents contents{accessor, "MAT4", {}, 0};
        if (accessor >= 0) {
          SINEW_TRY(contents.values, read_floats(document_, accessor, "MAT4"));
        } else {
          contents.values =
              packed_matrices(std::vector<Affine3>(joints.size(), Affine3::Identity()));
        }
        for (std::size_t j = 0; j < joints.size(); ++j) {
          const auto offset = joint_offset.find(joints[j]);
          if (offset != joint_offset.end())
            add_to(contents.values, 16 * j + kFirstTranslationNumber, -offset->second);
        }
        contents_.push_back(std::move(contents));
      }
      ++contents_[entry->second].readers;
    }
    return {};
  }

  static void add_to(std::vector<float>& values, std::size_t first, const Vec3& offset) {
    if (first + 3 > values.size()) return;
    for (std::size_t c = 0; c < 3; ++c)
      values[first + c] = static_cast<float>(static_cast<double>(values[first + c]) +
                                             offset[static_cast<Eigen::Index>(c)]);
  }

  /// Keys that cannot be read cannot be played either, and stay.
  void plan_channels() {
    // The same numbers, offset and layout give the same keys.
    std::map<std::pair<int, std::array<double, 4>>, std::size_t> known;
    std::set<std::array<std::size_t, 3>> counted;  // animation, sampler, contents
    const Json& animations = array_or_empty(document_.json, "animations");
    for (std::size_t a = 0; a < animations.size(); ++a) {
      const Json& channels = array_or_empty(animations[a], "channels");
      for (std::size_t c = 0; c < channels.size(); ++c) {
        const int node = translated_node(channels[c]);
        if (node < 0 || static_cast<std::size_t>(node) >= offsets_.size()) continue;
        const Vec3& offset = offsets_[static_cast<std::size_t>(node)];
        if (offset.isZero(0)) continue;
        const auto sampler = static_cast<std::size_t>(index_or_none(channels[c], "sampler"));
        const Json& json = animations[a]["samplers"][sampler];
        const int accessor = index_or_none(json, "output");
        const bool is_spline = string_or(json, "interpolation", "LINEAR") == "CUBICSPLINE";
        const std::array<double, 4> change{offset.x(), offset.y(), offset.z(),
                                           is_spline ? 1.0 : 0.0};
        auto entry = known.find({accessor, change});
        if (entry == known.end()) {
          Result<std::vector<float>> values = read_floats(document_, accessor, "VEC3");
          if (!values.ok()) continue;
          const std::size_t first = is_spline ? 3 : 0;  // past the tangent that leads to a key
          const std::size_t stride = is_spline ? 9 : 3;
          for (std::size_t i = first; i < values->size(); i += stride) add_to(*values, i, offset);
          entry = known.emplace(std::pair{accessor, change}, contents_.size()).first;
          contents_.push_back({accessor, "VEC3", *std::move(values), 0});
        }
        channels_.push_back({a, c, sampler, entry->second});
        if (counted.insert({a, sampler, entry->second}).second) ++contents_[entry->second].readers;
      }
    }
  }

  Result<MovedJoints> apply() {
    MovedJoints moved;
    moved.loaded = loaded_;
    for (std::size_t n = 0; n < offsets_.size(); ++n) {
      if (offsets_[n].isZero(0)) continue;
      translate_node(element(document_, "nodes", static_cast<int>(n)), offsets_[n]);
      ++moved.nodes;
    }
    // Samplers that other channels play as well are parted first: then each accessor has as many
    // readers as it seems.
    for (ChannelChange& change : channels_) part_sampler(change);
    const std::vector<int> accessors = store_contents();
    for (const auto& [skin, contents] : skins_)
      element(document_, "skins", static_cast<int>(skin))["inverseBindMatrices"] =
          accessors[contents];
    for (const ChannelChange& change : channels_)
      samplers_of(change)[change.sampler]["output"] = accessors[change.contents];
    moved.skins = skins_.size();
    moved.channels = channels_.size();
    for (const Vec3& displacement : displacements_) moved.joints += !displacement.isZero(0);

    Character& character = moved.loaded.character;
    character.skeleton = with_joints_moved(character.skeleton, displacements_);
    write_tails(character.skeleton);
    SINEW_TRY(character.nodes, read_nodes(document_));
    Notices again;  // channels that cannot be played were told of when the file was read
    character.clips = read_clips(document_, again);
    return moved;
  }

  static void translate_node(Json& node, const Vec3& offset) {
    if (const auto matrix = node.find("matrix"); matrix != node.end()) {
      for (std::size_t c = 0; c < 3; ++c)
        (*matrix)[kFirstTranslationNumber + c] =
            (*matrix)[kFirstTranslationNumber + c].get<double>() +
            offset[static_cast<Eigen::Index>(c)];
      return;
    }
    Vec3 translation = Vec3::Zero();
    if (const Json* stored = member(node, "translation"))
      for (std::size_t c = 0; c < 3; ++c)
        translation[static_cast<Eigen::Index>(c)] = (*stored)[c].get<double>();
    node["translation"] = reading::json_vector(translation + offset);
  }

  struct ChannelChange {
    std::size_t animation, channel, sampler, contents;
  };

  Json& samplers_of(const ChannelChange& change) {
    return document_.json["animations"][change.animation]["samplers"];
  }

  /// Channels that get other keys than another one of the same sampler need a sampler of their own.
  void part_sampler(ChannelChange& change) {
    Json& channels = document_.json["animations"][change.animation]["channels"];
    const auto goes_along = [&](std::size_t channel) {
      return std::any_of(channels_.begin(), channels_.end(), [&](const ChannelChange& other) {
        return other.animation == change.animation && other.channel == channel &&
               other.contents == change.contents;
      });
    };
    bool is_shared = false;
    for (std::size_t c = 0; c < channels.size() && !is_shared; ++c)
      is_shared = index_or_none(channels[c], "sampler") == static_cast<int>(change.sampler) &&
                  !goes_along(c);
    if (!is_shared) return;
    Json& samplers = samplers_of(change);
    const std::size_t fresh = samplers.size();
    Json copy = samplers[change.sampler];
    samplers.push_back(std::move(copy));
    const std::size_t old = change.sampler;
    for (ChannelChange& other : channels_)
      if (other.animation == change.animation && other.sampler == old &&
          other.contents == change.contents) {
        other.sampler = fresh;
        channels[other.channel]["sampler"] = fresh;
      }
  }

  /// The accessor that each of the new contents is in. Where nobody is left who reads the old ones,
  /// the first of the new take their place.
  std::vector<int> store_contents() {
    std::vector<std::size_t> left = count_accessor_uses(document_);  // readers that keep to it
    for (const NewContents& contents : contents_)
      if (contents.old_accessor >= 0)
        left[static_cast<std::size_t>(contents.old_accessor)] -= contents.readers;
    std::set<int> taken;
    std::vector<int> accessors;
    for (const NewContents& contents : contents_) {
      const int old = contents.old_accessor;
      AccessorData data;
      data.type = contents.type;
      data.floats = contents.values;
      data.with_bounds = old >= 0 && element(document_, "accessors", old).contains("min");
      const bool is_free = old >= 0 && left[static_cast<std::size_t>(old)] == 0;
      if (is_free && taken.insert(old).second) {
        replace_accessor(document_, old, data);
        accessors.push_back(old);
      } else {
        accessors.push_back(append_accessor(document_, data));
      }
    }
    return accessors;
  }

  void write_tails(const Skeleton& moved) {
    for (const Bone& bone : moved.bones()) {
      if (!bone.tail || bone.source_node < 0 || !is_invertible(bone.rest)) continue;
      Json& node = element(document_, "nodes", bone.source_node);
      const Json* extras = member(node, "extras");
      const Json* ours = extras == nullptr ? nullptr : member(*extras, "sinew");
      if (ours == nullptr || member(*ours, "tail") == nullptr) continue;
      const std::size_t b = static_cast<std::size_t>(&bone - moved.bones().data());
      const Vec3 head_moved = bone.head() - bones()[b].head();
      const Vec3 tail_moved = *bone.tail - *bones()[b].tail;
      // A tail is stored as seen from its joint: the two may well move as one.
      if ((tail_moved - head_moved).norm() <= kTailMovesRel * (*bone.tail - bone.head()).norm())
        continue;
      node["extras"]["sinew"]["tail"] =
          reading::json_vector(bone.rest.inverse(Eigen::Affine) * *bone.tail);
    }
  }

  /// Of a bone's length: less than rounding leaves when a head and its tail move by the same.
  static constexpr double kTailMovesRel = 1e-12;

  Document& document_;
  const LoadedCharacter& loaded_;
  std::span<const Vec3> displacements_;
  std::vector<Vec3> offsets_;  // per node, of its translation, in its parent's space
  std::vector<NewContents> contents_;
  std::map<std::size_t, std::size_t> skins_;  // to their new contents
  std::vector<ChannelChange> channels_;
};

}  // namespace

Result<MovedJoints> move_joints(Document& document, const LoadedCharacter& loaded,
                                std::span<const Vec3> displacements,
                                const MoveJointsOptions& options) {
  return JointMover(document, loaded, displacements).move(options);
}

}  // namespace sinew
