// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace sinew::cli {

/// From now on the first Ctrl-C (or SIGTERM, SIGHUP) asks the work to stop, and the second one ends
/// the process. A signal handler can only reach static storage: this flag is the one global of the
/// command line.
void install_interrupt_handler();

/// True once a stop was asked for. For Progress.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

/// The signal that asked, or 0.
[[nodiscard]] int interrupt_signal();

}  // namespace sinew::cli
