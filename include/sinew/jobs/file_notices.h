// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sinew/core/notice.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// Notices with the file that they are about, as the caller named it.
struct FileNotices {
  std::string file;
  Notices notices;
};

/// A notice as it stands in a report: {"level", "code", "file", "place", "message"}.
[[nodiscard]] Json to_json(std::string_view file, const Notice& notice);

/// All of them, as a list.
[[nodiscard]] Json to_json(std::span<const FileNotices> notices);

}  // namespace sinew
