// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace sinew::cli {

/// A folder for the time of a command; gone with it.
class ScratchFolder {
 public:
  ScratchFolder();  // throws Failure when none can be made
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The browser that `asked` names, by path or as a command; without it $SINEW_BROWSER, else the
/// first Chromium that PATH has. Throws a Failure of one sentence when there is none.
[[nodiscard]] std::filesystem::path find_browser(const std::string& asked);

/// Opens a page without a window, lets its scripts run, and returns its document as text. The
/// browser is started without a shell and keeps its files in `scratch`; it is ended after
/// `patience` or when the user asks to stop. Throws Failure.
[[nodiscard]] std::string print_document(const std::filesystem::path& browser,
                                         const std::string& address,
                                         const std::filesystem::path& scratch,
                                         std::chrono::seconds patience);

}  // namespace sinew::cli
