// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sinew/core/notice.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew::reading {

struct MaterialInfo {
  std::string name;
  std::array<float, 4> base_color = {1, 1, 1, 1};
  std::string texture;  // as the file names it; empty for none
};

/// Appends materials to a document. Textures are referred to, never read: only PNG and JPEG files
/// that exist below `folder`; others are left out with a notice.
class MaterialWriter {
 public:
  MaterialWriter(Document& document, std::filesystem::path folder, Notices& notices)
      : document_(document), folder_(std::move(folder)), notices_(notices) {}

  /// The index of the new material.
  int add(const MaterialInfo& info);

 private:
  std::optional<int> texture_index(const std::string& name, const std::string& place);

  Document& document_;
  std::filesystem::path folder_;
  Notices& notices_;
  std::map<std::string, int> textures_;  // by URI
};

}  // namespace sinew::reading
