// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/io/gltf_document.h"

#include <iostream>

// Calls into the library, so that a symbol or a dependency that did not get installed stops the
// link.
int main() {
  const auto document = sinew::read_gltf("no-such-file.glb");
  if (document.ok()) return 1;
  std::cout << sinew::to_string(document.error().code) << '\n';
  return document.error().code == sinew::ErrorCode::file_not_found ? 0 : 1;
}
