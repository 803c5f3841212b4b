// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "sinew/core/parallel.h"

#include <oneapi/tbb/global_control.h>

namespace sinew {

struct ThreadLimit::State {
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads)
    : state_(new State{tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                           static_cast<std::size_t>(std::max(threads, 1)))}) {}

ThreadLimit::~ThreadLimit() = default;

}  // namespace sinew
