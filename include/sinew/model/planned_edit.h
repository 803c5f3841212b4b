// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sinew/math/types.h"
#include "sinew/model/mesh.h"

namespace sinew {

/// Edits that are planned before anything is welded or solved, in terms of a character.

/// Which vertices of a character: those that all of what is set allows.
struct VertexChoice {
  std::optional<std::vector<VertexIndex>> vertices;  // of the character
  std::optional<Box> box;                            // model space
  struct Sphere {
    Vec3 centre = Vec3::Zero();  // model space
    double radius = 0;
  };
  std::optional<Sphere> sphere;
  struct Weighed {
    int bone = 0;
    double above = 0;  // its weight when the edit is made is more than this
  };
  std::optional<Weighed> weighed;
};

enum class EditKind {
  add_influence,
  remove_influence,
  connect_wires,
  set_weights,
  flatten_weights,
  clear_weights,
  release_attachments,
};
/// "add_influence", ...: as name_of calls the edit.
[[nodiscard]] std::string_view to_string(EditKind kind);

struct PlannedEdit {
  int after = 0;  // steps; sooner when the weights have converged before
  EditKind kind = EditKind::set_weights;
  std::vector<int> bones;  // of the character; one edit each. None for wires
  VertexChoice where;      // for wires: one end
  VertexChoice to;  // for wires: each vertex of one end is joined to the nearest of these ...
  std::optional<double> within;  // ... that is no farther than this, in model units
  std::vector<Edge> pairs;       // for wires: joined as they are
  double target = 1;             // of set_weights
  double stiffness_rel = 1;      // of set_weights and flatten_weights
};

}  // namespace sinew
