// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Makes a person and writes it as a .glb that any viewer opens: make_biped [FILE]
#include <cstdio>

#include "characters/characters.h"
#include "sinew/gltf/gltf_character.h"

int main(int argc, char** argv) {
  const auto biped = sinew::make_example("biped", {.vertices = 10'000});
  if (!biped.ok()) return std::fprintf(stderr, "%s\n", biped.error().to_string().c_str()), 1;
  const auto document = sinew::make_document(biped->character, biped->normals);
  if (!document.ok()) return std::fprintf(stderr, "%s\n", document.error().to_string().c_str()), 1;
  const auto written = sinew::write_gltf(*document, argc > 1 ? argv[1] : "biped.glb");
  if (!written.ok()) return std::fprintf(stderr, "%s\n", written.error().to_string().c_str()), 1;
}
