// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/io/selection.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "io/gltf_json.h"
#include "sinew/model/bone_names.h"

namespace sinew {
namespace {

constexpr std::size_t kListedNames = 8;  // enough to recognise what was meant, and still one line

/// One thing to choose from: all the names it goes by.
using Names = std::vector<std::string>;

std::optional<std::size_t> as_index(std::string_view text) {
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return index;
}

/// The first name that is not empty, or the index.
std::string label_of(const Names& names, std::size_t index) {
  const auto named = std::find_if(names.begin(), names.end(),
                                  [](const std::string& name) { return !name.empty(); });
  return named != names.end() ? *named : std::to_string(index);
}

std::string what_there_is(std::span<const Names> things) {
  if (things.empty()) return "there is none";
  std::string list;
  for (std::size_t i = 0; i < std::min(things.size(), kListedNames); ++i)
    list += (i == 0 ? "" : ", ") + label_of(things[i], i);
  if (things.size() > kListedNames)
    list += fmt::format(" and {} more", things.size() - kListedNames);
  return "there is " + list;
}

Result<std::vector<int>> match(std::span<const Names> things, std::span<const std::string> patterns,
                               std::string_view kind) {
  std::set<int> chosen;
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (std::size_t i = 0; i < things.size(); ++i) {
      const bool matches = std::any_of(things[i].begin(), things[i].end(), [&](const auto& name) {
        return !name.empty() && name_matches(pattern, name);
      });
      if (matches) chosen.insert(static_cast<int>(i));
      found |= matches;
    }
    const std::optional<std::size_t> index = as_index(pattern);
    if (!found && index && *index < things.size()) {
      chosen.insert(static_cast<int>(*index));
      found = true;
    }
    if (!found)
      return Error{ErrorCode::bad_argument, "",
                   fmt::format("no {} matches '{}'; {}", kind, pattern, what_there_is(things))};
  }
  return std::vector<int>(chosen.begin(), chosen.end());
}

}  // namespace

Result<std::vector<int>> match_meshes(const Document& document,
                                      std::span<const std::string> patterns) {
  std::vector<Names> things;
  for (const Json& mesh : array_or_empty(document.json, "meshes"))
    things.push_back({string_or(mesh, "name", "")});
  for (const Json& node : array_or_empty(document.json, "nodes")) {
    const int mesh = index_or_none(node, "mesh");
    if (mesh >= 0 && static_cast<std::size_t>(mesh) < things.size())
      things[static_cast<std::size_t>(mesh)].push_back(string_or(node, "name", ""));
  }
  return match(things, patterns, "mesh");
}

Document show_only_meshes(Document document, std::span<const int> meshes) {
  const auto nodes = document.json.find("nodes");
  if (nodes == document.json.end() || !nodes->is_array()) return document;
  for (Json& node : *nodes) {
    const int mesh = index_or_none(node, "mesh");
    if (mesh < 0 || std::find(meshes.begin(), meshes.end(), mesh) != meshes.end()) continue;
    node.erase("mesh");
    node.erase("skin");
  }
  return document;
}

Result<std::vector<int>> match_characters(std::span<const LoadedCharacter> characters,
                                          std::span<const std::string> patterns) {
  std::vector<Names> things;
  for (const LoadedCharacter& loaded : characters) things.push_back({loaded.character.name});
  return match(things, patterns, "character");
}

}  // namespace sinew
