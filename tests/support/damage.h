// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "sinew/core/result.h"
#include "sinew/formats/imported.h"

namespace sinew::test {

using Parser = std::function<Result<Imported>(std::span<const std::byte>)>;

/// Feeds a parser every truncated prefix of a good file and `mutations` damaged copies, the same
/// ones every time. Each must end in an error that says something, or in a document that survives
/// being written and read again; neither may hold more memory than a small multiple of the file.
void expect_damage_is_handled(std::string_view good, const Parser& parse, int mutations);

}  // namespace sinew::test
