// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <span>

#include "support/read_everything.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)sinew::test::read_everything(std::as_bytes(std::span(data, size)));
  return 0;
}
