// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "sinew/gltf/gltf_document.h"
#include "sinew/model/character.h"

namespace sinew::test {

struct TinyOptions {
  std::string name = "strip";
  std::string lower_bone = "mixamorig:Hip";
  std::string upper_bone = "mixamorig:Knee";
  std::string clip = "Bend";
  int rows = 4;  // pairs of vertices along the strip
};

/// A flat upright strip, one metre tall, on two bones that share it half and half, with a clip of
/// one second that bends the upper bone by 90 degrees about z.
[[nodiscard]] Character tiny_character(const TinyOptions& options = {});

/// The same as a document. Fails the test that calls it when it cannot be made.
[[nodiscard]] Document tiny_document(const TinyOptions& options = {});

/// Writes it; .glb or .gltf by the path's extension.
void write_tiny(const std::filesystem::path& path, const TinyOptions& options = {});
void write_document(const std::filesystem::path& path, const Document& document);

}  // namespace sinew::test
