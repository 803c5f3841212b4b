// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "jobs/find_levels_of_detail.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gltf/gltf_json.h"

namespace sinew {
namespace {

/// What a name says of a level of detail.
struct NamedLevel {
  std::string base;  // lower case
  int level = 0;
};

constexpr std::size_t kMostDigits = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_separator(char c) { return c == '_' || c == '-' || c == '.' || c == ' '; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

std::string without_separators_at_ends(std::string_view text) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// NAME_LOD0 or LOD0_NAME. "Explode2" has no level: a letter before or a letter after the digits
/// makes it a word.
std::optional<NamedLevel> level_in_name(const std::string& name) {
  std::string lower = name;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (std::size_t at = lower.rfind("lod"); at != std::string::npos;
       at = at == 0 ? std::string::npos : lower.rfind("lod", at - 1)) {
    std::size_t digits = at + 3;
    if (digits < lower.size() && is_separator(lower[digits])) ++digits;
    std::size_t end = digits;
    while (end < lower.size() && is_digit(lower[end])) ++end;
    const bool is_word = at > 0 && is_letter(lower[at - 1]) &&
                         !(name[at] == 'L' && is_letter(name[at - 1]));  // "BodyLOD0" is two
    const bool goes_on = end < lower.size() && !is_separator(lower[end]);
    const bool is_prefix = at == 0;
    const bool is_suffix = end == lower.size();
    if (end == digits || end - digits > kMostDigits || is_word || goes_on ||
        !(is_prefix || is_suffix))
      continue;
    return NamedLevel{
        without_separators_at_ends(is_suffix ? lower.substr(0, at) : lower.substr(end)),
        std::stoi(lower.substr(digits, end - digits))};
  }
  return std::nullopt;
}

/// Levels by number, and the parts of each.
using Levels = std::map<int, std::vector<int>>;

/// Of every node that MSFT_lod makes a level: the group, which is the finest node, and its level.
std::map<int, std::pair<int, int>> listed_levels(const Document& document) {
  std::map<int, std::pair<int, int>> levels;
  const Json& nodes = array_or_empty(document.json, "nodes");
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Json* lod = extension(nodes[n], "MSFT_lod");
    if (lod == nullptr) continue;
    const int finest = static_cast<int>(n);
    levels.try_emplace(finest, finest, 0);
    int level = 0;
    for (const Json& id : array_or_empty(*lod, "ids"))
      if (is_natural(id) && id.get<std::size_t>() < nodes.size())
        levels.try_emplace(id.get<int>(), finest, ++level);
  }
  return levels;
}

std::vector<int> parents_of(const Document& document) {
  const Json& nodes = array_or_empty(document.json, "nodes");
  std::vector<int> parents(nodes.size(), -1);
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const Json& child : array_or_empty(nodes[n], "children"))
      parents[child.get<std::size_t>()] = static_cast<int>(n);
  return parents;
}

bool has_surface(const Character& character, const std::vector<int>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](int p) {
    const MeshPart& part = character.parts[static_cast<std::size_t>(p)];
    return std::any_of(character.mesh.triangles().begin(), character.mesh.triangles().end(),
                       [&](const Triangle& triangle) {
                         return triangle[0] >= part.first_vertex &&
                                triangle[0] < part.first_vertex + part.vertex_count;
                       });
  });
}

}  // namespace

std::vector<DetailGroup> find_levels_of_detail(const Document& document,
                                               const LoadedCharacter& loaded) {
  const std::map<int, std::pair<int, int>> listed = listed_levels(document);
  const std::vector<int> parents = parents_of(document);
  std::map<int, Levels> by_node;
  std::map<std::string, Levels> by_name;
  const auto& sources = loaded.sources;
  for (std::size_t p = 0; p < sources.size(); ++p) {
    int node = sources[p].node;
    while (node >= 0 && !listed.contains(node)) node = parents[static_cast<std::size_t>(node)];
    if (node >= 0) {
      const auto [finest, level] = listed.at(node);
      by_node[finest][level].push_back(static_cast<int>(p));
      continue;
    }
    std::optional<NamedLevel> named = level_in_name(loaded.character.parts[p].name);
    if (!named)
      named = level_in_name(string_or(element(document, "meshes", sources[p].mesh), "name", ""));
    if (named) by_name[named->base][named->level].push_back(static_cast<int>(p));
  }
  std::vector<DetailGroup> groups;
  const auto add = [&](std::string name, const Levels& levels) {
    if (levels.size() < 2 || !has_surface(loaded.character, levels.begin()->second)) return;
    DetailGroup& group = groups.emplace_back();
    group.name = std::move(name);
    for (const auto& [level, parts] : levels) group.levels.push_back(parts);
  };
  for (const auto& [finest, levels] : by_node)
    add(string_or(element(document, "nodes", finest), "name", ""), levels);
  for (const auto& [name, levels] : by_name) add(name, levels);
  std::sort(groups.begin(), groups.end(), [](const DetailGroup& a, const DetailGroup& b) {
    return a.levels.front() < b.levels.front();
  });
  return groups;
}

}  // namespace sinew
