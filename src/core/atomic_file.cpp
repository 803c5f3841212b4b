// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/core/atomic_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace sinew {
namespace {

Error failed(const std::filesystem::path& path, std::string_view what) {
  return {ErrorCode::write_failed, path.string(),
          fmt::format("{}: {}", what, std::generic_category().message(errno))};
}

constexpr int kMaxNameTries = 100;

/// Opens a file of a name that nobody has, beside `path`. Unlike mkstemp it leaves the mode to the
/// process's mask, as any new file does.
int open_beside(const std::filesystem::path& path, std::string& name) {
  std::random_device random;
  for (int attempt = 0; attempt < kMaxNameTries; ++attempt) {
    const std::string file = fmt::format(".{}.sinew-{:08x}", path.filename().string(), random());
    name = (path.parent_path() / file).string();
    const int descriptor = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

Result<AtomicFile> AtomicFile::create(std::filesystem::path path) {
  // A link stays a link: what it points to is replaced.
  std::error_code ignored;
  if (std::filesystem::is_symlink(path, ignored)) {
    auto target = std::filesystem::weakly_canonical(path, ignored);
    if (!ignored) path = std::move(target);
  }
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode))
    return Error{ErrorCode::write_failed, path.string(), "is a folder"};
  if (exists && !S_ISREG(existing.st_mode))
    return Error{ErrorCode::write_failed, path.string(), "is not a file"};
  std::string temporary;
  const int descriptor = open_beside(path, temporary);
  if (descriptor < 0) return failed(path, "cannot be written");
  AtomicFile file(path, temporary, descriptor);
  if (exists && ::fchmod(descriptor, existing.st_mode & 07777) != 0)
    return failed(path, "cannot be written");
  return file;
}

AtomicFile::AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    temporary_ = std::move(other.temporary_);
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  ::unlink(temporary_.c_str());
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return failed(path_, "cannot be written");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status AtomicFile::commit() {
  // Without the sync, a power cut after the rename could leave a name with nothing behind it.
  if (::fsync(descriptor_) != 0) return failed(path_, "cannot be written");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failed(path_, "cannot be replaced");
  ::close(std::exchange(descriptor_, -1));
  return {};
}

Status write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  SINEW_TRY(AtomicFile file, AtomicFile::create(path));
  SINEW_CHECK(file.write(bytes));
  return file.commit();
}

Result<std::vector<std::byte>> read_whole_file(const std::filesystem::path& path,
                                               std::uint64_t max_bytes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return Error{ErrorCode::file_not_found, path.string(), "there is no such file"};
  if (status.type() == std::filesystem::file_type::directory)
    return Error{ErrorCode::file_not_found, path.string(), "is a folder"};
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Error{ErrorCode::file_not_found, path.string(), "cannot be opened"};
  std::vector<std::byte> bytes;
  if (const std::uintmax_t size = std::filesystem::file_size(path, error); !error) {
    if (size > max_bytes)
      return Error{ErrorCode::too_large, path.string(),
                   fmt::format("has {} bytes; at most {} are read", size, max_bytes)};
    bytes.reserve(size);
  }
  // Read in blocks rather than by size: a pipe has none, and a file may grow meanwhile.
  constexpr std::size_t kBlock = 1 << 20;
  for (;;) {
    const std::size_t at = bytes.size();
    bytes.resize(at + kBlock);
    stream.read(reinterpret_cast<char*>(bytes.data() + at), kBlock);
    bytes.resize(at + static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > max_bytes)
      return Error{ErrorCode::too_large, path.string(),
                   fmt::format("has more than {} bytes", max_bytes)};
    if (stream.eof()) break;
    if (!stream)
      return Error{ErrorCode::file_not_found, path.string(), "cannot be read to its end"};
  }
  return bytes;
}

}  // namespace sinew
