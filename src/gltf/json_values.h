// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sinew/core/notice.h"
#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"
#include "sinew/math/types.h"

namespace sinew::reading {

/// Values of our own JSON files, refused with the place where they stand.

[[nodiscard]] Result<double> json_number(const Json& json, const std::string& place);
/// [x, y, z]
[[nodiscard]] Result<Vec3> json_vector(const Json& json, const std::string& place);
/// [x, y, z] of any length but zero, as a unit vector.
[[nodiscard]] Result<Vec3> json_direction(const Json& json, const std::string& place);

/// A warning of this code for every key of the object that means nothing.
void note_unknown_keys(const Json& object, std::span<const std::string_view> known,
                       const std::string& place, std::string_view code, Notices& notices);

}  // namespace sinew::reading
