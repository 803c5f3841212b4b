// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/assimp_scene.h"

#include <cmath>

#include <fmt/format.h>

#include "formats/text_reader.h"

namespace sinew::reading {
namespace {

constexpr double kSameScaleRel =
    1e-4;  // writers round 0.01 and 100 to floats, and matrices lose a digit more
constexpr double kMetresPerFbxUnit = 0.01;
constexpr std::size_t kMaxNodes = 1'000'000;  // no scene has so many; a damaged file may

bool close(double a, double b) { return std::abs(a - b) <= kSameScaleRel * std::abs(b); }

/// The factor by which a map scales all lengths; 0 for one that stretches or mirrors.
double uniform_scale(const Affine3& map) {
  const Eigen::Matrix3d linear = map.linear();
  const double scale = std::cbrt(linear.determinant());
  if (!(scale > 0) || !std::isfinite(scale)) return 0;
  const Eigen::Matrix3d deviation = linear.transpose() * linear / (scale * scale);
  return (deviation - Eigen::Matrix3d::Identity()).norm() <= kSameScaleRel ? scale : 0;
}

int meta_int(const aiMetadata& meta, const char* key, int fallback) {
  int value = fallback;
  return meta.Get(key, value) ? value : fallback;
}

/// What turns an FBX file's axes into +X, +Y up, +Z to the front.
Eigen::Matrix3d fbx_turn(const aiMetadata& meta, Notices& notices) {
  const auto axis = [&](const char* name, int fallback) -> Vec3 {
    const int index = meta_int(meta, name, fallback);
    const int sign = meta_int(meta, (std::string(name) + "Sign").c_str(), 1);
    if (index < 0 || index > 2) return Vec3::Zero();
    return (sign < 0 ? -1.0 : 1.0) * Vec3::Unit(index);
  };
  const Vec3 up = axis("UpAxis", 1);
  Eigen::Matrix3d turn;
  turn << axis("CoordAxis", 0).transpose(), up.transpose(), axis("FrontAxis", 2).transpose();
  if (turn.determinant() > 0.5) return turn;
  notices.push_back({Notice::Level::warning, "odd_axes", "",
                     "the axes that the file declares are not right-handed; only its up axis was "
                     "used"});
  if (up.isZero()) return Eigen::Matrix3d::Identity();
  return Quat::FromTwoVectors(up, Vec3::UnitY()).toRotationMatrix();
}

/// What assimp leaves to its callers: it applies COLLADA's unit and axis to the root node, and
/// FBX's to nothing.
Affine3 pending_conversion(const aiScene& scene, Notices& notices) {
  Affine3 conversion = Affine3::Identity();
  if (scene.mMetaData == nullptr || !scene.mMetaData->HasKey("UnitScaleFactor")) return conversion;
  float unit_float_cm = 0;
  double unit_cm = 0;
  if (scene.mMetaData->Get("UnitScaleFactor", unit_float_cm)) unit_cm = unit_float_cm;
  scene.mMetaData->Get("UnitScaleFactor", unit_cm);
  if (!(unit_cm > 0) || !std::isfinite(unit_cm)) {
    notices.push_back({Notice::Level::warning, "no_unit", "",
                       "the file's UnitScaleFactor is not positive; centimetres were taken"});
    unit_cm = 1;
  }
  conversion.linear() = kMetresPerFbxUnit * unit_cm * fbx_turn(*scene.mMetaData, notices);
  return conversion;
}

Status flatten(const aiScene& scene, SceneTree& tree) {
  struct Pending {
    const aiNode* node;
    int parent;
  };
  std::vector<Pending> stack{{scene.mRootNode, -1}};
  while (!stack.empty()) {
    const Pending pending = stack.back();
    stack.pop_back();
    const int index = static_cast<int>(tree.nodes.size());
    const std::string place = fmt::format("nodes[{}]", index);
    if (tree.nodes.size() >= kMaxNodes)
      return Error{ErrorCode::too_large, place, "the scene has more nodes than can be read"};
    SceneNode& node = tree.nodes.emplace_back();
    node.source = pending.node;
    node.parent = pending.parent;
    node.local = to_affine(pending.node->mTransformation);
    if (!node.local.matrix().allFinite())
      return Error{
          ErrorCode::bad_file, place,
          fmt::format("the transform of '{}' is not finite", shown(pending.node->mName.C_Str()))};
    tree.by_name.emplace(pending.node->mName.C_Str(), index);
    for (unsigned i = pending.node->mNumChildren; i-- > 0;)
      stack.push_back({pending.node->mChildren[i], index});
  }
  return {};
}

void mark(const aiScene& scene, SceneTree& tree) {
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    SceneNode& node = tree.nodes[i];
    node.carries_mesh |= node.source->mNumMeshes > 0;
    if (node.carries_mesh && node.parent >= 0)
      tree.nodes[static_cast<std::size_t>(node.parent)].carries_mesh = true;
  }
  for (unsigned a = 0; a < scene.mNumAnimations; ++a)
    for (unsigned c = 0; c < scene.mAnimations[a]->mNumChannels; ++c)
      if (const int node = tree.find(scene.mAnimations[a]->mChannels[c]->mNodeName); node >= 0)
        tree.nodes[static_cast<std::size_t>(node)].animated = true;
}

/// Takes the scale out of the root. Nodes below it that undo it, as Blender's FBX writer makes them
/// (100 under centimetres), take it in; otherwise every length in the file is scaled.
void distribute_scale(SceneTree& tree) {
  SceneNode& root = tree.nodes.front();
  const double scale = uniform_scale(root.local);
  if (scale == 0 || close(scale, 1) || root.animated) return;
  root.local.linear() /= scale;
  bool undone = tree.nodes.size() > 1 && root.source->mNumMeshes == 0;
  for (const SceneNode& node : tree.nodes)
    if (node.parent == 0 && (node.carries_mesh || node.source->mNumChildren > 0))
      undone = undone && close(uniform_scale(node.local), 1 / scale);
  (undone ? tree.top_scale : tree.length_scale) = scale;
  for (SceneNode& node : tree.nodes) {
    if (node.parent < 0) continue;
    if (!undone) {
      node.local.translation() *= scale;
    } else if (node.parent == 0) {
      node.local.linear() *= scale;
      node.local.translation() *= scale;
    }
  }
}

}  // namespace

Affine3 to_affine(const aiMatrix4x4& m) {
  Affine3 affine;
  affine.matrix() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4;
  return affine;
}

Affine3 SceneTree::offset(const aiBone& bone) const {
  Affine3 offset = to_affine(bone.mOffsetMatrix);
  offset.translation() *= length_scale;
  return offset;
}

Result<SceneTree> make_scene_tree(const aiScene& scene, Notices& notices) {
  SceneTree tree;
  tree.scene = &scene;
  SINEW_CHECK(flatten(scene, tree));
  mark(scene, tree);
  tree.nodes.front().local = pending_conversion(scene, notices) * tree.nodes.front().local;
  distribute_scale(tree);
  for (SceneNode& node : tree.nodes)
    node.world = node.parent < 0 ? node.local : tree.node(node.parent).world * node.local;
  return tree;
}

}  // namespace sinew::reading
