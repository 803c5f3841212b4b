// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <utility>

#include "sinew/core/result.h"

namespace sinew::test {

/// The value, or a failed test with the error's words.
template <class T>
T checked(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().to_string());
  return *std::move(result);
}

}  // namespace sinew::test
