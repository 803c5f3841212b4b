// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "model/spine_driver.h"
#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/deform/spine_bones.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/gltf/gltf_document.h"
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

/// Which vertices of a document: those of a primitive.
struct PrimitiveIndex {
  int mesh = -1;
  int primitive = -1;
  friend auto operator<=>(const PrimitiveIndex&, const PrimitiveIndex&) = default;
};

/// What a clip does to a document's nodes, and when.
struct ClipMoment {
  const NodeTree& stored;
  const Clip& clip;
  double time_s = 0;
};

/// One skin, some of whose joints are or hang on spines: its exact deformer. Lives no longer than
/// the DocumentSpines it comes from.
class SkinSpines {
 public:
  /// Moves vertices of mesh space into the scene. They sit on spines as the bones say that they do;
  /// where that is linearly, it is by where they are given, morphed say.
  void deform(const SkinWeights& weights, PrimitiveIndex of, const SkinnedVectors& vectors) const;

 private:
  friend class DocumentSpines;
  /// A bone whose vertices do not sit linearly.
  struct Placed {
    SpineBone spine;  // per vertex of the character, with gradients
    std::map<PrimitiveIndex, MeshPart> parts;
  };
  struct Spine {
    int joint = -1;
    SpineRest rest;
    const Placed* placed = nullptr;  // nothing where they do
  };
  [[nodiscard]] static SpineBone attach(const Spine& spine, PrimitiveIndex of,
                                        std::span<const Vec3> positions);
  Affine3 model_from_mesh_ = Affine3::Identity();
  PosedBones bones_;           // per joint, model space to the scene
  std::vector<Spine> spines_;  // joints that bend
};

/// The spines of a document's characters, driven by how its nodes stand.
class DocumentSpines {
 public:
  /// Has none, and costs nothing, where no node says that it is one. Notice "spine_without_length":
  /// one that ends nowhere, and moves rigidly.
  /// `moment`, where nodes stand as in a clip, tells how often spines have turned until then.
  [[nodiscard]] static Result<DocumentSpines> create(const Document& document,
                                                     const NodeTree& posed,
                                                     const std::optional<ClipMoment>& moment,
                                                     Notices& notices);
  [[nodiscard]] bool any() const { return !of_node_.empty(); }
  /// Nothing for a skin without joints of such characters.
  [[nodiscard]] std::optional<SkinSpines> of_skin(const PosedSkin& skin) const;

  /// The transforms of nodes that spines take along, relative to their parents: of all that change.
  /// Joints and what is no bone, a sword in a hand or a camera, stand where bent spines have them,
  /// and not on the chord. `world` of each node is corrected too, but for the joints of_skin asks
  /// for, which it corrects itself. Joints of another character that has spines of its own do not
  /// go along.
  [[nodiscard]] std::map<int, NodeTransform> carry_nodes(const NodeTree& posed,
                                                         std::vector<Affine3>& world) const;

 private:
  struct Joint {
    Affine3 rest = Affine3::Identity();  // bone space to model space
    std::optional<SpineSegment> segment;
    SpineMotion motion;
    Affine3 correction = Affine3::Identity();  // in the scene: from where its node stands
  };
  [[nodiscard]] const Joint* find(int node) const;
  void hang_others(const Skeleton& skeleton, const NodeTree& stored);
  [[nodiscard]] std::vector<Affine3> node_corrections(const NodeTree& posed) const;
  Status place(const Document& document, const LoadedCharacter& loaded);
  std::map<int, SkinSpines::Placed> placed_of_node_;
  std::map<int, Joint> of_node_;
  std::map<int, OnSpine> hanging_;  // nodes that are no joints, right on the node of a spine
};

}  // namespace sinew
