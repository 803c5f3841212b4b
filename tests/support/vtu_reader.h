// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::test {

/// An array of a .vtu file, by the section of the XML that refers to it and its name.
struct VtuArray {
  std::string type;
  int components = 0;
  std::string bytes;

  template <class Value>
  [[nodiscard]] std::vector<Value> as() const {
    std::vector<Value> values(bytes.size() / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
    return values;
  }
};

/// A .vtu file as another program would take it apart, with no code of the writer: tags in their
/// order, arrays by their offsets, base64 with its length in front. Throws where it is not one.
class VtuReader {
 public:
  explicit VtuReader(std::string_view text) {
    if (!text.starts_with("<?xml version=\"1.0\"")) throw std::runtime_error("this is no XML");
    const std::size_t begin = text.find("<AppendedData encoding=\"base64\">");
    data_ = text.substr(text.find('_', begin) + 1);
    data_ = data_.substr(0, data_.find('<'));
    while (data_.ends_with('\n')) data_.remove_suffix(1);
    std::string section;
    for (std::size_t at = text.find('<'); at < begin; at = text.find('<', at + 1)) {
      const std::string_view tag = text.substr(at + 1, text.find('>', at) - at - 1);
      if (tag.starts_with("Piece")) {
        points = std::stoul(attribute(tag, "NumberOfPoints"));
        cells = std::stoul(attribute(tag, "NumberOfCells"));
      } else if (tag.starts_with("DataArray")) {
        VtuArray& array = arrays[section + "/" + attribute(tag, "Name")];
        array.type = attribute(tag, "type");
        array.components = std::stoi(attribute(tag, "NumberOfComponents"));
        array.bytes = block_at(std::stoul(attribute(tag, "offset")));
      } else if (!tag.starts_with("/")) {
        section = tag;
      }
    }
  }

  [[nodiscard]] const VtuArray& at(const std::string& name) const { return arrays.at(name); }

  std::size_t points = 0, cells = 0;
  std::map<std::string, VtuArray> arrays;  // "PointData/Hip"

 private:
  static std::string attribute(std::string_view tag, const std::string& name) {
    const std::size_t begin = tag.find(" " + name + "=\"") + name.size() + 3;
    std::string value(tag.substr(begin, tag.find('"', begin) - begin));
    for (const auto& [entity, plain] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"),
                                        std::pair("&quot;", "\""), std::pair("&amp;", "&")})
      for (std::size_t at = value.find(entity); at != std::string::npos;
           at = value.find(entity, at + 1))
        value.replace(at, std::strlen(entity), plain);
    return value;
  }

  [[nodiscard]] std::string block_at(std::size_t offset) const {
    const std::string head = decoded(data_.substr(offset, 12));  // of 8 bytes and one more
    std::uint64_t size = 0;
    std::memcpy(&size, head.data(), sizeof(size));
    const std::string block = decoded(data_.substr(offset, (size + 8 + 2) / 3 * 4));
    if (block.size() != size + 8) throw std::runtime_error("an array has another length");
    return block.substr(8);
  }

  static std::string decoded(std::string_view text) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned held = 0;
    int bits = 0;
    for (const char c : text) {
      if (c == '=') break;
      const std::size_t digit = kDigits.find(c);
      if (digit == std::string_view::npos) throw std::runtime_error("this is no base64");
      held = held << 6 | static_cast<unsigned>(digit);
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes += static_cast<char>(held >> bits & 0xFF);
    }
    return bytes;
  }

  std::string_view data_;
};

}  // namespace sinew::test
