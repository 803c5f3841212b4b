// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "gltf/uri.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::array<std::int8_t, 256> make_base64_values() {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  return values;
}
constexpr std::array<std::int8_t, 256> kBase64Values = make_base64_values();

std::optional<Bytes> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  Bytes bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    const std::int8_t value = kBase64Values[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      bytes.push_back(static_cast<std::byte>((bits >> bit_count) & 0xFF));
    }
  }
  return bytes;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view uri) {
  std::string text;
  text.reserve(uri.size());
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      text.push_back(uri[i]);
      continue;
    }
    if (i + 2 >= uri.size()) return std::nullopt;
    const int high = hex_value(uri[i + 1]), low = hex_value(uri[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    text.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return text;
}

}  // namespace

bool is_data_uri(std::string_view uri) { return uri.starts_with("data:"); }

std::optional<Bytes> decode_data_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (!is_data_uri(uri) || comma == std::string_view::npos) return std::nullopt;
  const std::string_view payload = uri.substr(comma + 1);
  if (uri.substr(0, comma).ends_with(";base64")) return decode_base64(payload);
  const std::optional<std::string> text = percent_decoded(payload);
  if (!text) return std::nullopt;
  const auto* begin = reinterpret_cast<const std::byte*>(text->data());
  return Bytes(begin, begin + text->size());
}

std::optional<std::string> safe_relative_path(std::string_view uri) {
  const std::optional<std::string> path = percent_decoded(uri);
  if (!path || path->empty() || path->front() == '/') return std::nullopt;
  for (const char c : *path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\') return std::nullopt;
  const std::size_t colon = path->find(':');
  if (colon != std::string::npos && colon < path->find('/')) return std::nullopt;
  for (std::size_t begin = 0; begin <= path->size();) {
    const std::size_t end = std::min(path->find('/', begin), path->size());
    const std::string_view step = std::string_view(*path).substr(begin, end - begin);
    if (step == ".." || step.empty()) return std::nullopt;
    begin = end + 1;
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,=@";
  std::string uri;
  for (const char c : path) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       kPlain.find(c) != std::string_view::npos;
    if (plain)
      uri.push_back(c);
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace sinew
