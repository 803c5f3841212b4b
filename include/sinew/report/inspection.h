// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/progress.h"
#include "sinew/gltf/gltf_character.h"
#include "sinew/quality/weight_judge.h"
#include "sinew/rig/deforming_bones.h"
#include "sinew/rig/effective_hierarchy.h"

namespace sinew {

struct ClipSummary {
  std::string name;
  double start_s = 0;
  double end_s = 0;
};

struct PropSummary {
  std::string name;
  std::string bone;
};

/// What one bone carries.
struct BoneSummary {
  std::string name;
  int parent = -1;
  Affine3 rest = Affine3::Identity();  // bone space to model space in the bind pose
  double length = 0;                   // model units; 0 for a leaf without a tail
  double weight_share = 0;             // its part of all weight in the mesh, in [0, 1]
  std::size_t dominated =
      0;  // vertices on which no bone weighs more; the first of equals owns a vertex
  BoneKind kind = BoneKind::rigid;
  std::optional<RowPlace> part_of = {};  // of a joint of a row, whose bone is the parent
};

/// What is in a character, whether its weights keep the rules, and how good they are.
struct Inspection {
  std::string name;
  std::size_t meshes = 0;  // of the document; an instanced mesh counts once
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t tetrahedra = 0;
  std::size_t wires = 0;
  Vec3 size = Vec3::Zero();  // model units, along x, y, z; of the bones where there are no vertices
  std::size_t joints = 0;
  std::size_t roots = 0;
  BindFacts bind;
  std::vector<ClipSummary> clips;
  std::vector<PropSummary> props;
  std::vector<BoneSummary> bones;
  std::vector<BoneRole> roles;   // per bone
  EffectiveHierarchy hierarchy;  // that the weights are judged on

  std::size_t welded_vertices = 0;
  std::size_t welded_triangles = 0;
  std::size_t parts = 0;  // connected, with faces

  std::size_t weighted = 0;  // vertices with at least one weight
  std::size_t unweighted = 0;
  std::size_t max_influences = 0;
  double mean_influences = 0;          // over weighted vertices
  std::vector<std::size_t> histogram;  // [k]: vertices with k influences
  std::size_t unused_joints = 0;       // no vertex has a weight on them
  WeightRepairs repairs;               // of the weights as they are stored
  double sum_error = 0;                // the largest |sum - 1| of a stored row

  std::optional<WeightQuality> quality;  // absent without weights, and when nobody asked

  Notices notices;  // about this character
  std::size_t file_warnings =
      0;  // about the file as a whole; the figure "warnings" counts them too

  [[nodiscard]] std::size_t deforming() const;  // bones
};

struct InspectOptions {
  JudgeOptions judging;  // with no poses, weights are not judged: quick
  /// The character as it was before somebody made new weights: its bones' roles and hierarchy, by
  /// name, are what counts, bones that lost their vertices are counted, and its weights are what
  /// the figures of skin (quality/skin_quality.h) compare with. Bones that it does not have count
  /// as deforming.
  const Character* original = nullptr;
  /// Poses to compare with the original in, instead of clips and gentle random ones
  /// (quality/skin_judge.h).
  std::optional<std::vector<SampledPose>> compare_in = {};
};

[[nodiscard]] std::size_t count_warnings(const Notices& notices);

/// All of an inspection but the quality, for a caller who knows already what the bones do. Cost:
/// a weld.
[[nodiscard]] Inspection describe_character(const LoadedCharacter& loaded,
                                            std::vector<BoneRole> roles,
                                            EffectiveHierarchy hierarchy);

/// Fails only when cancelled.
[[nodiscard]] Result<Inspection> inspect_character(const LoadedCharacter& loaded,
                                                   const InspectOptions& options = {},
                                                   const Progress& progress = {});

/// An inspection with the judge that made its quality, for callers who want to pose the character
/// further on the same terms.
struct JudgedInspection {
  Inspection inspection;
  std::optional<WeightJudge> judge;  // absent when weights were not judged
};

[[nodiscard]] Result<JudgedInspection> inspect_with_judge(const LoadedCharacter& loaded,
                                                          const InspectOptions& options = {},
                                                          const Progress& progress = {});

/// A number about a character that a report shows and that a limit can be set on.
struct Figure {
  std::string_view name;  // stable, for scripts: "max_influences"
  double value = 0;       // NaN where it is not known: weights that were not judged, no clips
};

/// Every figure of an inspection, always the same names in the same order.
[[nodiscard]] std::vector<Figure> figures(const Inspection& inspection);

/// The names of all figures.
[[nodiscard]] std::vector<std::string> figure_names();

}  // namespace sinew
