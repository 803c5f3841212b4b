// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

#include "sinew/core/result.h"
#include "sinew/formats/imported.h"

namespace sinew {

/// The extensions that read_any knows, as a person reads them: ".glb, .gltf, .fbx, ...".
[[nodiscard]] std::string_view readable_extensions();

/// Reads a model, a skeleton or a motion of any format that sinew knows, by its content where that
/// is telling (glTF, gzip) and else by its extension. A compressed file is refused with the way to
/// unpack it.
[[nodiscard]] Result<Imported> read_any(const std::filesystem::path& path);

}  // namespace sinew
