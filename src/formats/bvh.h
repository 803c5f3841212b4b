// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/core/result.h"
#include "sinew/formats/imported.h"

namespace sinew {

struct BvhOptions {
  std::string clip_name = "motion";  // BVH has no name for its motion; callers pass the file's stem
};

/// Reads motion capture in Biovision's BVH: HIERARCHY becomes joint nodes under one skin without a
/// mesh, MOTION becomes one animation of that name.
///
/// - Names stay as they are, repeated ones too; bytes that are not UTF-8 are taken for Latin-1.
/// - Rotations multiply in the order of CHANNELS, whatever it is, and become linear quaternion keys
/// that never
///   flip sign between neighbours. Joints with position channels get translation keys.
/// - Writers disagree on whether position channels replace OFFSET or add to it. Per joint, they
/// replace it when the
///   first frame is nearer to OFFSET than to zero; a notice says what was taken.
/// - The End Site of a leaf is its tail: node extras {"sinew": {"tail": [x, y, z]}}, in the node's
/// own space.
/// - BVH has no unit and no up axis: numbers stay as they are. A size that no body has in metres
/// gets a notice
///   that names the likely unit.
///
/// The place of an error is "line N". Memory is bounded by the size of the file.
[[nodiscard]] Result<Imported> parse_bvh(std::span<const std::byte> file,
                                         const BvhOptions& options = {});

}  // namespace sinew
