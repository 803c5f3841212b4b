// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include <csignal>

namespace sinew::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> signal_seen{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may touch nothing that locks");

void on_signal(int signal) {
  signal_seen.store(signal, std::memory_order_relaxed);
  interrupted.store(true, std::memory_order_relaxed);
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  // Back to the default after the first: the second one kills. Restarting keeps a read or write
  // whole.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current = {};
    // nohup and background jobs of a script ignore these on purpose.
    if (sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

const std::atomic<bool>& interrupt_flag() { return interrupted; }

int interrupt_signal() { return signal_seen.load(std::memory_order_relaxed); }

}  // namespace sinew::cli
