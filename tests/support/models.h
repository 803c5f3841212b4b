// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace sinew::test {

/// Where real characters are: $SINEW_MODELS, or shared/models beside the project. They are not part
/// of it.
inline std::filesystem::path models_folder() {
  if (const char* folder = std::getenv("SINEW_MODELS")) return folder;
  return std::filesystem::path(SINEW_SOURCE_DIR) / ".." / "shared" / "models";
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace sinew::test

/// Declares `variable` as the path of a real model, or skips the test where it is absent.
#define SINEW_REAL_MODEL(variable, name)                                           \
  const std::filesystem::path variable = sinew::test::models_folder() / (name);    \
  if (!std::filesystem::exists(variable))                                          \
  GTEST_SKIP() << (name) << " is not in " << sinew::test::models_folder().string() \
               << "; set SINEW_MODELS to a folder that has it"
