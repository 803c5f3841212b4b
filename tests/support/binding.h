// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "characters/characters.h"
#include "sinew/bind/bind.h"
#include "sinew/gltf/gltf_character.h"
#include "support/checked.h"

namespace sinew::test {

inline Bound bound(const Character& character, const BindOptions& options = {}) {
  return checked(bind(character, options));
}

inline BindOptions by(BindMethod method) {
  BindOptions options;
  options.method = method;
  return options;
}

inline Character example(const std::string& name, int vertices) {
  return checked(make_example(name, {.vertices = vertices})).character;
}

/// Every character of a real file, as `bind` meets it.
inline std::vector<LoadedCharacter> load(const std::filesystem::path& path) {
  const Document document = checked(read_gltf(path));
  return checked(read_characters(document));
}

}  // namespace sinew::test
