// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "sinew/core/result.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

struct PlainGlbOptions {
  /// Pictures of all materials together. A report is sent around by mail, and pictures are not what
  /// it is about.
  std::uint64_t max_texture_bytes = 8'000'000;
};

struct PlainGlb {
  Bytes bytes;
  std::string textures_note;  // what was left out, in whole sentences; empty when nothing was
};

/// The document as one .glb for a viewer that knows the core of glTF only: nothing is compressed
/// with Draco or meshopt, nothing lies outside, and no extension is left but quantisation. Of
/// materials, the base colour stays. Its pictures are not made smaller: the largest are left out
/// until the rest keeps to the limit, and so are those that no browser shows. Indices of nodes,
/// meshes, skins, accessors and animations stay what they were.
[[nodiscard]] Result<PlainGlb> make_plain_glb(Document document,
                                              const PlainGlbOptions& options = {});

}  // namespace sinew
