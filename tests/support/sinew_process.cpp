// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/sinew_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace sinew::test {
namespace {

std::vector<char*> as_pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Reads both pipes until both are closed, so that neither fills up and blocks the child.
void drain(int out, int err, std::string& out_text, std::string& err_text) {
  std::array<pollfd, 2> pipes = {pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  const std::array<std::string*, 2> texts = {&out_text, &err_text};
  std::array<char, 4096> chunk{};
  while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
    if (poll(pipes.data(), pipes.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < pipes.size(); ++i) {
      if (pipes[i].fd < 0 || pipes[i].revents == 0) continue;
      const ssize_t count = read(pipes[i].fd, chunk.data(), chunk.size());
      if (count > 0) {
        texts[i]->append(chunk.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        pipes[i].fd = -1;
      }
    }
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sinew-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::listing() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string TemporaryFolder::read(const std::string& name) const {
  std::ifstream stream(path_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void TemporaryFolder::write(const std::string& name, const std::string& contents) const {
  std::ofstream(path_ / name, std::ios::binary) << contents;
}

nlohmann::json Finished::json() const { return nlohmann::json::parse(out, nullptr, false); }

SinewProcess::SinewProcess(const std::filesystem::path& folder,
                           const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment) {
  std::vector<std::string> argument_strings{SINEW_BINARY};
  argument_strings.insert(argument_strings.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment_strings = environment;  // the first of a name counts
  environment_strings.insert(environment_strings.end(), {"PATH=/usr/bin:/bin", "TERM=xterm"});
  const std::vector<char*> argv = as_pointers(argument_strings);
  const std::vector<char*> envp = as_pointers(environment_strings);

  std::array<int, 2> out{}, err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no child process");
  if (pid_ == 0) {
    // A test run in the background of a script ignores SIGINT; the child must not inherit that.
    signal(SIGINT, SIG_DFL);
    if (chdir(folder.c_str()) != 0) _exit(127);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

SinewProcess::~SinewProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0) close(out_);
  if (err_ >= 0) close(err_);
}

void SinewProcess::send(int signal) const { kill(pid_, signal); }

Finished SinewProcess::wait() {
  Finished finished;
  drain(out_, err_, finished.out, finished.err);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

Finished run_sinew(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& environment) {
  return SinewProcess(folder, arguments, environment).wait();
}

}  // namespace sinew::test
