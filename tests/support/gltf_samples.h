// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/gltf/gltf_document.h"
#include "sinew/model/character.h"

namespace sinew::test {

/// A square tube of `rings` rings along +Y with two bones, hip at the origin and knee halfway,
/// linear weights between them, and a clip "Bend" of one second that bends the knee by 90 degrees
/// about +X.
[[nodiscard]] Character make_tube(int rings = 5);

struct Sample {
  std::string name;
  Bytes file;
};

/// One small file for each thing that real files do: plain, text with data URI, sparse, quantised
/// and interleaved, Draco, meshopt, morph targets with splines, strips and fans and lines, two
/// skins over one skeleton with a prop, tetrahedra.
[[nodiscard]] std::vector<Sample> gltf_samples();

[[nodiscard]] Document make_tube_document();
[[nodiscard]] Bytes encoded(const Document& document);
[[nodiscard]] Bytes as_bytes(std::string_view text);

/// A loader for documents that refer to nothing.
[[nodiscard]] ResourceLoader no_files();

}  // namespace sinew::test
