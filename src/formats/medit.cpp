// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/medit.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "formats/text_reader.h"
#include "gltf/document_builder.h"
#include "sinew/model/mesh.h"

namespace sinew {
namespace {

using reading::equals_ignoring_case;
using reading::TextReader;

constexpr std::size_t kBytesPerNumber = 2;  // a digit and a space

struct MeditFile {
  MeshData mesh;
  std::vector<std::array<VertexIndex, 4>> quads;
  Notices notices;
};

class MeditParser {
 public:
  explicit MeditParser(std::span<const std::byte> file) : reader_(file, '#') {}

  Result<MeditFile> parse() {
    if (!equals_ignoring_case(reader_.next_word(), "MeshVersionFormatted"))
      return reader_.error("an ASCII MEDIT file starts with the word MeshVersionFormatted");
    SINEW_CHECK(reader_.number("the version"));
    for (std::string_view word = reader_.next_word();
         !word.empty() && !equals_ignoring_case(word, "End"); word = reader_.next_word())
      SINEW_CHECK(parse_section(word));
    if (file_.mesh.positions.empty()) return reader_.error("the file has no Vertices");
    SINEW_CHECK(check_indices());
    return std::move(file_);
  }

 private:
  Status parse_section(std::string_view keyword) {
    if (equals_ignoring_case(keyword, "Dimension")) {
      SINEW_TRY(const std::int64_t dimension, reader_.integer("the Dimension", 1, 3));
      if (dimension != 3)
        return Error{ErrorCode::unsupported, reader_.place(), "only Dimension 3 is read"};
      return {};
    }
    if (equals_ignoring_case(keyword, "Vertices")) return parse_vertices();
    if (equals_ignoring_case(keyword, "Triangles")) return parse_elements(file_.mesh.triangles);
    if (equals_ignoring_case(keyword, "Tetrahedra")) return parse_elements(file_.mesh.tetrahedra);
    if (equals_ignoring_case(keyword, "Edges")) return parse_elements(file_.mesh.wires);
    if (equals_ignoring_case(keyword, "Quadrilaterals")) return parse_elements(file_.quads);
    return skip_section(keyword);
  }

  Status parse_vertices() {
    if (!file_.mesh.positions.empty()) return reader_.error("there are two sections of Vertices");
    SINEW_TRY(const std::size_t count,
              reader_.count("the number of Vertices", 4 * kBytesPerNumber));
    file_.mesh.positions.resize(count);
    for (Vec3& position : file_.mesh.positions) {
      for (int axis = 0; axis < 3; ++axis) {
        SINEW_TRY(position[axis], reader_.number("a coordinate"));
      }
      SINEW_CHECK(reader_.number("the reference of a vertex"));
    }
    return {};
  }

  template <std::size_t kCorners>
  Status parse_elements(std::vector<std::array<VertexIndex, kCorners>>& elements) {
    SINEW_TRY(const std::size_t count,
              reader_.count("the number of elements", (kCorners + 1) * kBytesPerNumber));
    elements.reserve(elements.size() + count);
    for (std::size_t i = 0; i < count; ++i) {
      std::array<VertexIndex, kCorners>& element = elements.emplace_back();
      for (VertexIndex& corner : element) {
        SINEW_TRY(const std::int64_t index, reader_.integer("a vertex", 1, INT32_MAX));
        corner = static_cast<VertexIndex>(index - 1);
        if (corner > largest_index_) {
          largest_index_ = corner;
          largest_index_line_ = reader_.line();
        }
      }
      SINEW_CHECK(reader_.number("the reference of an element"));
    }
    return {};
  }

  // Sections may come in any order, so indices can only be judged at the end; the largest is
  // enough.
  Status check_indices() const {
    if (largest_index_ < file_.mesh.positions.size()) return {};
    return Error{ErrorCode::bad_mesh, TextReader::line_place(largest_index_line_),
                 fmt::format("there is no vertex {}; the file has {}", largest_index_ + 1,
                             file_.mesh.positions.size())};
  }

  Status skip_section(std::string_view keyword) {
    const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    if (!is_letter(keyword.front()))
      return reader_.error(
          fmt::format("expected the name of a section, found '{}'", reading::shown(keyword)));
    const std::string place = reader_.place();
    std::size_t numbers = 0;
    for (std::string_view ahead = reader_.peek_word(); !ahead.empty() && !is_letter(ahead.front());
         ahead = reader_.peek_word(), ++numbers)
      reader_.next_word();
    if (numbers > 1)
      file_.notices.push_back(
          {Notice::Level::note, "section_skipped", place,
           fmt::format("the section {} was passed over", reading::shown(keyword))});
    return {};
  }

  TextReader reader_;
  MeditFile file_;
  VertexIndex largest_index_ = 0;
  std::size_t largest_index_line_ = 0;
};

Edge sorted_edge(VertexIndex a, VertexIndex b) { return {std::min(a, b), std::max(a, b)}; }

/// Edges of the file that are sides of elements only repeat them; what is left is wire.
std::vector<Edge> keep_wires(const MeshData& mesh) {
  if (mesh.wires.empty()) return {};
  std::vector<Edge> sides;
  const auto add_sides = [&](auto& element) {
    for (std::size_t i = 0; i < element.size(); ++i)
      for (std::size_t j = i + 1; j < element.size(); ++j)
        sides.push_back(sorted_edge(element[i], element[j]));
  };
  for (const Triangle& triangle : mesh.triangles) add_sides(triangle);
  for (const Tetrahedron& tetrahedron : mesh.tetrahedra) add_sides(tetrahedron);
  std::ranges::sort(sides);
  std::vector<Edge> wires;
  for (const Edge& edge : mesh.wires)
    if (!std::ranges::binary_search(sides, sorted_edge(edge[0], edge[1]))) wires.push_back(edge);
  return wires;
}

template <std::size_t kCorners>
std::vector<std::uint32_t> flatten(const std::vector<std::array<VertexIndex, kCorners>>& elements) {
  std::vector<std::uint32_t> flat;
  flat.reserve(kCorners * elements.size());
  for (const auto& element : elements) flat.insert(flat.end(), element.begin(), element.end());
  return flat;
}

}  // namespace

Result<Imported> parse_medit(std::span<const std::byte> file, const MeditOptions& options) {
  SINEW_TRY(MeditFile medit, MeditParser(file).parse());
  MeshData& mesh = medit.mesh;
  for (const auto& quad : medit.quads) triangulate_polygon(quad, mesh.positions, mesh.triangles);
  if (mesh.triangles.empty()) mesh.triangles = boundary_triangles(mesh.tetrahedra);
  mesh.wires = keep_wires(mesh);

  Imported imported{make_empty_document(), std::move(medit.notices), "MEDIT"};
  Document& document = imported.document;
  std::vector<float> positions;
  positions.reserve(3 * mesh.positions.size());
  for (const Vec3& position : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) positions.push_back(static_cast<float>(position[axis]));
  const int position_accessor =
      reading::append_vertex_floats(document, "VEC3", positions, reading::Bounds::with);

  constexpr int kModeLines = 1;
  constexpr int kModeTriangles = 4;
  Json primitives = Json::array();
  const auto add_primitive = [&](int mode, const std::vector<std::uint32_t>& indices) {
    if (indices.empty()) return;
    const int accessor = reading::append_integers(document, "SCALAR", ComponentType::u32, indices,
                                                  BufferTarget::indices);
    primitives.push_back(
        {{"attributes", {{"POSITION", position_accessor}}}, {"indices", accessor}, {"mode", mode}});
  };
  add_primitive(kModeTriangles, flatten(mesh.triangles));
  add_primitive(kModeLines, flatten(mesh.wires));
  if (primitives.empty())
    return Error{ErrorCode::bad_mesh, "", "the file has no triangles, tetrahedra or edges"};

  const std::string name = reading::to_utf8(options.mesh_name);
  Json gltf_mesh = {{"name", name}, {"primitives", std::move(primitives)}};
  if (!mesh.tetrahedra.empty())
    gltf_mesh["extras"]["sinew"]["tetrahedra"] = reading::append_integers(
        document, "SCALAR", ComponentType::u32, flatten(mesh.tetrahedra), BufferTarget::none);
  document.json["meshes"].push_back(std::move(gltf_mesh));
  reading::add_node(document, {{"name", name}, {"mesh", 0}});
  return imported;
}

}  // namespace sinew
