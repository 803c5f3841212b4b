// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "jobs/bone_lists.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sinew/model/bone_names.h"

namespace sinew {
namespace {

using Characters = std::span<const LoadedCharacter>;

bool matches_any(std::string_view pattern, Characters characters) {
  return std::ranges::any_of(characters, [&](const LoadedCharacter& loaded) {
    return !bones_matching(loaded.character.skeleton, pattern).empty();
  });
}

std::vector<std::string> split_at_commas(std::string_view value) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    std::string_view name = value.substr(begin, end - begin);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    begin = end + 1;
  }
  return names;
}

JobError no_such_bone(std::string_view option, const std::string& pattern, Characters characters) {
  std::vector<std::string> names;
  for (const LoadedCharacter& loaded : characters)
    for (const Bone& bone : loaded.character.skeleton.bones()) names.push_back(bone.name);
  const int nearest = nearest_name(names, pattern);
  return error_of_option(
      option, fmt::format("no bone matches '{}'{}", pattern,
                          nearest < 0 ? "; there are no bones"
                                      : fmt::format("; the nearest name is '{}'",
                                                    names[static_cast<std::size_t>(nearest)])));
}

}  // namespace

JobResult<std::vector<std::vector<int>>> match_bone_lists(std::string_view option,
                                                          std::span<const std::string> values,
                                                          Characters characters) {
  std::vector<std::set<int>> matched(characters.size());
  for (const std::string& value : values) {
    std::vector<std::string> patterns{value};
    if (!matches_any(value, characters)) patterns = split_at_commas(value);
    if (patterns.empty()) return error_of_option(option, "a name is missing");
    for (const std::string& pattern : patterns) {
      if (!matches_any(pattern, characters)) return no_such_bone(option, pattern, characters);
      for (std::size_t c = 0; c < characters.size(); ++c)
        for (const int bone : bones_matching(characters[c].character.skeleton, pattern))
          matched[c].insert(bone);
    }
  }
  std::vector<std::vector<int>> bones;
  for (const std::set<int>& each : matched) bones.emplace_back(each.begin(), each.end());
  return bones;
}

}  // namespace sinew
