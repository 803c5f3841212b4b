// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/gltf_files.h"

#include "gltf/gltf_json.h"
#include "gltf/uri.h"

namespace sinew {

std::vector<std::filesystem::path> referenced_files(const Document& document) {
  std::vector<std::filesystem::path> files;
  for (const char* list : {"buffers", "images"}) {
    for (const Json& entry : array_or_empty(document.json, list)) {
      const std::string uri = string_or(entry, "uri", "");
      if (uri.empty() || is_data_uri(uri)) continue;
      if (const auto relative = safe_relative_path(uri))
        files.push_back(document.folder / *relative);
    }
  }
  return files;
}

}  // namespace sinew
