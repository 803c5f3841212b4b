// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/assimp_rig.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "formats/text_reader.h"
#include "gltf/document_builder.h"
#include "math/affine.h"
#include "sinew/model/mesh.h"

namespace sinew::reading {
namespace {

constexpr double kSameBindRel =
    1e-3;  // of the skeleton's size: bind matrices are floats, some are rounded text
constexpr double kShearRel = 1e-5;  // a transform this close to T·R·S is stored as such

class RigBuilder {
 public:
  RigBuilder(const SceneTree& tree, Notices& notices) : tree_(tree), notices_(notices) {}

  SceneRig build() {
    find_bones();
    find_joints();
    rig_.meshes.resize(tree_.scene->mNumMeshes);
    for (const SceneNode& node : tree_.nodes)
      for (unsigned i = 0; i < node.source->mNumMeshes; ++i)
        if (const unsigned mesh = node.source->mMeshes[i]; has_bones(mesh)) place_mesh(mesh, node);
    spread_binds();
    for (std::size_t mesh = 0; mesh < rig_.meshes.size(); ++mesh)
      if (placed_.contains(mesh)) choose_skin(mesh);
    return std::move(rig_);
  }

 private:
  [[nodiscard]] const aiMesh& mesh(std::size_t index) const { return *tree_.scene->mMeshes[index]; }
  [[nodiscard]] bool has_bones(std::size_t index) const {
    return std::ranges::any_of(bones_of_[index], [](int node) { return node >= 0; });
  }

  void find_bones() {
    is_bone_.assign(tree_.nodes.size(), false);
    bones_of_.resize(tree_.scene->mNumMeshes);
    std::set<std::string> lost;
    for (std::size_t m = 0; m < bones_of_.size(); ++m)
      for (unsigned b = 0; b < mesh(m).mNumBones; ++b) {
        const aiBone& bone = *mesh(m).mBones[b];
        int node = tree_.find(bone.mName);
        // Without a usable bind matrix a bone cannot be placed.
        const Affine3 offset = tree_.offset(bone);
        if (!offset.matrix().allFinite() || offset.linear().determinant() == 0) node = -1;
        bones_of_[m].push_back(node);
        if (node >= 0)
          is_bone_[static_cast<std::size_t>(node)] = true;
        else
          lost.insert(to_utf8(bone.mName.C_Str()));
      }
    for (const std::string& name : lost)
      notices_.push_back({Notice::Level::warning, "bone_lost", name,
                          "the bone has no node or no usable bind matrix; its weights were left "
                          "out"});
  }

  void find_joints() {
    const std::size_t count = tree_.nodes.size();
    std::vector<bool> bone_below(count, false);
    for (std::size_t i = count; i-- > 1;)
      if (is_bone_[i] || bone_below[i])
        bone_below[static_cast<std::size_t>(tree_.nodes[i].parent)] = true;
    std::set<std::string> not_joints;
    const aiScene& scene = *tree_.scene;
    for (unsigned i = 0; i < scene.mNumCameras; ++i)
      not_joints.insert(scene.mCameras[i]->mName.C_Str());
    for (unsigned i = 0; i < scene.mNumLights; ++i)
      not_joints.insert(scene.mLights[i]->mName.C_Str());
    rig_.is_joint.assign(count, false);
    top_of_.assign(count, -1);
    for (std::size_t i = 0; i < count; ++i) {
      const SceneNode& node = tree_.nodes[i];
      const bool below_joint =
          node.parent >= 0 && rig_.is_joint[static_cast<std::size_t>(node.parent)];
      const bool plain = !node.carries_mesh && !not_joints.contains(node.source->mName.C_Str());
      if (!is_bone_[i] && !(below_joint && (bone_below[i] || plain))) continue;
      rig_.is_joint[i] = true;
      top_of_[i] =
          below_joint ? top_of_[static_cast<std::size_t>(node.parent)] : static_cast<int>(i);
    }
  }

  /// How far apart two placements put things, relative to the size of the skeleton.
  [[nodiscard]] bool same_placement(const Affine3& a, const Affine3& b) const {
    const Affine3 between = a * b.inverse();
    const double linear = (between.linear() - Eigen::Matrix3d::Identity()).norm();
    return linear <= kSameBindRel &&
           (a.translation() - b.translation()).norm() <= kSameBindRel * size();
  }

  [[nodiscard]] double size() const {
    if (!size_) {
      std::vector<Vec3> heads;
      for (std::size_t i = 0; i < is_bone_.size(); ++i)
        if (is_bone_[i]) heads.push_back(tree_.nodes[i].world.translation());
      size_ = bounding_box(heads).sizes().norm();
      if (!(*size_ > 0)) size_ = 1;
    }
    return *size_;
  }

  /// Where the mesh stood when it was bound, as far as its own bones and node tell.
  [[nodiscard]] Affine3 placement_alone(std::size_t m, const SceneNode& mesh_node) const {
    std::optional<Affine3> first;
    for (unsigned b = 0; b < mesh(m).mNumBones; ++b) {
      const int bone = bones_of_[m][b];
      if (bone < 0) continue;
      const Affine3 placed = tree_.node(bone).world * tree_.offset(*mesh(m).mBones[b]);
      if (!first) first = placed;
      if (!same_placement(placed, *first)) return mesh_node.world;
    }
    return first ? *first : mesh_node.world;
  }

  void place_mesh(std::size_t m, const SceneNode& mesh_node) {
    if (!placed_.insert(m).second) return;
    RigMesh& placed = rig_.meshes[m];
    placed.placement = placement_alone(m, mesh_node);
    for (unsigned b = 0; b < mesh(m).mNumBones; ++b) {
      const auto known = binds_.find(bones_of_[m][b]);
      if (known == binds_.end()) continue;
      const Affine3 beside = known->second * tree_.offset(*mesh(m).mBones[b]);
      if (beside.linear().determinant() != 0) placed.placement = beside;
      break;
    }
    for (unsigned b = 0; b < mesh(m).mNumBones; ++b)
      if (const int bone = bones_of_[m][b]; bone >= 0)
        binds_.emplace(bone, placed.placement * tree_.offset(*mesh(m).mBones[b]).inverse());
  }

  /// Joints without a bind matrix of their own stand to their parent as the nodes do.
  void spread_binds() {
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const int node = static_cast<int>(i);
      if (!rig_.is_joint[i] || binds_.contains(node)) continue;
      const auto parent = binds_.find(tree_.nodes[i].parent);
      binds_[node] =
          parent == binds_.end() ? tree_.nodes[i].world : parent->second * tree_.nodes[i].local;
    }
  }

  void choose_skin(std::size_t m) {
    std::set<int> tops;
    for (const int bone : bones_of_[m])
      if (bone >= 0) tops.insert(top_of_[static_cast<std::size_t>(bone)]);
    RigSkin skin;
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      if (!rig_.is_joint[i] || !tops.contains(top_of_[i])) continue;
      skin.joints.push_back(static_cast<int>(i));
      skin.inverse_binds.push_back(inverse_or_translation(binds_[static_cast<int>(i)]));
    }
    RigMesh& placed = rig_.meshes[m];
    const Affine3 back = inverse_or_translation(placed.placement);
    for (unsigned b = 0; b < mesh(m).mNumBones; ++b) {
      const auto at = std::ranges::lower_bound(skin.joints, bones_of_[m][b]);
      const bool found = bones_of_[m][b] >= 0;
      const auto joint = at - skin.joints.begin();
      placed.joint_of_bone.push_back(found ? static_cast<int>(joint) : -1);
      if (found)
        skin.inverse_binds[static_cast<std::size_t>(joint)] =
            tree_.offset(*mesh(m).mBones[b]) * back;
    }
    placed.skin = find_or_add(std::move(skin), m);
  }

  int find_or_add(RigSkin skin, std::size_t m) {
    bool same_joints = false;
    for (std::size_t s = 0; s < rig_.skins.size(); ++s) {
      if (rig_.skins[s].joints != skin.joints) continue;
      same_joints = true;
      bool same = true;
      for (std::size_t j = 0; j < skin.joints.size() && same; ++j)
        same = same_placement(rig_.skins[s].inverse_binds[j].inverse(),
                              skin.inverse_binds[j].inverse());
      if (same) return static_cast<int>(s);
    }
    if (same_joints)
      notices_.push_back({Notice::Level::note, "other_bind_pose", to_utf8(mesh(m).mName.C_Str()),
                          "the mesh is bound in another pose than the meshes before it"});
    rig_.skins.push_back(std::move(skin));
    return static_cast<int>(rig_.skins.size()) - 1;
  }

  const SceneTree& tree_;
  Notices& notices_;
  SceneRig rig_;
  std::vector<bool> is_bone_;  // per node: some mesh has weights or a bind matrix for it
  std::vector<std::vector<int>> bones_of_;  // per mesh and bone: its node, -1 for none
  std::vector<int> top_of_;       // per node: the topmost joint above it, -1 outside skeletons
  std::map<int, Affine3> binds_;  // per joint: bone space to scene, in the bind pose
  std::set<std::size_t> placed_;
  mutable std::optional<double> size_;
};

}  // namespace

SceneRig make_rig(const SceneTree& tree, Notices& notices) {
  return RigBuilder(tree, notices).build();
}

void put_transform(Json& node, const Affine3& local, bool animated) {
  Vec3 scale = local.linear().colwise().norm();
  if (local.linear().determinant() < 0) scale.x() = -scale.x();
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (scale.cwiseAbs().minCoeff() > 0) turn = local.linear() * scale.cwiseInverse().asDiagonal();
  const Quat rotation = Quat(turn).normalized();
  const Eigen::Matrix3d rebuilt = rotation.toRotationMatrix() * scale.asDiagonal();
  if (!animated && (rebuilt - local.linear()).norm() > kShearRel * local.linear().norm()) {
    Json matrix = Json::array();
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < 3; ++row) matrix.push_back(local.matrix()(row, column));
      matrix.push_back(column == 3 ? 1 : 0);
    }
    node["matrix"] = std::move(matrix);
    return;
  }
  if (!local.translation().isZero()) node["translation"] = json_vector(local.translation());
  if (!rotation.coeffs().isApprox(Quat::Identity().coeffs(), 1e-9))
    node["rotation"] = Json::array({rotation.x(), rotation.y(), rotation.z(), rotation.w()});
  if (!scale.isApprox(Vec3::Ones(), 1e-6)) node["scale"] = json_vector(scale);
}

}  // namespace sinew::reading
