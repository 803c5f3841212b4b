// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "name_lists.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "failure.h"
#include "sinew/model/bone_names.h"

namespace sinew::cli {
namespace {

using Skeletons = std::span<const Skeleton* const>;

bool matches_any(std::string_view pattern, Skeletons skeletons) {
  return std::any_of(skeletons.begin(), skeletons.end(), [&](const Skeleton* skeleton) {
    return !bones_matching(*skeleton, pattern).empty();
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

Failure no_such_bone(std::string_view flag, const std::string& pattern, Skeletons skeletons) {
  std::vector<std::string> names;
  for (const Skeleton* skeleton : skeletons)
    for (const Bone& bone : skeleton->bones()) names.push_back(bone.name);
  const int nearest = nearest_name(names, pattern);
  return usage_failure(
      std::string(flag),
      fmt::format("no bone matches '{}'{}", pattern,
                  nearest < 0 ? "; there are no bones"
                              : fmt::format("; the nearest name is '{}'",
                                            names[static_cast<std::size_t>(nearest)])));
}

}  // namespace

std::vector<std::vector<int>> match_bone_lists(std::string_view flag,
                                               std::span<const std::string> values,
                                               Skeletons skeletons) {
  std::vector<std::set<int>> matched(skeletons.size());
  for (const std::string& value : values) {
    std::vector<std::string> patterns{value};
    if (!matches_any(value, skeletons)) patterns = split_at_commas(value);
    if (patterns.empty()) throw usage_failure(std::string(flag), "a name is missing");
    for (const std::string& pattern : patterns) {
      if (!matches_any(pattern, skeletons)) throw no_such_bone(flag, pattern, skeletons);
      for (std::size_t s = 0; s < skeletons.size(); ++s)
        for (const int bone : bones_matching(*skeletons[s], pattern)) matched[s].insert(bone);
    }
  }
  std::vector<std::vector<int>> bones;
  for (const std::set<int>& each : matched) bones.emplace_back(each.begin(), each.end());
  return bones;
}

}  // namespace sinew::cli
