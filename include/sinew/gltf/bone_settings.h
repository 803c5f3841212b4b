// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// What a glTF cannot say about bones: kind, limits, whether they deform, where they end. Stored in
/// `extras.sinew` of the bone's node, or in a side file keyed by bone name. docs/rig-schema.md is
/// the schema. Keys that are not in it give a notice of code "unknown_rig_key", never an error.

/// The code of a notice about a key that nobody knows.
inline constexpr std::string_view kUnknownRigKey = "unknown_rig_key";

/// The settings of one bone; what is not said stays as it was.
struct BoneSettings {
  std::optional<BoneKind> kind;
  std::optional<bool> deforms;
  std::optional<Vec3> tail;       // bone space
  std::optional<Vec3> leaf_axis;  // unit, bone space
  std::optional<Range> roll_deg;
  std::optional<Vec3> roll_axis;  // unit, bone space
  std::optional<Range> twist_deg;
  std::optional<Range> bend_deg;
  std::optional<Range> stretch;  // relative to rest; above 0
  std::optional<SpineParametrisation> parametrisation;
  std::optional<std::string> painted_attribute;  // empty: none
};

/// Reads one object of settings. `place` is where it stands, for errors and notices such as
/// "nodes[3].extras.sinew.limits.roll_deg".
[[nodiscard]] Result<BoneSettings> parse_bone_settings(const Json& json, const std::string& place,
                                                       Notices& notices);

/// Changes what the settings say of the bone. Its `rest` must be known: it places the tail.
void apply_bone_settings(const BoneSettings& settings, Bone& bone);

/// What of a bone differs from the default, as parse_bone_settings reads it; an empty object when
/// nothing does. A tail that cannot be put into bone space, because the bone is scaled to nothing,
/// is left out.
[[nodiscard]] Json bone_settings_json(const Bone& bone);

/// Applies `extras.sinew` of each bone's node to the bone.
[[nodiscard]] Status read_node_settings(const Document& document, std::vector<Bone>& bones,
                                        Notices& notices);

/// Makes `extras.sinew` of each bone's node say what the bones are. Other extras survive, keys in
/// `extras.sinew` that are not settings too, and objects that end up empty are removed.
void write_node_settings(Document& document, const Skeleton& skeleton);

}  // namespace sinew
