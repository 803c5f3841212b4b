// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "sinew/core/result.h"

namespace sinew::test {

/// Does with a file what the program would: parse, read every character and accessor, pose it,
/// write weights, encode, and parse that again. Returns the first refusal of the file itself; dies
/// when our own output is refused or a promise is broken.
[[nodiscard]] std::optional<Error> read_everything(std::span<const std::byte> file);

}  // namespace sinew::test
