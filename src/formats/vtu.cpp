// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/vtu.h"

#include <bit>
#include <cassert>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "formats/text_reader.h"

namespace sinew {
namespace {

constexpr std::uint8_t kVtkTetrahedron = 10;  // numbers of the VTK file formats
constexpr std::uint8_t kVtkHexahedron = 12;
/// The corners of a hexahedron as VTK goes around them: the lower face, then the upper one.
constexpr std::array<std::size_t, 8> kAroundFaces{0, 1, 3, 2, 4, 5, 7, 6};

static_assert(sizeof(Vec3) == 3 * sizeof(double), "points are written as they lie in memory");

/// Text that an attribute of XML holds as it is.
std::string escaped(std::string_view raw) {
  const std::string text = reading::to_utf8(raw);
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view three = std::string_view(text).substr(i, 3);
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {  // of no use in XML either
      safe += '_';
      i += 2;
    } else {
      safe += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '_' : c;
    }
  }
  return safe;
}

constexpr std::size_t size_in_base64(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

/// Appends bytes in base64, however they come in pieces.
class Base64 {
 public:
  explicit Base64(std::string& text) : text_(text) {}

  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
      held_ = held_ << 8 | std::to_integer<std::uint32_t>(byte);
      if (++count_ == 3) flush();
    }
  }
  void end() {
    const std::size_t missing = count_ == 0 ? 0 : 3 - count_;
    if (missing == 0) return;
    held_ <<= 8 * missing;
    flush();
    text_.replace(text_.size() - missing, missing, missing, '=');
  }

 private:
  void flush() {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (const int shift : {18, 12, 6, 0}) text_ += kDigits[held_ >> shift & 63];
    held_ = 0;
    count_ = 0;
  }

  std::string& text_;
  std::uint32_t held_ = 0;
  std::size_t count_ = 0;
};

/// The header of an array in a file: how many bytes follow.
using BlockHeader = std::uint64_t;

struct Array {
  std::string_view name;
  std::string_view type;
  int components = 1;
  std::span<const std::byte> bytes;

  [[nodiscard]] std::size_t encoded_size() const {
    return size_in_base64(sizeof(BlockHeader) + bytes.size());
  }
};

template <class Value>
std::span<const std::byte> bytes_of(const std::vector<Value>& values) {
  return std::as_bytes(std::span(values));
}

Array array_of(const GridField& field) {
  if (const auto* floats = std::get_if<std::vector<float>>(&field.values))
    return {field.name, "Float32", 1, bytes_of(*floats)};
  return {field.name, "Int32", 1, bytes_of(std::get<std::vector<std::int32_t>>(field.values))};
}

/// What VTK wants to know of cells.
struct CellArrays {
  std::vector<std::int32_t> corners, ends;
  std::vector<std::uint8_t> types;
};

CellArrays cell_arrays(const UnstructuredGrid& grid) {
  CellArrays cells;
  const std::size_t count = grid.hexahedra.size() + grid.tetrahedra.size();
  cells.corners.reserve(8 * grid.hexahedra.size() + 4 * grid.tetrahedra.size());
  cells.ends.reserve(count);
  cells.types.reserve(count);
  const auto end_cell = [&](std::uint8_t type) {
    cells.ends.push_back(static_cast<std::int32_t>(cells.corners.size()));
    cells.types.push_back(type);
  };
  for (const auto& cell : grid.hexahedra) {
    for (const std::size_t corner : kAroundFaces)
      cells.corners.push_back(static_cast<std::int32_t>(cell[corner]));
    end_cell(kVtkHexahedron);
  }
  for (const auto& cell : grid.tetrahedra) {
    for (const std::uint32_t corner : cell)
      cells.corners.push_back(static_cast<std::int32_t>(corner));
    end_cell(kVtkTetrahedron);
  }
  assert(cells.corners.size() <= std::numeric_limits<std::int32_t>::max());
  return cells;
}

/// The XML that names arrays, and where each of them will be.
class VtuText {
 public:
  void open(std::string_view tag) { text_ += fmt::format("<{}>\n", tag); }
  void close(std::string_view tag) { text_ += fmt::format("</{}>\n", tag); }
  void refer_to(const Array& array) {
    text_ += fmt::format(
        R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
        "\n",
        array.type, escaped(array.name), array.components, offset_);
    offset_ += array.encoded_size();
    arrays_.push_back(array);
  }
  /// All arrays that were referred to, in their order.
  std::string take_with_data() {
    constexpr std::string_view kBegin = "<AppendedData encoding=\"base64\">\n_";
    constexpr std::string_view kEnd = "\n</AppendedData>\n</VTKFile>\n";
    text_.reserve(text_.size() + offset_ + kEnd.size() + kBegin.size());
    text_ += kBegin;
    for (const Array& array : arrays_) {
      Base64 base64(text_);
      const BlockHeader size = array.bytes.size();
      base64.add(std::as_bytes(std::span(&size, 1)));
      base64.add(array.bytes);
      base64.end();
    }
    text_ += kEnd;
    return std::move(text_);
  }

 private:
  std::string text_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" "
      "header_type=\"UInt64\">\n",
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
  std::size_t offset_ = 0;
  std::vector<Array> arrays_;
};

}  // namespace

std::string write_vtu(const UnstructuredGrid& grid) {
  const CellArrays cells = cell_arrays(grid);
  VtuText text;
  text.open("UnstructuredGrid");
  text.open(fmt::format(R"(Piece NumberOfPoints="{}" NumberOfCells="{}")", grid.points.size(),
                        cells.types.size()));
  text.open("PointData");
  for (const GridField& field : grid.point_fields) text.refer_to(array_of(field));
  text.close("PointData");
  text.open("CellData");
  for (const GridField& field : grid.cell_fields) text.refer_to(array_of(field));
  text.close("CellData");
  text.open("Points");
  text.refer_to({"Points", "Float64", 3, bytes_of(grid.points)});
  text.close("Points");
  text.open("Cells");
  text.refer_to({"connectivity", "Int32", 1, bytes_of(cells.corners)});
  text.refer_to({"offsets", "Int32", 1, bytes_of(cells.ends)});
  text.refer_to({"types", "UInt8", 1, bytes_of(cells.types)});
  text.close("Cells");
  text.close("Piece");
  text.close("UnstructuredGrid");
  return text.take_with_data();
}

}  // namespace sinew
