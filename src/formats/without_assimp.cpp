// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// Takes the place of import_assimp.cpp in a build without assimp.
#include <fmt/format.h>

#include "formats/import_assimp.h"

namespace sinew {

Result<Imported> read_with_assimp(const std::filesystem::path& path, const AssimpImportOptions&) {
  return Error{ErrorCode::unsupported, path.filename().string(),
               fmt::format("this build reads no {} files: it was made without assimp "
                           "(SINEW_WITH_ASSIMP)",
                           path.extension().string())};
}

}  // namespace sinew
