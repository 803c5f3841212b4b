// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/gltf/selection.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "gltf/gltf_json.h"
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

/// A name that a message can show and the user can type back.
std::string clip_label(std::span<const std::string> names, std::size_t index) {
  const std::string& name = names[index];
  if (name.empty()) return fmt::format("{} (no name)", index);
  const bool is_shared = std::count(names.begin(), names.end(), name) > 1;
  return is_shared ? fmt::format("{} ({})", index, name) : name;
}

std::string list_of_clips(std::span<const std::string> names, std::span<const int> chosen) {
  std::string list;
  const std::size_t shown = std::min(chosen.size(), kListedNames);
  for (std::size_t i = 0; i < shown; ++i) {
    list += i == 0 ? "" : i + 1 == chosen.size() ? " and " : ", ";
    list += clip_label(names, static_cast<std::size_t>(chosen[i]));
  }
  if (shown < chosen.size()) list += fmt::format(" and {} more", chosen.size() - shown);
  return chosen.empty() ? "none" : list;
}

/// Indices of the names that the condition holds for.
template <class Condition>
std::vector<int> indices_where(std::span<const std::string> names, const Condition& holds) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (holds(names[i])) indices.push_back(static_cast<int>(i));
  return indices;
}

}  // namespace

std::vector<std::string> clip_names(const Document& document) {
  std::vector<std::string> names;
  for (const Json& animation : array_or_empty(document.json, "animations"))
    names.push_back(string_or(animation, "name", ""));
  return names;
}

std::string list_clips(std::span<const std::string> names) {
  return list_of_clips(names, indices_where(names, [](const std::string&) { return true; }));
}

Result<int> match_clip(std::span<const std::string> names, const std::string& wanted) {
  std::vector<int> chosen = indices_where(
      names, [&](const std::string& name) { return !name.empty() && name == wanted; });
  const std::optional<std::size_t> index = as_index(wanted);
  if (chosen.empty() && index && *index < names.size()) return static_cast<int>(*index);
  if (chosen.empty())
    chosen = indices_where(names, [&](const std::string& name) {
      return !name.empty() && name_matches(wanted, name);
    });
  if (chosen.size() == 1) return chosen[0];
  if (chosen.size() > 1)
    return Error{ErrorCode::bad_argument, "",
                 fmt::format("'{}' matches {} clips, say which one: {}", wanted, chosen.size(),
                             list_of_clips(names, chosen))};
  std::vector<std::string> named(names.begin(), names.end());
  std::erase(named, "");
  const int nearest = nearest_name(named, wanted);
  const std::string suggestion =
      nearest < 0 ? ""
                  : fmt::format(", did you mean {}?", named[static_cast<std::size_t>(nearest)]);
  return Error{
      ErrorCode::bad_argument, "",
      fmt::format("there is no clip '{}'{} (there is {})", wanted, suggestion, list_clips(names))};
}

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

LoadedCharacter with_only_meshes(LoadedCharacter loaded, const std::set<int>& meshes) {
  std::vector<MeshPart> parts;
  std::vector<PartSource> sources;
  for (std::size_t p = 0; p < loaded.sources.size(); ++p) {
    if (!meshes.contains(loaded.sources[p].mesh)) continue;
    parts.push_back(std::move(loaded.character.parts[p]));
    sources.push_back(std::move(loaded.sources[p]));
  }
  loaded.character.parts = std::move(parts);
  loaded.sources = std::move(sources);
  return loaded;
}

Result<std::vector<int>> match_characters(std::span<const LoadedCharacter> characters,
                                          std::span<const std::string> patterns) {
  std::vector<Names> things;
  for (const LoadedCharacter& loaded : characters) things.push_back({loaded.character.name});
  return match(things, patterns, "character");
}

}  // namespace sinew
