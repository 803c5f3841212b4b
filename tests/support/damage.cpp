// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "support/damage.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "sinew/gltf/gltf_character.h"
#include "support/models.h"

namespace sinew::test {
namespace {

constexpr std::size_t kBytesPerFileByte = 64;  // a digit may become a float, a bone a matrix
constexpr std::size_t kBytesAlways = 4096;

void expect_error_or_sound_document(const Result<Imported>& result, std::size_t file_bytes) {
  if (!result) {
    EXPECT_FALSE(result.error().message.empty());
    return;
  }
  std::size_t bytes = 0;
  for (const Bytes& buffer : result->document.buffers) bytes += buffer.size();
  EXPECT_LE(bytes, kBytesAlways + kBytesPerFileByte * file_bytes);
  const Result<Bytes> glb = encode_glb(result->document);
  ASSERT_TRUE(glb.ok()) << glb.error().to_string();
  const Result<Document> again = parse_gltf(*glb, folder_loader(""));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  const auto characters = read_characters(*again);
  EXPECT_TRUE(characters.ok()) << characters.error().to_string();
}

std::string mutate(std::string text, std::mt19937& random) {
  static constexpr std::string_view kNasty[] = {"-1", "99999999999", "1e400",  "nan",       "{",
                                                "}",  "#",           "\n",     "\0x",       "0",
                                                "é",  "-",           "1e-322", "2147483647"};
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  const std::size_t edits = 1 + below(3);
  for (std::size_t edit = 0; edit < edits && !text.empty(); ++edit) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0:
        text[at] = static_cast<char>(random() & 0xFF);
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        text.insert(at, kNasty[below(std::size(kNasty))]);
        break;
      default:
        text.insert(at, text.substr(below(text.size()), 1 + below(30)));
        break;
    }
  }
  return text;
}

}  // namespace

void expect_damage_is_handled(std::string_view good, const Parser& parse, int mutations) {
  for (std::size_t length = 0; length < good.size(); ++length) {
    SCOPED_TRACE("prefix of " + std::to_string(length) + " bytes");
    // A copy of its own, so that a read past the end is a read past an allocation.
    const std::string prefix(good.substr(0, length));
    expect_error_or_sound_document(parse(as_bytes(prefix)), prefix.size());
    if (testing::Test::HasFailure()) return;
  }
  std::mt19937 random(20261115);
  for (int i = 0; i < mutations; ++i) {
    const std::string text = mutate(std::string(good), random);
    SCOPED_TRACE("mutation " + std::to_string(i) + ":\n" + text);
    expect_error_or_sound_document(parse(as_bytes(text)), text.size());
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace sinew::test
