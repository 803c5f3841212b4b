// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/bone_settings.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// A side file: {"sinew_rig": 1, "bones": {"Spine*": {...}, ...}}.
struct Rig {
  struct Entry {
    std::string pattern;  // as in model/bone_names.h
    BoneSettings settings;
  };
  std::vector<Entry> entries;  // in the order of the file
};
[[nodiscard]] Result<Rig> parse_rig(const Json& json, Notices& notices);
[[nodiscard]] Result<Rig> read_rig(const std::filesystem::path& path, Notices& notices);

/// The skeleton with every entry applied to all bones that it matches, in order: what a later entry
/// says wins. A pattern that matches no bone gives a notice of code "unmatched_bone_pattern": one
/// rig file may serve many characters.
[[nodiscard]] Result<Skeleton> apply_rig(const Rig& rig, const Skeleton& skeleton,
                                         Notices& notices);

}  // namespace sinew
