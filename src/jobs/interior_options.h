// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <utility>

#include "sinew/gltf/gltf_document.h"
#include "sinew/jobs/job_error.h"
#include "sinew/volume/bone_attachment.h"

namespace sinew {

/// An amount, or the word "voxels", as --bone-radius takes it.
[[nodiscard]] inline Json to_json(const BoneRadius& radius) {
  return radius.rule == BoneRadius::Rule::voxels ? Json("voxels") : Json(radius.share);
}

/// What is wrong with an option of the interior names it; the rest is about the file.
template <class T>
JobResult<T> of_interior(const std::filesystem::path& file, Result<T> result) {
  if (result.ok()) return *std::move(result);
  Error error = std::move(result).error();
  if (error.code == ErrorCode::bad_argument && !error.place.empty())
    return error_of_option(error.place, std::move(error.message));
  return error_in_file(file, std::move(error));
}

}  // namespace sinew
