// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/result.h"
#include "sinew/model/skeleton.h"

namespace sinew {

/// How people name bones, and other things of a file, on a command line or in a rig file, for all
/// functions here.
///
/// A pattern is a glob over the characters (not bytes) of UTF-8: `*` any run, `?` any one, `[abc]`,
/// `[a-f]` one of,
/// `[!abc]` none of; a `[` that is never closed stands for itself. Upper and lower case are the
/// same, in Latin, Greek and Cyrillic letters. A pattern without ':' or '|' is held against what
/// follows the last of them in the name, so that `Hips` finds `mixamorig:Hips` and `Armature|Hips`;
/// a pattern with one, against the whole name and against what follows each of them. A name always
/// matches itself, even if it contains a `*`.

/// What follows the last ':' or '|'; the whole name when nothing does.
[[nodiscard]] std::string_view without_prefix(std::string_view name);

[[nodiscard]] bool name_matches(std::string_view pattern, std::string_view name);

/// The name that takes the fewest changed characters to match, the first of equals; -1 when there
/// are none.
[[nodiscard]] int nearest_name(std::span<const std::string> names, std::string_view pattern);

/// The bones that the pattern matches, ascending: all of those that share a name, none when nothing
/// matches.
[[nodiscard]] std::vector<int> bones_matching(const Skeleton& skeleton, std::string_view pattern);

/// The bone that takes the fewest changed characters to match, the first of equals; -1 for an empty
/// skeleton.
[[nodiscard]] int nearest_bone(const Skeleton& skeleton, std::string_view pattern);

/// All bones that match any of the patterns, ascending, each once. A pattern that matches nothing
/// is an error of code bad_argument that names it and the nearest bone; its place is empty, for the
/// caller to say which flag it came from.
[[nodiscard]] Result<std::vector<int>> match_bones(const Skeleton& skeleton,
                                                   std::span<const std::string> patterns);

}  // namespace sinew
