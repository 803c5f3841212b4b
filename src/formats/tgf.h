// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "sinew/core/result.h"
#include "sinew/formats/imported.h"

namespace sinew {

/// Reads a skeleton in the trivial graph format of research data: lines "index x y z ...", a line
/// "#", then lines "a b [is_bone is_pseudo is_cage]". Columns after the position carry whatever
/// their writer left there and are not read. An edge without flags is a bone.
///
/// Every bone edge a→b is one bone: a joint node at a, with extras {"sinew": {"tail": b - a}},
/// named "bone0", "bone1", ... in the order of the file. Its parent is the bone that ends at a;
/// bones that share a start are separate bones. A pseudo edge a→b is no bone: it hangs the bones
/// that start at b on the bone that ends, or else starts, at a. Cage edges and lone points are no
/// bones either; a notice counts them.
///
/// A loop of bones is an error; a repeated edge and a point where two bones end get a notice.
/// Places are "line N".
[[nodiscard]] Result<Imported> parse_tgf(std::span<const std::byte> file);

}  // namespace sinew
