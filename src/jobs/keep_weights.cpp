// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/jobs/keep_weights.h"

#include <algorithm>

#include "jobs/bone_lists.h"
#include "sinew/gltf/vertex_mask.h"

namespace sinew {
namespace {

JobStatus apply_mask(const std::string& attribute, const LoadedInput& input,
                     std::span<BindOptions> options) {
  bool is_found = false;
  Error missing;
  for (std::size_t c = 0; c < options.size(); ++c) {
    const LoadedCharacter& loaded = input.characters[c];
    Result<std::vector<bool>> mask = read_vertex_mask(input.document, loaded, attribute);
    if (mask.ok()) {
      is_found = true;
      options[c].may_change = *std::move(mask);
    } else if (mask.error().code == ErrorCode::bad_argument) {
      missing = std::move(mask).error();
      options[c].may_change.assign(loaded.character.mesh.vertex_count(), false);
    } else {
      return error_of_option("vertices", mask.error().to_string());
    }
  }
  if (!is_found) return error_of_option("vertices", missing.to_string());
  return {};
}

}  // namespace

JobStatus keep_weights(const WeightsToKeep& keep, const LoadedInput& input,
                       std::span<BindOptions> options) {
  SINEW_TRY(const auto lock, match_bone_lists("lock", keep.lock, input.characters));
  SINEW_TRY(const auto only, match_bone_lists("only", keep.only, input.characters));
  for (std::size_t c = 0; c < options.size(); ++c) {
    options[c].lock = lock[c];
    options[c].only = only[c];
    if (keep.only.empty() || !only[c].empty()) continue;
    const std::size_t bones = input.characters[c].character.skeleton.bone_count();
    for (std::size_t bone = 0; bone < bones; ++bone)  // the pattern is of another character
      options[c].lock.push_back(static_cast<int>(bone));
  }
  if (!keep.vertices.empty()) return apply_mask(keep.vertices, input, options);
  return {};
}

void leave_out_idle_warnings(std::span<Notices* const> of_characters) {
  const auto is_idle = [](const Notice& notice) { return notice.code == "nothing_may_change"; };
  const auto may_change = [&](const Notices* notices) {
    return std::ranges::none_of(*notices, is_idle);
  };
  if (std::ranges::none_of(of_characters, may_change)) return;
  for (Notices* const notices : of_characters) std::erase_if(*notices, is_idle);
}

}  // namespace sinew
