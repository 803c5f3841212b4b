// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/character.h"
#include "sinew/model/weight_format.h"

namespace sinew {

/// Which pose of the skeleton the stored mesh was modelled in.
struct BindPose {
  enum class From {
    inverse_bind_matrices,  // what the skin says; nodes where it says nothing
    nodes,                  // the pose that the nodes store
    clip,                   // a clip at a time
  };
  From from = From::inverse_bind_matrices;
  std::string clip;  // name of the animation
  double time_s = 0;

  /// "ibm", "nodes" or "CLIP:TIME".
  [[nodiscard]] static Result<BindPose> parse(std::string_view text);
};

struct ReadOptions {
  BindPose bind_pose;
};

/// Where the vertices of a part live in the document: what write_weights needs.
struct PartSource {
  int node = -1;  // the first mesh node that shows it; skinned instances of a mesh share one part
  int skin = -1;  // -1 for a mesh that has no skin yet
  int mesh = -1;
  std::vector<int> primitives;                    // those that share these vertex attributes
  Affine3 model_from_part = Affine3::Identity();  // stored positions to model space
};

/// How the file's bind pose, its nodes and the scene lie to each other.
struct BindFacts {
  BindPose::From from = BindPose::From::inverse_bind_matrices;
  double scene_scale = 1;  // model units per unit of the stored mesh: 100 for an armature x100
  double node_deviation_rel = 0;  // how far the stored pose is from the bind pose, of the diagonal
  std::string node_deviation_bone;
};

struct LoadedCharacter {
  Character character;
  std::vector<PartSource> sources;  // one per character.parts
  std::vector<int> skins;  // skins of the document that this character covers; [0] is the reference
  BindFacts bind;
  WeightRepairs repairs;  // of the weights that the file came with
  Notices notices;
};

/// All characters of a document: mesh nodes whose skins share joints are one. A document without
/// skins gives one character with an empty skeleton and every mesh in it, placed in the scene; one
/// without meshes gives its nodes as a skeleton without vertices.
[[nodiscard]] Result<std::vector<LoadedCharacter>> read_characters(const Document& document,
                                                                   const ReadOptions& options = {});

struct WriteWeightsOptions {
  WeightFormat format = WeightFormat::f32;
  int max_influences = 4;  // slots are written in fours: 5 to 8 go to JOINTS_1 and WEIGHTS_1
};

/// Puts weights (one row per vertex of the character) into the document in place of the old ones.
/// Strongest influence first; unused slots are joint 0, weight 0; floats sum to 1 within 2e-7 ×
/// non-zeros, u8 and u16 exactly. Rows with more than max_influences are an error: the caller
/// decides how to cut. Inverse bind matrices are rewritten only when the character was read with
/// another bind pose or had no skin.
[[nodiscard]] Status write_weights(Document& document, const LoadedCharacter& loaded,
                                   const SkinWeights& weights,
                                   const WriteWeightsOptions& options = {});

/// Which of the characters that were read from the document again is the one whose parts in
/// `written` went through write_weights with these options. Fails with write_failed unless it keeps
/// the rules: every vertex of those parts has weights, none more than the limit, and nothing had to
/// be mended where no other part could be the reason.
[[nodiscard]] Result<std::size_t> find_written(std::span<const LoadedCharacter> reread,
                                               const LoadedCharacter& written,
                                               const WriteWeightsOptions& options = {});

/// A document that holds a character made in memory: mesh, skeleton, weights, clips. `normals` may
/// be empty, or one per vertex. A wire between two parts is left out: glTF has no place for it.
[[nodiscard]] Result<Document> make_document(const Character& character,
                                             std::span<const Vec3> normals = {},
                                             const WriteWeightsOptions& options = {});

}  // namespace sinew
