// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "io/skin_spines.h"

#include <algorithm>
#include <cassert>

#include "io/gltf_json.h"
#include "sinew/deform/spine_blend.h"
#include "sinew/io/gltf_character.h"
#include "sinew/math/affine.h"

namespace sinew {
namespace {

/// Whether a node's extras say that it is no rigid bone; whether they are right is for their
/// reader.
bool says_spine(const Json& node) {
  const Json* const extras = member(node, "extras");
  const Json* const ours = extras == nullptr ? nullptr : member(*extras, "sinew");
  const Json* const kind = ours == nullptr ? nullptr : member(*ours, "kind");
  return kind != nullptr && *kind != to_string(BoneKind::rigid);
}

Vec3 vector_at(const std::vector<float>& packed, std::size_t i) {
  return Vec3(packed[3 * i], packed[3 * i + 1], packed[3 * i + 2]);
}

void put_vector(const Vec3& vector, std::size_t i, std::vector<float>& packed) {
  for (std::size_t k = 0; k < 3; ++k)
    packed[3 * i + k] = static_cast<float>(vector[static_cast<Eigen::Index>(k)]);
}

/// What turns normals where `linear` turns the surface, up to a positive factor.
Eigen::Matrix3d normal_matrix(const Eigen::Matrix3d& linear) {
  Eigen::Matrix3d cofactors;
  for (int c = 0; c < 3; ++c)
    cofactors.col(c) = linear.col((c + 1) % 3).cross(linear.col((c + 2) % 3));
  return linear.determinant() < 0 ? Eigen::Matrix3d(-cofactors) : cofactors;
}

SpineBone linear_spine(int bone, const SpineRest& rest, std::span<const Vec3> positions) {
  const Vec3 along = rest.tail - rest.head;
  const Vec3 gradient = along / along.squaredNorm();
  SpineBone spine{bone, rest, {}, {}};
  for (const Vec3& position : positions) {
    const double u = spine_parameter(rest, position);
    spine.parameters.push_back(u);
    spine.gradients.push_back(u > 0 && u < 1 ? gradient : Vec3(Vec3::Zero()));
  }
  return spine;
}

}  // namespace

void SkinSpines::deform(const SkinWeights& weights, const SkinnedVectors& vectors) const {
  std::vector<Vec3> positions(vectors.positions.size() / 3);
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] = model_from_mesh_ * vector_at(vectors.positions, i);
  std::vector<SpineBone> spines;
  for (const auto& [joint, rest] : spines_) spines.push_back(linear_spine(joint, rest, positions));

  const std::vector<Vec3> deformed = deform_with_spines(positions, weights, bones_, spines);
  for (std::size_t i = 0; i < deformed.size(); ++i) put_vector(deformed[i], i, vectors.positions);
  if (vectors.normals.empty() && vectors.tangents.empty()) return;
  const std::vector<Eigen::Matrix3d> jacobians =
      spine_blend_jacobians(positions, weights, bones_, spines);
  for (std::size_t i = 0; i < jacobians.size(); ++i) {
    const Eigen::Matrix3d linear = jacobians[i] * model_from_mesh_.linear();
    if (!vectors.normals.empty()) {
      const Vec3 normal = normal_matrix(linear) * vector_at(vectors.normals, i);
      // Cofactors have the scale of an area: floats may not reach that far.
      put_vector(normal.stableNormalized(), i, vectors.normals);
    }
    if (!vectors.tangents.empty()) {
      const Vec3 tangent = linear * vector_at(vectors.tangents, i);
      put_vector(tangent.stableNormalized(), i, vectors.tangents);
    }
  }
}

Result<DocumentSpines> DocumentSpines::create(const Document& document, const NodeTree& posed,
                                              Notices& notices) {
  DocumentSpines found;
  const Json& nodes = array_or_empty(document.json, "nodes");
  if (std::ranges::none_of(nodes, says_spine)) return found;
  SINEW_TRY(const std::vector<LoadedCharacter> characters, read_characters(document));
  for (const LoadedCharacter& loaded : characters) {
    const Skeleton& skeleton = loaded.character.skeleton;
    if (!has_spines(skeleton)) continue;
    const std::vector<std::optional<SpineSegment>> segments = spine_segments(skeleton);
    const std::vector<Affine3> plain = loaded.character.skinning_transforms(posed);
    const PosedBones driven = drive_spines(skeleton, plain);
    for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
      const Bone& bone = skeleton.bones()[j];
      if (bone.source_node < 0) continue;
      found.of_node_[bone.source_node] = {
          bone.rest, segments[j], driven.spines[j],
          driven.transforms[j].translation() - plain[j].translation()};
      if (bone.kind != BoneKind::rigid && !segments[j])
        notices.push_back({Notice::Level::warning, "spine_without_length",
                           fmt::format("nodes[{}]", bone.source_node),
                           spine_segment(skeleton, static_cast<int>(j)).error().message +
                               "; until then it moves rigidly"});
    }
  }
  return found;
}

const DocumentSpines::Joint* DocumentSpines::find(int node) const {
  const auto at = of_node_.find(node);
  return at != of_node_.end() ? &at->second : nullptr;
}

std::optional<SkinSpines> DocumentSpines::of_skin(const PosedSkin& skin) const {
  SkinSpines spines;
  bool is_placed = false, is_concerned = false;
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    const Joint* const joint = find(skin.joints[j]);
    if (joint == nullptr) continue;
    is_concerned = true;
    const Affine3 model_from_mesh = joint->rest * skin.inverse_bind[j];
    if (is_placed || !is_invertible(model_from_mesh)) continue;
    spines.model_from_mesh_ = model_from_mesh;
    is_placed = true;
  }
  if (!is_concerned) return std::nullopt;
  // Every joint keeps its own matrix, even where joints disagree about where the mesh is.
  const Affine3 mesh_from_model = spines.model_from_mesh_.inverse(Eigen::Affine);
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    Affine3 motion = skin.matrices[j] * mesh_from_model;
    SpineMotion bend;
    if (const Joint* const joint = find(skin.joints[j])) {
      motion.translation() += joint->shift;
      bend = joint->motion;
      if (joint->segment) spines.spines_.emplace_back(static_cast<int>(j), joint->segment->rest);
    }
    bend.base = motion;
    spines.bones_.transforms.push_back(motion);
    spines.bones_.spines.push_back(bend);
  }
  return spines;
}

}  // namespace sinew
