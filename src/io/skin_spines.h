// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/deform/spine_bones.h"
#include "sinew/io/gltf_document.h"
#include "sinew/model/animation.h"
#include "sinew/model/driven_spines.h"
#include "sinew/model/skin_weights.h"

namespace sinew {

/// A skin of a document in a pose, with matrices by the order of its joints.
struct PosedSkin {
  std::vector<int> joints;            // node indices
  std::vector<Affine3> inverse_bind;  // the file's; identity where it has none
  std::vector<Affine3> matrices;      // mesh space to the scene: world · inverse bind
};

/// What a primitive's vertices become, x y z packed; a list may be empty.
struct SkinnedVectors {
  std::vector<float>& positions;
  std::vector<float>& normals;   // any length, on the way out too
  std::vector<float>& tangents;  // the same
};

/// One skin, some of whose joints are or hang on spines: its exact deformer.
class SkinSpines {
 public:
  /// Moves vertices of mesh space into the scene, by linear parameters along the spines.
  void deform(const SkinWeights& weights, const SkinnedVectors& vectors) const;

 private:
  friend class DocumentSpines;
  Affine3 model_from_mesh_ = Affine3::Identity();
  PosedBones bones_;                               // per joint, model space to the scene
  std::vector<std::pair<int, SpineRest>> spines_;  // joints that bend
};

/// The spines of a document's characters, driven by how its nodes stand.
class DocumentSpines {
 public:
  /// Has none, and costs nothing, where no node says that it is one. Notice "spine_without_length":
  /// one that ends nowhere, and moves rigidly.
  [[nodiscard]] static Result<DocumentSpines> create(const Document& document,
                                                     const NodeTree& posed, Notices& notices);
  [[nodiscard]] bool any() const { return !of_node_.empty(); }
  /// Nothing for a skin without joints of such characters.
  [[nodiscard]] std::optional<SkinSpines> of_skin(const PosedSkin& skin) const;

 private:
  struct Joint {
    Affine3 rest = Affine3::Identity();  // bone space to model space
    std::optional<SpineSegment> segment;
    SpineMotion motion;
    Vec3 shift = Vec3::Zero();  // in the scene: how far it is from where its node stands
  };
  [[nodiscard]] const Joint* find(int node) const;
  std::map<int, Joint> of_node_;
};

}  // namespace sinew
