// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "spines/skin_spines.h"

#include <algorithm>
#include <cassert>

#include "gltf/gltf_json.h"
#include "math/affine.h"
#include "model/node_transforms.h"
#include "sinew/deform/spine_blend.h"
#include "sinew/geometry/mesh_graph.h"
#include "sinew/geometry/weld.h"
#include "sinew/rig/spine_parameters.h"
#include "sinew/spines/gltf_spine_bones.h"

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

/// Parts of a transform's size: more is shear, which no T · R · S says.
constexpr double kShearRel = 1e-6;

/// The transform with a motion of its parent's space after it.
NodeTransform moved_by(const Affine3& motion, const NodeTransform& local) {
  NodeTransform moved;
  moved.matrix = motion * local.to_affine();
  if (local.matrix) return moved;
  const NodeTransform trs = as_trs(moved);
  const Affine3 again = trs.to_affine();
  const bool is_trs =
      (again.linear() - moved.matrix->linear()).norm() <= kShearRel * moved.matrix->linear().norm();
  return is_trs ? trs : moved;
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

SpineBone SkinSpines::attach(const Spine& spine, PrimitiveIndex of,
                             std::span<const Vec3> positions) {
  if (spine.placed != nullptr)
    if (const auto part = spine.placed->parts.find(of);
        part != spine.placed->parts.end() && part->second.vertex_count == positions.size()) {
      const auto begin = static_cast<std::ptrdiff_t>(part->second.first_vertex);
      const auto end = begin + static_cast<std::ptrdiff_t>(part->second.vertex_count);
      const SpineBone& whole = spine.placed->spine;
      return {spine.joint,
              spine.rest,
              {whole.parameters.begin() + begin, whole.parameters.begin() + end},
              {whole.gradients.begin() + begin, whole.gradients.begin() + end}};
    }
  return linear_spine(spine.joint, spine.rest, positions);
}

void SkinSpines::deform(const SkinWeights& weights, PrimitiveIndex of,
                        const SkinnedVectors& vectors) const {
  std::vector<Vec3> positions(vectors.positions.size() / 3);
  for (std::size_t i = 0; i < positions.size(); ++i)
    positions[i] = model_from_mesh_ * vector_at(vectors.positions, i);
  std::vector<SpineBone> spines;
  for (const Spine& spine : spines_) spines.push_back(attach(spine, of, positions));

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

Status DocumentSpines::place(const Document& document, const LoadedCharacter& loaded) {
  const Skeleton& skeleton = loaded.character.skeleton;
  const auto is_linear = [&](int bone) {
    return skeleton.bone(bone).parametrisation == SpineParametrisation::linear &&
           skeleton.bone(bone).painted_attribute.empty();
  };
  bool all_linear = true;
  for (int bone = 0; bone < static_cast<int>(skeleton.bone_count()); ++bone)
    all_linear = all_linear && is_linear(bone);
  if (all_linear) return {};
  SINEW_TRY(std::vector<SpineBone> spines, own_spine_bones(document, loaded));
  const WeldedMesh welded = weld(loaded.character.mesh);
  const MeshGraph graph = make_mesh_graph(welded.mesh);
  for (SpineBone& spine : spines) {
    if (is_linear(spine.bone)) continue;
    std::vector<double> of_places(welded.mesh.vertex_count());
    for (std::size_t v = 0; v < welded.welded.size(); ++v)
      of_places[welded.welded[v]] = spine.parameters[v];
    const std::vector<Vec3> gradients =
        parameter_gradients(spine.rest, welded.mesh.positions(), graph, of_places);
    for (const VertexIndex at : welded.welded) spine.gradients.push_back(gradients[at]);
    SkinSpines::Placed& placed = placed_of_node_[skeleton.bone(spine.bone).source_node];
    for (std::size_t p = 0; p < loaded.sources.size(); ++p)
      for (const int primitive : loaded.sources[p].primitives)
        placed.parts[{loaded.sources[p].mesh, primitive}] = loaded.character.parts[p];
    placed.spine = std::move(spine);
  }
  return {};
}

Result<DocumentSpines> DocumentSpines::create(const Document& document, const NodeTree& posed,
                                              const std::optional<ClipMoment>& moment,
                                              Notices& notices) {
  DocumentSpines found;
  const Json& nodes = array_or_empty(document.json, "nodes");
  if (std::ranges::none_of(nodes, says_spine)) return found;
  SINEW_TRY(const std::vector<LoadedCharacter> characters, read_characters(document));
  for (const LoadedCharacter& loaded : characters) {
    const Skeleton& skeleton = loaded.character.skeleton;
    if (!has_spines(skeleton)) continue;
    const std::vector<std::optional<SpineSegment>> segments = spine_segments(skeleton);
    SINEW_CHECK(found.place(document, loaded));
    const std::vector<bool> all(skeleton.bone_count(), true);
    std::vector<Vec3> turns(skeleton.bone_count(), Vec3::Zero());
    if (moment)
      for (const double time_s : turn_times(moment->clip.start_s, moment->time_s)) {
        PosedBones earlier{
            loaded.character.skinning_transforms(sample_clip(moment->stored, moment->clip, time_s)),
            std::vector<SpineMotion>(skeleton.bone_count())};
        drive_spines(skeleton, {}, segments, all, earlier, &turns);
      }
    PosedBones driven{loaded.character.skinning_transforms(posed),
                      std::vector<SpineMotion>(skeleton.bone_count())};
    const std::vector<Affine3> corrections =
        drive_spines(skeleton, {}, segments, all, driven, &turns);
    for (std::size_t j = 0; j < skeleton.bone_count(); ++j) {
      const Bone& bone = skeleton.bones()[j];
      if (bone.source_node < 0) continue;
      found.of_node_[bone.source_node] = {bone.rest, segments[j], driven.spines[j], corrections[j]};
      if (bone.kind != BoneKind::rigid && !segments[j])
        notices.push_back({Notice::Level::warning, "spine_without_length",
                           fmt::format("nodes[{}]", bone.source_node),
                           spine_segment(skeleton, static_cast<int>(j)).error().message +
                               "; until then it moves rigidly"});
    }
    found.hang_others(skeleton, moment ? moment->stored : posed);
  }
  return found;
}

/// As the baked clips of a row have it (spines/spine_baker.h): what leads to a bone that drives the
/// spine goes with that bone, and all else is carried by a spine's end, or moved by that of a
/// stretch-twist bone.
void DocumentSpines::hang_others(const Skeleton& skeleton, const NodeTree& stored) {
  const auto parent_of = [&](int node) {
    return stored.nodes[static_cast<std::size_t>(node)].parent;
  };
  for (const Bone& bone : skeleton.bones()) {
    const Joint* const spine = find(bone.source_node);
    if (spine == nullptr || !spine->segment) continue;
    for (int n = 0; n < static_cast<int>(stored.nodes.size()); ++n)
      if (parent_of(n) == bone.source_node && find(n) == nullptr)
        hanging_[n] = {
            spine->rest * stored.nodes[static_cast<std::size_t>(n)].local.to_affine().translation(),
            bone.kind == BoneKind::spine};
    const auto take_along = [&](int driver) {
      int node = skeleton.bone(driver).source_node;
      while (node >= 0 && parent_of(node) != bone.source_node) node = parent_of(node);
      if (const auto between = hanging_.find(node); between != hanging_.end())
        between->second = {skeleton.bone(driver).head(), false};
    };
    if (bone.kind == BoneKind::spine)
      for (const int beside : spine->segment->beside) take_along(beside);
    if (spine->segment->child >= 0) take_along(spine->segment->child);
  }
}

std::vector<Affine3> DocumentSpines::node_corrections(const NodeTree& posed) const {
  std::vector<Affine3> corrections(posed.nodes.size(), Affine3::Identity());
  for (const int n : posed.order) {
    Affine3& correction = corrections[static_cast<std::size_t>(n)];
    const int parent = posed.nodes[static_cast<std::size_t>(n)].parent;
    if (const Joint* const joint = find(n)) {
      correction = joint->correction;
    } else if (parent >= 0) {
      correction = corrections[static_cast<std::size_t>(parent)];
      if (const auto on_spine = hanging_.find(n); on_spine != hanging_.end()) {
        const Joint& spine = *find(parent);
        correction =
            correction_on_spine(*spine.segment, spine.motion, on_spine->second, correction);
      }
    }
  }
  return corrections;
}

std::map<int, NodeTransform> DocumentSpines::carry_nodes(const NodeTree& posed,
                                                         std::vector<Affine3>& world) const {
  std::map<int, NodeTransform> carried;
  if (!any()) return carried;
  const std::vector<Affine3> corrections = node_corrections(posed);
  for (std::size_t n = 0; n < posed.nodes.size(); ++n) {
    if (posed.nodes[n].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(posed.nodes[n].parent);
    if (corrections[n].matrix() == corrections[parent].matrix() || !is_invertible(world[parent]))
      continue;
    const Affine3 by = corrections[parent].inverse(Eigen::Affine) * corrections[n];
    carried[static_cast<int>(n)] =
        moved_by(world[parent].inverse(Eigen::Affine) * by * world[parent], posed.nodes[n].local);
  }
  for (std::size_t n = 0; n < world.size(); ++n)
    if (find(static_cast<int>(n)) == nullptr) world[n] = corrections[n] * world[n];
  return carried;
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
      motion = joint->correction * motion;
      bend = joint->motion;
      if (joint->segment) {
        const auto placed = placed_of_node_.find(skin.joints[j]);
        spines.spines_.push_back({static_cast<int>(j), joint->segment->rest,
                                  placed != placed_of_node_.end() ? &placed->second : nullptr});
      }
    }
    bend.base = motion;
    spines.bones_.transforms.push_back(motion);
    spines.bones_.spines.push_back(bend);
  }
  return spines;
}

}  // namespace sinew
