// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <iostream>

#include "sinew/sinew.h"

int main(int argc, char** argv) {
  sinew::JobInput input;
  input.file = argc > 1 ? argv[1] : "hero.glb";
  sinew::BindJobOptions options;
  options.output.path = argc > 2 ? argv[2] : "bound.glb";
  const auto bound = sinew::run_bind_job(input, options);
  if (!bound.ok()) {
    std::cerr << bound.error().to_string() << '\n';
    return 1;
  }
  for (const sinew::BoundCharacter& character : bound->characters)
    std::cout << character.before.name << ": " << character.before.vertices << " vertices bound to "
              << character.before.joints << " bones, distortion "
              << character.after.front().quality->arap << '\n';
  const auto written = sinew::write_outputs(bound->outputs);  // all of it or nothing
  if (!written.ok()) std::cerr << written.error().to_string() << '\n';
  return written.ok() ? 0 : 1;
}
