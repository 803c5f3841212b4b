// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "formats/assimp_rig.h"
#include "formats/text_reader.h"
#include "gltf/document_builder.h"

namespace sinew::reading {
namespace {

constexpr double kFallbackTicksPerSecond = 25;  // what assimp's formats mean by "not said"
constexpr double kStillScaleRel = 1e-5;  // keys that leave a node's scale as it is say nothing

struct Keys {
  std::vector<float> times_s;
  std::vector<float> values;
};

/// Takes keys whose time is a number later than the one before, as glTF's floats see it.
template <class Key, class Emit>
Keys collect(const Key* keys, unsigned count, double ticks_per_second, double shift_s,
             const Emit& emit) {
  Keys collected;
  for (unsigned i = 0; i < count; ++i) {
    const auto time_s = static_cast<float>(keys[i].mTime / ticks_per_second + shift_s);
    if (!std::isfinite(time_s) || time_s < 0) continue;
    if (!collected.times_s.empty() && time_s <= collected.times_s.back()) continue;
    const std::size_t before = collected.values.size();
    emit(keys[i].mValue, collected.values);
    const bool finite =
        std::all_of(collected.values.begin() + static_cast<std::ptrdiff_t>(before),
                    collected.values.end(), [](float v) { return std::isfinite(v); });
    if (finite)
      collected.times_s.push_back(time_s);
    else
      collected.values.resize(before);
  }
  return collected;
}

auto vector_emitter(double factor) {
  return [factor](const aiVector3D& v, std::vector<float>& out) {
    for (unsigned i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i] * factor));
  };
}

auto rotation_emitter() {
  return [previous = Quat::Identity()](const aiQuaternion& q, std::vector<float>& out) mutable {
    Quat rotation(q.w, q.x, q.y, q.z);
    if (!(rotation.norm() > 0)) rotation = previous;
    rotation.normalize();
    if (rotation.dot(previous) < 0) rotation.coeffs() = -rotation.coeffs();
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<float>(rotation.coeffs()[i]));
    previous = rotation;
  };
}

double earliest_tick(const aiAnimation& animation) {
  double earliest = 0;
  for (unsigned c = 0; c < animation.mNumChannels; ++c) {
    const aiNodeAnim& channel = *animation.mChannels[c];
    if (channel.mNumPositionKeys > 0) earliest = std::min(earliest, channel.mPositionKeys[0].mTime);
    if (channel.mNumRotationKeys > 0) earliest = std::min(earliest, channel.mRotationKeys[0].mTime);
    if (channel.mNumScalingKeys > 0) earliest = std::min(earliest, channel.mScalingKeys[0].mTime);
  }
  return earliest;
}

bool leaves_scale(const Keys& keys, const Vec3& scale) {
  for (std::size_t i = 0; i < keys.values.size(); ++i) {
    const double still = scale[static_cast<int>(i % 3)];
    if (std::abs(keys.values[i] - still) > kStillScaleRel * std::abs(still)) return true;
  }
  return false;
}

class ClipConverter {
 public:
  ClipConverter(Document& document, const SceneTree& tree, const aiAnimation& animation,
                std::string_view name)
      : tree_(tree), animation_(animation), clip_(document, name) {
    ticks_per_second_ = animation.mTicksPerSecond > 0 && std::isfinite(animation.mTicksPerSecond)
                            ? animation.mTicksPerSecond
                            : kFallbackTicksPerSecond;
    shift_s_ = -earliest_tick(animation) / ticks_per_second_;
  }

  /// The number of channels whose node is not there.
  std::size_t convert() {
    std::size_t lost = 0;
    for (unsigned c = 0; c < animation_.mNumChannels; ++c) {
      const aiNodeAnim& channel = *animation_.mChannels[c];
      const int node = tree_.find(channel.mNodeName);
      if (node < 0 || tree_.node(node).gltf_node < 0)
        ++lost;
      else
        add(channel, tree_.node(node));
    }
    clip_.finish();
    return lost;
  }

  [[nodiscard]] double shift_s() const { return shift_s_; }

 private:
  void add(const aiNodeAnim& channel, const SceneNode& node) {
    const double outer = node.parent == 0 ? tree_.top_scale : 1;
    const auto take = [&](const auto* keys, unsigned count, auto emit) {
      return collect(keys, count, ticks_per_second_, shift_s_, emit);
    };
    put(node, "translation",
        take(channel.mPositionKeys, channel.mNumPositionKeys,
             vector_emitter(tree_.length_scale * outer)));
    auto rotations = rotation_emitter();
    put(node, "rotation",
        take(channel.mRotationKeys, channel.mNumRotationKeys, std::ref(rotations)));
    const Keys scales = take(channel.mScalingKeys, channel.mNumScalingKeys, vector_emitter(outer));
    if (leaves_scale(scales, node.local.linear().colwise().norm())) put(node, "scale", scales);
  }

  void put(const SceneNode& node, std::string_view path, const Keys& keys) {
    if (keys.times_s.empty()) return;
    // Most channels of a clip share their times; one accessor serves them all.
    auto known =
        std::ranges::find(times_, keys.times_s, &std::pair<std::vector<float>, int>::first);
    if (known == times_.end())
      known = times_.emplace(times_.end(), keys.times_s, clip_.add_times(keys.times_s));
    clip_.add_channel(node.gltf_node, path, known->second, keys.values);
  }

  const SceneTree& tree_;
  const aiAnimation& animation_;
  ClipBuilder clip_;
  double ticks_per_second_ = kFallbackTicksPerSecond;
  double shift_s_ = 0;
  std::vector<std::pair<std::vector<float>, int>> times_;
};

}  // namespace

void add_clips(Document& document, const SceneTree& tree, Notices& notices) {
  for (unsigned a = 0; a < tree.scene->mNumAnimations; ++a) {
    const aiAnimation& animation = *tree.scene->mAnimations[a];
    const std::string name =
        animation.mName.length > 0 ? to_utf8(animation.mName.C_Str()) : fmt::format("clip{}", a);
    const std::string place = fmt::format("animations[{}]", a);
    ClipConverter converter(document, tree, animation, name);
    const std::size_t lost = converter.convert();
    if (lost > 0)
      notices.push_back(
          {Notice::Level::warning, "channels_lost", place,
           fmt::format("{} channels of '{}' move nodes that are not there", lost, shown(name))});
    if (converter.shift_s() > 0)
      notices.push_back({Notice::Level::note, "clip_shifted", place,
                         fmt::format("'{}' starts before zero; it was moved by {:.4g} s",
                                     shown(name), converter.shift_s())});
    if (animation.mNumMorphMeshChannels > 0)
      notices.push_back({Notice::Level::warning, "morph_channels_skipped", place,
                         fmt::format("the morph channels of '{}' were left out", shown(name))});
  }
}

}  // namespace sinew::reading
