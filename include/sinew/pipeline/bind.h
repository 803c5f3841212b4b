// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/progress.h"
#include "sinew/core/result.h"
#include "sinew/model/character.h"
#include "sinew/prepare/deforming_bones.h"
#include "sinew/prepare/effective_hierarchy.h"

namespace sinew {

enum class BindMethod { heat, distance };
[[nodiscard]] std::string_view to_string(BindMethod method);
[[nodiscard]] std::optional<BindMethod> bind_method_from(std::string_view name);

struct BindOptions {
  BindMethod method = BindMethod::heat;
  int max_influences = 4;  // what game engines read
  DeformingOptions deforming;
  enum class Links {
    automatic,  // parts that no bone sees, or that are small, move with what they sit on
    off,        // every part is bound by itself
  };
  Links links = Links::automatic;
  HierarchyChoice hierarchy = HierarchyChoice::effective;
};

/// A separate part of the mesh that was linked to others, instead of being bound by itself.
struct LinkedPart {
  std::string name;            // of the mesh it is in
  std::size_t vertices = 0;    // welded
  Vec3 centre = Vec3::Zero();  // model space
  std::string bone;            // that most of it moves with
  double gap_rel = 0;          // to what it sits on, of the character's diagonal
  bool far = false;            // too far off for the link to be more than a guess
};

struct StageTime {
  std::string stage;
  double seconds = 0;
};

/// What a bind found and guessed on the way.
struct BindReport {
  std::vector<BoneRole> roles;  // per bone
  EffectiveHierarchy hierarchy;
  std::vector<int> guessed_tails;  // bones whose end the file does not say
  std::size_t welded_vertices = 0;
  std::size_t parts = 0;  // connected, with faces
  std::vector<LinkedPart> linked;
  std::size_t parts_by_distance =
      0;  // that no bone sees and nothing is near: weights by distance alone
  std::size_t zero_area_triangles = 0;
  std::size_t duplicate_triangles = 0;
  std::size_t unreferenced_vertices = 0;
  std::size_t vertices_on_bones = 0;                     // welded
  std::vector<std::pair<int, int>> joints_at_one_place;  // deforming bones
  std::vector<int> bones_without_vertices;  // deforming, and no vertex has a weight on them
  std::vector<StageTime> times;             // in the order of the work
};

struct Bound {
  SkinWeights weights;  // one row per vertex of the character; every row has weights
  Skeleton skeleton;    // the character's own; `deforms` says of every bone what was decided
  BindReport report;
  Notices notices;  // what a rigger would want to know of the report, in words
};

/// Weights for every vertex of a character, whatever its mesh is like. Old weights serve to tell
/// which bones deform, and are replaced. Fails only when there is nothing to bind (no vertices, no
/// bones), when the options are wrong, and when cancelled.
[[nodiscard]] Result<Bound> bind(const Character& character, const BindOptions& options = {},
                                 const Progress& progress = {});

}  // namespace sinew
