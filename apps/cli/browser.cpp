// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "browser.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "failure.h"
#include "interrupt.h"
#include "sinew/core/atomic_file.h"

extern char** environ;

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::array kCommands = {"chromium", "chromium-browser", "google-chrome",
                                  "google-chrome-stable", "chrome"};
constexpr int kPollMs = 100;  // how soon an interrupt is noticed
constexpr std::uint64_t kLargestLog = 1 << 24;

Failure browser_failure(std::string message) {
  return {ExitCode::failed, {ErrorCode::unsupported, "", std::move(message)}, {}};
}

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// A command as a shell would find it; empty when there is none.
fs::path in_search_path(const std::string& command) {
  if (command.find('/') != std::string::npos)
    return is_program(command) ? fs::path(command) : fs::path();
  const char* const folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / command;
    if (is_program(candidate)) return candidate;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return {};
}

/// A process group of its own that ends with this object: a browser starts helpers.
class Child {
 public:
  Child(const std::vector<std::string>& arguments, int out, const fs::path& log) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int error = posix_spawn(&pid_, argv[0], &files, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error == 0) return;
    pid_ = -1;
    throw browser_failure(
        fmt::format("{} could not be started: {}", arguments.front(), std::strerror(error)));
  }
  ~Child() {
    if (pid_ < 0) return;
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

 private:
  pid_t pid_ = -1;
};

/// Both ends of a pipe, closed in the end and never handed to a child by accident.
struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw browser_failure(fmt::format("no pipe can be made: {}", std::strerror(errno)));
  }
  ~Pipe() {
    close_writer();
    close(ends[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_writer() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

std::string read_until_closed(int descriptor, std::chrono::seconds patience,
                              const fs::path& browser) {
  const Clock::time_point end = Clock::now() + patience;
  std::string text;
  std::array<char, 1 << 16> piece;
  while (true) {
    if (interrupt_flag())
      throw Failure{ExitCode::interrupted, {ErrorCode::cancelled, "", "stopped on request"}, {}};
    if (Clock::now() > end)
      throw browser_failure(fmt::format("{} did not finish the picture within {} seconds",
                                        browser.string(), patience.count()));
    pollfd waiting{descriptor, POLLIN, 0};
    if (poll(&waiting, 1, kPollMs) <= 0) continue;
    const ssize_t count = read(descriptor, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

/// The last thing that the browser complained about.
std::string last_line(const fs::path& log) {
  const Result<std::vector<std::byte>> bytes = read_whole_file(log, kLargestLog);
  if (!bytes.ok()) return {};
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "sinew-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr)
    throw browser_failure("no temporary folder can be made");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path find_browser(const std::string& asked) {
  const char* const from_environment = std::getenv("SINEW_BROWSER");
  const std::string named = !asked.empty()                ? asked
                            : from_environment != nullptr ? from_environment
                                                          : "";
  if (!named.empty()) {
    const fs::path found = in_search_path(named);
    if (!found.empty()) return found;
    throw usage_failure(asked.empty() ? "SINEW_BROWSER" : "--browser",
                        fmt::format("{}: there is no such program", named));
  }
  for (const char* const command : kCommands)
    if (const fs::path found = in_search_path(command); !found.empty()) return found;
  throw browser_failure(
      "pictures are drawn by a browser, and there is no Chromium or Chrome here; install one "
      "(Debian: apt install chromium), or name it with --browser");
}

std::string print_document(const fs::path& browser, const std::string& address,
                           const fs::path& scratch, std::chrono::seconds patience) {
  std::vector<std::string> arguments = {browser.string(),
                                        "--headless",
                                        "--disable-extensions",
                                        "--disable-background-networking",
                                        "--disable-dev-shm-usage",
                                        "--no-first-run",
                                        "--use-angle=swiftshader",
                                        "--enable-unsafe-swiftshader",
                                        "--ignore-gpu-blocklist",
                                        "--virtual-time-budget=20000",
                                        "--user-data-dir=" + (scratch / "profile").string(),
                                        "--dump-dom",
                                        address};
  // A browser refuses to run as root with its sandbox; the page is one of ours.
  if (geteuid() == 0) arguments.insert(arguments.begin() + 1, "--no-sandbox");
  const fs::path log = scratch / "browser.log";
  Pipe pipe;
  std::string document;
  {
    const Child child(arguments, pipe.ends[1], log);
    pipe.close_writer();
    document = read_until_closed(pipe.ends[0], patience, browser);
  }
  if (document.empty())
    throw browser_failure(
        fmt::format("{} ended without a picture: {}", browser.string(), last_line(log)));
  return document;
}

}  // namespace sinew::cli
