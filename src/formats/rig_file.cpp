// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/formats/rig_file.h"

#include <array>
#include <string_view>
#include <utility>

#include "gltf/gltf_json.h"
#include "gltf/json_values.h"
#include "sinew/core/atomic_file.h"
#include "sinew/model/bone_names.h"

namespace sinew {
namespace {

/// A hundred times the largest rig that one could write.
constexpr std::uint64_t kMaxRigBytes = 16u << 20;
constexpr std::array<std::string_view, 2> kRigKeys = {"sinew_rig", "bones"};

}  // namespace

Result<Rig> parse_rig(const Json& json, Notices& notices) {
  const Json* version = member(json, "sinew_rig");
  if (version == nullptr)
    return Error{ErrorCode::bad_file, "sinew_rig", "is missing: this is not a rig file"};
  if (*version != 1)
    return Error{ErrorCode::unsupported, "sinew_rig",
                 fmt::format("is {}; this program reads version 1",
                             version->dump(-1, ' ', false, Json::error_handler_t::replace))};
  reading::note_unknown_keys(json, kRigKeys, "rig", kUnknownRigKey, notices);
  Rig rig;
  const Json* bones = member(json, "bones");
  if (bones == nullptr) return rig;
  if (!bones->is_object()) return Error{ErrorCode::bad_file, "bones", "is not an object"};
  for (const auto& [pattern, settings] : bones->items()) {
    Rig::Entry entry{pattern, {}};
    SINEW_TRY(entry.settings,
              parse_bone_settings(settings, fmt::format("bones[\"{}\"]", pattern), notices));
    rig.entries.push_back(std::move(entry));
  }
  return rig;
}

Result<Rig> read_rig(const std::filesystem::path& path, Notices& notices) {
  SINEW_TRY(const Bytes bytes, read_whole_file(path, kMaxRigBytes));
  SINEW_TRY(const Json json, parse_json(bytes));
  return parse_rig(json, notices);
}

Result<Skeleton> apply_rig(const Rig& rig, const Skeleton& skeleton, Notices& notices) {
  std::vector<Bone> bones = skeleton.bones();
  for (const Rig::Entry& entry : rig.entries) {
    const std::vector<int> matched = bones_matching(skeleton, entry.pattern);
    for (const int bone : matched)
      apply_bone_settings(entry.settings, bones[static_cast<std::size_t>(bone)]);
    if (!matched.empty()) continue;
    const int nearest = nearest_bone(skeleton, entry.pattern);
    notices.push_back({Notice::Level::warning, "unmatched_bone_pattern",
                       fmt::format("bones[\"{}\"]", entry.pattern),
                       nearest < 0 ? std::string("matches no bone; there are none")
                                   : fmt::format("matches no bone; the nearest name is '{}'",
                                                 skeleton.bone(nearest).name)});
  }
  return Skeleton::create(std::move(bones));
}

}  // namespace sinew
