// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <span>

#include "sinew/io/gltf_character.h"

// Any bytes are either refused or read, and what was read can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sinew::ResourceLoader no_files = [](std::string_view uri, std::uint64_t) {
    return sinew::Result<sinew::Bytes>(sinew::Error{sinew::ErrorCode::file_not_found,
                                                    std::string(uri), "there are no files here"});
  };
  const auto document = sinew::parse_gltf(std::as_bytes(std::span(data, size)), no_files);
  if (!document.ok()) return 0;
  const auto encoded = sinew::encode_glb(*document, &no_files);
  if (encoded.ok() && !sinew::parse_gltf(*encoded, no_files).ok()) std::abort();
  const auto characters = sinew::read_characters(*document);
  if (characters.ok() && characters->empty()) std::abort();
  return 0;
}
