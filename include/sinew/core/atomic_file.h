// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "sinew/core/result.h"

namespace sinew {

/// A file that appears whole or not at all. The bytes go to a temporary file in the same folder
/// (".NAME.sinew-xxxxxxxx"), reach the disk, and take the place of what was there in one step by
/// commit(). Without commit nothing changes and the temporary file is removed. A process that is
/// killed may leave the temporary file behind, never half of the real one.
class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> create(std::filesystem::path path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  [[nodiscard]] Status write(std::span<const std::byte> bytes);
  [[nodiscard]] Status commit();

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor);
  void discard();

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

/// create, write, commit.
[[nodiscard]] Status write_file_atomically(const std::filesystem::path& path,
                                           std::span<const std::byte> bytes);

/// The whole file, refused beyond `max_bytes`.
[[nodiscard]] Result<std::vector<std::byte>> read_whole_file(const std::filesystem::path& path,
                                                             std::uint64_t max_bytes);

}  // namespace sinew
