// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

#include <nlohmann/json.hpp>

namespace sinew::test {

/// An empty folder of its own for one test; gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Names of everything in it, sorted.
  [[nodiscard]] std::vector<std::string> listing() const;
  [[nodiscard]] std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& contents) const;

 private:
  std::filesystem::path path_;
};

/// Whether a text, such as what a program printed, has another one in it.
[[nodiscard]] inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Finished {
  int exit_code = -1;  // 128 + signal when a signal ended it, as a shell says it
  std::string out;
  std::string err;

  /// The one JSON object that stdout must be; a discarded value when it is not.
  [[nodiscard]] nlohmann::json json() const;
};

/// The command line program as a child process, in a folder of the test.
class SinewProcess {
 public:
  SinewProcess(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment = {});
  ~SinewProcess();
  SinewProcess(const SinewProcess&) = delete;
  SinewProcess& operator=(const SinewProcess&) = delete;

  void send(int signal) const;
  [[nodiscard]] Finished wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
};

/// Runs it to its end.
[[nodiscard]] Finished run_sinew(const std::filesystem::path& folder,
                                 const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& environment = {});

}  // namespace sinew::test
