// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/model/skeleton.h"

#include <array>
#include <cassert>

#include <fmt/format.h>

#include "model/forest.h"

namespace sinew {
namespace {

/// Two ends closer than this, relative to the bone's length, are one joint.
constexpr double kSamePlaceRel = 1e-6;

constexpr std::array<std::pair<BoneKind, std::string_view>, 3> kKindNames{{
    {BoneKind::rigid, "rigid"},
    {BoneKind::stretch_twist, "stretch-twist"},
    {BoneKind::spine, "spine"},
}};

constexpr std::array<std::pair<SpineParametrisation, std::string_view>, 2> kParametrisationNames{{
    {SpineParametrisation::linear, "linear"},
    {SpineParametrisation::harmonic, "harmonic"},
}};

}  // namespace

std::string_view to_string(BoneKind kind) {
  for (const auto& [value, name] : kKindNames)
    if (value == kind) return name;
  return "unknown";
}

std::optional<BoneKind> bone_kind_from(std::string_view name) {
  for (const auto& [value, known] : kKindNames)
    if (known == name) return value;
  return std::nullopt;
}

std::string_view to_string(SpineParametrisation parametrisation) {
  for (const auto& [value, name] : kParametrisationNames)
    if (value == parametrisation) return name;
  return "unknown";
}

std::optional<SpineParametrisation> spine_parametrisation_from(std::string_view name) {
  for (const auto& [value, known] : kParametrisationNames)
    if (known == name) return value;
  return std::nullopt;
}

Result<Skeleton> Skeleton::create(std::vector<Bone> bones) {
  std::vector<int> parents;
  parents.reserve(bones.size());
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const Bone& bone = bones[i];
    if (!bone.rest.matrix().allFinite() || (bone.tail && !bone.tail->allFinite()))
      return Error{ErrorCode::bad_skin, fmt::format("bones[{}]", i),
                   fmt::format("'{}' is not at a finite place", bone.name)};
    parents.push_back(bone.parent);
  }
  Skeleton skeleton;
  SINEW_TRY(skeleton.order_, parents_first(parents, ErrorCode::bad_skin, "bones"));

  const std::size_t count = bones.size();
  skeleton.children_begin_.assign(count + 1, 0);
  for (const int parent : parents)
    if (parent >= 0) ++skeleton.children_begin_[static_cast<std::size_t>(parent) + 1];
  for (std::size_t i = 0; i < count; ++i)
    skeleton.children_begin_[i + 1] += skeleton.children_begin_[i];
  skeleton.children_.resize(static_cast<std::size_t>(skeleton.children_begin_[count]));
  std::vector<int> next(skeleton.children_begin_);
  for (std::size_t i = 0; i < count; ++i) {
    if (parents[i] < 0)
      skeleton.roots_.push_back(static_cast<int>(i));
    else
      skeleton.children_[static_cast<std::size_t>(next[static_cast<std::size_t>(parents[i])]++)] =
          static_cast<int>(i);
  }
  skeleton.bones_ = std::move(bones);

  for (std::size_t i = 0; i < count; ++i) {
    const Bone& bone = skeleton.bones_[i];
    const int owner = static_cast<int>(i);
    const bool still = bone.deforms.has_value() && !*bone.deforms;
    const Vec3 head = bone.head();
    if (bone.tail) skeleton.segments_.push_back({owner, -1, head, *bone.tail, still});
    for (const int child : skeleton.children(owner)) {
      const Vec3 child_head = skeleton.bone(child).head();
      if (!bone.tail) {
        skeleton.segments_.push_back({owner, child, head, child_head, still});
      } else if ((child_head - *bone.tail).norm() > kSamePlaceRel * (*bone.tail - head).norm()) {
        skeleton.segments_.push_back({owner, child, *bone.tail, child_head, true});
      }
    }
  }
  return skeleton;
}

Skeleton Skeleton::remade(std::vector<Bone> bones) {
  Result<Skeleton> skeleton = create(std::move(bones));
  assert(skeleton.ok());
  return *std::move(skeleton);
}

std::span<const int> Skeleton::children(int bone) const {
  const auto begin = static_cast<std::size_t>(children_begin_[static_cast<std::size_t>(bone)]);
  const auto end = static_cast<std::size_t>(children_begin_[static_cast<std::size_t>(bone) + 1]);
  return std::span(children_).subspan(begin, end - begin);
}

double Skeleton::length(int index) const {
  const Bone& owner = bone(index);
  if (owner.tail) return (*owner.tail - owner.head()).norm();
  const std::span<const int> kids = children(index);
  if (kids.empty()) return 0;
  double sum = 0;
  for (const int child : kids) sum += (bone(child).head() - owner.head()).norm();
  return sum / static_cast<double>(kids.size());
}

}  // namespace sinew
