// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "sinew/gltf/gltf_document.h"

namespace sinew {

/// The files beside a document that its buffers and images name by relative URI, whether they exist
/// or not. Unsafe URIs, which sinew never follows, and data URIs name none. For callers who must
/// not write over what they read.
[[nodiscard]] std::vector<std::filesystem::path> referenced_files(const Document& document);

}  // namespace sinew
