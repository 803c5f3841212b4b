// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

namespace sinew::cli {

/// Has large blocks of memory come in large pages. glibc decides that before main and listens to
/// its environment alone, so that this program starts itself anew, once; where that cannot be done,
/// nothing happens.
void ask_for_large_pages(char** arguments);

}  // namespace sinew::cli
