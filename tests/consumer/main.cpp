// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <iostream>

#include "sinew/bind/bind.h"
#include "sinew/gltf/gltf_character.h"

sinew::Status bind_file(const char* input, const char* output) {
  SINEW_TRY(sinew::Document document, sinew::read_gltf(input));
  SINEW_TRY(const auto characters, sinew::read_characters(document));
  for (const sinew::LoadedCharacter& loaded : characters) {
    SINEW_TRY(const sinew::Bound bound, sinew::bind(loaded.character));
    SINEW_CHECK(sinew::write_weights(document, loaded, bound.weights));
    std::cout << loaded.character.name << ": " << bound.weights.vertex_count()
              << " vertices bound to " << bound.skeleton.bone_count() << " bones\n";
  }
  return sinew::write_gltf(document, output);
}

int main(int argc, char** argv) {
  const sinew::Status status =
      bind_file(argc > 1 ? argv[1] : "hero.glb", argc > 2 ? argv[2] : "bound.glb");
  if (!status.ok()) std::cerr << status.error().to_string() << '\n';
  return status.ok() ? 0 : 1;
}
