// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/core/notice.h"
#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// A file of any format as a glTF document, so that the rest of the program knows one format only.
struct Imported {
  Document document;
  Notices notices;     // what was guessed, mended or left out on the way
  std::string format;  // "glTF", "BVH", "TGF", "MEDIT", "OBJ", "PLY", "STL", "FBX" or "COLLADA"
};

}  // namespace sinew
