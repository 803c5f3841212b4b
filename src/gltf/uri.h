// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sinew/gltf/gltf_document.h"

namespace sinew {

[[nodiscard]] bool is_data_uri(std::string_view uri);

/// The payload of "data:[type][;base64],..."; nothing when it is malformed.
[[nodiscard]] std::optional<Bytes> decode_data_uri(std::string_view uri);

/// The file name that a relative URI means, percent escapes resolved. Nothing for a URI that is
/// absolute, has a scheme, climbs with "..", or hides a control character or a backslash: such a
/// file could be anywhere.
[[nodiscard]] std::optional<std::string> safe_relative_path(std::string_view uri);

/// The URI for a relative file name: everything but unreserved characters and '/' escaped.
[[nodiscard]] std::string uri_of_path(std::string_view path);

}  // namespace sinew
