// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <iostream>

#include "sinew/io/gltf_character.h"

sinew::Status list_characters(const char* path) {
  SINEW_TRY(const sinew::Document document, sinew::read_gltf(path));
  SINEW_TRY(const auto characters, sinew::read_characters(document));
  for (const sinew::LoadedCharacter& loaded : characters) {
    std::cout << loaded.character.name << ": " << loaded.character.mesh.vertex_count()
              << " vertices, " << loaded.character.skeleton.bone_count() << " bones\n";
  }
  return {};
}

int main(int argc, char** argv) {
  const sinew::Status status = list_characters(argc > 1 ? argv[1] : "hero.glb");
  if (!status.ok()) std::cerr << status.error().to_string() << '\n';
  return status.ok() ? 0 : 1;
}
