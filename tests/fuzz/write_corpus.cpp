// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
//
// Writes the seeds of the fuzzer into a folder: sinew_fuzz_corpus FOLDER
#include <cstdio>
#include <filesystem>

#include "sinew/core/atomic_file.h"
#include "support/gltf_samples.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: sinew_fuzz_corpus FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  for (const sinew::test::Sample& sample : sinew::test::gltf_samples())
    if (!sinew::write_file_atomically(folder / (sample.name + ".gltf"), sample.file).ok()) return 1;
  return 0;
}
